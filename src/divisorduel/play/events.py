"""What can happen in a match. A match is the sum of its events.

The method `apply` of an event returns the match after it.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from divisorduel.play.match import Match

Seat = Literal[1, 2]
"""Player 1 or Player 2."""
OfferKind = Literal["undo", "rematch"]
Ending = Literal["off", "expired"]


class _Event:
    """What holds for an event unless its class says otherwise."""

    __slots__ = ()

    def can_happen(self, match: "Match") -> bool:
        """Tell whether the event can happen in a match that is not closed."""
        return True


@dataclass(frozen=True, slots=True)
class NumberTaken(_Event):
    """The player to move took a number; `again` if this redoes a move."""

    number: int
    again: bool = False

    def can_happen(self, match: "Match") -> bool:
        current = match.current
        return current.winner is None and match.game.refusal(current.position, self.number) is None

    def apply(self, match: "Match") -> "Match":
        moved = match.longer(match.current, self.number)
        undone = match.undone[:-1] if self.again else ()
        return match.changed(
            played=(*match.played[:-1], moved), undone=undone, offer=None, asked=()
        )


@dataclass(frozen=True, slots=True)
class MoveUndone(_Event):
    """The last move was taken back."""

    number: int

    def can_happen(self, match: "Match") -> bool:
        played = match.current if match.current.moves else match.played[-2:][0]
        return played.forfeit is None and played.moves[-1:] == (self.number,)

    def apply(self, match: "Match") -> "Match":
        # A round without moves is undone together with the move that ended the round before it.
        played = match.played if match.current.moves else match.played[:-1]
        number, back = played[-1].moves[-1], match.shorter(played[-1])
        rounds, undone = match.rounds, (*match.undone, number)
        if len(played) == rounds - match.series:
            # This was the last move before a rematch: undo the rematch and all its moves as well.
            rounds, undone = rounds - match.series, (number,)
        return match.changed(
            played=(*played[:-1], back), rounds=rounds, undone=undone, offer=None, asked=()
        )


@dataclass(frozen=True, slots=True)
class Forfeited(_Event):
    """A player lost the round by giving up, a wrong number, staying away or an engine failure."""

    by: Seat
    wrong_number: int | None = None
    away: bool = False
    """Whether the opponent claimed the win because the player had left."""
    fault: str = ""
    """What went wrong with an engine, as in ``late``; empty if nothing did."""

    def can_happen(self, match: "Match") -> bool:
        return match.current.winner is None and self.by in (1, 2)

    def apply(self, match: "Match") -> "Match":
        ended = match.current.forfeited(self)
        return match.changed(played=(*match.played[:-1], ended), undone=(), offer=None, asked=())


@dataclass(frozen=True, slots=True)
class RoundBegan(_Event):
    """The next round began."""

    starter: Seat

    def can_happen(self, match: "Match") -> bool:
        return self.starter == match.next_starter

    def apply(self, match: "Match") -> "Match":
        played = match.played
        if len(played) > 1 and played[-2].snapshots:  # undoing two rounds is rare
            played = (*played[:-2], replace(played[-2], snapshots=()), played[-1])
        if played:
            played = (*played[:-1], played[-1].compacted())
        begun = match.round_at(match.start, self.starter)
        return match.changed(played=(*played, begun), offer=None, asked=())


@dataclass(frozen=True, slots=True)
class RoundsAdded(_Event):
    """The players agreed on a rematch."""

    rounds: int

    def apply(self, match: "Match") -> "Match":
        return match.changed(rounds=match.rounds + self.rounds, offer=None, asked=())


@dataclass(frozen=True, slots=True)
class Joined(_Event):
    """A player took a seat."""

    seat: Seat
    name: str

    def can_happen(self, match: "Match") -> bool:
        return self.seat in (1, 2) and not match.joined[self.seat - 1]

    def apply(self, match: "Match") -> "Match":
        (one, two), (first, second) = match.names, match.joined
        if self.seat == 1:
            return match.changed(names=(self.name, two), joined=(True, second))
        return match.changed(names=(one, self.name), joined=(first, True))


@dataclass(frozen=True, slots=True)
class Offered(_Event):
    """A player asked for something that the opponent has to accept."""

    kind: OfferKind
    by: Seat

    def apply(self, match: "Match") -> "Match":
        return match.changed(offer=self, asked=(*match.asked, self.by))


@dataclass(frozen=True, slots=True)
class Declined(_Event):
    """A player declined the opponent's offer or withdrew their own."""

    by: Seat

    def apply(self, match: "Match") -> "Match":
        return match.changed(offer=None)


@dataclass(frozen=True, slots=True)
class Closed(_Event):
    """The match ended unfinished: it was called off, or no one played for too long."""

    why: Ending

    def apply(self, match: "Match") -> "Match":
        return match.changed(closed=self.why)


Event = (
    NumberTaken
    | MoveUndone
    | Forfeited
    | RoundBegan
    | RoundsAdded
    | Joined
    | Offered
    | Declined
    | Closed
)
