"""Matches written in advance: legal commands, and the match after each of them.

What a terminal or a server has stored is right if it is the match after some number of commands,
and at least after all that were answered.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from divisorduel.play.commands import Accept, Command, Decline, Redo, Take, Undo
from divisorduel.play.decide import decide
from divisorduel.play.events import Seat
from divisorduel.play.match import MOST_ROUNDS, Match, other
from divisorduel.record.match_records import Heading, match_to_records
from divisorduel.record.model import Record
from divisorduel.rules.catalogue import game

TO = 60
"""The largest number of all boards."""
WANTED: dict[str, Any] = {"board": {"to": TO}, "rounds": MOST_ROUNDS}
"""What creates such a match on a server, where Bob joins by the link."""
OPENING = "play", "chain", "--to", str(TO), "--rounds", str(MOST_ROUNDS)
"""The words with which ``duel`` begins such a match at a terminal."""
SHARE_OF_MOVES = 0.8
"""The share of commands that are moves; the others undo, redo, offer or decline."""


@dataclass(frozen=True)
class ScriptedMatch:
    """The commands of a match, each with the seat that gives it."""

    commands: tuple[tuple[Seat, Command], ...]
    states: tuple[Match, ...]
    """The match after 0, 1, 2, … commands."""

    @property
    def ends_as_it_began(self) -> bool:
        """Whether the commands cancel out, so that the match has the same record as before."""
        before, after = (match_to_records(self.states[at], Heading("", "")) for at in (0, -1))
        return before == after

    def find(self, records: Sequence[Record], told: int) -> int:
        """Return after how many commands the match in these records was stored.

        Fails if it is not a match of this script, or lacks one of the commands that were answered.
        """
        heading = Heading(records[0].tag("Match"), records[0].tag("Date"))
        for number in range(told, len(self.states)):
            if match_to_records(self.states[number], heading) == tuple(records):
                return number
        moves = [list(record.moves) for record in records]
        lost = any(
            match_to_records(state, heading) == tuple(records) for state in self.states[:told]
        )
        what = "lacks a command that was answered" if lost else "was never played like that"
        raise AssertionError(f"After {told} answers the stored match {what}: {moves}")


def script(match: Match, rng: Random, length: int) -> ScriptedMatch:
    """Continue a match with this many random commands, or until it ends."""
    commands: list[tuple[Seat, Command]] = []
    states = [match]
    while len(commands) < length and not states[-1].over:
        seat, command = random_command(states[-1], rng)
        decision = decide(states[-1], seat, command)
        if decision.refusal is None:
            commands.append((seat, command))
            states.append(decision.match)
    return ScriptedMatch(tuple(commands), tuple(states))


def shared_screen(rng: Random, length: int) -> ScriptedMatch:
    """Return a random chain match of two people at one terminal, with undo and redo."""
    return script(Match.of(game("chain", to=TO), rounds=MOST_ROUNDS), rng, length)


def apart(rng: Random, length: int) -> ScriptedMatch:
    """Return a random chain match of Ann and Bob on two devices, with offers to undo."""
    match = Match.of(game("chain", to=TO), names=("Ann", "Bob"), rounds=MOST_ROUNDS)
    return script(replace(match, apart=True), rng, length)


def sent(command: Command) -> dict[str, Any]:
    """Return a command as the API expects it."""
    if isinstance(command, Take):
        return {"type": "take", "number": command.number}
    return {"type": type(command).__name__.lower()}


def typed(command: Command) -> str:
    """Return what a player types for a command."""
    return str(command.number) if isinstance(command, Take) else type(command).__name__.lower()


def random_command(match: Match, rng: Random) -> tuple[Seat, Command]:
    """Return a command that is likely to be legal, and who gives it."""
    to_move = match.current.to_move
    if match.offer is not None and rng.random() < 0.7:
        answers: list[Command] = [Accept(), Decline()]
        return other(match.offer.by), rng.choice(answers)
    if rng.random() > SHARE_OF_MOVES:
        if match.apart:
            return rng.choice((1, 2)), Undo()
        steps: list[Command] = [Undo(), Redo()]
        return to_move, rng.choice(steps)
    return to_move, Take(rng.choice(list(match.game.moves(match.current.position))))
