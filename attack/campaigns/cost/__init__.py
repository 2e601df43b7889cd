"""The costliest requests that every call allows, many at once, while a bystander plays on."""

import asyncio
import shutil
import time
from contextlib import closing
from pathlib import Path

import httpx

from attack.bystander import MOST_SECONDS, Bystander, Noticed, summary
from attack.campaign import Context
from attack.campaigns.cost.costly_matches import Archive, costly_matches
from attack.campaigns.cost.costly_requests import costliest, costliest_commands
from attack.campaigns.cost.flood import Flood, MessageFlood
from attack.description import Json, operations
from attack.servers import serving, sqlite_in
from tests.web.clients import NO_TLS

MINUTES = 30.0
SECONDS_FOR_SHORT = 10.0
"""How long a bystander may wait in the short form, which runs on any machine."""
EXPECTED = {"done", "refused", "closed", "200", "201", "404", "409", "422", "429", "503"}
"""How a costly request or message may be answered. 503: the solvers have no time for it."""


def run(context: Context) -> None:
    """Attack every call of a server with default settings, on matches that are costly."""
    folder = context.folder("archive")
    began = time.monotonic()
    with closing(Archive(sqlite_in(folder))) as archive:
        steps, copies = context.scaled(19_900, 1_500), context.scaled(8, 3)
        matches = costly_matches(archive, steps=steps, copies=copies)
    context.note(f"{len(matches)} costly matches, stored in {time.monotonic() - began:.0f} s")
    with serving(context) as server:
        document: Json = httpx.get(f"{server.url}/openapi.json", verify=NO_TLS).json()
    floods: dict[str, Flood] = {
        operation.label: Flood(
            costliest(operation, document, matches, context.rng(operation.label))
        )
        for operation in operations(document)
    }
    floods["WebSocket"] = MessageFlood(costliest_commands(matches))
    seen: list[Noticed] = []
    for name, flood in floods.items():
        if not context.seconds_left:
            context.note("Time ran out before every call was attacked.")
            break
        with context.attempt(name):
            _attack(context, folder, name, flood, seen)
    context.note(summary(seen))


def _attack(context: Context, archive: Path, name: str, flood: Flood, seen: list[Noticed]) -> None:
    """Attack a server that has just started, so that nothing is in its memory.

    Raises `AssertionError` if anyone notices it.
    """
    folder = context.folder("cost")
    for file in archive.iterdir():
        shutil.copy(file, folder)
    with (
        serving(context, database=sqlite_in(folder)) as server,
        Bystander(server, asks=True) as bystander,
        bystander.watching() as noticed,
    ):
        asyncio.run(flood.run(server.port, context.scaled(25, 6)))
    seen.append(noticed)
    context.note(f"{name}: {flood}; {noticed}")
    problems = [*noticed.problems(MOST_SECONDS if context.full else SECONDS_FOR_SHORT)]
    if unexpected := flood.answers.keys() - EXPECTED:
        problems.append(f"answered with {', '.join(sorted(unexpected))}")
    if not flood.answers:
        problems.append("no request was answered")
    assert not problems, "; ".join(problems)
