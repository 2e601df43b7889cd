"""HTTP routes for games and matches."""

from functools import partial
from typing import Any

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse

from divisorduel.play.commands import Join
from divisorduel.play.events import Seat
from divisorduel.play.match import Match, check_name
from divisorduel.record.match_records import Heading, match_to_records, words_in_records
from divisorduel.record.writer import write_records
from divisorduel.store.rooms import StoredMatch
from divisorduel.web import dependencies as deps
from divisorduel.web.invitation import Invitation, invite_to_new, invite_to_record
from divisorduel.web.live.live_match import LiveMatch, seats_in
from divisorduel.web.live.match_cache import LONG_RECORD
from divisorduel.web.schemas import requests, responses, views
from divisorduel.web.schemas.problems import CommandRefused, api_error, refusals
from divisorduel.web.security import hash_of, key_in, new_key
from divisorduel.web.services import Services

CHARACTERS_PER_GAME = 10_000
"""A longer record counts as several new games, so that no address can fill the disk with them."""
REFUSED_COMMAND: Any = {409: {"model": responses.RefusedOut}}

game_routes = deps.router("games")
routes = deps.router("matches")
match_routes = deps.router_with_key("matches")
ROUTERS = game_routes, routes, match_routes


@game_routes.get("/games")
async def games() -> list[responses.RuleBookOut]:
    """List the rule books: boards, rules, an example, tips."""
    return views.rule_books()


@game_routes.get("/options")
async def options(services: deps.ServicesOf) -> responses.OptionsOut:
    """List the values that requests accept: computer players, starters, commands, limits."""
    return responses.OptionsOut(bots=services.bots.kinds)


@routes.get("/matches", responses=refusals(503))
async def open_matches(services: deps.ServicesOf) -> list[responses.OpenMatchOut]:
    """List the matches that anyone may join, the newest first."""
    return [views.open_match_view(stored) for stored in await services.hub.lobby.open_matches()]


@routes.post("/matches", status_code=201, responses=refusals(400, 413, 429, 503))
async def create(
    request: Request, services: deps.ServicesOf, wanted: requests.NewMatch
) -> responses.CreatedOut:
    """Create a match. The answer holds its keys: send your opponent the key to the other seat."""
    deps.count_call(services.match_limit, request, "new games")
    return await _created(request, services, invite_to_new(wanted))


@routes.post("/records", status_code=201, responses=refusals(400, 413, 429, 503))
async def resume(
    request: Request, services: deps.ServicesOf, wanted: requests.RecordToResume
) -> responses.CreatedOut:
    """Continue a recorded match."""
    games = 1 + len(wanted.record) // CHARACTERS_PER_GAME
    at_most = services.settings.games_a_minute
    deps.count_call(services.match_limit, request, "new games", min(games, at_most))
    long = len(wanted.record) > LONG_RECORD
    await deps.ask_coach(services, request, "check", long=long, record=wanted.record)
    invitation = await deps.in_background(
        services, request, partial(invite_to_record, wanted.record), long=long
    )
    return await _created(request, services, invitation)


async def _created(
    request: Request, services: Services, invitation: Invitation
) -> responses.CreatedOut:
    match = invitation.stored.match
    services.bots.check(match.kinds, match.game.book.key)
    address = deps.address_of(request.client)
    live = await services.hub.create(invitation.stored, invitation.hashes, address)
    keys = responses.KeysOut.model_validate(invitation.keys)
    return responses.CreatedOut(id=live.id, keys=keys, match=views.match_view(live.stored))


@match_routes.get("")
async def see(services: deps.ServicesOf, who: deps.CallerOf) -> responses.MatchForCallerOut:
    """Show a match as it is now."""
    return responses.MatchForCallerOut(
        seats=seats_in(who.seats),
        match=views.match_view(who.live.stored),
        presence=services.hub.presence.of(who.live),
    )


@match_routes.post("/join", responses=refusals(400, 409, 413, 429))
async def join(
    request: Request,
    services: deps.ServicesOf,
    id: deps.MatchId,  # noqa: A002
    who: requests.JoinRequest,
) -> responses.JoinedOut:
    """Take a free seat: with its key, or without one if the match is listed.

    The answer holds your own key. The key of the link becomes invalid, so that others who have seen
    the link cannot play for you.
    """
    deps.count_call(services.connection_limit, request, "connections")
    old = key_in(request.headers)
    if old is not None:
        found = await deps.player(await deps.caller(request, services, id))
        live, seat = found.live, found.seat
        if live.match.joined[seat - 1]:  # the caller has already joined
            return responses.JoinedOut(key=old, seat=seat, match=views.match_view(live.stored))
    else:
        live, seat = await _listed(services, id, deps.address_of(request.client))
    key = who.key or new_key()
    opens = await services.hub.seats_of(id, hash_of(key))
    if opens is not None:  # the key of someone else, who would then hold the seat
        raise api_error("key-in-use" if opens else "spectator")
    if who.name is not None:
        check_name(who.name)
    outcome = await services.hub.submit(
        live, seat, Join(who.name or ""), live.match.version, new_key=(hash_of(key), seat)
    )
    if outcome.refusal is not None:
        if live.match.state == "playing":
            raise api_error("seat-taken")
        raise CommandRefused(live.match, outcome.refusal)
    return responses.JoinedOut(key=key, seat=seat, match=views.match_view(live.stored))


async def _listed(services: Services, match_id: str, address: str) -> tuple[LiveMatch, Seat]:
    live = await services.hub.find(match_id, address)
    if live is None or not live.stored.listed:
        raise api_error("key-missing")
    if live.match.state != "waiting":
        raise api_error("seat-taken")
    return live, 2 if live.match.joined[0] else 1


@match_routes.post("/commands", responses=refusals(400, 413) | REFUSED_COMMAND)
async def command(
    services: deps.ServicesOf, who: deps.PlayerOf, submission: requests.Submission
) -> responses.DoneOut:
    """Carry out a command. Send it with the version of the match that you have seen."""
    outcome = await deps.carry_out(services, who, submission)
    return responses.DoneOut(
        events=[views.event_view(event, after) for event, after in outcome.applied],
        match=views.match_view(who.live.stored),
    )


@match_routes.get("/board", responses=refusals(429))
async def board(
    request: Request, services: deps.ServicesOf, who: deps.CallerOf
) -> responses.BoardOut:
    """List the numbers of the board and the pairs that are related."""
    match = who.live.match
    return await deps.show_board(services, request, match.game, match.start)


@match_routes.get("/record", response_class=PlainTextResponse, responses=refusals(422, 429))
async def record(
    request: Request, services: deps.ServicesOf, who: deps.CallerOf
) -> PlainTextResponse:
    """Return the record of the match, which `duel` can replay, review and resume."""
    stored = who.live.stored
    words = words_in_records(stored.match)
    text = await deps.answer_in_thread(services, request, partial(_record, stored), words)
    name = f'attachment; filename="{stored.match.game.book.key}-{stored.id}.duel"'
    return PlainTextResponse(text, headers={"content-disposition": name})


def _record(stored: StoredMatch) -> str:
    return write_records(match_to_records(stored.match, Heading(stored.id, stored.date)))


@match_routes.get(
    "/rounds/{number}", response_model=responses.RoundOut, responses=refusals(404, 429)
)
async def one_round(
    request: Request, services: deps.ServicesOf, who: deps.CallerOf, number: deps.RoundNumber
) -> Response:
    """Show a round turn by turn."""
    deps.check_round(who.live, number)
    match = who.live.match
    numbers = len(match.played[number - 1].moves) * match.start.playable.bit_count()
    text = await deps.answer_in_thread(services, request, partial(_round, match, number), numbers)
    return Response(text, media_type="application/json")


def _round(match: Match, number: int) -> str:
    return views.round_view(match, number).model_dump_json()
