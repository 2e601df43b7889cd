"""The grid keeps the columns of the hundred square, in every window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel.terminal.fullscreen.grid import Grid, fit

GRIDS = st.builds(
    fit,
    st.builds(range, st.integers(1, 60), st.integers(61, 1_001), st.integers(1, 3)),
    st.integers(4, 200),
    st.integers(3, 60),
)


def test_numbers_with_the_same_last_digit_share_a_column() -> None:
    grid = fit(range(2, 101), 60, 20)
    assert grid.columns == 10
    for number in range(2, 101):
        row, column = grid.cell(number - 2)
        assert (row, column) == ((number - 1) // 10, (number - 1) % 10)


def test_even_numbers_have_the_five_even_columns() -> None:
    grid = fit(range(4, 41, 2), 60, 20)
    assert grid.columns == 5
    assert grid.cell(0) == (0, 1)  # 4
    assert grid.cell(3) == (0, 4)  # 10
    assert grid.cell(4) == (1, 0)  # 12


@pytest.mark.parametrize(("width", "columns"), [(60, 10), (40, 10), (39, 5), (20, 5), (10, 2)])
def test_a_narrow_window_has_fewer_columns(width: int, columns: int) -> None:
    assert fit(range(2, 51), width, 10).columns == columns


def test_a_thousand_numbers_keep_ten_columns_of_one_line() -> None:
    grid = fit(range(2, 1_001), 60, 18)
    assert (grid.columns, grid.tile_height, grid.rows) == (10, 1, 100)


def test_a_small_board_has_large_tiles() -> None:
    assert fit(range(2, 51), 80, 15).tile_height == 3
    assert fit(range(2, 51), 80, 14).tile_height == 2


@given(GRIDS, st.data())
def test_each_tile_is_found_where_it_is_drawn(grid: Grid, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, grid.count - 1))
    row, column = grid.cell(index)
    assert grid.index(row, column) == index
    assert grid.at(column * grid.tile_width, row * grid.tile_height) == index


@given(GRIDS, st.data())
def test_arrow_keys_stay_on_the_board(grid: Grid, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, grid.count - 1))
    for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        assert 0 <= grid.step(index, right, down) < grid.count
    below = grid.step(index, 0, 1)
    if below != index:
        assert grid.step(below, 0, -1) == index
        assert grid.cell(below)[1] == grid.cell(index)[1]


def test_there_is_no_tile_beside_the_board() -> None:
    grid = fit(range(2, 51), 80, 15)
    assert grid.at(0, 0) is None  # there is no 1
    assert grid.at(grid.width, 0) is None
    assert grid.at(0, grid.height) is None
