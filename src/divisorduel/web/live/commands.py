"""Carries out the commands that players send over HTTP or a WebSocket."""

from divisorduel.web.dependencies import Caller
from divisorduel.web.live.hub import Outcome
from divisorduel.web.schemas import requests
from divisorduel.web.schemas.problems import CommandRefused, problem, refusal_problem
from divisorduel.web.services import Services


async def carry_out(services: Services, who: Caller, submission: requests.Submission) -> Outcome:
    """Carry out a command for the caller. Raises `CommandRefused`."""
    live, wanted = who.live, submission.command
    if not services.command_limit.allows(f"{live.id} {who.seats}"):
        raise CommandRefused(problem("too-many-commands"), live.match.version)
    sure = wanted.sure if isinstance(wanted, requests.TakeIn) else True
    outcome = await services.hub.submit(
        live, who.seat, wanted.to_command(), submission.version, sure=sure
    )
    if outcome.refusal is not None:
        told = refusal_problem(outcome.refusal, live.match)
        raise CommandRefused(told, live.match.version, asks=outcome.asks)
    return outcome
