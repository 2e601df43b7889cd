"""Other solvers for the same problems, to compare ours with."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx
import rustworkx as rx

from divisorduel.rules.pool_game import PoolGame


def divisor_edges(n: int) -> Iterator[tuple[int, int]]:
    """Return the edges of the divisor graph of 2 to n."""
    return ((a, b) for a in range(2, n + 1) for b in range(2 * a, n + 1, a))


def networkx_matching(n: int) -> int:
    """Build the divisor graph of 2 to n with NetworkX. Return the size of a maximum matching."""
    graph: nx.Graph[int] = nx.Graph(divisor_edges(n))
    return len(nx.max_weight_matching(graph, maxcardinality=True))


def rustworkx_matching(n: int) -> int:
    """Build the divisor graph of 2 to n with rustworkx. Return the size of a maximum matching."""
    graph: rx.PyGraph[None, None] = rx.PyGraph()
    graph.extend_from_edge_list([*divisor_edges(n)])
    return len(rx.max_weight_matching(graph, max_cardinality=True))


def lemon_matching(n: int) -> tuple[float, int, int, int]:
    """Run ``lemon_matching.cpp`` on 2 to n and return the four numbers it prints."""
    source = Path(__file__).with_name("lemon_matching.cpp")
    with TemporaryDirectory() as folder:
        program = Path(folder) / "lemon_matching"
        build = ["g++", "-O3", "-DNDEBUG", str(source), "-o", str(program)]
        if subprocess.run(build, check=False).returncode:
            sys.exit("g++ and LEMON are required: apt-get install g++ liblemon-dev")
        printed = subprocess.run([program, str(n)], capture_output=True, check=True, text=True)
    took, size, missable, total = printed.stdout.split()
    return float(took), int(size), int(missable), int(total)


class PlainNimbers:
    """A memoised search of whole positions, without components or canonical forms."""

    def __init__(self, game: PoolGame) -> None:
        self._known: dict[int, int] = {0: 0}
        self._takes = {
            number: game.related_to(number) | 1 << number for number in game.start().numbers
        }

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
