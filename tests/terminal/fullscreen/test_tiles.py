"""Every tile agrees with the rules, and is told apart by its sign and by its colour."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import Color, ColorSystem

from divisorduel import game
from divisorduel.play.events import NumberTaken
from divisorduel.play.match import Match
from divisorduel.rules.numbers import has
from divisorduel.terminal.fullscreen.tiles import (
    CURSOR_LOOK,
    HIGHLIGHT_LOOKS,
    HIGHLIGHT_SIGNS,
    LAST_SIGNS,
    LOOKS,
    SIGNS,
    Look,
    Tile,
    board_of,
)
from tests.conftest import ALL_KEYS, default_game


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """Draw a match of any game after some moves."""
    match = Match.of(default_game(draw(st.sampled_from(ALL_KEYS))))
    for _ in range(draw(st.integers(0, 8))):
        if match.over:
            break
        moves = match.game.moves(match.current.position)
        match = match.after(NumberTaken(moves[draw(st.integers(0, len(moves) - 1))]))
    return match


@given(matches())
def test_a_tile_is_takeable_iff_the_rules_allow_its_number(match: Match) -> None:
    board = board_of(match)
    for index, number in enumerate(board.numbers):
        is_legal = not match.over and match.move_refusal(number) is None
        assert (board.tile(index).state == "takeable") == is_legal


@given(matches())
def test_taken_tiles_show_who_took_them(match: Match) -> None:
    board = board_of(match)
    states = {board.tile(i).number: board.tile(i).state for i in range(len(board))}
    for seat in (1, 2):
        taken = {number for number, state in states.items() if state == f"taken-{seat}"}
        assert taken == set(match.current.taken_by(seat))


@given(matches())
def test_blocked_numbers_are_still_in_play_and_ruled_out_ones_are_not(match: Match) -> None:
    board = board_of(match)
    for index in range(len(board)):
        tile = board.tile(index)
        if tile.state in ("blocked", "ruled-out"):
            in_play = has(match.current.position.playable, tile.number)
            assert in_play == (tile.state == "blocked")


@given(matches())
def test_the_last_number_is_marked(match: Match) -> None:
    board = board_of(match)
    marked = [board.tile(i).number for i in range(len(board)) if board.tile(i).highlight == "last"]
    current = match.current
    last = current.moves[-1] if current.moves else current.position.last
    assert marked == ([] if last is None else [last])


def test_every_legal_number_has_a_tile() -> None:
    for key in ALL_KEYS:
        match = Match.of(default_game(key))
        assert set(match.game.moves(match.start)) <= set(board_of(match).numbers)


def test_a_hint_and_a_partner_are_marked() -> None:
    board = board_of(Match.of(game("chain")), hint=12, partner=24)
    tiles = {board.tile(i).number: board.tile(i) for i in range(len(board))}
    assert tiles[12].highlight == "hint"
    assert tiles[24].highlight == "partner"


@pytest.mark.thorough
def test_a_board_of_millions_is_not_listed() -> None:
    board = board_of(Match.of(game("chain", to=10_000_000)))
    assert isinstance(board.numbers, range)
    assert board.tile(9_999_998) == Tile(10_000_000, "takeable")


def test_a_number_with_millions_of_divisors_shows_a_part_of_them() -> None:
    board = board_of(Match.of(game("descent", number=2**40 * 3**10 * 5**8 * 7**5)))
    assert len(board) == 1_001


def test_no_two_signs_are_the_same() -> None:
    signs = [*SIGNS.values(), *LAST_SIGNS.values(), *HIGHLIGHT_SIGNS.values()]
    assert len(set(signs)) == len(signs)


def test_sixteen_colours_are_enough_to_tell_the_tiles_apart() -> None:
    def shown(look: Look) -> tuple[object, ...]:
        ink, paper = (
            Color.parse(name).downgrade(ColorSystem.STANDARD).number
            for name in (look.ink, look.paper)
        )
        assert ink != paper
        return ink, paper

    looks = [*LOOKS.values(), *HIGHLIGHT_LOOKS.values(), CURSOR_LOOK]
    for one, two in combinations(looks, 2):
        assert shown(one) != shown(two), (one, two)


def test_the_cursor_is_in_brackets_even_on_a_narrow_tile() -> None:
    tile = Tile(7, "taken-2", "last")
    assert tile.text(2, 4) == "◇ 7 "
    assert tile.text(2, 4, is_cursor=True) == "[ 7]"
    assert tile.text(2, 8) == "  ◇ 7   "
    assert tile.text(2, 8, is_cursor=True) == " [◇ 7]  "
