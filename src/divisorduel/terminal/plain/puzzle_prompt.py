"""Poses a puzzle at the prompt."""

from divisorduel.coach.puzzles import Puzzle
from divisorduel.coach.reasons import reason
from divisorduel.play.commands import Take
from divisorduel.play.events import NumberTaken
from divisorduel.play.match import Match
from divisorduel.play.players import Judge
from divisorduel.rules.code import write_code
from divisorduel.terminal.number_format import number_list
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.plain.input_parser import Unclear, Word, read_line
from divisorduel.terminal.plain.match_loop import INPUT_ENDED
from divisorduel.terminal.plain.rules_text import guide
from divisorduel.terminal.plain.setup_prompts import QuitRequested
from divisorduel.terminal.terminal import EndOfInput, Terminal
from divisorduel.words.advice import reason_text
from divisorduel.words.refusals import refusal_text

GIVE_UP = ("give up", "g", "give", "why", "forfeit", "resign")
HELP = (
    'Type a number, "board", "moves", "history", "hint" (again for more), "rules", "give up" or '
    '"quit".\n'
)
NO_MORE = 'There are no more hints. Type "give up" to see the solution.'


def pose(terminal: Terminal, puzzle: Puzzle, level: int | None) -> int:
    """Pose a puzzle until the player solves it or gives up; return the exit status."""
    if level not in (None, puzzle.level):
        terminal.say(f"No level {level} puzzle was found. Here is the closest one.\n")
    match = Match.of(puzzle.game)
    for move in puzzle.taken:
        match = match.after(NumberTaken(move))
    _show(terminal, puzzle, match)
    hints = 0
    while True:
        try:
            line = terminal.ask(transcript.prompt(match))
        except EndOfInput:
            terminal.complain("The input ended before the puzzle was solved.")
            return INPUT_ENDED
        if line.strip().lower() in GIVE_UP:
            _explain(terminal, puzzle)
            return 0
        match read_line(line):
            case Take(number):
                if _is_solved(terminal, puzzle, match, number):
                    return 0
            case Word("quit"):
                raise QuitRequested
            case Word("hint"):
                hints += 1
                terminal.say(f"{_hint(puzzle, hints)}\n", "prose")
            case Word(name):
                _inform(terminal, match, name)
            case Unclear(answer):
                terminal.say(f"{answer}\n", "reason")


def _show(terminal: Terminal, puzzle: Puzzle, match: Match) -> None:
    game = puzzle.game
    title = f"Level {puzzle.level} puzzle: {game.book.title}, {game.span}\n"
    terminal.say(title, "heading")
    terminal.say(f"Position: {write_code(game, puzzle.position)}\n")
    terminal.say(f"Taken so far: {', '.join(map(str, puzzle.taken))}\n")
    terminal.show(transcript.resume_round(match))
    terminal.say(
        'Only one move wins. Which one? (Or type "moves", "history", "hint" or "give up".)\n',
        "prose",
    )


def _explain(terminal: Terminal, puzzle: Puzzle) -> None:
    terminal.say(f"{reason_text(reason(puzzle.game, puzzle.position))}\n", "prose")


def _inform(terminal: Terminal, match: Match, word: str) -> None:
    """Carry out a command that does not change the puzzle."""
    match word:
        case "moves":
            terminal.say(*transcript.moves(match))
        case "history":
            terminal.show(transcript.history(match))
        case "board":
            terminal.show(transcript.resume_round(match))
        case "rules":
            terminal.show(guide(match.game.book.key, match.game))
        case _:
            terminal.say(HELP, "prose")


def _hint(puzzle: Puzzle, step: int) -> str:
    """Say a little more with each step: how many moves there are, then moves that do not win.

    At least one losing move is never named.
    """
    moves = puzzle.game.moves(puzzle.position)
    if step == 1:
        return f"Only one of your {len(moves)} moves wins, and it does not end the game at once."
    losing = [move for move in moves if move != puzzle.solution]
    counts = sorted({len(losing) * part // (part + 1) for part in range(1, len(losing))} - {0})
    if step - 2 >= len(counts):
        return NO_MORE
    # Every second one first, so that what is left does not give the answer away.
    named = sorted([*losing[::2], *losing[1::2]][: counts[step - 2]])
    return f"{'This does' if len(named) == 1 else 'These do'} not win: {number_list(named)}."


def _is_solved(terminal: Terminal, puzzle: Puzzle, match: Match, number: int) -> bool:
    game = puzzle.game
    if refusal := match.move_refusal(number):
        terminal.say(f"{refusal_text(refusal, match)}\n", "reason")
        return False
    if number != puzzle.solution:
        answer = Judge().best_move(game, game.after(puzzle.position, number))
        terminal.say(f"No. Your opponent answers with {answer} and wins. Try again.\n", "reason")
        return False
    terminal.say("Right!\n", "win")
    _explain(terminal, puzzle)
    return True
