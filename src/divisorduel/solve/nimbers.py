"""The nimbers of positions that split into components.

The nimber of a position is the exclusive or of the nimbers of its components, and the nimber of a
component is the smallest one that no move in it leads to (Sprague 1935, Grundy 1939). Components
are cached by their smooth numbers and the sorted patterns of their columns (see `columns`), so that
equivalent components are searched once.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_

from divisorduel.rules.numbers import members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.solve.budget import Budget
from divisorduel.solve.columns import layout_of
from divisorduel.solve.native.native_nimbers import NativeNimbers, half_of_the_memory, kernel_can
from divisorduel.solve.verdict import mex

ColumnPiece = tuple[int, int]
"""A piece of a column: its pattern, and the smooth numbers it is related to."""

Key = tuple[int, tuple[int, ...]]
"""Smooth numbers, and the sorted patterns of columns."""


BYTES_EACH = 300
"""The size of a cached position: 200 bytes on small boards, and more on large ones."""


class Nimbers:
    """The nimbers of the positions of one game, computed in Python."""

    def __init__(self, game: PoolGame, memory: int | None = None) -> None:
        self._most = (memory or half_of_the_memory()) // BYTES_EACH
        self._layout = layout = layout_of(game)
        self._smooth_related = _mutual(layout.smooth_takes_smooth)
        self._column_related = _mutual(layout.column_takes_column)
        self._piece_related = [
            takes | sum(1 << i for i, ks in enumerate(layout.smooth_takes_column) if ks >> k & 1)
            for k, takes in enumerate(layout.column_takes_smooth)
        ]
        self._sets: dict[int, int] = {}
        self._positions: dict[Key, int] = {}
        self._components: dict[Key, int] = {}
        self._lone: dict[int, int] = {0: 0}
        self._pieces: dict[int, tuple[ColumnPiece, ...]] = {}

    def nimber(self, playable: int, budget: Budget) -> int:
        """Return the nimber of a set of playable numbers. Raises `BudgetSpent`."""
        if playable not in self._sets:
            self._sets[playable] = self._nimber(*self._layout.split(playable), budget)
        return self._sets[playable]

    def is_zero(self, playable: int, budget: Budget) -> bool:
        """Tell whether the nimber of a set of playable numbers is 0. Raises `BudgetSpent`."""
        return self.nimber(playable, budget) == 0

    def _nimber(self, smooth: int, patterns: list[int], budget: Budget) -> int:
        patterns.sort()
        key = (smooth, tuple(patterns))
        if key not in self._positions:
            found = self._sum_of_components(smooth, patterns, budget)
            return self._cached(self._positions, key, found)
        return self._positions[key]

    def _cached(self, among: dict[Key, int], key: Key, nimber: int) -> int:
        """Cache a nimber and return it.

        A full cache evicts all positions, which are quickly found again from their components, and
        if that is not enough, half of the components.
        """
        if len(self._positions) + len(self._components) >= self._most:
            self._positions.clear()
            if len(self._components) >= self._most // 2:
                for other in [*self._components][::2]:
                    del self._components[other]
        among[key] = nimber
        return nimber

    def _sum_of_components(self, smooth: int, patterns: list[int], budget: Budget) -> int:
        total = 0
        loose: list[ColumnPiece] = []
        for pattern in patterns:
            for piece, related in self._split(pattern):
                if related & smooth:
                    loose.append((piece, related & smooth))
                else:
                    total ^= self._of_lone(piece)
        while smooth:
            component, pieces, loose = self._component(smooth, loose)
            smooth &= ~component
            total ^= self._of_component(component, pieces, budget)
        return total

    def _component(
        self, smooth: int, loose: list[ColumnPiece]
    ) -> tuple[int, list[int], list[ColumnPiece]]:
        """Return the component of a smooth number, its pieces, and the pieces left over."""
        related = self._smooth_related
        component = frontier = smooth & -smooth
        mine: list[int] = []
        while frontier:
            while frontier:
                index = frontier.bit_length() - 1
                frontier ^= 1 << index
                new = related[index] & smooth & ~component
                component |= new
                frontier |= new
            others = []
            for piece in loose:
                if piece[1] & component:
                    mine.append(piece[0])
                    frontier |= piece[1] & ~component
                    component |= piece[1]
                else:
                    others.append(piece)
            loose = others
        return component, mine, loose

    def _of_component(self, smooth: int, patterns: list[int], budget: Budget) -> int:
        patterns.sort()
        key = (smooth, tuple(patterns))
        known = self._components.get(key)
        if known is None:
            budget.spend()
            found = self._mex_of_moves(smooth, patterns, budget)
            known = self._cached(self._components, key, found)
        return known

    def _mex_of_moves(self, smooth: int, patterns: list[int], budget: Budget) -> int:
        layout, options = self._layout, set()
        for index in members(smooth):
            gone = layout.smooth_takes_column[index]
            left = [rest for pattern in patterns if (rest := pattern & ~gone)]
            options.add(self._nimber(smooth & ~layout.smooth_takes_smooth[index], left, budget))
        for at, pattern in enumerate(patterns):
            if at and pattern == patterns[at - 1]:
                continue  # the same move in an equal column
            others = patterns[:at] + patterns[at + 1 :]
            for k in members(pattern):
                rest = pattern & ~layout.column_takes_column[k]
                left = [*others, rest] if rest else list(others)
                options.add(self._nimber(smooth & ~layout.column_takes_smooth[k], left, budget))
        return mex(options)

    def _of_lone(self, pattern: int) -> int:
        """Return the nimber of a column that is related to nothing else."""
        if pattern not in self._lone:
            options = set()
            for k in members(pattern):
                option = 0
                for piece, _ in self._split(pattern & ~self._layout.column_takes_column[k]):
                    option ^= self._of_lone(piece)
                options.add(option)
            self._lone[pattern] = mex(options)
        return self._lone[pattern]

    def _split(self, pattern: int) -> tuple[ColumnPiece, ...]:
        """Return the pieces of a pattern that are not related to each other."""
        if pattern not in self._pieces:
            self._pieces[pattern] = tuple(
                (piece, reduce(or_, (self._piece_related[k] for k in members(piece))))
                for piece in connected(pattern, self._column_related)
            )
        return self._pieces[pattern]


def connected(bits: int, related: Sequence[int] | Mapping[int, int]) -> Iterator[int]:
    """Yield the components of a set, the one with the smallest element first."""
    while bits:
        component = frontier = bits & -bits
        while frontier:
            index = frontier.bit_length() - 1
            frontier ^= 1 << index
            new = related[index] & bits & ~component
            component |= new
            frontier |= new
        bits &= ~component
        yield component


def _mutual(takes: tuple[int, ...]) -> list[int]:
    """Return for every index what it removes and what removes it."""
    mutual = list(takes)
    for index, bits in enumerate(takes):
        for other in members(bits):
            mutual[other] |= 1 << index
    return mutual


@lru_cache(maxsize=8)
def nimbers_of(game: PoolGame, memory: int | None = None) -> Nimbers | NativeNimbers:
    """Return the nimbers of a game, from the kernel if it can hold the game.

    Their cache takes at most `memory` bytes, by default half of the machine's memory.
    """
    return NativeNimbers(game, memory) if kernel_can(game) else Nimbers(game, memory)
