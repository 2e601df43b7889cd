"""Kills of ``duel table``: each row is computed once, and the table is the same in the end."""

import json
import subprocess
import time
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from divisorduel.lab.formats import read_table
from divisorduel.lab.make_table import make_table
from divisorduel.lab.series import Series
from tests.conftest import DUEL, Duel
from tests.polling import wait_until

LARGEST = 24
"""Small enough for the solvers in Python, which make the work last."""
TABLE = "table", "divider", f"2..{LARGEST}", "--output", "t.csv"
WAYS = (), ("--split",), ("--together",), ("--jobs", "1")


class KilledTable:
    """A table that one process after the other continues; each is killed at a random instant."""

    def __init__(self, home: Path, rng: Random) -> None:
        self._duel = Duel(home)
        self._rng = rng
        self._table = home / "t.csv"
        self._partial = home / "t.csv.partial"
        self._way = rng.choice(WAYS)
        self._kept = b""
        """The whole lines of the checkpoint after the last kill."""

    @property
    def words(self) -> list[str]:
        """The command that starts or continues the table."""
        return [*TABLE, *self._way]

    @property
    def is_over(self) -> bool:
        """Whether the table is complete."""
        return self._table.exists() and not self._partial.exists()

    def kill_once(self) -> None:
        """Continue the table, kill the process, and check that no row has been lost."""
        with subprocess.Popen(
            [DUEL, *self.words],
            env=self._duel.environment(DUEL_SOLVER="pure"),
            cwd=self._duel.home,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        ) as running:
            assert running.stderr is not None
            workers = self._wait(running)
            running.kill()
            said = running.stderr.read()
        assert b"Traceback" not in said, said.decode()
        for _ in wait_until("all its processes have ended"):
            if not any(Path(f"/proc/{worker}").exists() for worker in workers):
                break
        if self._partial.exists():
            whole = self._partial.read_bytes().rpartition(b"\n")
            now = whole[0] + whole[1]
            assert now.startswith(self._kept), "a row is gone from the checkpoint"
            self._kept = now
        else:
            assert self.is_over or not self._kept, "the checkpoint is gone, but there is no table"

    def finish(self) -> None:
        """Complete the table undisturbed; it is as if nothing had happened."""
        if not self.is_over:
            done = self._duel.run(*self.words, DUEL_SOLVER="pure")
            assert done.returncode == 0, done.stderr
        table = read_table(self._table)
        assert table.sha256 == expected_hash(), "the table differs"
        seconds = {row.n: row.seconds for row in table.rows}
        for row in map(json.loads, self._kept.splitlines()):
            if row.get("move", 0) is None and row["seconds"] is not None:
                once = seconds[row["n"]] == row["seconds"]
                assert once, f"the row of {row['n']} was computed twice"
        left = {path.name for path in self._duel.home.iterdir()} - {"t.csv", "t.csv.duel-lock"}
        assert not left, f"files remain: {sorted(left)}"

    def _wait(self, running: "subprocess.Popen[Any]") -> list[int]:
        """Wait for a random instant, and return the processes that must then end."""
        if self._rng.random() < 0.3:
            time.sleep(self._rng.random() * 2)  # while it starts, or at any time after
        else:
            more = self._kept.count(b"\n") + self._rng.randrange(1, 9)
            for _ in wait_until("there are more rows", 60):
                done = self._partial.read_bytes() if self._partial.exists() else b""
                if done.count(b"\n") >= more or running.poll() is not None:
                    break
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
        try:
            return [int(word) for word in children.read_text().split()]
        except OSError:  # it has just ended
            return []


@cache
def expected_hash() -> str:
    """Return the hash of the table that is made without any kill."""
    return make_table(Series("divider", 2, LARGEST)).sha256
