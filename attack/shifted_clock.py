"""``duel`` with clocks that can be moved while it runs, because not every system has libfaketime.

Run as ``python -m attack.shifted_clock FILE serve …``. The file holds two numbers: by how many
seconds the clock of the system and the monotonic clock are ahead.
"""

import mmap
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

from attack.servers import AttackedServer

FORM = "dd"


class ShiftedServer(AttackedServer):
    """A server whose clocks can be moved."""

    def set_clocks(self, system: float, monotonic: float = 0.0) -> None:
        """Set by how many seconds the clocks are ahead."""
        with self._offsets.open("r+b") as file:
            file.write(struct.pack(FORM, system, monotonic))

    @property
    def _offsets(self) -> Path:
        return self._folder / "clocks"

    def _command(self) -> list[str]:
        self._offsets.write_bytes(struct.pack(FORM, 0, 0))
        words = [sys.executable, "-m", "attack.shifted_clock", str(self._offsets)]
        return [*words, *super()._command()[1:]]


def main() -> None:
    """Replace the clocks, and run ``duel`` with the other words."""
    name, *words = sys.argv[1:]
    with Path(name).open("rb") as file:
        offsets = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    time.time = _ahead(time.time, offsets, 0)
    time.monotonic = _ahead(time.monotonic, offsets, 1)
    sys.argv[1:] = words
    from divisorduel.cli.main import main as duel

    duel()


def _ahead(clock: Callable[[], float], offsets: mmap.mmap, number: int) -> Callable[[], float]:
    return lambda: clock() + float(struct.unpack_from(FORM, offsets)[number])


if __name__ == "__main__":
    main()
