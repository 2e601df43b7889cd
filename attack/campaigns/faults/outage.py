"""Players who stay through an outage of the server's storage."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import Random

from attack.load import LIMITED, UNAVAILABLE, ScriptedGame, progress
from attack.scripted_match import apart

GAMES = 8
LENGTH = 400
SECONDS_TO_NOTICE = 60.0


def new_games(urls: Sequence[str], rng: Random) -> list[ScriptedGame]:
    """Create some matches."""
    return [ScriptedGame(urls[number % len(urls)], apart(rng, LENGTH)) for number in range(GAMES)]


def play_through(
    urls: Sequence[str], games: Sequence[ScriptedGame], outage: Callable[[], Awaitable[None]]
) -> None:
    """Play before, during and after an outage; all continue, and nothing acknowledged is lost.

    While the storage fails, commands are refused with the reason that the database cannot be
    reached, and with no other.
    """
    asyncio.run(_play(urls, games, outage))
    codes = {code for game in games for code in game.refusals} - {LIMITED, "stale-version"}
    assert codes <= {UNAVAILABLE}, f"refused for other reasons: {codes}"
    for game in games:
        for url in urls:
            game.check(url)


async def _play(
    urls: Sequence[str], games: Sequence[ScriptedGame], outage: Callable[[], Awaitable[None]]
) -> None:
    stop = asyncio.Event()
    playing = [asyncio.create_task(game.play(urls, stop, patient=True)) for game in games]
    await progress(games, playing, 2)
    await outage()
    await progress(games, playing, 2)
    stop.set()
    assert all(await asyncio.gather(*playing)), "the outage cut connections"


async def refused(games: Sequence[ScriptedGame]) -> None:
    """Wait until commands are refused because the database cannot be reached."""
    async with asyncio.timeout(SECONDS_TO_NOTICE):
        while not any(UNAVAILABLE in game.refusals for game in games):
            await asyncio.sleep(0.05)
