"""Endless and half-sent requests, floods, wrong frames and bombs, while a bystander plays on."""

import asyncio
import json

from attack.bystander import MOST_SECONDS, Bystander, Noticed, summary
from attack.campaign import Context
from attack.campaigns.wire.http_attacks import HTTP_ATTACKS, Attack, Attacked
from attack.campaigns.wire.websocket_attacks import WEBSOCKET_ATTACKS
from attack.raw_connection import raise_file_limit
from attack.servers import AttackedServer, serving
from tests.web.clients import HERE, Match, new_match

MINUTES = 40.0
FILES = "-n 1024"
"""How many files the server may open: the limit of most systems."""
SECONDS_FOR_SHORT = 10.0
"""How long a bystander may wait in the short form, which runs on any machine."""
DEADLINE = 60.0
"""After how many seconds the server must have given up half-sent requests."""
SECONDS_FOR_ALL = 600.0
"""How long it takes to attack in every way once."""
BOARD = {"to": 1_000}


def run(context: Context) -> None:
    """Attack a server with default settings in every way, and again while there is time."""
    raise_file_limit(8_192)
    seen: list[Noticed] = []
    for at in context.times(100, 1):
        attacks = [*HTTP_ATTACKS, *WEBSOCKET_ATTACKS]
        waiting = context.rng("order", at).sample(attacks, len(attacks))
        while waiting and context.seconds_left:
            seen += _attack_one_server(context, waiting)
        if context.seconds_left < SECONDS_FOR_ALL:
            break
    context.note(summary(seen))


def _attack_one_server(context: Context, waiting: list[Attack]) -> list[Noticed]:
    """Attack a new server in one way after the other, until one of them has hurt it."""
    seen: list[Noticed] = []
    with serving(context, ulimit=FILES) as server, Bystander(server) as bystander:
        hurt = len(context.failures)
        while waiting and context.seconds_left and len(context.failures) == hurt:
            attack = waiting.pop()
            with context.attempt(attack.__name__):
                _try(context, attack, server, bystander, seen)
    return seen


def _try(
    context: Context,
    attack: Attack,
    server: AttackedServer,
    bystander: Bystander,
    seen: list[Noticed],
) -> None:
    """Attack in one way. Raises `AssertionError` if anyone notices it."""
    players = [HERE, {"who": "here", "name": "Bob"}]
    match = new_match(server.url, board=BOARD, players=players)
    with match, bystander.watching() as noticed:
        failure = _carry_out(attack, _attacked(context, server, match))
    seen.append(noticed)
    context.note(f"{attack.__name__}: {noticed}")
    problems = [*noticed.problems(MOST_SECONDS if context.full else SECONDS_FOR_SHORT)]
    problems += [failure] if failure else []
    if traces := server.log.read_text(errors="replace").count("Traceback (most"):
        problems.append(f"the log has {traces} tracebacks")
    assert not problems, "; ".join(problems)


def _carry_out(attack: Attack, attacked: Attacked) -> str:
    """Attack, and return what went wrong."""
    try:
        asyncio.run(attack(attacked))
    except (AssertionError, TimeoutError) as error:
        return str(error) or "the attack took too long"
    return ""


def _attacked(context: Context, server: AttackedServer, match: Match) -> Attacked:
    return Attacked(
        port=server.port,
        match=f"/api{match.one.at}",
        hello=json.dumps({"type": "hello", "key": match.keys["1"]}),
        spectators_hello=json.dumps({"type": "hello", "key": match.keys["watch"]}),
        connections=context.scaled(1_200, 1_200),
        megabytes=context.scaled(40, 8),
        seconds=context.scaled(15, 3),
        deadline=DEADLINE,
    )
