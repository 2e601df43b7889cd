"""What the solvers are measured against."""

import networkx as nx

from divisorduel.rules.pool import PoolGame


def networkx_matching(game: PoolGame) -> int:
    """Return the size of a maximum matching of a board, found by NetworkX; building included."""
    graph: nx.Graph[int] = nx.Graph()
    for number, tied in game.neighbours(game.pool).items():
        graph.add_node(number)
        graph.add_edges_from((number, other) for other in tied if other > number)
    return len(nx.max_weight_matching(graph, maxcardinality=True))


class PlainNimbers:
    """A memoised search of whole positions: no components, no canonical forms. The yardstick."""

    def __init__(self, game: PoolGame) -> None:
        self._known: dict[int, int] = {0: 0}
        self._takes = {number: game.ties(number) | 1 << number for number in game.start().numbers}

    def of(self, playable: int) -> int:
        """Return the nimber of a set of numbers."""
        if playable not in self._known:
            options, rest = set(), playable
            while rest:
                low = rest & -rest
                rest ^= low
                options.add(self.of(playable & ~self._takes[low.bit_length() - 1]))
            value = 0
            while value in options:
                value += 1
            self._known[playable] = value
        return self._known[playable]
