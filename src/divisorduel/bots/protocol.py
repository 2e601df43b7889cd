"""The engine protocol: the lines that a manager and an engine send each other, as values.

`docs/engines.md` has the grammar. The protocol is stateless: the position code in every ``go`` says
everything, so an engine that failed can be replaced by a new one at any time.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from divisorduel.play.match import MatchError, check_name
from divisorduel.play.players import PlayerFault
from divisorduel.rules.errors import NotANumber
from divisorduel.rules.numbers import read_number

VERSION = 1
HELLO = f"duel {VERSION}"
LONGEST_LINE = 16_384
"""How many bytes a line of an engine may have."""
MOST_LINES = 1_000
"""How many lines an engine may send before it answers."""
MOST_LEGAL = 10_000
"""With more legal moves than this, ``go`` does not list them."""
MOST_OPTIONS = 50
SHOWN = 60
"""How many characters of a wrong line a message quotes."""

EngineResult = Literal["win", "loss", "none"]
"""How a game ended for the engine; ``none`` if it is not finished."""

_OPTION = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_-]{0,39})(?: (?P<default>.*))?")


@dataclass(frozen=True, slots=True)
class Greeting:
    """What an engine says about itself."""

    name: str
    author: str = ""
    games: tuple[str, ...] = ()
    """The keys of the rule books it plays; empty for all of them."""
    options: dict[str, str] = field(default_factory=dict)
    """What can be set, with the defaults."""
    wants_legal: bool = False

    def plays(self, key: str) -> bool:
        """Tell whether the engine plays a rule book."""
        return not self.games or key in self.games


@dataclass(frozen=True, slots=True)
class Move:
    """An engine takes a number."""

    number: int


@dataclass(frozen=True, slots=True)
class Resign:
    """An engine gives up the game."""


@dataclass(frozen=True, slots=True)
class Say:
    """An engine says something, for people to read."""

    text: str


def quoted(line: str) -> str:
    """Quote the beginning of a line for a message; control characters are escaped."""
    return ascii(line if len(line) <= SHOWN else f"{line[:SHOWN]}…")


def unclear(line: str, advice: str) -> PlayerFault:
    """Return the fault of a line that is not in the grammar."""
    return PlayerFault("unclear", f"It sent {quoted(line)}. {advice}")


def go(code: str, milliseconds: int, legal: Sequence[int] = ()) -> str:
    """Return the line that asks for a move."""
    listed = f" legal {' '.join(map(str, legal))}" if legal else ""
    return f"go {code} ms {milliseconds}{listed}"


def read_answer(line: str) -> Move | Resign | Say:
    """Read a line that follows a ``go``. Raises `PlayerFault`."""
    word, _, rest = line.partition(" ")
    if word == "say":
        return Say(rest)
    if line == "resign":
        return Resign()
    if word == "move":
        try:
            return Move(read_number(rest))
        except NotANumber:
            raise unclear(line, "A move is a number in digits, as in 'move 12'.") from None
    raise unclear(
        line,
        "After 'go', the answer is 'move N' or 'resign'. Begin other lines with 'say', or write "
        "them to standard error.",
    )


def read_greeting(known: Greeting, line: str) -> Greeting:
    """Return a greeting with one more line, which is not ``ok``. Raises `PlayerFault`."""
    word, _, rest = line.partition(" ")
    match word:
        case "bot":
            try:
                return replace(known, name=check_name(rest))
            except MatchError as error:
                raise unclear(line, str(error)) from None
        case "author":
            return replace(known, author=rest)
        case "games" if rest.split():
            return replace(known, games=(*known.games, *rest.split()))
        case "option" if (found := _OPTION.fullmatch(rest)) and len(known.options) < MOST_OPTIONS:
            option = {found["name"]: found["default"] or ""}
            return replace(known, options={**known.options, **option})
        case "want" if rest == "legal":
            return replace(known, wants_legal=True)
        case "say":
            return known
    raise unclear(
        line,
        f"After {HELLO!r}, an engine sends 'bot NAME', then any of 'author', 'games', 'option' "
        "and 'want legal', then 'ok'.",
    )
