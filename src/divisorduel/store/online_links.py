"""The links to a person's own seats in matches on servers, one file for each.

A link is a secret: it opens the seat. So only the user can read the files.
"""

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self

from divisorduel.store.atomic_file import StoreError, read_text, remove, unusable, write_whole
from divisorduel.store.match_files import data_folder, local_time

_ENDING = ".json"


@dataclass(frozen=True, slots=True)
class OnlineLink:
    """A link to a person's own seat."""

    link: str
    about: str
    """The match in a few words, as it was when the person last used the link."""
    used_at: float
    """When the person last used it, in seconds since 1970."""

    @property
    def when(self) -> datetime:
        """When the person last used it, as a local time."""
        return local_time(self.used_at)


class OnlineLinks:
    """The links in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def of_user(cls) -> Self:
        """Return the links in the user's data folder."""
        return cls(data_folder().with_name("online"))

    def newest_first(self) -> list[OnlineLink]:
        """Return the links, most recently used first. A damaged file is skipped."""
        found = []
        for path in self._folder.glob(f"*{_ENDING}"):
            with suppress(StoreError, ValueError, TypeError, LookupError, OSError, RecursionError):
                if path.is_file():  # a pipe would block
                    data = json.loads(read_text(path))
                    link, about = str(data["link"]), str(data["about"])
                    found.append(OnlineLink(link, about, path.stat().st_mtime))
        return sorted(found, key=lambda one: (one.used_at, one.link), reverse=True)

    def remember(self, link: str, about: str) -> None:
        """Remember a link that is being used; it is on disk when this returns.

        Raises `StoreError`.
        """
        path = self._path(link)
        with unusable(path, "written"):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        content = json.dumps({"link": link, "about": about})
        write_whole(path, f"{content}\n", is_secret=True)

    def forget(self, link: str) -> None:
        """Forget a link, if it is known. Raises `StoreError`."""
        path = self._path(link)
        if path.exists():
            remove(path)

    def _path(self, link: str) -> Path:
        return self._folder / f"{hashlib.sha256(link.encode()).hexdigest()[:20]}{_ENDING}"
