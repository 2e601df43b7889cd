"""A running server, and its clients: over HTTP and over a WebSocket."""

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.conftest import DUEL
from tests.polling import wait_until

Json = dict[str, Any]

NO_TLS = ssl.create_default_context()
"""Shared by all clients: no test uses TLS, but each new context takes a while to create."""

LIMITS = ("games", "connections", "requests", "commands")
NO_LIMITS = tuple(word for what in LIMITS for word in (f"--{what}-a-minute", "1000000"))
HERE: Json = {"who": "here", "name": "Ann"}
LINK: Json = {"who": "link"}
COMPUTER: Json = {"who": "computer", "kind": "3"}


class Server:
    """``duel serve`` as a separate process that prints to a file."""

    def __init__(self, database: str, folder: Path, *words: str) -> None:
        self.database = database
        self.port = 0
        self._folder = folder
        self._words = words
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL of the page, without the final slash."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        """The file with everything it has printed."""
        return self._folder / "server.log"

    @property
    def process(self) -> "subprocess.Popen[bytes]":
        """The process."""
        assert self._process is not None
        return self._process

    def start(self) -> Self:
        """Start it, and return when it answers."""
        told = self.log.stat().st_size if self.log.exists() else 0
        process = self.launch()
        for _ in wait_until("the server answers", 120):
            text = self.log.read_bytes()[told:].decode()
            if " at http://" in text and "\n" in text.partition(" at ")[2]:
                self.port = int(text.partition(" at http://")[2].split("/")[0].split(":")[-1])
                break
            assert process.poll() is None, text
        return self

    def launch(self) -> "subprocess.Popen[bytes]":
        """Start it, and return at once."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self._env()
            )
        return self._process

    def _command(self) -> list[str]:
        words = ["--no-open", "--port", str(self.port), "--database", self.database]
        return [DUEL, "serve", *words, *(self._words or NO_LIMITS)]

    def _env(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        return {**kept, "HOME": str(self._folder), "PYTHONPATH": os.pathsep.join(sys.path)}

    def kill(self) -> None:
        """Kill it, as a power failure would."""
        self.process.kill()
        self.process.wait(30)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask it to stop; return its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(30)

    def restart(self) -> Self:
        """Start it again on the same port after it has ended."""
        return self.start()

    def workers(self) -> list[int]:
        """Return the process ids of its solver workers."""
        found = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rpartition(")")[2].split()
            except OSError:  # it has just ended
                continue
            if int(fields[1]) == self.process.pid and fields[0] != "Z":
                found.append(int(status.parent.name))
        return found

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill()


class Client:
    """A client of the HTTP API, with or without a key."""

    def __init__(self, url: str, key: str | None = None) -> None:
        headers = {"authorization": f"Bearer {key}"} if key is not None else {}
        self.key = key
        self.url = url
        self.http = httpx.Client(base_url=url, headers=headers, timeout=60, verify=NO_TLS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        self.http.close()

    def get(self, path: str, status: int = 200) -> Any:
        """Get an answer of the API."""
        return self.call("GET", path, status)

    def post(self, path: str, status: int = 200, **body: Any) -> Any:
        """Post to the API and return its answer."""
        return self.call("POST", path, status, json=body)

    def call(self, method: str, path: str, status: int, **more: Any) -> Any:
        """Call the API. The answer must have this status, and an error must have a reason."""
        answer = self.http.request(method, f"/api{path}", **more)
        assert answer.status_code == status, answer.text
        if answer.headers["content-type"] != "application/json":
            return answer.text
        data = answer.json()
        if status >= 400:
            assert set(data) >= {"code", "reason"}
            assert data["code"]
            assert data["reason"]
        return data


class Guest(Client):
    """A player or spectator of a match."""

    def __init__(self, url: str, match_id: str, key: str | None) -> None:
        super().__init__(url, key)
        self.id = match_id

    @property
    def at(self) -> str:
        """The path of the match in the API."""
        return f"/matches/{self.id}"

    def see(self) -> Json:
        """Return the current match."""
        match: Json = self.get(self.at)["match"]
        return match

    def do(self, kind: str, status: int = 200, *, version: int | None = None, **more: Any) -> Json:
        """Send a command, made for the current version of the match unless another is given."""
        seen = self.see()["version"] if version is None else version
        command = {"type": kind, **more}
        answer: Json = self.post(f"{self.at}/commands", status, version=seen, command=command)
        return answer

    def take(self, number: int, status: int = 200, **more: Any) -> Json:
        """Take a number."""
        return self.do("take", status, number=number, **more)

    def listen(self) -> "Socket":
        """Connect by a WebSocket and say hello."""
        return Socket(self.url, self.id, self.key)


class Match:
    """A new match, and a guest for each of its keys.

    At first `two` is the guest with the key of the invitation. After `join`, `two` and the keys are
    those of the player who joined.
    """

    def __init__(self, url: str, created: Json) -> None:
        self.url = url
        self.id: str = created["id"]
        self.keys: dict[str, str | None] = created["keys"]
        self.first_view: Json = created["match"]
        self.one = Guest(url, self.id, self.keys["1"])
        self.two = self.invited = Guest(url, self.id, self.keys["2"])
        self.watch = Guest(url, self.id, self.keys["watch"])

    def join(self, name: str = "Bob", **more: Any) -> Json:
        """Join through the link and return the answer."""
        joined: Json = self.invited.post(f"{self.invited.at}/join", name=name, **more)
        self.keys["2"] = joined["key"]
        self.two = Guest(self.url, self.id, joined["key"])
        return joined

    def guest(self, seat: int) -> Guest:
        """Return the guest in a seat."""
        return self.one if seat == 1 else self.two

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        for guest in (self.one, self.two, self.invited, self.watch):
            guest.http.close()


def new_match(url: str, **wanted: Any) -> Match:
    """Create a match; by default chain 2-8, Ann against a player who joins by a link."""
    body = {"game": "chain", "board": {"to": 8}, "players": [HERE, LINK], **wanted}
    with Client(url) as client:
        return Match(url, client.post("/matches", 201, **body))


def joined_match(url: str, **wanted: Any) -> Match:
    """Create a match as `new_match` does, and join it as Bob."""
    match = new_match(url, **wanted)
    match.join()
    return match


def solo(url: str, **wanted: Any) -> Match:
    """Create a match as `new_match` does, but against a computer."""
    return new_match(url, **{"players": [HERE, COMPUTER], **wanted})


def my_turn(match: Match) -> Json:
    """Wait until it is Player 1's turn or the match is over, and return the match."""
    for _ in wait_until("the computer has moved"):
        if match.one.see()["to_move"] in (1, None):
            break
    return match.one.see()


def after_step(match: Json, step: Json) -> Json:
    """Return a match after a step, as docs/api.md says."""
    assert step["version"] == match["version"] + 1
    after = {**match, **step["changes"], "version": step["version"]}
    for name, numbers in step["added"].items():
        after[name] = [*match[name], *numbers]
    for name, numbers in step["removed"].items():
        after[name] = [number for number in match[name] if number not in numbers]
    return after


class Socket:
    """A guest with an open WebSocket."""

    def __init__(self, url: str, match_id: str, key: str | None, *, hello: bool = True) -> None:
        self._open = ExitStack()
        self.raw: ClientConnection = self._open.enter_context(
            connect(
                f"{url.replace('http', 'ws', 1)}/api/matches/{match_id}/live",
                open_timeout=30,
                close_timeout=5,
            )
        )
        self._last = 0
        self.match: Json = {}
        self.presence: Json = {}
        self.told: list[Json] = []
        """All messages received so far, in order."""
        if hello:
            self.send(type="hello", key=key)
            self.welcome = self.hear("welcome")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        self._open.close()

    def send(self, **message: Any) -> None:
        """Send a message."""
        self.raw.send(json.dumps(message))

    def next(self, seconds: float = 30) -> Json:
        """Return the next message."""
        message: Json = json.loads(self.raw.recv(timeout=seconds))
        self.told.append(message)
        if message["type"] == "step":
            message = {**message, "match": after_step(self.match, message)}
        self.match = message.get("match", self.match)
        self.presence = message.get("presence", self.presence)
        return message

    def hear(self, kind: str) -> Json:
        """Return the next message of a type."""
        while True:
            message = self.next()
            if message["type"] == kind:
                return message

    def ask(self, kind: str, version: int | None = None, **more: Any) -> int:
        """Send a command and return its number, without waiting for the answer."""
        self._last += 1
        seen = self.match["version"] if version is None else version
        command = {"type": kind, **more}
        self.send(type="command", id=self._last, version=seen, command=command)
        return self._last

    def answer(self, number: int) -> Json:
        """Return the answer to a command, after reading every message before it."""
        while True:
            message = self.next()
            if message.get("id") == number and message["type"] in ("done", "refused"):
                return message

    def do(self, kind: str, version: int | None = None, **more: Any) -> Json:
        """Send a command and return the answer."""
        return self.answer(self.ask(kind, version, **more))

    def closed_with(self) -> int:
        """Wait until the server closes the connection, and return the code."""
        try:
            while True:
                self.next()
        except ConnectionClosed as error:
            return error.rcvd.code if error.rcvd else 1006

    def drop(self) -> None:
        """Break the connection without a closing message."""
        self.raw.socket.shutdown(socket.SHUT_RDWR)
        self._open.close()
