"""Let each computer level play the one below it, from the start of each game."""

from collections.abc import Iterator
from random import Random

from bench.strength import win_rate
from divisorduel import Game, game
from divisorduel.play.players import LEVELS, Judge, LevelPlayer, Player, RandomPlayer

GAMES = 1_000
BOARDS: dict[str, dict[str, int | str]] = {
    "evens": {},
    "antichain": {},
    "chain": {"opening": "even"},
    "divider": {"to": 20},
    "juniper": {},
    "descent": {"number": 720_720},
}
"""The boards to compare the levels on: the default board, or one with longer games."""


def table() -> Iterator[str]:
    """Yield the lines of a table with a row for each board."""
    steps = " | ".join(f"{level} : {level - 1}" for level in range(2, 11))
    yield f"| board | 1 : random | {steps} | 10 : 1 |"
    yield f"|---|{'---|' * 11}"
    for key, board in BOARDS.items():
        yield row(game(key, **board), GAMES)


def row(g: Game, games: int) -> str:
    """Measure all levels on a board and return the results as a row."""
    judge = Judge()
    levels = {level: LevelPlayer(level, judge) for level in LEVELS}
    pairs: list[tuple[Player, Player]] = [(levels[1], RandomPlayer())]
    pairs += [(levels[level], levels[level - 1]) for level in range(2, 11)]
    pairs += [(levels[10], levels[1])]
    cells = []
    for at, (one, two) in enumerate(pairs, 1):
        rate, error = win_rate(g, one, two, games, Random(at))
        cells.append(f"{rate:.0%} ± {error:.0%}")
    return f"| `{g.book.key} {g.board}` | {' | '.join(cells)} |"
