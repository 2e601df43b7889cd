"""Questions are different, repeatable and provable, and do not contain their answers."""

import json
import re
from itertools import islice
from random import Random

import pytest

from divisorduel import BoardError, Budget, BudgetSpent, game, solve
from divisorduel.bots.questions import (
    DIFFICULTIES,
    KINDS,
    Difficulty,
    Question,
    QuestionError,
    QuestionKind,
    difficulty_of,
    greedy_share,
    question_of,
    questions,
)
from tests.conftest import ALL_KEYS, default_game, thorough_except


def asked(
    key: str, kind: QuestionKind, count: int, *, seed: int = 0, level: Difficulty | None = None
) -> list[Question]:
    return [*islice(questions(default_game(key), kind, Random(seed), level), count)]


@pytest.mark.parametrize("key", thorough_except(ALL_KEYS, "antichain", "divider"))
@pytest.mark.parametrize("kind", ["move", "moves"])
def test_at_least_one_move_wins_and_at_most_half_do(key: str, kind: QuestionKind) -> None:
    for question in asked(key, kind, 8):
        moves = question.game.moves(question.position)
        winning = solve(question.game, question.position).winning_moves
        assert 0 < len(winning) <= len(moves) / 2
        assert len(moves) >= 3


def test_the_player_to_move_wins_about_as_often_as_not() -> None:
    found = asked("antichain", "winner", 60)
    wins = sum(solve(question.game, question.position).winner == 1 for question in found)
    assert 20 <= wins <= 40


@pytest.mark.parametrize("kind", KINDS)
def test_questions_do_not_repeat_and_the_same_seed_gives_the_same_ones(kind: QuestionKind) -> None:
    found = asked("antichain", kind, 30)
    assert len({question.code for question in found}) == 30
    assert asked("antichain", kind, 10) == found[:10]
    assert asked("antichain", kind, 10, seed=1) != found[:10]


@pytest.mark.parametrize("level", DIFFICULTIES)
def test_the_difficulty_is_how_often_greedy_is_right(level: Difficulty) -> None:
    for question in asked("chain", "move", 5, level=level):
        verdict = solve(question.game, question.position)
        share = greedy_share(question.game, question.position, verdict)
        assert {"easy": share == 1, "medium": 0 < share < 1, "hard": share == 0}[level]


def test_a_lost_position_is_as_hard_as_its_hardest_refutation() -> None:
    for question in asked("divider", "winner", 10, level="hard"):
        played, position = question.game, question.position
        verdict = solve(played, position)
        if verdict.winner == 2:
            after = [played.after(position, move) for move in played.moves(position)]
            levels = [difficulty_of(played, at, solve(played, at), Budget()) for at in after]
            assert "hard" in levels


def test_the_questions_end_when_the_board_is_used_up() -> None:
    found = asked("divider", "move", 1_000)
    assert 20 < len(found) < 100


def test_boards_without_questions_of_a_kind_are_refused() -> None:
    with pytest.raises(BoardError, match="nimbers of chain"):
        asked("chain", "nimber", 1)
    with pytest.raises(BoardError, match="at most"):
        next(questions(game("chain", to=100_000), "move", Random(0)))


def test_a_spent_budget_ends_the_search() -> None:
    with pytest.raises(BudgetSpent):
        next(questions(game("antichain"), "move", Random(0), budget=Budget(0)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_can_be_read_back_and_does_not_contain_its_answer(kind: QuestionKind) -> None:
    for question in asked("antichain", kind, 5):
        data = json.loads(json.dumps(question.as_json()))
        assert question_of(data) == question
        assert data.keys() == {"id", "kind", "position", "rules", "prompt"}
        assert data["rules"] in data["prompt"]


def test_the_form_of_the_answer_is_explained_without_a_number() -> None:
    for question in (question for kind in KINDS for question in asked("antichain", kind, 2)):
        assert not re.search("[0-9]", question.prompt().split("It is your turn.")[1])


def test_legal_moves_are_listed_only_on_request() -> None:
    [question] = asked("antichain", "move", 1)
    assert "Legal" not in question.prompt()
    moves = list(question.game.moves(question.position))
    assert question.as_json(legal=True)["legal"] == moves
    assert f"Legal moves: {', '.join(map(str, moves))}." in question.prompt(legal=True)


def test_large_numbers_are_listed_as_strings() -> None:
    played = game("descent", number=2**60)
    data = Question("nimber", played, played.start()).as_json(legal=True)
    assert data["legal"][:2] == [2, 4]
    assert data["legal"][-1] == str(2**59)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"kind": "colour"}, "unknown kind"),
        ({"position": "chain 2-50"}, "four parts"),
        ({"position": "chain 2-50 2-50 -"}, "does not belong"),
        ({"id": 5}, "needs the fields id"),
    ],
)
def test_a_question_that_was_changed_is_refused(change: dict[str, object], reason: str) -> None:
    [question] = asked("antichain", "move", 1)
    with pytest.raises(QuestionError, match=reason):
        question_of({**question.as_json(), **change})
