"""The boardgame.io server, used as its own client uses it: a REST lobby, then socket.io."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from bench.load.clients import HttpClient, WebSocketClient
from bench.load.processes import Server, ServerError, free_port
from bench.load.system import Match, PlayError, Seat, System, check_taken

HERE = Path(__file__).with_name("boardgame")
"""Its package.json pins koa-compose to 4.1.0: with 4.2.0 the lobby answers 404 to everything."""
GAME = "chain"


class BoardgameIoSeat(Seat):
    """A seat at boardgame.io, which speaks Engine.IO 4 and socket.io 5."""

    def __init__(self, number: str) -> None:
        super().__init__()
        self.number = number
        self.match = self.credentials = ""
        self._socket: WebSocketClient

    async def connect(self, port: int) -> None:
        """Connect to the namespace of the game."""
        url = f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
        joined = self.expect("connect", 0)
        self._socket = WebSocketClient(url, self._read, self.fail)
        await self._socket.open()
        await joined

    async def sit(self, match: str, credentials: str) -> None:
        """Join a match and leave the previous one."""
        self.match, self.credentials, self.over = match, credentials, False
        synced = self.expect("sync", 0)
        self._emit("sync", match, self.number, credentials, 2)
        await synced

    def take(self, number: int, version: int) -> None:
        """Send a move for this version of the state."""
        payload = {
            "type": "take",
            "args": [number],
            "playerID": self.number,
            "credentials": self.credentials,
        }
        action = {"type": "MAKE_MOVE", "payload": payload}
        self._emit("update", action, version, self.match, self.number)

    def leave(self) -> None:
        """Disconnect."""
        self._socket.close()

    def _emit(self, *event: object) -> None:
        self._socket.send(f"42/{GAME},{json.dumps(event)}")

    def _read(self, text: str) -> None:
        if text.startswith(f"42/{GAME},"):
            self._handle_event(json.loads(text[len(GAME) + 4 :]))
        elif text == "2":  # a ping
            self._socket.send("3")
        elif text.startswith("0"):
            self._socket.send(f"40/{GAME},")
        elif text.startswith(f"40/{GAME},"):
            self.receive("connect", 0)
        else:
            self.fail(f"boardgame.io sent {text}")

    def _handle_event(self, event: list[Any]) -> None:
        kind, match = event[0], event[1]
        if match != self.match or kind not in ("sync", "update"):
            return
        state = event[2]["state"] if kind == "sync" else event[2]
        self.over = "gameover" in state["ctx"]
        self.last = state["G"]["taken"][-1] if state["G"]["taken"] else None
        self.receive(kind, state["_stateID"])


class BoardgameIoMatch(Match):
    """A match on boardgame.io."""

    def __init__(self, lobby: HttpClient, players: tuple[BoardgameIoSeat, BoardgameIoSeat]) -> None:
        self._lobby, self._players = lobby, players
        self._version = self._turn = 0

    async def sit(self, match: str) -> None:
        """Let both players join a match, one after the other: FlatFile loses concurrent joins."""
        credentials = []
        for player in self._players:
            body = {"playerID": player.number, "playerName": f"Player {player.number}"}
            joined = await self._lobby.post(f"/games/{GAME}/{match}/join", body)
            credentials.append(joined["playerCredentials"])
        for player, secret in zip(self._players, credentials, strict=True):
            await player.sit(match, secret)
        self._version = self._turn = 0

    async def take(self, number: int) -> float:
        """Send a move and wait for the broadcast of the new state, which acknowledges it."""
        mover, opponent = self._players[self._turn], self._players[1 - self._turn]
        self._version += 1
        done = mover.expect("update", self._version)
        seen = opponent.expect("update", self._version)
        mover.take(number, self._version - 1)
        at = await done
        await seen
        self._turn = 1 - self._turn
        check_taken(number, mover, opponent)
        return at

    async def play_again(self) -> None:
        """Start the next match on the same connections, as the client of boardgame.io does."""
        player = self._players[0]
        if not all(each.over for each in self._players):
            raise PlayError(f"the game of match {player.match} is not over")
        body = {"playerID": player.number, "credentials": player.credentials}
        answer = await self._lobby.post(f"/games/{GAME}/{player.match}/playAgain", body)
        await self.sit(answer["nextMatchID"])

    def leave(self) -> None:
        """Disconnect both players."""
        for player in self._players:
            player.leave()


class BoardgameIo(System):
    """boardgame.io with in-memory storage or with FlatFile."""

    def __init__(self, modules: Path, *, flat_file: bool) -> None:
        """`modules` is the folder that `install` returned."""
        self.name = "boardgame-flatfile" if flat_file else "boardgame-memory"
        self.title = f"boardgame.io, {'FlatFile' if flat_file else 'in memory'}"
        self._modules, self._flat_file = modules, flat_file
        self._server: Server | None = None

    async def start(self, folder: Path) -> None:
        """Start the server in production mode with default settings."""
        self._port = free_port()
        folders = [folder / "matches"] if self._flat_file else []
        self._server = Server(
            ["node", "server.js", str(self._port), *folders],
            "ready",
            environment={"NODE_ENV": "production"},
            folder=self._modules,
        )
        self._lobby = HttpClient(self._port)

    async def create_match(self) -> BoardgameIoMatch:
        """Create a match in the lobby, join it and connect both players."""
        players = BoardgameIoSeat("0"), BoardgameIoSeat("1")
        for player in players:
            await player.connect(self._port)
        created = await self._lobby.post(f"/games/{GAME}/create", {"numPlayers": 2})
        match = BoardgameIoMatch(self._lobby, players)
        await match.sit(created["matchID"])
        return match

    def cpu(self) -> float:
        """Return the CPU time of the Node.js process."""
        return self._server.cpu() if self._server else 0.0

    def stop(self) -> None:
        """Stop the server."""
        if self._server:
            self._lobby.close()
            self._server.stop()


def install(folder: Path) -> Path:
    """Install boardgame.io into a folder if necessary, and return the folder."""
    lock, done = "package-lock.json", folder / "installed.json"
    content = (HERE / lock).read_bytes()
    if not done.exists() or done.read_bytes() != content:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for file in ("package.json", lock):
            shutil.copy(HERE / file, folder)
        command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if ran.returncode:
            raise ServerError(f"Installing boardgame.io failed. Output of npm:\n{ran.stderr}")
        done.write_bytes(content)
    for file in ("chain.js", "server.js"):
        shutil.copy(HERE / file, folder)
    return folder
