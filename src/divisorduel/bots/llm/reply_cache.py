"""The replies of language models on disk, and what they cost.

Each request is on disk before it is sent, and each reply before it is counted. After a crash or
``kill -9``, only the requests that were in progress are sent again, and the tokens that they may
have used count as spent.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from divisorduel.bots.llm.chat_reply import ChatReply, Completion
from divisorduel.store.atomic_file import StoreError, unusable
from divisorduel.store.journal import DamagedJournal, Journal, locked

BEGINNING = b'{"llm": 1, '
ADVICE = "Remove it, or choose another name with --cache."


class ReplyCache:
    """A journal of requests and replies, in memory and on disk."""

    def __init__(self, path: Path) -> None:
        """Read the file, or begin a new one. Hold its lock. Raises `StoreError`."""
        self._journal = Journal(path, BEGINNING)
        self._sent: list[tuple[str, str]] = []
        """The run and the key of each request."""
        self._answers: dict[str, ChatReply] = {}
        self._failures: Counter[str] = Counter()
        self._tokens: Counter[str] = Counter()
        damaged = StoreError(f"{path} is not a file of replies. {ADVICE}")
        try:
            lines = self._journal.read()
            for line in lines[1:]:
                self._add(line)
        except (DamagedJournal, LookupError, TypeError):
            raise damaged from None
        self._journal.trim()
        if not lines:
            self._journal.append({"llm": 1})

    def answer(self, key: str) -> ChatReply | None:
        """Return the answer to a request, or None if it has to be sent."""
        return self._answers.get(key)

    def forget_failures(self) -> None:
        """Allow requests that got no completion to be sent again."""
        for key in [key for key, known in self._answers.items() if known.completion is None]:
            del self._answers[key]

    def spent(self, run: str) -> int:
        """Return the tokens that a run has used, or may have used."""
        return self._tokens[run]

    def send(self, run: str, key: str, tokens: int) -> int:
        """Note that a request is about to be sent, and return its number. Raises `StoreError`."""
        number = len(self._sent)
        self._write({"sent": number, "run": run, "key": key, "tokens": tokens})
        return number

    def receive(self, number: int, saved: int, completion: Completion) -> None:
        """Note a completion, and how many tokens less than reserved it used."""
        self._write(
            {
                "received": number,
                "saved": saved,
                "text": completion.text,
                "finish": completion.finish,
                "tokens": completion.tokens,
            }
        )

    def fail(self, number: int, saved: int, cause: str, *, is_last: bool) -> None:
        """Note that a request failed, and whether that was the last attempt."""
        self._write({"failed": number, "saved": saved, "cause": cause, "last": is_last})

    def _write(self, line: dict[str, Any]) -> None:
        self._journal.append(line)
        self._add(line)

    def _add(self, line: dict[str, Any]) -> None:
        match line:
            case {"sent": _}:
                self._sent.append((line["run"], line["key"]))
                self._tokens[line["run"]] += line["tokens"]
            case {"received": number}:
                run, key = self._sent[number]
                self._tokens[run] -= line["saved"]
                found = Completion(line["text"], line["finish"], line["tokens"])
                self._answers[key] = ChatReply(found, retries=self._failures[key])
            case {"failed": number}:
                run, key = self._sent[number]
                self._tokens[run] -= line["saved"]
                self._failures[key] += 1
                if line["last"]:
                    self._answers[key] = ChatReply(None, line["cause"], self._failures[key] - 1)
            case _:
                raise LookupError("unknown line")


@contextmanager
def opened(path: Path) -> Iterator[ReplyCache]:
    """Lock a file of replies while it is used; make its folder. Raises `StoreError`."""
    with unusable(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path):
        yield ReplyCache(path)
