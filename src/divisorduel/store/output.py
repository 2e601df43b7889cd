"""Where a result that a person asked for goes: a file, a device, a pipe, or standard output (-)."""

import errno
import io
import os
import re
import select
import stat
import sys
import time
from pathlib import Path

from divisorduel.store.atomic_file import StoreError, unusable, write_whole

STANDARD_OUTPUT = 1
PATIENCE = 1.0
"""How many seconds a program that must not be blocked waits for the reader of a pipe."""
_PAUSE = 0.02
_DESCRIPTOR = re.compile("/(?:dev|proc/self)/fd/([0-9]{1,9})")
_STANDARD = {
    "/dev/stdin": 0,
    "-": STANDARD_OUTPUT,
    "/dev/stdout": STANDARD_OUTPUT,
    "/dev/stderr": 2,
}


class AlreadyExists(StoreError):
    """A file that exists, and that only `force` may replace."""

    code = "already-exists"


def is_standard_output(path: Path) -> bool:
    """Tell whether a path names the standard output of this process."""
    return _descriptor(path) == STANDARD_OUTPUT


def is_stream(path: Path) -> bool:
    """Tell whether a path names a device, a pipe or an open stream: it is written to, not replaced.

    Raises `StoreError`.
    """
    if _descriptor(path) is not None:
        return True
    with unusable(path, "written"):
        try:
            return not stat.S_ISREG(path.stat().st_mode)
        except FileNotFoundError:
            return False


def check_output(path: Path, *, force: bool) -> None:
    """Raise `AlreadyExists` if a file exists that only `force` may replace."""
    if not (force or is_stream(path)) and path.exists():
        raise AlreadyExists(f"{path} already exists. Choose another name, or use --force.")


def write_output(path: Path, content: str, *, force: bool, patience: float | None = None) -> None:
    """Write a result to the place that a person named, and return when it is there.

    A file is written whole. One that exists is replaced only if `force` is set. A stream (see
    `is_stream`) is always written to; if `patience` is given, its reader has that many seconds.
    Raises `StoreError`; for standard output, `OSError`, as everything that prints does.
    """
    if is_standard_output(path):
        _print(content)
    elif is_stream(path):
        with unusable(path, "written"):
            _write_stream(path, content.encode(), patience)
    else:
        write_whole(path, content, lambda: check_output(path, force=force))


def _print(content: str) -> None:
    """Write after everything printed so far, and in UTF-8 whatever the locale is."""
    sys.stdout.flush()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.buffer.write(content.encode())
    else:
        sys.stdout.write(content)
    sys.stdout.flush()


def _write_stream(path: Path, content: bytes, patience: float | None) -> None:
    descriptor = _descriptor(path)
    if descriptor is None and patience is not None and path.is_fifo():
        _write_pipe(path, content, time.monotonic() + patience)
        return
    handle = os.open(path, os.O_WRONLY) if descriptor is None else os.dup(descriptor)
    with open(handle, "wb") as file:  # noqa: PTH123  # it is open already
        file.write(content)


def _write_pipe(path: Path, content: bytes, deadline: float) -> None:
    """Write to a named pipe. Raises `StoreError` if its reader has not read it by the deadline."""
    handle = _open_pipe(path, deadline)
    try:
        while content:
            left = max(0.0, deadline - time.monotonic())
            if not select.select((), (handle,), (), left)[1]:
                raise _unread(path)
            content = content[os.write(handle, content) :]
    finally:
        os.close(handle)


def _open_pipe(path: Path, deadline: float) -> int:
    while True:
        try:
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() >= deadline:
                raise _unread(path) from None
        time.sleep(_PAUSE)


def _unread(path: Path) -> StoreError:
    return StoreError(f"{path} is a pipe, and no program is reading it. Start one, then try again.")


def _descriptor(path: Path) -> int | None:
    """Return the number of the open stream that a path names, or None."""
    found = _DESCRIPTOR.fullmatch(str(path))
    return int(found[1]) if found else _STANDARD.get(str(path))
