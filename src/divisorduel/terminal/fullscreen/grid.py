"""Where each tile is: the columns of the hundred square, and how they fit into a window."""

from collections.abc import Sequence
from dataclasses import dataclass

ROOMY = 8
"""A tile is at most this much wider than its number."""
SQUARE = 8
"""A tile of this width may have five lines: a character is about twice as high as it is wide."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Tiles in rows and columns. The first tile may not be in the first column."""

    count: int
    columns: int
    offset: int
    tile_width: int
    tile_height: int

    @property
    def rows(self) -> int:
        """How many rows of tiles there are."""
        return -(-(self.count + self.offset) // self.columns)

    @property
    def width(self) -> int:
        """How many columns of the terminal the tiles take."""
        return self.columns * self.tile_width

    @property
    def height(self) -> int:
        """How many lines of the terminal the tiles take."""
        return self.rows * self.tile_height

    def cell(self, index: int) -> tuple[int, int]:
        """Return the row and the column of a tile."""
        return divmod(index + self.offset, self.columns)

    def index(self, row: int, column: int) -> int | None:
        """Return the tile in a row and a column; None for an empty place."""
        index = row * self.columns + column - self.offset
        return index if 0 <= column < self.columns and 0 <= index < self.count else None

    def at(self, x: int, y: int) -> int | None:
        """Return the tile at a place, counted in columns and lines of the terminal."""
        return self.index(y // self.tile_height, x // self.tile_width) if x >= 0 <= y else None

    def step(self, index: int, right: int, down: int) -> int:
        """Return the tile that an arrow key leads to: the same one at the edge of the board."""
        if right:
            return max(0, min(self.count - 1, index + right))
        row, column = self.cell(index)
        for target in range(row + down, self.rows if down > 0 else -1, 1 if down > 0 else -1):
            if (found := self.index(target, column)) is not None:
                return found
        return index


def fit(numbers: Sequence[int], width: int, height: int) -> Grid:
    """Return the largest tiles that fit into a window, with the columns of the hundred square.

    A window that is too narrow for ten columns has five, two or one. A board that is too tall for
    the window keeps its columns and has tiles of one line.
    """
    digits = len(str(numbers[-1])) if numbers else 1
    step = numbers[1] - numbers[0] if len(numbers) > 1 else 1
    is_square = isinstance(numbers, range) and step in (1, 2)
    usual = 10 // step if is_square else 10
    columns = next((c for c in (10, 5, 2) if c <= usual and c * (digits + 2) <= width), 1)
    offset = (numbers[0] - 1) // step % columns if is_square else 0
    tile_width = max(digits + 2, min(width // columns, digits + ROOMY))
    rows = -(-(len(numbers) + offset) // columns)
    heights = (5, 3, 2) if tile_width >= SQUARE else (3, 2)
    tile_height = next((high for high in heights if rows * high <= height), 1)
    return Grid(len(numbers), columns, offset, tile_width, tile_height)


def side_width(window: int, digits: int) -> int:
    """Return how wide the panels beside the board are; 0 if the window has no room for them."""
    free = window - min(10 * (digits + 2), 60) - 3
    wanted = min(28 + max(0, window - 80) // 8, 40)
    return min(free, wanted) if window >= 60 and free >= 16 else 0
