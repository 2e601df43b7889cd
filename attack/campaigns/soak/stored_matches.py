"""A server with very many stored matches: how long it takes to start, list, open and expire."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from statistics import median
from threading import Event, Thread
from typing import Any

from sqlalchemy import Engine, func, insert, select, text

from attack.campaign import Context
from attack.servers import NO_LIMITS, AttackedServer, NewDatabase
from divisorduel.store.database import open_database
from divisorduel.store.schema import matches, metadata
from tests.polling import wait_until
from tests.web.clients import Client, Guest, Match, joined_match, new_match

DAY = 86_400.0
SECONDS_TO_EXPIRE = 10.0
"""After how many seconds without a move a match is closed, and how often the server looks."""
CALLS = 100
BATCH = 5_000
MOST_SECONDS = {"start": 30.0, "list": 1.0, "open": 1.0, "list while some expire": 1.0}
"""How long nine of ten calls may take at most. Others should get an answer within a second."""


def many_stored_matches(context: Context, kind: str, new_database: NewDatabase) -> None:
    """Store very many matches, start a server on them, and measure."""
    count, rng = context.scaled(100_000, 2_000), context.rng("stored", kind)
    words = (*NO_LIMITS, "--expire-after", f"{SECONDS_TO_EXPIRE / DAY}")
    server = AttackedServer(new_database(), context.folder("stored"), *words)
    with _templates(server) as templates:
        database = open_database(server.database)
        for template in templates:
            _copy(database, template.id, count // len(templates), rng)
        if kind == "postgresql":  # which does this by itself, but later
            with database.begin() as connection:
                connection.execute(text("ANALYZE"))
        took = {"start": [_timed(server.restart)]}
        with Client(server.url) as client:
            took["list"] = [_timed(lambda: client.get("/matches")) for _ in range(CALLS)]
        took["open"] = [_timed(lambda: _open(server, rng, templates)) for _ in range(CALLS)]
        took["list while some expire"] = _expire(server, database)
        database.dispose()
    figures = "; ".join(f"{what} {_in_words(times)}" for what, times in took.items())
    context.note(f"{count:,} stored matches on {kind}: {figures}.")
    slow = [what for what, times in took.items() if _usual(times) > MOST_SECONDS[what]]
    assert not slow, f"{slow} took longer than promised: {figures}"


@contextmanager
def _templates(server: AttackedServer) -> Iterator[list[Match]]:
    """Make the matches that are copied: one waits in the list, one is played, one is over."""
    with (
        server,
        new_match(server.url, listed=True) as waiting,
        joined_match(server.url, board={"to": 60}) as playing,
        joined_match(server.url) as over,
    ):
        for _ in range(6):
            seen = playing.one.see()
            playing.guest(seen["to_move"]).take(seen["legal"][-1 if seen["round"] % 2 else 0])
        over.one.take(7)
        server.stop()
        yield [waiting, playing, over]
        server.stop()


def _copy(database: Engine, template: str, count: int, rng: Random) -> None:
    """Copy the rows of a match under new names, some days older; the keys stay the same."""
    with database.begin() as connection:
        for table in metadata.sorted_tables:
            name = "id" if table is matches else "match_id"
            found = connection.execute(select(table).where(table.c[name] == template)).mappings()
            rows = [dict(row) for row in found]
            for first in range(0, count, BATCH):
                copies = [
                    _aged(row, name, template, number, rng)
                    for number in range(first, min(count, first + BATCH))
                    for row in rows
                ]
                if copies:
                    connection.execute(insert(table), copies)


def _aged(
    row: dict[str, Any], name: str, template: str, number: int, rng: Random
) -> dict[str, Any]:
    older: dict[str, Any] = {name: _name(template, number)}
    for key in ("created", "at"):
        if key in row:
            older[key] = row[key] - DAY * (1 + 60 * rng.random())
    if "base" in row:
        older["base"] = row["base"].replace(template, _name(template, number))
    return {**row, **older}


def _name(template: str, number: int) -> str:
    return f"{template[:3]}{number:07}"


def _open(server: AttackedServer, rng: Random, templates: list[Match]) -> None:
    template = rng.choice(templates)
    name = _name(template.id, rng.randrange(500))
    with Guest(server.url, name, template.keys["1"]) as guest:
        assert guest.see()["names"][0] == "Ann"


def _expire(server: AttackedServer, database: Engine) -> list[float]:
    """Wait until some matches have expired; return how long a bystander's calls took."""
    times: list[float] = []
    is_done = Event()

    def call() -> None:
        with Client(server.url) as stranger:
            while not is_done.wait(0.02):
                times.append(_timed(lambda: stranger.get("/matches")))

    caller = Thread(target=call)
    caller.start()
    before = _expired(database)
    try:
        for _ in wait_until("a hundred more matches have expired", 20 * SECONDS_TO_EXPIRE):
            if _expired(database) >= before + 100:
                break
            time.sleep(0.5)
    finally:
        is_done.set()
        caller.join()
    return times


def _expired(database: Engine) -> int:
    with database.connect() as connection:
        query = select(func.count()).where(matches.c.state == "expired")
        return int(connection.execute(query).scalar_one())


def _timed(call: Callable[[], object]) -> float:
    began = time.monotonic()
    call()
    return time.monotonic() - began


def _usual(times: list[float]) -> float:
    """Return how long nine of ten calls took at most."""
    return sorted(times)[(len(times) * 9 - 1) // 10]


def _in_words(times: list[float]) -> str:
    if len(times) == 1:
        return f"{times[0]:.2f} s"
    return f"{median(times):.3f} s (nine of ten {_usual(times):.3f} s, at most {max(times):.3f} s)"
