"""The command ``duel``: it finds its subcommands, and maps errors to exit statuses.

A subcommand is a module in this folder with a one-line docstring (its line in the help), a constant
``ORDER`` (its place there), and a click command called ``command``.
"""

import io
import os
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module

import click

from divisorduel import cli
from divisorduel.system import program

INPUT_ENDED, INTERRUPTED = 3, 130


@cache
def commands() -> dict[str, str]:
    """Return the commands and what they do, in the order a newcomer needs them.

    The modules are read, not imported, which keeps the help fast.
    """
    found = []
    for file in os.scandir(cli.__path__[0]):
        if file.name.endswith(".py"):
            with open(file, encoding="utf-8") as opened:  # noqa: PTH123  # pathlib is slow to import
                purpose, *rest = opened.read().split("\n")
            orders = [int(line[8:]) for line in rest if line.startswith("ORDER = ")]
            name = file.name[:-3].replace("_", "-")
            found += [(order, name, purpose.strip('"')) for order in orders]
    return {name: purpose for _, name, purpose in sorted(found)}


class Front(click.Group):
    """A group whose commands are modules, imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command."""
        if cmd_name not in commands():
            return None
        module = import_module(f"divisorduel.cli.{cmd_name.replace('-', '_')}")
        found: click.Command = module.command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; if it is misspelled, suggest the right one."""
        if args and args[0] not in commands() and not args[0].startswith("-"):
            raise click.UsageError(_unknown_command(args[0]), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(commands().items()))


_SYNONYMS = {"continue": "resume", "puzzles": "puzzle", "statistics": "stats"}
"""What people type for a command."""


def _unknown_command(word: str) -> str:
    from difflib import get_close_matches

    meant = {name: name for name in commands()}
    meant |= {word: name for word, name in _SYNONYMS.items() if name in meant}
    close = get_close_matches(word.lower(), meant, n=1)
    listed = f"To list the commands: {program()} --help"
    advice = f"Did you mean {meant[close[0]]}?" if close else listed
    return f"Unknown command {word!r}. {advice}"


def _version(ctx: click.Context, _: click.Parameter, is_given: bool) -> None:
    if is_given:
        from importlib.metadata import version

        from divisorduel.solve.native.kernel import in_use

        click.echo(f"duel {version('divisorduel')} ({in_use()})")
        ctx.exit()


@click.group(
    cls=Front,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    epilog="Without a command, duel opens a menu. For the options of a command, type duel "
    "COMMAND --help.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and the solvers in use.",
)
@click.option("--plain", is_flag=True, help="Use plain text instead of the full-screen interface.")
@click.pass_context
def front(ctx: click.Context, plain: bool) -> None:
    """Two-player games about divisors and multiples."""
    if _colours_are_off():
        os.environ["NO_COLOR"] = "1"
    if ctx.invoked_subcommand is None:
        ctx.exit(_open_menu(plain=plain))


def _colours_are_off() -> bool:
    """Tell whether the settings turn colours off, which matters on a terminal only."""
    if os.environ.get("NO_COLOR") or not (sys.stdout and sys.stdout.isatty()):
        return False
    from divisorduel.store import preferences

    return preferences.load(os.environ)[0].colours == "never"


def _open_menu(*, plain: bool) -> int:
    from divisorduel.store import preferences
    from divisorduel.terminal.fullscreen import launch

    chosen, faults = preferences.load(os.environ)
    if launch.is_chosen(chosen, plain=plain):
        return launch.open_menu(chosen, faults)
    from divisorduel.terminal.plain.start_menu import StartMenu
    from divisorduel.terminal.terminal import system_terminal

    terminal = system_terminal(sounds=chosen.sounds)
    for fault in faults:
        terminal.complain(fault)
    if not terminal.has_input():
        terminal.complain(f"The input is empty. Give a command. For a list: {program()} --help")
        return INPUT_ENDED
    return StartMenu(terminal, chosen, commands(), _run_command).open()


def _run_command(words: list[str]) -> int:
    """Run a command of the menu, and return its exit status. Raises `DuelError`."""
    from divisorduel.rules.errors import DuelError

    try:
        return front.main(words, program(), standalone_mode=False) or 0
    except click.UsageError as error:
        raise DuelError(error.format_message()) from None


def main() -> None:
    """Run the command line, and exit with its status."""
    if sys.stdout is None:  # nothing that a command prints could be seen
        click.echo("Error: Standard output is closed. Redirect it to a file.", err=True)
        sys.exit(1)
    try:
        status = front.main(
            prog_name=program(), complete_var="_DUEL_COMPLETE", standalone_mode=False
        )
        sys.stdout.flush()
    except click.ClickException as error:
        _report_usage(error)
        status = error.exit_code
    except (Exception, KeyboardInterrupt) as error:
        status = _exit_status(error)
        _report(error)
    sys.exit(status)


def _exit_status(error: BaseException) -> int:
    """Return the exit status for an error. Raises it if it is a bug."""
    from divisorduel.lab.formats import FormatError
    from divisorduel.play.match import MatchError
    from divisorduel.rules.errors import BoardError, CodeError, DuelError, NotANumber
    from divisorduel.terminal.plain.setup_prompts import QuitRequested
    from divisorduel.terminal.terminal import EndOfInput

    statuses: dict[type[BaseException], int] = {
        QuitRequested: 0,
        DuelError: 1,  # an unusable file, or work that failed
        OSError: 1,
        MemoryError: 1,
        BoardError: 2,  # a mistake in the command line
        CodeError: 2,
        FormatError: 2,
        MatchError: 2,
        NotANumber: 2,
        EndOfInput: INPUT_ENDED,
        KeyboardInterrupt: INTERRUPTED,
        click.Abort: INTERRUPTED,
    }
    for kind in type(error).__mro__:
        if kind in statuses:
            return statuses[kind]
    raise error


def _report_usage(error: click.ClickException) -> None:
    from divisorduel.terminal.terminal import printable_lines

    shown = io.StringIO()
    error.show(shown)
    click.echo(printable_lines(shown.getvalue()), err=True, nl=False)


def _report(error: BaseException) -> None:
    if isinstance(error, OSError):
        # Otherwise Python would try again, at exit, to write what could not be written.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123  # it stays open to the end
        click.echo(f"Error: {error.strerror or error}.", err=True)
    elif isinstance(error, MemoryError):
        click.echo("Error: There is not enough memory. Try a smaller board.", err=True)
    elif isinstance(error, KeyboardInterrupt | click.Abort):
        click.echo(err=True)
    elif str(error):
        with suppress(OSError):
            sys.stdout.flush()
        from divisorduel.terminal.terminal import printable_lines

        click.echo(f"Error: {printable_lines(str(error))}", err=True)
