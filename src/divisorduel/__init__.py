"""Divisor Duel: two-player games of divisors and multiples, exact and complete.

>>> from divisorduel import game, solve
>>> g = game("chain", to=50)
>>> position = g.play(g.start(), 8)
>>> g.moves(position)
(2, 4, 16, 24, 32, 40, 48)
>>> solve(game("antichain")).winning_moves
(50,)
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

# This is the only list of public names: a new name is one more line. Type checkers see the imports;
# at run time a name is imported when it is first used, so that ``duel --help`` starts quickly.
if TYPE_CHECKING:
    from divisorduel.coach.fair_starts import Start as Start
    from divisorduel.coach.fair_starts import fair_starts as fair_starts
    from divisorduel.coach.hints import hint as hint
    from divisorduel.coach.puzzles import Puzzle as Puzzle
    from divisorduel.coach.puzzles import puzzle as puzzle
    from divisorduel.coach.reasons import reason as reason
    from divisorduel.coach.review import Review as Review
    from divisorduel.coach.review import review as review
    from divisorduel.lab.check_table import TableCheck as TableCheck
    from divisorduel.lab.check_table import check_table as check_table
    from divisorduel.lab.executors.dask_cluster import DaskExecutor as DaskExecutor
    from divisorduel.lab.executors.executor import ExecutorError as ExecutorError
    from divisorduel.lab.executors.local import LocalExecutor as LocalExecutor
    from divisorduel.lab.formats import look_up as look_up
    from divisorduel.lab.formats import read_table as read_table
    from divisorduel.lab.formats import write_table as write_table
    from divisorduel.lab.make_table import TableBuilder as TableBuilder
    from divisorduel.lab.make_table import make_table as make_table
    from divisorduel.lab.plot.svg import plot as plot
    from divisorduel.lab.series import Series as Series
    from divisorduel.lab.table import Row as Row
    from divisorduel.lab.table import Table as Table
    from divisorduel.lab.table import TableError as TableError
    from divisorduel.lab.tasks import Limits as Limits
    from divisorduel.play.commands import Forfeit as Forfeit
    from divisorduel.play.commands import Redo as Redo
    from divisorduel.play.commands import Rematch as Rematch
    from divisorduel.play.commands import Take as Take
    from divisorduel.play.commands import Undo as Undo
    from divisorduel.play.decide import Decision as Decision
    from divisorduel.play.decide import decide as decide
    from divisorduel.play.match import Match as Match
    from divisorduel.play.match import MatchError as MatchError
    from divisorduel.play.players import Judge as Judge
    from divisorduel.play.players import player as player
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
    from divisorduel.rules.errors import MissingExtra as MissingExtra
    from divisorduel.rules.errors import NotANumber as NotANumber
    from divisorduel.rules.game import Game as Game
    from divisorduel.rules.game import Taken as Taken
    from divisorduel.rules.position import Position as Position
    from divisorduel.rules.refusal import Refusal as Refusal
    from divisorduel.rules.relation import Relation as Relation
    from divisorduel.rules.traits import Trait as Trait
    from divisorduel.solve.budget import Budget as Budget
    from divisorduel.solve.budget import OutOfTime as OutOfTime
    from divisorduel.solve.certificate import certificate as certificate
    from divisorduel.solve.solver import solve as solve
    from divisorduel.solve.verdict import Verdict as Verdict
    from divisorduel.solve.verify import CertificateError as CertificateError
    from divisorduel.solve.verify import verify as verify
    from divisorduel.store.atomic_file import StoreError as StoreError
    from divisorduel.store.match_files import MatchFolder as MatchFolder
    from divisorduel.store.match_files import read_match as read_match
    from divisorduel.store.match_files import save_as as save_as
    from divisorduel.web.app import application as application
    from divisorduel.web.settings import Settings as Settings
    from divisorduel.words.advice import hint_text as hint_text
    from divisorduel.words.advice import reason_text as reason_text
    from divisorduel.words.refusals import sentence as sentence
    from divisorduel.words.review_page import as_page as as_page
    from divisorduel.words.reviews import as_record as as_record
    from divisorduel.words.reviews import as_text as as_text

with open(__file__, encoding="utf-8") as _lines:  # noqa: PTH123  # pathlib is slow to import
    _IMPORTS = [line.split() for line in _lines if line.startswith("    from ")]
_MODULES = {name: module for _, module, _, name, *_ in _IMPORTS}
__all__ = sorted(_MODULES)


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_MODULES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})


class _Package(ModuleType):
    """Keeps the function `solve` from being hidden by the subpackage of the same name."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _MODULES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
