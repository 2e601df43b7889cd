"""A built-in player as an engine: reads the lines of a manager and answers them."""

from collections.abc import Iterable, Iterator
from random import Random

from divisorduel.play.players import Judge, Player, player
from divisorduel.rules.catalogue import rule_book_keys
from divisorduel.rules.code import read_code
from divisorduel.rules.errors import DuelError

SHARE = 0.8
"""The share of the time for a move that a search may use."""


def answers(kind: str, lines: Iterable[str], seed: int | None = None) -> Iterator[str]:
    """Yield the answers of a computer player to the lines of a manager, until ``quit``.

    Lines that are not known are ignored, so that later versions can add some.
    """
    judge = Judge()
    chooser = player(kind, judge)
    if chooser is None:
        raise ValueError("a person is not an engine")
    rng = Random(seed)  # noqa: S311  # a game, not a secret
    for line in lines:
        match line.split():
            case ["duel", *_]:
                yield f"bot {kind}"
                yield "author Divisor Duel"
                yield f"games {' '.join(rule_book_keys())}"
                yield "option seed"
                yield "ok"
            case ["option", "seed", value]:
                rng = Random(value)  # noqa: S311
            case ["go", *words]:
                yield _answer(chooser, judge, words, rng)
            case ["quit"]:
                return


def _answer(chooser: Player, judge: Judge, words: list[str], rng: Random) -> str:
    """Answer ``go CODE ms N [legal N…]``, given the words after ``go``."""
    code, rest = " ".join(words[:4]), words[4:]
    match rest:
        case ["ms", number, *_] if number.isdecimal():
            judge.seconds = SHARE * int(number) / 1000
    try:
        game, position = read_code(code)
    except DuelError as error:
        reason = " ".join(str(error).split())
        return f"say {reason}\nresign"
    if game.is_over(position):
        return "resign"
    return f"move {chooser.choose(game, position, rng)}"
