"""Positions in parts: the parts have names, and the sentences say how they cancel out."""

import re

import pytest

from divisorduel import Game, Position, game
from divisorduel.coach.reasons import Reason, reason
from divisorduel.play.players import Judge
from divisorduel.solve.solver import Part
from divisorduel.words.advice import reason_text
from divisorduel.words.parts import letter
from tests.coach.test_reasons import SUMS
from tests.conftest import small_game
from tests.solve.test_oracle import reachable

LOST = "You will lose if your opponent plays well. "


def said(*parts: Part, move: int | None = None) -> str:
    nimbers = tuple(part.nimber for part in parts)
    return reason_text(Reason("parts", move, answers=((2, 3),), nimbers=nimbers, parts=parts))


def test_parts_are_named_by_their_numbers_and_their_worth_is_explained() -> None:
    assert reason_text(reason(game("divider"), game("divider").start())) == (
        "Take 4. That leaves 3 parts: a move in one part never changes another part. Part A is 2, "
        "3, 6 and 9, worth 0. The numbers 5 and 7 are parts on their own, worth 1 each. A part "
        "worth 1 is like one stone: a move can take it. A part worth 0 is like no stone at all: "
        "every move in it has an answer in the same part. There are 2 stones, an even number: "
        "whenever your opponent takes one, you take another one. Answer 2 with 3, 3 with 2, 5 with "
        "7, 6 with 9, 7 with 5 and 9 with 6."
    )


def test_the_loser_is_told_that_the_opponent_makes_equal_parts_equal_again() -> None:
    told = said(Part((2, 4), 2), Part((3, 9), 2))
    assert told == (
        f"{LOST}The numbers left fall into 2 parts: a move in one part never changes another part. "
        "Part A is 2 and 4, worth 2. Part B is 3 and 9, worth 2. A part worth 2 is like a heap of "
        "2 stones: a move can take any number of them. Any other move in a part has an answer in "
        "the same part. Parts A and B are worth the same, so they cancel out. Whenever you change "
        "one of two equal parts, your opponent makes them equal again. Your "
        "opponent can answer 2 with 3."
    )


def test_values_without_a_twin_are_split_into_powers_of_two() -> None:
    told = said(Part((2, 4, 8), 3), Part((3, 9), 2), Part((5,), 1), move=7)
    assert (
        "The number 5 is a part on its own, worth 1. A part worth 3 is like a heap of 3 stones: a "
        "move can take any number of them. Any other move in a part has an answer in the same "
        "part. Split the heaps into 2s and 1s: A counts as 2 + 1; B counts as 2; "
        "5 counts as 1. There is an even number of 2s and of 1s, so everything "
        "cancels out. Whatever your opponent takes, you can make it cancel out again. "
        "Answer 2 with 3."
    ) in told
    told = said(Part((2, 4), 3), Part((3, 9), 5), Part((5, 25), 6))
    assert (
        "Split the heaps into 4s, 2s and 1s: C counts as 4 + 2; B counts as 4 + 1; A counts as "
        "2 + 1. There is an even number of 4s, of 2s and of 1s, so everything cancels out. "
        "Whatever you take, your opponent can make it cancel out again."
    ) in told


def test_parts_worth_0_are_answered_one_by_one() -> None:
    told = said(Part((2, 3, 6), 0), Part((5, 7, 35), 0), move=4)
    assert told.endswith(
        "A part worth 0 is like an empty heap of stones: every move in it has an answer in "
        "the same part. So you always answer in the part that your opponent took from. Answer 2 "
        "with 3."
    )


def test_numbers_that_never_remove_each_other_are_counted() -> None:
    g = game("divider", to=70)
    assert reason_text(reason(g, Position.of([11, 13, 17, 19]))) == (
        f"{LOST}The numbers 11, 13, 17 and 19 are left, and taking one never removes another. So "
        "exactly 4 turns are left. 4 is even: your opponent takes the last number."
    )
    assert reason_text(reason(g, Position.of([11, 13, 17]))) == (
        "Take 11. Then 13 and 17 are left, and taking one never removes another. So "
        "exactly 2 turns are left. 2 is even: you take the last number."
    )


def test_a_single_part_is_not_said_to_cancel() -> None:
    assert said(Part((2, 3, 6), 0), move=5) == "Take 5. Answer 2 with 3."


def test_a_long_part_and_many_parts_are_abbreviated() -> None:
    long, two = Part((4, 8, 12, *range(20, 29)), 1), Part((6, 18), 2)
    singles = [Part((prime,), 1) for prime in (29, 31, 37, 41, 43, 47, 53)]
    told = said(long, *singles)
    assert "Part A is 4, 8, 12, and so on (12 in all), worth 1." in told
    assert (
        "The numbers 29, 31, 37, and so on (7 in all) are parts on their own, worth 1 each." in told
    )
    assert "There are 8 stones, an even number: whenever you take one, your opponent takes" in told
    told = said(two, two, long, *singles)
    assert (
        "Parts C, 29, 31, and so on (8 in all) are worth the same, so they cancel out two by two."
        in told
    )


def test_parts_are_said_to_cancel_only_if_they_do() -> None:
    g = game("divider", from_=3, to=9, opening="low")
    told = reason_text(reason(g, g.start()))
    assert re.match(rf"{LOST}(Your opponent can|For example, your opponent) answers? 3 with ", told)
    assert "cancel" not in told


@pytest.mark.parametrize(("at", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA")])
def test_parts_have_letters(at: int, name: str) -> None:
    assert letter(at) == name


@pytest.mark.parametrize("key", SUMS)
def test_in_every_position_the_sums_in_the_sentences_are_right(key: str) -> None:
    """Check the numbers in the words themselves, not in the values they were made from."""
    g, judge = small_game(key), Judge()
    for position in reachable(g):
        why = reason(g, position, judge)
        told = reason_text(why)
        if count := re.search(r"exactly (\d+) turns", told):
            after = position if why.move is None else g.after(position, why.move)
            assert turns_left(g, after) == {int(count[1])}
        for name, numbers, worth in re.findall(r"Part (\w+) is ([\d, and]+), worth (\d+)", told):
            part = why.parts[ord(name) - ord("A")]
            assert part.nimber == int(worth)
            assert [int(n) for n in re.findall(r"\d+", numbers)] == [*part.numbers]
        if stones := re.search(r"There are (\d+) stones", told):
            assert [*why.nimbers].count(1) == int(stones[1])
            assert int(stones[1]) % 2 == 0
            assert max(why.nimbers) == 1
        if split := re.search(r"Split the heaps into [^:]*: ([^.]*)\.", told):
            for name, powers in re.findall(r"([A-Z]) counts as ([\d +]+)", split[1]):
                assert why.parts[ord(name) - ord("A")].nimber == sum(map(int, powers.split("+")))


def turns_left(g: Game, position: Position) -> set[int]:
    """Return how many turns a game can still take."""
    if g.is_over(position):
        return {0}
    after = [turns_left(g, g.after(position, move)) for move in g.moves(position)]
    return {count + 1 for counts in after for count in counts}
