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
            "Try 2: 8 of the 9 answers would let you win.",
            "try",
            {"move": 2, "answers": 9, "wins": 1},
        ),
        (
            "Try 2: 6 of the 9 answers would let you win.",
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


def test_a_lost_position_is_called_lost_first_and_its_pairs_are_listed_once() -> None:
    assert why(game("evens", to=8)) == (
        "You will lose if your opponent plays well. Every number you can take has a partner: 2 "
        "with 6 and 4 with 8. If you take 2, your opponent takes 6. And so on to the end: "
        "your opponent always has an answer, and you run out of moves first."
    )


def test_a_single_pair_is_not_written_as_a_list() -> None:
    end = "And so on to the end: your opponent always has an answer, and you run out of moves"
    lost = "You will lose if your opponent plays well. You can take only 4"
    told = reason_text(Reason("pairs", None, answers=((4, 8),)))
    assert told == f"{lost}, and your opponent takes its partner, 8. {end} first."
    told = reason_text(Reason("pairs", None, answers=((4, 8), (8, 4))))
    assert told == f"{lost} or 8, and your opponent takes the other one. {end} first."


def test_the_reason_names_the_winning_move_first() -> None:
    g = game("evens")
    assert why(g, g.play(g.start(), 6)) == (
        "Take 18. Then your opponent can take only 2, and you take its partner, 14. And so on "
        "to the end: you always have an answer, and your opponent runs out of moves first."
    )
    assert why(game("chain", to=8)) == "Take 5: your opponent then has no move."
    assert why(game("descent", number=30)) == (
        "Take 2: it is a prime, so your opponent has no move."
    )


@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_hidden_reason_names_no_number_and_says_who_wins(key: str) -> None:
    g, judge = small_game(key), Judge()
    for position in reachable(g):
        found = reason(g, position, judge, reveal=False)
        told = reason_text(found)
        if judge.verdict(g, position).winning_moves and len(g.moves(position)) > 1:
            assert told.startswith("You can win")
            assert not any(char.isdigit() for char in told)
        else:
            assert found == reason(g, position, judge)
        if not judge.verdict(g, position).winning_moves and g.moves(position):
            assert told.startswith("You will lose if your opponent plays well. ")


@pytest.mark.parametrize(
    ("code", "idea"),
    [
        ("no-answer", "You can win at once: look for a move that leaves your opponent no move."),
        ("prime", "You can win at once: a prime leaves your opponent no move."),
        (
            "pairs",
            (
                "You can win. Look for a move after which every number your opponent can take has "
                "a partner for you to take."
            ),
        ),
        (
            "parts",
            (
                "You can win. Look for a move that leaves parts which cancel out, for example two "
                "parts that are alike. A part is a group of numbers: a move in one part never "
                "changes another part."
            ),
        ),
        (
            "mirror",
            "You can win. Look for a move after which you have an answer to everything.",
        ),
    ],
)
def test_a_hidden_reason_says_what_to_look_for(code: str, idea: str) -> None:
    said = reason_text(Reason(code, hidden=True))
    assert said == f"{idea} Ask for hints until one names the move, then ask why again."


def test_unknown_answers_are_left_out() -> None:
    assert reason_text(Reason("answers", 5, more=True)) == "Take 5. Every answer to it loses."
    lost = "You will lose if your opponent plays well."
    for code in ("answers", "pairs"):
        assert reason_text(Reason(code, None, more=True)) == f"{lost} Every move loses."


def test_an_unknown_kind_of_reason_is_explained_by_its_answers() -> None:
    assert reason_text(Reason("mirror", 5, answers=((2, 3),))) == "Take 5. Answer 2 with 3."


def test_a_long_list_is_cut_short() -> None:
    answers = ((2, 4), (4, 2), (3, 9))
    assert reason_text(Reason("answers", None, answers=answers, more=True)) == (
        "You will lose if your opponent plays well. For example, your opponent answers 2 with 4, "
        "4 with 2 and 3 with 9."
    )
    assert "has a partner: 2 with 4, 3 with 9, and so on." in reason_text(
        Reason("pairs", None, answers=answers, more=True)
    )
