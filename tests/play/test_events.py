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
    Offered,
    RoundBegan,
    Seat,
)
from tests.play.example_matches import played


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
        (taken.after(NumberTaken(4)), MoveUndone(4)),
        (taken, Offered("undo", 1)),
        (won, RoundBegan(2)),
        (replace(match, joined=(True, False)), Joined(2, "Bob")),
        (replace(match, joined=(False, True)), Joined(1, "Ann")),
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


def test_the_last_move_of_the_round_before_can_be_undone_until_the_next_move() -> None:
    match = Match.of(game("divider", to=3), rounds=3)
    for event in (NumberTaken(2), NumberTaken(3), RoundBegan(2), NumberTaken(3), NumberTaken(2)):
        match = match.after(event)
    begun = match.after(RoundBegan(1))
    assert begun.can_happen(MoveUndone(2))
    assert not begun.can_happen(MoveUndone(3))
    assert not begun.after(NumberTaken(3)).can_happen(MoveUndone(2))


def test_a_round_that_begins_drops_the_marks_of_the_last_round_but_one() -> None:
    match = Match.of(game("antichain", from_=101, to=200), rounds=3)
    starters: tuple[Seat, Seat] = (2, 1)
    for starter in starters:
        for number in range(101, 201):
            match = match.after(NumberTaken(number))
        match = match.after(RoundBegan(starter))
    first, second, _ = match.played
    assert not first.snapshots
    assert second.snapshots


def test_rounds_before_the_current_one_take_little_memory_and_lose_nothing() -> None:
    match = played(Match.of(game("antichain", to=10), rounds=2), 7, 3, 5)
    refusal = match.move_refusal(10)
    match = played(match, 8)
    assert [one.moves for one in match.played] == [(7, 3, 5, 8), ()]
    assert match.played[0].position.playable == 0
    assert refusal is not None
    assert match.move_refusal(10, match.played[0]) == refusal
