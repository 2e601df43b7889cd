"""A journal keeps every complete line, and nothing that was changed."""

import os
from pathlib import Path

import pytest

from divisorduel.store.atomic_file import StoreError
from divisorduel.store.journal import DamagedJournal, Journal, locked

BEGINNING = b'{"begin": '


def journal(path: Path) -> Journal:
    return Journal(path, BEGINNING)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a journal of two lines."""
    path = tmp_path / "journal"
    for line in ({"begin": 1}, {"number": 2, "text": "é\n"}):
        journal(path).append(line)
    return path


def test_lines_are_read_back_as_they_were_written(path: Path) -> None:
    assert journal(path).read() == [{"begin": 1}, {"number": 2, "text": "é\n"}]


def test_a_journal_of_an_older_version_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b'{"begin": 1, "sha256": "ae930f38e1616275"}\n')
    assert journal(path).read() == [{"begin": 1}]


def test_a_file_that_does_not_exist_has_no_lines(tmp_path: Path) -> None:
    assert journal(tmp_path / "new").read() == []


def test_an_incomplete_line_is_dropped_wherever_the_program_was_killed(path: Path) -> None:
    data = path.read_bytes()
    first = data.index(b"\n") + 1
    for length in range(len(data)):
        path.write_bytes(data[:length])
        again = journal(path)
        lines = again.read()
        assert lines == ([{"begin": 1}] if length >= first else [])
        again.trim()
        again.append({"begin": 3})
        assert journal(path).read() == [*lines, {"begin": 3}]


@pytest.mark.parametrize("change", [(b'"number": 2', b'"number": 3'), (b'"begin"', b'"other"')])
def test_a_line_that_was_changed_is_refused(path: Path, change: tuple[bytes, bytes]) -> None:
    path.write_bytes(path.read_bytes().replace(*change))
    with pytest.raises(DamagedJournal):
        journal(path).read()


@pytest.mark.parametrize("content", [b"notes", b"notes\n", b'{"begin": 1}\n', b'{"begin": [1}\n'])
def test_another_file_is_not_a_journal(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "notes").write_bytes(content)
    with pytest.raises(DamagedJournal):
        journal(tmp_path / "notes").read()


def test_a_pipe_in_place_of_a_journal_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="it is not a regular file"):
        journal(tmp_path / "pipe").read()


def test_a_file_that_ends_in_lock_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "Cargo.lock").write_text("precious")
    with locked(tmp_path / "Cargo"), pytest.raises(StoreError, match="by another process"):
        locked(tmp_path / "Cargo").__enter__()
    assert [path.name for path in tmp_path.iterdir()] == ["Cargo.lock"]
    assert (tmp_path / "Cargo.lock").read_text() == "precious"


def test_a_line_is_on_disk_when_it_has_been_added(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bytes] = []
    monkeypatch.setattr(os, "fsync", lambda _handle: synced.append(path.read_bytes()))
    journal(path).append({"number": 3})
    assert synced == [path.read_bytes()]


def test_a_program_can_tell_that_a_journal_is_damaged(path: Path) -> None:
    path.write_text("notes")
    with pytest.raises(DamagedJournal) as refused:
        journal(path).read()
    assert refused.value.code == "damaged-journal"
