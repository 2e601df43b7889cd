"""Let terminals and players act at the same instant; one wins, and no answer is untrue."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

from attack.campaign import Context
from attack.campaigns.races import terminals
from attack.campaigns.races.commands import commands_at_once
from attack.campaigns.races.joins import join_together, join_while_called_off
from attack.servers import NO_LIMITS, databases, serving

MINUTES = 40.0
TERMINALS: dict[str, Callable[[Path, Random], None]] = {
    "moves at once in several terminals": terminals.moves_at_once,
    "resume while another terminal plays": terminals.resume_while_playing,
    "resume at once in two terminals": terminals.resumes_at_once,
}
WEB: dict[str, Callable[[Sequence[str], Random], None]] = {
    "joins at once by the list": lambda urls, _: join_together(urls, "the list"),
    "joins at once by the link": lambda urls, _: join_together(urls, "the link"),
    "a join while the match is called off": lambda urls, _: join_while_called_off(urls),
    "commands at once": commands_at_once,
}


def run(context: Context) -> None:
    """Run every kind of race in turn, again and again."""
    with _places(context) as places:
        for number in context.times(60, 2):
            for what, race in TERMINALS.items():
                with context.attempt(what, number=number):
                    race(context.folder("terminals"), context.rng(what, number))
            for kind, urls in places.items():
                for what, web_race in WEB.items():
                    with context.attempt(what, number=number, database=kind):
                        web_race(urls, context.rng(what, kind, number))


@contextmanager
def _places(context: Context) -> Iterator[dict[str, list[str]]]:
    """Run a server on SQLite and two on one PostgreSQL; give their addresses by database."""
    with databases(context) as kinds, ExitStack() as stack:
        places: dict[str, list[str]] = {}
        for kind, new in kinds.items():
            url = new()
            count = 2 if kind == "postgresql" else 1
            servers = [serving(context, *NO_LIMITS, database=url) for _ in range(count)]
            places[kind] = [stack.enter_context(server).url for server in servers]
        yield places
