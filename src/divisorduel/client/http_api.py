"""The HTTP calls of a client: create a match, look at it, take a seat.

They wait for the answer, at most `SECONDS_TO_WAIT`, and raise `ClientError`.
"""

import http.client
import json
import secrets
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar, cast

from divisorduel.client import server_messages
from divisorduel.client.client_error import ClientError, not_a_server, unreachable
from divisorduel.client.match_link import MatchLink, read_server
from divisorduel.client.remote_match import game_of, match_of
from divisorduel.play.events import Seat
from divisorduel.play.match import Match
from divisorduel.rules.code import read_code
from divisorduel.rules.errors import BoardError, DuelError
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position

SECONDS_TO_WAIT = 15.0
MOST_BYTES = 4_000_000
"""The longest answer that is read: several times the longest that a server sends."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class NewLinks:
    """The links to a new match; None for the seat of a computer."""

    one: MatchLink | None
    two: MatchLink | None
    watch: MatchLink


@dataclass(frozen=True, slots=True)
class Admission:
    """What a client needs to play or to follow a match; `MatchClient` connects with it."""

    link: MatchLink
    """The client's own link: it opens the same seat again."""
    match: Match
    """The match as it was then."""
    seats: tuple[Seat, ...]
    """The seats that the client plays for; none for a spectator."""
    hints: bool
    """Whether the players agreed on hints."""


def create_match(server: str, **wanted: object) -> NewLinks:
    """Create a match, with the settings that docs/api.md describes, and return its links."""
    server = read_server(server)
    data = _call(server, "matches", body=wanted)

    def link(name: str) -> MatchLink | None:
        key = data["keys"][name]
        return None if key is None else _link(server, data["id"], key)

    def links() -> NewLinks:
        return NewLinks(link("1"), link("2"), _link(server, data["id"], data["keys"]["watch"]))

    return _read(server, links)


def _link(server: str, match_id: object, key: object) -> MatchLink:
    """Return a link to a match. Raises `ValueError` if a server has sent something else."""
    try:
        return MatchLink.read(f"{server}/#/match/{match_id}/{key}")
    except ClientError:
        raise ValueError(key) from None


def enter(link: MatchLink | str, name: str | None = None) -> Admission:
    """Open a match with a link; if its seat is free, take it under a name.

    A seat that is taken gets a new key, so that others who have seen the link cannot use it.
    """
    link = MatchLink.read(link) if isinstance(link, str) else link
    seen = _see(link)
    sent = seen.match
    game = game_of(sent, link.server)
    if sent.state == "waiting" and any(not sent.joined[seat - 1] for seat in seen.seats):
        link, sent = _join(link, name)
    match = match_of(sent, game, _start(link, sent, game), link.server)
    return Admission(link, match, seen.seats, sent.hints)


def _see(link: MatchLink) -> server_messages.Welcome:
    data = _call(link.server, f"matches/{link.match_id}", key=link.key)
    return _read(link.server, lambda: server_messages.parse(server_messages.Welcome, data))


def _join(link: MatchLink, name: str | None) -> tuple[MatchLink, server_messages.SentMatch]:
    """Take a free seat; return the link to it, and the match."""
    own = secrets.token_urlsafe(18)
    body = {"key": own, **({"name": name} if name else {})}
    try:
        data = _call(link.server, f"matches/{link.match_id}/join", key=link.key, body=body)
    except ClientError as error:
        if error.code != "unreachable":
            raise
        # If the new key opens the match, only the answer was lost.
        return replace(link, key=own), _see(replace(link, key=own)).match
    joined = _read(link.server, lambda: server_messages.parse(server_messages.SentSeat, data))
    return _read(link.server, lambda: _link(link.server, link.match_id, joined.key)), joined.match


def _start(link: MatchLink, sent: server_messages.SentMatch, game: Game) -> Position:
    """Return where the rounds of a match begin; only an unusual start needs another call."""
    now = _replayed(game, sent.turns)
    if now is not None and (now.numbers, now.last) == (sent.playable, sent.last):
        return game.start()
    data = _call(link.server, f"matches/{link.match_id}/board", key=link.key)
    board = _read(link.server, lambda: server_messages.parse(server_messages.SentBoard, data))

    def check(found: Game) -> None:
        if found != game:
            raise BoardError("This is another board.")

    return _read(link.server, lambda: read_code(board.code, check))[1]


def _replayed(game: Game, turns: tuple[int, ...]) -> Position | None:
    """Return the position after some turns, or None if they are not legal from the usual start."""
    position = game.start()
    for number in turns:
        if game.refusal(position, number) is not None:
            return None
        position = game.after(position, number)
    return position


def _call(server: str, path: str, *, key: str | None = None, body: object = None) -> Any:
    """Make a call, and return the answer as plain data."""
    headers = {"accept": "application/json"}
    if key is not None:
        headers["authorization"] = f"Bearer {key}"
    if body is not None:
        headers["content-type"] = "application/json"
    request = urllib.request.Request(  # noqa: S310  # `read_server` checks the scheme
        f"{server}/api/{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers=headers,
    )
    try:
        return _in_time(lambda: _read(server, lambda: _answer(server, request)))
    except (OSError, http.client.HTTPException):  # a timeout is an OSError
        raise unreachable(server) from None


def _in_time(work: Callable[[], T]) -> T:
    """Return a result, or raise `TimeoutError` if it takes too long.

    The timeouts of sockets do not suffice: a server can send one byte at a time for hours.
    """
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # it is raised where the result is awaited
            result.set_exception(error)

    threading.Thread(target=run, daemon=True, name="call").start()
    return result.result(SECONDS_TO_WAIT)


def _answer(server: str, request: urllib.request.Request) -> Any:
    deadline = time.monotonic() + SECONDS_TO_WAIT
    try:
        with _opener().open(request, timeout=SECONDS_TO_WAIT) as answer:
            return json.loads(_content(answer, server, deadline))
    except urllib.error.HTTPError as error:
        with error:
            raise _refused(server, error, deadline) from None


def _content(answer: http.client.HTTPResponse, server: str, deadline: float) -> bytes:
    """Read an answer, up to the size limit."""
    content = bytearray()
    while more := answer.read1(65_536):
        content += more
        if len(content) > MOST_BYTES:
            raise not_a_server(server)
        if time.monotonic() > deadline:
            raise unreachable(server)
    return bytes(content)


def _refused(server: str, error: urllib.error.HTTPError, deadline: float) -> ClientError:
    if 300 <= error.code < 400:
        return ClientError(
            f"{server} redirects to {error.headers.get('location', 'another address')[:200]}. "
            "Use that address.",
            "redirected",
        )
    data = json.loads(_content(cast("http.client.HTTPResponse", error.fp), server, deadline))
    problem = server_messages.parse(server_messages.Complaint, data)
    return ClientError(problem.reason, problem.code)


def _read(server: str, reading: Callable[[], T]) -> T:
    """Read what a server has sent. Raises `ClientError` if none of our servers sends that."""
    try:
        return reading()
    except ClientError:
        raise
    except (DuelError, ValueError, TypeError, LookupError, RecursionError):
        raise not_a_server(server) from None


@cache
def _opener() -> urllib.request.OpenerDirector:
    """Return an opener that follows no redirects: they would show the key to another server."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler,
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    return opener
