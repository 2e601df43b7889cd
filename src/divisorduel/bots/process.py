"""A program in a session of its own that exchanges lines with us, within deadlines.

One thread does everything: it waits for all three pipes at once, so a program can neither block us
nor fill our memory, whatever it writes or does not read.
"""

import errno
import os
import secrets
import selectors
import shlex
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from divisorduel.bots.process_tree import ENGINE_VARIABLE, GUARD, LOOK_EVERY, ProcessTree
from divisorduel.bots.protocol import LONGEST_LINE, quoted
from divisorduel.play.players import PlayerFault

Clock = Callable[[], float]

LAST_WORDS = 2_000
"""How many bytes at the end of standard error are kept."""
CHUNK = 65_536
SECONDS_TO_END = 2.0
"""How long a program has to end after it was told to, or after it closed its output."""


@dataclass(frozen=True, slots=True)
class ProcessExit:
    """How a program ended after ``quit``."""

    status: int | None
    """The exit status, negative for a signal; None if it had to be killed."""
    leftovers: int
    """How many processes it left behind, which have been killed."""


class EngineProcess:
    """A running program. Raises `PlayerFault` if it cannot be started."""

    def __init__(self, command: str, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        mark = secrets.token_hex(16)
        self._process = _start(command, mark)
        self._tree = ProcessTree(self._process.pid, mark)
        self._guard = _guard_of(self._process, mark)
        self._lock = Lock()
        self._is_closed = False
        self._pipes = selectors.DefaultSelector()
        self._lines: deque[bytes] = deque()
        self._line = bytearray()
        self._unsent = bytearray()
        self._errors = bytearray()
        self._stdin, self._stdout, self._stderr = _pipes(self._process)
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        self._pipes.register(self._stdout, selectors.EVENT_READ)
        self._pipes.register(self._stderr, selectors.EVENT_READ)

    @property
    def last_words(self) -> str:
        """The end of what it wrote to standard error."""
        return self._errors.decode("utf-8", "replace").strip()

    def send(self, line: str) -> None:
        """Send a line; what the program does not read now is sent while we wait for an answer."""
        if not self._unsent and self._is_open(self._stdin):
            self._pipes.register(self._stdin, selectors.EVENT_WRITE)
        self._unsent += f"{line}\n".encode()
        self._exchange(0)

    def receive(self, deadline: float) -> str | None:
        """Return the next line, or None if there is none by the deadline.

        Raises `PlayerFault` if no line can come any more.
        """
        while not self._lines:
            left = deadline - self._clock()
            if not self._is_open(self._stdout):
                raise self._ended()
            self._exchange(max(0.0, left))
            if left <= 0 and not self._lines:
                return None
        line = self._lines.popleft()
        try:
            return line.decode().removesuffix("\r")
        except UnicodeDecodeError:
            raise PlayerFault(
                "unclear", f"It sent bytes that are not UTF-8: {line[:30]!r}."
            ) from None

    def quit(self) -> ProcessExit:
        """Tell the program to end, wait a moment, and kill it and what it left behind."""
        self._tree.others()  # once it has ended, its children are no longer known as such
        with suppress(PlayerFault):
            self.send("quit")
        deadline = self._clock() + SECONDS_TO_END
        while (status := self._status()) is None and self._clock() < deadline:
            with suppress(PlayerFault):
                self._exchange(LOOK_EVERY)
            self._lines.clear()
            if not self._unsent:
                self._close_stdin()
            if not self._pipes.get_map():
                time.sleep(LOOK_EVERY)
        leftovers = self._tree.others() if status is not None else []
        self.close()
        return ProcessExit(status, len(leftovers))

    def kill(self) -> None:
        """Kill the program and its session; any thread may do this at any time."""
        with self._lock:
            # The process is waited for only in `close`, so no other process can have its PID.
            if not self._is_closed:
                self._tree.kill()

    def close(self) -> None:
        """Kill the program and everything it started, and release what belongs to it."""
        self.kill()
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            self._pipes.close()
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                with suppress(OSError):  # it may have left input unread
                    if stream is not None:
                        stream.close()
            self._process.wait()
            self._guard.communicate(b"\n")  # only now: until then, the PID is that of our engine

    def _is_open(self, pipe: int) -> bool:
        streams = {self._stdin: self._process.stdin, self._stdout: self._process.stdout}
        stream = streams[pipe]
        return stream is not None and not stream.closed

    def _exchange(self, seconds: float) -> bool:
        """Read and write what is possible within some time; return whether anything was."""
        if not self._pipes.get_map():
            return False
        events = self._pipes.select(seconds)
        for key, _ in events:
            if key.fd == self._stdin:
                self._write()
            elif key.fd == self._stderr:
                self._read_errors()
            else:
                self._read_lines()
        return bool(events)

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._stdin, self._unsent[:CHUNK])]
        except BlockingIOError:
            return
        except OSError:  # it does not read any more; its output says why, or ends
            self._unsent.clear()
            self._close_stdin()
            return
        if not self._unsent:
            self._pipes.unregister(self._stdin)

    def _close_stdin(self) -> None:
        if self._is_open(self._stdin):
            with suppress(KeyError):
                self._pipes.unregister(self._stdin)
            with suppress(OSError):
                if self._process.stdin:
                    self._process.stdin.close()

    def _read_errors(self) -> None:
        data = os.read(self._stderr, CHUNK)
        if not data:
            self._pipes.unregister(self._stderr)
        self._errors += data
        del self._errors[:-LAST_WORDS]

    def _read_lines(self) -> None:
        data = os.read(self._stdout, CHUNK)
        if not data:
            self._pipes.unregister(self._stdout)
            if self._process.stdout:
                self._process.stdout.close()
            return
        *lines, rest = (bytes(self._line) + data).split(b"\n")
        self._line[:] = rest
        self._lines += lines
        for line in (*lines, rest):
            if len(line) > LONGEST_LINE:
                begun = quoted(line[:40].decode("utf-8", "replace"))
                raise PlayerFault(
                    "long-line",
                    f"It sent more than {LONGEST_LINE:,} bytes without ending the line, "
                    f"beginning with {begun}.",
                )

    def _status(self) -> int | None:
        """Return the exit status without waiting, negative for a signal; None while it runs."""
        if not hasattr(os, "waitid"):  # macOS, before Python 3.13
            return self._process.poll()
        # The process stays a zombie, so that its PID is not given to another one.
        found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    def _ended(self) -> PlayerFault:
        """Return the fault of a program that has closed its output."""
        deadline = self._clock() + SECONDS_TO_END
        while (status := self._status()) is None and self._clock() < deadline:
            if not self._exchange(LOOK_EVERY):
                time.sleep(LOOK_EVERY)
        while self._clock() < deadline and self._exchange(0):  # its last words
            pass
        if status is None:
            return PlayerFault("closed", "It closed its standard output but keeps running.")
        if status < 0:
            return PlayerFault("ended", f"It was killed by the signal {_signal_name(-status)}.")
        begun = bytes(self._line).decode("utf-8", "replace")
        half = f" Its last line, {quoted(begun)}, has no line ending." if begun else ""
        return PlayerFault("ended", f"It ended with exit status {status}.{half}")


def _start(command: str, mark: str) -> "subprocess.Popen[bytes]":
    if os.name != "posix":
        raise PlayerFault("no-start", "Engines need Linux, macOS or another POSIX system.")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise PlayerFault("no-start", f"{command!r} is not a command: {error}.") from None
    if not words:
        raise PlayerFault("no-start", "The command is empty.")
    try:
        # In its own session: Ctrl-C does not reach it, and its children can be found.
        return subprocess.Popen(  # noqa: S603  # the user named the command
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env={**os.environ, ENGINE_VARIABLE: mark},
        )
    except (OSError, ValueError) as error:
        raise PlayerFault("no-start", _no_start(words[0], error)) from None


def _guard_of(engine: "subprocess.Popen[bytes]", mark: str) -> "subprocess.Popen[bytes]":
    """Start a process that kills the engine and its children if our process ends unexpectedly.

    Whatever ends our process, even ``kill -9``, closes the pipe. A line from us means that the
    engine has ended.
    """
    try:
        return subprocess.Popen(  # noqa: S603  # a number and hexadecimal digits are put in
            ["/bin/sh", "-c", GUARD, "guard", str(engine.pid), f"{ENGINE_VARIABLE}={mark}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        engine.kill()
        engine.communicate()
        raise PlayerFault(
            "no-start", f"The process that watches it cannot be started: {error.strerror}."
        ) from None


def _no_start(word: str, error: Exception) -> str:
    """Say why a program cannot be started, and what to do."""
    reason = getattr(error, "strerror", None) or error
    here = Path(word).is_file()
    match error:
        case FileNotFoundError() if here and "/" in word:
            reason, advice = "its first line names a program that does not exist", "Correct it"
        case FileNotFoundError() if here:
            advice = f"For the file in this folder, write ./{word}"
        case PermissionError() if here:
            advice = f"Make it executable with chmod +x {shlex.quote(word)}"
        case OSError(errno=errno.ENOEXEC):
            advice = "Begin it with a line such as #!/usr/bin/env python3"
        case _:
            return f"{word!r} cannot be started: {reason}."
    also = f"or name the program that runs it, as in: python3 {shlex.quote(word)}"
    return f"{word!r} cannot be started: {reason}. {advice}, {also}"


def _pipes(process: "subprocess.Popen[bytes]") -> tuple[int, int, int]:
    streams = process.stdin, process.stdout, process.stderr
    one, two, three = (stream.fileno() for stream in streams if stream is not None)
    return one, two, three


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
