"""Asks what must be known before a match can begin."""

from collections.abc import Callable
from typing import Literal, TypeVar

from divisorduel.play.events import Seat
from divisorduel.play.match import check_name, check_names, default_names
from divisorduel.play.names import look_alike
from divisorduel.play.players import HUMAN, KINDS, player
from divisorduel.rules.catalogue import game, keys, must_be_given, rule_book
from divisorduel.rules.errors import BoardError, DuelError, NotANumber
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import read_number
from divisorduel.terminal.plain.input_parser import trimmed
from divisorduel.terminal.plain.rules_text import guide
from divisorduel.terminal.terminal import Terminal
from divisorduel.words.listing import listing

T = TypeVar("T")


class QuitRequested(Exception):  # not an error
    """The player typed quit before the match began."""


def _ask(
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

    return _ask(terminal, f"{question} Type yes or no.", read, usual=usual, answers=answers)


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
        if terminal.interactive and chosen.note and chosen not in warned:
            warned.add(chosen)
            raise BoardError(f"{chosen.note} Enter another number, or the same one to play it.")
        return chosen

    return _ask(terminal, prompt, read, key=key)


def ask_game(terminal: Terminal) -> str:
    """Ask which game to play, and return its key."""
    terminal.say("Which game?\n", "heading")
    for number, key in enumerate(keys(), 1):
        book = rule_book(key).book
        terminal.say(
            f"  {number}  {key:<10} {book.title}: {book.move} ({book.board})\n", "prose", 16
        )

    answers = f'Type a number from 1 to {len(keys())} or the name of a game, or "quit".'

    def read(line: str) -> str:
        numbered = {str(number): key for number, key in enumerate(keys(), 1)}
        chosen = numbered.get(line, line.lower())
        if chosen not in keys():
            raise BoardError(answers)
        return chosen

    return _ask(terminal, "Game: ", read, answers=answers)


def ask_board(terminal: Terminal, key: str) -> Game:
    """Ask which board to play on; an empty answer gives the default board."""
    if must_be_given(key):
        return ask_number(terminal, key)

    def read(line: str) -> Game:
        return rule_book(key).on_board(line.replace(" ", ""))

    prompt = "Board, from which number to which?"
    return _ask(terminal, prompt, read, usual=game(key).board, key=key)


def ask_kinds(terminal: Terminal) -> tuple[str, str]:
    """Ask who plays against Player 1: another person or a computer."""

    def read(line: str) -> str:
        player(line.lower())
        return line.lower()

    named = [kind for kind in KINDS if not kind.isdigit() and kind != HUMAN]
    computers = listing(["a level from 1 to 10", *(f'"{kind}"' for kind in named)], "or")
    terminal.say(f'Player 2 can be "{HUMAN}", or a computer player: {computers}.\n', "prose")
    return HUMAN, _ask(terminal, "Who is Player 2?", read, usual=HUMAN)


def ask_names(terminal: Terminal, kinds: tuple[str, str]) -> tuple[str, str]:
    """Ask for the names of the human players."""
    default_one, default_two = default_names(kinds)
    one = _ask(terminal, "What is Player 1's name?", check_name, usual=default_one)
    if kinds[1] != HUMAN:
        return one, f"{default_two} (computer)" if look_alike(one, default_two) else default_two

    def read(line: str) -> tuple[str, str]:
        return check_names((one, line))

    return _ask(terminal, "What is Player 2's name?", read, usual=default_two)


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
    return _ask(terminal, prompt, read, usual="1")
