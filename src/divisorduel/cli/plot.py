"""Plot tables as an SVG chart."""

from pathlib import Path
from typing import get_args

import click

from divisorduel.cli.options import FILE, OUTPUT, force_option
from divisorduel.lab.plot.figure import MOST_TABLES, What

ORDER = 90


@click.command("plot")
@click.argument("files", type=FILE, nargs=-1, required=True)
@click.option(
    "--what",
    type=click.Choice(get_args(What)),
    help="What to plot: nimbers (the default if every table has them), the share of winning first "
    "moves, or the number of positions searched.",
)
@click.option(
    "--output",
    type=OUTPUT,
    help="SVG file to write; by default named after the first table. - is standard output.",
)
@force_option
def command(files: tuple[Path, ...], what: What | None, output: Path | None, force: bool) -> None:
    """Plot the tables in FILES in one chart.

    FILES are CSV or JSON files written by "duel table".
    """
    from divisorduel.lab.formats import read_table
    from divisorduel.lab.plot.figure import default_quantity
    from divisorduel.lab.plot.svg import plot
    from divisorduel.store.output import is_standard_output, is_stream, write_output
    from divisorduel.terminal.terminal import printable

    if len(files) > MOST_TABLES:
        raise click.UsageError(f"A plot shows at most {MOST_TABLES} tables. Give fewer files.")
    if output is not None and output.suffix.lower() != ".svg" and not is_stream(output):
        raise click.UsageError(f"{output} does not end in .svg. Choose a name that does.")
    tables = [read_table(path) for path in files]
    what = what or default_quantity(tables)
    if output is None and is_stream(files[0]):
        raise click.UsageError(f"{files[0]} is not a file. Name the plot with --output.")
    target = output or files[0].with_name(f"{files[0].stem}-{what}.svg")
    write_output(target, plot(tables, what), force=force)
    if not is_standard_output(target):
        click.echo(printable(f"Plot written to {target}."))
