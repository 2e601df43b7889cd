"""Decides what a command does: the only authority on a match.

Every front end goes through `decide`. It is a pure function: it takes a match and a command, and
returns the events and the match after each of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from divisorduel.play import commands, events
from divisorduel.play.commands import Command
from divisorduel.play.events import Event, OfferKind, Seat
from divisorduel.play.match import LONGEST_NAME, MOST_ROUNDS, Match, Round, other
from divisorduel.play.names import look_alike
from divisorduel.rules.refusal import Refusal

STALE = Refusal("stale-version")
"""The match has changed since the player saw it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The result of a command: either a refusal, or events with the match after each."""

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


def begin(match: Match) -> Decision:
    """Begin the rounds that are due before the first move."""
    return Decision(match, _apply(match, ()))


def decide(match: Match, seat: Seat, command: Command, version: int | None = None) -> Decision:
    """Decide what a player's command does.

    A command that was made for another version of the match is refused, because the player has
    not seen what happened since. Without a version, this is not checked.
    """
    caused = _general_refusal(match, command, version) or _consequences(match, seat, command)
    if isinstance(caused, Refusal):
        return Decision(match, refusal=caused)
    decision = Decision(match, _apply(match.at_next_version(), caused))
    if isinstance(command, commands.Redo):  # also redo the computer's answers
        while decision.match.undone and decision.match.computer_to_move:
            answer = _apply(decision.match, [_redone(decision.match)])
            decision = Decision(match, decision.steps + answer)
    return decision


def expire(match: Match) -> Decision:
    """Close an unfinished match that no one has played for a long time."""
    if match.state not in ("waiting", "playing"):
        return Decision(match, refusal=Refusal("match-over"))
    return Decision(match, _apply(match.at_next_version(), [events.Closed("expired")]))


def fail(match: Match, fault: str) -> Decision:
    """End the round because the engine to move has failed: it forfeits."""
    if match.computer_to_move is None:
        return Decision(match, refusal=Refusal("not-your-turn"))
    forfeited = events.Forfeited(match.current.to_move, fault=fault)
    return Decision(match, _apply(match.at_next_version(), [forfeited]))


def move_refusal(match: Match, number: int, played: Round | None = None) -> Refusal | None:
    """Return why a number cannot be taken in a round, by default the current one."""
    played = played or match.current
    if match.game.refusal(played.position, number) is None:  # only a refusal needs the history
        return None
    return match.game.refusal(played.position, number, match.taken(played))


def can_happen(match: Match, event: Event) -> bool:
    """Tell whether an event can happen in a match. `decide` causes no others."""
    current = match.current
    match event:
        case _ if match.closed:
            return False
        case events.NumberTaken(number):
            is_legal = match.game.refusal(current.position, number) is None
            return current.winner is None and is_legal
        case events.MoveUndone(number):
            played = current if current.moves else match.played[-2:][0]
            return played.forfeit is None and played.moves[-1:] == (number,)
        case events.Forfeited(by):
            return current.winner is None and by in (1, 2)
        case events.RoundBegan(starter):
            return starter == match.next_starter
        case events.Joined(seat):
            return seat in (1, 2) and not match.joined[seat - 1]
    return True


def _general_refusal(match: Match, command: Command, version: int | None) -> Refusal | None:
    """Return why a command is refused without looking at its details, or None."""
    if version is not None and version != match.version:
        return STALE
    if match.closed:
        return Refusal("called-off" if match.closed == "off" else "closed-expired")
    if match.state == "waiting" and not isinstance(command, commands.Join | commands.CallOff):
        return Refusal("waiting-for-players")
    if match.over and isinstance(command, commands.Take | commands.Forfeit | commands.Claim):
        return Refusal("match-over")
    return None


def _apply(match: Match, caused: Iterable[Event]) -> tuple[tuple[Event, Match], ...]:
    """Apply events, and begin each round when it is due; a round can be over at once."""
    steps, waiting = list[tuple[Event, Match]](), [*caused]
    while waiting or match.next_starter:
        event = events.RoundBegan(match.next_starter) if match.next_starter else waiting.pop(0)
        match = match.after(event)
        steps.append((event, match))
    return tuple(steps)


def _consequences(match: Match, seat: Seat, command: Command) -> Sequence[Event] | Refusal:
    """Return what a command causes, or why it is refused."""
    match command:
        case commands.Take(number):
            return _take(match, seat, number)
        case commands.Forfeit():
            return [events.Forfeited(seat)]
        case commands.Undo():
            return _ask_for(match, seat, "undo")
        case commands.Redo():
            if match.apart:
                return Refusal("redo-apart")
            return [_redone(match)] if match.undone else Refusal("nothing-to-redo")
        case commands.Rematch():
            return _ask_for(match, seat, "rematch")
        case commands.Join(name):
            return _join(match, seat, name)
        case commands.Accept():
            if match.offer is None or match.offer.by == seat:
                return Refusal("nothing-to-accept")
            return _granted(match, match.offer.by, match.offer.kind)
        case commands.Decline():
            return [events.Declined(seat)] if match.offer else Refusal("nothing-to-decline")
        case commands.Claim():
            if not match.apart:
                return Refusal("nothing-to-claim")
            return [events.Forfeited(other(seat), away=True)]
        case commands.CallOff():
            waiting = match.state == "waiting"
            return [events.Closed("off")] if waiting else Refusal("already-joined")


def _take(match: Match, seat: Seat, number: int) -> Sequence[Event] | Refusal:
    if seat != match.current.to_move:
        return Refusal("not-your-turn")
    refusal = move_refusal(match, number)
    if refusal is None:
        return [events.NumberTaken(number)]
    if match.game.book.wrong_number == "forfeit":
        return [events.Forfeited(seat, wrong_number=number)]
    return refusal


def _redone(match: Match) -> Event:
    return events.NumberTaken(match.undone[-1], again=True)


def _join(match: Match, seat: Seat, name: str) -> Sequence[Event] | Refusal:
    if match.joined[seat - 1]:
        return Refusal("seat-taken")
    wanted, taken = name or match.name(seat), match.name(other(seat))
    if look_alike(wanted, taken):  # the players must have different names
        wanted = f"{wanted[: LONGEST_NAME - 2]} {'B' if taken.endswith(' 2') else '2'}"
    return [events.Joined(seat, wanted)]


def _ask_for(match: Match, seat: Seat, kind: OfferKind) -> Sequence[Event] | Refusal:
    """Grant a request if it needs no consent or both players made it; otherwise offer it."""
    granted = _granted(match, seat, kind)
    if isinstance(granted, Refusal):
        return granted
    if match.offer == events.Offered(kind, seat):
        return Refusal("already-offered")
    if match.apart and match.offer != events.Offered(kind, other(seat)):
        return [events.Offered(kind, seat)]
    return granted


def _granted(match: Match, seat: Seat, kind: OfferKind) -> Sequence[Event] | Refusal:
    """Return what granting a player's request causes, or why it cannot be granted."""
    if kind == "undo":
        return _undo(match, seat)
    if not match.over:
        return Refusal("not-over-yet")
    if match.rounds + match.series > MOST_ROUNDS:
        return Refusal("too-many-rounds", {"most": MOST_ROUNDS})
    return [events.RoundsAdded(match.series)]


def _undo(match: Match, seat: Seat) -> Sequence[Event] | Refusal:
    """Take back moves until it is the player's turn; when two people share a screen, just one."""
    if not match.undo:
        return Refusal("undo-disabled")
    just_one = not match.apart and not (match.is_computer(1) or match.is_computer(2))
    undone: list[Event] = []
    for number, mover in _undoable(match):
        undone.append(events.MoveUndone(number))
        if just_one or mover == seat:
            return undone
    if undone:
        return Refusal("no-own-move-to-undo")
    has_forfeit = any(played.forfeit for played in match.played[match.rounds - match.series :])
    return Refusal("forfeit-final" if has_forfeit else "nothing-to-undo")


def _undoable(match: Match) -> Iterator[tuple[int, Seat]]:
    """Yield the moves back to the last forfeit, latest first, each with its player."""
    for played in reversed(match.played):
        if played.forfeit:
            return
        for turn in range(len(played.moves), 0, -1):
            yield played.moves[turn - 1], played.mover(turn)
