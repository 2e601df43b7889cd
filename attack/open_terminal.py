"""``duel`` at a terminal that waits for the next line."""

import os
import re
import subprocess
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from tests.conftest import DUEL, Duel

PROMPT = b"Enter your chosen number: "
ANSWER = re.compile(r"You selected \d+\.|\d+ was taken back\.")
"""What is shown once a command is on disk."""


class OpenTerminal:
    """``duel`` behind a pipe, which waits for the next line."""

    def __init__(self, duel: Duel, *words: str) -> None:
        self._process = subprocess.Popen(
            [DUEL, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=duel.environment(),
        )
        self._shown = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def type(self, lines: Sequence[str]) -> None:
        """Type lines, all at once."""
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self._process.stdin.flush()

    def wait(self, answers: int) -> None:
        """Wait until it has answered this many lines and asks for the next one."""
        assert self._process.stdout is not None
        while self._shown.count(PROMPT) <= answers:
            more = os.read(self._process.stdout.fileno(), 1 << 16)
            assert more, f"the program ended by itself: {self._shown.decode()}"
            self._shown += more

    def leave(self) -> str:
        """End the input; return all that was shown."""
        rest, _ = self._process.communicate(timeout=60)
        return (self._shown + rest).decode()
