"""Plotting tables, through the installed command."""

import pytest

from tests.conftest import Duel


@pytest.fixture
def tables(duel: Duel) -> Duel:
    """Make two tables."""
    duel.run("table", "divider", "2..12", "--output", "d.csv")
    duel.run("table", "chain", "2..12", "--output", "c.json")
    return duel


def test_a_plot_is_written_next_to_its_table(tables: Duel) -> None:
    done = tables.run("plot", "d.csv")
    assert done.stdout == "Plot written to d-nimbers.svg.\n"
    assert "<title" in (tables.home / "d-nimbers.svg").read_text()
    assert "d-winning.svg" in tables.run("plot", "d.csv", "--what", "winning").stdout


@pytest.mark.thorough
def test_an_existing_plot_is_replaced_only_by_force(tables: Duel) -> None:
    mine = tables.home / "d-nimbers.svg"
    mine.write_text("<svg>mine</svg>")
    done = tables.run("plot", "d.csv")
    assert done.returncode == 1
    assert "d-nimbers.svg already exists. Choose another name, or use --force." in done.stderr
    assert mine.read_text() == "<svg>mine</svg>"
    assert tables.run("plot", "d.csv", "--force").returncode == 0
    assert "<title" in mine.read_text()


@pytest.mark.thorough
def test_a_plot_of_a_table_from_a_pipe_needs_a_name(tables: Duel) -> None:
    table = (tables.home / "d.csv").read_bytes()
    done = tables.run("plot", "/dev/stdin", typed=table)
    assert done.returncode == 2
    assert "/dev/stdin is not a file. Name the plot with --output." in done.stderr
    drawn = tables.run("plot", "/dev/stdin", "--output", "-", typed=table)
    assert drawn.stdout.startswith("<svg ")


@pytest.mark.thorough
def test_a_table_without_solved_boards_is_refused(duel: Duel) -> None:
    duel.run("table", "divider", "20..21", "--budget", "0", "--output", "t.csv", DUEL_SOLVER="pure")
    done = duel.run("plot", "t.csv")
    assert "has nothing to plot with --what winning. None of its boards is solved." in done.stderr


@pytest.mark.thorough
def test_several_tables_are_drawn_in_one_plot(tables: Duel) -> None:
    done = tables.run("plot", "d.csv", "c.json", "--output", "both.svg")
    assert done.returncode == 0
    drawn = (tables.home / "both.svg").read_text()
    assert "Share of first moves that win" in drawn
    assert ">chain</text>" in drawn


def test_other_files_and_names_are_refused_with_the_reason(tables: Duel) -> None:
    (tables.home / "notes.csv").write_text("a,b\n1,2\n")
    done = tables.run("plot", "notes.csv")
    assert done.returncode == 1
    assert "notes.csv is not a table" in done.stderr
    assert "cannot be read" in tables.run("plot", "none.csv").stderr
    done = tables.run("plot", "c.json", "--what", "nimbers")
    assert "Use --what winning or positions." in done.stderr
    assert tables.run("plot", "d.csv", "--output", "d.png").returncode == 2
    assert tables.run("plot", *["d.csv"] * 7).returncode == 2
    assert "cannot be written" in tables.run("plot", "d.csv", "--output", "no/d.svg").stderr
