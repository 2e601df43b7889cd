"""Maximum matchings of up to millions of numbers, by the native kernel."""

from array import array
from itertools import accumulate, chain

from divisorduel.rules.numbers import bit_set, members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.relation import DIVISIBILITY
from divisorduel.solve.budget import Budget
from divisorduel.solve.matching import Graph, Matching, NumberMap, PackedValues

SMALL, SPARSE = 5_000, 16
"""On boards above SMALL, a sieve is faster only if more than 1 in SPARSE numbers is playable."""


def match_natively(
    game: PoolGame, playable: int, budget: Budget, start: NumberMap | None = None
) -> Matching:
    """Return a maximum matching of the playable numbers. Raises `BudgetSpent`."""
    places = playable.bit_length()
    dense = places < SMALL or playable.bit_count() * SPARSE > places
    if game.relation is DIVISIBILITY and dense:
        return match_divisors(playable, budget, start)
    return match_graph(game.neighbours(playable, budget.tick), budget, start)


def match_divisors(playable: int, budget: Budget, start: NumberMap | None = None) -> Matching:
    """Return a maximum matching of numbers that are related if one divides the other."""
    from divisorduel.solve.native import _kernel  # optional

    mate, label, parent, missable, positions = _kernel.match_divisors(
        playable.to_bytes(playable.bit_length() // 8 + 1, "little"),
        start.values_from_0 if isinstance(start, PackedValues) else None,
        count := budget.counter(),
    )
    count(positions)
    return Matching(
        PackedValues(playable, mate),
        PackedValues(playable, label, "B"),
        int.from_bytes(missable, "little"),
        PackedValues(playable, parent),
    )


def match_graph(graph: Graph, budget: Budget, start: NumberMap | None = None) -> Matching:
    """Return a maximum matching of any graph. Raises `BudgetSpent`."""
    from divisorduel.solve.native import _kernel  # optional

    numbers = (0, *graph)
    place = {number: at for at, number in enumerate(numbers)}
    mate, label, parent, missable, positions = _kernel.match_lists(
        array("I", (0, *accumulate(map(len, graph.values()), initial=0))),
        array("I", map(place.__getitem__, chain.from_iterable(graph.values()))),
        None if start is None else bytes(array("I", (0, *(place[start[n]] for n in graph)))),
        count := budget.counter(),
    )
    count(positions)

    def unpacked(column: bytes) -> dict[int, int]:
        return dict(
            zip(graph, map(numbers.__getitem__, memoryview(column).cast("I")[1:]), strict=True)
        )

    return Matching(
        unpacked(mate),
        dict(zip(graph, label[1:], strict=True)),
        bit_set(numbers[at] for at in members(int.from_bytes(missable, "little"))),
        unpacked(parent),
    )
