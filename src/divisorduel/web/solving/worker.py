"""The program of a worker process: reads jobs and writes answers, as lines of JSON.

It runs as ``python -m divisorduel.web.solving.worker BYTES``, separate from the server, so that the
server survives if a job runs out of time or memory. It answers an empty line when it is ready.
"""

import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from itertools import chain, islice
from random import Random
from typing import Any

from divisorduel.coach.analysis import analyse
from divisorduel.coach.hints import LAST_STEP, hint
from divisorduel.coach.reasons import reason
from divisorduel.coach.review import review
from divisorduel.play.match import MOST_ROUNDS, MatchError
from divisorduel.play.players import HUMAN, Judge, player
from divisorduel.record.lines import lines_of
from divisorduel.record.match_records import records_to_match
from divisorduel.record.reader import read_records
from divisorduel.rules.code import read_code, write_code
from divisorduel.rules.errors import DuelError
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget
from divisorduel.solve.verdict import Verdict
from divisorduel.web.board_limits import check_showable
from divisorduel.words.advice import hint_text, reason_text
from divisorduel.words.reviews import refutation, review_json
from divisorduel.words.verdicts import verdict_text

CACHED_AFTER = 0.9
"""An unproven verdict is cached only if it had this share of the time limit."""
MOST_LINES = 50
"""How many lines of a record are sent to be analysed."""


class JobJudge(Judge):
    """Solves the positions of a job, all within one time limit."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(seconds)
        self._clock = clock
        self.begin()

    def begin(self) -> None:
        """Begin a new job."""
        self._deadline = self._clock() + self.seconds
        self.is_unsure = False
        """Whether something could not be proven in time."""

    @property
    def left(self) -> float:
        """How many seconds the job still has."""
        return self._deadline - self._clock()

    @property
    def has_finished(self) -> bool:
        """Whether the answer is final: more time would not have changed it."""
        return not self.is_unsure and self.left > 0

    def budget(self) -> Budget:
        """Return the budget for one position: the time that is left."""
        return Budget(self.left)

    def verdict(self, game: Game, position: Position) -> Verdict:
        """Return the verdict on a position; it is not proven if the time ran out."""
        left = self.left
        found = super().verdict(game, position)
        if not found.proven:
            self.is_unsure = True
            if left < CACHED_AFTER * self.seconds:
                self._cache.pop((game, position), None)
        return found


def choose(judge: JobJudge, code: str, kind: str, seed: int) -> dict[str, Any]:
    """Choose a computer player's move."""
    game, position = read_code(code)
    chooser = player(kind, judge)
    if chooser is None:
        raise ValueError("a person chooses their own moves")
    number = chooser.choose(game, position, Random(seed))  # noqa: S311  # a game, not a secret
    return {"number": number, "guess": chooser.is_guessing(game, position)}


def give_hint(judge: JobJudge, code: str, step: int) -> dict[str, Any]:
    """Give the hint of a step, with the move if the hint names one."""
    game, position = read_code(code)
    given = hint(game, position, step, judge)
    shown = {"text": hint_text(given), "move": given.move, "more": not given.is_last}
    return {**asdict(given), **shown}


def explain(judge: JobJudge, code: str, hints: int = LAST_STEP) -> dict[str, Any]:
    """Explain why a position is won or lost, in words and as a diagram.

    The winning move is hidden until enough hints have been given to learn it.
    """
    game, position = read_code(code)
    why = reason(game, position, judge, reveal=hints >= LAST_STEP)
    found = asdict(why)
    params = {name: found[name] for name in ("move", "answers", "more", "nimbers")}
    return {**found, "params": params, "text": reason_text(why)}


def analyse_position(judge: JobJudge, code: str) -> dict[str, Any]:
    """Judge a position and each of its moves, and explain who wins."""
    game, position = read_code(code, check_showable)
    found = analyse(game, position, judge)
    verdict = found.verdict
    return {
        "code": write_code(game, position),
        "winner": verdict.winner,
        "proven": verdict.proven,
        "method": verdict.method,
        "nimber": verdict.nimber,
        "text": verdict_text(found),
        "options": [asdict(option) for option in found.options],
        "reason": explain(judge, code),
    }


def read_lines(_: JobJudge, record: str) -> dict[str, Any]:
    """List the lines of the games in a record that have the same start as the first one."""
    games = read_records(record, most=MOST_ROUNDS, allowed=check_showable)
    game, start = games[0].game, games[0].start
    same = (one for one in games if (one.game, one.start) == (game, start))
    lines = islice(chain.from_iterable(map(lines_of, same)), MOST_LINES)
    return {"code": write_code(game, start), "lines": [*lines]}


def review_round(judge: JobJudge, record: str) -> dict[str, Any]:
    """Review a finished round. That takes twice the time of a position."""
    [played] = read_records(record)
    found = review(played, Budget(2 * judge.left))
    judge.is_unsure = bool(found.unproven)
    told = {str(j.turn): refutation(j) for j in found.mistakes}
    return {**review_json(found), "told": told}


def check(_: JobJudge, record: str) -> dict[str, Any]:
    """Check that a match can be continued from its record. Raises `DuelError`."""
    match = records_to_match(read_records(record, most=MOST_ROUNDS, allowed=check_showable))
    if HUMAN not in match.kinds:
        raise MatchError("Two computers played this game, so there is no one to continue it.")
    return {}


JOBS: dict[str, Callable[..., dict[str, Any]]] = {
    "choose": choose,
    "hint": give_hint,
    "explain": explain,
    "analyse": analyse_position,
    "lines": read_lines,
    "review": review_round,
    "check": check,
}


def main() -> None:
    """Run jobs until the input ends."""
    most = int(sys.argv[1])
    answers, sys.stdout = sys.stdout, sys.stderr  # a rule book from elsewhere may print something
    sys.stdin.readline()
    print(file=answers, flush=True)
    with suppress(ImportError):  # Windows has no limit on memory
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    judges: dict[float, JobJudge] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        judge = judges.setdefault(asked["seconds"], JobJudge(asked["seconds"]))
        judge.begin()
        answer: dict[str, Any]
        try:
            answer = {"answer": JOBS[asked["job"]](judge, **asked["with"])}
            answer["finished"] = judge.has_finished
        except DuelError as error:
            answer = {"refused": str(error), "code": error.code}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
