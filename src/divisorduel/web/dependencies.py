"""What the routes share: the services, the caller, rate limits, commands and questions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.security import HTTPBearer

from divisorduel.play.commands import Take
from divisorduel.play.events import Seat
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.rules.refusal import Refusal
from divisorduel.web.addresses import network_of
from divisorduel.web.invitation import ID_LENGTH
from divisorduel.web.live.hub import CommandResult, MoveMade
from divisorduel.web.live.live_match import Listener, LiveMatch
from divisorduel.web.rate_limit import RateLimit
from divisorduel.web.schemas.problems import CommandRefused, api_error, refusals
from divisorduel.web.schemas.requests import COMMANDS, Submission, TakeIn
from divisorduel.web.schemas.responses import BoardOut, Problem
from divisorduel.web.schemas.views import MOST_EDGES, board_view
from divisorduel.web.security import hash_of, key_in
from divisorduel.web.services import Services
from divisorduel.web.solving.solver_pool import SECONDS_TO_WAIT

MOST_QUESTIONS = 2
"""How many questions from one address are answered at a time."""
MANY_NUMBERS = 5_000
"""An answer with more numbers or pairs takes a while to compute, so it counts as a question."""

T = TypeVar("T")
MatchId = Annotated[str, Path(pattern=f"^[a-z0-9]{{{ID_LENGTH}}}$", examples=["k3v9h2m8qa"])]
RoundNumber = Annotated[int, Path(ge=1, le=1000)]
HintsSeen = Annotated[
    int,
    Query(ge=0, le=3, description="How many hints you have seen; below 3, no move is revealed."),
]


@dataclass(frozen=True)
class Caller:
    """The holder of a key to a match."""

    live: LiveMatch
    seats: int
    address: str = ""
    key: str = ""
    """The hash of the key. A player who joins gets a new one, and with it a new count."""

    @property
    def seat(self) -> Seat:
        """The seat that the caller acts for: with the keys to both, that of the player to move."""
        if self.seats == 3:
            return self.live.match.current.to_move
        return 2 if self.seats == 2 else 1


def services_of(request: Request) -> Services:
    """Return the services of the application."""
    services: Services = request.app.state.services
    return services


ServicesOf = Annotated[Services, Depends(services_of)]


async def caller(request: Request, services: ServicesOf, id: MatchId) -> Caller:  # noqa: A002
    """Identify the caller. Raises 401 without a key, 403 with a wrong one."""
    key = key_in(request.headers)
    if key is None:
        raise api_error("key-missing")
    address = address_of(request.client)
    hashed = hash_of(key)
    found = await services.hub.authorize(id, hashed, address)
    if found is None:
        raise api_error("key-invalid")
    services.hub.presence.touch(*found)
    return Caller(*found, address, hashed)


CallerOf = Annotated[Caller, Depends(caller)]


async def player(who: CallerOf) -> Caller:
    """Identify a caller who is a player. Raises 403 for a spectator."""
    check_player(who)
    return who


def check_player(who: Caller) -> None:
    """Raise 403 for a spectator."""
    if not who.seats:
        raise api_error("spectator")


PlayerOf = Annotated[Caller, Depends(player)]
_bearer = HTTPBearer(auto_error=False, description="The key to a seat, or a spectator's key.")


def router(tag: str) -> APIRouter:
    """Return a router for calls that need no key."""
    return APIRouter(prefix="/api", tags=[tag], responses={422: {"model": Problem}})


def router_with_key(tag: str) -> APIRouter:
    """Return a router for calls about a match, which need a key to it."""
    return APIRouter(
        prefix="/api/matches/{id}",
        tags=[tag],
        dependencies=[Depends(_bearer)],
        responses={422: {"model": Problem}, **refusals(401, 403, 500, 503)},
    )


def address_of(client: Any) -> str:
    """Return what limits count a client by: its address, or its network if that is IPv6."""
    return network_of(client.host) if client else "unknown"


def count_call(limit: RateLimit, request: Request, what: str, calls: int = 1) -> None:
    """Count a call, or a large one as several. Raises 429 if its address has made too many."""
    if not limit.allows(address_of(request.client), calls):
        raise api_error("too-many-requests", what=what)


def check_round(live: LiveMatch, number: int) -> None:
    """Raise 404 if the round has not begun."""
    if number > len(live.match.played):
        raise api_error("no-such-round", number=number)


async def carry_out(services: Services, who: Caller, submission: Submission) -> CommandResult:
    """Count and carry out a command for the caller. Raises `CommandRefused`."""
    count_command(services, who)
    return await submit(services, who, submission)


def count_command(services: Services, who: Caller) -> None:
    """Count a command. Raises `CommandRefused` if the caller or the address sends too many."""
    if not (
        services.command_limit.allows(who.key)
        and (not who.address or services.address_limit.allows(who.address))
    ):
        raise CommandRefused(who.live.match, Refusal("too-many-commands"))


async def submit(services: Services, who: Caller, submission: Submission) -> CommandResult:
    """Carry out a command that has been counted. Raises `CommandRefused`."""
    wanted = submission.command
    take = wanted if isinstance(wanted, TakeIn) else None
    command = Take(take.number) if take else COMMANDS[wanted.type]()
    sure = take.sure if take else True
    live = who.live
    outcome = await services.hub.submit(live, who.seat, command, submission.version, sure=sure)
    if outcome.refusal is not None:
        raise CommandRefused(live.match, outcome.refusal, asks=outcome.asks)
    return outcome


def start_move(
    services: Services, who: Caller, submission: Submission, author: Listener, then: MoveMade
) -> bool:
    """Begin to carry out a command that has been counted, if `Hub.start_move` can."""
    move = submission.command
    return isinstance(move, TakeIn) and services.hub.start_move(
        who.live, who.seat, Take(move.number), submission.version, author, then, sure=move.sure
    )


async def answer_in_thread(
    services: Services, request: Request, job: Callable[[], T], numbers: int
) -> T:
    """Write an answer in a thread. Raises 429 if an address asks for too many large ones."""
    is_long = numbers > MANY_NUMBERS
    if is_long:
        count_call(services.question_limit, request, "questions")
    return await in_background(services, request, job, long=is_long)


async def in_background(
    services: Services, request: Request, job: Callable[[], T], *, long: bool = False
) -> T:
    """Do something in a thread, when it is the turn of the client's address."""
    return await services.background.run(job, address=address_of(request.client), long=long)


async def show_board(services: Services, request: Request, game: Game, start: Position) -> BoardOut:
    """Return the numbers of a board and the pairs that are related.

    Raises 429 like `answer_in_thread`.
    """
    numbers = start.playable.bit_count()
    pairs = numbers**2 // 2 if numbers <= MOST_EDGES else 0
    return await answer_in_thread(services, request, partial(board_view, game, start), pairs)


async def ask_coach(
    services: Services, request: Request, job: str, *, long: bool = False, **arguments: str | int
) -> Any:
    """Run one of the coach's jobs. Raises 429 if the same address already runs several."""
    count_call(services.question_limit, request, "requests")
    address, pending = address_of(request.client), services.open_questions
    if pending[address] >= MOST_QUESTIONS:
        raise api_error("question-pending")
    pending[address] += 1
    try:
        return await services.solvers.run(address, job, SECONDS_TO_WAIT, long=long, **arguments)
    finally:
        pending[address] -= 1
        if not pending[address]:
            del pending[address]
