"""Two clients act in any order and see the same game: no move is duplicated or lost."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from divisorduel import read_records
from tests.conftest import examples
from tests.web.clients import Guest, Json, Match, Server, Socket, joined_match

Action = tuple[int, str, int]
"""The player, the kind of action, and a number to choose between several moves."""

KINDS = (
    "take", "take", "take", "take twice", "take blindly", "take late", "undo", "accept", "decline",
    "rematch", "forfeit", "drop", "leave", "listen",
)  # fmt: skip

actions: st.SearchStrategy[list[Action]] = st.lists(
    st.tuples(st.sampled_from([1, 2]), st.sampled_from(KINDS), st.integers(0, 7)), max_size=25
)


class Side:
    """A player whose connection may be lost, and whose commands may not be answered yet."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.socket: Socket | None = None
        self.acknowledged: list[int] = []
        """The versions that the commands of this player led to."""
        self._unanswered: list[int] = []

    def line(self) -> Socket:
        """Return the connection, or a new one if it was lost."""
        if self.socket is None:
            self.socket = self.guest.listen()
        return self.socket

    def ask(self, kind: str, version: int | None = None, **more: Any) -> None:
        """Send a command, and do not wait for the answer."""
        self._unanswered.append(self.line().ask(kind, version, **more))

    def settle(self) -> None:
        """Wait for the answers to all commands."""
        for number in self._unanswered:
            answer = self.line().answer(number)
            if answer["type"] == "done":
                self.acknowledged.append(answer["version"])
        self._unanswered.clear()

    def hang_up(self, *, rudely: bool) -> None:
        """Close the connection, and forget the commands that are not answered yet."""
        if self.socket is not None:
            self.socket.drop() if rudely else self.socket.__exit__(None, None, None)
        self.socket = None
        self._unanswered.clear()

    def catch_up(self, version: int) -> Json:
        """Listen until the match reaches a version, and return the match."""
        while self.line().match["version"] < version:
            self.line().next()
        return self.line().match


def act(side: Side, kind: str, choice: int) -> None:
    if kind in ("drop", "leave"):
        side.hang_up(rudely=kind == "drop")
        return
    match = side.line().match
    legal = match["legal"] or [2]
    number = legal[choice % len(legal)]
    if kind.startswith("take"):
        number = choice + 2 if kind == "take blindly" else number
        late = match["version"] - choice if kind == "take late" else match["version"]
        for _ in range(2 if kind == "take twice" else 1):
            side.ask("take", max(late, 0), number=number)
    elif kind == "listen":
        side.settle()
    else:
        side.ask(kind)


def numbers_of(events: list[Json]) -> tuple[list[list[int]], int]:
    """Replay the events. Return the numbers of each round, and how many rounds there are."""
    rounds: list[list[int]] = [[]]
    for event in events:
        if event["type"] == "number-taken":
            rounds[-1].append(event["number"])
        elif event["type"] == "round-began":
            rounds.append([])
        elif event["type"] == "move-undone":
            if not rounds[-1]:
                rounds.pop()
            assert rounds[-1].pop() == event["number"]
    return rounds, len(rounds)


def outdate_commands(match: Match) -> None:
    """Advance the match, so that commands of lost connections, still on their way, are refused."""
    done = False
    while not done:
        seen = match.one.see()
        idle = "decline" if seen["offer"] else "rematch"
        kind = "forfeit" if seen["state"] == "playing" else idle
        body = {"version": seen["version"], "command": {"type": kind}}
        answer = match.one.http.post(f"/api{match.one.at}/commands", json=body)
        assert answer.status_code in (200, 409), answer.text
        done = answer.status_code == 200


def check(match: Match, sides: tuple[Side, Side], history: Callable[[], list[Json]]) -> None:
    """Check that both players see the same as spectators and the record."""
    for side in sides:
        side.settle()
    outdate_commands(match)
    seen = match.watch.see()
    assert [side.catch_up(seen["version"]) for side in sides] == [seen, seen]
    for side in sides:
        with side.guest.listen() as fresh:
            assert fresh.match == seen
    records = read_records(match.watch.get(f"{match.watch.at}/record"))
    assert list(records[-1].moves) == seen["turns"]
    done = sorted(sides[0].acknowledged + sides[1].acknowledged)
    assert len(done) == len(set(done)), "two commands led to one version"
    assert all(version <= seen["version"] for version in done)
    rounds, count = numbers_of(history())
    assert count == seen["round"] == len(records)
    assert rounds == [list(record.moves) for record in records]


@pytest.mark.thorough
@settings(
    max_examples=examples(40),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(script=actions, rounds=st.integers(1, 2))
def test_two_clients_see_one_game_whatever_they_do(
    server: Server, script: list[Action], rounds: int
) -> None:
    with joined_match(server.url, rounds=rounds) as match, ExitStack() as open_lines:
        watcher = open_lines.enter_context(match.watch.listen())
        sides = Side(match.one), Side(match.two)
        for side in sides:
            open_lines.callback(side.hang_up, rudely=False)
        for who, kind, choice in script:
            act(sides[who - 1], kind, choice)

        def history() -> list[Json]:
            version = match.watch.see()["version"]
            while watcher.match["version"] < version:
                watcher.next()
            steps = [told for told in watcher.told if told["type"] == "step"]
            versions = [told["version"] for told in steps]
            assert versions == list(range(2, 2 + len(versions))), "a step was duplicated or lost"
            return [event for told in steps for event in told["events"]]

        check(match, sides, history)


@pytest.mark.both_databases
def test_a_command_that_is_sent_twice_is_carried_out_once(server: Server) -> None:
    with joined_match(server.url) as match, match.one.listen() as ann:
        numbers = [ann.ask("take", number=8) for _ in range(2)]
        answers = [ann.answer(number) for number in numbers]
        assert [answer["type"] for answer in answers] == ["done", "refused"]
        assert answers[1]["reason"] == "The game has changed. Check the board and try again."
        assert match.one.see()["turns"] == [8]


def test_a_step_is_broadcast_before_it_is_acknowledged(
    server: Server,
) -> None:
    with joined_match(server.url) as match, match.one.listen() as ann, match.two.listen() as bob:
        assert ann.do("take", number=8)["type"] == "done"
        assert [told["type"] for told in ann.told if told["type"] != "presence"] == [
            "welcome",
            "step",
            "done",
        ]
        step = bob.hear("step")
        assert step["events"] == [{"type": "number-taken", "number": 8, "again": False}]
        assert step["match"] == match.watch.see()


def test_a_command_sent_before_the_connection_is_lost_is_never_half_done(
    server: Server,
) -> None:
    with joined_match(server.url, rounds=3) as match:
        for _ in range(10):
            before = match.watch.see()
            side = Side(match.guest(before["to_move"] or 1))
            side.line()
            side.ask("take", number=(before["legal"] or [2])[0])
            side.hang_up(rudely=True)
            after = match.guest(1).see()
            assert after["version"] - before["version"] in (0, 1)
            if after["round"] == before["round"]:
                gained = len(after["turns"]) - len(before["turns"])
                assert gained == after["version"] - before["version"]
