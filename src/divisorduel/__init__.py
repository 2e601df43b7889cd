"""Divisor Duel: two-player games of divisors and multiples, exact and complete.

>>> from divisorduel import game
>>> g = game("chain", to=50)
>>> position = g.play(g.start(), 8)
>>> g.moves(position)
(2, 4, 16, 24, 32, 40, 48)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from divisorduel.play.commands import Forfeit as Forfeit
    from divisorduel.play.commands import Redo as Redo
    from divisorduel.play.commands import Rematch as Rematch
    from divisorduel.play.commands import Take as Take
    from divisorduel.play.commands import Undo as Undo
    from divisorduel.play.decide import Decision as Decision
    from divisorduel.play.decide import decide as decide
    from divisorduel.play.match import Match as Match
    from divisorduel.play.match import MatchError as MatchError
    from divisorduel.record.match_records import Heading as Heading
    from divisorduel.record.match_records import match_to_records as match_to_records
    from divisorduel.record.match_records import records_to_match as records_to_match
    from divisorduel.record.model import Line as Line
    from divisorduel.record.model import Ply as Ply
    from divisorduel.record.model import Record as Record
    from divisorduel.record.model import RecordError as RecordError
    from divisorduel.record.model import Tag as Tag
    from divisorduel.record.reader import read_records as read_records
    from divisorduel.record.writer import write_records as write_records
    from divisorduel.rules.catalogue import game as game
    from divisorduel.rules.catalogue import keys as keys
    from divisorduel.rules.catalogue import rule_book as rule_book
    from divisorduel.rules.code import read_code as read_code
    from divisorduel.rules.code import write_code as write_code
    from divisorduel.rules.conformance import ConformanceError as ConformanceError
    from divisorduel.rules.conformance import check_game as check_game
    from divisorduel.rules.errors import BoardError as BoardError
    from divisorduel.rules.errors import CodeError as CodeError
    from divisorduel.rules.errors import DuelError as DuelError
    from divisorduel.rules.errors import IllegalMove as IllegalMove
    from divisorduel.rules.errors import NotANumber as NotANumber
    from divisorduel.rules.game import Game as Game
    from divisorduel.rules.game import Taken as Taken
    from divisorduel.rules.position import Position as Position
    from divisorduel.rules.refusal import Refusal as Refusal
    from divisorduel.rules.relation import Relation as Relation
    from divisorduel.rules.traits import Trait as Trait

# Where each name lives. A name is fetched when it is first used, so that ``duel --help`` need not
# wait for what it does not need.
_HOMES = {
    "play.commands": ("Forfeit", "Redo", "Rematch", "Take", "Undo"),
    "play.decide": ("Decision", "decide"),
    "play.match": ("Match", "MatchError"),
    "record.match_records": ("Heading", "match_to_records", "records_to_match"),
    "record.model": ("Line", "Ply", "Record", "RecordError", "Tag"),
    "record.reader": ("read_records",),
    "record.writer": ("write_records",),
    "rules.catalogue": ("game", "keys", "rule_book"),
    "rules.code": ("read_code", "write_code"),
    "rules.conformance": ("ConformanceError", "check_game"),
    "rules.errors": ("BoardError", "CodeError", "DuelError", "IllegalMove", "NotANumber"),
    "rules.game": ("Game", "Taken"),
    "rules.position": ("Position",),
    "rules.refusal": ("Refusal",),
    "rules.relation": ("Relation",),
    "rules.traits": ("Trait",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
