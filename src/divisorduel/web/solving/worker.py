"""The program of a worker process: reads jobs and writes answers, as lines of JSON.

It runs as ``python -m divisorduel.web.solving.worker SECONDS BYTES``, separate from the server, so
that the server survives if a job runs out of time or memory.
"""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from random import Random
from typing import Any

from divisorduel.coach.hints import LAST_STEP, hint
from divisorduel.coach.reasons import reason
from divisorduel.coach.review import review
from divisorduel.play.match import MOST_ROUNDS, MatchError
from divisorduel.play.players import HUMAN, Judge, player
from divisorduel.record.match_records import records_to_match
from divisorduel.record.reader import read_records
from divisorduel.rules.code import read_code
from divisorduel.rules.errors import DuelError
from divisorduel.solve.budget import Budget
from divisorduel.web.board_limits import check_showable
from divisorduel.words.advice import hint_text, reason_text
from divisorduel.words.reviews import as_json, refutation


def choose(judge: Judge, code: str, kind: str, seed: int) -> dict[str, Any]:
    """Choose a computer player's move."""
    game, position = read_code(code)
    chooser = player(kind, judge)
    if chooser is None:
        raise ValueError("a person chooses their own moves")
    number = chooser.choose(game, position, Random(seed))  # noqa: S311  # a game, not a secret
    return {"number": number, "guess": chooser.is_guessing(game, position)}


def give_hint(judge: Judge, code: str, step: int) -> dict[str, Any]:
    """Give the hint of a step, with the move if the hint names one."""
    game, position = read_code(code)
    given = hint(game, position, step, judge)
    more = step < LAST_STEP
    return {**asdict(given), "text": hint_text(given), "move": given.move, "more": more}


def explain(judge: Judge, code: str) -> dict[str, Any]:
    """Explain why a position is won or lost, in words and as a diagram."""
    game, position = read_code(code)
    why = reason(game, position, judge)
    found = asdict(why)
    params = {name: found[name] for name in ("move", "answers", "more", "nimbers")}
    return {**found, "params": params, "text": reason_text(why)}


def review_round(_: Judge, record: str, seconds: float) -> dict[str, Any]:
    """Review a finished round."""
    [played] = read_records(record)
    found = review(played, Budget(seconds))
    told = {str(j.turn): refutation(j) for j in found.mistakes}
    return {**as_json(found), "told": told}


def check(_: Judge, record: str) -> dict[str, Any]:
    """Check that a match can be continued from its record. Raises `DuelError`."""
    match = records_to_match(read_records(record, most=MOST_ROUNDS, allowed=check_showable))
    if HUMAN not in match.kinds:
        raise MatchError("Two computers played this game, so there is no one to continue it.")
    return {}


JOBS: dict[str, Callable[..., dict[str, Any]]] = {
    "choose": choose,
    "hint": give_hint,
    "explain": explain,
    "review": review_round,
    "check": check,
}


def main() -> None:
    """Run jobs until the input ends."""
    judge, most = Judge(float(sys.argv[1])), int(sys.argv[2])
    with suppress(ImportError):  # Windows has no limit on memory
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    for line in sys.stdin:
        asked = json.loads(line)
        answer: dict[str, Any]
        try:
            answer = {"answer": JOBS[asked["job"]](judge, **asked["with"])}
        except DuelError as error:
            answer = {"refused": str(error), "code": error.code}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
