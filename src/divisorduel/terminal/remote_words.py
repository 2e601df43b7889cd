"""What both front ends of the terminal say about a match on a server."""

import math
import shlex
from collections.abc import Collection
from dataclasses import replace

from divisorduel.client.match_link import MatchLink
from divisorduel.client.server_messages import Presence
from divisorduel.play.events import Closed, Declined, Event, Joined, Offered, Seat
from divisorduel.play.match import Match, other
from divisorduel.rules.errors import in_seconds
from divisorduel.system import program

LOST = "Connection lost. Reconnecting …"
WAITS = "Connection lost. Your command will be sent as soon as the connection is back."
BACK = "The connection is back."
BUSY = "Your last command is still being sent. Wait a moment."
SLOW = "The server has not answered yet. Your command may still arrive."
SLOW_AFTER = 4.0
"""After how many seconds without an answer this is said."""
MOVED_ON = "The game has changed. Check the board and try again."
WATCHING = "You are watching. Spectators cannot play."
ELSEWHERE = "elsewhere"
"""The kind of a player who is not at this terminal."""
_SEATS: tuple[Seat, Seat] = (1, 2)


def as_seen_by(match: Match, seats: Collection[int]) -> Match:
    """Return a match in which only the players at this terminal count as people to talk to.

    The others are spoken about in the third person, as computers are on a shared screen.
    """
    one, two = (
        ELSEWHERE if seat not in seats and match.kinds[seat - 1] == "human" else kind
        for seat, kind in zip(_SEATS, match.kinds, strict=True)
    )
    return replace(match, kinds=(one, two))


def introduction(match: Match, seats: Collection[int]) -> str:
    """Say which part the person at this terminal plays."""
    one, two = match.names
    if not seats:
        return f"You are watching {one} against {two}."
    if len(seats) == 2:
        return f"You play for both {one} and {two}."
    you, opponent = (one, two) if 1 in seats else (two, one)
    return f"You are {you}, playing against {opponent}."


def state(match: Match, seats: Collection[int]) -> str:
    """Say why a match is not being played; nothing if it is, or was played to the end."""
    return {
        "waiting": "Waiting for your opponent to join." if seats else "Waiting for the players.",
        "off": "This game was called off.",
        "expired": "This game was closed because no one played for a long time.",
    }.get(match.state, "")


def happened(event: Event, before: Match, match: Match, seats: Collection[int]) -> str:
    """Say what happened besides the moves, given the match before it and after it."""
    match event:
        case Joined(seat, name):
            return "" if seat in seats else f"{name} has joined."
        case Offered():
            return offer(match, seats)
        case Declined(by):
            is_own = before.offer is not None and before.offer.by == by
            if by in seats:
                return "Your request is cancelled." if is_own else "You declined."
            return f"{match.name(by)} {'cancelled the request' if is_own else 'declined'}."
        case Closed():
            return state(match, seats)
    return ""


def offer(match: Match, seats: Collection[int]) -> str:
    """Say what is offered; nothing if there is no offer."""
    if match.offer is None:
        return ""
    kind, by = match.offer.kind, match.offer.by
    what = {"undo": "undo a move", "rematch": "play again"}[kind]
    if by in seats:
        return f"You have asked to {what}. Waiting for an answer."
    return f"{match.name(by)} asks to {what}."


def presence(before: Presence, now: Presence, match: Match, seats: Collection[int]) -> str:
    """Say which opponents have come or left; before the first move, all are just arriving."""
    said: list[str] = []
    if len(match.played) == 1 and not match.current.moves and now.present == (True, True):
        return ""
    for seat in _SEATS:
        is_person = match.kinds[seat - 1] == "human" and match.apart and match.joined[seat - 1]
        was, is_there = before.present[seat - 1], now.present[seat - 1]
        if is_person and seat not in seats and was != is_there:
            said.append(f"{match.name(seat)} is {'online' if is_there else 'away'}.")
            if not is_there and other(seat) in seats and match.state == "playing":
                said.append(f"You can claim the win in {in_seconds(round(now.claim_after))}.")
    return " ".join(said)


def too_early(claim_in: float | None) -> str:
    """Say when a win can be claimed; nothing if that is now, or if the opponent is present."""
    seconds = math.ceil(claim_in or 0)
    return f"You can claim the win in {in_seconds(seconds)}." if seconds else ""


def with_presence(match: Match, now: Presence | None, seats: Collection[int]) -> Match:
    """Return a match for the list of players: its names say which is you, and who is away."""

    def name(seat: Seat) -> str:
        is_there = now is None or now.present[seat - 1]
        notes = [
            "you" if len(seats) == 1 and seat in seats else "",
            "" if match.joined[seat - 1] else "not joined",
            "" if is_there or seat in seats or not match.joined[seat - 1] else "away",
        ]
        note = " ".join(filter(None, notes))
        return f"{match.name(seat)} ({note})" if note else match.name(seat)

    return replace(match, names=(name(1), name(2)))


def come_back(link: MatchLink) -> str:
    """Say how to come back to a match. A line for the shell."""
    return f"To come back: {program()} join {shlex.quote(str(link))}"
