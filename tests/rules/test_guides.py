"""What the guides say is true: the examples can be played, and the tips are proven."""

import re
from dataclasses import fields

import pytest

from divisorduel import BoardError, Game, Position, game, rule_book
from divisorduel.rules.divisors import ProperDivisors
from tests.conftest import ALL_KEYS, default_game, small_game


def wins(g: Game, position: Position) -> bool:
    """Return whether the player to move can win, by a plain search for small boards."""
    known: dict[Position, bool] = {}

    def search(at: Position) -> bool:
        if at not in known:
            known[at] = any(not search(g.play(at, move)) for move in g.moves(at))
        return known[at]

    return search(position)


def winning_first_moves(g: Game) -> list[int]:
    return [move for move in g.moves(g.start()) if not wins(g, g.play(g.start(), move))]


@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_example_is_a_whole_game(key: str) -> None:
    example = rule_book(key).book.guide.example
    g = game(key, **example.board)
    position = g.start()
    for move in example.moves:
        position = g.play(position, move)
    assert g.is_over(position)
    assert set(example.remarks) <= set(range(1, len(example.moves) + 1))


REMARKED = {
    "antichain": [2, 3, 4],
    "chain": [1, 2, 4, 9],
    "descent": [1, 3],
    "divider": [1, 2, 3, 4],
    "evens": [2, 3, 7],
    "juniper": [1, 8, 9],
}
"""The turns of each example about which something is said."""


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_remark_of_an_example_is_about_the_number_just_taken(key: str) -> None:
    example = rule_book(key).book.guide.example
    assert sorted(example.remarks) == REMARKED[key]
    for turn, remark in example.remarks.items():
        numbers = re.findall("[0-9]+", remark)
        assert not numbers or str(example.moves[turn - 1]) in numbers, remark


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_whole_line_of_a_wording_ends_with_a_newline(key: str) -> None:
    wording = rule_book(key).book.wording
    within = ("ask_number", "prompt", "also")
    lines = {f.name: getattr(wording, f.name) for f in fields(wording) if f.name not in within}
    assert [name for name, line in lines.items() if line and not line.endswith("\n")] == []


@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_rule_book_asks_for_a_number_if_it_has_no_board_without_one(key: str) -> None:
    if rule_book(key).book.wording.ask_number:
        with pytest.raises(BoardError):
            game(key)
    else:
        assert game(key) == default_game(key)


@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_game_is_an_easy_win_if_every_position_can_be_won_at_once(key: str) -> None:
    g = small_game(key)
    waiting, seen = [g.start()], set[Position]()
    while waiting:
        at = waiting.pop()
        if at not in seen and not g.is_over(at):
            seen.add(at)
            waiting += (g.play(at, move) for move in g.moves(at))
    at_once = (any(g.is_over(g.play(at, move)) for move in g.moves(at)) for at in seen)
    assert all(at_once) == bool(rule_book(key).book.easy_win)


@pytest.mark.parametrize("key", ["chain", "descent"])
def test_a_board_for_a_first_game_is_not_the_default_and_lasts_more_than_a_move(key: str) -> None:
    g = game(key, **rule_book(key).book.first_board)
    after = (g.play(g.start(), move) for move in g.moves(g.start()))
    if key == "chain":
        assert g != default_game(key)
        assert not any(g.is_over(position) for position in after)
    else:
        number = int(g.board)
        assert not all(g.is_over(position) for position in after)
        fewer = (len(ProperDivisors(n)) for n in range(2, number))
        assert max(fewer) < len(g.moves(g.start())), "no smaller number offers as much"


def test_the_pairs_of_evens_answer_each_other_and_cover_the_board() -> None:
    pairs = [(2, 14), (4, 12), (6, 18), (8, 16), (10, 20)]
    g = game("evens")
    assert sorted(number for pair in pairs for number in pair) == list(g.start().numbers)
    assert all(b % a == 0 for a, b in pairs)
    assert winning_first_moves(g) == []


def test_only_6_wins_antichain_on_2_to_10() -> None:
    assert winning_first_moves(game("antichain", to=10)) == [6]


def test_only_4_wins_divider_on_2_to_9() -> None:
    assert winning_first_moves(game("divider")) == [4]


@pytest.mark.parametrize("prime", [29, 31, 37, 41, 43, 47])
def test_a_prime_above_half_the_board_wins_chain_at_once(prime: int) -> None:
    g = game("chain")
    assert g.is_over(g.play(g.start(), prime))


def test_once_2_is_gone_46_and_23_are_a_pair_in_chain() -> None:
    g = game("chain")
    left = [n for n in range(3, 51) if n not in (46, 23)]
    assert g.moves(Position.of([*left, 23], last=46)) == (23,)
    assert g.moves(Position.of([*left, 46], last=23)) == (46,)


@pytest.mark.parametrize("number", [4, 6, 16, 30, 720])
def test_moving_to_a_prime_wins_descent_at_once(number: int) -> None:
    g = game("descent", number=number)
    assert g.is_over(g.play(g.start(), next(iter(g.moves(g.start())))))


@pytest.mark.parametrize("number", range(4, 200))
def test_three_prime_factors_lose_descent_if_primes_are_left_until_last(number: int) -> None:
    def moves(current: int) -> list[int]:
        divisors = [d for d in range(2, current) if current % d == 0]
        composite = [d for d in divisors if any(d % e == 0 for e in range(2, d))]
        return composite or divisors

    def win(current: int) -> bool:
        return any(not win(move) for move in moves(current))

    factors, rest, prime = 0, number, 2
    while rest > 1:
        while rest % prime == 0:
            rest //= prime
            factors += 1
        prime += 1
    assert win(number) == (factors not in (1, 3))


@pytest.mark.parametrize("prime", [p for p in range(51, 100) if all(p % d for d in range(2, p))])
def test_1_is_the_only_answer_to_a_large_prime_in_juniper(prime: int) -> None:
    g = game("juniper")
    left = [n for n in range(1, 101) if n != prime]
    assert g.moves(Position.of(left, last=prime)) == (1,)
