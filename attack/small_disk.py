"""Disks that are full or read-only: a small tmpfs, which needs root."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class SmallDisk:
    """A disk of a few megabytes."""

    folder: Path

    @property
    def _filler(self) -> Path:
        return self.folder / "filler"

    def fill(self) -> None:
        """Leave no space."""
        with suppress(OSError), self._filler.open("ab", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    def free(self) -> None:
        """Give the space back."""
        self._filler.unlink(missing_ok=True)

    def set_read_only(self, *, read_only: bool) -> None:
        """Mount it again, for reading only or for writing; no file may be open for writing."""
        how = "ro" if read_only else "rw"
        subprocess.run(["mount", "-o", f"remount,{how}", self.folder], check=True)


def can_mount() -> bool:
    """Tell whether this user may mount disks."""
    return os.geteuid() == 0


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[SmallDisk]:
    """Mount an empty disk in a folder; a size is for example "2m"."""
    words = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0777", "duel-attack"]
    subprocess.run([*words, str(folder)], check=True)
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
