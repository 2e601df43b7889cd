"""What each command causes: moves, forfeits, offers, undo and redo, seats."""

from dataclasses import replace
from typing import Any

import pytest

from divisorduel import Match, NotANumber, game
from divisorduel.play.commands import (
    Accept,
    CallOff,
    Claim,
    Decline,
    Forfeit,
    Join,
    Redo,
    Rematch,
    Take,
    Undo,
)
from divisorduel.play.decide import decide
from divisorduel.play.events import (
    Closed,
    Declined,
    Forfeited,
    Joined,
    MoveUndone,
    Offered,
    RoundsAdded,
    Seat,
)
from divisorduel.play.match import LONGEST_NAME, MOST_OFFERS, MOST_UNDONE, other
from tests.conftest import small_game
from tests.play.example_matches import (
    after,
    against_computer,
    apart,
    chain,
    code,
    events,
    played,
    waiting,
)

# --- seats


def test_a_player_who_joins_without_a_name_is_named_after_the_seat() -> None:
    assert events(waiting(), 2, Join()) == (Joined(2, "Player 2"),)


def test_a_taken_seat_cannot_be_joined() -> None:
    assert code(apart(), 2, Join("Eve")) == "seat-taken"
    assert code(apart(), 1, Join("Eve")) == "seat-taken"


@pytest.mark.parametrize(
    ("host", "told_apart"),
    [
        ("Ann", "Ann 2"),
        ("Ann 2", "Ann 2 B"),
        ("Player 2", "Player 2 B"),
        ("x" * LONGEST_NAME, "x" * (LONGEST_NAME - 2) + " 2"),
        ("x" * (LONGEST_NAME - 2) + " 2", "x" * (LONGEST_NAME - 2) + " B"),
    ],
)
def test_two_players_with_the_same_name_are_told_apart(host: str, told_apart: str) -> None:
    match = waiting(names=(host, "someone"))
    assert events(match, 2, Join(host)) == (Joined(2, told_apart),)


def test_two_players_whose_names_look_alike_are_told_apart() -> None:
    match = waiting(names=("Zo\u00eb", "someone"))
    assert events(match, 2, Join("Zoe\u0308")) == (Joined(2, "Zoe\u0308 2"),)


def test_a_match_can_be_called_off_only_before_the_opponent_joins() -> None:
    assert events(waiting(), 1, CallOff()) == (Closed("off"),)
    assert after(waiting(), 1, CallOff()).state == "off"
    assert code(apart(), 1, CallOff()) == "already-joined"


# --- turns and forfeits


@pytest.mark.parametrize(
    "number", [-1, -3, pytest.param(-(10**5000), id="long"), "8", 8.0, True, None]
)
def test_only_a_number_can_be_taken(number: Any) -> None:
    with pytest.raises(NotANumber):
        Take(number)


@pytest.mark.parametrize(
    ("number", "taken"),
    [
        (0, 0),
        (10**99, 10**99),
        (10**100 - 1, 10**100 - 1),
        (10**100, 10**100),
        (10**100 + 1, 10**100),
        (10**1_000, 10**100),
    ],
)
def test_numbers_too_large_for_any_board_become_the_same_number(number: int, taken: int) -> None:
    assert Take(number).number == taken


def test_no_player_can_move_out_of_turn() -> None:
    assert code(apart(), 2, Take(8)) == "not-your-turn"
    assert code(played(apart(), 8), 1, Take(4)) == "not-your-turn"


def test_an_illegal_number_is_refused_with_the_reason_from_the_game() -> None:
    refusal = decide(played(chain(), 8), 2, Take(6)).refusal
    assert refusal is not None
    assert refusal.params


def test_a_wrong_number_forfeits_descent() -> None:
    match = Match.of(game("descent", number=16))
    assert events(match, 1, Take(3)) == (Forfeited(1, wrong_number=3),)


@pytest.mark.parametrize("seat", [1, 2])
def test_a_player_can_forfeit_on_either_turn(seat: Seat) -> None:
    for match in (apart(), played(apart(), 8)):
        assert events(match, seat, Forfeit()) == (Forfeited(seat),)
        assert after(match, seat, Forfeit()).current.winner == other(seat)


@pytest.mark.parametrize("seat", [1, 2])
def test_a_player_who_claims_a_game_wins_it(seat: Seat) -> None:
    assert events(apart(), seat, Claim()) == (Forfeited(other(seat), away=True),)
    claimed = after(apart(), seat, Claim()).current
    assert (claimed.winner, claimed.forfeit) == (seat, Forfeited(other(seat), away=True))


def test_a_game_on_a_shared_screen_cannot_be_claimed() -> None:
    assert code(chain(), 1, Claim()) == "nothing-to-claim"
    assert code(against_computer(), 1, Claim()) == "nothing-to-claim"


# --- offers between two devices


def test_an_undo_happens_when_the_opponent_accepts_it() -> None:
    match = played(apart(), 8, 4)
    assert events(match, 2, Undo()) == (Offered("undo", 2),)
    match = after(match, 2, Undo())
    assert match.current.moves == (8, 4)
    assert code(match, 2, Undo()) == "already-offered"
    assert code(match, 2, Accept()) == "nothing-to-accept"
    match = after(match, 1, Accept())
    assert (match.current.moves, match.offer) == ((8,), None)


def test_a_player_cannot_ask_again_and_again_to_keep_the_opponent_from_moving() -> None:
    match = played(apart(), 8)
    for _ in range(MOST_OFFERS):
        match = after(after(match, 1, Undo()), 1, Decline())
    assert code(match, 1, Undo()) == "asked-too-often"
    assert events(played(match, 4), 1, Undo()) == (Offered("undo", 1),)


def test_an_accepted_request_does_not_count_as_one_too_many() -> None:
    match = played(apart(), 8)
    for _ in range(MOST_OFFERS + 1):
        match = after(after(match, 1, Undo()), 2, Accept())
        match = played(match, 8)
    assert events(match, 1, Undo()) == (Offered("undo", 1),)


def test_undo_goes_back_to_the_last_move_of_the_player_who_asked() -> None:
    match = after(played(apart(), 8, 4), 1, Undo())
    assert events(match, 2, Accept()) == (MoveUndone(4), MoveUndone(8))


def test_a_player_who_has_not_moved_has_nothing_to_undo() -> None:
    assert code(played(apart(), 8), 2, Undo()) == "no-own-move-to-undo"
    assert code(apart(), 1, Undo()) == "nothing-to-undo"


def test_a_declined_offer_is_gone_and_can_be_made_again() -> None:
    match = after(played(apart(), 8), 1, Undo())
    assert events(match, 2, Decline()) == (Declined(2),)
    match = after(match, 2, Decline())
    assert (match.offer, match.current.moves) == (None, (8,))
    assert code(match, 2, Accept()) == "nothing-to-accept"
    assert code(match, 2, Decline()) == "nothing-to-decline"
    assert events(match, 1, Undo()) == (Offered("undo", 1),)


def test_a_player_can_withdraw_an_offer() -> None:
    match = after(played(apart(), 8), 1, Undo())
    assert after(match, 1, Decline()).offer is None


def test_an_offer_lapses_with_the_next_move() -> None:
    match = played(after(played(apart(), 8), 1, Undo()), 4)
    assert match.offer is None
    assert code(match, 2, Accept()) == "nothing-to-accept"


def test_a_rematch_begins_when_both_players_ask_for_it() -> None:
    over = after(played(apart(), 8), 1, Forfeit())
    match = after(over, 1, Rematch())
    assert match.offer == Offered("rematch", 1)
    assert isinstance(events(match, 2, Rematch())[0], RoundsAdded)
    match = after(match, 2, Rematch())
    assert (match.state, match.rounds, match.offer) == ("playing", 2, None)


def test_an_offer_of_another_kind_replaces_the_first() -> None:
    over = played(apart(), 8, 2, 6, 3)
    assert over.state == "over"
    match = after(after(over, 1, Rematch()), 2, Undo())
    assert match.offer == Offered("undo", 2)
    assert after(match, 1, Accept()).current.moves == (8, 2, 6)


def test_a_rematch_can_be_offered_only_after_the_match() -> None:
    assert code(apart(), 1, Rematch()) == "not-over-yet"


def test_an_accepted_rematch_begins() -> None:
    match = after(after(after(apart(), 1, Forfeit()), 2, Rematch()), 1, Accept())
    assert (len(match.played), match.current.starter) == (2, 2)


def test_there_is_no_redo_between_two_devices() -> None:
    match = after(after(played(apart(), 8), 1, Undo()), 2, Accept())
    assert match.undone == (8,)
    assert code(match, 1, Redo()) == "redo-apart"


def test_undo_cannot_be_offered_in_a_match_without_undo() -> None:
    match = replace(played(apart(), 8), undo=False)
    assert code(match, 1, Undo()) == "undo-disabled"


# --- undo and redo on one screen


def test_against_a_computer_undo_takes_back_both_moves_and_redo_repeats_both() -> None:
    match = played(against_computer(), 8, 4)
    back = after(match, 1, Undo())
    assert back.current.moves == ()
    assert replace(after(back, 1, Redo()), version=match.version) == match


def test_against_a_computer_that_has_the_first_seat_undo_takes_back_both_moves() -> None:
    match = played(Match.of(small_game("chain"), kinds=("5", "human"), first=2), 8, 4)
    assert events(match, 2, Undo()) == (MoveUndone(4), MoveUndone(8))


def test_while_the_computer_thinks_undo_takes_back_one_move() -> None:
    match = played(against_computer(), 8)
    assert match.computer_to_move == "5"
    assert events(match, 1, Undo()) == (MoveUndone(8),)


def test_the_computers_opening_move_cannot_be_taken_back() -> None:
    match = played(against_computer(starter=2), 8)
    assert code(match, 1, Undo()) == "no-own-move-to-undo"


def test_on_a_shared_screen_undo_takes_back_one_move_at_once() -> None:
    match = played(chain(), 8, 4)
    assert events(match, 1, Undo()) == (MoveUndone(4),)
    assert events(match, 2, Undo()) == (MoveUndone(4),)


def test_against_a_computer_undo_goes_back_into_the_previous_round() -> None:
    match = Match.of(game("divider", to=3), kinds=("human", "5"), rounds=2)
    match = played(match, 2, 3, 2)  # round 2 begins with the computer's 2
    assert events(match, 1, Undo()) == (MoveUndone(2), MoveUndone(3), MoveUndone(2))
    back = after(match, 1, Undo())
    assert (len(back.played), back.current.moves, back.current.to_move) == (1, (), 1)
    assert replace(after(back, 1, Redo()), version=match.version) == match


def won_at_once(rounds: int) -> Match:
    """Return a match in which the player moves only in the first round, the computer in all."""
    first = Match.of(
        small_game("chain"), kinds=("human", "random"), first=2, then="same", rounds=50
    )
    return played(first, 4, 2, 6, 3, *[7] * rounds)


def test_a_move_from_long_ago_cannot_be_undone_in_one_command() -> None:
    assert len(events(won_at_once(MOST_UNDONE - 1), 1, Undo())) == MOST_UNDONE
    assert code(won_at_once(MOST_UNDONE), 1, Undo()) == "undo-too-far"


def test_redo_repeats_only_some_answers_of_the_computer_in_one_command() -> None:
    back = after(won_at_once(MOST_UNDONE - 1), 1, Undo())
    assert len(events(back, 1, Redo())) == MOST_UNDONE
    assert after(back, 1, Redo()).undone
