"""Completions of all kinds are read, and what they say becomes an outcome."""

import json
from typing import Any

import pytest

from divisorduel import read_code
from divisorduel.bots.llm.chat_reply import (
    MOST_TOKENS,
    ChatReply,
    Completion,
    NotACompletion,
    Reading,
    read_answer,
    read_completion,
)
from divisorduel.bots.questions import Question

QUESTION = Question("move", *read_code("antichain 2-12 3,5-7,9-11 -"))


def body(content: Any, **others: Any) -> bytes:
    return json.dumps({"choices": [{"message": {"content": content}}], **others}).encode()


def reading(text: str, finish: str = "stop") -> Reading:
    return read_answer(QUESTION, ChatReply(Completion(text, finish)))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("ANSWER: 3", "ANSWER: 3"),
        (None, ""),
        (7, ""),
        ([{"type": "text", "text": "ANSWER:"}, {"type": "text", "text": " 3"}], "ANSWER: 3"),
        ([{"type": "image"}, "x", {"text": None}], ""),
        ("\ud800", "?"),
    ],
)
def test_the_text_of_a_message_may_have_several_forms(content: Any, text: str) -> None:
    assert read_completion(body(content)).text == text


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"total_tokens": 30}, 30),
        ({"prompt_tokens": 10, "completion_tokens": 5}, 15),
        ({"total_tokens": -1}, None),
        ({"total_tokens": "30"}, None),
        ({"total_tokens": True}, None),
        ({"prompt_tokens": 10, "completion_tokens": True}, None),
        ({"total_tokens": MOST_TOKENS}, MOST_TOKENS),
        ({"total_tokens": MOST_TOKENS + 1}, None),
        ({"prompt_tokens": 9 * 10**4299, "completion_tokens": 9 * 10**4299}, None),
        ({"total_tokens": 9 * 10**4299, "prompt_tokens": 10, "completion_tokens": 5}, 15),
        (None, None),
    ],
)
def test_the_tokens_are_known_only_if_the_endpoint_reports_a_number(
    usage: Any, tokens: int | None
) -> None:
    assert read_completion(body("", usage=usage)).tokens == tokens


@pytest.mark.parametrize(
    ("written", "finish"),
    [("stop", "stop"), (None, ""), (["stop"], ""), ("\ud800", "?"), ("x" * 999, "")],
)
def test_the_finish_reason_is_a_short_text(written: Any, finish: str) -> None:
    choice = {"message": {"content": "3"}, "finish_reason": written}
    assert read_completion(json.dumps({"choices": [choice]}).encode()).finish == finish


@pytest.mark.parametrize("data", [b"", b"3", b"{}", b'{"choices": [{"message": 3}]}', b"[" * 9999])
def test_other_data_is_not_a_completion(data: bytes) -> None:
    with pytest.raises(NotACompletion):
        read_completion(data)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ANSWER: 1000", Reading("illegal", move=1000)),
        ("ANSWER: 2", Reading("illegal", move=2)),
        ("", Reading("no answer", "empty")),
        ("ANSWER: none", Reading("no answer", "unreadable")),
        ("<think>ANSWER: 2</think>", Reading("no answer", "empty")),
        ("<think>ANSWER: 2</think>ANSWER: 1000", Reading("illegal", move=1000)),
    ],
)
def test_only_the_text_after_the_thinking_counts(text: str, expected: Reading) -> None:
    assert reading(text) == expected


@pytest.mark.parametrize(
    "form", ["ANSWER: {}", "**ANSWER:** {}.", "answer: $\\boxed{{{}}}$", "`{}`"]
)
def test_a_legal_move_is_read_in_every_usual_form(form: str) -> None:
    outcomes = {move: reading(form.format(move)).outcome for move in (3, 5, 6, 7, 9, 10, 11)}
    assert {*outcomes.values()} == {"winning", "losing"}
    assert outcomes == {move: reading(f"ANSWER: {move}").outcome for move in outcomes}


@pytest.mark.parametrize("finish", ["length", "max_tokens"])
def test_a_reply_at_its_limit_is_cut_off_whatever_it_says(finish: str) -> None:
    assert reading("ANSWER: 1", finish) == Reading("cut off")


def test_a_failure_of_the_endpoint_counts_as_no_answer_with_its_cause() -> None:
    assert read_answer(QUESTION, ChatReply(None, "timeout")) == Reading("no answer", "timeout")
