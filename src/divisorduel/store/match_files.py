"""Matches in files, one file for each match, in the format of records."""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from divisorduel.play.match import Match
from divisorduel.record.match_records import Heading, match_to_records, records_to_match
from divisorduel.record.model import Record, RecordError
from divisorduel.record.reader import read_records
from divisorduel.record.writer import write_records
from divisorduel.store.atomic_file import StoreError as StoreError
from divisorduel.store.atomic_file import clear_leftovers, read_bytes, unusable, write_whole
from divisorduel.store.output import PATIENCE, is_stream, write_output

ENDING = ".duel"


class ChangedElsewhere(StoreError):
    """The file of a match was changed by another program since this one wrote it."""

    code = "changed-elsewhere"


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match that was read from a file."""

    match: Match
    heading: Heading
    path: Path
    is_ours: bool
    """Whether the file is exactly what this program writes, without any additions."""
    content: bytes = field(repr=False)
    """The file as it was read."""


def data_folder() -> Path:
    """Return the folder for the user's matches on this platform; it may not exist yet."""
    import platformdirs

    return platformdirs.user_data_path("divisorduel", appauthor=False) / "matches"


def local_time(seconds: float) -> datetime:
    """Return a time in seconds since 1970 as a local time.

    A file can have a time that no calendar has; that counts as the start of 1970.
    """
    try:
        return datetime.fromtimestamp(seconds).astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0).astimezone()


def read_file(path: Path) -> tuple[Record, ...]:
    """Read the games in a file. Raises `StoreError`."""
    data = read_bytes(path)
    try:
        return read_records(data)
    except RecordError as error:
        raise StoreError(f"{path} is not a valid game file. {error}") from None


def chosen_records(path: Path, number: int | None) -> tuple[Record, ...]:
    """Read all the games in a file, or one of them, counted from 1. Raises `StoreError`."""
    records = read_file(path)
    if number is None:
        return records
    if number > len(records):
        raise StoreError(f"{path} has no game {number}; its last game is {len(records)}.")
    return (records[number - 1],)


def read_match(path: Path) -> SavedMatch:
    """Read the match in a file. Raises `StoreError`."""
    content = read_bytes(path)
    try:
        records = read_records(content)
        match = records_to_match(records)
    except RecordError as error:
        raise StoreError(f"{path} is not a valid game file. {error}") from None
    heading = Heading(records[0].tag("Match"), records[0].tag("Date"))
    is_ours = records == match_to_records(match, heading)
    return SavedMatch(match, heading, path, is_ours, content)


def save_as(match: Match, heading: Heading, file: str, replaces: bytes | None = None) -> Path:
    """Save a match in a file that a player named, and return its path. Raises `StoreError`.

    Replace a file only if it holds this match, or exactly what the match was resumed from
    (`replaces`), and nothing that was added by hand. Standard output (-), devices and pipes are
    written to; a pipe without a reader raises an error, so that it does not stop the game.
    """
    text = write_records(match_to_records(match, heading))
    with unusable(file, "written"):
        path = Path(file).expanduser()
        if is_stream(path):
            write_output(path, text, force=False, patience=PATIENCE)
            return path
        path = path.resolve()

    def check() -> None:
        if path.exists() and not _may_replace(path, heading, replaces):
            raise StoreError(
                f"{path} already exists and holds something else. Choose another name."
            )

    write_whole(path, text, check)
    return path


def _may_replace(path: Path, heading: Heading, replaces: bytes | None) -> bool:
    try:
        saved = read_match(path)
    except StoreError:
        return False
    return saved.is_ours and (saved.heading == heading or saved.content == replaces)


class MatchFolder:
    """The folder of the matches, one file for each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def newest_first(self) -> list[Path]:
        """Return the files of the matches, the last written first."""
        found = []
        for path in self.folder.glob(f"*{ENDING}"):
            with suppress(OSError):  # it has just been deleted, for example
                if path.is_file():
                    found.append((path.stat().st_mtime_ns, path.name, path))
        return [path for _, _, path in sorted(found, reverse=True)]

    def path(self, name: str) -> Path:
        """Return the file for the match of that name."""
        return self.folder / f"{name}{ENDING}"


class MatchFile:
    """The file of one match. It never overwrites content that it did not write or read itself."""

    def __init__(self, folder: MatchFolder, name: str, heading: Heading) -> None:
        self._folder = folder
        self.heading = heading
        self.path = folder.path(name)
        self._last_known: bytes | None = None

    @classmethod
    def of(cls, folder: MatchFolder, saved: SavedMatch) -> "MatchFile":
        """Take over the file of a match that was read from the folder."""
        file = cls(folder, saved.path.stem, saved.heading)
        file._last_known = saved.content
        clear_leftovers(file.path)
        return file

    def with_name(self, name: str) -> "MatchFile":
        """Return another file for the match, which has that name from here on."""
        return MatchFile(self._folder, name, replace(self.heading, match_id=name))

    def save(self, match: Match) -> None:
        """Save the match; it is on disk when this returns.

        Raises `ChangedElsewhere` if another program has changed the file, and `StoreError`.
        """
        text = write_records(match_to_records(match, self.heading))
        with unusable(self.path, "written"):
            self._folder.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.path, text, self._check_unchanged)
        self._last_known = text.encode()

    def _check_unchanged(self) -> None:
        if self._current() != self._last_known:
            raise ChangedElsewhere(f"{self.path} was changed by another program.")

    def _current(self) -> bytes | None:
        return read_bytes(self.path) if self.path.exists() else None
