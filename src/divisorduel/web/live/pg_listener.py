"""Listens to PostgreSQL for matches that other processes have changed."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from sqlalchemy import URL

from divisorduel.store.rooms import CHANNEL

SECONDS_TO_RETRY = 1.0
BATCH_SECONDS = 0.005
"""How long notifications are gathered, so that a match with several changes is read once."""

OnChange = Callable[[set[str]], Awaitable[None]]
OnReconnect = Callable[[], Awaitable[None]]

log = logging.getLogger("divisorduel")


async def listen(url: URL, process: str, on_change: OnChange, on_reconnect: OnReconnect) -> None:
    """Call ``on_change`` with the ids of matches that other processes change, until cancelled.

    ``on_reconnect`` is called after every connection, because changes may have been missed before.
    """
    while True:
        try:
            await _listen(url, process, on_change, on_reconnect)
        except Exception as error:  # whatever it is, listen again
            log.warning("Lost the connection to PostgreSQL. Trying again: %s", error)
        await asyncio.sleep(SECONDS_TO_RETRY)


async def _listen(url: URL, process: str, on_change: OnChange, on_reconnect: OnReconnect) -> None:
    import psycopg

    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    # Keepalives detect a connection that has silently died.
    connection = await psycopg.AsyncConnection.connect(
        address, autocommit=True, connect_timeout=10, keepalives_idle=15, keepalives_count=3
    )
    async with connection:
        await connection.execute(f"LISTEN {CHANNEL}")
        await on_reconnect()
        while True:
            first = [one async for one in connection.notifies(timeout=1, stop_after=1)]
            more = [one async for one in connection.notifies(timeout=BATCH_SECONDS)]
            parts = [notice.payload.partition(" ") for notice in (*first, *more)]
            await on_change({match_id for author, _, match_id in parts if author != process})
