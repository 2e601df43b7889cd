"""What came back from a language model, and what it is worth as a move."""

import json
from dataclasses import dataclass
from typing import Literal, get_args

from divisorduel.bots.grades import Mark, answer_of, grade
from divisorduel.bots.questions import Question, QuestionError
from divisorduel.rules.numbers import is_whole

TrialOutcome = Literal["no answer", "cut off", "illegal", "losing", "winning"]
"""What a reply is worth. ``losing`` is a legal move that gives the win away."""
OUTCOMES: tuple[TrialOutcome, ...] = get_args(TrialOutcome)

CUT_OFF = {"length", "max_tokens"}
"""What endpoints report when a reply reached the limit on its tokens."""
LONGEST_FINISH = 100
"""How many characters the reason for the end of a reply may have; a longer one is not kept."""
MOST_TOKENS = 10**9
"""The most tokens that a request may be reported to have used; no model reads or writes more."""

_OUTCOME_OF_MARK: dict[Mark, TrialOutcome] = {
    "no answer": "no answer",
    "illegal": "illegal",
    "wrong": "losing",
    "right": "winning",
}
_END_OF_THOUGHT = "</think>"


class NotACompletion(ValueError):
    """Data that is not a chat completion."""


@dataclass(frozen=True)
class Completion:
    """A chat completion: the text, why it ended, and what it cost."""

    text: str
    finish: str = "stop"
    tokens: int | None = None
    """The tokens of the request and the reply; None if the endpoint does not report them."""


@dataclass(frozen=True)
class ChatReply:
    """All that is known about the answer to a request: a completion, or why there is none."""

    completion: Completion | None
    failure: str = ""
    """Why the endpoint gave no completion."""
    retries: int = 0
    """How often the request failed before."""


@dataclass(frozen=True)
class Reading:
    """What an answer to a question is worth."""

    outcome: TrialOutcome
    cause: str = ""
    """Why an answer is missing; empty if there is one."""
    move: int | None = None
    """The number that was named, if there is exactly one."""


def read_completion(data: bytes) -> Completion:
    """Read a chat completion in the form of the OpenAI API. Raises `NotACompletion`."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise NotACompletion("not JSON") from None
    match body:
        case {"choices": [{"message": {**message}, **choice}, *_]}:
            finish = _text(choice.get("finish_reason"))
            short = finish if len(finish) <= LONGEST_FINISH else ""
            return Completion(_text(message.get("content")), short, _tokens(body))
    raise NotACompletion("no message")


def read_answer(question: Question, answer: ChatReply) -> Reading:
    """Return what an answer to a question for a move is worth. Raises `QuestionError`.

    A reply that was cut off is not read: what looks like its answer may be the beginning of one.
    """
    completion = answer.completion
    if completion is None:
        return Reading("no answer", answer.failure)
    if completion.finish in CUT_OFF:
        return Reading("cut off")
    *_, text = completion.text.split(_END_OF_THOUGHT)
    mark = grade(question, text).mark
    if mark == "unproven":
        raise QuestionError(f"{question.code} is too large to solve in the time allowed.")
    if mark == "no answer":
        return Reading("no answer", "unreadable" if text.strip() else "empty")
    match answer_of("move", text):
        case frozenset() as named:
            [move] = named
            return Reading(_OUTCOME_OF_MARK[mark], move=move)
        case _:
            raise AssertionError("a move that was graded can be read")


def _text(content: object) -> str:
    """Return the text of a message: a string, or a list of parts of which some are text."""
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        content = "".join(part for part in parts if isinstance(part, str))
    text = content if isinstance(content, str) else ""
    return text.encode(errors="replace").decode()  # JSON may hold lone surrogates


def _tokens(body: object) -> int | None:
    match body:
        case {"usage": {"total_tokens": total}} if _is_count(total):
            return int(total)
        case {"usage": {"prompt_tokens": one, "completion_tokens": two}} if _is_count(
            one
        ) and _is_count(two):
            return int(one + two)
    return None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and is_whole(value) and 0 <= value <= MOST_TOKENS
