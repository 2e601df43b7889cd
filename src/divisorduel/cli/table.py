"""Solve a series of boards and write a table."""

from functools import partial
from pathlib import Path
from typing import Any, get_args

import click

from divisorduel.cli.main import INTERRUPTED
from divisorduel.cli.options import (
    FILE,
    OUTPUT,
    THREADS,
    GameKey,
    WholeNumber,
    board_options,
    force_option,
    given,
    seconds,
    size,
)
from divisorduel.lab.executors.executor import Executor
from divisorduel.lab.formats import Column, Format, format_of
from divisorduel.lab.series import NO_NIMBERS, Series
from divisorduel.lab.tasks import Limits
from divisorduel.system import cores, program

ORDER = 80
FORMAT = click.Choice(get_args(Format))


@click.command("table")
@click.argument("game", type=GameKey(), required=False)
@click.argument("boards", metavar="[FROM..TO]", required=False)
@partial(board_options, with_size=False)
@click.option(
    "--output",
    type=OUTPUT,
    help="File to write: .csv, .json, or a b-file (.txt or .b); by default standard output.",
)
@force_option
@click.option(
    "--format",
    "form",
    type=FORMAT,
    help="Format on standard output, or on another device or pipe; csv by default.",
)
@click.option(
    "--column",
    type=click.Choice(get_args(Column)),
    help="Column of a b-file; by default the nimber, or the outcome if there are no nimbers.",
)
@click.option("--known", type=FILE, help="Reuse the rows of this table (.csv or .json).")
@click.option(
    "--jobs", type=THREADS, help="Boards to solve at the same time; one per core by default."
)
@click.option("--threads", type=THREADS, default=1, help="Number of threads for each board.")
@click.option("--memory", type=size, help="Memory for each board, such as 8G.")
@click.option(
    "--budget", type=seconds, help="Time limit for each board, in seconds; no limit by default."
)
@click.option(
    NO_NIMBERS, "without", is_flag=True, help="Find only who wins and which moves win; faster."
)
@click.option("--split", is_flag=True, help="Solve each first move of a board separately.")
@click.option(
    "--together",
    is_flag=True,
    help="Solve all boards in one process, which reuses results (antichain and divider only).",
)
@click.option("--cluster", metavar="ADDRESS", help="Dask scheduler whose workers do the solving.")
@click.option("--check", type=FILE, help="Check a table instead of making one.")
@click.option(
    "--rows",
    type=WholeNumber(0),
    help="With --check: how many rows to solve again, however long they take; by default all, "
    "for at most a second each.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    game: str | None,
    boards: str | None,
    output: Path | None,
    force: bool,
    form: Format | None,
    column: Column | None,
    known: Path | None,
    jobs: int | None,
    threads: int,
    memory: int | None,
    budget: float | None,
    without: bool,
    split: bool,
    together: bool,
    cluster: str | None,
    check: Path | None,
    rows: int | None,
    **options: int | str | None,
) -> None:
    """Solve GAME on every board whose largest number is in FROM..TO, such as 2..60.

    Every row is proven. With --output, each row is saved as soon as it is solved: after Ctrl-C or a
    crash, run the same command again to continue. A file that holds part of the table is
    continued; any other file is replaced only with --force.
    """
    _refuse_conflicts(ctx.params)
    limits = Limits(budget, memory, threads)
    if check:
        with _executor(cluster, jobs, threads) as executor:
            ctx.exit(_check(check, rows, limits, executor))
    if game is None or boards is None:
        raise click.UsageError(
            f"Give a game and a range of boards: {program()} table antichain 2..60"
        )
    series = Series.within(game, boards, given(game, options), nimbers=not without)
    if together and (reason := series.why_not_together):
        raise click.UsageError(f"Drop --together: {reason}.")
    with _executor(cluster, 1 if together else jobs, threads) as executor:
        how = {"split": split, "together": together, "executor": executor, "limits": limits}
        to = output or Path("-")
        ctx.exit(_make(series, to, form, column=column, force=force, known=known, **how))


def _make(
    series: Series, output: Path, form: Format | None, *, column: Column | None, **how: Any
) -> int:
    """Make a table, report what was solved, and return the exit status."""
    from divisorduel.lab.formats import write_table
    from divisorduel.lab.make_table import TableBuilder, make_table
    from divisorduel.store.output import is_standard_output, is_stream, write_output
    from divisorduel.terminal.progress import table_progress
    from divisorduel.terminal.terminal import printable

    file = None if is_stream(output) else output
    builder: TableBuilder | None = None

    def on_progress(latest: TableBuilder) -> None:
        nonlocal builder
        builder = latest
        show(latest.done, latest.first_moves_solved)

    interrupted = False
    try:
        with table_progress(len(series.numbers), how["executor"].running) as show:
            make_table(series, file, column=column, on_progress=on_progress, **how)
    except KeyboardInterrupt:
        interrupted = True
    if builder is None:
        return INTERRUPTED
    if file is None:
        write_output(output, write_table(builder.table, form or "csv", column), force=False)
    if builder.is_complete and not is_standard_output(output):
        boards = "1 board" if builder.done == 1 else f"{builder.done:,} boards"
        click.echo(printable(f"{boards} written to {output}; SHA-256 {builder.table.sha256}."))
    if builder.is_complete:
        return 0
    click.echo("Stopped." if interrupted else "Not all boards could be solved.", err=True)
    for line in builder.report():
        click.echo(printable(line), err=True)
    return INTERRUPTED if interrupted else 1


def _check(path: Path, most: int | None, limits: Limits, executor: Executor) -> int:
    """Check a table, report what was found, and return the exit status."""
    from divisorduel.lab.check_table import check_table, rows_to_check
    from divisorduel.lab.formats import read_table
    from divisorduel.terminal.progress import table_progress

    table = read_table(path, may_be_changed=True)
    with table_progress(len(rows_to_check(table, most)), executor.running) as show:
        found = check_table(
            table,
            most,
            limits=limits,
            executor=executor,
            on_progress=lambda check: show(check.solved + check.slow, 0),
        )
    for line in found.report():
        click.echo(line)
    return 0 if found.has_passed else 1


def _executor(cluster: str | None, jobs: int | None, threads: int) -> Executor:
    if cluster is not None:
        from divisorduel.lab.executors.dask_cluster import DaskExecutor

        return DaskExecutor(cluster)
    from divisorduel.lab.executors.local import LocalExecutor

    return LocalExecutor(jobs or max(1, cores() // threads))


def _refuse_conflicts(options: dict[str, Any]) -> None:
    """Raise `UsageError` for options that cannot be combined."""
    from divisorduel.store.output import is_stream

    jobs, cluster, check = options["jobs"], options["cluster"], options["check"]
    if cluster and jobs:
        raise click.UsageError("A cluster has its own workers; drop --jobs.")
    if options["together"] and (cluster or options["split"] or (jobs or 1) > 1):
        raise click.UsageError("--together uses one process; drop --jobs, --split and --cluster.")
    if options["rows"] is not None and not check:
        raise click.UsageError("--rows needs --check.")
    if check and (options["game"] or options["output"]):
        raise click.UsageError("--check only checks a file; drop the game and --output.")
    others = ("budget", "split", "together", "without", "form", "column", "known", "force")
    if check and (any(options[name] for name in others) or options["threads"] > 1):
        raise click.UsageError(
            "--check works only with --rows, --jobs, --memory and --cluster; "
            "drop the other options."
        )
    output, form = options["output"], options["form"]
    is_file = output and not is_stream(output)
    if is_file and form:
        raise click.UsageError("The name of the --output file sets the format; drop --format.")
    if options["column"] and (format_of(output) if is_file else form) != "b-file":
        raise click.UsageError("--column is only for b-files; other formats have every column.")
