"""A table made by a real cluster: a scheduler and two workers on this machine."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from distributed import Client

from divisorduel.lab.executors.dask_cluster import DESERTED, share_of_memory
from divisorduel.lab.formats import read_table
from divisorduel.lab.series import Series
from divisorduel.lab.table import PROVEN, Table
from divisorduel.lab.tasks import Limits, tasks_of
from tests.cli.test_table import wait_for_rows
from tests.conftest import DUEL, Duel
from tests.lab.test_table import row_of
from tests.polling import wait_until

DASK = str(Path(sys.executable).with_name("dask"))
Started = tuple[str, list["subprocess.Popen[bytes]"]]
QUIET = {**os.environ, "DUEL_SOLVER": "pure", "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}


@contextmanager
def started(*words: str, **environment: str) -> Iterator["subprocess.Popen[bytes]"]:
    running = subprocess.Popen(
        [DASK, *words], env={**QUIET, **environment}, stderr=subprocess.DEVNULL
    )
    try:
        yield running
    finally:
        running.kill()
        running.wait()


def written_address(scheduler_file: Path) -> str:
    """Wait until a scheduler has written its whole file, and return its address."""
    for _ in wait_until("the scheduler has written its file", 120):
        with suppress(FileNotFoundError, json.JSONDecodeError):
            return str(json.loads(scheduler_file.read_text())["address"])
    raise AssertionError


@contextmanager
def running_cluster(folder: Path, **of_workers: str) -> Iterator[Started]:
    """Run a scheduler and two workers. Yield the address and the three processes."""
    scheduler_file = folder / "scheduler.json"
    local = ("--host", "127.0.0.1", "--no-dashboard")
    worker = (
        "worker",
        "--scheduler-file",
        str(scheduler_file),
        "--nthreads",
        "1",
        "--no-nanny",
        *local,
    )
    folders = [("--local-directory", str(folder / name)) for name in ("one", "two")]
    with started(
        "scheduler", "--port", "0", "--scheduler-file", str(scheduler_file), *local
    ) as scheduler:
        address = written_address(scheduler_file)
        with (
            started(*worker, *folders[0], **of_workers) as one,
            started(*worker, *folders[1], **of_workers) as two,
        ):
            with Client(address) as client:
                client.wait_for_workers(2, timeout=120)
            yield address, [scheduler, one, two]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Started]:
    with running_cluster(tmp_path) as found:
        yield found


def start_table(duel: Duel, boards: str, address: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [DUEL, "table", "divider", boards, "--output", "t.csv", "--cluster", address],
        env=duel.environment(DUEL_SOLVER="pure"),
        cwd=duel.home,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def expected(series: Series) -> list[list[str]]:
    rows = (row_of(task) for task in tasks_of(series, (), Limits(), split=False))
    return [row.cells(PROVEN) for row in rows]


def found(table: Table) -> list[list[str]]:
    return [row.cells(PROVEN) for row in table.rows]


@pytest.mark.thorough
def test_a_table_is_completed_even_if_a_worker_is_killed(duel: Duel, cluster: Started) -> None:
    address, (_, *workers) = cluster
    partial = duel.home / "t.csv.partial"
    process = start_table(duel, "2..29", address)
    wait_for_rows(partial, 12)
    workers[0].kill()
    assert process.poll() is None
    out, error = process.communicate(timeout=300)
    assert (process.returncode, error) == (0, b""), out
    table = read_table(duel.home / "t.csv")
    assert found(table) == expected(table.series)
    assert table.solvers == "Python solvers"


@pytest.mark.thorough
def test_a_single_board_is_split_by_its_first_moves(duel: Duel, cluster: Started) -> None:
    process = start_table(duel, "26..26", cluster[0])
    partial = duel.home / "t.csv.partial"
    wait_for_rows(partial, 2)
    rows = [json.loads(line) for line in partial.read_text().splitlines()[1:3]]
    assert {row["n"] for row in rows} == {26}
    assert all(row["move"] for row in rows)
    _, error = process.communicate(timeout=300)
    assert (process.returncode, error) == (0, b"")
    table = read_table(duel.home / "t.csv")
    assert found(table) == expected(table.series)


@pytest.mark.thorough
def test_a_worker_of_another_version_is_refused_with_advice(duel: Duel, tmp_path: Path) -> None:
    other = tmp_path / "divisorduel-9.9.9.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: divisorduel\nVersion: 9.9.9\n")
    with running_cluster(tmp_path, PYTHONPATH=str(tmp_path)) as (address, _):
        done = duel.run("table", "divider", "2..5", "--cluster", address)
    assert done.returncode == 1
    assert "has divisorduel 9.9.9, but this machine has" in done.stderr
    assert "Install the same version on both sides." in done.stderr


@pytest.mark.thorough
def test_if_the_scheduler_dies_the_command_ends_with_a_clear_message(
    duel: Duel, cluster: Started
) -> None:
    address, (scheduler, *_) = cluster
    partial = duel.home / "t.csv.partial"
    process = start_table(duel, "20..44", address)
    wait_for_rows(partial, 1)
    scheduler.kill()
    _, error = process.communicate(timeout=300)
    assert process.returncode == 1
    assert error.startswith(b"Error: The scheduler is gone. Restart it")
    assert b"Traceback" not in error
    assert partial.exists()


def test_without_dask_a_cluster_is_refused_with_install_instructions(duel: Duel) -> None:
    (duel.home / "distributed.py").write_text("raise ImportError")
    done = duel.run("table", "divider", "2..5", "--cluster", "tcp://x:1", PYTHONPATH=str(duel.home))
    assert done.returncode == 1
    assert "A cluster needs the extra 'cluster'. Install it: " in done.stderr
    assert sys.executable in done.stderr
    assert done.stderr.endswith(" 'divisorduel[cluster]'\n")


@pytest.mark.thorough
def test_workers_that_join_later_are_listed_and_share_their_memory(
    duel: Duel, tmp_path: Path
) -> None:
    with running_cluster(tmp_path) as (address, [_, *workers]):
        late = ("worker", address, "--nthreads", "2", "--no-nanny", "--no-dashboard")
        process = start_table(duel, "2..36", address)
        wait_for_rows(duel.home / "t.csv.partial", 12)
        with (
            started(*late, "--memory-limit", "1GiB", DUEL_SOLVER="native"),
            Client(address) as client,
        ):
            client.wait_for_workers(3, timeout=120)
            for worker in workers:
                worker.kill()
            _, error = process.communicate(timeout=300)
            assert (process.returncode, error) == (0, b"")
            shares = {*client.run(share_of_memory).values()}
    assert shares == {2**30 // 2 // 2}
    table = read_table(duel.home / "t.csv")
    assert found(table) == expected(table.series)
    assert table.solvers == "Python solvers, native solvers"


@pytest.mark.thorough
def test_without_workers_the_command_waits_and_says_so(duel: Duel, cluster: Started) -> None:
    address, (_, *workers) = cluster
    process = start_table(duel, "20..60", address)
    wait_for_rows(duel.home / "t.csv.partial", 1)
    for worker in workers:
        worker.kill()
    assert process.stderr is not None
    assert process.stderr.readline() == f"{DESERTED}\n".encode()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)
    assert process.returncode == 130
