"""The history: every match in a folder, finished or not, and what is known about it.

The match files are authoritative. An index remembers what was read from them; a file that has
changed since is read again.
"""

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from divisorduel.coach.review import Review, review
from divisorduel.coach.statistics import tally
from divisorduel.record.model import RecordError
from divisorduel.solve.budget import Budget
from divisorduel.store.atomic_file import (
    StoreError,
    clear_old_leftovers,
    read_bytes,
    read_text,
    remove,
    unusable,
)
from divisorduel.store.history_index import HistoryIndex, IndexRow
from divisorduel.store.match_files import (
    ENDING,
    MatchFolder,
    SavedMatch,
    data_folder,
    local_time,
    read_file,
    read_match,
)
from divisorduel.store.match_summary import (
    MatchSummary,
    Tallies,
    not_judged,
    summary_from_json,
    summary_to_json,
    tallies_from_json,
    tallies_to_json,
)
from divisorduel.store.output import write_output
from divisorduel.system import program

LAST = "last"
"""Means the newest match that a command can use."""
BATCH = 500
"""After how many files the index is written, so that an interruption loses little."""
SECONDS_FOR_A_GAME = 1.0
"""How long the search for mistakes in one match may take."""

OnError = Callable[[StoreError], object]
OnProgress = Callable[[int, int], object]
"""Called with how many files have been read, and how many have to be."""


def _ignore(*_: object) -> None:
    pass


class _File(NamedTuple):
    """A match file as the folder lists it."""

    stamp: str
    """Differs from the stamp of every other state of the file."""
    played_at: float


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One match of the history."""

    number: int
    """The number by which people refer to it; it never changes."""
    name: str
    """The id of the match, which is also the name of its file."""
    stamp: str
    played_at: float
    """When the last move was made, in seconds since 1970."""
    summary: MatchSummary
    tallies: Tallies

    @property
    def when(self) -> datetime:
        """When the last move was made, as a local time."""
        return local_time(self.played_at)

    @property
    def has_finished_game(self) -> bool:
        """Whether at least one round is finished."""
        return any(self.summary.winners)

    @property
    def is_judged(self) -> bool:
        """Whether the mistakes in all finished rounds are counted."""
        rounds = zip(self.summary.winners, self.tallies, strict=True)
        return all(tally is not None for winner, tally in rounds if winner is not None)


class History:
    """The matches in a folder, with an index beside it."""

    def __init__(self, folder: MatchFolder, index: Path) -> None:
        self.folder = folder
        self._index = HistoryIndex(index)

    @classmethod
    def of_user(cls) -> "History":
        """Return the history in the user's data folder."""
        folder = data_folder()
        return cls(MatchFolder(folder), folder.with_name("history.sqlite"))

    def entries(
        self, on_error: OnError = _ignore, on_progress: OnProgress = _ignore
    ) -> list[HistoryEntry]:
        """Return the matches, most recent first; report the files that are damaged.

        Files that killed programs left in the folder are removed after a day. Raises `StoreError`
        if the folder cannot be read.
        """
        if not self.folder.folder.exists():  # it may come back: forget nothing
            return []
        clear_old_leftovers(self.folder.folder, time.time())
        known = self._index.rows()
        files = self._files()  # after the index: a match that another program adds is not gone
        gone = [name for name in known if name not in files]
        remembered = (
            _entry_of(row, files[row.name])
            for row in known.values()
            if row.name in files and row.stamp == files[row.name].stamp
        )
        found = [entry for entry in remembered if entry is not None]
        current = {entry.name for entry in found}
        changed = [name for name in files if name not in current]
        last_number = max((row.number for row in known.values()), default=0)
        for start in range(0, len(changed), BATCH):
            on_progress(start, len(changed))
            batch = {name: files[name] for name in changed[start : start + BATCH]}
            new = self._read(batch, gone, last_number, on_error)
            last_number = max((last_number, *(entry.number for entry in new)))
            found += new
            gone = []
        if gone:
            self._index.update({}, gone)
        return sorted(found, key=lambda entry: (entry.played_at, entry.name), reverse=True)

    def _files(self) -> dict[str, _File]:
        """Return the match files by their names, in the order in which the matches began."""
        found = {}
        folder = self.folder.folder
        with unusable(folder, "read"), os.scandir(folder) as listed:
            for file in listed:
                # It may have been deleted, may link to itself, or its name may not be text.
                with suppress(OSError, UnicodeEncodeError):
                    if file.name.endswith(ENDING) and file.is_file() and file.name.encode():
                        found[file.name.removesuffix(ENDING)] = _state_of(file)
        return dict(sorted(found.items()))

    def _read(
        self, files: Mapping[str, _File], gone: Sequence[str], last_number: int, on_error: OnError
    ) -> list[HistoryEntry]:
        summaries: dict[str, MatchSummary] = {}
        for name in files:
            path = self.folder.path(name)
            try:
                summaries[name] = MatchSummary.of(read_bytes(path))
            except StoreError as error:
                on_error(error)
            except RecordError as error:
                on_error(StoreError(f"{path} is not a valid game file. {error}"))
        read = {
            name: (files[name].stamp, summary_to_json(summary))
            for name, summary in summaries.items()
        }
        numbers = self._index.update(read, gone)
        return [
            HistoryEntry(
                numbers.get(name, last_number + at),
                name,
                *files[name],
                summary,
                not_judged(summary),
            )
            for at, (name, summary) in enumerate(summaries.items(), 1)
        ]

    def path(self, entry: HistoryEntry) -> Path:
        """Return the file of a match."""
        return self.folder.path(entry.name)

    def unfinished(self, on_error: OnError) -> Iterator[SavedMatch]:
        """Yield the unfinished matches, the newest first; report the files that are damaged."""
        try:
            entries = self.entries(on_error)
        except StoreError as error:
            on_error(error)
            return
        for entry in entries:
            if not entry.summary.is_over:
                try:
                    yield read_match(self.path(entry))
                except StoreError as error:
                    on_error(error)

    def find(
        self, word: str, is_usable: Callable[[HistoryEntry], bool] = lambda _: True
    ) -> HistoryEntry | None:
        """Return the match with that number or id; for ``last``, the newest one that is usable."""
        if word == LAST:
            return next(filter(is_usable, self.entries()), None)
        is_number = re.fullmatch("[0-9]{1,9}", word, re.ASCII) is not None
        if not is_number and not self.folder.path(word).exists():
            return None
        wanted = int(word) if is_number else None
        return next((e for e in self.entries() if e.name == word or e.number == wanted), None)

    def locate(
        self, word: str, is_usable: Callable[[HistoryEntry], bool] = lambda _: True, *, none: str
    ) -> tuple[Path, HistoryEntry | None]:
        """Find a match as `find` does, or else the file of that name.

        The last match is one in which a person played, if there is one. Raises `StoreError`, with
        `none` as its message if no match can be the last one.
        """
        with unusable(word, "read"):
            entry = self.find(word, lambda entry: entry.summary.has_person and is_usable(entry))
            entry = entry or self.find(word, is_usable)
            if entry is not None:
                return self.path(entry), entry
            if word == LAST:
                raise StoreError(f"{none} To start a new game: {program()} play GAME")
            path = Path(word)
            if not path.exists():
                raise StoreError(
                    f"No saved game or file is called {word!r}. "
                    f"To see your games: {program()} history"
                )
        return path, None

    def judge(
        self,
        entries: Sequence[HistoryEntry],
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> list[HistoryEntry]:
        """Count the mistakes in finished matches as far as the time allows, and remember them.

        At least one match is judged, so that every call makes progress. Return all the matches.
        """
        deadline = clock() + seconds
        judged: dict[str, HistoryEntry] = {}
        try:
            for entry in entries:
                if not entry.is_judged:
                    judged[entry.name] = self._judged(entry)
                    if clock() >= deadline:
                        break
        finally:
            self._remember(judged.values())
        return [judged.get(entry.name, entry) for entry in entries]

    def _judged(self, entry: HistoryEntry) -> HistoryEntry:
        try:
            records = read_file(self.path(entry))
        except StoreError:  # it is damaged, or has just been deleted
            return entry
        budget = Budget(SECONDS_FOR_A_GAME)
        reviews = [review(record, budget, with_lines=False) for record in records if record.winner]
        return _with_reviews(entry, reviews)

    def note_reviews(self, entry: HistoryEntry, reviews: Sequence[Review]) -> None:
        """Remember the mistakes that were found in all finished rounds of a match."""
        self._remember([_with_reviews(entry, reviews)])

    def _remember(self, entries: Iterable[HistoryEntry]) -> None:
        judged = [entry for entry in entries if entry.is_judged]
        if judged:
            self._index.note_tallies(
                (entry.name, entry.stamp, tallies_to_json(entry.tallies)) for entry in judged
            )

    def delete(self, entry: HistoryEntry) -> None:
        """Delete a match. Raises `StoreError`, for example if it was continued in the meantime."""

        def check() -> None:
            if _state_of(self.path(entry)).stamp != entry.stamp:
                raise StoreError(
                    f"Game {entry.number} has changed in the meantime. "
                    f"To see your games: {program()} history"
                )

        remove(self.path(entry), check)

    def export(
        self, entry: HistoryEntry, file: Path, *, force: bool, patience: float | None = None
    ) -> None:
        """Write a match to a file or a stream, as `write_output` does. Raises `StoreError`."""
        write_output(file, read_text(self.path(entry)), force=force, patience=patience)


def _state_of(file: "os.DirEntry[str] | Path") -> _File:
    state = file.stat()
    return _File(f"{state.st_mtime_ns}-{state.st_size}-{state.st_ino}", state.st_mtime)


def _entry_of(row: IndexRow, file: _File) -> HistoryEntry | None:
    """Return what the index knows about a match; None if that is damaged."""
    try:
        summary = summary_from_json(row.summary)
        tallies = tallies_from_json(row.tallies) if row.tallies else not_judged(summary)
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    return HistoryEntry(row.number, row.name, *file, summary, tallies)


def _with_reviews(entry: HistoryEntry, reviews: Sequence[Review]) -> HistoryEntry:
    """Return a match with the tallies of its finished rounds, if these are the reviews of them."""
    if len(reviews) != sum(winner is not None for winner in entry.summary.winners):
        return entry
    found = iter(reviews)
    tallies = (None if winner is None else tally(next(found)) for winner in entry.summary.winners)
    return replace(entry, tallies=tuple(tallies))
