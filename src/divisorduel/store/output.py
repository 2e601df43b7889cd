"""Where a result that a person asked for goes: a file, a device, a pipe, or standard output (-)."""

import io
import os
import re
import stat
import sys
from pathlib import Path

from divisorduel.store.atomic_file import StoreError, unusable, write_whole

STANDARD_OUTPUT = 1
_DESCRIPTOR = re.compile("/(?:dev|proc/self)/fd/([0-9]{1,9})")
_STANDARD = {
    "/dev/stdin": 0,
    "-": STANDARD_OUTPUT,
    "/dev/stdout": STANDARD_OUTPUT,
    "/dev/stderr": 2,
}


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
    """Raise `StoreError` if a file exists that only `force` may replace."""
    if not (force or is_stream(path)) and path.exists():
        raise StoreError(f"{path} already exists. Choose another name, or use --force.")


def write_output(path: Path, content: str, *, force: bool) -> None:
    """Write a result to the place that a person named, and return when it is there.

    A file is written whole. One that exists is replaced only if `force` is set; a stream (see
    `is_stream`) is always written to. Raises `StoreError`; for standard output, `OSError`, as
    everything that prints does.
    """
    if is_standard_output(path):
        _print(content)
    elif is_stream(path):
        with unusable(path, "written"):
            _write_stream(path, content.encode())
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


def _write_stream(path: Path, content: bytes) -> None:
    descriptor = _descriptor(path)
    handle = os.open(path, os.O_WRONLY) if descriptor is None else os.dup(descriptor)
    with open(handle, "wb") as file:  # noqa: PTH123  # it is open already
        file.write(content)


def _descriptor(path: Path) -> int | None:
    """Return the number of the open stream that a path names, or None."""
    found = _DESCRIPTOR.fullmatch(str(path))
    return int(found[1]) if found else _STANDARD.get(str(path))
