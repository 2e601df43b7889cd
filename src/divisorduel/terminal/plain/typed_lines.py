"""Lines that are typed or piped while something else happens."""

import asyncio
import os
import threading
from collections.abc import Iterator
from typing import TextIO

LONGEST_LINE = 100_000
"""Longer lines are cut."""


class TypedLines:
    """Reads lines in a thread of its own, which does not keep the program from ending."""

    def __init__(self, stream: TextIO | None) -> None:
        """Read from a stream. It must not be read in any other way from here on."""
        self._stream = stream
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._has_begun = False

    async def next(self) -> str | None:
        """Return the next line without its end; None once there are no more."""
        if not self._has_begun:
            self._has_begun = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop,), daemon=True, name="lines").start()
        line = await self._lines.get()
        if line is None:
            self._lines.put_nowait(None)  # for the next call
        return line

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            for line in self._split():
                loop.call_soon_threadsafe(self._lines.put_nowait, line)
            loop.call_soon_threadsafe(self._lines.put_nowait, None)
        except RuntimeError:  # the program has ended
            return

    def _split(self) -> Iterator[str]:
        # The thread reads the file itself: a stream that it waits for could not be closed.
        if self._stream is None:
            return
        file, encoding, rest = self._stream.fileno(), self._stream.encoding or "utf-8", b""
        while data := _data(file):
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                yield line.rstrip(b"\r").decode(encoding, "replace")
            rest = rest[:LONGEST_LINE]
        if rest:
            yield rest.decode(encoding, "replace")


def _data(file: int) -> bytes:
    try:
        return os.read(file, 65_536)
    except OSError:  # the terminal is gone
        return b""
