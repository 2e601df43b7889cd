"""Explain a game: its rules, an example and tips."""

import click

from divisorduel.cli.options import GameKey

ORDER = 130


@click.command("rules")
@click.argument("game", type=GameKey())
def command(game: str) -> None:
    """Explain GAME: its rules, an example and tips."""
    from divisorduel.terminal.plain.rules_text import guide
    from divisorduel.terminal.terminal import system_terminal

    system_terminal().show(guide(game))
