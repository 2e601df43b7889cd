"""A journal: a file of JSON lines, each on disk before the next one is written.

Each line ends with a hash of the rest of it. If the program is killed, at worst the last line is
incomplete; it is dropped when the file is read again.
"""

import json
import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from typing import Any

from divisorduel.store.atomic_file import (
    StoreError,
    exclusive_use,
    read_bytes,
    refuse_pipe,
    unusable,
)


class DamagedJournal(StoreError):
    """A file that is not a journal, or a journal that was changed."""

    code = "damaged-journal"


class Journal:
    """A file of JSON lines. Hold a lock while you write to it."""

    def __init__(self, path: Path, beginning: bytes) -> None:
        """Use a file whose first line begins with these bytes."""
        self.path = path
        self._beginning = beginning
        self._length = 0

    def read(self) -> list[dict[str, Any]]:
        """Return the complete lines. Raises `StoreError`, `DamagedJournal`."""
        refuse_pipe(self.path)
        data = read_bytes(self.path) if self.path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        self._length = len(whole)
        if not data.startswith(self._beginning[: len(data)]):
            raise DamagedJournal(f"{self.path} is damaged.")
        try:
            return [_checked(json.loads(line)) for line in whole.splitlines()]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise DamagedJournal(f"{self.path} is damaged.") from None

    def trim(self) -> None:
        """Drop what follows the lines that were read, before the first `append`."""
        with unusable(self.path, "written"), self.path.open("ab") as file:
            file.truncate(self._length)

    def append(self, line: Mapping[str, Any]) -> None:
        """Add a line, and return when it is on disk. Raises `StoreError`."""
        with unusable(self.path, "written"), self.path.open("ab") as file:
            file.write(json.dumps({**line, "sha256": _hash(line)}).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def locked(path: Path) -> AbstractContextManager[None]:
    """Keep other processes from using a journal within the context. Raises `StoreError`."""
    return exclusive_use(path, f"{path} is being written by another process. Let it finish.")


def _hash(line: Mapping[str, Any]) -> str:
    return sha256(json.dumps(line).encode()).hexdigest()[:16]


def _checked(line: Any) -> dict[str, Any]:
    """Return a line without its hash. Raises `ValueError` if the hash does not match."""
    fields: dict[str, Any] = dict(line)
    if fields.pop("sha256") != _hash(fields):
        raise ValueError("the line was changed")
    return fields
