"""The program of a worker process: questions come in, answers go out, as lines of JSON.

It is run as ``python -m divisorduel.web.solving.worker SECONDS BYTES``. Whatever goes wrong here,
time or memory running out above all, the server goes on.
"""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import partial
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
from divisorduel.web.board_limits import shown_here
from divisorduel.words.advice import hint_text, reason_text
from divisorduel.words.reviews import as_json, refutation


def choose(judge: Judge, code: str, kind: str, seed: int) -> dict[str, Any]:
    """Choose a computer player's move."""
    game, position = read_code(code)
    chooser = player(kind, judge)
    if chooser is None:
        raise ValueError("a human chooses alone")
    number = chooser.choose(game, position, Random(seed))  # noqa: S311  # a game, not a secret
    return {"number": number, "guess": chooser.is_guessing(game, position)}


def give_hint(judge: Judge, code: str, step: int) -> dict[str, Any]:
    """Give the hint of a step, and the move once it is named."""
    game, position = read_code(code)
    given = hint(game, position, step, judge)
    more = step < LAST_STEP
    return {**asdict(given), "text": hint_text(given), "move": given.move, "more": more}


def explain(judge: Judge, code: str) -> dict[str, Any]:
    """Say why a position is won or lost, in words and as a drawing."""
    game, position = read_code(code)
    why = reason(game, position, judge)
    found = asdict(why)
    params = {name: found[name] for name in ("move", "answers", "more", "nimbers")}
    return {**found, "params": params, "text": reason_text(why)}


def look_back(record: str, seconds: float) -> dict[str, Any]:
    """Review a game."""
    [played] = read_records(record)
    found = review(played, Budget(seconds))
    told = {str(j.turn): refutation(j) for j in found.mistakes}
    return {**as_json(found), "told": told}


def check(record: str) -> dict[str, Any]:
    """Check that a match can go on from its record. Raises `DuelError`."""
    match = records_to_match(read_records(record, most=MOST_ROUNDS, allowed=shown_here))
    if HUMAN not in match.kinds:
        raise MatchError("Two computers played this match: there is nobody to go on with it.")
    return {}


def jobs(judge: Judge) -> dict[str, Callable[..., dict[str, Any]]]:
    """Return what a worker can do, by name."""
    return {
        "choose": partial(choose, judge),
        "hint": partial(give_hint, judge),
        "explain": partial(explain, judge),
        "review": look_back,
        "check": check,
    }


def _limit_memory(most: int) -> None:
    with suppress(ImportError):  # there is no such thing on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main() -> None:
    """Answer questions until there are no more."""
    seconds, most = float(sys.argv[1]), int(sys.argv[2])
    known = jobs(Judge(seconds))
    _limit_memory(most)
    for line in sys.stdin:
        question = json.loads(line)
        answer: dict[str, Any]
        try:
            answer = {"answer": known[question["job"]](**question["with"])}
        except DuelError as error:
            answer = {"refused": str(error)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
