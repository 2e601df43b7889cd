"""Our own server, used as docs/api.md describes."""

import json
import sys
from pathlib import Path
from typing import Any

from bench.load.clients import HttpClient, WebSocketClient
from bench.load.postgres import Cluster
from bench.load.processes import Server, free_port
from bench.load.scripted_games import OPENING, TO
from bench.load.system import Match, PlayError, Seat, System, check_taken

DUEL = Path(sys.executable).with_name("duel")
MATCH = {
    "game": "chain",
    "board": {"to": TO, "opening": OPENING},
    "players": [{"who": "here", "name": "Ann"}, {"who": "link"}],
    "first": "1",
    "rounds": 1,
    "then": "alternate",
    "undo": True,
    "hints": False,
    "listed": False,
}
LIMITS = ("games", "connections", "requests", "commands")
NO_LIMITS = (
    *(word for what in LIMITS for word in (f"--{what}-a-minute", "10000000")),
    *("--connections-per-address", "4000"),
)


class OurSeat(Seat):
    """A seat on our server."""

    def __init__(self) -> None:
        super().__init__()
        self.version = self.to_move = 0
        self._sent = 0
        self._socket: WebSocketClient

    async def connect(self, url: str, key: str) -> None:
        """Connect and wait for the welcome message."""
        self._socket = WebSocketClient(url, self._read, self.fail)
        await self._socket.open()
        welcome = self.expect("welcome", None)
        self._socket.send(json.dumps({"type": "hello", "key": key}))
        await welcome

    def command(self, command: dict[str, object], version: int) -> None:
        """Send a command for this version of the match."""
        self._sent += 1
        message = {"type": "command", "id": self._sent, "version": version, "command": command}
        self._socket.send(json.dumps(message))

    def leave(self) -> None:
        """Disconnect."""
        self._socket.close()

    def _read(self, text: str) -> None:
        message = json.loads(text)
        kind = message["type"]
        if kind == "welcome":
            self._update(message["match"])
            self.receive(kind, self.version)
        elif kind == "step":
            self._update({**message["changes"], "version": message["version"]})
            self.receive(kind, self.version)
        elif kind == "done":
            if message["id"] == self._sent:
                self.receive(kind, message["version"])
            else:
                self.fail(f"command {message['id']} was acknowledged, not {self._sent}")
        elif kind == "refused":
            self.fail(message["reason"])

    def _update(self, match: dict[str, Any]) -> None:
        """Note the fields that have changed."""
        self.version = match["version"]
        self.to_move = match.get("to_move", self.to_move)
        self.last = match.get("last", self.last)
        self.over = match.get("state", "over" if self.over else "") == "over"


class OurMatch(Match):
    """A match on our server."""

    def __init__(self, players: tuple[OurSeat, OurSeat]) -> None:
        self._players = players
        self._version = players[1].version

    async def take(self, number: int) -> float:
        """Send a move and wait for ``done``, which acknowledges it."""
        at = await self._command(
            self._players[0].to_move - 1, {"type": "take", "number": number, "sure": False}
        )
        check_taken(number, *self._players)
        return at

    async def play_again(self) -> None:
        """Continue in the same match as the page does: offer a rematch and accept it."""
        if not all(player.over for player in self._players):
            raise PlayError("the game is not over")
        await self._command(0, {"type": "rematch"})
        await self._command(1, {"type": "accept"})

    def leave(self) -> None:
        """Disconnect both players."""
        for player in self._players:
            player.leave()

    async def _command(self, by: int, command: dict[str, object]) -> float:
        sender, other = self._players[by], self._players[1 - by]
        self._version += 1
        done = sender.expect("done", self._version)
        seen = other.expect("step", self._version)
        sender.command(command, self._version - 1)
        at = await done
        await seen
        return at


class OurServer(System):
    """Our server with SQLite or with PostgreSQL."""

    def __init__(self, *, postgresql: bool) -> None:
        self.name = "postgresql" if postgresql else "sqlite"
        self.title = f"ours, {'PostgreSQL' if postgresql else 'SQLite'}"
        self._postgresql = postgresql
        self._cluster: Cluster | None = None
        self._server: Server | None = None

    async def start(self, folder: Path) -> None:
        """Start the server, and the PostgreSQL cluster if it needs one."""
        self._port = free_port()
        url = f"sqlite:///{folder / 'matches.sqlite'}"
        if self._postgresql:
            self._cluster = Cluster(folder)
            url = self._cluster.url
        here = ["--no-open", "--host", "127.0.0.1", "--port", str(self._port)]
        self._server = Server(
            [DUEL, "serve", *here, "--database", url, *NO_LIMITS],
            f":{self._port}",
            environment={"PYTHONUNBUFFERED": "1"},
        )
        self._http = HttpClient(self._port)

    async def create_match(self) -> OurMatch:
        """Create a match, let the other player join, and connect both players."""
        created = await self._http.post("/api/matches", MATCH)
        path, keys = f"/api/matches/{created['id']}", created["keys"]
        joined = await self._http.post(f"{path}/join", {"name": "Bob"}, keys["2"])
        players = OurSeat(), OurSeat()
        for player, key in zip(players, (keys["1"], joined["key"]), strict=True):
            await player.connect(f"ws://127.0.0.1:{self._port}{path}/live", key)
        return OurMatch(players)

    def cpu(self) -> float:
        """Return the CPU time of the server and its database."""
        return sum(each.cpu() for each in (self._server, self._cluster) if each)

    def stop(self) -> None:
        """Stop the server, then the database."""
        if self._server:
            self._http.close()
            self._server.stop()
        if self._cluster:
            self._cluster.stop()
        self._server = self._cluster = None
