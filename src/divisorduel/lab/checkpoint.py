"""The checkpoint of a table: what has been worked out so far, on disk as soon as it is known.

A file of JSON lines. The first one says which boards it is about; the others are rows, with the
first move that a row is about or null. Each ends with a hash of the rest of it. A program that is
killed leaves half a line at worst.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from divisorduel.lab.rows import Row
from divisorduel.lab.series import Series
from divisorduel.lab.table import TableError, row_from
from divisorduel.lab.tasks import Piece
from divisorduel.rules.numbers import is_whole
from divisorduel.store.lock import hold

BEGINNING = b'{"command": "duel table '
"""How every checkpoint begins."""


class Checkpoint:
    """The file beside a table that is being made."""

    def __init__(self, table: Path, boards: Series, version: str) -> None:
        """Take the file for this process until it is closed. Raises `TableError`."""
        self.path = table.with_name(f"{table.name}.partial")
        self.boards = boards
        self.version = version
        self.solvers: set[str] = set()
        """Which solvers the rows come from."""
        self._latest: dict[str, str] = {}
        with self._usable():
            self._held = hold(self.path)

    def open(self, solvers: str) -> dict[Piece, Row]:
        """Return what is in it, and make it ready for rows of some solvers. Raises `TableError`."""
        self.solvers.add(solvers)
        header = {"command": self.boards.command, "version": self.version, "solvers": solvers}
        with self._usable():
            data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if not whole and not data.startswith(BEGINNING[: len(data)]):
            raise self._damaged()
        found = self._read(whole) if whole else {}
        with self._usable():
            with self.path.open("ab") as file:
                file.truncate(len(whole))
            if self._latest != header:
                self._append(header)
        return found

    def keep(self, piece: Piece, row: Row) -> None:
        """Add a row, and return when it is on disk. Raises `TableError`."""
        with self._usable():
            self._append({"move": piece[1], **asdict(row)})

    def remove(self) -> None:
        """Remove the file: the table is whole."""
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let another process have the file; one with nothing in it is removed."""
        if self.path.exists() and not self.path.stat().st_size:
            self.remove()
        if self._held is not None:
            self._held.close()

    def _append(self, line: Mapping[str, Any]) -> None:
        with self.path.open("ab") as file:
            file.write(json.dumps({**line, "sha256": _hash(line)}).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _read(self, whole: bytes) -> dict[Piece, Row]:
        try:
            lines = [_checked(json.loads(line)) for line in whole.splitlines()]
            headers = [line for line in lines if "command" in line]
            commands = [(Series.of_command(said["command"]), said["version"]) for said in headers]
            self.solvers |= {said["solvers"] for said in headers}
            self._latest = headers[-1]
            moves = [(line.pop("move"), row_from(line)) for line in lines if "move" in line]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise self._damaged() from None
        for boards, version in commands:
            self._check(boards, version)
        numbers = self.boards.numbers
        if not all(row.n in numbers and (move is None or is_whole(move)) for move, row in moves):
            raise self._damaged()
        return {(row.n, move): row for move, row in moves}

    def _damaged(self) -> TableError:
        return TableError(
            f"{self.path} is damaged. Remove it, or choose another name for the table."
        )

    def _check(self, boards: Series, version: str) -> None:
        if version != self.version:
            other = f"version {version}, and this is {self.version}"
        elif not self.boards.goes_on(boards):
            other = boards.command
        else:
            return
        raise TableError(
            f"{self.path} was left by another command: {other}. "
            "Finish that one, remove the file, or choose another name for the table."
        )

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except BlockingIOError:
            raise TableError(
                f"{self.path} is being written by another process. "
                "Let it finish, or choose another name for the table."
            ) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", "") or error
            raise TableError(f"{self.path} cannot be written: {reason}.") from None


def _hash(line: Mapping[str, Any]) -> str:
    return sha256(json.dumps(line).encode()).hexdigest()[:16]


def _checked(line: Any) -> dict[str, Any]:
    """Return a line without its hash. Raises `ValueError` if that does not fit."""
    said: dict[str, Any] = dict(line)
    if said.pop("sha256") != _hash(said):
        raise ValueError("the line has been changed")
    return said
