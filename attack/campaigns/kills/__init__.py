"""Kill the terminal, the server and PostgreSQL at random instants; nothing acknowledged is lost."""

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import cycle
from typing import NamedTuple

from attack.campaign import Context
from attack.campaigns.kills.cluster import KilledCluster
from attack.campaigns.kills.server import KilledServer
from attack.campaigns.kills.tables import KilledTable
from attack.campaigns.kills.terminal import KilledMatch
from attack.servers import databases, has_postgresql

MINUTES = 120.0
SESSIONS = 8
"""After how many kills a match or a table is finished undisturbed, in the full form."""
RESTARTS = 24
"""After how many kills the servers get new databases."""
GAMES = 50
"""How many games are played on a server while it is killed."""

CLUSTER = "PostgreSQL and two servers in turn"

Kills = Generator[None, None, None]
"""Each step is one kill, with the checks that follow it."""


def run(context: Context) -> None:
    """Kill again and again, in random order."""
    kinds = [name for name in KINDS if name != CLUSTER or has_postgresql(context)]
    schedule = [name for name in kinds for _ in range(context.scaled(*KINDS[name].kills))]
    context.rng("schedule").shuffle(schedule)
    running: dict[str, Kills] = {}
    done: Counter[str] = Counter()
    try:
        for number in context.times(len(schedule), len(schedule)):
            name = schedule[number]
            with context.attempt(f"kill {name}", number=number) as attempt:
                done[name] += 1
                if name not in running:
                    running[name] = KINDS[name].begin(context)
                next(running[name])
            if attempt.failed:
                running.pop(name).close()  # its expectations no longer hold
    finally:
        for kills in running.values():
            kills.close()
    context.note("Kills: " + ", ".join(f"{count} of {name}" for name, count in done.items()) + ".")


def _terminal(context: Context, *, screen: bool) -> Kills:
    while True:
        folder = context.folder("terminal")
        match = KilledMatch(folder, context.rng(folder.name))
        for _ in range(context.scaled(SESSIONS, 2)):
            if not match.is_over:
                match.kill_once(screen=screen)
                yield
        match.finish()


def _table(context: Context) -> Kills:
    while True:
        folder = context.folder("table")
        table = KilledTable(folder, context.rng(folder.name))
        for _ in range(context.scaled(SESSIONS, 2)):
            if not table.is_over:
                table.kill_once()
                yield
        table.finish()


def _server(context: Context) -> Kills:
    while True:
        with databases(context) as kinds, ExitStack() as stack:
            servers = [
                stack.enter_context(KilledServer.running(context, new(), GAMES))
                for new in kinds.values()
            ]
            ways: Iterator[Callable[[KilledServer], None]] = cycle(
                [KilledServer.kill_under_load, KilledServer.kill_during_start]
            )
            for _ in range(RESTARTS // len(servers)):
                way = next(ways)
                for server in servers:
                    way(server)
                    yield


def _cluster(context: Context) -> Kills:
    while True:
        with KilledCluster.running(context, context.scaled(GAMES, GAMES // 2)) as cluster:
            for _ in range(RESTARTS // 3):
                for kill in (cluster.kill_here, cluster.kill_database, cluster.kill_there):
                    kill()
                    yield


class Kind(NamedTuple):
    """A kind of kill."""

    begin: Callable[[Context], Kills]
    kills: tuple[int, int]
    """How many there are in the full and in the short form."""


KINDS = {
    "a terminal behind a pipe": Kind(partial(_terminal, screen=False), (420, 4)),
    "a terminal with a screen": Kind(partial(_terminal, screen=True), (250, 4)),
    "a table": Kind(_table, (110, 3)),
    "a server": Kind(_server, (140, 4)),
    CLUSTER: Kind(_cluster, (80, 3)),
}
