"""Every message over a WebSocket with every kind of key, in the first message and elsewhere."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from urllib.parse import urlencode

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from attack.campaign import Context
from attack.campaigns.keys.calls import wrong_places
from attack.campaigns.keys.expectations import MESSAGES, OPENS, actor
from attack.campaigns.keys.scenes import SCENES, Key, Scene
from attack.description import Json, Values, received_messages, resolve
from divisorduel.web.routes.websocket import REFUSED
from tests.web.clients import NO_TLS, Match

ANSWERS = ("done", "refused", "error", "pong")
SECONDS = 30.0


class Connections:
    """The WebSocket of a server, as it describes it."""

    def __init__(self, context: Context, url: str, other: Match) -> None:
        self._context, self._url, self._other = context, url, other
        described = httpx.get(f"{url}/asyncapi.json", verify=NO_TLS)
        self._document: Json = described.json()
        self._messages = received_messages(self._document)

    def try_all(self) -> None:
        """Send every message with every key in every state of a match."""
        for name in self._messages:
            with self._context.attempt("find what is expected of a message", message=name):
                assert name in MESSAGES, "Add it to attack/campaigns/keys/expectations.py"
        for make in SCENES:
            if not self._context.seconds_left:
                return
            with make(self._url, self._other) as scene:
                for key in scene.wrong():
                    self._try_refused(scene, key)
                self._try_wrong_places(scene)
                for key in scene.right():
                    self._try_welcome(scene, key)
            for at in range(len(scene.right())):
                for command in self.commands():
                    with make(self._url, self._other) as fresh:
                        self._try_command(fresh, fresh.right()[at], command)

    def commands(self) -> list[Json]:
        """Return a command of every type."""
        schema = resolve(self._document, self._messages["command"])
        choices = schema["properties"]["command"]["oneOf"]
        found: list[Json] = []
        for choice in (resolve(self._document, one) for one in choices):
            kind = choice["properties"]["type"]
            made = Values(self._document, Random(1), largest=False).of(choice)
            found += [{**made, "type": name} for name in kind.get("enum", [kind.get("const")])]
        return found

    def _try_refused(self, scene: Scene, key: Key) -> None:
        given = {"state": scene.name, "key": key.kind}
        for name, said in {"hello": {"type": "hello", "key": key.text}, **self._unasked()}.items():
            attempt = self._context.attempt("open a WebSocket", message=name, **given)
            with attempt, self._open(scene) as line:
                line.send(json.dumps(said))
                assert _closed_with(line) == REFUSED

    def _unasked(self) -> dict[str, Json]:
        """Return messages that a client could send without hello."""
        values = Values(self._document, Random(1), largest=False)
        return {n: values.of(schema) for n, schema in self._messages.items() if n != "hello"}

    def _try_wrong_places(self, scene: Scene) -> None:
        for place, more in wrong_places(scene).items():
            given = {"state": scene.name, "place": place}
            attempt = self._context.attempt("put a key in the wrong place", **given)
            with attempt, self._open(scene, **more) as line:
                line.send('{"type": "ping"}')
                assert _closed_with(line) == REFUSED

    def _try_welcome(self, scene: Scene, key: Key) -> None:
        """See that a key opens its seats, and that a connection cannot change its key."""
        given = {"state": scene.name, "key": key.kind}
        with self._context.attempt("say hello", **given), self._open(scene) as line:
            line.send(json.dumps({"type": "hello", "key": key.text}))
            assert _next(line, "welcome")["seats"] == OPENS[key.rights]
            line.send(json.dumps({"type": "hello", "key": scene.own}))
            assert _next(line, *ANSWERS)["type"] == "error"
            line.send('{"type": "ping"}')
            assert _next(line, *ANSWERS)["type"] == "pong"
            line.send(json.dumps(_command({"type": "decline"}, 0)))
            if key.rights == "watch":
                assert _next(line, *ANSWERS)["code"] == "spectator"

    def _try_command(self, scene: Scene, key: Key, command: Json) -> None:
        """Give a command: a spectator is refused, and a player acts for their own seat alone."""
        given = {"state": scene.name, "key": key.kind, "command": command["type"]}
        with self._context.attempt("give a command", **given), self._open(scene) as line:
            line.send(json.dumps({"type": "hello", "key": key.text}))
            before = _next(line, "welcome")["match"]
            if command["type"] == "take":
                command = {**command, "number": (before["legal"] or [8])[0]}
            line.send(json.dumps(_command(command, before["version"])))
            answer = _next(line, *ANSWERS, "step")
            if key.rights == "watch":
                assert answer["type"] == "refused", answer
                assert answer["code"] == "spectator", answer
            elif answer["type"] == "step":
                for event in answer["events"]:
                    by = actor(event, before)
                    assert by is None or by in OPENS[key.rights], event
            else:
                assert answer["type"] == "refused", answer

    @contextmanager
    def _open(self, scene: Scene, **more: Any) -> Iterator[ClientConnection]:
        query = urlencode(more.get("params", {}))
        headers: dict[str, str] = dict(more.get("headers", {}))
        protocol: Any = headers.pop("sec-websocket-protocol", None)
        address = f"{self._url.replace('http', 'ws', 1)}/api/matches/{scene.match.id}/live?{query}"
        with connect(
            address,
            open_timeout=SECONDS,
            close_timeout=5,
            additional_headers=headers,
            subprotocols=[protocol] if protocol else None,
        ) as line:
            yield line


def _command(command: Json, version: int) -> Json:
    return {"type": "command", "id": 1, "version": version, "command": command}


def _next(line: ClientConnection, *kinds: str) -> Json:
    """Return the next message of one of these types."""
    while True:
        told: Json = json.loads(line.recv(SECONDS))
        if told["type"] in kinds:
            return told


def _closed_with(line: ClientConnection) -> int:
    """Return the code with which the server closes a connection, without a message before it."""
    try:
        told = line.recv(SECONDS)
    except ConnectionClosed as error:
        return error.rcvd.code if error.rcvd else 1006
    raise AssertionError(f"told {told[:200]!r}")
