"""Decides what a command does: the only authority on a match.

Every front end goes through `decide`. It is pure: a match and a command go in; the events, and the
match after each of them, come out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from divisorduel.play.commands import (
    Accept,
    CallOff,
    Claim,
    Command,
    Decline,
    Forfeit,
    Join,
    Redo,
    Rematch,
    Take,
    Undo,
)
from divisorduel.play.events import (
    Closed,
    Declined,
    Event,
    Forfeited,
    Joined,
    MoveUndone,
    NumberTaken,
    Offered,
    OfferKind,
    RoundBegan,
    RoundsAdded,
    Seat,
)
from divisorduel.play.match import LONGEST_NAME, MOST_ROUNDS, Match, Round, other
from divisorduel.rules.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Decision:
    """What comes of a command: either a refusal, or events with the match after each."""

    before: Match
    steps: tuple[tuple[Event, Match], ...] = ()
    refusal: Refusal | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that the command causes."""
        return tuple(event for event, _ in self.steps)

    @property
    def match(self) -> Match:
        """The match after all events; unchanged if the command is refused."""
        return self.steps[-1][1] if self.steps else self.before


class _Draft:
    """The match while the events of one command are applied to it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.steps: list[tuple[Event, Match]] = []

    def add(self, *events: Event) -> None:
        for event in events:
            self.match = self.match.after(event)
            self.steps.append((event, self.match))

    def begin_due_rounds(self) -> None:
        """Begin the next round if one is due; it can be over as soon as it begins."""
        while (starter := self.match.next_starter) is not None:
            self.add(RoundBegan(starter))


def begin(match: Match) -> Decision:
    """Begin the rounds that are due before the first move."""
    draft = _Draft(match)
    draft.begin_due_rounds()
    return Decision(match, tuple(draft.steps))


def decide(match: Match, seat: Seat, command: Command, version: int | None = None) -> Decision:
    """Decide what a player's command does.

    A command that was made for another version of the match is refused, because its author has
    not seen what happened since. Without a version, it is made for this one.
    """
    draft = _Draft(match.at_next_version())
    refusal = _general_refusal(match, command, version) or _carry_out(draft, seat, command)
    if refusal is not None:
        return Decision(match, refusal=refusal)
    draft.begin_due_rounds()
    return Decision(match, tuple(draft.steps))


def expire(match: Match) -> Decision:
    """Close an unfinished match that no one has played for a long time."""
    if match.state not in ("waiting", "playing"):
        return Decision(match, refusal=Refusal("match-over"))
    return Decision(match, tuple(match.replay([Closed("expired")])))


def move_refusal(match: Match, number: int, played: Round | None = None) -> Refusal | None:
    """Return why a number cannot be taken in a round, by default the current one."""
    played = played or match.current
    if match.game.refusal(played.position, number) is None:  # the history is needed to refuse only
        return None
    return match.game.refusal(played.position, number, match.taken(played))


def _general_refusal(match: Match, command: Command, version: int | None) -> Refusal | None:
    """Return why a command is refused, whatever its details."""
    if version is not None and version != match.version:
        return Refusal("stale-version")
    if match.closed:
        return Refusal("called-off" if match.closed == "off" else "closed-expired")
    if match.state == "waiting" and not isinstance(command, Join | CallOff):
        return Refusal("waiting-for-players")
    if match.over and isinstance(command, Take | Forfeit | Claim):
        return Refusal("match-over")
    return None


def _carry_out(draft: _Draft, seat: Seat, command: Command) -> Refusal | None:
    match command:
        case Take(number):
            return _take(draft, seat, number)
        case Forfeit():
            draft.add(Forfeited(seat))
        case Undo():
            return _ask_for(draft, seat, "undo")
        case Redo():
            return _redo(draft)
        case Rematch():
            return _ask_for(draft, seat, "rematch")
        case Join(name):
            return _join(draft, seat, name)
        case Accept():
            return _accept(draft, seat)
        case Decline():
            if draft.match.offer is None:
                return Refusal("nothing-to-decline")
            draft.add(Declined(seat))
        case Claim():
            if not draft.match.apart:
                return Refusal("nothing-to-claim")
            draft.add(Forfeited(other(seat), away=True))
        case CallOff():
            if draft.match.state != "waiting":
                return Refusal("already-joined")
            draft.add(Closed("off"))
    return None


def _take(draft: _Draft, seat: Seat, number: int) -> Refusal | None:
    match = draft.match
    if seat != match.current.to_move:
        return Refusal("not-your-turn")
    refusal = move_refusal(match, number)
    if refusal is None:
        draft.add(NumberTaken(number))
    elif match.game.book.wrong_number == "forfeit":
        draft.add(Forfeited(seat, wrong_number=number))
    else:
        return refusal
    return None


def _join(draft: _Draft, seat: Seat, name: str) -> Refusal | None:
    match = draft.match
    if match.joined[seat - 1]:
        return Refusal("seat-taken")
    wanted, taken = name or match.name(seat), match.name(other(seat))
    if wanted == taken:  # two players of one name are told apart without asking again
        wanted = f"{wanted[: LONGEST_NAME - 2]} {'B' if taken.endswith(' 2') else '2'}"
    draft.add(Joined(seat, wanted))
    return None


def _ask_for(draft: _Draft, seat: Seat, kind: OfferKind) -> Refusal | None:
    """Do it if it needs no consent or both players have asked for it; otherwise offer it."""
    match = draft.match
    events = _granted(match, seat, kind)
    if isinstance(events, Refusal):
        return events
    if match.offer == Offered(kind, seat):
        return Refusal("already-offered")
    if match.apart and match.offer != Offered(kind, other(seat)):
        events = [Offered(kind, seat)]
    draft.add(*events)
    return None


def _accept(draft: _Draft, seat: Seat) -> Refusal | None:
    offer = draft.match.offer
    if offer is None or offer.by == seat:
        return Refusal("nothing-to-accept")
    events = _granted(draft.match, offer.by, offer.kind)
    if isinstance(events, Refusal):  # pragma: no cover  # an offer lapses when the match changes
        return events
    draft.add(*events)
    return None


def _granted(match: Match, seat: Seat, kind: OfferKind) -> Sequence[Event] | Refusal:
    """Return what happens once a player's wish is granted, or why it cannot be."""
    if kind == "undo":
        return _undo(match, seat)
    if not match.over:
        return Refusal("not-over-yet")
    if match.rounds + match.series > MOST_ROUNDS:
        return Refusal("too-many-rounds", {"most": MOST_ROUNDS})
    return [RoundsAdded(match.series)]


def _undo(match: Match, seat: Seat) -> Sequence[Event] | Refusal:
    """Take back moves until it is the player's turn; when two people share a screen, just one."""
    if not match.undo:
        return Refusal("undo-disabled")
    just_one = not match.apart and not (match.is_computer(1) or match.is_computer(2))
    undone: list[Event] = []
    for number, mover in _undoable(match):
        undone.append(MoveUndone(number))
        if just_one or mover == seat:
            return undone
    if undone:
        return Refusal("no-own-move-to-undo")
    has_forfeit = any(played.forfeit for played in match.played)
    return Refusal("forfeit-final" if has_forfeit else "nothing-to-undo")


def _undoable(match: Match) -> Iterator[tuple[int, Seat]]:
    """Yield the moves back to the last forfeit, latest first, each with its player."""
    for played in reversed(match.played):
        if played.forfeit:
            return
        for turn in range(len(played.moves), 0, -1):
            yield played.moves[turn - 1], played.mover(turn)


def _redo(draft: _Draft) -> Refusal | None:
    """Make an undone move again, and the computer's answers to it."""
    if draft.match.apart:
        return Refusal("redo-apart")
    if not draft.match.undone:
        return Refusal("nothing-to-redo")
    while True:
        draft.add(NumberTaken(draft.match.undone[-1], again=True))
        draft.begin_due_rounds()
        if not draft.match.undone or not draft.match.computer_to_move:
            return None
