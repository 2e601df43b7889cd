"""The HTTP API: hints, reasons and reviews."""

from typing import Any

from fastapi import APIRouter, HTTPException, Request

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
    problems,
)
from divisorduel.web.schemas import requests, responses

routes = APIRouter(prefix="/api", responses={422: {"model": responses.Problem}})


@routes.get(
    "/matches/{id}/rounds/{number}/review",
    response_model=responses.ReviewOut,
    responses=problems(401, 403, 404, 409, 429, 503),
    dependencies=WITH_KEY,
    tags=["coach"],
)
async def review(request: Request, server: ServicesOf, who: CallerOf, number: RoundNumber) -> Any:
    """Look back at a finished round: which moves gave it away, and what would have won."""
    check_round(who.live, number)
    stored = who.live.stored
    if stored.match.played[number - 1].winner is None:
        raise HTTPException(409, "A round is reviewed when it is over.")
    records = match_to_records(stored.match, Heading(stored.id, stored.date))
    seconds = 2 * server.settings.thinking
    text = write_records([records[number - 1]])
    return await ask_coach(server, request, "review", record=text, seconds=seconds)


@routes.post(
    "/matches/{id}/hint",
    response_model=responses.HintOut,
    responses=problems(400, 401, 403, 409, 413, 429, 503),
    dependencies=WITH_KEY,
    tags=["coach"],
)
async def hint(
    request: Request, server: ServicesOf, who: PlayerOf, question: requests.Question
) -> Any:
    """Give a hint to the player to move: who wins, how many moves win, which one."""
    code = _position_for(who)
    return await ask_coach(server, request, "hint", code=code, step=question.step)


@routes.get(
    "/matches/{id}/why",
    response_model=responses.ReasonOut,
    responses=problems(401, 403, 409, 429, 503),
    dependencies=WITH_KEY,
    tags=["coach"],
)
async def why(request: Request, server: ServicesOf, who: PlayerOf) -> Any:
    """Explain to the player to move who wins, and how."""
    code = _position_for(who)
    return await ask_coach(server, request, "explain", code=code)


def _position_for(who: Caller) -> str:
    match = who.live.match
    if not who.live.stored.hints:
        raise HTTPException(409, "This match is played without hints.")
    if match.state != "playing" or not who.seats & match.current.to_move:
        raise HTTPException(409, "Hints are for the player whose turn it is.")
    return write_code(match.game, match.current.position)
