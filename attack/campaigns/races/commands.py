"""Commands for one version of a match at the same instant: one is carried out, and all agree."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from random import Random
from typing import Any

from attack.load import JOINED, Player, connected
from attack.scripted_match import WANTED, apart, sent
from divisorduel import read_records
from divisorduel.play.commands import Accept, Command, Decline, Forfeit, Rematch, Take, Undo
from divisorduel.play.decide import decide
from divisorduel.play.events import Seat
from divisorduel.play.match import Match
from divisorduel.record.match_records import Heading, match_to_records
from tests.web.clients import Guest, joined_match

CONNECTIONS = 3
"""How many connections each player has: several windows, and a page that sends twice."""
ROUNDS = 12
"""How many times all send at once in one match."""


def commands_at_once(urls: Sequence[str], rng: Random) -> None:
    """Let two players with several connections each send commands at the same instant."""
    with joined_match(urls[0], **WANTED) as made:
        keys: dict[Seat, str] = {1: str(made.one.key), 2: str(made.two.key)}
        model = asyncio.run(_race(urls, made.id, keys, rng))
        for url in urls:
            with Guest(url, made.id, keys[1]) as guest:
                assert guest.see()["version"] == model.version + JOINED
                records = read_records(guest.get(f"{guest.at}/record"))
                heading = Heading(records[0].tag("Match"), records[0].tag("Date"))
                expected = match_to_records(model, heading)
                assert expected == tuple(records), (
                    f"{url} has a different match from the one that was played"
                )


async def _race(urls: Sequence[str], match_id: str, keys: dict[Seat, str], rng: Random) -> Match:
    """Send and compare; return the match that the answers add up to."""
    model = apart(rng, 0).states[0]
    async with AsyncExitStack() as stack:
        players: list[tuple[Seat, Player]] = []
        for seat, key in keys.items():
            for number in range(CONNECTIONS):
                url = urls[(number + seat) % len(urls)]
                player = connected(url, match_id, key, lambda _: None)
                players.append((seat, await stack.enter_async_context(player)))
        for _ in range(ROUNDS):
            model = await _send_at_once(players, model, rng)
    return model


async def _send_at_once(players: list[tuple[Seat, Player]], model: Match, rng: Random) -> Match:
    """Let each connection send a command; return the match after the one that was carried out."""
    asked = [(seat, _choose(model, rng)) for seat, _ in players]
    version = model.version + JOINED
    answers: list[dict[str, Any]] = await asyncio.gather(
        *(
            player.ask(version, sent(command))
            for (_, player), (_, command) in zip(players, asked, strict=True)
        )
    )
    done = [one for one, answer in zip(asked, answers, strict=True) if answer["type"] == "done"]
    legal = [one for one in asked if decide(model, *one).refusal is None]
    about = f"{asked} for version {version}: {answers}"
    assert len(done) == (1 if legal else 0), f"{len(done)} commands were carried out of {about}"
    if not done:
        return model
    decision = decide(model, *done[0])
    assert decision.refusal is None, f"A command was carried out that is not allowed: {about}"
    return decision.match


def _choose(match: Match, rng: Random) -> Command:
    """Return a command that may be allowed: a move, an offer, an answer, sometimes giving up."""
    numbers = list(match.game.moves(match.current.position)) or [2]
    commands: dict[Command, float] = {
        Take(rng.choice(numbers)): 10,
        Undo(): 4,
        Accept(): 3,
        Decline(): 2,
        Forfeit(): 0.3,
        Rematch(): 0.3,
    }
    return rng.choices(list(commands), list(commands.values()))[0]
