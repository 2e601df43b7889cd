"""Tables and their files."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel.lab.formats import as_b_file, as_csv, as_json, look_up, read_table
from divisorduel.lab.series import Series
from divisorduel.lab.table import Row, Table, TableError
from divisorduel.lab.tasks import BoardTask, Limits, tasks_of, work
from divisorduel.rules.catalogue import game
from divisorduel.rules.errors import DuelError
from divisorduel.store.atomic_file import StoreError


def row_of(task: BoardTask) -> Row:
    """Do a task that must succeed."""
    answer = work(task)
    assert isinstance(answer, Row)
    return answer


def table_of(key: str, written: str, **options: int | str) -> Table:
    series = Series.within(key, written, options)
    rows = (row_of(task) for task in tasks_of(series, (), Limits(), split=False))
    return Table.of(series, "1.2.3", "Python solvers", rows)


@pytest.mark.parametrize(
    ("key", "written"), [("divider", "2..12"), ("evens", "2..12"), ("descent", "2..12")]
)
def test_a_table_is_read_back_as_it_was_written(key: str, written: str, tmp_path: Path) -> None:
    table = table_of(key, written)
    (tmp_path / "t.json").write_text(as_json(table))
    assert read_table(tmp_path / "t.json") == table
    (tmp_path / "t.csv").write_text(as_csv(table))
    without_lists = tuple(replace(row, winning_moves=None) for row in table.rows)
    assert read_table(tmp_path / "t.csv") == replace(table, rows=without_lists)


def test_numbers_above_two_to_the_53_are_strings_in_json(tmp_path: Path) -> None:
    number = 2 * (2**61 - 1)
    table = table_of("descent", f"{number}..{number}")
    (tmp_path / "t.json").write_text(as_json(table))
    [row] = json.loads((tmp_path / "t.json").read_text())["rows"]
    assert (row["n"], row["winning_moves"]) == (str(number), [2, str(2**61 - 1)])
    assert read_table(tmp_path / "t.json") == table
    as_before = (tmp_path / "t.json").read_text().replace(f'"{number}"', str(number))
    (tmp_path / "t.json").write_text(as_before.replace(f'"{2**61 - 1}"', str(2**61 - 1)))
    assert read_table(tmp_path / "t.json") == table


def test_the_hash_covers_the_first_four_columns() -> None:
    table = table_of("antichain", "2..9")
    lines = [line for line in as_csv(table).splitlines() if not line.startswith("#")]
    columns = "".join(",".join(line.split(",")[:4]) + "\n" for line in lines)
    assert hashlib.sha256(columns.encode()).hexdigest() == table.sha256


def test_a_b_file_has_the_nimbers_or_else_the_outcomes() -> None:
    assert as_b_file(table_of("divider", "2..5")).endswith("\n2 1\n3 0\n4 3\n5 2\n")
    evens = as_b_file(table_of("evens", "2..6"))
    assert evens.endswith("# column: outcome (1: first, 0: second)\n2 1\n4 0\n6 1\n")
    moves = as_b_file(table_of("divider", "2..4"), "first_moves")
    assert moves.endswith("\n2 1\n3 2\n4 3\n")


def test_a_b_file_ends_before_the_first_gap() -> None:
    table = table_of("divider", "2..6")
    rows = [Row(n=row.n, outcome="?") if row.n == 4 else row for row in table.rows]
    written = as_b_file(Table.of(table.series, "1", "", rows))
    assert written.endswith("# ends before n = 4, which is not known\n2 1\n3 0\n")


def test_a_chain_game_has_no_nimbers_in_its_table() -> None:
    table = table_of("chain", "2..9")
    assert not table.has_nimbers
    assert all(",first,,1,1," in line for line in as_csv(table).splitlines() if line[0] == "2")


def test_a_row_lists_its_winning_moves_unless_there_are_too_many() -> None:
    limits = Limits()
    assert row_of(BoardTask("chain", "2-1001", 1001, None, limits)).winning_moves is not None
    assert row_of(BoardTask("chain", "2-1002", 1002, None, limits)).winning_moves is None


@given(st.sampled_from(["divider", "antichain", "chain", "descent"]), st.integers(4, 16))
def test_a_row_combined_from_first_moves_equals_the_row_of_the_whole_board(
    key: str, n: int
) -> None:
    series = Series.within(key, f"{n}..{n}", {})
    [whole] = (row_of(task) for task in tasks_of(series, (), Limits(), split=False))
    tasks = [*tasks_of(series, (), Limits(), split=True)]
    if tasks[0].move is None:
        assert whole.first_moves == 0
        return
    parts = {task.move or 0: row_of(task) for task in tasks}
    put_together = Row.combined(n, parts)
    assert put_together.contradiction is None
    assert replace(put_together, positions=whole.positions, seconds=whole.seconds) == whole


@given(
    st.sampled_from(["divider", "antichain"]),
    st.integers(8, 18),
    st.integers(0, 20),
    st.fixed_dictionaries({}, optional={"from_": st.integers(2, 4), "step": st.integers(1, 3)}),
)
def test_a_board_solved_as_part_of_a_larger_one_has_the_same_row(
    key: str, n: int, more: int, options: dict[str, int]
) -> None:
    series = Series.within(key, f"{n}..{n + more + 2}", dict(options))
    assert series.why_not_together is None
    alone, part = (
        row_of(next(tasks_of(series, (), Limits(), together=together)))
        for together in (False, True)
    )
    assert replace(part, positions=alone.positions, seconds=alone.seconds) == alone


def test_a_board_is_looked_up_with_all_its_options(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(as_csv(table_of("chain", "4..9", opening="low")))
    assert look_up(path, game("chain", to=8, opening="low")).n == 8
    others = game("chain", to=8), game("chain", to=10, opening="low"), game("evens", to=8)
    for other in others:
        with pytest.raises(TableError, match="does not say who wins"):
            look_up(path, other)


def test_a_file_that_is_not_a_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    good = as_csv(table_of("divider", "2..6"))
    for wrong in ("", "{", "n,outcome\n2,first\n", good.replace("first,", "third,"), good[:-20]):
        path.write_text(wrong)
        with pytest.raises(TableError, match=r"not a table|incomplete"):
            read_table(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StoreError, match="not a text file"):
        read_table(path)
    with pytest.raises(StoreError, match="cannot be read"):
        read_table(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"command": None},
        {"command": 7},
        {"rows": [7]},
        {"rows": {"n": 2}},
        {"rows": [{"n": 2, "outcome": "first", "seconds": int("9" * 400)}]},
        {"rows": [{"n": 2, "outcome": "first", "seconds": ""}]},
        {"rows": [{"n": 2, "outcome": "first", "seconds": True}]},
        {"rows": [{"n": 2, "outcome": "first", "winning_moves": [[2]]}]},
    ],
)
def test_a_table_with_values_of_another_kind_is_refused(
    tmp_path: Path, change: dict[str, object]
) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps({**json.loads(as_json(table_of("divider", "2..2"))), **change}))
    with pytest.raises(DuelError, match=r"is not a (table|command)"):
        read_table(path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"nimber": 0}, "the outcome contradicts the nimber"),
        ({"outcome": "second"}, "contradicts the number of winning first moves"),
        (
            {"winning_first_moves": 0, "winning_moves": ()},
            "contradicts the number of winning first moves",
        ),
        (
            {"outcome": "second", "winning_first_moves": 0, "winning_moves": ()},
            "the outcome contradicts the nimber",
        ),
        ({"winning_first_moves": None}, "does not say how many first moves"),
        ({"first_moves": None}, "does not say how many first moves"),
        ({"winning_first_moves": 8}, "more winning moves than moves"),
        ({"first_moves": 9}, "more moves than numbers on the board"),
        ({"nimber": 8}, "too few losing first moves"),
        ({"winning_moves": ()}, "number of winning moves in the list"),
        ({"winning_moves": (5, 6)}, "number of winning moves in the list"),
        ({"winning_moves": (9,)}, "in ascending order"),
        ({"winning_moves": (0,)}, "in ascending order"),
        ({"winning_first_moves": 2, "winning_moves": (6, 5)}, "in ascending order"),
        ({"winning_first_moves": 2, "winning_moves": (6, 6)}, "in ascending order"),
        ({"outcome": "?"}, "not proven, so it must be empty"),
    ],
)
def test_a_table_with_a_row_that_contradicts_itself_is_refused(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    path, table = tmp_path / "t.json", table_of("divider", "8..8")
    [row] = table.rows
    assert (row.nimber, row.winning_moves, row.first_moves) == (4, (8,), 7)
    path.write_text(as_json(Table.of(table.series, "1", "", [replace(row, **change)])))
    with pytest.raises(TableError, match=f"t.json is wrong at n = 8: .*{reason}"):
        read_table(path)
    read_table(path, may_be_changed=True)  # so that a check can say what is wrong


def test_a_list_of_winning_moves_on_a_large_board_is_refused() -> None:
    row = row_of(BoardTask("chain", "2-1002", 1002, None, Limits()))
    assert row.contradiction is None
    listed = replace(row, winning_moves=(*range(1, (row.winning_first_moves or 0) + 1),))
    assert listed.contradiction == "it has too many first moves for a list"


def test_a_table_with_a_huge_cell_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(as_csv(table_of("divider", "2..2")) + "9" * 200_000 + ",first\n")
    with pytest.raises(TableError, match="is not a table"):
        read_table(path)


@pytest.mark.parametrize("char", ["\u202e", "\x1b"])
def test_a_table_cannot_control_the_terminal_that_shows_it(tmp_path: Path, char: str) -> None:
    table = table_of("chain", "2..4")
    for name, write in (("t.csv", as_csv), ("t.json", as_json)):
        for turned in (replace(table, solvers=f"a{char}b"), replace(table, version=f"1{char}")):
            (tmp_path / name).write_text(write(turned))
            with pytest.raises(TableError, match="is not a table"):
                read_table(tmp_path / name)
