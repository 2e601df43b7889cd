"""Hears from PostgreSQL what the other processes have changed."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from sqlalchemy import URL

from divisorduel.store.rooms import CHANNEL

SECONDS_TO_TRY_AGAIN = 1.0
TOGETHER = 0.005
"""For so many seconds notices are gathered, so that a match that changes often is read once."""

log = logging.getLogger("divisorduel")


async def hear(
    url: URL,
    process: str,
    heard: Callable[[set[str]], Awaitable[None]],
    heard_nothing: Callable[[], Awaitable[None]],
) -> None:
    """Pass on the names of the matches that other processes change, until cancelled.

    After a time in which the database could not be heard, say so: anything may have happened.
    """
    while True:
        try:
            await _listen(url, process, heard, heard_nothing)
        except Exception as error:  # whatever it is, a server that hears nothing is of no use
            log.warning("The other processes cannot be heard; trying again: %s", error)
        await asyncio.sleep(SECONDS_TO_TRY_AGAIN)


async def _listen(
    url: URL,
    process: str,
    heard: Callable[[set[str]], Awaitable[None]],
    heard_nothing: Callable[[], Awaitable[None]],
) -> None:
    import psycopg

    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    # A line that has gone dead in silence must be noticed, too.
    line = await psycopg.AsyncConnection.connect(
        address, autocommit=True, connect_timeout=10, keepalives_idle=15, keepalives_count=3
    )
    async with line:
        await line.execute(f"LISTEN {CHANNEL}")
        await heard_nothing()
        while True:
            changed = {
                match_id
                async for notice in line.notifies(timeout=1, stop_after=1)
                if (match_id := _changed_elsewhere(notice.payload, process))
            }
            async for notice in line.notifies(timeout=TOGETHER):
                if match_id := _changed_elsewhere(notice.payload, process):
                    changed.add(match_id)
            await heard(changed)


def _changed_elsewhere(payload: str, process: str) -> str:
    who, _, match_id = payload.partition(" ")
    return match_id if who != process else ""
