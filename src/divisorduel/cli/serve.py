"""Play in a browser, alone or with others."""

import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import click

from divisorduel.cli.options import F, WholeNumber, naming_engine, seconds
from divisorduel.play.players import Player, is_bot
from divisorduel.web.server_settings import DAY, ServerSettings

ORDER = 20


def _setting(name: str, kind: Any, text: str, metavar: str | None = None) -> Callable[[F], F]:
    """Return the option for a setting of the server, which has the same default."""
    option, default = f"--{name.replace('_', '-')}", getattr(ServerSettings, name)
    return click.option(
        option,
        type=kind,
        default=default,
        show_default=bool(default),
        metavar=metavar,
        help=text,
    )


def _named_commands(
    _ctx: click.Context, _parameter: click.Parameter, given: tuple[str, ...]
) -> dict[str, str]:
    engines: dict[str, str] = {}
    for text in given:
        name, _, command_line = text.partition("=")
        if not is_bot(f"bot:{name}") or not command_line.strip():
            raise click.BadParameter(
                f"{text!r} is not an engine. Use a name of letters, digits, dots, dashes and "
                "underscores, and a command: --bot NAME=COMMAND"
            )
        if name in engines:
            raise click.BadParameter(f"Two engines are called {name}. Use different names.")
        engines[name] = command_line
    return engines


@click.command("serve")
@_setting("host", str, "Address to listen on; 0.0.0.0 lets other machines connect.", "ADDRESS")
@_setting("port", WholeNumber(0, 65535), "Port to listen on; 0 picks a free one.")
@click.option(
    "--database",
    metavar="URL",
    help="Where games are stored: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME; "
    "by default a file in your data folder.",
)
@click.option("--no-open", is_flag=True, help="Do not open the page in a browser.")
@_setting(
    "claim_after", seconds, "Seconds a player may be away before the opponent can claim the win."
)
@click.option(
    "--expire-after",
    type=click.FloatRange(min=0, min_open=True),
    default=ServerSettings.expire_after / DAY,
    metavar="DAYS",
    help="Days without a move after which an unfinished game is closed.",
)
@_setting(
    "games_a_minute", WholeNumber(1), "Maximum number of new games per minute from one address."
)
@_setting(
    "connections_a_minute",
    WholeNumber(1),
    "Maximum number of new WebSockets per minute from one address.",
)
@_setting(
    "commands_a_minute", WholeNumber(1), "Maximum number of commands per minute with one key."
)
@_setting(
    "requests_a_minute", WholeNumber(1), "Maximum number of requests per minute from one address."
)
@_setting("connections", WholeNumber(1), "Maximum number of open connections.")
@_setting(
    "connections_per_address",
    WholeNumber(1),
    "Maximum number of open connections from one address.",
)
@_setting("workers", WholeNumber(1), "Number of solver processes.")
@click.option(
    "--bot",
    "engines",
    multiple=True,
    metavar="NAME=COMMAND",
    callback=_named_commands,
    help="Offer an engine on the page; may be given several times.",
)
@_setting("proxy", str, "Address of the reverse proxy to trust.", "ADDRESS")
def command(
    database: str | None,
    no_open: bool,
    expire_after: float,
    engines: dict[str, str],
    **others: Any,
) -> None:
    """Play in a browser: against the computer, with a friend on the same screen, or online.

    Every move is saved. Stop the server with Ctrl-C; after a restart, all games continue.
    """
    from divisorduel.store.database import default_url
    from divisorduel.web.app import application
    from divisorduel.web.server import bind, run

    database = database or default_url().render_as_string(hide_password=False)
    settings = ServerSettings(database=database, expire_after=expire_after * DAY, **others)
    with bind(settings) as taken, _started(engines, settings) as bots:
        app = application(settings, bots)
        page = _page(taken)

        def ready() -> None:
            click.echo(f"Divisor Duel is running at {page} (Ctrl-C stops it)")
            if not settings.is_local:
                click.echo(_WARNING, err=True)
            if not no_open:
                # Some browsers block the call for as long as they run.
                threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()

        run(app, settings, taken, ready)


@contextmanager
def _started(engines: dict[str, str], settings: ServerSettings) -> Iterator[dict[str, Player]]:
    """Start the engines, and end them on exit. Raises `PlayerFault`."""
    with ExitStack() as stack:
        bots: dict[str, Player] = {}
        for name, command_line in engines.items():
            from divisorduel.bots.engine import EnginePlayer

            with naming_engine(command_line):
                bots[name] = EnginePlayer(command_line, seconds=settings.thinking, name=name)
            stack.callback(bots[name].close)
        yield bots


_WARNING = """\
Everyone who can reach this machine over the network can play here, and anyone who can read the
traffic can read the keys to the games. That is fine in a classroom or at home. On the internet, put
a proxy with TLS in front: docs/serving.md shows how."""


def _page(taken: socket.socket) -> str:
    """Return the address to open: this machine's own if the server listens on all addresses."""
    from divisorduel.web.own_addresses import own_addresses, url_of

    host, port = taken.getsockname()[:2]
    addresses = own_addresses(host) or [socket.gethostname()]
    return f"{url_of(addresses[0], port)}/"
