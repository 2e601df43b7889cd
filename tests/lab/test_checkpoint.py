"""The checkpoint of a table."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from divisorduel.lab.checkpoint import Checkpoint
from divisorduel.lab.formats import as_csv
from divisorduel.lab.known_rows import rows_to_go_on_from
from divisorduel.lab.rows import Row
from divisorduel.lab.series import Series
from divisorduel.lab.table import TableError
from divisorduel.lab.tasks import Piece
from tests.lab.test_tables import table_of

BOARDS = Series("divider", 2, 9)
ROW = Row(n=4, outcome="first", nimber=3, winning_moves=(4,))


StoredMatch = tuple[Checkpoint, dict[Piece, Row]]


@contextmanager
def opened(folder: Path, boards: Series = BOARDS, version: str = "1") -> Iterator[StoredMatch]:
    with closing(Checkpoint(folder / "t.csv", boards, version)) as kept:
        yield kept, kept.open("Python solvers")


def refused(folder: Path, match: str) -> None:
    with pytest.raises(TableError, match=match), opened(folder):
        pass


def test_what_was_kept_is_there_again(tmp_path: Path) -> None:
    with opened(tmp_path) as (first, found):
        assert found == {}
        first.keep((4, None), ROW)
        first.keep((4, 3), ROW)
    with opened(tmp_path) as (_, found):
        assert found == {(4, None): ROW, (4, 3): ROW}


def test_half_a_line_at_the_end_is_dropped_for_good(tmp_path: Path) -> None:
    with opened(tmp_path) as (first, _):
        first.keep((4, None), ROW)
    whole = first.path.read_bytes()
    for torn in (b"{", b'{"move": null, "n": 5, "outcome": "fir', b"\xff\xfe"):
        first.path.write_bytes(whole + torn)
        with opened(tmp_path) as (_, found):
            assert found == {(4, None): ROW}
        assert first.path.read_bytes() == whole


def test_half_a_header_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "t.csv.partial").write_bytes(b'{"comm')
    with opened(tmp_path) as (_, found):
        assert found == {}


@pytest.mark.parametrize(
    "other",
    [Series("divider", 2, 10), Series("chain", 2, 9), Series("divider", 2, 9, (("from_", 3),))],
)
def test_one_of_another_command_is_refused_and_left_alone(tmp_path: Path, other: Series) -> None:
    with opened(tmp_path, other) as (first, _):
        before = first.path.read_bytes()
    refused(tmp_path, r"another command: duel table \w+ 2\.\.\d+")
    assert first.path.read_bytes() == before


def test_one_of_another_version_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path, version="0"):
        pass
    refused(tmp_path, "version 0, and this is 1")


def test_a_damaged_one_is_refused_with_a_remedy(tmp_path: Path) -> None:
    with opened(tmp_path) as (first, _), first.path.open("a") as file:
        file.write("nonsense\n")
    refused(tmp_path, r"damaged\. Remove it")


@pytest.mark.parametrize(
    "line",
    [
        '{"move": null, "n": 5, "outcome": "first"}',
        '{"move": [1], "n": 5, "outcome": "first"}',
        "[]",
        '{"a":' * 100_000,
    ],
)
def test_a_line_that_was_not_written_by_it_is_damage(tmp_path: Path, line: str) -> None:
    with opened(tmp_path) as (first, _), first.path.open("a") as file:
        file.write(f"{line}\n")
    refused(tmp_path, r"damaged\. Remove it")


def test_a_row_that_was_changed_is_damage(tmp_path: Path) -> None:
    with opened(tmp_path) as (first, _):
        first.keep((4, None), ROW)
    first.path.write_text(first.path.read_text().replace('"nimber": 3', '"nimber": 5'))
    refused(tmp_path, r"damaged\. Remove it")


def test_a_row_of_no_board_of_the_table_is_damage(tmp_path: Path) -> None:
    with opened(tmp_path) as (first, _):
        first.keep((10, None), replace(ROW, n=10))
    refused(tmp_path, r"damaged\. Remove it")


def test_what_somebody_else_wrote_is_refused_and_left_alone(tmp_path: Path) -> None:
    notes = tmp_path / "t.csv.partial"
    for text in ("precious notes", "precious notes\n"):
        notes.write_text(text)
        refused(tmp_path, r"damaged\. Remove it")
        assert notes.read_text() == text


def test_one_with_nothing_in_it_does_not_stay(tmp_path: Path) -> None:
    with closing(Checkpoint(tmp_path / "t.csv", BOARDS, "1")) as kept:
        assert kept.path.exists()
    assert not kept.path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be held there")
def test_one_that_is_being_written_is_refused_and_left_alone(tmp_path: Path) -> None:
    with opened(tmp_path) as (first, _):
        first.keep((4, None), ROW)
        refused(tmp_path, "being written by another process. Let it finish, or choose another")
        first.keep((4, 3), ROW)
    with opened(tmp_path) as (_, found):
        assert found == {(4, None): ROW, (4, 3): ROW}


def test_a_longer_table_goes_on_from_a_shorter_one_but_not_the_other_way(tmp_path: Path) -> None:
    table = table_of("divider", "2..6")
    path = tmp_path / "t.csv"
    path.write_text(as_csv(table))
    rows, solvers = rows_to_go_on_from(path, BOARDS, "1.2.3")
    assert len(rows) == 5
    assert solvers == {"Python solvers"}
    with pytest.raises(TableError, match="is there already, made by: duel table"):
        rows_to_go_on_from(path, Series("divider", 2, 5), "1.2.3")
    with pytest.raises(TableError, match=r"made by version 1\.2\.3, and this is 2"):
        rows_to_go_on_from(path, BOARDS, "2")
    path.write_text(as_csv(table).replace("4,first,3", "4,first,2"))
    with pytest.raises(TableError, match="its hash does not fit"):
        rows_to_go_on_from(path, BOARDS, "1.2.3")
    path.write_text("my notes")
    with pytest.raises(TableError, match=r"is no table .* Choose another name"):
        rows_to_go_on_from(path, BOARDS, "1.2.3")
