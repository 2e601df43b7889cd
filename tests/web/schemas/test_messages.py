"""The WebSocket messages are those that the AsyncAPI document describes."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, get_args

import httpx
import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from divisorduel import Match, game
from divisorduel.play.commands import (
    Accept,
    Command,
    Decline,
    Forfeit,
    Redo,
    Rematch,
    Take,
    Undo,
)
from divisorduel.play.decide import decide
from divisorduel.play.events import (
    Closed,
    Declined,
    Forfeited,
    Joined,
    MoveUndone,
    NumberTaken,
    Offered,
    OfferKind,
    RoundBegan,
    RoundsAdded,
)
from divisorduel.play.match import State, Then
from divisorduel.play.players import KINDS
from divisorduel.store.rooms import StoredMatch
from divisorduel.web.schemas import messages
from divisorduel.web.schemas.problems import PROBLEMS
from divisorduel.web.schemas.responses import PresenceOut
from divisorduel.web.schemas.views import event_view, match_fields, match_view
from divisorduel.web.solving.fair_queue import ServerBusy
from divisorduel.web.solving.solver_pool import LimitExceeded
from tests.conftest import ALL_KEYS, examples, small_game
from tests.web.clients import (
    HERE,
    NO_TLS,
    Client,
    Json,
    Server,
    Socket,
    after_step,
    joined_match,
    new_match,
)
from tests.web.custom_server import custom_server

EVENTS = (
    NumberTaken(8), MoveUndone(8), Forfeited(2), Forfeited(1, away=True),
    RoundBegan(2), RoundsAdded(3), Joined(2, "Zoë"), Offered("undo", 1), Declined(2), Closed("off"),
)  # fmt: skip
ROOT = Path(__file__).parents[3]
PRESENCE = PresenceOut(present=(True, False), away=(None, 1.5), watchers=3, claim_after=120.0)


def stored(key: str) -> StoredMatch:
    match = Match.of(small_game(key), names=("Zoë", "李"))
    move = match.game.moves(match.current.position)[0]
    match = replace(match.after(NumberTaken(move)), apart=True, offer=Offered("undo", 1))
    return StoredMatch("m", match, "2026-11-15", hints=True, listed=False, created=1.0)


@pytest.mark.parametrize("key", ALL_KEYS)
def test_messages_are_what_their_models_would_write(key: str) -> None:
    after = stored(key)
    fields, shown = match_fields(after), match_view(after)
    events = [event_view(event, after.match) for event in EVENTS]
    step = messages.StepMessage.text(events, fields, fields)
    read = messages.StepMessage.model_validate_json(step)
    assert read.model_dump_json(exclude_unset=True) == step
    welcome = messages.WelcomeMessage.text([1, 2], shown.model_dump_json(), PRESENCE)
    whole = messages.WelcomeMessage(seats=[1, 2], match=shown, presence=PRESENCE)
    assert json.loads(welcome) == json.loads(whole.model_dump_json())
    done = messages.DoneMessage(id=(1 << 53) - 1, version=7).model_dump_json()
    assert messages.DoneMessage.text((1 << 53) - 1, 7) == done


def sent(some: StoredMatch) -> Json:
    """Return a match as a client sees it."""
    seen: Json = json.loads(match_view(some).model_dump_json())
    return seen


COMMANDS: tuple[Command, ...] = (Forfeit(), Undo(), Redo(), Rematch(), Accept(), Decline())


@pytest.mark.parametrize("key", ALL_KEYS)
@settings(max_examples=examples(20))
@given(choose=st.randoms(use_true_random=False))
def test_a_client_that_applies_every_step_sees_the_whole_match(key: str, choose: Random) -> None:
    match = Match.of(small_game(key), rounds=2)
    before = StoredMatch("m", match, "2026-11-15", hints=True, listed=False, created=1.0)
    seen = sent(before)
    for _ in range(30):
        moves = before.match.game.moves(before.match.current.position)
        take = [Take(choose.choice(moves))] if moves else []
        command = choose.choice([*take * 8, *COMMANDS])
        decision = decide(before.match, before.match.current.to_move, command)
        if not decision.applied:
            continue
        after = replace(before, match=decision.match)
        events = [event_view(event, so_far) for event, so_far in decision.applied]
        step = messages.StepMessage.text(events, match_fields(before), match_fields(after))
        if messages.is_plain_move(before.match, decision.events, after.match):
            short = json.loads(messages.StepMessage.text_of_move(before.match, after.match))
            assert short["events"] == json.loads(step)["events"]
            assert after_step(seen, short) == sent(after)
        seen = after_step(seen, json.loads(step))
        assert seen == sent(after)
        before = after


def test_the_message_of_a_step_is_short_even_on_a_large_board() -> None:
    match = Match.of(game("divider", to=900))
    before = StoredMatch("m", match, "2026-11-15", hints=True, listed=False, created=1.0)
    after = replace(before, match=decide(match, 1, Take(701)).match)
    step = messages.StepMessage.text([], match_fields(before), match_fields(after))
    assert json.loads(step)["removed"] == {"legal": [701], "playable": [701]}
    assert len(step) < len(match_view(after).model_dump_json()) / 10
    move = messages.StepMessage.text_of_move(before.match, after.match)
    assert json.loads(move)["removed"] == {"legal": [701], "playable": [701]}


# --- the document


@pytest.fixture(scope="module")
def described(web: Server) -> Json:
    """Return the AsyncAPI document that the server sends."""
    told: Json = httpx.get(f"{web.url}/asyncapi.json", verify=NO_TLS).json()
    return told


def resolve(document: Any, reference: str) -> Any:
    for part in reference.removeprefix("#/").split("/"):
        document = document[part]
    return document


def references_in(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for one in part:
            yield from references_in(one)


def test_the_document_has_the_shape_of_asyncapi_3(described: Json) -> None:
    assert described["asyncapi"] == "3.0.0"
    assert set(described["info"]) >= {"title", "version"}
    [channel] = described["channels"].values()
    assert channel["address"] == "/api/matches/{id}/live"
    assert list(channel["parameters"]) == ["id"]
    told = described["components"]["messages"]
    assert list(channel["messages"]) == list(told)
    for name, message in told.items():
        assert message["summary"]
        payload = resolve(described, message["payload"]["$ref"])
        assert payload["properties"]["type"]["const"] == name
    for action, operation in described["operations"].items():
        assert operation["action"] == action
        assert resolve(described, operation["channel"]["$ref"]) is channel
        for message in operation["messages"]:
            assert message["$ref"].startswith("#/channels/match/messages/")
    references = set(references_in(described))
    assert references
    for reference in references:
        assert resolve(described, reference)
    # AsyncAPI does not have the discriminators of OpenAPI.
    assert "discriminator" not in json.dumps(described)


def test_the_document_lists_every_message_once(described: Json) -> None:
    names = {
        action: [message["$ref"].rpartition("/")[2] for message in operation["messages"]]
        for action, operation in described["operations"].items()
    }
    assert names == {
        "receive": ["hello", "command", "ping", "sync"],
        "send": ["welcome", "step", "presence", "done", "refused", "error", "notice", "pong"],
    }


def check(described: Json, operation: str, said: Json) -> None:
    """Check that a message matches the document and has no other fields."""
    [schema] = [
        resolve(described, message["payload"]["$ref"])
        for reference in described["operations"][operation]["messages"]
        for message in [resolve(described, resolve(described, reference["$ref"])["$ref"])]
        if message["name"] == said["type"]
    ]
    whole = {**schema, "components": described["components"]}
    jsonschema_rs.validate(whole, said)
    assert set(said) <= set(schema["properties"])


class RecordingSocket(Socket):
    """A client that records what it sends."""

    sent: list[Json]

    def send(self, **message: Any) -> None:
        self.__dict__.setdefault("sent", []).append(message)
        super().send(**message)


@pytest.mark.thorough
def test_every_message_of_a_real_session_matches_the_document(
    described: Json, tmp_path: Path
) -> None:
    sockets: list[RecordingSocket] = []

    def connect(match_id: str, key: str | None) -> RecordingSocket:
        sockets.append(RecordingSocket(server.url, match_id, key))
        return sockets[-1]

    no_time = -1 / 3
    with custom_server(tmp_path, thinking=no_time) as server:
        with (
            joined_match(server.url, rounds=2) as match,
            connect(match.id, match.keys["1"]) as ann,
            connect(match.id, match.keys["2"]) as bob,
            connect(match.id, match.keys["watch"]) as watcher,
        ):
            assert watcher.do("undo")["code"] == "spectator"
            assert ann.do("take", number=9)["code"]
            assert ann.do("take", number=8)["type"] == "done"
            ann.do("undo")
            bob.do("decline", 3)
            ann.do("undo", 4)
            bob.do("accept", 5)
            for side, version in ((ann, 6), (bob, 7)):
                side.do("forfeit", version)
            ann.do("rematch", 8)
            bob.do("rematch", 9)
            ann.send(type="ping")
            ann.send(type="sync")
            ann.hear("pong")
            ann.send(type="nonsense")
            assert ann.hear("error")["code"] == "invalid-message"
            ann.sent.pop()
            while bob.match["version"] < 10:
                bob.next()
        players = [HERE, {"who": "computer", "kind": "perfect"}]
        with (
            new_match(server.url, board={"to": 50}, players=players) as match,
            connect(match.id, match.keys["1"]) as ann,
        ):
            ann.do("take", number=8)
            ann.hear("notice")
        with (
            new_match(server.url, game="descent", board={"number": 72}) as match,
            connect(match.id, match.keys["1"]) as host,
        ):
            match.join()
            host.hear("step")
            assert host.do("take", number=7)["asks"]
            host.do("take", number=7, sure=True)
        with (
            new_match(server.url) as match,
            connect(match.id, match.keys["1"]) as host,
        ):
            host.do("call-off")
    for socket in sockets:
        for said in socket.sent:
            check(described, "receive", said)
        for told in socket.told:
            check(described, "send", told)
    heard = [message for socket in sockets for message in socket.told]
    assert {message["type"] for message in heard} == {
        "welcome", "step", "presence", "done", "refused", "error", "notice", "pong",
    }  # fmt: skip
    events = {event["type"] for one in heard if one["type"] == "step" for event in one["events"]}
    assert events == {
        "number-taken", "move-undone", "forfeited", "round-began", "rounds-added", "joined",
        "offered", "declined", "closed",
    }  # fmt: skip
    assert {said["type"] for socket in sockets for said in socket.sent} == {
        "hello", "command", "ping", "sync",
    }  # fmt: skip


def test_the_guide_lists_every_code() -> None:
    guide = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    for code in (*PROBLEMS, ServerBusy.code, LimitExceeded.code):
        assert f"`{code}`" in guide


# --- the lists


def test_the_server_lists_the_options_as_they_are_defined(web: Server) -> None:
    with Client(web.url) as client:
        options = client.get("/options")
        described = client.http.get("/openapi.json").json()["components"]["schemas"]
    assert ["human", *options["computers"]] == list(KINDS)
    assert options["then"] == list(get_args(Then))
    assert options["states"] == list(get_args(State))
    assert options["offers"] == list(get_args(OfferKind))
    commands = [described[name]["properties"]["type"] for name in ("TakeIn", "SimpleCommandIn")]
    assert options["commands"] == [commands[0]["const"], *commands[1]["enum"]]
    who = described["NewMatch"]["properties"]["players"]["items"]["discriminator"]["mapping"]
    assert sorted(options["players"]) == sorted(who)
    assert described["Computer"]["properties"]["kind"]["enum"] == options["computers"]
    assert described["NewMatch"]["properties"]["first"]["enum"] == options["first"]
