"""A room: a match whose players may sit in different places.

It adds to the match what people need who cannot see each other: taking a seat, offers that the
other side accepts or declines, and calling a match off that nobody has joined. A room is the sum
of its events, as a match is, and what happens in its match is decided by a `Session`.
"""

from dataclasses import dataclass, replace
from typing import Literal, Self, TypeVar

from divisorduel.play.commands import Command, Forfeit, Redo, Rematch, Take, Undo
from divisorduel.play.events import Event, Refused, Seat
from divisorduel.play.match import LONGEST_NAME, Match, other
from divisorduel.play.players import HUMAN
from divisorduel.play.session import MOVED_ON, OVER, Session

T = TypeVar("T")

MOST_STEPS = 20_000

OfferKind = Literal["undo", "rematch"]
Ending = Literal["off", "expired"]
State = Literal["waiting", "playing", "over", "off", "expired"]
"""Somebody has yet to join; the match goes on; it was played to the end; it ended unplayed."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody took a seat."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Offered:
    """A player asked for what needs the other side's consent."""

    kind: OfferKind
    by: Seat


@dataclass(frozen=True, slots=True)
class Declined:
    """The other side did not consent."""

    by: Seat


@dataclass(frozen=True, slots=True)
class Closed:
    """The match ended before its end: it was called off, or nobody played for too long."""

    why: Ending


RoomEvent = Event | Joined | Offered | Declined | Closed


@dataclass(frozen=True, slots=True)
class Join:
    """Take the seat; without a name, the one that the seat has."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class Accept:
    """Consent to what the other side offers."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Do not consent."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Win the game of an opponent who stays away; whether they do, the caller has checked."""


@dataclass(frozen=True, slots=True)
class CallOff:
    """End a match that nobody has joined."""


RoomCommand = Command | Join | Accept | Decline | Claim | CallOff


@dataclass(frozen=True, kw_only=True)
class Room:
    """A match and who sits where."""

    match: Match
    apart: bool = False
    """Whether the seats are held by people in different places, who must ask each other."""
    joined: tuple[bool, bool] = (True, True)
    offer: Offered | None = None
    closed: Ending | None = None
    version: int = 0
    """How many steps were taken; a command is made for a version of the room."""

    @property
    def state(self) -> State:
        """How far the match has come."""
        if self.closed:
            return self.closed
        if not all(self.joined):
            return "waiting"
        return "over" if self.match.over else "playing"

    @property
    def computer_to_move(self) -> str | None:
        """The kind of computer player whose turn it is, if it is one's."""
        kind = self.match.kinds[self.match.current.to_move - 1]
        may_move = self.state == "playing" and self.version < MOST_STEPS
        return kind if may_move and kind != HUMAN else None

    def after_step(self, events: tuple[RoomEvent, ...]) -> Self:
        """Return the room after the events that one command caused."""
        room = self
        for event in events:
            room = room._after(event)
        return replace(room, version=self.version + 1)

    def _after(self, event: RoomEvent) -> Self:
        match event:
            case Joined(seat, name):
                names = _with(self.match.names, seat, name)
                joined = _with(self.joined, seat, True)  # noqa: FBT003
                return replace(self, match=replace(self.match, names=names), joined=joined)
            case Offered():
                return replace(self, offer=event)
            case Declined():
                return replace(self, offer=None)
            case Closed(why):
                return replace(self, closed=why)
            case _:
                return replace(self, match=self.match.after(event), offer=None)


def _with(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == 1 else (pair[0], value)


def decide(room: Room, seat: Seat, command: RoomCommand, version: int) -> tuple[RoomEvent, ...]:
    """Return the events that a player's command causes; what cannot be done is `Refused`.

    The command was made for a version of the room; if that has passed, it is refused, for its
    author had not seen what happened since.
    """
    if version != room.version:
        return (Refused(MOVED_ON),)
    if room.closed:
        how = "called off" if room.closed == "off" else "closed: nobody played for a long time"
        return (Refused(f"This match was {how}."),)
    if room.version >= MOST_STEPS:
        return (Refused("This has become a very long match. Start a new one!"),)
    match command:
        case Join(name):
            return (_join(room, seat, name),)
        case CallOff():
            waits = room.state == "waiting"
            return (Closed("off") if waits else Refused("Both players have joined: play on."),)
    if room.state == "waiting":
        return (Refused("The match begins when both players have joined."),)
    return _played(room, seat, command)


def _played(room: Room, seat: Seat, command: RoomCommand) -> tuple[RoomEvent, ...]:
    match command:
        case Take() if room.match.over:
            return (Refused(OVER),)
        case Take() if seat != room.match.current.to_move:
            return (Refused("It is not your turn."),)
        case Forfeit():
            return Session(room.match).submit(Forfeit(seat))
        case Claim():
            away = room.match.name(other(seat))
            return Session(room.match).submit(Forfeit(other(seat), f"{away} stayed away."))
        case Undo() | Rematch():
            return _asked(room, seat, "undo" if isinstance(command, Undo) else "rematch")
        case Redo():
            return _redo(room)
        case Accept():
            return _accept(room, seat)
        case Decline():
            stands = room.offer is not None
            return (Declined(seat) if stands else Refused("There is nothing to decline."),)
        case Take():
            return Session(room.match).submit(command)
        case Join() | CallOff():  # pragma: no cover  # decided before
            return ()


def _join(room: Room, seat: Seat, name: str) -> RoomEvent:
    if room.joined[seat - 1]:
        return Refused("Somebody sits there already.")
    wanted = name or room.match.name(seat)
    theirs = room.match.name(other(seat))
    if wanted == theirs:
        # Two players of one name could not be told apart, and nobody should have to try again.
        wanted = f"{wanted[: LONGEST_NAME - 2]} {'B' if theirs.endswith(' 2') else '2'}"
    return Joined(seat, wanted)


def _asked(room: Room, seat: Seat, kind: OfferKind) -> tuple[RoomEvent, ...]:
    events = _undo(room, seat) if kind == "undo" else Session(room.match).submit(Rematch())
    refused = any(isinstance(event, Refused) for event in events)
    if refused or not room.apart:
        return events
    if room.offer is not None and room.offer.kind == kind and room.offer.by != seat:
        return events  # both want it
    if room.offer == Offered(kind, seat):
        return (Refused("You have asked already."),)
    return (Offered(kind, seat),)


def _accept(room: Room, seat: Seat) -> tuple[RoomEvent, ...]:
    if room.offer is None or room.offer.by == seat:
        return (Refused("There is nothing to accept."),)
    if room.offer.kind == "rematch":
        return Session(room.match).submit(Rematch())
    return _undo(room, room.offer.by)


def _undo(room: Room, seat: Seat) -> tuple[RoomEvent, ...]:
    """Take back moves until it is the player's turn again; beside a friend, just one."""
    session = Session(room.match)
    events = session.submit(Undo())
    both_here = not room.apart and HUMAN == room.match.kinds[0] == room.match.kinds[1]
    while not both_here and session.match.current.to_move != seat:
        more = session.submit(Undo())
        if isinstance(more[0], Refused):
            return events if isinstance(events[0], Refused) else (Refused(NOT_YOURS),)
        events += more
    return events


NOT_YOURS = "There is no move of yours to undo."


def _redo(room: Room) -> tuple[RoomEvent, ...]:
    """Make moves again that were taken back; a computer's answer to them, too."""
    if room.apart:
        return (Refused("Moves are made again only where both players sit together."),)
    session = Session(room.match)
    events = session.submit(Redo())
    while not session.match.over and session.match.undone and _computer_moves(session.match):
        events += session.submit(Redo())
    return events


def _computer_moves(match: Match) -> bool:
    return match.kinds[match.current.to_move - 1] != HUMAN
