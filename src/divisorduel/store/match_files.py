"""The shelf: where matches are kept, so that none is lost. One file a match, in record format."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from divisorduel.play.match import Match
from divisorduel.record.match_records import Heading, match_to_records, records_to_match
from divisorduel.record.model import Record, RecordError
from divisorduel.record.reader import read_records
from divisorduel.record.writer import write_records
from divisorduel.rules.errors import DuelError
from divisorduel.store.atomic_file import clear_leftovers, write_whole

ENDING = ".duel"


class StoreError(DuelError):
    """A file that cannot be used; the message names it, and the line where there is one."""


class ChangedElsewhere(StoreError):
    """The file of a match is not what was last written to it: another program plays it too."""


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match that was read from a file."""

    match: Match
    heading: Heading
    path: Path
    is_ours: bool
    """Whether the file is as this program writes it; if not, somebody added something to it."""


def data_folder() -> Path:
    """Return the folder where this platform keeps a user's matches; it may not exist yet."""
    import platformdirs

    return platformdirs.user_data_path("divisorduel", appauthor=False) / "matches"


def read_file(path: Path) -> tuple[Record, ...]:
    """Read the games in a file. Raises `StoreError`."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or error
        raise StoreError(f"{path} cannot be read: {reason}.") from None
    try:
        return read_records(data)
    except RecordError as error:
        raise StoreError(f"{path} cannot be used. {error}") from None


def chosen_records(path: Path, number: int | None) -> tuple[Record, ...]:
    """Read all the games in a file, or one of them, counted from 1. Raises `StoreError`."""
    records = read_file(path)
    if number is None:
        return records
    if number > len(records):
        raise StoreError(f"{path} has no game number {number}; the last one is {len(records)}.")
    return (records[number - 1],)


def read_match(path: Path) -> SavedMatch:
    """Read the match in a file. Raises `StoreError`."""
    records = read_file(path)
    try:
        match = records_to_match(records)
    except RecordError as error:
        raise StoreError(f"{path} cannot be used. {error}") from None
    heading = Heading(records[0].tag("Match"), records[0].tag("Date"))
    return SavedMatch(match, heading, path, is_ours=records == match_to_records(match, heading))


def save_as(match: Match, heading: Heading, file: str) -> Path:
    """Save a match where a player says, and return the path. Raises `StoreError`.

    A file is replaced only if it holds this match and nothing that somebody added to it.
    """
    try:
        path = Path(file).expanduser().resolve()
        free = not path.exists() or _may_replace(path, heading)
        if free:
            write_whole(path, write_records(match_to_records(match, heading)))
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {error.strerror or error}.") from None
    except (ValueError, RuntimeError) as error:
        raise StoreError(f"{file!a} is no name for a file: {error}.") from None
    if not free:
        raise StoreError(f"{path} exists already and is not this match: choose another name.")
    return path


def _may_replace(path: Path, heading: Heading) -> bool:
    try:
        kept = read_match(path) if path.is_file() else None
    except StoreError:
        return False
    return kept is not None and kept.is_ours and kept.heading == heading


class MatchFolder:
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


class MatchFile:
    """Keeps one match on a shelf, and never writes over what it has not written or read itself."""

    def __init__(self, shelf: MatchFolder, name: str, heading: Heading) -> None:
        self._shelf = shelf
        self._heading = heading
        self.path = shelf.path(name)
        self._holds: bytes | None = None

    @classmethod
    def of(cls, shelf: MatchFolder, kept: SavedMatch) -> "MatchFile":
        """Take over the file of a match that was read from the shelf."""
        keeper = cls(shelf, kept.path.stem, kept.heading)
        keeper._holds = keeper._current()
        clear_leftovers(keeper.path)
        return keeper

    def apart(self, name: str) -> "MatchFile":
        """Return a keeper that keeps the match under another name."""
        return MatchFile(self._shelf, name, self._heading)

    def keep(self, match: Match) -> None:
        """Write the match down; it is on disk when this returns. Raises `StoreError`."""
        text = write_records(match_to_records(match, self._heading))
        try:
            self._shelf.folder.mkdir(parents=True, exist_ok=True)
            if self._current() != self._holds:
                raise ChangedElsewhere(f"{self.path} was changed by another program.")
            write_whole(self.path, text)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be written: {error.strerror or error}.") from None
        self._holds = text.encode()

    def _current(self) -> bytes | None:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None
