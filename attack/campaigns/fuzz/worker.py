"""The program of a worker process: hands a range of inputs to a target, within limits.

It is run as ``python -m attack.campaigns.fuzz.worker TARGET SEED FIRST COUNT [FILE]``. Each input
depends on the target, the seed and its number alone, so COUNT 1 repeats one of them. It prints
lines of JSON: how far it got, and what failed. FILE always holds the number of the input that it
works on, in case it dies.
"""

import io
import json
import mmap
import os
import resource
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections import Counter
from importlib import import_module
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from attack.campaigns.fuzz.target import Target

TARGETS = {
    "records": "records.Records",
    "codes": "records.Codes",
    "certificates": "certificates.Certificates",
    "tables": "tables.Tables",
    "checkpoints": "tables.Checkpoints",
    "arguments": "arguments.Arguments",
    "prompts": "prompts.Prompts",
    "bodies": "bodies.Bodies",
    "messages": "messages.Messages",
}
NUMBER = struct.Struct("<q")
"""How the number of the current input is written."""
MOST_SECONDS = 10
"""How much CPU time an input may take before it counts as hanging."""
MOST_MEMORY = 2 << 30
"""How much address space a worker may use."""
SECONDS_BETWEEN_LINES = 1.0
MOST_ALIKE = 2
"""How many failures with the same cause are described."""


class Hang(BaseException):
    """An input took too long. It is not an `Exception`, so that the program does not catch it."""


class NoInput(io.StringIO):
    """Standard input, which a target must not read unless it has put another in its place."""

    def read(self, size: int | None = -1, /) -> str:
        """Refuse."""
        raise AssertionError("the program read from standard input")

    readline = read  # type: ignore[assignment]  # it never returns


def make_target(name: str, folder: Path) -> Target[Any]:
    """Return the target of this name."""
    module, _, kind = TARGETS[name].partition(".")
    made: Target[Any] = getattr(import_module(f"attack.campaigns.fuzz.targets.{module}"), kind)(
        folder
    )
    return made


def source(name: str, seed: int, number: int) -> Random:
    """Return the randomness of one input."""
    return Random(f"{name} {seed} {number}")


class Worker:
    """Hands inputs to a target and says what came of them."""

    def __init__(self, name: str, seed: int, target: Target[Any], current: mmap.mmap) -> None:
        self._name, self._seed, self._target = name, seed, target
        self._current = current
        self._outcomes: Counter[str] = Counter()
        self._alike: Counter[str] = Counter()
        self._said = time.monotonic()

    def run(self, first: int, count: int) -> None:
        """Try inputs, one after the other."""
        for number in range(first, first + count):
            if time.monotonic() - self._said > SECONDS_BETWEEN_LINES:
                self.say_progress(number)
            self._current[:] = NUMBER.pack(number)
            self._try(number)
        self.say_progress(first + count)

    def _try(self, number: int) -> None:
        given = None
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        try:
            given = self._target.make(source(self._name, self._seed, number))
            outcome = self._target.check(given)
        except (Exception, SystemExit, Hang) as error:
            signal.setitimer(signal.ITIMER_PROF, 0)
            outcome = "failed"
            self._say_failure(number, given, error)
            if isinstance(error, Hang):  # it may have been interrupted anywhere
                self._outcomes[outcome] += 1
                self.say_progress(number + 1)
                raise
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        self._outcomes[outcome] += 1

    def say_progress(self, following: int) -> None:
        """Say how far it has got: which input follows, and what came of those before."""
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
        self._say(following=following, outcomes=self._outcomes, peak=peak)
        self._outcomes.clear()

    def _say_failure(self, number: int, given: object, error: BaseException) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        cause = f"{type(error).__name__} {frames[-1].filename}:{frames[-1].lineno}"
        self._alike[cause] += 1
        if self._alike[cause] <= MOST_ALIKE:
            where = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(frames[-4:]))
            reason = f"{type(error).__name__}: {str(error)[:500]} [{where}]"
            self._say(failed=number, cause=cause, reason=reason, given=repr(given)[:2_000])

    def _say(self, **message: object) -> None:
        self._said = time.monotonic()
        print(json.dumps(message), file=sys.__stdout__, flush=True)


def _shared(file: Path) -> mmap.mmap:
    """Return a file as memory: writing to it is quick, and outlives the process."""
    file.write_bytes(NUMBER.pack(0))
    with file.open("r+b") as opened:
        return mmap.mmap(opened.fileno(), NUMBER.size)


def _hangs(_signal: int, _frame: FrameType | None) -> None:
    raise Hang(f"it took {MOST_SECONDS} seconds of CPU time")


def main() -> None:
    """Try the inputs that the command line names."""
    name, seed, first, count = sys.argv[1], *map(int, sys.argv[2:5])
    current = _shared(Path(sys.argv[5])) if len(sys.argv) > 5 else mmap.mmap(-1, NUMBER.size)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    signal.signal(signal.SIGPROF, _hangs)
    os.fsync = lambda fd: None  # noqa: ARG005  # what is read matters here, not power failures
    sys.stdin = NoInput()
    memory = "/dev/shm"
    with tempfile.TemporaryDirectory(dir=memory if os.path.isdir(memory) else None) as folder:  # noqa: PTH112
        os.chdir(folder)
        target = make_target(name, Path(folder))
        try:
            Worker(name, seed, target, current).run(first, count)
        except Hang:
            os._exit(1)  # without cleaning up: that could hang, too
        finally:
            target.close()


if __name__ == "__main__":
    main()
