"""Replies and what they cost survive the end of the program, at any moment."""

from pathlib import Path

import pytest

from divisorduel.bots.llm.chat_reply import ChatReply, Completion
from divisorduel.bots.llm.reply_cache import ReplyCache, opened
from divisorduel.store.atomic_file import StoreError


def filled(path: Path) -> None:
    """Write a file with an answer, a failure, a retry, and a request that was in progress."""
    with opened(path) as cache:
        cache.receive(cache.send("run", "one", 100), 70, Completion("ANSWER: 3", "stop", 30))
        cache.fail(cache.send("run", "two", 100), 100, "HTTP 429", is_last=False)
        cache.fail(cache.send("run", "two", 100), 0, "timeout", is_last=True)
        cache.fail(cache.send("run", "three", 100), 0, "HTTP 500", is_last=False)
        cache.receive(cache.send("other", "three", 100), 0, Completion("", "length", None))
        cache.send("run", "four", 100)


def test_answers_retries_and_tokens_are_read_back(tmp_path: Path) -> None:
    filled(tmp_path / "replies")
    with opened(tmp_path / "replies") as cache:
        assert cache.answer("one") == ChatReply(Completion("ANSWER: 3", "stop", 30))
        assert cache.answer("two") == ChatReply(None, "timeout", 1)
        assert cache.answer("three") == ChatReply(Completion("", "length", None), retries=1)
        assert cache.answer("four") is None
        assert cache.spent("run") == 30 + 100 + 100 + 100
        assert cache.spent("other") == 100
        cache.forget_failures()
        assert cache.answer("two") is None
        assert cache.answer("one") is not None


def test_after_a_kill_only_what_was_in_progress_is_unknown_and_counts_in_full(
    tmp_path: Path,
) -> None:
    path = tmp_path / "replies"
    filled(path)
    lines = path.read_bytes().splitlines(keepends=True)
    spent = []
    for kept in range(len(lines)):
        path.write_bytes(b"".join(lines[:kept]) + lines[kept][:9])
        cache = ReplyCache(path)
        spent.append(cache.spent("run"))
        assert cache.send("run", "five", 1) == sum(b'"sent"' in line for line in lines[:kept])
        assert ReplyCache(path).spent("run") == spent[-1] + 1
    assert spent == [0, 0, 100, 30, 130, 30, 130, 130, 230, 230, 230, 230]


@pytest.mark.parametrize(
    "content", ["hello", '{"arena": 1, "sha256": "x"}\n', '{"llm": 1, "x": 2}\n']
)
def test_another_file_is_refused_and_not_changed(tmp_path: Path, content: str) -> None:
    path = tmp_path / "replies"
    path.write_text(content)
    with pytest.raises(StoreError, match="is not a file of replies"), opened(path):
        pass
    assert path.read_text() == content


def test_a_file_in_use_is_refused(tmp_path: Path) -> None:
    taken = pytest.raises(StoreError, match="another process")
    with opened(tmp_path / "replies"), taken, opened(tmp_path / "replies"):
        pass
