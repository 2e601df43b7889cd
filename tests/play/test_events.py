"""What an event changes, and when it can happen."""

from dataclasses import replace

from divisorduel import Match, game
from divisorduel.play.events import (
    Closed,
    Event,
    Forfeited,
    Joined,
    MoveUndone,
    NumberTaken,
    RoundBegan,
)


def test_a_player_who_joins_takes_one_seat_and_leaves_the_other_free() -> None:
    match = replace(Match.of(game("divider", to=3)), joined=(False, False))
    assert match.after(Joined(1, "Ann")).joined == (True, False)
    assert match.after(Joined(2, "Bob")).joined == (False, True)
    assert match.after(Joined(1, "Ann")).names == ("Ann", "Player 2")
    assert match.after(Joined(2, "Bob")).names == ("Player 1", "Bob")
    both = match.after(Joined(1, "Ann")).after(Joined(2, "Bob"))
    assert (both.joined, both.state) == ((True, True), "playing")


def test_an_event_that_no_command_causes_cannot_happen() -> None:
    match = Match.of(game("chain", to=8), rounds=2)
    taken = match.after(NumberTaken(8))
    won = taken.after(Forfeited(2))
    possible: list[tuple[Match, Event]] = [
        (match, NumberTaken(8)),
        (match, Forfeited(1)),
        (taken, MoveUndone(8)),
        (won, RoundBegan(2)),
        (replace(match, joined=(True, False)), Joined(2, "Bob")),
    ]
    impossible: list[tuple[Match, Event]] = [
        (match, NumberTaken(9)),
        (match, MoveUndone(8)),
        (taken, MoveUndone(4)),
        (won, NumberTaken(4)),
        (won, MoveUndone(8)),
        (won, Forfeited(1)),
        (won, RoundBegan(1)),
        (match, RoundBegan(2)),
        (match, Joined(2, "Bob")),
        (match.after(Closed("off")), NumberTaken(8)),
    ]
    assert all(match.can_happen(event) for match, event in possible)
    assert not any(match.can_happen(event) for match, event in impossible)
