"""Run a computer player as an engine, or check an engine."""

import sys

import click

from divisorduel.cli.options import seconds
from divisorduel.play.players import PLAYERS, PlayerFault

ORDER = 112


@click.command("bot")
@click.argument("kind", type=click.Choice([*PLAYERS]), metavar="[PLAYER]", required=False)
@click.option(
    "--check", "command_line", metavar="COMMAND", help="Command that starts the engine to check."
)
@click.option("--seed", type=int, help="Seed for random choices; the same seed repeats them.")
@click.option("--budget", type=seconds, default=1.0, help="With --check: seconds for each move.")
@click.pass_context
def command(
    ctx: click.Context, kind: str | None, command_line: str | None, seed: int | None, budget: float
) -> None:
    """Run PLAYER as an engine on standard input and output, or check an engine with --check.

    PLAYER is random, greedy, perfect or a level from 1 to 10. docs/engines.md describes the
    protocol, and how to write an engine.
    """
    if (kind is None) == (command_line is None):
        raise click.UsageError(
            "Give either a player, such as perfect, or --check COMMAND, not both."
        )
    if command_line is not None:
        ctx.exit(_check(command_line, budget))
    _offer(kind or "", seed)


def _offer(kind: str, seed: int | None) -> None:
    from divisorduel.bots.engine_server import answers

    for answer in answers(kind, sys.stdin, seed):
        click.echo(answer)
        sys.stdout.flush()


def _check(command_line: str, budget: float) -> int:
    """Check an engine, report what was found, and return the exit status."""
    from divisorduel.bots.compliance import Played, check_engine
    from divisorduel.terminal.terminal import printable, printable_lines

    try:
        for found in check_engine(command_line, seconds=budget):
            if isinstance(found, Played):
                moves = "1 move" if found.moves == 1 else f"{found.moves} moves"
                gave_up = ", then it resigned" if found.resigned else ""
                click.echo(f"{found.key}: {moves}, slowest {1000 * found.slowest:.0f} ms{gave_up}.")
            else:
                by = f", by {found.author}" if found.author else ""
                click.echo(printable(f"It introduces itself as {found.name!r}{by}."))
    except PlayerFault as fault:
        click.echo(printable(f"Fault ({fault.fault}): {fault}"))
        if fault.last_words:
            click.echo("The last lines on standard error:")
            for line in fault.last_words.splitlines()[-5:]:
                click.echo(printable_lines(f"  {line}"))
        return 1
    click.echo("It exits after quit and leaves no process behind.\nPassed.")
    return 0
