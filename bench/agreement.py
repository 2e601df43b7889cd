"""Compare the answers of the kernel and the Python solvers on random positions."""

from collections.abc import Callable
from random import Random

from bench.timing import Result
from divisorduel import game
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.rules.traits import CHAIN
from divisorduel.solve.budget import Budget
from divisorduel.solve.chain_solver import matching_of
from divisorduel.solve.matching import maximum_matching
from divisorduel.solve.native.native_nimbers import NativeNimbers
from divisorduel.solve.nimbers import Nimbers

BOARDS = {"antichain": 40, "divider": 28, "chain": 60, "juniper": 60, "evens": 80}
"""The largest number of each board: large enough for variety, small enough for Python."""


def disagreements(key: str, count: int, seed: int) -> list[Position]:
    """Return the positions on which the two disagree, among `count` random ones."""
    g = game(key, to=BOARDS[key])
    assert isinstance(g, PoolGame)
    rng = Random(seed)
    differ = _matchings_differ if g.trait is CHAIN else _nimbers_differ(g)
    return [p for p in (_random_position(g, rng) for _ in range(count)) if differ(g, p)]


def _random_position(g: PoolGame, rng: Random) -> Position:
    """Play a few random moves, sometimes starting from a random subset of the pool."""
    position = g.start()
    if rng.random() < 0.2:
        position = Position(g.pool & rng.getrandbits(g.to + 1))
    for _ in range(rng.randrange(12)):
        moves = g.moves(position)
        if not moves:
            break
        position = g.after(position, rng.choice(moves))
    return position


def _matchings_differ(g: PoolGame, position: Position) -> bool:
    native = matching_of(g, position, Budget())
    pure = maximum_matching(g.neighbours(position.playable), Budget())
    return native.missable != pure.missable or len(native.pairs) != len(pure.pairs)


def _nimbers_differ(g: PoolGame) -> Callable[[PoolGame, Position], bool]:
    native, pure = NativeNimbers(g), Nimbers(g)

    def differ(_: PoolGame, position: Position) -> bool:
        playable = position.playable
        return native.nimber(playable, Budget()) != pure.nimber(playable, Budget())

    return differ


def kernel_against_python() -> Result:
    """Compare the answers on 100,000 random positions of every game that the kernel solves."""
    found = {key: len(disagreements(key, 100_000, seed=5)) for key in sorted(BOARDS)}
    return Result(
        "Kernel against Python on 100,000 random positions of each game (`descent` is a formula)",
        f"{sum(found.values())} disagreements",
        "none",
        not any(found.values()),
    )
