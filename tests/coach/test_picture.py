"""What is drawn of a reason is what the rules prove."""

from functools import reduce
from operator import xor

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from divisorduel import Game, game
from divisorduel.coach.diagram import MOST_NUMBERS, Diagram, picture
from divisorduel.play.players import judge
from divisorduel.rules.game import Trait
from divisorduel.rules.numbers import has, members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from tests.conftest import ALL_KEYS, small_game


def reached(game: Game, choices: list[int]) -> Position:
    """Return a position of a game, reached by some of its moves."""
    position = game.start()
    for choice in choices:
        moves = game.moves(position)
        if not moves:
            break
        position = game.after(position, moves[choice % len(moves)])
    return position


positions = st.lists(st.integers(0, 100), max_size=6)
CHAINS = [key for key in ALL_KEYS if small_game(key).trait is Trait.CHAIN]
SUMS = [key for key in ALL_KEYS if small_game(key).trait not in (Trait.CHAIN, Trait.DIVISORS, None)]


def test_there_are_games_of_pairs_and_games_of_parts() -> None:
    assert CHAINS
    assert SUMS


@pytest.mark.parametrize("key", ALL_KEYS)
@given(choices=positions)
def test_the_move_that_is_drawn_wins_and_none_is_drawn_where_none_does(
    key: str, choices: list[int]
) -> None:
    chosen = small_game(key)
    position = reached(chosen, choices)
    assume(not chosen.is_over(position))
    drawn, verdict = picture(chosen, position), judge(chosen, position)
    assert drawn.move in (verdict.winning_moves or [None])


@pytest.mark.parametrize("key", CHAINS)
@given(choices=positions)
def test_the_partner_of_every_answer_is_drawn(key: str, choices: list[int]) -> None:
    chosen = small_game(key)
    position = reached(chosen, choices)
    assume(not chosen.is_over(position))
    assert isinstance(chosen, PoolGame)
    drawn = picture(chosen, position)
    loser_moves = position
    if judge(chosen, position).winning_moves:
        assert drawn.move is not None
        loser_moves = chosen.after(position, drawn.move)
    partner = {a: b for pair in drawn.pairs for a, b in (pair, pair[::-1])}
    assert len(partner) == 2 * len(drawn.pairs)
    for move in chosen.moves(loser_moves):
        answer = partner[move]
        assert has(chosen.ties(move), answer) or has(chosen.ties(answer), move)


@pytest.mark.parametrize("key", SUMS)
@given(choices=positions)
def test_parts_share_no_number_and_cancel_for_whoever_wins(key: str, choices: list[int]) -> None:
    chosen = small_game(key)
    position = reached(chosen, choices)
    drawn = picture(chosen, position)
    assume(drawn.parts)
    numbers = [number for part in drawn.parts for number in part.numbers]
    assert len(numbers) == len(set(numbers))
    wins = judge(chosen, position).winning_moves
    assert bool(wins) is (drawn.move is not None)
    after = position if drawn.move is None else chosen.after(position, drawn.move)
    assert set(numbers) <= set(members(after.playable))
    assert reduce(xor, (part.nimber for part in drawn.parts), 0) == 0


def test_nothing_is_drawn_when_the_game_is_over() -> None:
    chosen = game("chain", to=3)
    over = chosen.after(chosen.start(), 2)
    assert chosen.is_over(over)
    assert picture(chosen, over) == Diagram()


def test_only_the_move_is_drawn_among_more_numbers_than_can_be_read() -> None:
    chosen = game("chain", to=MOST_NUMBERS + 2)
    drawn = picture(chosen, chosen.start())
    assert drawn.move is not None
    assert (drawn.pairs, drawn.parts) == ((), ())


def test_where_an_opening_rule_loses_the_game_no_parts_are_drawn_that_do_not_cancel() -> None:
    chosen = game("divider", to=10, opening="even")
    drawn = picture(chosen, chosen.start())
    assert not judge(chosen, chosen.start()).winning_moves
    assert drawn == Diagram()
