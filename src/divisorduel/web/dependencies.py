"""Who calls, with which key, and how often: what all routes share."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Path, Request
from fastapi.security import HTTPBearer

from divisorduel.play.events import Seat
from divisorduel.web.invitation import ID_LENGTH
from divisorduel.web.live.hub import Hub
from divisorduel.web.live.live_match import LiveMatch
from divisorduel.web.rate_limit import RateLimit
from divisorduel.web.security import hash_of, key_in
from divisorduel.web.settings import Settings
from divisorduel.web.solving.solver_pool import SolverPool

RETRY = {"retry-after": "10"}
MOST_QUESTIONS = 2
"""How many questions of one address are thought about at a time."""
SECONDS_TO_WAIT = 10.0
"""How long a question waits for its turn."""


@dataclass(frozen=True)
class Services:
    """What the routes are given."""

    hub: Hub
    coach: SolverPool
    settings: Settings
    clock: Callable[[], float]
    rng: Random
    creating: RateLimit
    connecting: RateLimit
    asking: RateLimit
    asking_now: Counter[str]
    commanding: RateLimit


@dataclass(frozen=True)
class Caller:
    """Somebody who holds a key to a match."""

    live: LiveMatch
    seats: int

    @property
    def seat(self) -> Seat:
        """The seat they act for; who holds both acts for the one whose turn it is."""
        if self.seats == 3:
            return self.live.match.current.to_move
        return 2 if self.seats == 2 else 1


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


def services_of(request: Request) -> Services:
    """Return what the application was given."""
    server: Services = request.app.state.server
    return server


ServicesOf = Annotated[Services, Depends(services_of)]


def address_of(client: Any) -> str:
    """Return where somebody calls from."""
    return client.host if client else "unknown"


def limited(limit: RateLimit, request: Request, what: str) -> None:
    """Count a call. Raises 429 if there were too many from one address."""
    if not limit.allows(address_of(request.client)):
        raise HTTPException(429, f"Too many {what} from your address; wait a minute.", RETRY)


_bearer = HTTPBearer(auto_error=False, description="The key to a seat, or a watcher's.")


async def caller(request: Request, server: ServicesOf, id: MatchId) -> Caller:  # noqa: A002
    """Find out who calls. Raises 401 without a key, 403 with a wrong one."""
    key = key_in(request.headers)
    if key is None:
        raise HTTPException(
            401, "A key is needed: Authorization: Bearer KEY.", {"www-authenticate": "Bearer"}
        )
    found = await server.hub.authorize(id, hash_of(key))
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
WITH_KEY = [Depends(_bearer)]


def check_round(live: LiveMatch, number: int) -> None:
    """Raise 404 unless a round has begun."""
    if number > len(live.match.played):
        raise HTTPException(404, f"Round {number} has not begun.")


async def ask_coach(server: Services, request: Request, job: str, **arguments: str | float) -> Any:
    """Let a worker answer a question; nobody's questions keep everybody else's waiting."""
    limited(server.asking, request, "questions")
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
