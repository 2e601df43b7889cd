"""Every rule book passes the check, and the check finds what is wrong with other games."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import gcd

import pytest

from divisorduel import ConformanceError, Position, Refusal, Relation, Taken, check_game, game
from divisorduel.rules.books.antichain import Antichain
from divisorduel.rules.books.chain import Chain
from divisorduel.rules.books.descent import Descent
from divisorduel.rules.books.divider import Divider
from divisorduel.rules.conformance import _SAMPLE, _Check
from divisorduel.rules.divisors import ProperDivisors
from divisorduel.rules.errors import IllegalMove
from divisorduel.rules.relation import DIVISIBILITY, MULTIPLES
from tests.conftest import ALL_KEYS, default_game, examples, small_game


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_rule_book_conforms_on_its_default_board(key: str) -> None:
    check_game(default_game(key), games=examples(20))


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_rule_book_conforms_on_a_small_board(key: str) -> None:
    check_game(small_game(key), games=examples(200), seed=1)


@pytest.mark.parametrize("opening", ["even", "low"])
@pytest.mark.parametrize("key", sorted(set(ALL_KEYS) - {"descent"}))
def test_pool_games_conform_with_an_opening_rule(key: str, opening: str) -> None:
    check_game(game(key, opening=opening), games=examples(10))


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
        phrase=lambda a, b: f"{a} goes with {b}",
        negation=lambda a, b: f"{a} stays",
        caption="",
    )


COPRIME = Relation(
    holds=lambda a, b: gcd(a, b) == 1,
    phrase=lambda a, b: f"{a} has no factor in common with {b}",
    negation=lambda a, b: f"{a} and {b} are both divisible by {gcd(a, b)}",
    caption="A line joins two numbers without a common factor.",
)


class CoprimeChain(Chain):
    relation = COPRIME


class CoprimeRemoval(Antichain):
    relation = COPRIME


class MisdescribedChain(Chain):
    relation = Relation(
        holds=COPRIME.holds,
        phrase=DIVISIBILITY.phrase,
        negation=DIVISIBILITY.negation,
        caption=DIVISIBILITY.caption,
    )


class MisdescribedRemoval(Antichain):
    relation = MisdescribedChain.relation


class OtherRelated(Chain):
    def related_to(self, number: int) -> int:  # type: ignore[misc]  # it is final
        return COPRIME.related_to(number, self.to)


class OtherMoves(Chain):
    def legal(self, position: Position) -> int:
        if position.last is None:
            return position.playable
        return position.playable & COPRIME.related_to(position.last, self.to)


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


class BlamesTheFirstPlayer(Antichain):
    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> Refusal:
        found = super().why_not(position, move, taken)
        if found.code != "ruled-out":
            return found
        return Refusal(found.code, {**found.params, "player": "Player 1"})


class CountsTurns(Antichain):
    """Knows that the players take turns."""

    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> Refusal:
        for turn, (number, _) in enumerate(taken):
            if self.relation.holds(move, number):
                player = f"Player {turn % 2 + 1}"
                return Refusal("ruled-out", {"number": move, "other": number, "player": player})
        return super().why_not(position, move, taken)


class Neighbours(Divider):
    """Removes pairs of numbers, each of which would have to be above the other."""

    relation = Relation(
        holds=lambda a, b: a // 2 == b // 2,
        phrase=lambda a, b: f"{a} goes with {b}",
        negation=lambda a, b: f"{a} stays",
        caption="",
    )


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


class Impure(Chain):
    """Gives another position every other time: any number may follow."""

    trait = None
    drawn = count()

    def after(self, position: Position, move: int) -> Position:
        return Position(position.playable & ~(1 << move), move if next(self.drawn) % 2 else None)


class Meddling(Antichain):
    """Changes the position that it is played from."""

    trait = None  # type: ignore[assignment]  # its own law would be broken first

    def after(self, position: Position, move: int) -> Position:
        found = super().after(position, move)
        object.__setattr__(position, "playable", found.playable | 1 << move)
        return found


class Idle(Antichain):
    """Lets a move change nothing."""

    trait = None  # type: ignore[assignment]  # its own law would be broken first

    def after(self, position: Position, move: int) -> Position:
        return position


class TakesTwo(Chain):
    """A chain in which the largest number left goes with every move."""

    def after(self, position: Position, move: int) -> Position:
        left = super().after(position, move).playable
        return Position(left & ~(1 << left.bit_length() >> 1), move)


class OneWayChain(Chain):
    relation = MULTIPLES


class Unending(Antichain):
    def is_over(self, position: Position) -> bool:
        return False


class Miscounted(Antichain):
    """Lists the moves in a sequence whose length is wrong."""

    def moves(self, position: Position) -> tuple[int, ...]:
        return WrongLength(super().moves(position))


class WrongLength(tuple[int, ...]):
    def __len__(self) -> int:
        return super().__len__() + 1


class Forgotten(tuple[int, ...]):
    def __contains__(self, number: object) -> bool:
        return number != 7 and super().__contains__(number)


class NotIn(Antichain):
    def moves(self, position: Position) -> tuple[int, ...]:
        return Forgotten(super().moves(position))


class Doubled(Antichain):
    def moves(self, position: Position) -> tuple[int, ...]:
        return tuple(sorted(super().moves(position) * 2))


class Strict(Antichain):
    """Refuses a legal number once others are taken."""

    def refusal(self, position: Position, move: int, taken: Sequence[Taken] = ()) -> Refusal | None:
        found = super().refusal(position, move, taken)
        return Refusal("out-of-play", {"number": move}) if taken else found


class OtherBoard(Antichain):
    @property
    def board(self) -> str:
        return "2-9"


class OwnHash(Antichain):
    hashes = count()

    def __hash__(self) -> int:
        return next(self.hashes)


class Spaced(Antichain):
    def write_position(self, position: Position) -> tuple[str, str]:
        playable, last = super().write_position(position)
        return playable.replace(",", ", "), last


class Unreadable(Antichain):
    def write_position(self, position: Position) -> tuple[str, str]:
        return super().write_position(position)[0], "9"


class Shouting(Chain):
    book = replace(Chain.book, phrases={"NOT-TODAY": "{number} is not for today."})

    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> Refusal:
        return Refusal("NOT-TODAY", {"number": move})


class Speechless(OwnReason):
    def explain(self, refusal: Refusal) -> str:
        return "" if refusal.code == "not-today" else super().explain(refusal)


class OffTopic(OwnReason):
    def why_not(self, position: Position, move: int, taken: Sequence[Taken]) -> Refusal:
        return Refusal("not-today", {"number": move + 1})


class OtherReason(Chain):
    """Gives one reason when asked, and another when the number is played."""

    def play(self, position: Position, move: int) -> Position:
        if refusal := self.refusal(position, move):
            other = replace(refusal, params={**refusal.params, "also": 1})
            raise IllegalMove("no", other)
        return super().play(position, move)


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (Impure, "twice gives two positions"),
        (Meddling, "modified the position it started from"),
        (Idle, "changes nothing"),
        (TakesTwo, "undirected chain"),
        (OneWayChain, "undirected chain"),
        (Unending, "is_over contradicts moves"),
        (Miscounted, r"len\(moves\) is 12, but 11 are listed"),
        (NotIn, "the listed move 7 is not `in` moves"),
        (Doubled, "ascending and unique"),
        (Strict, "is refused"),
        (OtherBoard, "its board cannot be read back"),
        (OwnHash, "equal games have different hashes"),
        (Spaced, "its code contains spaces"),
        (Unreadable, "its own code is refused: Positions of antichain have no last number"),
        (Shouting, "malformed"),
        (Speechless, "malformed"),
        (OffTopic, "malformed"),
        (OtherReason, "or gives another reason"),
        (Unordered, "ascending"),
        (Endless, "chain"),
        (AllowsAnything, "illegal"),
        (NeverRefuses, "is not refused"),
        (OneWay, "independent choices"),
        (LosesLastNumber, "code cannot be read back"),
        (NotAnOrder, "up-set"),
        (MisdescribedChain, "is not true"),
        (MisdescribedRemoval, "is not true"),
        (OtherRelated, "does not relate the same numbers as its relation"),
        (OtherMoves, "undirected chain"),
        (OtherMovesWithoutTrait, "is not true"),
        (ExtraRule, "undirected chain"),
        (ExtraRuleRemoval, "up-set removal"),
        (RemovesOne, "up-set removal"),
        (BlamesWrongPlayer, "is not true"),
        (BlamesTheFirstPlayer, "is not true"),
        (Neighbours, "up-set removal"),
        (NamesWrongTurn, "is not true"),
        (ReasonWithoutWords, "KeyError"),
        (FalseReason, "is not true"),
    ],
)
def test_the_check_names_the_law_that_a_game_breaks(broken: type[Chain], law: str) -> None:
    with pytest.raises(ConformanceError, match=law):
        check_game(broken(to=12), games=50)


class SkipsADivisor(Descent):
    def moves(self, position: Position) -> ProperDivisors:
        return WithoutThree(super().moves(position).number)


class WithoutThree(ProperDivisors):
    """Leaves out one divisor."""

    def __contains__(self, divisor: object) -> bool:
        return divisor != 3 and super().__contains__(divisor)

    def __iter__(self) -> Iterator[int]:
        return (divisor for divisor in super().__iter__() if divisor != 3)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class KeepsTheOld(Descent):
    """Keeps the replaced number in play."""

    def after(self, position: Position, move: int) -> Position:
        return Position(1 << 2, move)


@pytest.mark.parametrize("broken", [SkipsADivisor, KeepsTheOld])
def test_a_descent_that_skips_a_divisor_or_keeps_the_old_number_is_found(
    broken: type[Descent],
) -> None:
    with pytest.raises(ConformanceError, match="breaks the trait 'divisor descent'"):
        check_game(broken(number=72), games=50)


def test_at_least_one_game_must_be_played() -> None:
    check_game(small_game("chain"), games=1)
    with pytest.raises(ValueError, match="games must be at least 1"):
        check_game(small_game("chain"), games=0)


@pytest.mark.parametrize("kind", [CoprimeChain, CoprimeRemoval, OwnReason, CountsTurns])
def test_a_game_may_have_its_own_relation_and_words(kind: type[Chain]) -> None:
    check_game(kind(to=12), games=examples(50))


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


AT_START = game("chain", to=12).start()
LATER = Position.of([2, 3, 5, 6, 8], last=4)
TAKEN = (Taken(12, "Ann"), Taken(4, "Bob"))


@pytest.mark.parametrize(
    ("code", "params", "position", "is_true"),
    [
        ("not-on-board", {"number": 13}, LATER, True),
        ("not-on-board", {"number": 12}, LATER, False),
        ("taken", {"number": 12, "turn": 1}, LATER, True),
        ("taken", {"number": 4, "turn": 2}, LATER, True),
        ("taken", {"number": 4, "turn": 1}, LATER, False),
        ("taken", {"number": 4, "turn": 0}, LATER, False),
        ("taken", {"number": 12, "turn": -1}, LATER, False),
        ("taken", {"number": 4, "turn": 3}, LATER, False),
        ("opening-even", {"number": 3}, AT_START, True),
        ("opening-even", {"number": 4}, AT_START, False),
        ("opening-even", {"number": 13}, AT_START, False),
        ("opening-even", {"number": 3}, LATER, False),
        ("opening-low", {"number": 7}, AT_START, True),
        ("opening-low", {"number": 6}, AT_START, False),
        ("opening-low", {"number": 13}, AT_START, False),
        ("opening-low", {"number": 7}, LATER, False),
        ("out-of-play", {"number": 7}, LATER, True),
        ("out-of-play", {"number": 6}, LATER, False),
        ("out-of-play", {"number": 13}, LATER, False),
        ("not-related", {"number": 6, "other": 4}, LATER, True),
        ("not-related", {"number": 8, "other": 4}, LATER, False),
        ("not-related", {"number": 5, "other": 12}, LATER, False),
        ("ruled-out", {"number": 6, "other": 12, "player": "Ann"}, LATER, True),
        ("ruled-out", {"number": 6, "other": 12, "player": "Bob"}, LATER, False),
        ("ruled-out", {"number": 5, "other": 12, "player": "Ann"}, LATER, False),
        ("ruled-out", {"number": 6, "other": 3, "player": "Ann"}, LATER, False),
        ("taken", {"number": 12}, LATER, False),
        ("not-today", {"number": 6}, LATER, True),
    ],
)
def test_the_check_knows_what_each_reason_claims(
    code: str, params: dict[str, int | str], position: Position, is_true: bool
) -> None:
    check = _Check(game("chain", to=12), position, TAKEN)
    assert check.is_true(Refusal(code, params), TAKEN) is is_true


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


class Unnumbered(Descent):
    def numbers(self) -> tuple[int, ...]:
        return (2, 3)


def test_a_move_that_is_not_among_the_numbers_of_its_game_is_found() -> None:
    with pytest.raises(ConformanceError, match="the legal move 4 is not among the numbers"):
        check_game(Unnumbered(number=12))


def test_the_check_of_a_long_game_does_not_slow_down_with_every_number_taken() -> None:
    seen = set[int]()

    class Watched(Antichain):
        def refusal(
            self, position: Position, move: int, taken: Sequence[Taken] = ()
        ) -> Refusal | None:
            seen.add(len(taken))
            return super().refusal(position, move, taken)

    numbers = _SAMPLE + 10
    check_game(Watched(from_=2 * numbers, to=3 * numbers - 1), games=1)  # all can be taken
    assert max(seen) == _SAMPLE


@pytest.mark.parametrize("number", [-1, 0, 1, 10**100])
def test_a_game_that_does_not_refuse_an_unusual_number_is_found(number: int) -> None:
    class Lax(Antichain):
        def refusal(
            self, position: Position, move: int, taken: Sequence[Taken] = ()
        ) -> Refusal | None:
            return None if move == number else super().refusal(position, move, taken)

    with pytest.raises(ConformanceError, match=f"illegal move {number} is not refused"):
        check_game(Lax(from_=5_000, to=5_001), games=1)
