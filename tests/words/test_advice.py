"""Hints and reasons in English."""

import pytest

from divisorduel import Game, Position, game
from divisorduel.coach.hints import Hint, hint
from divisorduel.coach.reasons import Reason, reason
from divisorduel.play.players import Judge
from divisorduel.words.advice import hint_text, reason_text
from tests.conftest import ALL_KEYS, small_game
from tests.solve.test_oracle import reachable


def why(g: Game, position: Position | None = None) -> str:
    return reason_text(reason(g, position or g.start()))


@pytest.mark.parametrize(
    ("said", "code", "params"),
    [
        ("This position is too large to solve in the time allowed.", "unproven", {}),
        ("There is no move left.", "no-moves", {}),
        ("You can win this.", "winning", {}),
        ("You will lose if your opponent plays well.", "losing", {}),
        ("You have only one move, and it wins.", "only-move-wins", {}),
        ("You have only one move, and it loses.", "only-move-loses", {}),
        ("None of your 10 moves wins.", "winning-moves", {"moves": 10, "wins": 0}),
        ("Neither of your 2 moves wins.", "winning-moves", {"moves": 2, "wins": 0}),
        ("1 of your 8 moves wins.", "winning-moves", {"moves": 8, "wins": 1}),
        ("All 10 of your moves win.", "winning-moves", {"moves": 10, "wins": 10}),
        ("Both of your moves win.", "winning-moves", {"moves": 2, "wins": 2}),
        ("At least 2 of your 8 moves win.", "winning-moves-so-far", {"moves": 8, "wins": 2}),
        ("Take 4.", "take", {"move": 4}),
        (
            "Try 2: only 1 of the 9 answers beats you.",
            "try",
            {"move": 2, "answers": 9, "wins": 1},
        ),
        (
            "Try 2: only 3 of the 9 answers beat you.",
            "try",
            {"move": 2, "answers": 9, "wins": 3},
        ),
        (
            "Try 2, though every answer beats you.",
            "try",
            {"move": 2, "answers": 2, "wins": 2},
        ),
    ],
)
def test_a_hint_is_a_sentence(said: str, code: str, params: dict[str, int]) -> None:
    assert hint_text(Hint(code, params)) == said


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_position_has_hints_and_a_reason_in_words(key: str) -> None:
    g, judge = small_game(key), Judge()
    for position in reachable(g):
        for step in (1, 2, 3):
            assert hint_text(hint(g, position, step, judge))[-1] == "."
        told = reason_text(reason(g, position, judge))
        assert told[-1] == "."
        assert "None" not in told


def test_pairs_are_listed_once() -> None:
    assert why(game("evens", to=8)) == (
        "Whatever you take, your opponent can answer with its partner: 2-6 and 4-8."
    )


def test_the_reason_names_the_winning_move_first() -> None:
    g = game("evens")
    assert why(g, g.play(g.start(), 6)) == (
        "Take 18. Whatever your opponent takes, answer with its partner: 2-14. This works to the "
        "end: every number your opponent can take has a partner."
    )
    assert why(game("chain", to=8)) == "Take 5: your opponent then has no move."
    assert why(game("descent", number=30)) == (
        "Take 2: it is a prime, so your opponent has no move."
    )


def test_parts_are_counted_and_their_worth_is_explained() -> None:
    told = why(game("divider"))
    assert told.startswith(
        "Take 4. That leaves 2 parts worth 1 each and 1 part worth 0. A move in one part never "
        "changes another part. In a part worth 0, the player who moves first loses. A part worth "
        "more can be lowered to any smaller value in one move. Two parts worth the same cancel "
        "out: whatever your opponent takes from one of them, you can make them equal again. "
        "Answer 2 with 3,"
    )


def test_parts_are_said_to_cancel_only_if_they_do() -> None:
    told = why(game("divider", from_=3, to=9, opening="low"))
    assert told.startswith("Every move loses: your opponent answers 3 with ")
    assert "cancel" not in told


def test_a_single_part_is_not_said_to_cancel() -> None:
    assert reason_text(Reason("parts", 5, ((2, 3),), nimbers=(0,))) == (
        "Take 5. What is left is worth 0: the player to move loses. Answer 2 with 3."
    )


def test_the_loser_is_told_that_equal_parts_cancel() -> None:
    told = reason_text(Reason("parts", None, ((2, 3),), nimbers=(1, 1)))
    assert told.startswith(
        "You face 2 parts worth 1 each. A move in one part never changes another part."
    )
    assert told.endswith(
        "Two parts worth the same cancel out: whatever you take from one of them, your opponent "
        "can make them equal again. Every move loses: your opponent answers 2 with 3."
    )


def test_parts_worth_0_are_answered_one_by_one() -> None:
    assert reason_text(Reason("parts", 5, ((2, 3),), nimbers=(0, 0))) == (
        "Take 5. That leaves 2 parts worth 0 each. A move in one part never changes another part. "
        "In a part worth 0, the player who moves first loses. Whatever your opponent takes, you "
        "can answer in the same part. Answer 2 with 3."
    )


def test_values_without_a_twin_are_split_into_powers_of_two() -> None:
    told = reason_text(Reason("parts", 5, ((2, 3),), nimbers=(3, 2, 1, 4, 4, 0)))
    assert "That leaves 2 parts worth 4 each, 1 part worth 3, 1 part worth 2, 1 part " in told
    assert (
        "Equal values cancel out, and a part worth 3 counts as 2 + 1: whatever your opponent "
        "takes, you can make the values cancel out again."
    ) in told
    told = reason_text(Reason("parts", None, ((2, 3),), nimbers=(3, 5, 6)))
    assert (
        "Equal values cancel out, and a part worth 3 counts as 2 + 1, a part worth 5 counts as "
        "4 + 1 and a part worth 6 counts as 4 + 2: whatever you take, your opponent can make the "
        "values cancel out again."
    ) in told


def test_a_long_list_is_cut_short() -> None:
    assert reason_text(Reason("answers", None, ((2, 4), (3, 9)), more=True)) == (
        "Every move loses: your opponent answers 2 with 4, 3 with 9, and so on."
    )
    assert reason_text(Reason("pairs", None, ((2, 4), (4, 2), (3, 9)), more=True)) == (
        "Whatever you take, your opponent can answer with its partner: 2-4, 3-9, and so on."
    )


def test_unknown_answers_are_left_out() -> None:
    assert reason_text(Reason("answers", 5, more=True)) == "Take 5. Every answer to it loses."
    assert reason_text(Reason("answers", None, more=True)) == "Every move loses."


def test_an_unknown_kind_of_reason_is_explained_by_its_answers() -> None:
    assert reason_text(Reason("mirror", 5, ((2, 3),))) == "Take 5. Answer 2 with 3."
