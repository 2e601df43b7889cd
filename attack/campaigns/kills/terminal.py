"""Kills of the terminal: ``duel play`` and ``duel resume``, through a pipe or a pseudo-terminal."""

import os
import signal
import subprocess
import time
from pathlib import Path
from random import Random

import pexpect

from attack.open_terminal import ANSWER
from attack.scripted_match import OPENING, ScriptedMatch, shared_screen, typed
from divisorduel import read_records
from tests.conftest import DUEL, Duel
from tests.terminal.test_terminal import TerminalUser

LENGTH = 40
MOST_SECONDS = 0.005
"""How long after an answer the process may live: about as long as it takes to save a match."""


class KilledMatch:
    """A match that one process after the other continues; each is killed at a random instant."""

    def __init__(self, home: Path, rng: Random) -> None:
        self._duel = Duel(home)
        self._rng = rng
        self._script: ScriptedMatch = shared_screen(rng, LENGTH)
        self._stored = 0
        """How many commands the stored match holds."""

    @property
    def is_over(self) -> bool:
        """Whether all commands have been carried out."""
        return self._stored == len(self._script.commands)

    @property
    def words(self) -> list[str]:
        """The command that starts or continues the match."""
        return ["resume"] if self._stored else [*OPENING]

    def kill_once(self, *, screen: bool) -> None:
        """Play on, kill the process, and check that every answered command is stored, once."""
        session = self._on_screen if screen else self._through_pipe
        told = self._stored + len(ANSWER.findall(session(self._lines())))
        found = self._files()
        if not found:
            assert told == 0, f"{told} commands were answered, but there is no file"
            return
        [path] = found
        self._stored = self._script.find(read_records(path.read_bytes()), told)

    def finish(self) -> None:
        """Play to the end undisturbed; nothing that killed processes left behind may remain."""
        if not self.is_over:
            done = self._duel.run(*self.words, typed="".join(f"{line}\n" for line in self._lines()))
            assert "Traceback" not in done.stderr, done.stderr
            shown = len(ANSWER.findall(done.stdout))
            assert shown == len(self._lines()), f"a line was refused: {done.stdout}"
        [path] = self._files()
        last = len(self._script.commands)
        assert self._script.find(read_records(path.read_bytes()), last) == last
        left = [name for name in (file.name for file in self._duel.matches) if name[0] == "."]
        left = [name for name in left if not name.endswith(".duel-lock")]
        assert not left, f"temporary files remain: {left}"

    def _lines(self) -> list[str]:
        return [typed(command) for _, command in self._script.commands[self._stored :]]

    def _files(self) -> list[Path]:
        return [
            path for path in self._duel.matches if path.suffix == ".duel" and path.stem[0] != "."
        ]

    def _through_pipe(self, lines: list[str]) -> str:
        """Type ahead, kill the process, and return all it has shown."""
        with subprocess.Popen(
            [DUEL, *self.words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self._duel.environment(),
        ) as playing:
            assert playing.stdin is not None
            assert playing.stdout is not None
            playing.stdin.write("".join(f"{line}\n" for line in lines).encode())
            playing.stdin.flush()
            shown = b""
            if self._rng.random() < 0.2:  # at any time, also while it starts
                time.sleep(self._rng.random())
            else:
                wanted = self._rng.randrange(len(lines) + 1)
                while len(ANSWER.findall(shown.decode())) < wanted:
                    more = os.read(playing.stdout.fileno(), 1 << 16)
                    assert more, f"the program ended by itself: {shown.decode()}"
                    shown += more
                time.sleep(self._rng.random() * MOST_SECONDS)
            playing.kill()
            shown += playing.stdout.read()
        return shown.decode()

    def _on_screen(self, lines: list[str]) -> str:
        """Type line by line, kill the process, and return all it has shown."""
        user = TerminalUser(self._duel, *self.words, NO_COLOR="1")
        shown = ""
        for line in lines[: self._rng.randrange(min(8, len(lines)))]:
            user.type(line)
            user.screen.expect(ANSWER)
            shown += str(user.screen.before) + str(user.screen.after)
        user.type(lines[len(ANSWER.findall(shown))])
        limit = 1.0 if not shown else 10 * MOST_SECONDS  # at first it has to start
        time.sleep(self._rng.random() * limit)
        user.screen.kill(signal.SIGKILL)
        user.screen.expect(pexpect.EOF)
        shown += str(user.screen.before)
        user.screen.close()
        return shown
