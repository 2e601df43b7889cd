"""What is known about the match files, in a SQLite file, so that a list need not read them all.

Everything in it can be rebuilt from the match files, except the numbers by which people refer to
the matches. If it is damaged, it is rebuilt; if it cannot be used, nothing is remembered.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

VERSION = 1
"""Counts the changes to the columns. An index of another version is rebuilt."""
SECONDS_TO_WAIT = 5.0
"""How long a program waits for another one that is writing the index."""

_TABLE = """
CREATE TABLE matches (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    stamp TEXT NOT NULL,
    summary TEXT NOT NULL,
    tallies TEXT
)
"""
_WRITE = """
INSERT INTO matches (name, stamp, summary) VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE
SET stamp = excluded.stamp, summary = excluded.summary, tallies = NULL
"""

T = TypeVar("T")


class IndexRow(NamedTuple):
    """What is known about one match file."""

    number: int
    name: str
    stamp: str
    """The state of the file when it was read."""
    summary: str
    tallies: str | None


class HistoryIndex:
    """The index in a file, which several programs may use at the same time."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def rows(self) -> dict[str, IndexRow]:
        """Return what is known about each match, by its name."""

        def read(index: sqlite3.Connection) -> dict[str, IndexRow]:
            found = index.execute("SELECT number, name, stamp, summary, tallies FROM matches")
            return {row.name: row for row in map(IndexRow._make, found)}

        return self._use(read, {})

    def update(self, read: Mapping[str, tuple[str, str]], gone: Iterable[str]) -> dict[str, int]:
        """Note the stamp and the summary of matches that were read, and forget others.

        New matches get the next numbers, in the order given. Return the numbers of those read.
        """

        def write(index: sqlite3.Connection) -> dict[str, int]:
            index.execute("BEGIN IMMEDIATE")
            index.executemany("DELETE FROM matches WHERE name = ?", ((name,) for name in gone))
            index.executemany(_WRITE, ((name, *known) for name, known in read.items()))
            found = index.execute("SELECT name, number FROM matches").fetchall()
            index.execute("COMMIT")
            return {name: number for name, number in found if name in read}

        return self._use(write, {})

    def note_tallies(self, found: Iterable[tuple[str, str, str]]) -> None:
        """Note the name of each match, the stamp it had, and its tallies."""

        def write(index: sqlite3.Connection) -> None:
            index.execute("BEGIN IMMEDIATE")
            index.executemany(
                "UPDATE matches SET tallies = ?3 WHERE name = ?1 AND stamp = ?2", found
            )
            index.execute("COMMIT")

        self._use(write, None)

    def _use(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Work with the index, and return what comes of it; `otherwise` if it cannot be used."""
        for _ in range(2):
            try:
                with self._opened() as index:
                    return work(index)
            except sqlite3.OperationalError:  # it is locked, read-only, or the disk is full
                return otherwise
            except sqlite3.DatabaseError:  # it is damaged
                with suppress(OSError):
                    self._path.unlink()
        return otherwise

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self._path, timeout=SECONDS_TO_WAIT, isolation_level=None)
        with closing(connection) as index:
            if not _is_current(index):
                _make(index)
            yield index


def _is_current(index: sqlite3.Connection) -> bool:
    found: tuple[int] = index.execute("PRAGMA user_version").fetchone()
    return found == (VERSION,)


def _make(index: sqlite3.Connection) -> None:
    """Make the table, unless another program has done so in the meantime."""
    index.execute("BEGIN IMMEDIATE")
    if not _is_current(index):
        index.execute("DROP TABLE IF EXISTS matches")
        index.execute(_TABLE)
        index.execute(f"PRAGMA user_version = {VERSION}")
    index.execute("COMMIT")
