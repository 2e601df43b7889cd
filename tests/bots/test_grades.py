"""Grades are exact: the truth is solved, never read from a file."""

import json
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel import game, solve
from divisorduel.bots import grades as grades_module
from divisorduel.bots.grades import (
    Answer,
    answer_of,
    grade,
    grades,
    read_answers,
    read_questions,
    summaries,
    wilson,
)
from divisorduel.bots.questions import KINDS, Question, QuestionError, QuestionKind, questions

DIVIDER = game("divider")
START = DIVIDER.start()
"""4 is the only move that wins."""


def question(kind: QuestionKind) -> Question:
    return Question(kind, DIVIDER, START)


@pytest.mark.parametrize(
    ("kind", "answer", "mark"),
    [
        ("move", 4, "right"),
        ("move", "4", "right"),
        ("move", "I think so.\nANSWER: **4**.", "right"),
        ("move", "ANSWER: 5\nNo, wait.\nAnswer: 4", "right"),
        ("move", "ANSWER:\n4", "right"),
        ("move", r"ANSWER: $\boxed{4}$", "right"),
        ("move", r"ANSWER: \(4\)", "right"),
        ("move", r"ANSWER: $\frac{4}{2}$", "no answer"),
        ("move", 5, "wrong"),
        ("move", 50, "illegal"),
        ("move", -4, "illegal"),
        ("move", "ANSWER: 4 or 5", "no answer"),
        ("move", "ANSWER: 4, 5", "no answer"),
        ("move", "4 wins because 8 goes with it", "no answer"),
        ("move", "", "no answer"),
        ("move", None, "no answer"),
        ("move", True, "no answer"),
        ("move", 4.0, "no answer"),
        ("move", [4], "no answer"),
        ("move", {"move": 4}, "no answer"),
        ("moves", [4], "right"),
        ("moves", ["4"], "right"),
        ("moves", "ANSWER: 4", "right"),
        ("moves", "ANSWER: [4]", "right"),
        ("moves", [4, 5], "wrong"),
        ("moves", "ANSWER: 4, 5, and 6", "wrong"),
        ("moves", [4, 50], "illegal"),
        ("moves", [], "no answer"),
        ("moves", [4, None], "no answer"),
        ("nimber", 5, "right"),
        ("nimber", "ANSWER: 5", "right"),
        ("nimber", 0, "wrong"),
        ("winner", "ANSWER: WIN", "right"),
        ("winner", "win", "right"),
        ("winner", "ANSWER: *Loss*", "wrong"),
        ("winner", "ANSWER: WIN or LOSS", "no answer"),
        ("winner", 1, "no answer"),
    ],
)
def test_an_answer_gets_its_mark(kind: QuestionKind, answer: object, mark: str) -> None:
    assert grade(question(kind), answer).mark == mark


def test_a_number_of_thousands_of_digits_is_an_illegal_move() -> None:
    name = question("move").id
    digits = "9" * 50_000
    for answer in (digits, f'"{digits}"', f'"ANSWER: {digits}"', f"-{digits}"):
        answers = read_answers([f'{{"id": "{name}", "answer": {answer}}}'], "a")
        [found] = grades([question("move")], answers)
        assert found.mark == "illegal"


@given(st.sampled_from(KINDS), st.text() | st.none() | st.lists(st.integers()) | st.floats())
def test_any_answer_is_graded(kind: QuestionKind, answer: object) -> None:
    assert grade(question(kind), answer).mark in ("right", "wrong", "illegal", "no answer")


def test_the_floors_are_chance_and_greedy() -> None:
    found = grade(question("move"), None)
    assert found.chance == 1 / 8
    assert found.greedy == 0  # it takes 2, which leaves the fewest numbers


def test_a_question_that_cannot_be_solved_in_time_does_not_count() -> None:
    large = game("antichain", to=500)
    [summary] = summaries([grade(Question("move", large, large.start()), 2, 0.01)])
    assert (summary.graded, summary.marks["unproven"]) == (0, 1)
    assert "1 unproven" in summary.as_text()
    assert summary.as_json()["score"] is None


def right_answer(asked: Question) -> Answer | int | None:
    verdict = solve(asked.game, asked.position)
    match asked.kind:
        case "move":
            return verdict.winning_moves[0]
        case "moves":
            return frozenset(verdict.winning_moves)
        case "nimber":
            return verdict.nimber
        case "winner":
            return "win" if verdict.winner == 1 else "loss"


@pytest.mark.parametrize("kind", KINDS)
def test_perfect_answers_score_everything(kind: QuestionKind) -> None:
    asked = [*islice(questions(game("antichain"), kind, Random(3)), 20)]
    lines = [json.dumps(one.as_json()) for one in asked]
    given = {one.id: right_answer(one) for one in asked}
    answers = {
        name: sorted(said) if isinstance(said, frozenset) else said for name, said in given.items()
    }
    written = [json.dumps({"id": name, "answer": said}) for name, said in answers.items()]
    found = grades(read_questions(lines, "q"), read_answers(written, "a"))
    [summary] = summaries(found)
    assert summary.as_json()["score"] == 1
    assert all(floor < 1 for floor in summary.floors.values())


def test_kinds_are_totalled_separately_and_missing_answers_count() -> None:
    asked = [question("move"), question("nimber")]
    first, second = summaries(grades(asked, {question("move").id: 4}))
    assert (first.kind, first.marks) == ("move", {"right": 1})
    assert (second.kind, second.marks) == ("nimber", {"no answer": 1})
    assert first.as_text().startswith("A winning move: 1 of 1 right, 100.0%")
    assert "chance 12.5%, greedy 0.0%" in first.as_text()


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["{"], "line 1: this is not JSON"),
        (["[" * 100_000], "line 1: this is not JSON"),
        (["", "[]"], "line 2: an answer needs"),
        (['{"id": "a", "answer": 1}'] * 2, "line 2: a second answer to 'a'"),
    ],
)
def test_answers_that_cannot_be_read_are_refused(lines: list[str], reason: str) -> None:
    with pytest.raises(QuestionError, match=reason):
        read_answers(lines, "answers.jsonl")


def test_questions_that_cannot_be_read_are_refused() -> None:
    line = json.dumps(question("move").as_json())
    with pytest.raises(QuestionError, match="line 2: this question appears twice"):
        read_questions([line, line], "q")
    with pytest.raises(QuestionError, match="no questions"):
        read_questions([""], "q")
    with pytest.raises(QuestionError, match="Unknown question id 'x'"):
        [*grades([question("move")], {"x": 4})]


def test_boards_that_fill_the_memory_together_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [game("divider", to=to) for to in (8, 9)]
    lines = [json.dumps(Question("move", g, g.start()).as_json()) for g in games]
    monkeypatch.setattr(grades_module, "MOST_BITS", 9 + 10)
    assert len(read_questions(lines, "q")) == 2
    monkeypatch.setattr(grades_module, "MOST_BITS", 9 + 9)
    with pytest.raises(QuestionError, match=r"^q, line 2: these boards are too large"):
        read_questions(lines, "q")


@pytest.mark.parametrize(
    ("right", "count", "low", "high"),
    [
        (15, 30, 0.331541, 0.668459),
        (0, 10, 0.0, 0.277533),
        (5, 5, 0.565518, 1.0),
        (7, 9, 0.452589, 0.936775),
        (63, 100, 0.532205, 0.718176),
        (1, 1000, 0.000177, 0.005643),
    ],
)
def test_the_interval_is_the_wilson_interval(
    right: int, count: int, low: float, high: float
) -> None:
    # What scipy 1.17.1 prints for binomtest(right, count).proportion_ci(0.95, "wilson").
    assert wilson(right, count) == pytest.approx((low, high), abs=1e-6)


def test_without_answers_the_interval_is_0_to_1() -> None:
    assert wilson(0, 0) == (0, 1)


def test_a_value_of_an_unknown_form_is_not_an_answer() -> None:
    assert answer_of("moves", {"a": 1}) is None


@pytest.mark.parametrize("end", ["1, x", "1 x", "1, and x", "1 and x", "*x", "ANSWER x"])
def test_the_time_to_read_an_answer_is_in_proportion_to_its_length(end: str) -> None:
    answer = "ANSWER: " + end.replace(" ", " " * 500_000)
    assert answer_of("moves", answer) is None
