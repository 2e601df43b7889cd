"""Messages over a WebSocket: every message that is described, and every other."""

import json
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from attack.campaigns.fuzz.mutations import mutated_json
from attack.campaigns.fuzz.target import Target
from attack.campaigns.fuzz.targets.bodies import MATCHES, SHORT_OF_TIME
from attack.description import Json, Values, received_messages
from attack.in_process_app import Application, Connection

ANSWERS = ("done", "refused", "error", "pong", "welcome")
"""Each message after hello gets exactly one of these as its answer."""
CLOSED = {1008, 1013, 4403, 4429}
"""The codes with which a connection may be closed."""
COMMANDS = ("forfeit", "undo", "redo", "rematch", "accept", "decline", "claim", "call-off")


class Talk(NamedTuple):
    """What a client says: hello, and what follows."""

    match: int
    key: str
    hello: bytes | None
    """Sent instead of a valid hello."""
    said: list[bytes]
    is_binary: bool


class Messages(Target[Talk]):
    """Connections, answered in this process."""

    def __init__(self, folder: Path) -> None:
        """Start the application and make some matches."""
        super().__init__(folder)
        self._running = Application(folder, **SHORT_OF_TIME)
        self._document: Json = self._running.get("/asyncapi.json").json
        self._schemas = list(received_messages(self._document).values())

    def close(self) -> None:
        """Stop the application."""
        self._running.close()

    def make(self, rng: Random) -> Talk:
        """Say hello, and then a few things that are right, changed, or nonsense."""
        values = Values(self._document, rng, largest=False)
        corpus: list[Any] = [values.of(schema) for schema in self._schemas]
        for version in range(6):
            take = {"type": "take", "number": rng.randrange(2, 21), "sure": rng.random() < 0.5}
            command = take if rng.random() < 0.6 else {"type": rng.choice(COMMANDS)}
            corpus.append(
                {"type": "command", "id": version, "version": version, "command": command}
            )
        return Talk(
            match=rng.randrange(len(MATCHES)),
            key=rng.choice(("1", "1", "2", "watch", "x" * 24)),
            hello=mutated_json(rng, corpus[:1]) if rng.random() < 0.1 else None,
            said=[mutated_json(rng, corpus) for _ in range(rng.randrange(9))],
            is_binary=rng.random() < 0.05,
        )

    def check(self, given: Talk) -> str:
        """Say it all; each message is answered, or the connection is closed with a known code."""
        match = self._running.post("/api/matches", MATCHES[given.match]).json
        key = match["keys"].get(given.key, given.key)
        connection = Connection(self._running, f"/api/matches/{match['id']}/live")
        hello = given.hello or json.dumps({"type": "hello", "key": key}).encode()
        connection.send(hello.decode("utf-8", "replace"))
        first = connection.next()
        if first is None:
            assert connection.code in CLOSED, connection.code
            connection.close()
            return f"closed with {connection.code}"
        assert first["type"] == "welcome", first
        for said in given.said:
            connection.send(said if given.is_binary else said.decode("utf-8", "replace"))
            if not _is_answered(connection):
                break
        connection.close()
        assert connection.code is None or connection.code in CLOSED, connection.code
        assert (connection.code is not None) == (given.is_binary and bool(given.said))
        self._check_match(match, key)
        return "talked"

    def _check_match(self, match: Json, key: str) -> None:
        """Check that the match is still there, as seen by the player who talked."""
        seen = self._running.get(f"/api/matches/{match['id']}", key)
        assert seen.status == 200, seen.body
        assert seen.json["match"]["id"] == match["id"]


def _is_answered(connection: Connection) -> bool:
    """Read up to the answer of a message; tell whether the connection is still open."""
    while (told := connection.next()) is not None:
        if told["type"] in ANSWERS:
            assert told["type"] not in ("refused", "error") or told["reason"], told
            return True
    return False
