"""Files that are read or written whole. A file that cannot be used raises `StoreError`."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from glob import escape
from pathlib import Path

from divisorduel.rules.errors import DuelError


class StoreError(DuelError):
    """A file that cannot be used. The message names the file and, if possible, the line."""

    code = "unusable-file"


def read_bytes(path: Path) -> bytes:
    """Read a file. Raises `StoreError`."""
    with unusable(path, "read"):
        return path.read_bytes()


def read_text(path: Path) -> str:
    """Read a text file in UTF-8. Raises `StoreError`."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError:
        raise StoreError(f"{path} cannot be read: it is not a text file.") from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Replace the content of a file, all or nothing, and return when it is on disk.

    Keep the permissions of an existing file, and follow a link. Raises `StoreError`.
    """
    with unusable(path, "written"):
        target = Path(os.path.realpath(path))
        written = target.with_name(f"{_prefix(target)}{secrets.token_hex(4)}")
        try:
            with written.open("xb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                written.chmod(stat.S_IMODE(target.stat().st_mode))
            written.replace(target)
        except BaseException:
            written.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)


def lock(path: Path, if_taken: str) -> AbstractContextManager[object]:
    """Lock a file for this process until the returned context manager exits.

    Raises `StoreError`, with `if_taken` as its message if another process holds the lock.
    """
    from filelock import FileLock, Timeout

    with unusable(path, "locked"):
        path.parent.stat()  # filelock would create a missing folder
        try:
            return FileLock(path, thread_local=False).acquire(blocking=False)
        except Timeout:
            raise StoreError(if_taken) from None


def clear_leftovers(path: Path) -> None:
    """Remove the temporary files that a killed program may have left beside a file."""
    for leftover in path.parent.glob(f"{escape(_prefix(path))}*"):
        with suppress(OSError):
            leftover.unlink()


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
    return f".{path.stem[:40]}."


def _sync_folder(folder: Path) -> None:
    # A new file name is safe only after its folder is synced, which some systems cannot do.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
