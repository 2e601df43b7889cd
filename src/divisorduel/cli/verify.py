"""Check a proof written by duel solve."""

from pathlib import Path

import click

from divisorduel.cli.options import FILE

ORDER = 70


@click.command("verify")
@click.argument("file", type=FILE)
def command(file: Path) -> None:
    """Check the proof in FILE, written by "duel solve --certificate".

    The check does not use the solvers.
    """
    from divisorduel.solve.verify import verify
    from divisorduel.store.atomic_file import read_text

    click.echo(verify(read_text(file), str(file)))
