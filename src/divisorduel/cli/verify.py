"""``duel verify``."""

import sys
from pathlib import Path

import click

from divisorduel.cli.options import UNUSABLE_FILE


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> None:
    """Check the certificate in FILE with code that shares nothing with the solvers."""
    from divisorduel.solve.verify import CertificateError, verify

    try:
        click.echo(verify(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "") or error
        click.echo(f"Error: {file} cannot be read: {reason}.", err=True)
        sys.exit(UNUSABLE_FILE)
    except CertificateError as error:
        click.echo(f"Error: {file} proves nothing. {error}", err=True)
        sys.exit(UNUSABLE_FILE)
