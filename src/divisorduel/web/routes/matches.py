"""HTTP routes for games and matches."""

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

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
    ServicesOf,
    ask_coach,
    caller,
    check_round,
    count_call,
    player,
)
from divisorduel.web.invitation import Invitation, invite_to_new, invite_to_record
from divisorduel.web.live.commands import carry_out
from divisorduel.web.live.live_match import LiveMatch, seats_in
from divisorduel.web.schemas import requests, responses
from divisorduel.web.schemas.match_views import (
    board_view,
    event_view,
    match_view,
    round_view,
    waiting_view,
)
from divisorduel.web.schemas.problems import (
    CommandRefused,
    api_error,
    openapi_problems,
    refusal_problem,
)
from divisorduel.web.schemas.rule_books import rule_books
from divisorduel.web.security import hash_of, key_in, new_key
from divisorduel.web.services import Services

LONGEST_LIST = 50

routes = APIRouter(prefix="/api", responses={422: {"model": responses.Problem}})


@routes.get("/games", tags=["games"])
async def games() -> list[responses.RuleBookOut]:
    """List the rule books: boards, rules, an example, tips."""
    return rule_books()


@routes.get("/options", tags=["games"])
async def options() -> responses.OptionsOut:
    """List the values that requests take: computer players, starters, commands, limits."""
    return responses.OptionsOut.of_server()


@routes.get("/matches", tags=["matches"])
async def open_matches(services: ServicesOf) -> list[responses.WaitingOut]:
    """List the matches that anyone may join, the newest first."""
    return [waiting_view(stored) for stored in await services.hub.waiting(LONGEST_LIST)]


@routes.post(
    "/matches",
    status_code=201,
    responses=openapi_problems(400, 413, 429),
    tags=["matches"],
)
async def create(
    request: Request, services: ServicesOf, wanted: requests.NewMatch
) -> responses.CreatedOut:
    """Create a match. The answer holds its keys: send your opponent the one for the other seat."""
    count_call(services.match_limit, request, "new matches")
    return await _created(services, invite_to_new(wanted, services.clock(), services.rng))


@routes.post(
    "/records",
    status_code=201,
    responses=openapi_problems(400, 413, 429, 503),
    tags=["matches"],
)
async def resume(
    request: Request, services: ServicesOf, wanted: requests.RecordToResume
) -> responses.CreatedOut:
    """Continue a recorded match."""
    count_call(services.match_limit, request, "new matches")
    await ask_coach(services, request, "check", record=wanted.record)
    invitation = await asyncio.to_thread(invite_to_record, wanted.record, services.clock())
    return await _created(services, invitation)


async def _created(services: Services, invitation: Invitation) -> responses.CreatedOut:
    live = await services.hub.create(invitation.stored, invitation.hashes)
    keys = responses.KeysOut.of(invitation.seats, invitation.watch)
    return responses.CreatedOut(id=live.stored.id, keys=keys, match=match_view(live.stored))


@routes.get(
    "/matches/{id}",
    responses=openapi_problems(401, 403),
    dependencies=WITH_KEY,
    tags=["matches"],
)
async def see(services: ServicesOf, who: CallerOf) -> responses.SeenOut:
    """Show a match as it is now."""
    return responses.SeenOut(
        seats=seats_in(who.seats),
        match=match_view(who.live.stored),
        presence=services.hub.attendance.presence(who.live),
    )


@routes.post(
    "/matches/{id}/join",
    responses=openapi_problems(400, 401, 403, 409, 413, 429),
    dependencies=WITH_KEY,
    tags=["matches"],
)
async def join(
    request: Request,
    services: ServicesOf,
    id: MatchId,  # noqa: A002
    who: requests.JoinRequest,
) -> responses.JoinedOut:
    """Take a free seat: with its key, or without one if the match is listed.

    The answer holds your own key. The key of the link becomes invalid, so that others who have seen
    the link cannot play for you.
    """
    count_call(services.connection_limit, request, "connections")
    old = key_in(request.headers)
    if old is not None:
        found = await player(await caller(request, services, id))
        live, seat = found.live, found.seat
        if live.match.joined[seat - 1]:  # the caller has joined before
            return responses.JoinedOut(key=old, seat=seat, match=match_view(live.stored))
    else:
        live, seat = await _listed(services, id)
    key = who.key or new_key()
    joining = Join(_checked(who.name))
    replacing = (hash_of(key), seat)
    outcome = await services.hub.submit(live, seat, joining, live.match.version, new_key=replacing)
    if outcome.refusal is not None:
        if live.match.state == "playing":
            raise api_error("seat-taken")
        raise CommandRefused(refusal_problem(outcome.refusal, live.match), live.match.version)
    return responses.JoinedOut(key=key, seat=seat, match=match_view(live.stored))


async def _listed(services: Services, match_id: str) -> tuple[LiveMatch, Seat]:
    live = await services.hub.find(match_id)
    if live is None or not live.stored.listed:
        raise api_error("key-missing")
    if live.match.state != "waiting":
        raise api_error("seat-taken")
    return live, 2 if live.match.joined[0] else 1


def _checked(name: str | None) -> str:
    if name is None:
        return ""
    check_name(name)
    return name


@routes.post(
    "/matches/{id}/commands",
    responses={**openapi_problems(400, 401, 403, 413), 409: {"model": responses.RefusedOut}},
    dependencies=WITH_KEY,
    tags=["matches"],
)
async def command(
    services: ServicesOf, who: PlayerOf, submission: requests.Submission
) -> responses.DoneOut:
    """Carry out a command, made for the version of the match that you have seen."""
    outcome = await carry_out(services, who, submission)
    return responses.DoneOut(
        events=[event_view(event, after) for event, after in outcome.steps],
        match=match_view(who.live.stored),
    )


@routes.get(
    "/matches/{id}/board",
    responses=openapi_problems(401, 403),
    dependencies=WITH_KEY,
    tags=["matches"],
)
async def board(who: CallerOf) -> responses.BoardOut:
    """List the numbers of the board and the pairs that are tied."""
    match = who.live.match
    return board_view(match.game, match.start)


@routes.get(
    "/matches/{id}/record",
    response_class=PlainTextResponse,
    responses=openapi_problems(401, 403, 422),
    dependencies=WITH_KEY,
    tags=["matches"],
)
async def record(who: CallerOf) -> PlainTextResponse:
    """Return the record of the match, which `duel` can replay, review and resume."""
    stored = who.live.stored
    records = match_to_records(stored.match, Heading(stored.id, stored.date))
    name = f'attachment; filename="{stored.match.game.book.key}-{stored.id}.duel"'
    return PlainTextResponse(write_records(records), headers={"content-disposition": name})


@routes.get(
    "/matches/{id}/rounds/{number}",
    responses=openapi_problems(401, 403, 404),
    dependencies=WITH_KEY,
    tags=["matches"],
)
async def one_round(who: CallerOf, number: RoundNumber) -> responses.RoundOut:
    """Show a round turn by turn."""
    check_round(who.live, number)
    return round_view(who.live.match, number)
