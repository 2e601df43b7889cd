"""The program of a bystander: someone at another address who plays while a server is attacked.

It is run as ``python -m attack.bystander_probe PORT PROCESS [HINTS]``, in a process of its own so
that the attackers do not slow it down, until its input ends. It prints a line of JSON for each
thing that it does: what it was, how many seconds it took or why it failed, and how many processes
compete with the server for this machine.
"""

import http.client
import json
import os
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from select import select
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.web.clients import after_step

ADDRESS = "127.0.0.9"
PAUSE = 0.2
SECONDS = 40.0
"""How long to wait for an answer."""
HERE = {"who": "here", "name": "Ann"}
FRIEND = {"who": "here", "name": "Bob"}
COMPUTER = {"who": "computer", "kind": "perfect"}


class Game:
    """A small game of the bystander's, over a WebSocket that stays open."""

    def __init__(self, client: "BystanderClient", opponent: dict[str, str]) -> None:
        wanted = {"game": "chain", "board": {"to": 8}, "players": [HERE, opponent]}
        created = json.loads(client.request("POST", "/api/matches", wanted))
        self.path, self.key = f"/api/matches/{created['id']}", created["keys"]["1"]
        self._port = client.port
        self._line: ClientConnection | None = None
        self.match: dict[str, Any] = {}

    def command(self, kind: str, **more: object) -> None:
        """Give a command, and wait until it is carried out. Raises `AssertionError` if not."""
        line = self._line or self._connect()
        command = {"type": kind, **more}
        said = {"type": "command", "id": 1, "version": self.match["version"], "command": command}
        line.send(json.dumps(said))
        told = self.next("done", "refused")
        assert told["type"] == "done", told

    def next(self, *kinds: str) -> dict[str, Any]:
        """Return the next message of one of these types."""
        assert self._line is not None
        while True:
            told: dict[str, Any] = json.loads(self._line.recv(SECONDS))
            is_step = told["type"] == "step"
            self.match = after_step(self.match, told) if is_step else told.get("match", self.match)
            assert told["type"] != "notice", told
            if told["type"] in kinds:
                return told

    def close(self) -> None:
        """Forget the WebSocket; the next command opens another."""
        if self._line is not None:
            with suppress(Exception):
                self._line.close()
        self._line = None

    def _connect(self) -> ClientConnection:
        raw = socket.create_connection(("127.0.0.1", self._port), SECONDS, (ADDRESS, 0))
        address = f"ws://127.0.0.1:{self._port}{self.path}/live"
        self._line = connect(address, sock=raw, open_timeout=SECONDS, close_timeout=1)
        self._line.send(json.dumps({"type": "hello", "key": self.key}))
        self.next("welcome")
        return self._line


class BystanderClient:
    """A player with two games, one with a friend and one against the computer."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._game, self._solo = Game(self, FRIEND), Game(self, COMPUTER)

    def request(self, method: str, path: str, body: Any = None, key: str = "") -> bytes:
        """Make a request on a new connection. Raises `OSError`, or `AssertionError` if refused."""
        line = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=SECONDS, source_address=(ADDRESS, 0)
        )
        headers = {"content-type": "application/json", "authorization": f"Bearer {key}"}
        try:
            line.request(method, path, None if body is None else json.dumps(body), headers)
            answer = line.getresponse()
            data = answer.read()
        finally:
            line.close()
        assert answer.status in (200, 201), f"{answer.status} {data[:200]!r}"
        return data

    def see_page(self) -> None:
        """Get the page."""
        self.request("GET", "/")

    def list_games(self) -> None:
        """Get something from the API."""
        self.request("GET", "/api/games")

    def see_match(self) -> None:
        """Get the match, which needs the key to be looked up."""
        self.request("GET", self._game.path, key=self._game.key)

    def move(self) -> None:
        """Make a move or take it back."""
        if self._game.match.get("turns"):
            self._game.command("undo")
        else:
            self._game.command("take", number=2)

    def play_computer(self) -> None:
        """Make a move, and wait for the computer's answer; take both back."""
        self._solo.command("take", number=8)
        while self._solo.match["to_move"] == 2:
            self._solo.next("step")
        self._solo.command("undo")

    def ask_for_hint(self) -> None:
        """Ask who wins on a tiny board."""
        self.request("POST", f"{self._game.path}/hint", {"step": 1}, self._game.key)

    def reconnect(self) -> None:
        """Open other connections for the next moves."""
        self._game.close()
        self._solo.close()


def competitors(server: int) -> int:
    """Return how many processes compute at this moment, without this one and the server's."""
    running = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):  # it has just ended
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
            process = int(stat.parent.name)
            ours = process in (server, os.getpid()) or int(parent) == server
            running += state == "R" and not ours
    return running


def probe(act: Callable[[], None], client: BystanderClient, server: int) -> dict[str, Any]:
    """Do something, and say how long it took."""
    others, at = competitors(server), time.perf_counter()
    failure = ""
    try:
        act()
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
        client.reconnect()
    seconds = time.perf_counter() - at
    return {
        "what": act.__name__,
        "seconds": seconds,
        "competitors": others,
        "failure": failure,
    }


def main() -> None:
    """Do one thing after the other, until standard input ends."""
    client, server = BystanderClient(int(sys.argv[1])), int(sys.argv[2])
    acts = [client.see_page, client.move, client.list_games, client.see_match]
    if "HINTS" in sys.argv[3:]:
        acts += [client.ask_for_hint, client.play_computer]
    while True:
        for act in acts:
            print(json.dumps(probe(act, client, server)), flush=True)
            if select([sys.stdin], [], [], PAUSE)[0]:
                return


if __name__ == "__main__":
    main()
