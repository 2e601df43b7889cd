"""Grades answers to questions: the truth is computed here, not read from a file."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal, get_args

from divisorduel.bots.questions import (
    Question,
    QuestionError,
    QuestionKind,
    greedy_share,
    proven,
    question_of,
)
from divisorduel.rules.errors import NotANumber
from divisorduel.rules.numbers import is_whole, read_number
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.verdict import Verdict

Mark = Literal["right", "wrong", "illegal", "no answer", "unproven"]
"""``wrong`` is a legal move that loses, or another wrong answer."""
MARKS: tuple[Mark, ...] = get_args(Mark)

Answer = str | frozenset[int]
"""``win``, ``loss``, or the numbers of an answer."""

SECONDS = 60.0
"""The default time limit for solving one position."""

MOST_BITS = 2**32
"""The most bits of all positions that are graded together: a position has one for every number."""

_MARKER = re.compile(r"ANSWER\s*:", re.IGNORECASE)
_AROUND = r"(?:\\boxed|[\s*_`.$\\\[\](){}])*"
_LISTED = re.compile(rf"{_AROUND}([0-9]+(?:(?:\s*,\s*(?:and\s+)?|\s+and\s*)[0-9]+)*){_AROUND}")
_NUMBER = re.compile("[0-9]+")
_OUTCOME = re.compile(r"\W*(win|loss)\W*", re.IGNORECASE)


_TITLES: dict[QuestionKind, str] = {
    "move": "A winning move",
    "moves": "All winning moves",
    "nimber": "The nimber",
    "winner": "Who wins",
}
_COUNTED: dict[Mark, str] = {"no answer": "unanswered"}
"""What a mark is called after a number, if not by its name."""


@dataclass(frozen=True)
class Grade:
    """What an answer is worth, and what chance and `greedy` would score."""

    question: Question
    mark: Mark
    truth: str
    """The right answer in a form that can be counted; empty if it is not proven."""
    chance: float | None = None
    """The chance that a random legal move is right; None if the question is not for a move."""
    greedy: float | None = None
    """The chance that the player `greedy` is right; None if the question is not for a move."""


@dataclass(frozen=True)
class Summary:
    """The grades of all questions of one kind."""

    kind: QuestionKind
    marks: Counter[Mark]
    floors: dict[str, float]
    """By name, what simple rules without any thought would score."""

    @property
    def graded(self) -> int:
        """How many questions count: all that could be proven."""
        return self.marks.total() - self.marks["unproven"]

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share of right answers."""
        return wilson(self.marks["right"], self.graded)

    def as_text(self) -> str:
        """Return the summary in two or three lines."""
        low, high = self.interval
        right, graded = self.marks["right"], self.graded
        share = f"{right / graded:.1%} (95% interval {low:.1%} to {high:.1%})" if graded else "?"
        counts = ", ".join(
            f"{self.marks[mark]} {_COUNTED.get(mark, mark)}" for mark in MARKS if self.marks[mark]
        )
        floors = ", ".join(f"{name} {score:.1%}" for name, score in self.floors.items())
        lines = [f"{_TITLES[self.kind]}: {right} of {graded} right, {share}", f"  {counts}"]
        return "\n".join([*lines, f"  For comparison: {floors}"] if floors else lines)

    def as_json(self) -> dict[str, Any]:
        """Return the summary as plain data."""
        low, high = self.interval
        return {
            "kind": self.kind,
            "questions": self.graded,
            "marks": {mark: self.marks[mark] for mark in MARKS},
            "score": self.marks["right"] / self.graded if self.graded else None,
            "interval": [low, high],
            "floors": self.floors,
        }


def read_questions(lines: Iterable[str], source: str) -> list[Question]:
    """Read questions from JSON lines. Raises `QuestionError`, which names the line."""
    found: dict[str, Question] = {}
    bits = 0
    for at, data in _json_lines(lines, source):
        try:
            question = question_of(data)
        except QuestionError as error:
            raise QuestionError(f"{source}, line {at}: {error}") from None
        bits += question.game.pool.bit_length()
        if bits > MOST_BITS:
            raise QuestionError(
                f"{source}, line {at}: these boards are too large to be graded together. "
                "Divide the questions into several files."
            )
        if question.id in found:
            raise QuestionError(f"{source}, line {at}: this question appears twice.")
        found[question.id] = question
    if not found:
        raise QuestionError(f"{source} has no questions. Make some with duel ask.")
    return list(found.values())


def read_answers(lines: Iterable[str], source: str) -> dict[str, object]:
    """Read answers from JSON lines, by the id of the question. Raises `QuestionError`."""
    found: dict[str, object] = {}
    for at, data in _json_lines(lines, source):
        match data:
            case {"id": str(name), "answer": answer}:
                if name in found:
                    raise QuestionError(f"{source}, line {at}: a second answer to {name!r}.")
                found[name] = answer
            case _:
                raise QuestionError(
                    f"{source}, line {at}: an answer needs the fields id and answer."
                )
    return found


def grades(
    asked: Sequence[Question], answers: Mapping[str, object], seconds: float = SECONDS
) -> Iterator[Grade]:
    """Yield the grade of every question. Raises `QuestionError` if an answer has no question."""
    for name in answers.keys() - {question.id for question in asked}:
        raise QuestionError(
            f"Unknown question id {name!r}. Use the questions that these answers belong to."
        )
    for question in asked:
        yield grade(question, answers.get(question.id), seconds)


def grade(question: Question, answer: object, seconds: float = SECONDS) -> Grade:
    """Grade an answer: a value from JSON, or the text of a reply that ends with ``ANSWER: …``."""
    game, position = question.game, question.position
    try:
        verdict = proven(game, position, Budget(seconds))
    except BudgetSpent:
        return Grade(question, "unproven", "")
    truth = _truth(question.kind, verdict)
    if truth is None:
        return Grade(question, "unproven", "")
    mark = _mark(question, verdict, truth, answer_of(question.kind, answer))
    if question.kind != "move" or game.is_over(position):
        return Grade(question, mark, truth)
    chance = len(verdict.winning_moves) / game.number_of_moves(position)
    return Grade(question, mark, truth, chance, greedy_share(game, position, verdict))


def _mark(question: Question, verdict: Verdict, truth: str, given: Answer | None) -> Mark:
    if given is None:
        return "no answer"
    if isinstance(given, str):
        return "right" if given == truth else "wrong"
    if question.kind == "nimber":
        return "right" if given == {verdict.nimber} else "wrong"
    legal = question.game.moves(question.position)
    if not all(move in legal for move in given):
        return "illegal"
    winning = frozenset(verdict.winning_moves)
    is_right = given <= winning if question.kind == "move" else given == winning
    return "right" if is_right else "wrong"


def answer_of(kind: QuestionKind, answer: object) -> Answer | None:
    """Return what an answer says; None if it says nothing or is ambiguous.

    In a text, what follows the last ``ANSWER:`` on its line counts.
    """
    if isinstance(answer, str):
        *_, last = _MARKER.split(answer)
        text = last.strip().split("\n")[0] if _MARKER.search(answer) else last
        if kind == "winner":
            found = _OUTCOME.fullmatch(text)
            return found[1].lower() if found else None
        listed = _LISTED.fullmatch(text)
        numbers = [read_number(digits) for digits in _NUMBER.findall(listed[1])] if listed else []
    else:
        items = answer if isinstance(answer, list) and kind == "moves" else [answer]
        try:
            numbers = [_number(item) for item in items]
        except NotANumber:
            return None
    if kind == "winner" or not numbers or (kind != "moves" and len(set(numbers)) > 1):
        return None
    return frozenset(numbers)


def summaries(found: Iterable[Grade]) -> list[Summary]:
    """Return a summary for each kind of question, in the order of their first question."""
    by_kind: dict[QuestionKind, list[Grade]] = {}
    for one in found:
        by_kind.setdefault(one.question.kind, []).append(one)
    return [_summary(kind, graded) for kind, graded in by_kind.items()]


def wilson(right: int, count: int, z: float = 1.959964) -> tuple[float, float]:
    """Return the Wilson interval of a share: 95% by default."""
    if not count:
        return 0.0, 1.0
    share, scale = right / count, 1 + z * z / count
    middle = (share + z * z / (2 * count)) / scale
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / scale
    return max(0.0, middle - half), min(1.0, middle + half)


def _summary(kind: QuestionKind, graded: list[Grade]) -> Summary:
    known = [one for one in graded if one.mark != "unproven"]
    floors: dict[str, float] = {}
    chance = [one.chance for one in known if one.chance is not None]
    greedy = [one.greedy for one in known if one.greedy is not None]
    if chance and greedy:
        floors = {"chance": sum(chance) / len(chance), "greedy": sum(greedy) / len(greedy)}
    elif known:
        [(_, most)] = Counter(one.truth for one in known).most_common(1)
        floors = {"always the most common answer": most / len(known)}
    return Summary(kind, Counter(one.mark for one in graded), floors)


def _truth(kind: QuestionKind, verdict: Verdict) -> str | None:
    match kind:
        case "nimber":
            return None if verdict.nimber is None else str(verdict.nimber)
        case "winner":
            return "win" if verdict.winner == 1 else "loss"
        case "move" | "moves":
            return ",".join(map(str, verdict.winning_moves))


def _number(value: object) -> int:
    if isinstance(value, str):
        return read_number(value)
    if isinstance(value, int) and is_whole(value):
        return value
    raise NotANumber(f"{value!r} is not a whole number.")


def _json_lines(lines: Iterable[str], source: str) -> Iterator[tuple[int, object]]:
    for at, line in enumerate(lines, 1):
        if line.strip():
            try:
                # Python refuses to read an int of thousands of digits.
                yield at, json.loads(line, parse_int=_bounded)
            except (ValueError, RecursionError):
                raise QuestionError(f"{source}, line {at}: this is not JSON.") from None


def _bounded(digits: str) -> int:
    return -read_number(digits[1:]) if digits.startswith("-") else read_number(digits)
