"""Every rule book passes the check, and the check finds what is wrong with other games."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd

import pytest

from divisorduel import ConformanceError, Position, Refusal, Relation, Taken, check_game, game
from divisorduel.rules.books.antichain import Antichain
from divisorduel.rules.books.chain import Chain
from divisorduel.rules.books.divider import Divider
from divisorduel.rules.relation import DIVISIBILITY, MULTIPLES
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


class AllowsAnything(Divider):
    def play(self, position: Position, move: int) -> Position:
        return self.after(position, move) if move > 0 else super().play(position, move)


class NeverRefuses(Antichain):
    def refusal(self, position: Position, move: int, taken: Sequence[Taken] = ()) -> Refusal | None:
        return None


class OneWay(Antichain):
    relation = MULTIPLES


class LosesLastNumber(Chain):
    def write_position(self, position: Position) -> tuple[str, str]:
        return super().write_position(position)[0], "-"


class NotAnOrder(Divider):
    relation = Relation(
        holds=lambda a, b: a % b == 0 or (a, b) == (3, 9),
        tied=lambda a, b: f"{a} goes with {b}",
        not_tied=lambda a, b: f"{a} stays",
        caption="",
    )


COPRIME = Relation(
    holds=lambda a, b: gcd(a, b) == 1,
    tied=lambda a, b: f"{a} has no factor in common with {b}",
    not_tied=lambda a, b: f"{a} and {b} are both divisible by {gcd(a, b)}",
    caption="A line joins two numbers without a common factor.",
)


class CoprimeChain(Chain):
    relation = COPRIME


class CoprimeRemoval(Antichain):
    relation = COPRIME


class MisdescribedChain(Chain):
    relation = Relation(
        holds=COPRIME.holds,
        tied=DIVISIBILITY.tied,
        not_tied=DIVISIBILITY.not_tied,
        caption=DIVISIBILITY.caption,
    )


class MisdescribedRemoval(Antichain):
    relation = MisdescribedChain.relation


class OtherTies(Chain):
    def ties(self, number: int) -> int:  # type: ignore[misc]  # it is final
        return COPRIME.ties(number, self.to)


class OtherMoves(Chain):
    def legal(self, position: Position) -> int:
        if position.last is None:
            return position.playable
        return position.playable & COPRIME.ties(position.last, self.to)


class OtherMovesWithoutTrait(OtherMoves):
    trait = None


class ExtraRuleRemoval(Divider):
    book = replace(Divider.book, phrases={"not-today": "{number} is not allowed today."})

    def legal(self, position: Position) -> int:
        return super().legal(position) & ~(0 if position == self.start() else 1 << 6)

    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> Refusal:
        return Refusal("not-today", {"number": move})


class RemovesOne(Divider):
    """Removes fewer numbers than its relation says."""

    def after(self, position: Position, move: int) -> Position:
        return Position(position.playable & ~(1 << move))


class BlamesWrongPlayer(Antichain):
    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> Refusal:
        found = super().why_not(position, move, taken)
        if found.code != "ruled-out":
            return found
        return Refusal(found.code, {**found.params, "player": "Player 3"})


class NamesWrongTurn(Chain):
    def refusal(self, position: Position, move: int, taken: Sequence[Taken] = ()) -> Refusal | None:
        return super().refusal(position, move, taken[1:])


class ReasonWithoutWords(Chain):
    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> Refusal:
        return Refusal("not-today", {"number": move})


class OwnReason(ReasonWithoutWords):
    book = replace(Chain.book, phrases={"not-today": "{number} is not allowed today."})


class ExtraRule(OwnReason):
    """Has an extra rule, which it explains truthfully but the chain solver does not know."""

    def legal(self, position: Position) -> int:
        return super().legal(position) & (
            (1 << 13 - (position.last or 0)) - 1
        )  # the sum is at most 12


class FalseReason(OwnReason):
    book = replace(Chain.book, phrases={"not-today": "{number} divides 7."})


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (Unordered, "ascending"),
        (Endless, "chain"),
        (AllowsAnything, "illegal"),
        (NeverRefuses, "is not refused"),
        (OneWay, "independent choices"),
        (LosesLastNumber, "code cannot be read back"),
        (NotAnOrder, "up-set"),
        (MisdescribedChain, "is not true"),
        (MisdescribedRemoval, "is not true"),
        (OtherTies, "does not tie the same numbers as its relation"),
        (OtherMoves, "undirected chain"),
        (OtherMovesWithoutTrait, "is not true"),
        (ExtraRule, "undirected chain"),
        (ExtraRuleRemoval, "up-set removal"),
        (RemovesOne, "up-set removal"),
        (BlamesWrongPlayer, "is not true"),
        (NamesWrongTurn, "is not true"),
        (ReasonWithoutWords, "KeyError"),
        (FalseReason, "is not true"),
    ],
)
def test_the_check_names_the_law_that_a_game_breaks(broken: type[Chain], law: str) -> None:
    with pytest.raises(ConformanceError, match=law):
        check_game(broken(to=12), games=50)


@pytest.mark.parametrize("kind", [CoprimeChain, CoprimeRemoval, OwnReason])
def test_a_game_may_have_its_own_relation_and_words(kind: type[Chain]) -> None:
    check_game(kind(to=12), games=50)


@pytest.mark.parametrize(
    ("sentence", "true"),
    [
        ("2 divides 6.", True),
        ("6 divides 2.", False),
        ("4 neither divides 6 nor is a multiple of it.", True),
        ("2 neither divides 6 nor is a multiple of it.", False),
        ("12 neither divides 6 nor is a multiple of it.", False),
        ("9 is a multiple of 3, which Ann took.", True),
        ("3 is a multiple of 9, which Ann took.", False),
        ("9 is not a multiple of 3.", False),
        ("0 does not divide 16.", True),
        ("4 does not divide 16.", False),
    ],
)
def test_the_check_understands_sentences_about_divisors(sentence: str, true: bool) -> None:
    class WithSentence(OwnReason):
        book = replace(Chain.book, phrases={"not-today": sentence})

    if true:
        check_game(WithSentence(to=12), games=5)
    else:
        with pytest.raises(ConformanceError, match="is not true"):
            check_game(WithSentence(to=12), games=5)


@pytest.mark.thorough
def test_the_check_finds_a_game_that_never_ends() -> None:
    def read_last(last: str) -> int | None:
        return None if last == "-" else int(last)

    @dataclass(frozen=True, kw_only=True, repr=False)
    class Circular(OwnReason):
        trait = None

        def after(self, position: Position, move: int) -> Position:
            return Position(position.playable, move)

        def read_position(self, playable: str, last: str) -> Position:
            return replace(super().read_position(playable, "-"), last=read_last(last))

    with pytest.raises(ConformanceError, match="did not end"):
        check_game(Circular(to=6), games=20)
