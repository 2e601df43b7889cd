"""The command ``duel`` and the list of what it can do."""

import os
import sys
from importlib import import_module

import click

from divisorduel.installation import program

COMMANDS = {
    "play": "Play with somebody beside you, or against the computer.",
    "serve": "Play in a browser, alone or with others.",
    "resume": "Go on with an unfinished game.",
    "replay": "Show a recorded game.",
    "review": "Find the mistakes in a recorded game.",
    "solve": "Say who wins, by which moves, and prove it.",
    "verify": "Check the proof that solve has written.",
    "table": "Solve a whole series of boards into a table.",
    "plot": "Draw tables as a picture.",
    "puzzle": "Find the one move that wins.",
    "fair": "List starts that leave both sides something to play for.",
    "games": "List the games and their boards.",
    "rules": "Explain a game: rules, an example, tips.",
    "completion": "Print the shell completion of this command.",
}
"""Every command and its purpose; the module of the same name is imported when it is called."""


INTERRUPTED = 130


class Front(click.Group):
    """A group whose commands live in modules of their own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Open the module of a command."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(f"divisorduel.cli.{cmd_name}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without opening them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        from divisorduel.solve.native.kernel import in_use

        click.echo(f"duel {version('divisorduel')} ({in_use()})")
        ctx.exit()


@click.group(
    cls=Front,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Without a command, duel asks what to play.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version, and which solvers serve.",
)
@click.pass_context
def front(ctx: click.Context) -> None:
    """Two-player games of divisors and multiples."""
    if ctx.invoked_subcommand is None:
        from divisorduel.terminal.plain.menu import menu

        ctx.exit(menu())


def main() -> None:
    """Run the command line, and end with the exit status that it gives."""
    try:
        status = front.main(
            prog_name=program(), complete_var="_DUEL_COMPLETE", standalone_mode=False
        )
        if sys.stdout:
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        status = INTERRUPTED
    except MemoryError:
        click.echo("Error: there is not enough memory for this. A smaller board may do.", err=True)
        status = 1
    except OSError as error:
        # Whatever could not be written then must not be tried again when Python ends.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123  # it stays open to the end
        click.echo(f"Error: {error.strerror or error}.", err=True)
        status = 1
    sys.exit(status)
