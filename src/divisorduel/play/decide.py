"""Decides what a command does: the only authority on a match.

Every front end goes through `decide`. It is a pure function: it takes a match and a command, and
returns the events and the match after each of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from divisorduel.play import events
from divisorduel.play.commands import Command
from divisorduel.play.events import Event, Seat
from divisorduel.play.match import MOST_UNDONE, Match
from divisorduel.rules.refusal import Refusal

STALE = Refusal("stale-version")
"""The match has changed since the player saw it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The result of a command: either a refusal, or events with the match after each."""

    before: Match
    applied: tuple[tuple[Event, Match], ...] = ()
    """The events that the command causes, each with the match after it."""
    refusal: Refusal | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """The events alone."""
        return tuple(event for event, _ in self.applied)

    @property
    def match(self) -> Match:
        """The match after all events; unchanged if the command is refused."""
        return self.applied[-1][1] if self.applied else self.before


def begin(match: Match) -> Decision:
    """Begin the rounds that are due before the first move."""
    return Decision(match, _apply(match, ()))


def decide(match: Match, seat: Seat, command: Command, version: int | None = None) -> Decision:
    """Decide what a player's command does.

    A command that was made for another version of the match is refused, because the player has
    not seen what happened since. Without a version, this is not checked.
    """
    caused = _general_refusal(match, command, version) or command.consequences(match, seat)
    if isinstance(caused, Refusal):
        return Decision(match, refusal=caused)
    decision = Decision(match, _apply(match.at_next_version(), caused))
    while len(decision.applied) < MOST_UNDONE and (more := command.sequel(decision.match)):
        decision = Decision(match, decision.applied + _apply(decision.match, more))
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


def _general_refusal(match: Match, command: Command, version: int | None) -> Refusal | None:
    """Return why a command is refused without looking at its details, or None."""
    if version is not None and version != match.version:
        return STALE
    if match.closed:
        return Refusal("called-off" if match.closed == "off" else "closed-expired")
    if match.state == "waiting" and not command.while_waiting:
        return Refusal("waiting-for-players")
    if match.over and not command.when_over:
        return Refusal("match-over")
    return None


def _apply(match: Match, caused: Iterable[Event]) -> tuple[tuple[Event, Match], ...]:
    """Apply events, and begin each round when it is due; a round can be over at once."""
    applied, waiting = list[tuple[Event, Match]](), [*caused]
    while waiting or match.next_starter:
        event = events.RoundBegan(match.next_starter) if match.next_starter else waiting.pop(0)
        match = match.after(event)
        applied.append((event, match))
    return tuple(applied)
