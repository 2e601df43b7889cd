"""Matches: rounds, starters, scores, and undo."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from divisorduel import Heading, Match, game, match_to_records, records_to_match
from divisorduel.play import match as matches
from divisorduel.play.commands import Command, Forfeit, Redo, Rematch, Take, Undo
from divisorduel.play.decide import begin, decide
from divisorduel.play.events import Ending, Forfeited, RoundBegan, Seat
from divisorduel.play.match import MOST_ROUNDS, SNAPSHOT_EVERY, MatchError, Then
from divisorduel.rules.game import Taken
from divisorduel.rules.position import Position
from divisorduel.rules.refusal import Refusal
from tests.conftest import ALL_KEYS, small_game


def play(match: Match, *commands: Command | int) -> Match:
    match = begin(match).match
    for given in commands:
        command = Take(given) if isinstance(given, int) else given
        match = decide(match, match.current.to_move, command).match
    return match


def refusal(match: Match, command: Command) -> str:
    refused = decide(match, match.current.to_move, command).refusal
    assert refused is not None
    return refused.code


DIVIDER = game("divider", to=3)
"""Two numbers, 2 and 3: the starter loses after two moves."""


def test_the_player_who_cannot_move_loses() -> None:
    match = play(Match.of(DIVIDER), 2, 3)
    assert match.over
    assert match.current.winner == 2
    assert match.score == (0, 1)


@pytest.mark.parametrize(
    ("then", "starters"), [("alternate", [1, 2, 1]), ("same", [1, 1, 1]), ("loser", [1, 1, 2])]
)
def test_the_agreed_player_starts_the_next_round(then: Then, starters: list[Seat]) -> None:
    match = play(Match.of(DIVIDER, rounds=3, then=then), 2, 3, 2, Forfeit(), 2)
    assert [played.starter for played in match.played] == starters


def test_an_undo_on_the_first_turn_of_a_rematch_takes_the_rematch_back() -> None:
    match = play(Match.of(DIVIDER), 2, 3, Rematch(), Undo())
    assert match.rounds == 1
    assert play(Match.of(DIVIDER), 2, 3, Rematch(), Undo(), Redo()).over


def test_the_moves_of_a_rematch_that_is_taken_back_cannot_be_redone() -> None:
    match = play(Match.of(DIVIDER), 2, 3, Rematch(), 2, Undo(), Undo())
    assert (match.rounds, match.undone) == (1, (3,))
    assert refusal(play(match, Redo()), Redo()) == "nothing-to-redo"
    records = match_to_records(match, Heading("m", "2026-11-15"))
    assert records_to_match(records).undone == (3,)


def test_a_player_who_forfeits_starts_the_next_round_if_the_loser_starts() -> None:
    match = play(Match.of(DIVIDER, rounds=2, then="loser"), 2, Forfeit())
    assert match.current.starter == 2


def test_a_match_of_two_rounds_can_end_in_a_draw() -> None:
    match = play(Match.of(DIVIDER, rounds=2), 2, 3, 2, 3)
    assert match.score == (1, 1)
    assert match.over


def test_a_rematch_adds_the_agreed_rounds_and_keeps_the_score() -> None:
    match = play(Match.of(DIVIDER, rounds=2), 2, 3, 2, 3, Rematch(), 2, 3)
    assert match.rounds == 4
    assert match.score == (1, 2)
    assert len(match.played) == 4


def test_a_rematch_is_refused_before_the_match_is_over() -> None:
    assert refusal(Match.of(DIVIDER), Rematch()) == "not-over-yet"


def test_rematches_are_possible_up_to_a_thousand_rounds() -> None:
    match = play(Match.of(game("descent", number=7), rounds=500))
    assert match.over
    match = play(match, Rematch())
    assert match.rounds == len(match.played) == 1_000


def test_a_rematch_is_refused_after_the_maximum_number_of_rounds() -> None:
    match = play(Match.of(game("descent", number=7), rounds=MOST_ROUNDS))
    assert match.over
    refused = decide(match, 1, Rematch()).refusal
    assert refused == Refusal("too-many-rounds", {"most": MOST_ROUNDS})


def test_undo_takes_back_the_moves_of_both_players_one_by_one() -> None:
    match = play(Match.of(game("chain")), 8, 4, 12, Undo(), Undo())
    assert match.current == play(Match.of(game("chain")), 8).current
    assert match.undone == (12, 4)


def test_redo_repeats_the_moves_in_order() -> None:
    match = Match.of(game("chain"))
    again = play(match, 8, 4, 12, Undo(), Undo(), Redo(), Redo())
    assert replace(again, version=3) == play(match, 8, 4, 12)


def test_after_a_new_move_there_is_nothing_to_redo() -> None:
    match = play(Match.of(game("chain")), 8, 4, Undo(), 2)
    assert refusal(match, Redo()) == "nothing-to-redo"


def test_undo_goes_back_across_the_end_of_a_round() -> None:
    match = Match.of(DIVIDER, rounds=2)
    back = play(match, 2, 3, Undo())
    assert len(back.played) == 1
    assert back.current.moves == (2,)
    assert replace(play(match, 2, 3, Undo(), Redo()), version=2) == play(match, 2, 3)


def test_the_last_move_of_a_match_can_be_taken_back() -> None:
    match = play(Match.of(DIVIDER), 2, 3, Undo())
    assert not match.over
    assert match.score == (0, 0)


BOARD = game("antichain", from_=101, to=200)
"""Every number can be taken in turn: none divides another."""


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that collects the moves whose positions are computed."""
    moves, compute = list[int](), type(BOARD).after

    def after(self: Any, position: Position, move: int) -> Position:
        moves.append(move)
        return compute(self, position, move)

    monkeypatch.setattr(type(BOARD), "after", after)
    return moves


@pytest.mark.parametrize("turns", [1, 15, 16, 17, 31, 32, 33, 99])
def test_an_undo_replays_only_a_few_moves(replayed: list[int], turns: int) -> None:
    match = play(Match.of(BOARD), *range(101, 101 + turns))
    replayed.clear()
    for _ in range(10):
        match = play(match, Undo(), 100 + turns)
    assert len(replayed) <= 10 * SNAPSHOT_EVERY


def test_a_new_round_leaves_the_rounds_before_it_as_they_were() -> None:
    match, rounds = Match.of(BOARD, rounds=4), []
    for first in (101, 102, 103):
        numbers = [first, *(number for number in range(200, 100, -1) if number != first)]
        match = play(match, *numbers)
        rounds.append(tuple(numbers))
        assert [played.moves for played in match.played] == [*rounds, ()]
        assert len({played.starter for played in match.played[-2:]}) == 2


def test_an_undo_across_the_end_of_a_round_replays_only_a_few_moves(replayed: list[int]) -> None:
    match = play(Match.of(BOARD, rounds=3), *range(101, 201), 101)
    replayed.clear()
    for _ in range(10):
        match = play(match, Undo(), Undo(), 200, 101)
    assert len(replayed) <= 10 * (SNAPSHOT_EVERY + 2)


@pytest.mark.parametrize("most", [1, 2, 32])
def test_undo_leads_back_through_every_position_however_few_marks_are_kept(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(matches, "MOST_SNAPSHOTS", most)
    match = Match.of(BOARD)
    before = [match]
    for number in range(101, 170):
        match = play(match, number)
        assert len(match.current.snapshots) <= most
        before.append(match)
    for earlier in reversed(before[:-1]):
        match = play(match, Undo())
        assert match.current == earlier.current
        assert play(match, Redo(), Undo()).current == earlier.current


def test_there_is_nothing_to_undo_at_the_start() -> None:
    assert refusal(Match.of(DIVIDER), Undo()) == "nothing-to-undo"


def test_a_forfeit_is_final() -> None:
    assert refusal(play(Match.of(DIVIDER), 2, Forfeit()), Undo()) == "forfeit-final"
    assert refusal(play(Match.of(DIVIDER, rounds=2), 2, Forfeit()), Undo()) == "forfeit-final"


def test_after_a_rematch_there_is_nothing_to_undo_though_the_last_game_was_forfeited() -> None:
    assert refusal(play(Match.of(DIVIDER), 2, Forfeit(), Rematch()), Undo()) == "nothing-to-undo"


def test_undo_is_refused_in_a_match_without_undo() -> None:
    assert refusal(play(Match.of(DIVIDER, undo=False), 2), Undo()) == "undo-disabled"


def test_a_finished_match_accepts_no_more_moves() -> None:
    over = play(Match.of(DIVIDER), 2, 3)
    assert refusal(over, Take(2)) == refusal(over, Forfeit()) == "match-over"


def test_a_forfeit_loses_the_game_for_the_player_to_move() -> None:
    match = play(Match.of(DIVIDER), 2, Forfeit())
    assert match.current.winner == 1
    assert match.current.forfeit == Forfeited(2)


def test_a_wrong_number_forfeits_descent_but_not_chain() -> None:
    match = play(Match.of(game("descent", number=16)), 8, 3)
    assert match.current.winner == 1
    assert match.current.forfeit == Forfeited(2, 3)
    assert play(Match.of(game("chain")), 8, 3).current.winner is None


def test_every_round_of_descent_from_a_prime_is_over_at_once() -> None:
    begun = begin(Match.of(game("descent", number=7), rounds=3))
    assert begun.events == (RoundBegan(2), RoundBegan(1))
    assert (begun.match.score, begun.match.version) == ((1, 2), 0)


def test_the_numbers_of_each_player_are_listed_separately() -> None:
    match = play(Match.of(game("chain"), first=2), 8, 4, 12)
    assert match.current.taken_by(2) == (8, 12)
    assert match.current.taken_by(1) == (4,)


@pytest.mark.parametrize(
    "names", [("", "B"), ("A", " "), ("A", "A"), ("A\n", "B"), ("A", "x" * 41), ("\x1b[2J", "B")]
)
def test_names_that_cannot_be_shown_or_told_apart_are_refused(names: tuple[str, str]) -> None:
    with pytest.raises(MatchError):
        Match.of(DIVIDER, names=names)


@pytest.mark.parametrize("wrong", [{"first": 3}, {"then": "never"}, {"rounds": 1.5}])
def test_a_match_with_invalid_options_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(MatchError):
        Match.of(DIVIDER, **wrong)


@pytest.mark.parametrize("rounds", [0, -1, MOST_ROUNDS + 1])
def test_a_match_with_too_few_or_too_many_rounds_is_refused(rounds: int) -> None:
    with pytest.raises(MatchError, match="rounds"):
        Match.of(DIVIDER, rounds=rounds)


def test_the_numbers_taken_in_any_round_are_known_with_their_players() -> None:
    match = play(Match.of(DIVIDER, rounds=2, names=("Ann", "Bob")), 2, 3, 3)
    assert match.taken() == (Taken(3, "Bob"),)
    assert match.taken(match.played[0]) == (Taken(2, "Ann"), Taken(3, "Bob"))
    assert match.taken(match.played[1]) == match.taken()


def test_a_computer_is_to_move_on_its_turn_only() -> None:
    match = Match.of(DIVIDER, kinds=("human", "3"))
    assert match.computer_to_move is None
    assert play(match, 2).computer_to_move == "3"
    other_way = Match.of(DIVIDER, kinds=("perfect", "human"))
    assert other_way.computer_to_move == "perfect"
    assert play(other_way, 2).computer_to_move is None
    assert Match.of(DIVIDER).computer_to_move is None


@pytest.mark.parametrize("kinds", [("3", "human"), ("human", "3"), ("3", "5")])
def test_no_computer_is_to_move_when_the_match_is_over(kinds: tuple[str, str]) -> None:
    over = play(Match.of(DIVIDER, kinds=kinds), 2, 3)
    assert over.state == "over"
    assert over.computer_to_move is None


def test_no_computer_is_to_move_while_a_seat_is_free() -> None:
    match = Match.of(DIVIDER, kinds=("3", "human"))
    assert replace(match, joined=(True, False)).computer_to_move is None
    assert replace(match, joined=(False, True)).computer_to_move is None
    assert match.computer_to_move == "3"


@pytest.mark.parametrize("why", ["off", "expired"])
def test_no_computer_is_to_move_in_a_closed_match(why: Ending) -> None:
    match = Match.of(DIVIDER, kinds=("3", "human"))
    assert replace(match, closed=why).computer_to_move is None


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_agreed_player_starts_and_the_players_take_turns(key: str, first: Seat) -> None:
    match, rng = Match.of(small_game(key), first=first), Random(0)
    movers = []
    while not match.over:
        movers.append(match.current.to_move)
        moves = match.game.moves(match.current.position)
        match = play(match, rng.choice(list(moves)))
    assert movers == [first if turn % 2 == 0 else 3 - first for turn in range(len(movers))]


@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_player_who_moves_last_wins_and_there_is_no_draw(key: str) -> None:
    for seed in range(20):
        match, rng = Match.of(small_game(key)), Random(seed)
        mover: Seat = 1
        while not match.over:
            mover = match.current.to_move
            match = play(match, rng.choice(list(match.game.moves(match.current.position))))
        assert match.current.winner == mover
        assert sum(match.score) == 1


def test_a_match_lasts_all_its_rounds_even_once_it_is_decided() -> None:
    match = Match.of(DIVIDER, rounds=3, then="loser")
    decided = play(match, 2, 3, 2, 3)
    assert decided.score == (0, 2)
    assert not decided.over
    assert play(match, 2, 3, 2, 3, 2, 3).score == (0, 3)
