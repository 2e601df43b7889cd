"""Clocks that jump: an hour forward, an hour back, and a machine that sleeps for an hour."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attack.campaign import Context
from attack.servers import NO_LIMITS, sqlite_in
from attack.shifted_clock import ShiftedServer
from tests.polling import wait_until
from tests.web.clients import Client, Match, joined_match, new_match

HOUR = 3_600.0
CLAIM_AFTER = 4.0
TOO_EARLY = "claim-too-early"


def an_hour_forward(context: Context) -> None:
    """Check that a clock that jumps forward makes no one absent."""
    _jump(context, HOUR)


def an_hour_back(context: Context) -> None:
    """Check that a clock that jumps back makes no one present."""
    _jump(context, -HOUR)


def a_machine_that_sleeps(context: Context) -> None:
    """Check that an hour in which the server did not run does not count as absence."""
    _jump(context, HOUR, monotonic=HOUR)


def _jump(context: Context, system: float, monotonic: float = 0.0) -> None:
    for check in (_while_both_play, _after_one_has_left, _while_one_waits):
        with _served(context) as server:
            check(server, lambda: server.set_clocks(system, monotonic))


def _while_both_play(server: ShiftedServer, jump: Callable[[], None]) -> None:
    """Play on; no game can be claimed from a player who is present."""
    with (
        joined_match(server.url) as match,
        match.one.listen() as ann,
        match.two.listen() as bob,
    ):
        assert ann.do("take", number=8)["type"] == "done"
        jump()
        assert bob.do("take", number=4, version=2)["type"] == "done"
        assert _claim(match) == TOO_EARLY, "a game was claimed from a player who is present"


def _after_one_has_left(server: ShiftedServer, jump: Callable[[], None]) -> None:
    """Claim the game: this is refused until the opponent has really been away long enough."""
    with joined_match(server.url) as match, match.one.listen() as ann:
        with match.two.listen():
            assert ann.do("take", number=8)["type"] == "done"
        while ann.presence["present"][1]:
            ann.hear("presence")
        left = time.monotonic()
        jump()
        code = _claim(match)
        away = time.monotonic() - left
        assert code == TOO_EARLY or away >= CLAIM_AFTER, (
            f"the game was claimed {away:.1f} s after the opponent left, not {CLAIM_AFTER:g} s"
        )
        for _ in wait_until("the game can be claimed", 90):
            if _claim(match) != TOO_EARLY:
                break


def _while_one_waits(server: ShiftedServer, jump: Callable[[], None]) -> None:
    """Look for an open game: it is in the list, and can be joined."""
    with (
        new_match(server.url, listed=True) as waiting,
        waiting.one.listen(),
        Client(server.url) as stranger,
    ):
        jump()
        for _ in wait_until("the open game is listed", 90):
            if waiting.id in [one["id"] for one in stranger.get("/matches")]:
                break
        joined = stranger.post(f"/matches/{waiting.id}/join", name="Bob")
        assert joined["match"]["state"] == "playing"


def _claim(match: Match) -> str:
    """Claim the game for Player 1; return the code of the refusal, empty if it was accepted."""
    command = {"version": match.one.see()["version"], "command": {"type": "claim"}}
    answer = match.one.http.post(f"/api{match.one.at}/commands", json=command)
    assert answer.status_code in (200, 409), answer.text
    return str(answer.json().get("code", ""))


@contextmanager
def _served(context: Context) -> Iterator[ShiftedServer]:
    folder = context.folder("server")
    words = (*NO_LIMITS, "--claim-after", f"{CLAIM_AFTER:g}")
    with ShiftedServer(sqlite_in(folder), folder, *words) as server:
        yield server
