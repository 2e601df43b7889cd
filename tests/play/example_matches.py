"""Matches to give commands in, and what a command does there."""

from dataclasses import replace

from divisorduel import Match
from divisorduel.play.commands import Command, Join, Take
from divisorduel.play.decide import decide
from divisorduel.play.events import Event, Seat
from tests.conftest import small_game


def chain(**more: object) -> Match:
    return replace(Match.of(small_game("chain"), names=("Ann", "Player 2")), **more)  # type: ignore[arg-type]  # fields of a match


def waiting(**more: object) -> Match:
    return chain(apart=True, joined=(True, False), **more)


def apart() -> Match:
    """Return a match of chain 2-8 that Ann and Bob play on two devices."""
    return after(waiting(), 2, Join("Bob"))


def against_computer(starter: Seat = 1) -> Match:
    return Match.of(small_game("chain"), kinds=("human", "5"), first=starter)


def events(match: Match, seat: Seat, command: Command) -> tuple[Event, ...]:
    decision = decide(match, seat, command, match.version)
    assert decision.refusal is None
    return decision.events


def after(match: Match, seat: Seat, command: Command) -> Match:
    """Return the match after a command that is carried out."""
    decision = decide(match, seat, command, match.version)
    assert decision.refusal is None
    return decision.match


def played(match: Match, *numbers: int) -> Match:
    for number in numbers:
        match = after(match, match.current.to_move, Take(number))
    return match


def code(match: Match, seat: Seat, command: Command) -> str:
    """Return the code with which a command is refused."""
    decision = decide(match, seat, command, match.version)
    assert decision.refusal is not None
    assert (decision.events, decision.match) == ((), match)
    return decision.refusal.code
