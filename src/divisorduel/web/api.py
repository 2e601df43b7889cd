"""The HTTP API."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Path, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.security import HTTPBearer

from divisorduel.play.commands import Forfeit, Redo, Rematch, Take, Undo
from divisorduel.play.events import Seat
from divisorduel.play.match import check_name
from divisorduel.play.room import Accept, CallOff, Claim, Decline, Join, RoomCommand
from divisorduel.record.events import event_to_json
from divisorduel.record.matches import Heading, match_to_records
from divisorduel.record.writer import write_records
from divisorduel.rules.code import write_code
from divisorduel.web import models
from divisorduel.web.catalogue import rule_books
from divisorduel.web.hub import Hub, Outcome
from divisorduel.web.limits import Limit
from divisorduel.web.opening import ID_LENGTH, Invitation, open_new, take_up
from divisorduel.web.playing import Live
from divisorduel.web.security import hash_of, key_in, new_key
from divisorduel.web.settings import Settings
from divisorduel.web.views import board_view, game_view, match_view, round_view
from divisorduel.web.workers import Workers

LONGEST_LIST = 50
RETRY = {"retry-after": "10"}
TOO_LATE = "Somebody else was faster: the seat is taken."
MOST_QUESTIONS = 2
"""How many questions of one address are thought about at a time."""
SECONDS_TO_WAIT = 10.0
"""How long a question waits for its turn."""


@dataclass(frozen=True)
class Server:
    """What the routes are given."""

    hub: Hub
    coach: Workers
    settings: Settings
    clock: Callable[[], float]
    rng: Random
    creating: Limit
    connecting: Limit
    asking: Limit
    asking_now: Counter[str]
    commanding: Limit


@dataclass(frozen=True)
class Caller:
    """Somebody who holds a key to a match."""

    live: Live
    seats: int

    @property
    def seat(self) -> Seat:
        """The seat they act for; who holds both acts for the one whose turn it is."""
        if self.seats == 3:
            return self.live.room.match.current.to_move
        return 2 if self.seats == 2 else 1


COMMANDS: dict[str, RoomCommand] = {
    "forfeit": Forfeit(),
    "undo": Undo(),
    "redo": Redo(),
    "rematch": Rematch(),
    "accept": Accept(),
    "decline": Decline(),
    "claim": Claim(),
    "call-off": CallOff(),
}

MatchId = Annotated[str, Path(pattern=f"^[a-z0-9]{{{ID_LENGTH}}}$", examples=["k3v9h2m8qa"])]
RoundNumber = Annotated[int, Path(ge=1, le=1000)]


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the ways in which a call can be refused."""
    told = {
        400: "The body cannot be read.",
        401: "The key is missing.",
        403: "The key does not open this.",
        404: "There is no such thing.",
        409: "It cannot be done now.",
        413: "It is too long.",
        422: "It is not as described.",
        429: "Too many of these from one address.",
        503: "The server has too much to think about.",
    }
    # JSON, though the call itself may answer with something else.
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"content": content, "description": told[status]} for status in statuses}


def server_of(request: Request) -> Server:
    """Return what the application was given."""
    server: Server = request.app.state.server
    return server


ServerOf = Annotated[Server, Depends(server_of)]


def address_of(client: Any) -> str:
    """Return where somebody calls from."""
    return client.host if client else "unknown"


def _limited(limit: Limit, request: Request, what: str) -> None:
    if not limit.allows(address_of(request.client)):
        raise HTTPException(429, f"Too many {what} from your address; wait a minute.", RETRY)


_bearer = HTTPBearer(auto_error=False, description="The key to a seat, or a watcher's.")


async def caller(request: Request, server: ServerOf, id: MatchId) -> Caller:  # noqa: A002
    """Find out who calls. Raises 401 without a key, 403 with a wrong one."""
    key = key_in(request.headers)
    if key is None:
        raise HTTPException(
            401, "A key is needed: Authorization: Bearer KEY.", {"www-authenticate": "Bearer"}
        )
    found = await server.hub.let_in(id, hash_of(key))
    if found is None:
        raise HTTPException(403, "This key opens no match of that name.")
    server.hub.attendance.saw(*found)
    return Caller(*found)


async def player(who: Annotated[Caller, Depends(caller)]) -> Caller:
    """Find out who calls. Raises 403 for whoever only watches."""
    if not who.seats:
        raise HTTPException(403, "Whoever watches can do nothing else.")
    return who


CallerOf = Annotated[Caller, Depends(caller)]
PlayerOf = Annotated[Caller, Depends(player)]

routes = APIRouter(prefix="/api", responses={422: {"model": models.Problem}})
_with_key = [Depends(_bearer)]


@routes.get("/games", response_model=list[models.RuleBookOut], tags=["games"])
async def games() -> JSONResponse:
    """List the rule books: boards, rules, an example, tips."""
    return JSONResponse(rule_books())


@routes.get("/matches", response_model=list[models.WaitingOut], tags=["matches"])
async def open_matches(server: ServerOf) -> list[dict[str, Any]]:
    """List the matches that anybody may join, the newest first."""
    return [
        {
            "id": opened.id,
            "game": game_view(opened.room.match.game),
            "host": opened.room.match.name(1 if opened.room.joined[0] else 2),
            "rounds": opened.room.match.rounds,
            "starts": "host" if opened.room.joined[opened.room.match.first - 1] else "you",
            "created": opened.created,
        }
        for opened in await server.hub.waiting(LONGEST_LIST)
    ]


@routes.post(
    "/matches",
    status_code=201,
    response_model=models.CreatedOut,
    responses=problems(400, 413, 429),
    tags=["matches"],
)
async def create(request: Request, server: ServerOf, wanted: models.NewMatch) -> dict[str, Any]:
    """Create a match. The answer holds its keys: pass on the one for the other seat."""
    _limited(server.creating, request, "new matches")
    return await _created(server, open_new(wanted, server.clock(), server.rng))


@routes.post(
    "/records",
    status_code=201,
    response_model=models.CreatedOut,
    responses=problems(400, 413, 429, 503),
    tags=["matches"],
)
async def resume(request: Request, server: ServerOf, wanted: models.TakenUp) -> dict[str, Any]:
    """Go on with a recorded match."""
    _limited(server.creating, request, "new matches")
    await _ask(server, request, "check", record=wanted.record)
    invitation = await asyncio.to_thread(take_up, wanted.record, server.clock())
    return await _created(server, invitation)


async def _created(server: Server, invitation: Invitation) -> dict[str, Any]:
    live = await server.hub.create(invitation.opened, invitation.hashes)
    one, two = invitation.seats
    keys = {"1": one, "2": two, "watch": invitation.watch}
    return {"id": live.opened.id, "keys": keys, "match": match_view(live.opened)}


@routes.get(
    "/matches/{id}",
    response_model=models.SeenOut,
    responses=problems(401, 403),
    dependencies=_with_key,
    tags=["matches"],
)
async def see(server: ServerOf, who: CallerOf) -> dict[str, Any]:
    """See a match as it stands."""
    return {
        "seats": [seat for seat in (1, 2) if who.seats & seat],
        "match": match_view(who.live.opened),
        "presence": server.hub.attendance.presence(who.live),
    }


@routes.post(
    "/matches/{id}/join",
    response_model=models.JoinedOut,
    responses=problems(400, 401, 403, 409, 413, 429),
    dependencies=_with_key,
    tags=["matches"],
)
async def join(
    request: Request,
    server: ServerOf,
    id: MatchId,  # noqa: A002
    who: models.Joining,
) -> dict[str, Any]:
    """Take a free seat: with its key, or without one if the match is in the list.

    The answer holds a key of your own; the one that led you here opens nothing any more, so that
    nobody who has seen it can play for you.
    """
    _limited(server.connecting, request, "connections")
    old = key_in(request.headers)
    if old is not None:
        found = await player(await caller(request, server, id))
        live, seat = found.live, found.seat
        if live.room.joined[seat - 1]:  # they sit there already
            return {"key": old, "seat": seat, "match": match_view(live.opened)}
    else:
        live, seat = await _listed(server, id)
    key = who.key or new_key()
    joining = Join(_checked(who.name))
    replacing = (hash_of(key), seat)
    outcome = await server.hub.submit(live, seat, joining, live.room.version, new_key=replacing)
    if outcome.refused:
        faster = live.room.state == "playing"
        raise HTTPException(409, TOO_LATE if faster else outcome.refused)
    return {"key": key, "seat": seat, "match": match_view(live.opened)}


async def _listed(server: Server, match_id: str) -> tuple[Live, Seat]:
    live = await server.hub.find(match_id)
    if live is None or not live.opened.listed:
        raise HTTPException(401, "A key is needed to join this.", {"www-authenticate": "Bearer"})
    if live.room.state != "waiting":
        raise HTTPException(409, TOO_LATE)
    return live, 2 if live.room.joined[0] else 1


def _checked(name: str | None) -> str:
    if name is None:
        return ""
    check_name(name)
    return name


@routes.post(
    "/matches/{id}/commands",
    response_model=models.DoneOut,
    responses={**problems(400, 401, 403, 413), 409: {"model": models.Refusal}},
    dependencies=_with_key,
    tags=["matches"],
)
async def command(
    server: ServerOf, who: PlayerOf, submission: models.Submission
) -> Response | dict[str, Any]:
    """Carry out a command, made for the version of the match that you have seen."""
    outcome = await carry_out(server, who, submission)
    if outcome.refused:
        refusal = {
            "reason": outcome.refused,
            "version": who.live.room.version,
            "asks": outcome.asks,
        }
        return JSONResponse(refusal, 409)
    return {
        "events": [event_to_json(event) for event in outcome.events],
        "match": match_view(who.live.opened),
    }


async def carry_out(server: Server, who: Caller, submission: models.Submission) -> Outcome:
    """Carry out a command for whoever sent it."""
    hub, wanted = server.hub, submission.command
    if not server.commanding.allows(f"{who.live.id} {who.seats}"):
        return Outcome(refused="Slowly! Too many commands in a minute.")
    if isinstance(wanted, models.TakeIn):
        taking = Take(wanted.number)
        return await hub.submit(who.live, who.seat, taking, submission.version, sure=wanted.sure)
    return await hub.submit(who.live, who.seat, COMMANDS[wanted.type], submission.version)


@routes.get(
    "/matches/{id}/board",
    response_model=models.BoardOut,
    responses=problems(401, 403),
    dependencies=_with_key,
    tags=["matches"],
)
async def board(who: CallerOf) -> dict[str, Any]:
    """List the numbers of the board, and which are tied to which."""
    match = who.live.room.match
    return board_view(match.game, match.start)


@routes.get(
    "/matches/{id}/record",
    response_class=PlainTextResponse,
    responses=problems(401, 403, 422),
    dependencies=_with_key,
    tags=["matches"],
)
async def record(who: CallerOf) -> PlainTextResponse:
    """Write the match down as a record, which every other part of the program reads."""
    opened = who.live.opened
    records = match_to_records(opened.room.match, Heading(opened.id, opened.date))
    name = f'attachment; filename="{opened.room.match.game.book.key}-{opened.id}.duel"'
    return PlainTextResponse(write_records(records), headers={"content-disposition": name})


@routes.get(
    "/matches/{id}/rounds/{number}",
    response_model=models.RoundOut,
    responses=problems(401, 403, 404),
    dependencies=_with_key,
    tags=["matches"],
)
async def one_round(who: CallerOf, number: RoundNumber) -> dict[str, Any]:
    """Show a round turn by turn."""
    _check_round(who.live, number)
    return round_view(who.live.room.match, number)


def _check_round(live: Live, number: int) -> None:
    if number > len(live.room.match.played):
        raise HTTPException(404, f"Round {number} has not begun.")


@routes.get(
    "/matches/{id}/rounds/{number}/review",
    response_model=models.ReviewOut,
    responses=problems(401, 403, 404, 409, 429, 503),
    dependencies=_with_key,
    tags=["coach"],
)
async def review(request: Request, server: ServerOf, who: CallerOf, number: RoundNumber) -> Any:
    """Look back at a finished round: which moves gave it away, and what would have won."""
    _check_round(who.live, number)
    opened = who.live.opened
    if opened.room.match.played[number - 1].winner is None:
        raise HTTPException(409, "A round is reviewed when it is over.")
    records = match_to_records(opened.room.match, Heading(opened.id, opened.date))
    seconds = 2 * server.settings.thinking
    text = write_records([records[number - 1]])
    return await _ask(server, request, "review", record=text, seconds=seconds)


@routes.post(
    "/matches/{id}/hint",
    response_model=models.HintOut,
    responses=problems(400, 401, 403, 409, 413, 429, 503),
    dependencies=_with_key,
    tags=["coach"],
)
async def hint(request: Request, server: ServerOf, who: PlayerOf, question: models.Question) -> Any:
    """Give a hint to the player to move: who wins, how many moves win, which one."""
    code = _position_for(who)
    return await _ask(server, request, "hint", code=code, step=question.step)


@routes.get(
    "/matches/{id}/why",
    response_model=models.ReasonOut,
    responses=problems(401, 403, 409, 429, 503),
    dependencies=_with_key,
    tags=["coach"],
)
async def why(request: Request, server: ServerOf, who: PlayerOf) -> Any:
    """Explain to the player to move who wins, and how."""
    code = _position_for(who)
    return await _ask(server, request, "explain", code=code)


async def _ask(server: Server, request: Request, job: str, **arguments: str | float) -> Any:
    """Let a worker answer a question; nobody's questions keep everybody else's waiting."""
    _limited(server.asking, request, "questions")
    address = address_of(request.client)
    if server.asking_now[address] >= MOST_QUESTIONS:
        raise HTTPException(429, "Your last question is still being thought about.", RETRY)
    server.asking_now[address] += 1
    try:
        return await server.coach.ask(job, SECONDS_TO_WAIT, **arguments)
    finally:
        server.asking_now[address] -= 1
        if not server.asking_now[address]:
            del server.asking_now[address]


def _position_for(who: Caller) -> str:
    room = who.live.room
    if not who.live.opened.hints:
        raise HTTPException(409, "This match is played without hints.")
    if room.state != "playing" or not who.seats & room.match.current.to_move:
        raise HTTPException(409, "Hints are for the player whose turn it is.")
    return write_code(room.match.game, room.match.current.position)
