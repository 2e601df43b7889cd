"""What a player chooses before a match, as a value, and the match it makes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from divisorduel.play.events import Seat
from divisorduel.play.match import Match
from divisorduel.play.players import HUMAN, KINDS
from divisorduel.rules.catalogue import rule_book, rule_book_keys
from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import read_number
from divisorduel.store.preferences import Preferences, usual_names
from divisorduel.terminal.plain.setup_prompts import USUAL_GAME, usual_board

First = Literal["1", "2", "random"]
USUAL_LEVEL = "5"

GAMES = {
    key: f"{key}: {rule_book(key).book.nickname or rule_book(key).book.title}"
    for key in rule_book_keys()
}
"""The games by key, as people choose them."""


def _kind_name(kind: str) -> str:
    if kind == HUMAN:
        return "a friend on the same screen"
    return f"computer, level {kind}" if kind.isdigit() else f"computer, {kind}"


OPPONENTS = {kind: _kind_name(kind) for kind in KINDS}
COMPUTERS = {
    kind: name.removeprefix("computer, ") for kind, name in OPPONENTS.items() if kind != HUMAN
}


@dataclass(frozen=True, slots=True)
class Setup:
    """The choices for a match."""

    key: str
    board: str = ""
    kinds: tuple[str, str] = (HUMAN, USUAL_LEVEL)
    names: tuple[str, str] = ("", "")
    first: First = "1"
    rounds: str = ""

    @classmethod
    def usual(cls, preferences: Preferences) -> "Setup":
        """Return the choices that a person usually makes."""
        kinds = HUMAN, preferences.level or USUAL_LEVEL
        return cls(USUAL_GAME, kinds=kinds, names=(preferences.name, preferences.friend))

    def game(self) -> Game:
        """Return the game on the chosen board. Raises `DuelError`."""
        board = self.board.replace(" ", "") or usual_board(self.key)
        return rule_book(self.key).on_board(board)

    def match(self, draw: Callable[[], Seat]) -> Match:
        """Return the match. Raises `DuelError`, with the reason."""
        one, two = (name.strip() for name in self.names)
        usual = usual_names(self.kinds, Preferences(name=one, friend=two))
        one, two = one or usual[0], two or usual[1]
        drawn: dict[First, Callable[[], Seat]] = {"1": lambda: 1, "2": lambda: 2, "random": draw}
        return Match.of(
            self.game(),
            names=(one, two),
            kinds=self.kinds,
            first=drawn[self.first](),
            rounds=read_number(self.rounds or "1", BoardError),
        )
