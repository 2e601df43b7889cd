"""What a bystander notices during an attack: how long it waits, and how much memory is used."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Any, Self

from attack.servers import AttackedServer

MOST_SECONDS = 1.0
"""How long a bystander may wait for the server if nothing else runs beside it."""
MOST_GROWTH = 500 << 19
"""How many bytes the server's memory may grow by during an attack: half a megabyte for each
connection that an address may have.
"""
ROOT = Path(__file__).parents[1]


@dataclass
class Noticed:
    """What a bystander has noticed during an attack."""

    probes: list[dict[str, Any]] = field(default_factory=list)
    growth: int = 0

    @property
    def slowdown(self) -> float:
        """How many times slower the server may have been than with nothing beside it.

        Each core can serve one of the processes that compete for it at a time.
        """
        if not self.probes:
            return 1.0
        others = mean(probe["competitors"] for probe in self.probes)
        return max(1.0, float(others + 1) / (os.cpu_count() or 1))

    @property
    def failures(self) -> list[str]:
        """What failed, and why."""
        return [f"{one['what']}: {one['failure']}" for one in self.probes if one["failure"]]

    @property
    def worst(self) -> tuple[float, str]:
        """The longest wait, and for what."""
        return max(((one["seconds"], one["what"]) for one in self.probes), default=(0.0, ""))

    def problems(self, most_seconds: float) -> Iterator[str]:
        """Yield what should not have been noticed; a busy machine is given more time."""
        seconds, what = self.worst
        if self.failures:
            yield f"{len(self.failures)} of {len(self.probes)} failed, first {self.failures[0]}"
        if seconds > most_seconds * self.slowdown:
            beside = f", {self.slowdown:.1f} times slower than alone" if self.slowdown > 1 else ""
            yield f"{what} took {seconds:.2f} s{beside}"
        if self.growth > MOST_GROWTH:
            yield f"the server's memory grew by {self.growth >> 20} MB"

    def __str__(self) -> str:
        seconds, what = self.worst
        middle = median(one["seconds"] for one in self.probes) if self.probes else 0.0
        return (
            f"{len(self.probes)} probes, median {middle * 1000:.0f} ms, worst {seconds * 1000:.0f}"
            f" ms ({what}), slowdown {self.slowdown:.1f}, memory +{self.growth >> 20} MB"
        )


class Bystander:
    """A bystander who plays while a server is attacked."""

    def __init__(self, server: AttackedServer, *, asks: bool = False) -> None:
        """Let the bystander begin; `asks` for one who also needs the solvers."""
        self._server, self._acts = server, 6 if asks else 4
        self._log = server.log.with_name("bystander.log")
        address = str(server.port), str(server.process.pid)
        with self._log.open("ab") as errors:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "attack.bystander_probe",
                    *address,
                    *(["HINTS"] if asks else []),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=ROOT,
            )
        self._heard = threading.Condition()
        self._probes: list[dict[str, Any]] = []
        self._is_gone = False
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    @contextmanager
    def watching(self, rounds: int = 1) -> Iterator[Noticed]:
        """Fill in what was noticed during the block; afterwards wait for that many more rounds."""
        self._wait_for(1)
        noticed = Noticed()
        before = self._server.memory()
        _forget_peak(self._server)
        first = len(self._probes)
        yield noticed
        noticed.growth = self._server.peak_memory() - before
        self._wait_for(rounds)
        noticed.probes = self._probes[first:]

    def _wait_for(self, rounds: int) -> None:
        """Wait until the bystander has done everything this many more times."""
        with self._heard:
            end = len(self._probes) + rounds * self._acts + 1
            self._heard.wait_for(lambda: len(self._probes) >= end or self._is_gone, 600)
        assert not self._is_gone, f"the bystander has gone: {self._log.read_text()[-1_000:]}"

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError):  # closed at the end
            for line in self._process.stdout:
                with self._heard:
                    self._probes.append(json.loads(line))
                    self._heard.notify_all()
        with self._heard:
            self._is_gone = True
            self._heard.notify_all()


def _forget_peak(server: AttackedServer) -> None:
    """Let the kernel measure the peak of memory from now on."""
    with suppress(OSError):  # then the peak so far counts as well
        Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")


def summary(noticed: Sequence[Noticed]) -> str:
    """Return what was noticed in all attacks, in one sentence."""
    probes = sum(len(one.probes) for one in noticed)
    worst = max((one.worst for one in noticed), default=(0.0, ""))
    growth = max((one.growth for one in noticed), default=0) >> 20
    return (
        f"{probes:,} probes by a bystander in a process of its own; the longest took "
        f"{worst[0]:.2f} s ({worst[1]}); memory grew by {growth} MB at most"
    )
