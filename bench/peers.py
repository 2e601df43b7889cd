"""What the solvers are measured against."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx
import rustworkx as rx

from divisorduel.rules.pool_game import PoolGame


def divisor_edges(n: int) -> Iterator[tuple[int, int]]:
    """Return the pairs of numbers from 2 to n of which one divides the other."""
    return ((a, b) for a in range(2, n + 1) for b in range(2 * a, n + 1, a))


def networkx_matching(n: int) -> int:
    """Return the size of a maximum matching of 2 to n, found by NetworkX; building included."""
    graph: nx.Graph[int] = nx.Graph(divisor_edges(n))
    return len(nx.max_weight_matching(graph, maxcardinality=True))


def rustworkx_matching(n: int) -> int:
    """Return the size of a maximum matching of 2 to n, found by rustworkx; building included."""
    graph: rx.PyGraph[None, None] = rx.PyGraph()
    graph.extend_from_edge_list([*divisor_edges(n)])
    return len(rx.max_weight_matching(graph, max_cardinality=True))


def lemon_matching(n: int) -> tuple[float, int, int, int]:
    """Return what the program ``lemon_matching.cpp`` prints for 2 to n."""
    source = Path(__file__).with_name("lemon_matching.cpp")
    with TemporaryDirectory() as folder:
        program = Path(folder) / "lemon_matching"
        build = ["g++", "-O3", "-DNDEBUG", str(source), "-o", str(program)]
        if subprocess.run(build, check=False).returncode:
            sys.exit("This needs g++ and LEMON: apt-get install g++ liblemon-dev")
        printed = subprocess.run([program, str(n)], capture_output=True, check=True, text=True)
    took, size, missable, total = printed.stdout.split()
    return float(took), int(size), int(missable), int(total)


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
