"""``duel plot``."""

from pathlib import Path
from typing import get_args

import click

from divisorduel.cli.options import unusable_files, written
from divisorduel.lab.plot.figure import MOST_TABLES, What


@click.command("plot")
@click.argument("files", type=click.Path(dir_okay=False, path_type=Path), nargs=-1, required=True)
@click.option(
    "--what",
    type=click.Choice(get_args(What)),
    help="Nimbers (if absent, where there are some), share of winning first moves, or positions.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Picture to write, .svg or .png; by default it is called like the first table.",
)
def command(files: tuple[Path, ...], what: What | None, output: Path | None) -> None:
    """Draw the tables in FILES, which duel table has written, in one picture."""
    from divisorduel.lab.executors.executor import ExecutorError
    from divisorduel.lab.plot.figure import picture, usual
    from divisorduel.lab.plot.png import as_png
    from divisorduel.lab.plot.svg import as_svg, is_ours
    from divisorduel.lab.table_check import read_unchanged

    if len(files) > MOST_TABLES:
        raise click.UsageError(f"One picture holds {MOST_TABLES} tables at most.")
    if output is not None and output.suffix.lower() not in (".svg", ".png"):
        raise click.UsageError(f"{output} ends neither in .svg nor in .png.")
    with unusable_files():
        tables = [read_unchanged(path) for path in files]
        shown = what or usual(tables)
        drawn = picture(tables, shown)
    drawn_to = output or files[0].with_name(f"{files[0].stem}-{shown}.svg")
    ending = drawn_to.suffix.lower()
    if output is None and drawn_to.exists() and not is_ours(drawn_to.read_bytes()):
        raise click.UsageError(f"{drawn_to} is there already: name a picture with --output.")
    try:
        written(drawn_to, as_svg(drawn) if ending == ".svg" else as_png(drawn))
    except ExecutorError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"The picture is in {drawn_to}.")
