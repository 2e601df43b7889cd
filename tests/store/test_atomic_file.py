"""Files are replaced as a whole, by one program at a time."""

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier, Thread

import pytest

from divisorduel.store import atomic_file
from divisorduel.store.atomic_file import (
    StoreError,
    clear_leftovers,
    clear_old_leftovers,
    exclusive_use,
    lock,
    read_bytes,
    remove,
    write_whole,
)
from divisorduel.store.journal import Journal
from divisorduel.store.online_links import OnlineLinks
from divisorduel.store.output import write_output
from divisorduel.store.preferences import write_preferences

WRITER = """
import os, sys, time
from pathlib import Path
from divisorduel.store.atomic_file import write_whole

def stop(_handle):
    print("writing", flush=True)
    time.sleep(600)

os.fsync = stop
write_whole(Path(sys.argv[1]), "half a fi")
"""
"""A program that stops in the middle of writing a file, and says so."""


@pytest.fixture
def stuck(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Give a test a process that is writing the file ``a``, and kill it afterwards."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path / "a")], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "writing\n"
        yield process
        process.kill()


def test_no_other_program_writes_between_a_check_and_the_write(tmp_path: Path) -> None:
    path = tmp_path / "a"
    both = Barrier(2)

    def change(seen: str, new: str) -> bool:
        def check() -> None:
            if path.read_text() != seen:
                raise StoreError("it was changed")

        both.wait()
        try:
            write_whole(path, new, check)
        except StoreError:
            return False
        return True

    write_whole(path, "0")
    with ThreadPoolExecutor(2) as pool:
        for turn in range(40):
            seen = path.read_text()
            new = f"{turn} one", f"{turn} two"
            written = list(pool.map(change, (seen, seen), new))
            assert sorted(written) == [False, True]
            assert path.read_text() == new[written.index(True)]


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_a_new_file_can_be_read_by_others_unless_it_is_secret(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_whole(tmp_path / "a", "content")
        write_whole(tmp_path / "b", "content", is_secret=True)
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in "ab"]
    assert modes == [0o644, 0o600]


def test_a_file_is_left_alone_if_the_check_fails(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_whole(path, "old")

    def refuse() -> None:
        raise StoreError("no")

    with pytest.raises(StoreError, match="no"):
        write_whole(path, "new", refuse)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_running_program_keeps_its_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    fsync = os.fsync

    def clear_meanwhile(handle: int) -> None:
        monkeypatch.setattr(os, "fsync", fsync)
        other = Thread(target=clear_leftovers, args=[path])
        other.start()
        other.join()
        fsync(handle)

    monkeypatch.setattr(os, "fsync", clear_meanwhile)
    write_whole(path, "new")
    assert path.read_text() == "new"


def test_a_running_program_keeps_its_temporary_file_whatever_the_file_is_called(
    tmp_path: Path, stuck: "subprocess.Popen[str]"
) -> None:
    [written] = tmp_path.glob(".a.????????.duel-new")
    for name in ("a", "a.csv", "a.duel", "b"):
        clear_leftovers(tmp_path / name)
    assert written.exists()


def test_no_one_waits_to_clear_up_while_another_program_is_writing(
    tmp_path: Path, stuck: "subprocess.Popen[str]", monkeypatch: pytest.MonkeyPatch
) -> None:
    def waits(_seconds: float) -> None:
        raise AssertionError("it waits")

    monkeypatch.setattr(time, "sleep", waits)
    clear_leftovers(tmp_path / "a")
    with pytest.raises(StoreError, match="taken"):
        lock(tmp_path / ".a.duel-lock", "taken")


def test_leftovers_of_a_killed_program_do_not_block_and_are_removed(
    tmp_path: Path, stuck: "subprocess.Popen[str]"
) -> None:
    os.kill(stuck.pid, signal.SIGKILL)
    stuck.wait()
    assert len(list(tmp_path.iterdir())) == 2
    clear_leftovers(tmp_path / "a")
    write_whole(tmp_path / "a", "new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a", "new")]


def test_only_old_leftovers_of_killed_programs_are_cleared_from_a_folder(tmp_path: Path) -> None:
    old = [
        ".a.duel-lock",
        ".a.0badcafe.duel-new",
        ".b.c.0badcafe.duel-new",
        f".{'é' * 40}.duel-lock",
    ]
    kept = ["a", ".a.lock", ".a.0badcafe", ".new.0badcafe.duel-new", ".held.0badcafe.duel-new"]
    for name in (*old, *kept):
        (tmp_path / name).touch()
    now = 1_000_000_000.0
    for name in (*old, *kept):
        age = 86_400 if ".new." in name else 86_401
        os.utime(tmp_path / name, (now - age, now - age))
    (tmp_path / ".link.duel-lock").symlink_to("a")
    os.utime(tmp_path / ".link.duel-lock", (0, 0), follow_symlinks=False)
    with lock(tmp_path / ".held.duel-lock", "It is taken."):
        clear_old_leftovers(tmp_path, now)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*kept, ".held.duel-lock", ".link.duel-lock"}
    clear_old_leftovers(tmp_path / "none", now)


def test_a_leftover_that_vanishes_while_a_folder_is_cleared_does_not_stop_the_clearing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f".{name}.0badcafe.duel-new").touch()
    scandir = os.scandir

    @contextmanager
    def racing(folder: Path) -> Iterator[list["os.DirEntry[str]"]]:
        monkeypatch.undo()
        with scandir(folder) as listed:
            found = list(listed)
        (tmp_path / ".b.0badcafe.duel-new").unlink()
        yield found

    monkeypatch.setattr(os, "scandir", racing)
    clear_old_leftovers(tmp_path, time.time() + 90_000)
    assert [*tmp_path.iterdir()] == []


def test_files_that_are_written_and_deleted_are_not_left_open(tmp_path: Path) -> None:
    def use(name: str) -> None:
        write_whole(tmp_path / name, "new")
        read_bytes(tmp_path / name)
        remove(tmp_path / name)

    use("a")
    before = len(list(Path("/dev/fd").iterdir()))
    for name in "bcd":
        use(name)
    assert len(list(Path("/dev/fd").iterdir())) == before


@pytest.mark.parametrize("name", [".a.lock", "a.lock", ".a.20240101", ".a.duel-lock"])
def test_a_file_with_content_is_never_taken_for_a_lock_or_a_leftover(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("precious")
    clear_leftovers(tmp_path / "a")
    write_whole(tmp_path / "a", "new")
    with exclusive_use(tmp_path / "a", "It is taken."):
        pass
    with exclusive_use(tmp_path / ".a", "It is taken."):  # its lock file is called .a.duel-lock
        pass
    remove(tmp_path / "a")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "precious")]


def test_a_pipe_is_never_taken_for_a_lock_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".a.duel-lock")
    write_whole(tmp_path / "a", "new")
    assert (tmp_path / ".a.duel-lock").is_fifo()


def test_a_deletion_is_on_disk_when_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").touch()
    synced: list[tuple[bool, bool]] = []

    def note(handle: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(handle).st_mode), (tmp_path / "a").exists()))

    monkeypatch.setattr(os, "fsync", note)
    remove(tmp_path / "a")
    assert synced == [(True, False)]


def test_a_file_that_is_already_gone_can_be_deleted(tmp_path: Path) -> None:
    remove(tmp_path / "a")
    assert [*tmp_path.iterdir()] == []


def test_a_name_with_a_null_byte_is_refused_with_that_reason(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be written: .*embedded null (byte|character)"):
        write_whole(tmp_path / "a\0b", "new")


def test_a_lock_file_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "precious").touch()
    (tmp_path / ".a.duel-lock").symlink_to("precious")
    with pytest.raises(StoreError, match="a cannot be written"):
        write_whole(tmp_path / "a", "new")
    assert {path.name for path in tmp_path.iterdir()} == {"precious", ".a.duel-lock"}


def test_a_file_that_another_program_does_not_finish_writing_is_reported(
    tmp_path: Path, stuck: "subprocess.Popen[str]", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic_file, "SECONDS_TO_WAIT", 0.1)
    with pytest.raises(StoreError, match="a cannot be written: another program is writing it"):
        write_whole(tmp_path / "a", "new")
    assert not (tmp_path / "a").exists()


@pytest.mark.skipif(os.name == "nt", reason="there are locks on every disk")
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_disk_without_locks_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    import fcntl

    def no_locks(_handle: int, _how: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    leftover = tmp_path / ".a.0badcafe.duel-new"
    leftover.write_text("another program may be writing this")
    clear_leftovers(tmp_path / "a")
    write_whole(tmp_path / "a", "new")
    assert (tmp_path / "a").read_text() == "new"
    assert leftover.exists() or number == errno.ENOSYS  # there, the lock is a file


def test_a_lock_file_that_this_program_cannot_lock_is_left_to_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    def no_locks(_handle: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    (tmp_path / ".a.duel-lock").touch()
    write_whole(tmp_path / "a", "new")
    assert (tmp_path / ".a.duel-lock").exists()


def test_files_with_long_names_are_written(tmp_path: Path) -> None:
    for name in ("x" * 255, "x" * 254, "é" * 127):
        write_whole(tmp_path / name, name)
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 15, 16])
def test_a_file_is_read_up_to_the_largest_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(atomic_file, "MOST", 16)
    monkeypatch.setattr(atomic_file, "_CHUNK", 8)
    (tmp_path / "a").write_bytes(b"x" * size)
    assert read_bytes(tmp_path / "a") == b"x" * size


def test_a_larger_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic_file, "MOST", 2**20)
    (tmp_path / "a").write_bytes(b"x" * (2**20 + 1))
    with pytest.raises(StoreError, match=r"a is too large\. A file may have at most 1 MB"):
        read_bytes(tmp_path / "a")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("size", [0, 16, 17, 400])
def test_a_stream_is_read_to_its_end_unless_it_is_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(atomic_file, "MOST_STREAMED", 16)
    monkeypatch.setattr(atomic_file, "_CHUNK", 8)
    os.mkfifo(tmp_path / "a")
    writer = Thread(target=(tmp_path / "a").write_bytes, args=[b"x" * size], daemon=True)
    writer.start()
    if size <= 16:
        assert read_bytes(tmp_path / "a") == b"x" * size
    else:
        with pytest.raises(StoreError, match=r"a is too large\. A stream may have at most"):
            read_bytes(tmp_path / "a")
    writer.join(60)


def test_a_file_of_a_gibibyte_and_a_stream_of_64_mebibytes_are_the_largest(tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as file:
        file.truncate(2**30 + 1)  # it takes no room on the disk
    with pytest.raises(StoreError, match=r"A file may have at most 1,024 MB\."):
        read_bytes(tmp_path / "a")
    with pytest.raises(StoreError, match=r"A stream may have at most 64 MB\."):
        read_bytes(Path("/dev/zero"))


def test_a_lock_can_be_released_by_another_thread(tmp_path: Path) -> None:
    held = lock(tmp_path / "lock", "It is taken.")
    with pytest.raises(StoreError, match=r"It is taken\."):
        lock(tmp_path / "lock", "It is taken.")
    other = Thread(target=held.__exit__, args=[None, None, None])
    other.start()
    other.join()
    with lock(tmp_path / "lock", "It is taken."):
        pass


def test_a_lock_in_a_missing_folder_is_refused_and_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="lock cannot be locked: No such file or directory"):
        lock(tmp_path / "none" / "lock", "It is taken.")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("use", "how"),
    [
        (read_bytes, "read"),
        (lambda path: write_whole(path, "new"), "written"),
        (remove, "deleted"),
        (lambda path: lock(path, "It is taken."), "locked"),
        (lambda path: Journal(path, b"").read(), "read"),
        (lambda path: Journal(path, b"").append({}), "written"),
        (lambda path: Journal(path, b"").trim(), "written"),
        (lambda path: write_preferences(path, {"level": "4"}), "written"),
        (lambda path: OnlineLinks(path).remember("link", "chain"), "written"),
        (lambda path: write_output(path, "new", force=True), "written"),
    ],
)
def test_a_message_says_what_cannot_be_done_with_a_file(
    tmp_path: Path, use: Callable[[Path], object], how: str
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=rf"/file/x.* cannot be {how}: [A-Z][a-z ]+\.$"):
        use(tmp_path / "file" / "x")
