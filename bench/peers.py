"""What the solvers are measured against."""

import sys

import networkx as nx

from divisorduel.rules.pool import PoolGame

sys.setrecursionlimit(10_000)


def networkx_matching(game: PoolGame) -> int:
    """Return the size of a maximum matching of a board, found by NetworkX; building included."""
    graph: nx.Graph[int] = nx.Graph()
    for number, tied in game.neighbours(game.pool).items():
        graph.add_node(number)
        graph.add_edges_from((number, other) for other in tied if other > number)
    return len(nx.max_weight_matching(graph, maxcardinality=True))


def plain_nimber(game: PoolGame) -> int:
    """Return the nimber of a board by a memoised search of whole positions.

    No components, no canonical forms: the yardstick.
    """
    known: dict[int, int] = {0: 0}
    takes = {number: game.ties(number) | 1 << number for number in game.start().numbers}

    def nimber(playable: int) -> int:
        if playable not in known:
            options, rest = set(), playable
            while rest:
                low = rest & -rest
                rest ^= low
                options.add(nimber(playable & ~takes[low.bit_length() - 1]))
            value = 0
            while value in options:
                value += 1
            known[playable] = value
        return known[playable]

    return nimber(game.pool)
