"""The board on the screen: a grid of tiles with a cursor, which scrolls if it does not fit."""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from divisorduel.terminal.fullscreen.grid import Grid, fit
from divisorduel.terminal.fullscreen.tiles import CURSOR_LOOK, BoardTiles, Look, Tile


class BoardView(ScrollView, can_focus=True, inherit_bindings=False):
    """Draws a board. Arrow keys and clicks move the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(0, -1)", "Move the cursor", show=False, key_display="↑ ↓ ← →"),
        Binding("down", "move(0, 1)", show=False),
        Binding("left", "move(-1, 0)", show=False),
        Binding("right", "move(1, 0)", show=False),
        Binding("home", "jump(0)", "First number", show=False),
        Binding("end", "jump(-1)", "Last number", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
    ]

    cursor: reactive[int] = reactive(0)
    """The index of the tile under the cursor."""

    class Clicked(Message):
        """The player clicked on the number under the cursor."""

    class CursorMoved(Message):
        """Another number is under the cursor."""

    def __init__(self, board: BoardTiles, *, id: str | None = None) -> None:  # noqa: A002  # Textual's name
        super().__init__(id=id)
        self._board = board
        self._grid = fit(board.numbers, 80, 20)

    @property
    def board(self) -> BoardTiles:
        """The board that is shown."""
        return self._board

    @property
    def grid(self) -> Grid:
        """Where the tiles are."""
        return self._grid

    @property
    def tile(self) -> Tile:
        """The tile under the cursor."""
        return self._board.tile(self.cursor)

    def show(self, board: BoardTiles) -> None:
        """Show a board; the cursor stays on its number if it can."""
        at = board.index(self.tile.number) if len(self._board) else None
        self._board = board
        self._lay_out()
        self.cursor = at if at is not None else min(self.cursor, max(0, len(board) - 1))
        self.refresh()

    def move_to(self, number: int) -> bool:
        """Move the cursor to a number; return whether it is on the board."""
        at = self._board.index(number)
        if at is not None:
            self.cursor = at
        return at is not None

    def tile_region(self, index: int) -> Region:
        """Return where a tile is on the board."""
        grid = self._grid
        row, column = grid.cell(index)
        return Region(
            self._left + column * grid.tile_width,
            self._top + row * grid.tile_height,
            grid.tile_width,
            grid.tile_height,
        )

    @property
    def _left(self) -> int:
        """How far the board is from the left edge: it is centred."""
        return max(0, (self.scrollable_content_region.width - self._grid.width) // 2)

    @property
    def _top(self) -> int:
        """How far the board is from the upper edge: it is centred, unless it scrolls."""
        return max(0, (self.content_size.height - self._grid.height) // 2)

    def _lay_out(self) -> None:
        whole, numbers = self.content_size, self._board.numbers
        self._grid = fit(numbers, whole.width, whole.height)
        if self._grid.height > whole.height:  # leave room for the scrollbar
            self._grid = fit(numbers, whole.width - 1, whole.height)
        self.virtual_size = Size(min(self._grid.width, whole.width), self._grid.height)

    def on_resize(self, _event: events.Resize) -> None:
        """Choose new sizes for the tiles."""
        self._lay_out()
        self._follow()
        self.refresh()

    def watch_cursor(self) -> None:
        """Scroll to the cursor and tell the screen."""
        if self.is_attached:
            self._follow()
            self.refresh()
            self.post_message(self.CursorMoved())

    def _follow(self) -> None:
        self.scroll_to_region(self.tile_region(self.cursor), animate=False, force=True)

    def action_move(self, right: int, down: int) -> None:
        """Move the cursor by one tile."""
        self.cursor = self._grid.step(self.cursor, right, down)

    def action_jump(self, to: int) -> None:
        """Move the cursor to the first or the last tile."""
        self.cursor = 0 if to == 0 else max(0, len(self._board) - 1)

    def action_page(self, pages: int) -> None:
        """Move the cursor by as many rows as there are in the window."""
        rows = max(1, self.content_size.height // self._grid.tile_height)
        moved = self.cursor + pages * rows * self._grid.columns
        self.cursor = max(0, min(len(self._board) - 1, moved))

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the number that was clicked on, and tell the screen."""
        place = event.get_content_offset(self)
        if place is None:
            return
        place = place + self.scroll_offset
        index = self._grid.at(place.x - self._left, place.y - self._top)
        if index is not None:
            self.cursor = index
            self.post_message(self.Clicked())

    def render_line(self, y: int) -> Strip:
        """Draw one line of the tiles in a row."""
        ground, grid = self.rich_style, self._grid
        row, line = divmod(y + self.scroll_offset.y - self._top, grid.tile_height)
        segments = [Segment(" " * self._left, ground)]
        for column in range(grid.columns if 0 <= row < grid.rows else 0):
            index = grid.index(row, column)
            if index is None:
                segments.append(Segment(" " * grid.tile_width, ground))
            else:
                segments += self._tile_line(index, line, ground)
        width = self.scrollable_content_region.width
        return Strip(segments).adjust_cell_length(width, ground).crop(0, width)

    def _tile_line(self, index: int, line: int, ground: Style) -> list[Segment]:
        """Draw a line of a tile: its number, its background, or half a line of it at an edge."""
        grid, tile, is_cursor = self._grid, self._board.tile(index), index == self.cursor
        width = grid.tile_width - 1  # a gap
        look = CURSOR_LOOK if is_cursor and self.has_focus else tile.look
        middle = (grid.tile_height - 1) // 2
        if line == middle:
            text = tile.text(self._board.digits, grid.tile_width, is_cursor=is_cursor)
            if not text.endswith(" "):  # the cursor fills the gap
                return [Segment(text, ground + _style(look))]
            drawn = Segment(text[:-1], ground + _style(look))
        elif 0 < line < grid.tile_height - 1:
            drawn = Segment(" " * width, ground + _style(look))
        else:
            edge = "▄" if line < middle else "▀"
            drawn = Segment(edge * width, ground + Style(color=look.paper))
        return [drawn, Segment(" ", ground)]


def _style(look: Look) -> Style:
    return Style(color=look.ink, bgcolor=look.paper, bold=look.bold)
