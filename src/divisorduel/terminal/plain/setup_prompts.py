"""Asks what must be known before a match can begin."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from divisorduel.coach.quick_end import QuickEnd, quick_end
from divisorduel.play.events import Seat
from divisorduel.play.match import MOST_ROUNDS, MatchError, check_name, check_names
from divisorduel.play.players import HUMAN, KINDS, player
from divisorduel.rules.catalogue import game, must_be_given, rule_book, rule_book_keys
from divisorduel.rules.errors import BoardError, DuelError, NotANumber
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import read_number
from divisorduel.store.preferences import Preferences, usual_names
from divisorduel.terminal.plain.input_parser import trimmed
from divisorduel.terminal.plain.rules_text import guide
from divisorduel.terminal.terminal import Terminal
from divisorduel.words.listing import listing
from divisorduel.words.quick_ends import longer_text, quick_end_text

USUAL_GAME = "chain"

T = TypeVar("T")


class QuitRequested(Exception):  # not an error
    """The player typed quit before the match began."""


def ask(
    terminal: Terminal,
    prompt: str,
    read: Callable[[str], T],
    *,
    usual: str = "",
    key: str = "",
    answers: str = "",
) -> T:
    """Ask until the answer can be read; say why if it cannot. Enter gives the usual answer."""
    prompt = f"{prompt} (Press Enter for {usual}): " if usual else prompt
    while True:
        line = trimmed(terminal.ask(prompt))
        # Other commands may not be abbreviated here: "Ru" may be a name.
        match line.lower():
            case "q" | "quit" | "exit":
                raise QuitRequested
            case "rules" if key:
                terminal.show(guide(key))
                continue
            case "help" | "?":
                known = '"rules" or "quit"' if key else '"quit"'
                terminal.say(f"{answers or f'Answer the question, or type {known}.'}\n")
                continue
        try:
            return read(line or usual)
        except DuelError as error:
            terminal.say(f"{error}\n", "reason")


def ask_yes_or_no(terminal: Terminal, question: str, *, usual: Literal["yes", "no"]) -> bool:
    """Ask a question, and return whether the answer is yes."""
    answers = 'Type "yes" or "no".'

    def read(line: str) -> bool:
        if line.lower() not in ("y", "yes", "n", "no"):
            raise BoardError(answers)
        return line.lower() in ("y", "yes")

    return ask(terminal, f"{question} Type yes or no.", read, usual=usual, answers=answers)


def ask_number(terminal: Terminal, key: str) -> Game:
    """Ask for the starting number of a game, in the words of its rule book."""
    [name] = must_be_given(key)
    prompt = rule_book(key).book.wording.ask_number
    warned: set[Game] = set()

    def read(line: str) -> Game:
        try:
            chosen = game(key, **{name: read_number(line)})
        except NotANumber:
            raise BoardError('Type a whole number, or "quit".') from None
        # A number from a pipe is played as it is: no one is there to change it.
        warning = _warning(chosen) if terminal.interactive and chosen not in warned else ""
        if warning:
            warned.add(chosen)
            raise BoardError(
                f"{warning} Type another number, or the same one again to play it anyway."
            )
        return chosen

    return ask(terminal, prompt, read, key=key)


def _warning(chosen: Game) -> str:
    """Say that a game ends before or with the first move; empty if it does not."""
    found = quick_end(chosen)
    if found is None or not found.is_certain:
        return chosen.note
    return f"{quick_end_text(found)} {longer_text(found)}".strip()


def offer_longer(terminal: Terminal, found: QuickEnd, starter: str) -> Game | None:
    """Say that the first move can end the game, and offer a longer one if there is one."""
    terminal.say(f"{quick_end_text(found, starter)} {longer_text(found)}".strip() + "\n", "prose")
    if found.longer is None or not terminal.interactive:
        return None
    is_longer = ask_yes_or_no(terminal, "Play the longer game?", usual="yes")
    return found.longer if is_longer else None


def ask_game(terminal: Terminal) -> str:
    """Ask which game to play, and return its key."""
    terminal.say("Which game?\n", "heading")
    for number, key in enumerate(rule_book_keys(), 1):
        book = rule_book(key).book
        terminal.say(
            f"  {number}  {key:<10} {book.title}: {book.move} ({book.board})\n", "prose", 16
        )

    answers = f'Type a number from 1 to {len(rule_book_keys())} or the name of a game, or "quit".'

    def read(line: str) -> str:
        numbered = {str(number): key for number, key in enumerate(rule_book_keys(), 1)}
        if line.isdecimal() and line not in numbered:
            raise BoardError(answers)
        return rule_book(numbered.get(line, line.lower())).book.key

    return ask(terminal, "Game?", read, usual=USUAL_GAME, answers=answers)


def ask_board(terminal: Terminal, key: str) -> Game:
    """Ask which board to play on; an empty answer gives the default board."""
    if must_be_given(key):
        return ask_number(terminal, key)

    def read(line: str) -> Game:
        return rule_book(key).on_board(line.replace(" ", ""))

    prompt = "Which numbers? For example 2-50, or 2-50,even if the first number must be even."
    answers = (
        "Type, for example, 2-30; 2-30,even if the first number must be even; 3-30:3 for every "
        'third number. Or type "rules" or "quit".'
    )
    return ask(terminal, prompt, read, usual=usual_board(key), key=key, answers=answers)


def usual_board(key: str) -> str:
    """Return the board that is offered first for a game, on which it does not end at once."""
    return game(key, **rule_book(key).book.first_board).board


def ask_kinds(terminal: Terminal, preferences: Preferences) -> tuple[str, str]:
    """Ask who plays against Player 1: another person or a computer."""

    def read(line: str) -> str:
        player(line.lower())
        return line.lower()

    named = [kind for kind in KINDS if not kind.isdigit() and kind != HUMAN]
    computers = listing(["a level from 1 to 10", *(f'"{kind}"' for kind in named)], "or")
    terminal.say(f'Player 2 can be "{HUMAN}", or a computer player: {computers}.\n', "prose")
    return HUMAN, ask(terminal, "Who is Player 2?", read, usual=preferences.level or HUMAN)


def ask_computers(terminal: Terminal) -> tuple[str, str]:
    """Ask which two computers play each other."""
    computers = [kind for kind in KINDS if kind != HUMAN]
    answers = f"Choose {listing(computers, 'or')}."

    def read(line: str) -> str:
        if line.lower() not in computers:
            raise BoardError(answers)
        return line.lower()

    one = ask(terminal, "Which computer is Player 1?", read, usual="perfect", answers=answers)
    return one, ask(terminal, "Which computer is Player 2?", read, usual="5", answers=answers)


def ask_names(
    terminal: Terminal, kinds: tuple[str, str], preferences: Preferences
) -> tuple[str, str]:
    """Ask for the names of the human players."""
    usual_one, usual_two = usual_names(kinds, preferences)
    one = ask(terminal, "What is Player 1's name?", check_name, usual=usual_one)
    if kinds[1] != HUMAN:
        return usual_names(kinds, Preferences(name=one))

    def read(line: str) -> tuple[str, str]:
        return check_names((one, line))

    return ask(terminal, "What is Player 2's name?", read, usual=usual_two)


def ask_place(terminal: Terminal, question: str, things: Sequence[str]) -> str:
    """Ask for the number of a thing in a list, counted from 1, and return the thing."""
    answers = f"Type a number from 1 to {len(things)}."

    def read(line: str) -> str:
        if not line.isdecimal() or not 1 <= int(line) <= len(things):
            raise BoardError(answers)
        return things[int(line) - 1]

    return ask(terminal, question, read, usual="1", answers=answers)


def ask_rounds(terminal: Terminal) -> int:
    """Ask how many rounds to play."""
    answers = f"Type a number from 1 to {MOST_ROUNDS:,}."

    def read(line: str) -> int:
        rounds = read_number(line, MatchError)
        if not 1 <= rounds <= MOST_ROUNDS:
            raise MatchError(answers)
        return rounds

    return ask(terminal, "How many rounds?", read, usual="1", answers=answers)


def ask_first(terminal: Terminal, names: tuple[str, str], draw: Callable[[], Seat]) -> Seat:
    """Ask who starts; the answer may be left to chance."""

    def read(line: str) -> Seat:
        match line.lower():
            case "1":
                return 1
            case "2":
                return 2
            case "r" | "random":
                drawn = draw()
                terminal.say(f"{names[drawn - 1]} goes first (chosen at random).\n")
                return drawn
        raise BoardError('Type 1, 2, "random" or "quit".')

    prompt = f'Who starts? Type 1 for {names[0]}, 2 for {names[1]}, or "random".'
    return ask(terminal, prompt, read, usual="1")
