"""Files that are read or written whole. A file that cannot be used raises `StoreError`."""

import errno
import math
import os
import re
import secrets
import stat
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from glob import escape
from itertools import islice
from pathlib import Path

from divisorduel.rules.errors import DuelError

SECONDS_TO_WAIT = 10.0
"""How long a program waits for another one that is writing the same file."""
MOST = 2**30
"""The most bytes of a file; no file that this program writes comes close."""
MOST_STREAMED = 2**26
"""The most bytes of a device or a pipe, which may never end."""
_CHUNK = 2**20
NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EACCES, errno.EPERM}
"""Errors of disks without locks, and of folders in which this program may not make a file."""
_LOCK, _NEW = ".duel-lock", ".duel-new"
"""How lock files and temporary files end. People have a ``Cargo.lock`` or a ``.a.2024`` already."""

_LEFTOVER = re.compile(
    rf"\.(.+?)(?:\.[0-9a-f]{{8}}{re.escape(_NEW)}|{re.escape(_LOCK)})", re.DOTALL
)
A_DAY = 86_400.0


class StoreError(DuelError):
    """A file that cannot be used. The message names the file and, if possible, the line."""

    code = "unusable-file"


def read_bytes(path: Path) -> bytes:
    """Read a file. Raises `StoreError` if it cannot be read, is too large or does not end."""
    with unusable(path, "read"), path.open("rb") as file:
        found = os.fstat(file.fileno())
        most, kind = (MOST, "file") if stat.S_ISREG(found.st_mode) else (MOST_STREAMED, "stream")
        if found.st_size <= most:
            content = b"".join(islice(iter(lambda: file.read(_CHUNK), b""), most // _CHUNK))
            if not file.read(1):
                return content
    raise StoreError(f"{path} is too large. A {kind} may have at most {most >> 20:,} MB.")


def read_text(path: Path) -> str:
    """Read a text file in UTF-8. Raises `StoreError`."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError:
        raise StoreError(f"{path} cannot be read: it is not a text file.") from None


def refuse_pipe(path: Path) -> None:
    """Raise `StoreError` if one of the program's own files is a pipe, which could block."""
    with unusable(path, "read"), suppress(FileNotFoundError):
        if stat.S_ISFIFO(path.stat().st_mode):
            raise StoreError(f"{path} cannot be read: it is not a regular file.")


def write_whole(
    path: Path,
    content: str | bytes,
    check: Callable[[], object] = lambda: None,
    *,
    is_secret: bool = False,
) -> None:
    """Replace the content of a file, all or nothing, and return when it is on disk.

    Keep the permissions of an existing file, and follow a link; a new file that is secret can be
    read only by the user. `check` may raise an error to leave the file as it is; no other program
    writes the file between the check and the replacement. Raises `StoreError`.
    """

    def checked() -> str | bytes:
        check()
        return content

    change_whole(path, checked, is_secret=is_secret)


def change_whole(path: Path, change: Callable[[], str | bytes], *, is_secret: bool = False) -> None:
    """Replace the content of a file, as `write_whole` does, with what `change` returns.

    `change` may read the file, and may raise an error to leave it as it is; no other program writes
    the file in the meantime. Raises `StoreError`.
    """
    with unusable(path, "written"):
        target = Path(os.path.realpath(path))
        with _only_writer(target, SECONDS_TO_WAIT):
            content = change()
            data = content.encode() if isinstance(content, str) else content
            _replace(target, data, 0o600 if is_secret else 0o666)


def _replace(target: Path, content: bytes, mode: int) -> None:
    written = target.parent / f"{_prefix(target)}.{secrets.token_hex(4)}{_NEW}"
    try:
        with open(written, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            written.chmod(stat.S_IMODE(target.stat().st_mode))
        written.replace(target)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def remove(path: Path, check: Callable[[], object] = lambda: None) -> None:
    """Delete a file, if it still exists, and return when that is on disk. Raises `StoreError`.

    `check` may raise an error to leave the file as it is; no other program writes the file between
    the check and the deletion.
    """
    with unusable(path, "deleted"), _only_writer(Path(os.path.realpath(path)), SECONDS_TO_WAIT):
        check()
        path.unlink(missing_ok=True)
        _sync_folder(path.parent)


def lock(path: Path, if_taken: str) -> AbstractContextManager[object]:
    """Lock a file for this process until the returned context manager exits.

    Raises `StoreError`, with `if_taken` as its message if another process holds the lock.
    """
    with unusable(path, "locked"):
        try:
            return _acquire(path, 0)
        except TimeoutError:
            raise StoreError(if_taken) from None


@contextmanager
def exclusive_use(path: Path, if_taken: str) -> Iterator[None]:
    """Keep other processes from using a file within the context, with a lock file beside it.

    Raises `StoreError`, with `if_taken` as its message if another process does.
    """
    lock_file = path.with_name(f"{path.name}{_LOCK}")
    with lock(lock_file, if_taken):
        try:
            yield
        finally:
            _remove_lock(lock_file)


def clear_leftovers(path: Path) -> None:
    """Remove the temporary files that a killed program may have left beside a file.

    While another program is writing the file, nothing is removed.
    """
    with suppress(OSError), _only_writer(path, 0) as is_locked:
        leftovers = f"{escape(_prefix(path))}.{'[0-9a-f]' * 8}{_NEW}"
        for leftover in path.parent.glob(leftovers) if is_locked else ():
            leftover.unlink()


def clear_old_leftovers(folder: Path, now: float) -> None:
    """Remove what programs that were killed more than a day ago have left in a folder of ours."""
    with suppress(OSError), os.scandir(folder) as listed:
        found = [(_LEFTOVER.fullmatch(file.name), file) for file in listed]
        old = {name[1] for name, file in found if name and _changed_at(file) < now - A_DAY}
        for stem in sorted(old):
            clear_leftovers(folder / f"{stem}.any")


def _changed_at(file: "os.DirEntry[str]") -> float:
    try:
        return file.stat().st_mtime
    except OSError:  # it has just been removed
        return math.inf


@contextmanager
def _only_writer(path: Path, seconds: float) -> Iterator[bool]:
    """Let no other program write a file; yield whether that is certain.

    It is not certain on a disk without locks. Files whose temporary files have the same prefix
    share a lock. Raises `TimeoutError` if another program is still writing after some seconds.
    """
    lock_file = path.parent / f"{_prefix(path)}{_LOCK}"
    held: AbstractContextManager[object] = nullcontext()
    is_locked = True
    try:
        held = _acquire(lock_file, seconds)
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
        is_locked = False
    with held:
        try:
            yield is_locked
        finally:
            if is_locked:
                _remove_lock(lock_file)


def _remove_lock(path: Path) -> None:
    """Remove a lock file that this process holds. A file with content is not ours, and stays.

    A program that waits for the lock notices that its file is gone, and starts again.
    """
    with suppress(OSError):  # on Windows, a file that is open cannot be removed
        found = path.lstat()
        if stat.S_ISREG(found.st_mode) and not found.st_size:
            path.unlink()


def _acquire(path: Path, seconds: float) -> AbstractContextManager[object]:
    """Lock a file; the operating system unlocks it if this process dies. Raises `OSError`."""
    from filelock import FileLock, Timeout

    path.parent.stat()  # filelock would create a missing folder
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns about disks where a lock is just a file
            return FileLock(path, thread_local=False).acquire(seconds, poll_interval=0.01)
    except Timeout:
        raise TimeoutError(errno.EBUSY, "another program is writing it") from None


@contextmanager
def unusable(path: Path | str, how: str) -> Iterator[None]:
    """Turn the errors of the operating system into a `StoreError` that names the file."""
    try:
        yield
    except DuelError:
        raise
    except (OSError, ValueError, RuntimeError) as error:  # a name with a null byte; an unknown home
        reason = getattr(error, "strerror", "") or error
        raise StoreError(f"{path} cannot be {how}: {reason}.") from None


def _prefix(path: Path) -> str:
    return f".{path.stem[:40]}"


def _sync_folder(folder: Path) -> None:
    # A new file name is safe only after its folder is synced, which some systems cannot do.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
