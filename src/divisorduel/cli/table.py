"""``duel table``."""

from pathlib import Path
from typing import Any, get_args

import click

from divisorduel.cli.options import (
    THREADS,
    GameKey,
    Memory,
    Seconds,
    board_options_but,
    check_parameters,
    unusable_files,
)
from divisorduel.installation import program
from divisorduel.lab.executors.executor import ExecutorError
from divisorduel.lab.formats import ENDINGS, Column, Format, format_of
from divisorduel.lab.series import NO_NIMBERS, Series
from divisorduel.lab.tasks import Limits
from divisorduel.rules.errors import BoardError


@click.command("table")
@click.argument("game", type=GameKey(), required=False)
@click.argument("boards", metavar="FROM..TO", required=False)
@board_options_but("to", "number")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write; .csv, .json, .txt or .b (an OEIS b-file) is the format.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(get_args(Format)),
    help="Format on standard output; csv if absent.",
)
@click.option(
    "--column",
    type=click.Choice(get_args(Column)),
    help="Column of a b-file; the nimber if absent, or the outcome.",
)
@click.option(
    "--known",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Table, .csv or .json, whose rows are taken instead of solved.",
)
@click.option("--jobs", type=THREADS, help="Boards at a time; by default one a core.")
@click.option("--threads", type=THREADS, default=1, help="Threads for each of them.")
@click.option("--memory", type=Memory(), help="Memory for each, such as 8G.")
@click.option("--budget", type=Seconds(), help="Seconds for each of them; no limit if absent.")
@click.option(
    NO_NIMBERS, "without", is_flag=True, help="Only who wins, and by which moves: larger boards."
)
@click.option("--split", is_flag=True, help="Solve each board first move by first move.")
@click.option(
    "--together",
    is_flag=True,
    help="Solve all boards in one process, where small ones help the large: antichain, divider.",
)
@click.option("--cluster", metavar="ADDRESS", help="Dask scheduler whose workers solve.")
@click.option(
    "--check",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Check a table, instead of making one.",
)
@click.option(
    "--rows",
    type=click.IntRange(0),
    help="With --check: rows to solve anew; by default all that took under a second.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    game: str | None,
    boards: str | None,
    output: Path | None,
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
    """Solve GAME on each board that ends at a number FROM..TO, as in antichain 2..60.

    Every row is exact. With --output, what is done is on disk at once: after Ctrl-C, or worse, the
    same command goes on where it was.
    """
    _refuse_conflicts(ctx.params)
    jobs = 1 if together else jobs
    given = {name: value for name, value in options.items() if value is not None}
    from divisorduel.cli.tabling import TableRequest, check_table, make_table, place

    opened = place(cluster, jobs, threads)
    limits = Limits(budget, memory or _share(cluster, jobs, threads), threads)
    try:
        with unusable_files():
            if check:
                ctx.exit(check_table(check, rows, limits, opened))
            found = _boards(game, boards, given, nimbers=not without)
            if together and (reason := found.why_not_together):
                raise click.UsageError(f"Leave --together away: {reason}.")
            wanted = TableRequest(
                boards=found,
                output=output,
                form=_form(output, form, column),
                column=column,
                limits=limits,
                known=known,
                split=split,
                together=together,
            )
            ctx.exit(make_table(wanted, opened))
    except ExecutorError as error:
        raise click.ClickException(str(error)) from None


def _refuse_conflicts(said: dict[str, Any]) -> None:
    """Refuse options that do not go together."""
    jobs, cluster, check = said["jobs"], said["cluster"], said["check"]
    if cluster and jobs:
        raise click.UsageError("--jobs is for this machine; a cluster has workers of its own.")
    if said["together"] and (cluster or said["split"] or (jobs or 1) > 1):
        raise click.UsageError("--together is for one process: give it --threads instead.")
    if said["rows"] is not None and not check:
        raise click.UsageError("--rows goes with --check.")
    if check and (said["game"] or said["output"]):
        raise click.UsageError("--check takes a file, and nothing to make.")
    others = ("budget", "split", "together", "without", "form", "column", "known")
    if check and (any(said[name] for name in others) or said["threads"] > 1):
        raise click.UsageError(
            "--check solves rows again as they were: it takes --rows, --jobs, --memory, --cluster."
        )


def _share(cluster: str | None, jobs: int | None, threads: int) -> int | None:
    """Return how much memory each process gets if nothing is said: together, half of all.

    The workers of a cluster know that themselves.
    """
    from divisorduel.cli.tabling import at_once
    from divisorduel.solve.native.native_nimbers import half_of_the_memory

    return None if cluster else half_of_the_memory() // at_once(jobs, threads)


def _boards(
    key: str | None, written: str | None, options: dict[str, int | str], *, nimbers: bool
) -> Series:
    if key is None or written is None:
        raise click.UsageError(f"Name a game and its boards: {program()} table antichain 2..60")
    check_parameters(key, options)
    try:
        return Series.within(key, written, options, nimbers=nimbers)
    except BoardError as error:
        raise click.UsageError(str(error)) from None


def _form(output: Path | None, form: Format | None, column: Column | None) -> Format:
    if output is not None:
        if form is not None:
            raise click.UsageError("The ending of --output is the format; leave --format away.")
        form = format_of(output)
        if form is None:
            endings = ", ".join(ENDINGS)
            raise click.UsageError(f"{output} has none of the endings {endings}.")
    if column is not None and form != "b-file":
        raise click.UsageError("--column chooses the column of a b-file; other formats have all.")
    return form or "csv"
