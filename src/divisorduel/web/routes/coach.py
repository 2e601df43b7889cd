"""HTTP routes for hints, reasons and reviews."""

from fastapi import APIRouter, Request

from divisorduel.record.match_records import Heading, match_to_records
from divisorduel.record.writer import write_records
from divisorduel.rules.code import write_code
from divisorduel.web.dependencies import (
    WITH_KEY,
    Caller,
    CallerOf,
    PlayerOf,
    RoundNumber,
    ServicesOf,
    ask_coach,
    check_round,
)
from divisorduel.web.schemas import requests, responses
from divisorduel.web.schemas.problems import api_error, openapi_problems

routes = APIRouter(prefix="/api", responses={422: {"model": responses.Problem}})


@routes.get(
    "/matches/{id}/rounds/{number}/review",
    responses=openapi_problems(401, 403, 404, 409, 429, 503),
    dependencies=WITH_KEY,
    tags=["coach"],
)
async def review(
    request: Request, services: ServicesOf, who: CallerOf, number: RoundNumber
) -> responses.ReviewOut:
    """Review a finished round: which moves were mistakes, and what would have won."""
    check_round(who.live, number)
    stored = who.live.stored
    if stored.match.played[number - 1].winner is None:
        raise api_error("round-not-over")
    records = match_to_records(stored.match, Heading(stored.id, stored.date))
    seconds = 2 * services.settings.thinking
    text = write_records([records[number - 1]])
    found = await ask_coach(services, request, "review", record=text, seconds=seconds)
    return responses.ReviewOut(**found)


@routes.post(
    "/matches/{id}/hint",
    responses=openapi_problems(400, 401, 403, 409, 413, 429, 503),
    dependencies=WITH_KEY,
    tags=["coach"],
)
async def hint(
    request: Request, services: ServicesOf, who: PlayerOf, wanted: requests.HintRequest
) -> responses.HintOut:
    """Give a hint to the player to move: who wins, how many moves win, or which one."""
    code = _position_for(who)
    found = await ask_coach(services, request, "hint", code=code, step=wanted.step)
    return responses.HintOut(**found)


@routes.get(
    "/matches/{id}/why",
    responses=openapi_problems(401, 403, 409, 429, 503),
    dependencies=WITH_KEY,
    tags=["coach"],
)
async def why(request: Request, services: ServicesOf, who: PlayerOf) -> responses.ReasonOut:
    """Explain to the player to move who wins, and how."""
    code = _position_for(who)
    return responses.ReasonOut(**await ask_coach(services, request, "explain", code=code))


def _position_for(who: Caller) -> str:
    match = who.live.match
    if not who.live.stored.hints:
        raise api_error("no-hints")
    if match.state != "playing" or not who.seats & match.current.to_move:
        raise api_error("hint-not-your-turn")
    return write_code(match.game, match.current.position)
