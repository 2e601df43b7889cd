"""Carries out the commands that players send over HTTP or a WebSocket."""

from typing import get_args

from divisorduel.play.commands import Command, Take
from divisorduel.record.event_json import kebab_case
from divisorduel.rules.refusal import Refusal
from divisorduel.web.dependencies import Caller, Services
from divisorduel.web.live.hub import Outcome
from divisorduel.web.schemas import requests

_KINDS = {kebab_case(kind): kind for kind in get_args(Command)}


async def carry_out(server: Services, who: Caller, submission: requests.Submission) -> Outcome:
    """Carry out a player's command, unless they have sent too many."""
    live, wanted = who.live, submission.command
    if not server.commanding.allows(f"{live.id} {who.seats}"):
        return Outcome(live.match, refusal=Refusal("too-many-commands"))
    command: Command
    if isinstance(wanted, requests.TakeIn):
        command, sure = Take(wanted.number), wanted.sure
    else:
        command, sure = _KINDS[wanted.type](), True
    return await server.hub.submit(live, who.seat, command, submission.version, sure=sure)
