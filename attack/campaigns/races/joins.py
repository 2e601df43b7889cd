"""Many join one match at the same instant, or one joins while the host calls it off."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

from tests.web.clients import Client, new_match

MANY = 8
TAKEN = 409, "Someone else took the seat first."
NO_LONGER_VALID = 403, "This link is no longer valid. Ask for a new one."

Answer = tuple[int, Any]
"""The status and the body of an answer."""


def join_together(urls: Sequence[str], way: str) -> None:
    """Let many join at once, through "the list" or "the link": exactly one gets the seat."""
    with new_match(urls[0], listed=True) as match:
        key = match.invited.key if way == "the link" else None
        together = Barrier(MANY)

        def join(number: int) -> Answer:
            with Client(urls[number % len(urls)], key) as client:
                body = {"name": f"Guest {number}"}
                return _post(client, f"/matches/{match.id}/join", body, together)

        answers = _all([partial(join, number) for number in range(MANY)])
        won = [answer for status, answer in answers if status == 200]
        assert len(won) == 1, f"{len(won)} players got the seat: {answers}"
        # A late caller with the link finds that it is no longer valid.
        expected = [TAKEN, NO_LONGER_VALID] if key else [TAKEN]
        others = [(status, answer["reason"]) for status, answer in answers if status != 200]
        assert all(one in expected for one in others), f"unexpected answers: {others}"
        assert won[0]["match"]["names"] == match.one.see()["names"]
        for url in urls:
            with Client(url, won[0]["key"]) as winner:
                assert winner.get(f"/matches/{match.id}")["seats"] == [2]


def join_while_called_off(urls: Sequence[str]) -> None:
    """Call a match off while another player joins: one of them succeeds."""
    with new_match(urls[0]) as match:
        together = Barrier(2)
        with Client(urls[-1], match.invited.key) as bob, Client(urls[0], match.one.key) as ann:
            off = {"version": 0, "command": {"type": "call-off"}}
            commands, join = f"/matches/{match.id}/commands", f"/matches/{match.id}/join"
            answers = _all(
                [
                    lambda: _post(ann, commands, off, together),
                    lambda: _post(bob, join, {"name": "Bob"}, together),
                ]
            )
        statuses = [status for status, _ in answers]
        assert sorted(statuses) in ([200, 403], [200, 409]), f"both or neither succeeded: {answers}"
        seen = [match.one.see()["state"]]
        assert seen == ["off" if statuses[0] == 200 else "playing"], f"{seen} after {statuses}"


def _post(client: Client, path: str, body: dict[str, Any], together: Barrier) -> Answer:
    client.get("/options")  # so that the connection is open
    together.wait(60)
    answer = client.http.post(f"/api{path}", json=body)
    return answer.status_code, answer.json()


def _all(calls: Sequence[Callable[[], Answer]]) -> list[Answer]:
    with ThreadPoolExecutor(len(calls)) as threads:
        return [done.result() for done in [threads.submit(call) for call in calls]]
