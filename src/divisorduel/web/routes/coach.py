"""HTTP routes for hints, reasons and reviews."""

from functools import partial

from fastapi import Request

from divisorduel.record.match_records import Heading, round_to_record
from divisorduel.record.writer import write_records
from divisorduel.rules.code import write_code
from divisorduel.store.rooms import StoredMatch
from divisorduel.web import dependencies as deps
from divisorduel.web.schemas import requests, responses
from divisorduel.web.schemas.problems import api_error, refusals

LONG_ROUND = 3_000
"""If moves times numbers exceed this, a round takes more than a moment to review."""

routes = deps.router_with_key("coach")


@routes.get("/rounds/{number}/review", responses=refusals(404, 409, 429, 503))
async def review(
    request: Request, services: deps.ServicesOf, who: deps.CallerOf, number: deps.RoundNumber
) -> responses.ReviewOut:
    """Review a finished round: which moves were mistakes, and what would have won."""
    deps.check_round(who.live, number)
    stored, played = who.live.stored, who.live.match.played[number - 1]
    if played.winner is None:
        raise api_error("round-not-over")
    text = await deps.in_background(services, request, partial(_record_of, stored, number))
    long = len(played.moves) * stored.match.start.playable.bit_count() > LONG_ROUND
    return responses.ReviewOut(
        **await deps.ask_coach(services, request, "review", long=long, record=text)
    )


def _record_of(stored: StoredMatch, number: int) -> str:
    heading = Heading(stored.id, stored.date)
    return write_records([round_to_record(stored.match, heading, number)])


@routes.post("/hint", responses=refusals(400, 409, 413, 429, 503))
async def hint(
    request: Request, services: deps.ServicesOf, who: deps.PlayerOf, wanted: requests.HintRequest
) -> responses.HintOut:
    """Give a hint to the player to move: who wins, how many moves win, or a move to take."""
    code = _position_for(who)
    found = await deps.ask_coach(services, request, "hint", code=code, step=wanted.step)
    return responses.HintOut(**found)


@routes.get("/why", responses=refusals(409, 429, 503))
async def why(
    request: Request, services: deps.ServicesOf, who: deps.PlayerOf, hints: deps.HintsSeen = 3
) -> responses.ReasonOut:
    """Explain to the player to move who wins, and how."""
    code = _position_for(who)
    found = await deps.ask_coach(services, request, "explain", code=code, hints=hints)
    return responses.ReasonOut(**found)


def _position_for(who: deps.Caller) -> str:
    match = who.live.match
    if not who.live.stored.hints:
        raise api_error("no-hints")
    if match.state != "playing" or not who.seats & match.current.to_move:
        raise api_error("hint-not-your-turn")
    return write_code(match.game, match.current.position)
