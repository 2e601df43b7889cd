"""The shelf: where matches are kept, so that none is lost. One file a match, in record format."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from divisorduel.play.match import Match
from divisorduel.record.matches import Heading, match_to_records, records_to_match
from divisorduel.record.model import Record, RecordError
from divisorduel.record.reader import read_records
from divisorduel.record.writer import write_records
from divisorduel.rules.errors import DuelError
from divisorduel.store.files import write_whole

ENDING = ".duel"


class StoreError(DuelError):
    """A file that cannot be used; the message names it, and the line where there is one."""


class ChangedElsewhere(StoreError):
    """The file of a match is not what was last written to it: another program plays it too."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A match that was read from a file."""

    match: Match
    heading: Heading
    path: Path


def data_folder() -> Path:
    """Return the folder where this platform keeps a user's matches; it may not exist yet."""
    import platformdirs

    return platformdirs.user_data_path("divisorduel", appauthor=False) / "matches"


def read_file(path: Path) -> tuple[Record, ...]:
    """Read the games in a file. Raises `StoreError`."""
    try:
        return read_records(path.read_bytes())
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}.") from None
    except RecordError as error:
        raise StoreError(f"{path} cannot be used. {error}") from None


def read_match(path: Path) -> Kept:
    """Read the match in a file. Raises `StoreError`."""
    records = read_file(path)
    try:
        match = records_to_match(records)
    except RecordError as error:
        raise StoreError(f"{path} cannot be used. {error}") from None
    return Kept(match, Heading(records[0].tag("Match"), records[0].tag("Date")), path)


def save_as(match: Match, heading: Heading, path: Path) -> None:
    """Save a match where a player says. Raises `StoreError`.

    A file is replaced only if it holds an earlier state of the same match.
    """
    if path.exists() and not _is_earlier(path, heading):
        raise StoreError(f"{path} exists already and is not this match: choose another name.")
    try:
        write_whole(path, write_records(match_to_records(match, heading)))
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}.") from None


def _is_earlier(path: Path, heading: Heading) -> bool:
    try:
        return all(record.tag("Match") == heading.match for record in read_file(path))
    except StoreError:
        return False


class Shelf:
    """The matches in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def newest_first(self) -> Iterator[Path]:
        """Yield the files of the shelf, the one written last first."""
        files = self.folder.glob(f"*{ENDING}") if self.folder.is_dir() else ()
        found = [(path.stat().st_mtime_ns, path.name, path) for path in files if path.is_file()]
        for _, _, path in sorted(found, reverse=True):
            yield path

    def path(self, name: str) -> Path:
        """Return where the match of that name is kept."""
        return self.folder / f"{name}{ENDING}"


class Keeper:
    """Keeps one match on a shelf, and never writes over what it has not written or read itself."""

    def __init__(self, shelf: Shelf, heading: Heading, *, holds: str | None = None) -> None:
        """Take the match over; `holds` is the text of its file, if it has one already."""
        self._shelf = shelf
        self.heading = heading
        self._holds = holds

    @property
    def path(self) -> Path:
        """The file that holds the match."""
        return self._shelf.path(self.heading.match)

    def apart(self, name: str) -> "Keeper":
        """Return a keeper that keeps the match under another name."""
        return Keeper(self._shelf, Heading(name, self.heading.date))

    def keep(self, match: Match) -> None:
        """Write the match down; it is on disk when this returns. Raises `StoreError`."""
        text = write_records(match_to_records(match, self.heading))
        try:
            self._shelf.folder.mkdir(parents=True, exist_ok=True)
            if self._current() != self._holds:
                raise ChangedElsewhere(f"{self.path} was changed by another program.")
            write_whole(self.path, text)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be written: {error.strerror or error}.") from None
        self._holds = text

    def _current(self) -> str | None:
        try:
            return self.path.read_bytes().decode("utf-8", "replace")
        except FileNotFoundError:
            return None
