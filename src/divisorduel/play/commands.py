"""The commands that a player can give.

The method `consequences` of a command returns the events that it causes, or why it is refused.
Only `decide` calls it, after the checks that all commands have in common.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from divisorduel.play import events
from divisorduel.play.events import Event, OfferKind, Seat
from divisorduel.play.match import (
    LONGEST_NAME,
    MOST_OFFERS,
    MOST_ROUNDS,
    MOST_UNDONE,
    Match,
    other,
)
from divisorduel.play.names import look_alike
from divisorduel.rules.errors import NotANumber
from divisorduel.rules.numbers import MANY_DIGITS, is_whole
from divisorduel.rules.refusal import Refusal

Consequences = Sequence[Event] | Refusal


class _Command:
    """What holds for a command unless its class says otherwise."""

    __slots__ = ()

    while_waiting = False
    """Whether it can be carried out before both players have joined."""
    when_over = True
    """Whether it can be carried out when the match is over."""

    def sequel(self, match: Match) -> Sequence[Event]:
        """Return what the command causes next, given the match after what it has caused so far."""
        return ()


@dataclass(frozen=True, slots=True)
class Take(_Command):
    """Take a number, legal or not: the rule book decides what an illegal one costs.

    Numbers too large for any board count as the same number. Raises `NotANumber` unless it is a
    whole number, 0 or more.
    """

    number: int

    when_over = False

    def __post_init__(self) -> None:
        """Check the number, and cap it."""
        if not is_whole(self.number):
            raise NotANumber(f"{self.number!r} is not valid. Use a whole number such as 20.")
        if self.number < 0:  # not shown: it may have more digits than Python writes
            raise NotANumber("A negative number is not valid. Use a whole number such as 20.")
        object.__setattr__(self, "number", min(self.number, 10**MANY_DIGITS))

    def consequences(self, match: Match, seat: Seat) -> Consequences:
        if seat != match.current.to_move:
            return Refusal("not-your-turn")
        refusal = match.move_refusal(self.number)
        if refusal is None:
            return [events.NumberTaken(self.number)]
        if match.game.book.wrong_number == "forfeit":
            return [events.Forfeited(seat, wrong_number=self.number)]
        return refusal


@dataclass(frozen=True, slots=True)
class Forfeit(_Command):
    """Give up the current round."""

    when_over = False

    def consequences(self, match: Match, seat: Seat) -> Consequences:
        return [events.Forfeited(seat)]


@dataclass(frozen=True, slots=True)
class Undo(_Command):
    """Take back the player's last move and all moves since; on a shared screen, the last move."""

    def consequences(self, match: Match, seat: Seat) -> Consequences:
        return _ask_for(match, seat, "undo", self.granted(match, seat))

    def granted(self, match: Match, seat: Seat) -> Consequences:
        """Take back moves until it is the player's turn; if two people share a screen, just one."""
        if not match.undo:
            return Refusal("undo-disabled")
        just_one = not match.apart and not (match.is_computer(1) or match.is_computer(2))
        undone: list[Event] = []
        for number, mover in _undoable(match):
            if len(undone) == MOST_UNDONE:
                return Refusal("undo-too-far", {"most": MOST_UNDONE})
            undone.append(events.MoveUndone(number))
            if just_one or mover == seat:
                return undone
        if undone:
            return Refusal("no-own-move-to-undo")
        has_forfeit = any(played.forfeit for played in match.played[match.rounds - match.series :])
        return Refusal("forfeit-final" if has_forfeit else "nothing-to-undo")


@dataclass(frozen=True, slots=True)
class Redo(_Command):
    """Repeat the move that was undone last, and the computer's answers to it."""

    def consequences(self, match: Match, seat: Seat) -> Consequences:
        if match.apart:
            return Refusal("redo-apart")
        return _redone(match) or Refusal("nothing-to-redo")

    def sequel(self, match: Match) -> Sequence[Event]:
        return _redone(match) if match.computer_to_move else ()


@dataclass(frozen=True, slots=True)
class Rematch(_Command):
    """Once the match is over, play as many rounds again as the players first agreed on."""

    def consequences(self, match: Match, seat: Seat) -> Consequences:
        return _ask_for(match, seat, "rematch", self.granted(match, seat))

    def granted(self, match: Match, seat: Seat) -> Consequences:
        if not match.over:
            return Refusal("not-over-yet")
        if match.rounds + match.series > MOST_ROUNDS:
            return Refusal("too-many-rounds", {"most": MOST_ROUNDS})
        return [events.RoundsAdded(match.series)]


@dataclass(frozen=True, slots=True)
class Join(_Command):
    """Take the seat; an empty name keeps the seat's name."""

    name: str = ""

    while_waiting = True

    def consequences(self, match: Match, seat: Seat) -> Consequences:
        if match.joined[seat - 1]:
            return Refusal("seat-taken")
        wanted, taken = self.name or match.name(seat), match.name(other(seat))
        if look_alike(wanted, taken):  # the players must have different names
            wanted = f"{wanted[: LONGEST_NAME - 2]} {'B' if taken.endswith(' 2') else '2'}"
        return [events.Joined(seat, wanted)]


@dataclass(frozen=True, slots=True)
class Accept(_Command):
    """Accept the opponent's offer."""

    def consequences(self, match: Match, seat: Seat) -> Consequences:
        if match.offer is None or match.offer.by == seat:
            return Refusal("nothing-to-accept")
        request = Undo() if match.offer.kind == "undo" else Rematch()
        return request.granted(match, match.offer.by)


@dataclass(frozen=True, slots=True)
class Decline(_Command):
    """Decline the opponent's offer, or withdraw the player's own."""

    def consequences(self, match: Match, seat: Seat) -> Consequences:
        return [events.Declined(seat)] if match.offer else Refusal("nothing-to-decline")


@dataclass(frozen=True, slots=True)
class Claim(_Command):
    """Win the round because the opponent has left; the caller checks that they have."""

    when_over = False

    def consequences(self, match: Match, seat: Seat) -> Consequences:
        if not match.apart:
            return Refusal("nothing-to-claim")
        return [events.Forfeited(other(seat), away=True)]


@dataclass(frozen=True, slots=True)
class CallOff(_Command):
    """End a match that the opponent has not joined."""

    while_waiting = True

    def consequences(self, match: Match, seat: Seat) -> Consequences:
        waiting = match.state == "waiting"
        return [events.Closed("off")] if waiting else Refusal("already-joined")


Command = Take | Forfeit | Undo | Redo | Rematch | Join | Accept | Decline | Claim | CallOff


def _ask_for(match: Match, seat: Seat, kind: OfferKind, granted: Consequences) -> Consequences:
    """Grant a request if it needs no consent or both players made it; otherwise offer it."""
    if isinstance(granted, Refusal):
        return granted
    if match.offer == events.Offered(kind, seat):
        return Refusal("already-offered")
    if match.apart and match.offer != events.Offered(kind, other(seat)):
        if match.asked.count(seat) >= MOST_OFFERS:
            return Refusal("asked-too-often", {"most": MOST_OFFERS})
        return [events.Offered(kind, seat)]
    return granted


def _redone(match: Match) -> Sequence[Event]:
    """Return the next move to redo, if there is one."""
    return [events.NumberTaken(number, again=True) for number in match.undone[-1:]]


def _undoable(match: Match) -> Iterator[tuple[int, Seat]]:
    """Yield the moves back to the last forfeit, latest first, each with its player."""
    for played in reversed(match.played):
        if played.forfeit:
            return
        for turn in range(len(played.moves), 0, -1):
            yield played.moves[turn - 1], played.mover(turn)
