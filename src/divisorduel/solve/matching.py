"""Maximum matchings of any graph, and the numbers that some maximum matching misses.

This is Edmonds' blossom algorithm ("Paths, trees, and flowers", 1965). It starts from a greedy
matching, which leaves few augmenting paths to find: numbers with one free neighbour are matched
first, then the others in the order of their degrees (Karp and Sipser 1981). A failed search leaves
a tree that no later augmenting path can enter, so its labels stay and it is never searched again.
In the end, the outer numbers of these trees are the ones that some maximum matching misses, and the
inner ones are their neighbours: the sets D and A of the Gallai-Edmonds decomposition.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from divisorduel.rules.numbers import bit_set, members
from divisorduel.solve.budget import Budget

Graph = Mapping[int, Sequence[int]]
"""The neighbours of every number; numbers are positive, and 0 means none."""

FREE, OUTER, INNER = 0, 1, 2


class PackedValues(Mapping[int, int]):
    """A value for every playable number, packed as machine integers; 0 for all other numbers."""

    def __init__(
        self, playable: int, values: bytes | bytearray, kind: Literal["I", "B"] = "I"
    ) -> None:
        """Take the values of all numbers from 0 on, 4 bytes each (I) or 1 byte each (B)."""
        self.values_from_0 = values
        self._playable = playable
        self._kind = kind
        self._view: memoryview[int] = memoryview(values).cast(kind)

    def __getitem__(self, number: int) -> int:
        return self._view[number]

    def __iter__(self) -> Iterator[int]:
        return iter(members(self._playable))

    def __len__(self) -> int:
        return self._playable.bit_count()

    def __or__(self, changes: dict[int, int]) -> "PackedValues":
        """Return a copy with some values changed."""
        changed = PackedValues(self._playable, bytearray(self.values_from_0), self._kind)
        for number, value in changes.items():
            changed._view[number] = value
        return changed


NumberMap = dict[int, int] | PackedValues
"""A value for every number."""


@dataclass(frozen=True)
class Matching:
    """A maximum matching, and the forest of alternating paths that proves it maximum."""

    mate: NumberMap
    """The partner of every number, 0 if it has none."""
    label: NumberMap
    missable: int
    """The numbers that some maximum matching misses, as a set of bits."""
    _parent: NumberMap

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs, the smaller number first, ascending."""
        return tuple(sorted((a, b) for a, b in self.mate.items() if a < b))

    @property
    def barrier(self) -> tuple[int, ...]:
        """The neighbours of the missable numbers: a Tutte-Berge set, ascending.

        The matching exposes c - |barrier| numbers, where c is the number of odd components that are
        left when the barrier is removed. No matching exposes fewer.
        """
        return tuple(sorted(n for n, label in self.label.items() if label == INNER))

    def path_to(self, number: int) -> tuple[int, ...]:
        """Return an alternating path of even length from an exposed number to a missable one.

        Swap the edges along it, and the matching is as large as before and misses the number.
        """
        path = [number]
        while self.mate[path[-1]]:
            path.append(self.mate[path[-1]])
            path.append(self._parent[path[-1]])
        return tuple(reversed(path))

    def missing(self, number: int) -> NumberMap:
        """Return the partners in a maximum matching that misses a missable number."""
        path = self.path_to(number)
        changes = dict(zip(path[::2], path[1::2], strict=False))
        changes |= {b: a for a, b in changes.items()}
        return self.mate | changes | {number: 0}

    def without(self, number: int) -> NumberMap:
        """Return the partners that are left when a number is removed."""
        return self.mate | {number: 0, self.mate[number]: 0}


def maximum_matching(graph: Graph, budget: Budget, start: NumberMap | None = None) -> Matching:
    """Return a maximum matching. Raises `BudgetSpent`.

    It can start from a known matching. If that was maximum before a number was removed, it takes
    at most one augmentation, from the partner of that number.
    """
    mate = greedy_matching(graph, budget.tick) if start is None else {n: start[n] for n in graph}
    search = _Search(graph, mate)
    for number in graph:
        if not search.mate[number]:
            search.augment_from(number, budget.spend)
    missable = bit_set(number for number, label in search.label.items() if label == OUTER)
    return Matching(search.mate, search.label, missable, search.parent)


def greedy_matching(graph: Graph, tick: Callable[[], None]) -> dict[int, int]:
    """Return a nearly maximum matching, in time linear in the number of edges."""
    mate = dict.fromkeys(graph, 0)
    degree = {number: len(neighbours) for number, neighbours in graph.items()}
    forced = [number for number in graph if degree[number] == 1]
    rest = iter(sorted(graph, key=degree.__getitem__))
    while True:
        tick()
        while forced:
            number = forced.pop()
            if not mate[number] and degree[number] == 1:
                _match_greedily(number, graph, mate, degree, forced)
        found = next((number for number in rest if not mate[number] and degree[number]), 0)
        if not found:
            return mate
        _match_greedily(found, graph, mate, degree, forced)


def _match_greedily(
    number: int, graph: Graph, mate: dict[int, int], degree: dict[int, int], forced: list[int]
) -> None:
    """Match a number to the free neighbour with the fewest free neighbours itself."""
    partner = min((n for n in graph[number] if not mate[n]), key=degree.__getitem__)
    mate[number], mate[partner] = partner, number
    for matched in (number, partner):
        for neighbour in graph[matched]:
            if not mate[neighbour]:
                degree[neighbour] -= 1
                if degree[neighbour] == 1:
                    forced.append(neighbour)


class _Search:
    """Grows trees of alternating paths. `base` leads from each number to its blossom's base."""

    def __init__(self, graph: Graph, mate: dict[int, int]) -> None:
        self.graph = graph
        self.mate = mate
        self.label = dict.fromkeys(graph, FREE)
        self.parent = dict.fromkeys(graph, 0)
        self.base = {number: number for number in graph}
        self._seen = dict.fromkeys(graph, 0)
        self._walk = 0

    def augment_from(self, root: int, spend: Callable[[], None]) -> None:
        """Grow a tree from an exposed number, and augment if it reaches another exposed number."""
        graph, mate, label, parent = self.graph, self.mate, self.label, self.parent
        label[root] = OUTER
        queue, touched = [root], [root]
        for outer in queue:
            spend()
            for number in graph[outer]:
                if label[number] == FREE:
                    parent[number] = outer
                    partner = mate[number]
                    if not partner:
                        self._augment(number)
                        self._reset(touched)
                        return
                    label[number], label[partner] = INNER, OUTER
                    queue.append(partner)
                    touched += (number, partner)
                elif label[number] == OUTER and self._base(outer) != self._base(number):
                    top = self._common_base(outer, number)
                    self._contract(outer, number, top, queue)
                    self._contract(number, outer, top, queue)

    def _augment(self, number: int) -> None:
        while number:
            outer = self.parent[number]
            following = self.mate[outer]
            self.mate[number], self.mate[outer] = outer, number
            number = following

    def _reset(self, touched: list[int]) -> None:
        for number in touched:
            self.label[number] = FREE
            self.base[number] = number

    def _base(self, number: int) -> int:
        base = self.base
        while base[number] != number:
            base[number] = base[base[number]]
            number = base[number]
        return number

    def _common_base(self, one: int, two: int) -> int:
        """Return the base where the paths from two outer numbers to the root meet."""
        self._walk += 1
        one, two = self._base(one), self._base(two)
        while True:
            if one:
                if self._seen[one] == self._walk:
                    return one
                self._seen[one] = self._walk
                partner = self.mate[one]
                one = self._base(self.parent[partner]) if partner else 0
            one, two = two, one

    def _contract(self, outer: int, bridge: int, top: int, queue: list[int]) -> None:
        """Label the path from one end of a bridge to the base of its blossom as outer."""
        while self._base(outer) != top:
            self.parent[outer] = bridge
            bridge = self.mate[outer]
            if self.label[bridge] == INNER:
                self.label[bridge] = OUTER
                queue.append(bridge)
            for number in (outer, bridge):
                if self.base[number] == number:
                    self.base[number] = top
            outer = self.parent[bridge]
