"""Every rule book passes the check, and the check sees what is wrong with a game."""

from dataclasses import dataclass

import pytest

from divisorduel import Position, game
from divisorduel.conformance import ConformanceError, check_game
from divisorduel.rules.books.antichain import Antichain
from divisorduel.rules.books.chain import Chain
from divisorduel.rules.books.divider import Divider
from tests.conftest import ALL_KEYS, default_game, small_game


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_rule_book_conforms_on_its_default_board(key: str) -> None:
    check_game(default_game(key), games=20)


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_rule_book_conforms_on_a_small_board(key: str) -> None:
    check_game(small_game(key), games=200, seed=1)


@pytest.mark.parametrize("opening", ["even", "low"])
@pytest.mark.parametrize("key", sorted(set(ALL_KEYS) - {"descent"}))
def test_pool_games_conform_with_an_opening_rule(key: str, opening: str) -> None:
    check_game(game(key, opening=opening))


def test_descent_conforms_at_thirty_digits() -> None:
    check_game(game("descent", number=2**40 * 3**20 * 5**5 * 7**5), games=3)


class Unordered(Chain):
    def moves(self, position: Position) -> tuple[int, ...]:
        return super().moves(position)[::-1]


class Endless(Chain):
    def after(self, position: Position, move: int) -> Position:
        return Position(position.playable, move)


class Lenient(Divider):
    def play(self, position: Position, move: int) -> Position:
        return self.after(position, move) if move > 0 else super().play(position, move)


class Silent(Antichain):
    def refusal(self, position: Position, move: int, taken: object = ()) -> str:
        return ""


class OneWay(Antichain):
    def ties(self, number: int) -> int:
        return super().ties(number) & ~((1 << number) - 1)


class Forgetful(Chain):
    def write_position(self, position: Position) -> tuple[str, str]:
        return super().write_position(position)[0], "-"


class Slanted(Divider):
    def ties(self, number: int) -> int:
        return super().ties(number) | (1 << 3 if number == 9 else 0)


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (Unordered, "ascending"),
        (Endless, "chain"),
        (Lenient, "illegal"),
        (Silent, "refused in silence"),
        (OneWay, "independent choices"),
        (Forgetful, "code does not read back"),
        (Slanted, "up-set"),
    ],
)
def test_the_check_names_the_law_that_a_game_breaks(broken: type[Chain], law: str) -> None:
    with pytest.raises(ConformanceError, match=law):
        check_game(broken(to=12), games=50)


def test_the_check_finds_a_game_that_never_ends() -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Circular(Chain):
        trait = None

        def after(self, position: Position, move: int) -> Position:
            return Position(position.playable, move)

        def read_last(self, last: str, playable: int) -> int | None:
            return None if last == "-" else int(last)

    with pytest.raises(ConformanceError, match="did not end"):
        check_game(Circular(to=6), games=20)
