"""The checkpoint of a table."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from divisorduel.lab.checkpoint import Checkpoint
from divisorduel.lab.series import Series
from divisorduel.lab.table import Row
from divisorduel.lab.tasks import Piece
from divisorduel.store.atomic_file import StoreError

BOARDS = Series("divider", 2, 9)
ROW = Row(n=4, outcome="first", nimber=3, winning_first_moves=1, first_moves=3, winning_moves=(4,))


Opened = tuple[Checkpoint, dict[Piece, Row]]


@contextmanager
def opened(folder: Path, series: Series = BOARDS, version: str = "1") -> Iterator[Opened]:
    with Checkpoint(folder / "t.csv", series, version) as checkpoint:
        yield checkpoint, checkpoint.open("Python solvers")


def refused(folder: Path, match: str) -> None:
    with pytest.raises(StoreError, match=match), opened(folder):
        pass


def test_saved_rows_are_read_back(tmp_path: Path) -> None:
    with opened(tmp_path) as (first, found):
        assert found == {}
        first.add((4, None), ROW)
        first.add((4, 3), ROW)
    with opened(tmp_path) as (_, found):
        assert found == {(4, None): ROW, (4, 3): ROW}


def test_half_a_line_at_the_end_is_removed(tmp_path: Path) -> None:
    with opened(tmp_path) as (first, _):
        first.add((4, None), ROW)
    whole = first.path.read_bytes()
    for torn in (b"{", b'{"move": null, "n": 5, "outcome": "fir', b"\xff\xfe"):
        first.path.write_bytes(whole + torn)
        with opened(tmp_path) as (_, found):
            assert found == {(4, None): ROW}
        assert first.path.read_bytes() == whole


def test_half_a_header_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "t.csv.partial").write_bytes(b'{"comm')
    with opened(tmp_path) as (_, found):
        assert found == {}


@pytest.mark.parametrize(
    "other",
    [Series("divider", 2, 10), Series("chain", 2, 9), Series("divider", 2, 9, (("from_", 3),))],
)
def test_a_checkpoint_of_another_command_is_refused_and_left_alone(
    tmp_path: Path, other: Series
) -> None:
    with opened(tmp_path, other) as (first, _):
        before = first.path.read_bytes()
    refused(tmp_path, r"another command: duel table \w+ 2\.\.\d+")
    assert first.path.read_bytes() == before


def test_a_checkpoint_of_another_version_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path, version="0"):
        pass
    refused(tmp_path, "version 0, but this is version 1")


def test_a_damaged_checkpoint_is_refused_with_advice(tmp_path: Path) -> None:
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
def test_an_invalid_line_counts_as_damage(tmp_path: Path, line: str) -> None:
    with opened(tmp_path) as (first, _), first.path.open("a") as file:
        file.write(f"{line}\n")
    refused(tmp_path, r"damaged\. Remove it")


def test_a_changed_row_counts_as_damage(tmp_path: Path) -> None:
    with opened(tmp_path) as (first, _):
        first.add((4, None), ROW)
    first.path.write_text(first.path.read_text().replace('"nimber": 3', '"nimber": 5'))
    refused(tmp_path, r"damaged\. Remove it")


def test_a_row_that_contradicts_itself_counts_as_damage(tmp_path: Path) -> None:
    with opened(tmp_path) as (first, _):
        first.add((4, None), replace(ROW, nimber=0))
    refused(tmp_path, r"damaged\. Remove it")


def test_a_row_for_a_board_outside_the_table_counts_as_damage(tmp_path: Path) -> None:
    with opened(tmp_path) as (first, _):
        first.add((10, None), replace(ROW, n=10))
    refused(tmp_path, r"damaged\. Remove it")


def test_a_file_that_is_not_a_checkpoint_is_refused_and_left_alone(tmp_path: Path) -> None:
    notes = tmp_path / "t.csv.partial"
    for text in ("precious notes", "precious notes\n"):
        notes.write_text(text)
        refused(tmp_path, r"damaged\. Remove it")
        assert notes.read_text() == text


def test_a_checkpoint_that_is_never_opened_leaves_no_files(tmp_path: Path) -> None:
    with Checkpoint(tmp_path / "t.csv", BOARDS, "1"):
        pass
    assert not list(tmp_path.iterdir())


def test_a_file_that_ends_in_lock_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "t.csv.lock").write_text("precious")
    with Checkpoint(tmp_path / "t.csv", BOARDS, "1"):
        pass
    assert (tmp_path / "t.csv.lock").read_text() == "precious"


def test_a_checkpoint_that_is_being_written_is_refused_and_left_alone(tmp_path: Path) -> None:
    with opened(tmp_path) as (first, _):
        first.add((4, None), ROW)
        refused(tmp_path, "being written by another process. Let it finish, or choose another")
        first.add((4, 3), ROW)
    with opened(tmp_path) as (_, found):
        assert found == {(4, None): ROW, (4, 3): ROW}


def test_a_disk_without_locks_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")

    def unsupported(_file: int, _operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", unsupported)
    refused(tmp_path, r"t\.csv\.duel-lock cannot be locked: No locks available\.")


@pytest.mark.parametrize("solvers", ["a\u202eb", "\x1b[2J", 5, None])
def test_solver_names_that_cannot_be_shown_count_as_damage(tmp_path: Path, solvers: Any) -> None:
    with Checkpoint(tmp_path / "t.csv", BOARDS, "1") as checkpoint:
        checkpoint.open(solvers)
    refused(tmp_path, r"damaged\. Remove it")
