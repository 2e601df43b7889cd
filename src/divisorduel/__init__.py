"""Divisor Duel: two-player games about divisors and multiples. Play, solve and review them.

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

# Each name is imported on first use, so that ``duel --help`` starts quickly. Type checkers read
# `__init__.pyi`: add a new name to both files.
_NAMES = {
    "bots.arena.openings": "openings",
    "bots.arena.run": "ArenaRun",
    "bots.arena.schedule": "Contestant Schedule",
    "bots.arena.sprt": "Sprt",
    "bots.arena.standings": "standings",
    "bots.compliance": "check_engine",
    "bots.engine": "Engine",
    "bots.grades": "grade grades read_answers read_questions summaries",
    "bots.llm.bench_run": "BenchRun bench_plan",
    "bots.llm.bench_session": "BenchSession",
    "bots.llm.chat_request": "LanguageModel",
    "bots.llm.scores": "scores",
    "bots.questions": "Question QuestionError questions",
    "client.client_error": "ClientError",
    "client.http_api": "Admission NewLinks create_match enter",
    "client.match_client": (
        "CommandDone Connected ConnectionLost MatchAdvanced MatchChanged MatchClient "
        "NoticeReceived PresenceChanged Refused"
    ),
    "client.match_link": "MatchLink",
    "client.server_messages": "Presence",
    "coach.fair_starts": "FairStart fair_starts",
    "coach.hints": "hint",
    "coach.puzzles": "Puzzle puzzle",
    "coach.reasons": "reason",
    "coach.review": "Review review",
    "coach.statistics": "Statistics statistics",
    "lab.check_table": "TableCheck check_table",
    "lab.executors.dask_cluster": "DaskExecutor",
    "lab.executors.executor": "ExecutorError",
    "lab.executors.local": "LocalExecutor",
    "lab.formats": "look_up read_table write_table",
    "lab.make_table": "TableBuilder make_table",
    "lab.plot.svg": "plot",
    "lab.series": "Series",
    "lab.table": "Row Table TableError",
    "lab.tasks": "Limits",
    "play.commands": "Accept CallOff Claim Decline Forfeit Redo Rematch Take Undo",
    "play.decide": "Decision decide",
    "play.match": "Match MatchError",
    "play.players": "Judge PlayerFault player",
    "record.match_records": "Heading match_to_records records_to_match",
    "record.model": "Line Ply Record RecordError Tag",
    "record.reader": "read_records",
    "record.writer": "write_records",
    "rules.book": "Book Example Guide Wording",
    "rules.catalogue": "game rule_book rule_book_keys",
    "rules.code": "read_code write_code",
    "rules.conformance": "ConformanceError check_game",
    "rules.errors": "BoardError CodeError DuelError IllegalMove MissingExtra NotANumber",
    "rules.game": "Game Taken",
    "rules.pool_game": "ChainGame PoolGame RemovalGame",
    "rules.position": "Position",
    "rules.refusal": "Refusal",
    "rules.relation": "DIVISIBILITY MULTIPLES Relation",
    "rules.traits": "CHAIN INDEPENDENT UPSET Trait",
    "solve.budget": "Budget BudgetSpent",
    "solve.certificate": "certificate",
    "solve.solver": "Solver solve",
    "solve.verdict": "Verdict",
    "solve.verify": "CertificateError verify",
    "store.atomic_file": "StoreError",
    "store.history": "History HistoryEntry",
    "store.match_files": "MatchFolder read_match save_as",
    "web.app": "application",
    "web.server_settings": "ServerSettings",
    "words.advice": "hint_text reason_text",
    "words.refusals": "refusal_text",
    "words.review_page": "review_page",
    "words.reviews": "review_record review_text",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = sorted(_MODULES)


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
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
