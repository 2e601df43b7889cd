"""Puzzles at the prompt."""

from divisorduel.coach.puzzles import Puzzle
from divisorduel.coach.reasons import reason
from divisorduel.play.commands import Take
from divisorduel.play.events import NumberTaken
from divisorduel.play.match import Match
from divisorduel.play.players import Judge
from divisorduel.rules.code import write_code
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.plain.input_parser import Unclear, Word, read_line
from divisorduel.terminal.plain.match_loop import INPUT_ENDED
from divisorduel.terminal.plain.questions import QuitRequested
from divisorduel.terminal.terminal import EndOfInput, Terminal
from divisorduel.words.advice import reason_text


def pose(terminal: Terminal, puzzle: Puzzle, level: int | None) -> int:
    """Show a puzzle, take answers until one is right or somebody gives up; return the status."""
    if level not in (None, puzzle.level):
        terminal.say(f"No puzzle of level {level} turned up; this is the nearest one.\n")
    match = Match.of(puzzle.game)
    for move in puzzle.taken:
        match = match.after(NumberTaken(move))
    game = puzzle.game
    terminal.say(f"{game.book.title} on {game.span}, a puzzle of level {puzzle.level}\n", "heading")
    terminal.say(f"{write_code(game, puzzle.position)}\n")
    terminal.say(f"Taken so far: {', '.join(map(str, puzzle.taken))}\n")
    for said in transcript.take_up(match):
        terminal.say(*said)
    terminal.say("Just one move wins. Which one? (moves, history, hint, give up)\n", "prose")
    while True:
        try:
            line = terminal.ask(transcript.prompt(match))
        except EndOfInput:
            terminal.complain("The input ended before the puzzle was solved.")
            return INPUT_ENDED
        if line.strip().lower() in ("give up", "g", "give", "why"):
            terminal.say(f"{reason_text(reason(game, puzzle.position))}\n", "prose")
            return 0
        match read_line(line):
            case Take(number):
                if _is_solved(terminal, puzzle, match, number):
                    return 0
            case Word("quit"):
                raise QuitRequested
            case Word("moves"):
                terminal.say(*next(transcript.moves(match)))
            case Word("history"):
                for said in transcript.history(match):
                    terminal.say(*said)
            case Word("hint"):
                moves = game.number_of_moves(puzzle.position)
                terminal.say(f"One of the {moves} moves wins, and it does not end the game.\n")
            case Unclear(answer):
                terminal.say(f"{answer}\n", "reason")
            case _:
                terminal.say("Type a number, moves, history, give up or quit.\n")


def _is_solved(terminal: Terminal, puzzle: Puzzle, match: Match, number: int) -> bool:
    game, position = puzzle.game, puzzle.position
    if refusal := game.refusal(position, number, match.taken):
        terminal.say(f"{game.explain(refusal)}\n", "reason")
        return False
    if number != puzzle.solution:
        answer = Judge().best_move(game, game.after(position, number))
        terminal.say(f"No: {number} is answered by {answer}. Try again.\n", "reason")
        return False
    terminal.say("Right!\n", "win")
    terminal.say(f"{reason_text(reason(game, position))}\n", "prose")
    return True
