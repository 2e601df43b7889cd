"""What ``duel table`` does: it makes a table, or checks one."""

import signal
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import FrameType

import click

from divisorduel.cli.main import INTERRUPTED
from divisorduel.cli.options import cores, written
from divisorduel.lab.builder import TableBuilder
from divisorduel.lab.checkpoint import Checkpoint
from divisorduel.lab.executors.dask_cluster import DaskExecutor
from divisorduel.lab.executors.executor import Executor
from divisorduel.lab.executors.local import LocalExecutor
from divisorduel.lab.formats import Column, Format, written_as
from divisorduel.lab.known_rows import refuse_to_lose, rows_of, rows_to_go_on_from
from divisorduel.lab.series import Series
from divisorduel.lab.table import Table, read_table
from divisorduel.lab.table_check import differences, hash_fits, rows_to_check
from divisorduel.lab.tasks import Limits, Piece
from divisorduel.terminal.progress import progress

MOST_NAMED = 10
"""How many boards that are not known are named at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRequest:
    """What was asked for."""

    boards: Series
    output: Path | None
    form: Format
    column: Column | None
    limits: Limits
    known: Path | None
    split: bool
    together: bool


def place(cluster: str | None, jobs: int | None, threads: int) -> Callable[[], Executor]:
    """Return what opens the place where the work is done. Raises `ExecutorError` then."""
    if cluster is not None:
        return lambda: DaskExecutor(cluster)
    return lambda: LocalExecutor(at_once(jobs, threads))


def at_once(jobs: int | None, threads: int) -> int:
    """Return how many boards are solved at a time on this machine."""
    return jobs or max(1, cores() // threads)


def make_table(wanted: TableRequest, open_place: Callable[[], Executor]) -> int:
    """Make a table, or go on making it, and return the exit status."""
    boards, output, now = wanted.boards, wanted.output, version("divisorduel")
    known, solvers = rows_of(wanted.known, boards, now) if wanted.known else ({}, set())
    if output is None:
        return _finish(wanted, open_place(), TableBuilder(boards, known), solvers, None)
    with closing(Checkpoint(output, boards, now)) as kept:
        if wanted.form == "b-file":
            refuse_to_lose(output, boards, wanted.column)
        else:
            rows, theirs = rows_to_go_on_from(output, boards, now)
            known, solvers = known | rows, solvers | theirs
        where = open_place()
        known |= kept.open(where.solvers)
        making = TableBuilder(boards, known, kept.keep)
        return _finish(wanted, where, making, solvers | kept.solvers, kept)


def _finish(
    wanted: TableRequest,
    where: Executor,
    making: TableBuilder,
    solvers: set[str],
    kept: Checkpoint | None,
) -> int:
    """Do what is left to do of a table, write it, and return the exit status."""
    boards = wanted.boards
    split = wanted.split or (
        isinstance(where, DaskExecutor) and len(boards.numbers) < where.workers
    )
    interrupted = _work(
        making, where, making.go_on(where, wanted.limits, split=split, together=wanted.together)
    )
    solvers = solvers | set(where.solvers.split(", "))
    whole = making.done == len(boards.numbers)
    table = Table.of(boards, version("divisorduel"), ", ".join(sorted(solvers)), making.rows)
    if whole or kept is None or not interrupted:
        _write(table, wanted)
    if kept is not None and whole:
        kept.remove()
    _tell(making, kept, wanted.output, table, interrupted=interrupted)
    return 0 if whole else INTERRUPTED if interrupted else 1


def _work(making: TableBuilder, where: Executor, work: Generator[Piece, None, None]) -> bool:
    """Do what is left to do, and tell whether Ctrl-C ended it."""
    signal.signal(signal.SIGINT, _stop)
    try:
        with (
            closing(work) as pieces,
            progress(len(making.boards.numbers), where.running) as show,
        ):
            show(making.done, making.first_moves)
            for _ in pieces:
                show(making.done, making.first_moves)
    except KeyboardInterrupt:
        return True
    return False


def _stop(_signal: int, _frame: FrameType | None) -> None:
    # Once is enough: the end takes an instant, and must not be disturbed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _write(table: Table, wanted: TableRequest) -> None:
    text = written_as(table, wanted.form, wanted.column)
    if wanted.output is None:
        click.echo(text, nl=False)
    else:
        written(wanted.output, text)


def _tell(
    making: TableBuilder,
    kept: Checkpoint | None,
    output: Path | None,
    table: Table,
    *,
    interrupted: bool,
) -> None:
    """Say what is done and what is not; a table on standard output stands alone there."""
    boards = len(making.boards.numbers)
    if making.done == boards:
        if output is not None:
            count = "1 board is" if boards == 1 else f"{boards} boards are"
            click.echo(f"{count} in {output}; SHA-256 {table.sha256}.")
        return
    for n, reason in sorted(making.failures.items())[:MOST_NAMED]:
        click.echo(f"n = {n}: {reason}.", err=True)
    if len(making.failures) > MOST_NAMED:
        click.echo(f"… and {len(making.failures) - MOST_NAMED} more.", err=True)
    how = "Stopped" if interrupted else "Not everything is known"
    moves = f", and {making.first_moves} first moves of others" if making.first_moves else ""
    click.echo(f"{how}: {making.done} of {boards} boards are done{moves}.", err=True)
    if kept is not None:
        click.echo(f"They are kept in {kept.path}; the same command goes on from there.", err=True)
    else:
        click.echo("With --output FILE, the same command can go on where it was.", err=True)


def check_table(
    path: Path, most: int | None, limits: Limits, open_place: Callable[[], Executor]
) -> int:
    """Check a table, say what was found, and return the exit status."""
    table = read_table(path)
    fits = hash_fits(table)
    click.echo(f"The hash {'fits' if fits else 'does NOT fit: rows have been changed'}.")
    rows = rows_to_check(table, most)
    different = 0
    where = open_place()
    signal.signal(signal.SIGINT, _stop)
    try:
        with progress(len(rows), where.running) as show:
            for done, (row, difference) in enumerate(differences(table, rows, where, limits), 1):
                show(done, 0)
                if difference:
                    different += 1
                    click.echo(f"n = {row.n} is WRONG: {difference}.")
    except KeyboardInterrupt:
        return INTERRUPTED
    again = f"{len(rows)} of {len(table.rows)} rows were solved again"
    click.echo(f"{again}: {f'{different} differ' if different else 'all are the same'}.")
    return 0 if fits and not different else 1
