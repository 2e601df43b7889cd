"""The session: the only authority on a match. Commands go in, events come out.

It never waits and never reads input, so the same session serves a terminal, a browser and a bot.
"""

from divisorduel.play.commands import Command, Forfeit, Redo, Rematch, Take, Undo
from divisorduel.play.events import (
    Event,
    Forfeited,
    MoveUndone,
    NumberTaken,
    Refused,
    RoundBegan,
    RoundsAdded,
    Seat,
)
from divisorduel.play.match import MOST_ROUNDS, Match

OVER = "The game is over."
MOVED_ON = "The match has moved on since; look again."


class Session:
    """A match that goes on."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.version = 0
        """How many commands were carried out; a command is made for a version of the match."""

    def begin(self) -> tuple[Event, ...]:
        """Return what happens before anybody moves: a round can be over as soon as it begins."""
        return self._applied(_due_rounds(self.match))

    def submit(self, command: Command, *, version: int | None = None) -> tuple[Event, ...]:
        """Carry out a command and return what happened; what cannot be done is `Refused`.

        A command made for an older version of the match is refused, for its author had not seen
        what happened since. Whoever watches gets the same match by `Match.after`, event by event.
        """
        if version is not None and version != self.version:
            return (Refused(MOVED_ON),)
        events = self._applied(decide(self.match, command))
        if not any(isinstance(event, Refused) for event in events):
            self.version += 1
        return events

    def _applied(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        for event in events:
            self.match = self.match.after(event)
        return events


def decide(match: Match, command: Command) -> tuple[Event, ...]:
    """Return the events that a command causes."""
    match command:
        case Take(number):
            return _and_next_rounds(match, _take(match, number))
        case Forfeit(by, reason):
            return _and_next_rounds(match, _forfeit(match, by, reason))
        case Undo():
            return (_undo(match),)
        case Redo():
            return _and_next_rounds(match, _redo(match))
        case Rematch():
            return _and_next_rounds(match, _rematch(match))


def _and_next_rounds(match: Match, event: Event) -> tuple[Event, ...]:
    return event, *(() if isinstance(event, Refused) else _due_rounds(match.after(event)))


def _due_rounds(match: Match) -> tuple[Event, ...]:
    events: list[Event] = []
    while (starter := match.next_starter) is not None:
        events.append(RoundBegan(starter))
        match = match.after(events[-1])
    return tuple(events)


def _take(match: Match, number: int) -> Event:
    if match.over:
        return Refused(OVER)
    refusal = match.game.refusal(match.current.position, number, match.taken)
    if refusal is None:
        return NumberTaken(number)
    reason = match.game.explain(refusal)
    if match.game.book.wrong_number == "forfeit":
        return Forfeited(match.current.to_move, wrong_number=number, reason=reason)
    return Refused(reason)


def _forfeit(match: Match, by: Seat | None, reason: str) -> Event:
    if match.over:
        return Refused(OVER)
    return Forfeited(by or match.current.to_move, reason=reason)


def _undo(match: Match) -> Event:
    if not match.undo:
        return Refused("This match is played without undo.")
    back_to = match.current
    if not back_to.moves and not back_to.forfeit and len(match.played) > 1:
        back_to = match.played[-2]
    if back_to.forfeit:
        return Refused("A forfeit is final: it cannot be undone.")
    if not back_to.moves:
        return Refused("There is no move to undo.")
    return MoveUndone(back_to.moves[-1])


def _redo(match: Match) -> Event:
    if not match.undone:
        return Refused("There is no move to redo.")
    return NumberTaken(match.undone[-1], again=True)


def _rematch(match: Match) -> Event:
    if not match.over:
        return Refused("The match is not over yet.")
    if match.rounds + match.series > MOST_ROUNDS:
        return Refused("That was a long match. Start a new one!")
    return RoundsAdded(match.series)
