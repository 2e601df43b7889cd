"""The HTTP API: games and matches."""

import asyncio
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from divisorduel.play.commands import Join
from divisorduel.play.events import Seat
from divisorduel.play.match import check_name
from divisorduel.record.match_records import Heading, match_to_records
from divisorduel.record.writer import write_records
from divisorduel.web.dependencies import (
    WITH_KEY,
    CallerOf,
    MatchId,
    PlayerOf,
    RoundNumber,
    Services,
    ServicesOf,
    ask_coach,
    caller,
    check_round,
    limited,
    player,
    problems,
)
from divisorduel.web.invitation import Invitation, open_new, take_up
from divisorduel.web.live.commands import carry_out
from divisorduel.web.live.live_match import LiveMatch
from divisorduel.web.schemas import requests, responses
from divisorduel.web.schemas.match_views import (
    board_view,
    event_view,
    game_view,
    match_view,
    round_view,
)
from divisorduel.web.schemas.rule_books import rule_books
from divisorduel.web.security import hash_of, key_in, new_key

LONGEST_LIST = 50
TOO_LATE = "Somebody else was faster: the seat is taken."

routes = APIRouter(prefix="/api", responses={422: {"model": responses.Problem}})


@routes.get("/games", response_model=list[responses.RuleBookOut], tags=["games"])
async def games() -> JSONResponse:
    """List the rule books: boards, rules, an example, tips."""
    return JSONResponse(rule_books())


@routes.get("/matches", response_model=list[responses.WaitingOut], tags=["matches"])
async def open_matches(server: ServicesOf) -> list[dict[str, Any]]:
    """List the matches that anybody may join, the newest first."""
    return [
        {
            "id": stored.id,
            "game": game_view(stored.match.game),
            "host": stored.match.name(1 if stored.match.joined[0] else 2),
            "rounds": stored.match.rounds,
            "starts": "host" if stored.match.joined[stored.match.first - 1] else "you",
            "created": stored.created,
        }
        for stored in await server.hub.waiting(LONGEST_LIST)
    ]


@routes.post(
    "/matches",
    status_code=201,
    response_model=responses.CreatedOut,
    responses=problems(400, 413, 429),
    tags=["matches"],
)
async def create(request: Request, server: ServicesOf, wanted: requests.NewMatch) -> dict[str, Any]:
    """Create a match. The answer holds its keys: pass on the one for the other seat."""
    limited(server.creating, request, "new matches")
    return await _created(server, open_new(wanted, server.clock(), server.rng))


@routes.post(
    "/records",
    status_code=201,
    response_model=responses.CreatedOut,
    responses=problems(400, 413, 429, 503),
    tags=["matches"],
)
async def resume(request: Request, server: ServicesOf, wanted: requests.TakenUp) -> dict[str, Any]:
    """Go on with a recorded match."""
    limited(server.creating, request, "new matches")
    await ask_coach(server, request, "check", record=wanted.record)
    invitation = await asyncio.to_thread(take_up, wanted.record, server.clock())
    return await _created(server, invitation)


async def _created(server: Services, invitation: Invitation) -> dict[str, Any]:
    live = await server.hub.create(invitation.stored, invitation.hashes)
    one, two = invitation.seats
    keys = {"1": one, "2": two, "watch": invitation.watch}
    return {"id": live.stored.id, "keys": keys, "match": match_view(live.stored)}


@routes.get(
    "/matches/{id}",
    response_model=responses.SeenOut,
    responses=problems(401, 403),
    dependencies=WITH_KEY,
    tags=["matches"],
)
async def see(server: ServicesOf, who: CallerOf) -> dict[str, Any]:
    """See a match as it stands."""
    return {
        "seats": [seat for seat in (1, 2) if who.seats & seat],
        "match": match_view(who.live.stored),
        "presence": server.hub.attendance.presence(who.live),
    }


@routes.post(
    "/matches/{id}/join",
    response_model=responses.JoinedOut,
    responses=problems(400, 401, 403, 409, 413, 429),
    dependencies=WITH_KEY,
    tags=["matches"],
)
async def join(
    request: Request,
    server: ServicesOf,
    id: MatchId,  # noqa: A002
    who: requests.Joining,
) -> dict[str, Any]:
    """Take a free seat: with its key, or without one if the match is in the list.

    The answer holds a key of your own; the one that led you here opens nothing any more, so that
    nobody who has seen it can play for you.
    """
    limited(server.connecting, request, "connections")
    old = key_in(request.headers)
    if old is not None:
        found = await player(await caller(request, server, id))
        live, seat = found.live, found.seat
        if live.match.joined[seat - 1]:  # they sit there already
            return {"key": old, "seat": seat, "match": match_view(live.stored)}
    else:
        live, seat = await _listed(server, id)
    key = who.key or new_key()
    joining = Join(_checked(who.name))
    replacing = (hash_of(key), seat)
    outcome = await server.hub.submit(live, seat, joining, live.match.version, new_key=replacing)
    if outcome.refused:
        faster = live.match.state == "playing"
        raise HTTPException(409, TOO_LATE if faster else outcome.refused)
    return {"key": key, "seat": seat, "match": match_view(live.stored)}


async def _listed(server: Services, match_id: str) -> tuple[LiveMatch, Seat]:
    live = await server.hub.find(match_id)
    if live is None or not live.stored.listed:
        raise HTTPException(401, "A key is needed to join this.", {"www-authenticate": "Bearer"})
    if live.match.state != "waiting":
        raise HTTPException(409, TOO_LATE)
    return live, 2 if live.match.joined[0] else 1


def _checked(name: str | None) -> str:
    if name is None:
        return ""
    check_name(name)
    return name


@routes.post(
    "/matches/{id}/commands",
    response_model=responses.DoneOut,
    responses={**problems(400, 401, 403, 413), 409: {"model": responses.Refusal}},
    dependencies=WITH_KEY,
    tags=["matches"],
)
async def command(
    server: ServicesOf, who: PlayerOf, submission: requests.Submission
) -> Response | dict[str, Any]:
    """Carry out a command, made for the version of the match that you have seen."""
    outcome = await carry_out(server, who, submission)
    if outcome.refused:
        refusal = {
            "reason": outcome.refused,
            "version": who.live.match.version,
            "asks": outcome.asks,
        }
        return JSONResponse(refusal, 409)
    return {
        "events": [event_view(event, after) for event, after in outcome.steps],
        "match": match_view(who.live.stored),
    }


@routes.get(
    "/matches/{id}/board",
    response_model=responses.BoardOut,
    responses=problems(401, 403),
    dependencies=WITH_KEY,
    tags=["matches"],
)
async def board(who: CallerOf) -> dict[str, Any]:
    """List the numbers of the board, and which are tied to which."""
    match = who.live.match
    return board_view(match.game, match.start)


@routes.get(
    "/matches/{id}/record",
    response_class=PlainTextResponse,
    responses=problems(401, 403, 422),
    dependencies=WITH_KEY,
    tags=["matches"],
)
async def record(who: CallerOf) -> PlainTextResponse:
    """Write the match down as a record, which every other part of the program reads."""
    stored = who.live.stored
    records = match_to_records(stored.match, Heading(stored.id, stored.date))
    name = f'attachment; filename="{stored.match.game.book.key}-{stored.id}.duel"'
    return PlainTextResponse(write_records(records), headers={"content-disposition": name})


@routes.get(
    "/matches/{id}/rounds/{number}",
    response_model=responses.RoundOut,
    responses=problems(401, 403, 404),
    dependencies=WITH_KEY,
    tags=["matches"],
)
async def one_round(who: CallerOf, number: RoundNumber) -> dict[str, Any]:
    """Show a round turn by turn."""
    check_round(who.live, number)
    return round_view(who.live.match, number)
