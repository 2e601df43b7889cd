"""Plots of tables."""

from typing import get_args
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel.lab.plot.figure import Curve, What, default_quantity, figure_of
from divisorduel.lab.plot.svg import horizontal, plot, vertical
from divisorduel.lab.table import Row, Table, TableError
from tests.lab.test_table import table_of

SVG = "{http://www.w3.org/2000/svg}"


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_a_horizontal_axis_has_a_few_ticks_within_its_ends(low: int, more: int) -> None:
    axis = horizontal(low, low + more)
    ticks = [axis.at(tick) for tick, _ in axis.ticks]
    assert 1 <= len(ticks) <= 11
    assert all(0 <= tick <= 1 for tick in ticks)


@given(st.floats(0.01, 10**12), st.sampled_from(["whole", "share", "log"]))
def test_a_vertical_axis_includes_the_largest_value(most: float, unit: str) -> None:
    value = {"whole": most, "share": min(most, 1.0), "log": max(most, 1.0)}[unit]
    axis = vertical(value, unit)  # type: ignore[arg-type]  # one of the three
    assert 0 <= axis.at(value) <= 1
    assert 2 <= len(axis.ticks) <= 10


@pytest.mark.parametrize("what", get_args(What))
def test_a_plot_describes_itself_for_screen_readers(what: What) -> None:
    drawn = plot([table_of("divider", "2..12")], what)
    root = ET.fromstring(drawn)
    assert root.get("role") == "img"
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert "divider" in (title.text or "")
    assert "to 12" in (description.text or "")


def test_several_tables_share_a_plot_with_a_legend() -> None:
    tables = [table_of("chain", "4..12"), table_of("chain", "4..12", opening="low")]
    assert default_quantity(tables) == "winning"
    drawn = plot(tables)
    assert ">chain --opening low</text>" in drawn


def test_points_are_not_joined_across_a_gap() -> None:
    assert Curve("", ((2, 1.0), (3, 1.0), (5, 1.0)), 1).runs == [
        [(2, 1.0), (3, 1.0)],
        [(5, 1.0)],
    ]


def test_a_table_without_the_values_is_refused() -> None:
    with pytest.raises(
        TableError, match=r"has nothing to plot with --what nimbers\. Use --what winning"
    ):
        figure_of([table_of("chain", "2..9")], "nimbers")
    series = table_of("divider", "2..3").series
    unknown = Table.of(series, "1", "", [Row(n=2, outcome="?"), Row(n=3, outcome="?")])
    with pytest.raises(TableError, match="has nothing to plot with --what positions"):
        figure_of([unknown], "positions")
