"""Results go where a person says: files are replaced only by force, streams are written to."""

import errno
import io
import os
import select
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from divisorduel.store.atomic_file import StoreError
from divisorduel.store.output import (
    AlreadyExists,
    check_output,
    is_standard_output,
    is_stream,
    write_output,
)


@pytest.mark.parametrize(
    ("name", "is_standard"),
    [
        ("-", True),
        ("/dev/stdout", True),
        ("/dev/fd/1", True),
        ("/proc/self/fd/1", True),
        ("/dev/stderr", False),
        ("/dev/stdin", False),
        ("/dev/fd/10", False),
    ],
)
def test_an_open_stream_is_known_by_its_name(name: str, is_standard: bool) -> None:
    assert is_stream(Path(name))
    assert is_standard_output(Path(name)) is is_standard


@pytest.mark.parametrize("name", ["a", "-.csv", "dev/stdout", "/dev/fd/1/a", "/dev/stdout.csv"])
def test_other_names_are_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert not is_standard_output(Path(name))
    if not name.startswith("/dev/fd"):
        assert not is_stream(Path(name))


def test_a_file_that_exists_is_replaced_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "a"
    check_output(path, force=False)
    write_output(path, "old", force=False)
    with pytest.raises(StoreError, match=r"a already exists\. Choose another name"):
        check_output(path, force=False)
    with pytest.raises(StoreError, match=r"a already exists\. Choose another name"):
        write_output(path, "new", force=False)
    assert path.read_text() == "old"
    check_output(path, force=True)
    write_output(path, "new", force=True)
    assert path.read_text() == "new"


def test_a_symlink_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a")
    write_output(tmp_path / "link", "new", force=False)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a").read_text() == "new"


def test_a_folder_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written: Is a directory"):
        write_output(tmp_path, "new", force=True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("name", ["pipe", "link"])
def test_a_named_pipe_is_written_to(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    read: list[str] = []
    reader = Thread(target=lambda: read.append((tmp_path / "pipe").read_text()), daemon=True)
    reader.start()
    write_output(tmp_path / name, "é" * 9, force=False)
    reader.join(60)
    assert read == ["é" * 9]
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_that_is_not_read_is_reported_in_time(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(StoreError, match=r"pipe, and no program is reading it\. Start one"):
        write_output(pipe, "new", force=False, patience=0.05)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_output(pipe, "new", force=False, patience=0.05)
        assert os.read(reader, 100) == b"new"
        with pytest.raises(StoreError, match="no program is reading it"):
            write_output(pipe, "more than a pipe holds " * 100_000, force=False, patience=0.05)
    finally:
        os.close(reader)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_that_may_not_be_written_to_is_reported_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    def wait(_seconds: float) -> None:
        raise AssertionError("it waits")

    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(time, "sleep", wait)
    with pytest.raises(StoreError, match=r"pipe cannot be written: Permission denied\.$"):
        write_output(tmp_path / "pipe", "new", force=False, patience=60)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_that_were_written_to_are_not_left_open(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_output(pipe, "new", force=False, patience=60)
        assert os.read(reader, 100) == b"new"
        assert os.read(reader, 100) == b"", "the pipe has ended: no one can write to it"
    finally:
        os.close(reader)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_the_reader_of_a_pipe_may_come_later_and_take_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe, content = tmp_path / "pipe", "more than a pipe holds " * 100_000
    os.mkfifo(pipe)
    read: list[str] = []
    reader = Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    sleep = time.sleep

    def start_reader(seconds: float) -> None:
        monkeypatch.setattr(time, "sleep", sleep)
        reader.start()
        sleep(seconds)

    monkeypatch.setattr(time, "sleep", start_reader)
    write_output(pipe, content, force=False, patience=60)
    reader.join(60)
    assert read == [content]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_no_one_waits_for_a_reader_when_the_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe, waited = tmp_path / "pipe", list[float]()
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    def note(*given: Any) -> Any:
        waited.append(given[3])
        return ([], [], [])

    monkeypatch.setattr(select, "select", note)
    try:
        with pytest.raises(StoreError, match="no program is reading it"):
            write_output(pipe, "new", force=False, patience=-1)
    finally:
        os.close(reader)
    assert waited == [0]


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs /dev/fd")
def test_the_reader_of_an_open_pipe_may_take_its_time() -> None:
    content, (reading, writing) = "more than a pipe holds " * 100_000, os.pipe()
    read: list[str] = []
    with open(reading) as file:  # noqa: PTH123  # it is open already
        reader = Thread(target=lambda: read.append(file.read()), daemon=True)
        reader.start()
        try:
            write_output(Path(f"/dev/fd/{writing}"), content, force=False, patience=0)
        finally:
            os.close(writing)
            reader.join(60)
    assert read == [content]


def test_a_file_that_exists_is_refused_with_a_code_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(AlreadyExists) as refused:
        write_output(tmp_path / "a", "new", force=False)
    assert refused.value.code == "already-exists"


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs /dev/fd")
@pytest.mark.parametrize("folder", ["/dev/fd", "/proc/self/fd"])
def test_output_to_an_open_file_continues_it_and_leaves_it_open(
    tmp_path: Path, folder: str
) -> None:
    with (tmp_path / "a").open("w") as file:
        file.write("one ")
        file.flush()
        write_output(Path(f"{folder}/{file.fileno()}"), "two ", force=False)
        file.write("three")
    assert (tmp_path / "a").read_text() == "one two three"


@pytest.mark.parametrize(("name", "number"), [("/dev/stdin", 0), ("/dev/stderr", 2)])
def test_output_to_a_standard_stream_goes_where_the_shell_has_sent_it(
    tmp_path: Path, name: str, number: int
) -> None:
    before = os.dup(number)
    try:
        with (tmp_path / "a").open("w") as file:
            os.dup2(file.fileno(), number)
            write_output(Path(name), "one ", force=False)
            write_output(Path(name), "two", force=False)
    finally:
        os.dup2(before, number)
        os.close(before)
    assert (tmp_path / "a").read_text() == "one two"


@pytest.mark.parametrize("locale", ["ascii", "utf-8"])
def test_standard_output_gets_a_result_in_order_and_in_utf_8(
    locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, locale))
    print("one", end=" ")
    write_output(Path("-"), "zwö", force=False)
    assert raw.getvalue() == "one zwö".encode()


def test_a_result_on_standard_output_is_there_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "a").open("w") as file:
        monkeypatch.setattr(sys, "stdout", file)
        write_output(Path("-"), "new", force=False)
        assert (tmp_path / "a").read_text() == "new"


def test_a_replacement_for_standard_output_gets_a_result_as_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replacement = io.StringIO()
    monkeypatch.setattr(sys, "stdout", replacement)
    write_output(Path("/dev/stdout"), "zwö", force=False)
    assert replacement.getvalue() == "zwö"


def test_a_stream_that_is_not_open_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="/dev/fd/987654 cannot be written: Bad file descriptor"):
        write_output(Path("/dev/fd/987654"), "new", force=False)


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "file/below"])
def test_a_name_that_cannot_be_used_is_reported(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    for refused in (is_stream, lambda path: write_output(path, "new", force=True)):
        with pytest.raises(StoreError, match="cannot be written: "):
            refused(tmp_path / name)
