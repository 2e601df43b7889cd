"""Hears from PostgreSQL what the other processes have changed."""

import asyncio
from collections.abc import Awaitable, Callable

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from divisorduel.store.rooms import CHANNEL

SECONDS_TO_TRY_AGAIN = 1.0


async def hear(
    url: URL,
    process: str,
    heard: Callable[[str], Awaitable[None]],
    heard_nothing: Callable[[], Awaitable[None]],
) -> None:
    """Pass on the name of every match that another process changes, until cancelled.

    After a time in which the database could not be heard, say so: anything may have happened.
    """
    import psycopg

    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(address, autocommit=True) as line:
                await line.execute(f"LISTEN {CHANNEL}")
                await heard_nothing()
                async for notice in line.notifies():
                    who, _, match_id = notice.payload.partition(" ")
                    if who != process:
                        await heard(match_id)
        except (psycopg.Error, DBAPIError):
            await asyncio.sleep(SECONDS_TO_TRY_AGAIN)
