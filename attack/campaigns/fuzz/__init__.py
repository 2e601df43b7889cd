"""A million inputs: records, codes, proofs, tables, checkpoints, arguments, prompts, API calls."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attack.campaign import Context
from attack.campaigns.fuzz.worker import NUMBER

MINUTES = 90.0

COUNTS = {
    "records": (350_000, 400),
    "codes": (250_000, 1_500),
    "certificates": (60_000, 200),
    "tables": (100_000, 300),
    "checkpoints": (80_000, 300),
    "arguments": (40_000, 150),
    "prompts": (50_000, 200),
    "bodies": (50_000, 200),
    "messages": (20_000, 60),
}
"""How many inputs each target gets, in the full form and in the short one."""
PARTS = 50
"""Each target is fuzzed in this many parts, in turn with the others, so that none has to wait."""
SECONDS_OF_SILENCE = 120.0
"""A worker that says nothing for this long hangs without noticing it."""
ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Part:
    """Some inputs of a target."""

    target: str
    first: int
    count: int


def run(context: Context) -> None:
    """Fuzz every target, in as many processes as there are cores."""
    waiting: queue.Queue[Part] = queue.Queue()
    for part in parts(context):
        waiting.put(part)
    heard: queue.Queue[tuple[Part, dict[str, Any]] | None] = queue.Queue()
    threads = [
        threading.Thread(target=_work, args=(context, waiting, heard), daemon=True)
        for _ in range(os.cpu_count() or 1)
    ]
    for thread in threads:
        thread.start()
    report = _Report(context)
    for _ in threads:
        for part, message in iter(heard.get, None):
            report.add(part, message)
    for thread in threads:
        thread.join()
    report.close()


def parts(context: Context) -> Iterator[Part]:
    """Yield all parts, one of each target in turn."""
    for at in range(context.scaled(PARTS, 1)):
        for target, (full, short) in COUNTS.items():
            count = context.scaled(full // PARTS, short)
            yield Part(target, at * count, count)


def _work(
    context: Context,
    waiting: "queue.Queue[Part]",
    heard: "queue.Queue[tuple[Part, dict[str, Any]] | None]",
) -> None:
    """Run workers until nothing is left to do or the time is up."""
    while context.seconds_left:
        try:
            part = waiting.get_nowait()
        except queue.Empty:
            break
        at, end = part.first, part.first + part.count
        while at < end and context.seconds_left:
            for message in _messages(context, Part(part.target, at, end - at)):
                at = message.get("following", at)
                heard.put((part, message))
    heard.put(None)


def _messages(context: Context, part: Part) -> Iterator[dict[str, Any]]:
    """Run a worker and yield what it says; if it dies or hangs, skip the input where it did."""
    log = context.scratch / f"{part.target}-{part.first}.log"
    current = log.with_suffix(".current")
    words = [part.target, str(context.seed), str(part.first), str(part.count), str(current)]
    with log.open("wb") as errors:
        worker = subprocess.Popen(
            [sys.executable, "-m", "attack.campaigns.fuzz.worker", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=ROOT,
        )
    assert worker.stdout is not None
    following, stopped = part.first, False
    watchdog = _Watchdog(worker)
    with worker.stdout as lines:
        for line in lines:
            watchdog.restart()
            message = json.loads(line)
            following = message.get("following", following)
            yield message
            if not context.seconds_left:
                stopped = True
                worker.kill()
    watchdog.cancel()
    status = worker.wait()
    if following < part.first + part.count and not stopped and status != 1:
        [number] = NUMBER.unpack(current.read_bytes())
        hung = f"the process said nothing for {SECONDS_OF_SILENCE:g} seconds"
        reason = hung if watchdog.has_killed else f"the process ended with status {status}"
        yield {"failed": number, "cause": reason, "given": log.read_text(errors="replace")[-400:]}
        yield {"following": number + 1, "outcomes": {"failed": 1}, "peak": 0}


class _Watchdog:
    """Kills a worker that is silent for too long."""

    def __init__(self, worker: "subprocess.Popen[bytes]") -> None:
        self._worker = worker
        self.has_killed = False
        self.restart()

    def restart(self) -> None:
        """Wait from now on."""
        self.cancel()
        self._timer = threading.Timer(SECONDS_OF_SILENCE, self._kill)
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Wait no longer."""
        if hasattr(self, "_timer"):
            self._timer.cancel()

    def _kill(self) -> None:
        self.has_killed = True
        self._worker.kill()


class _Report:
    """What came of the inputs of each target."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._outcomes: dict[str, Counter[str]] = {target: Counter() for target in COUNTS}
        self._causes: Counter[tuple[str, str]] = Counter()
        self._peak: Counter[str] = Counter()

    def add(self, part: Part, message: dict[str, Any]) -> None:
        """Take in what a worker has said."""
        target = part.target
        if "failed" in message:
            self._causes[target, message["cause"]] += 1
            if self._causes[target, message["cause"]] == 1:
                words = f"{target} {self._context.seed} {message['failed']} 1"
                self._context.report(
                    f"fuzz {target}",
                    message.get("reason", message["cause"]),
                    again=f"python -m attack.campaigns.fuzz.worker {words}",
                    given=message["given"][:400],
                )
            return
        self._outcomes[target].update(message["outcomes"])
        self._peak[target] = max(self._peak[target], message["peak"])
        self._context.count(sum(message["outcomes"].values()))

    def close(self) -> None:
        """Note what came of each target."""
        for target, outcomes in self._outcomes.items():
            told = ", ".join(f"{count:,} {outcome}" for outcome, count in outcomes.most_common())
            peak = self._peak[target] >> 20
            self._context.note(f"{target}: {outcomes.total():,} inputs ({told}); peak {peak} MB")
