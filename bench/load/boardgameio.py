"""boardgame.io's server, spoken to as its own client does: a REST lobby, then socket.io."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from bench.load.clients import Http, Wire
from bench.load.processes import Server, ServerError, free_port
from bench.load.system import PlayError, Seat, System, Table, check_taken

HERE = Path(__file__).with_name("boardgame")
"""Its package.json keeps koa-compose at 4.1.0, since with 4.2.0 the lobby answers 404 to all."""
GAME = "chain"


class Player(Seat):
    """A seat at boardgame.io. The frames are those of Engine.IO 4 and socket.io 5."""

    def __init__(self, number: str) -> None:
        super().__init__()
        self.number = number
        self.match = self.credentials = ""
        self._wire: Wire

    async def connect(self, port: int) -> None:
        """Connect to the game's namespace."""
        url = f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
        joined = self.expect("connect", 0)
        self._wire = Wire(url, self._read, self.fail)
        await self._wire.open()
        await joined

    async def sit(self, match: str, credentials: str) -> None:
        """Take part in a match, in place of the last one."""
        self.match, self.credentials, self.over = match, credentials, False
        synced = self.expect("sync", 0)
        self._emit("sync", match, self.number, credentials, 2)
        await synced

    def take(self, number: int, version: int) -> None:
        """Take a number, in the state of that version."""
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
        self._wire.close()

    def _emit(self, *words: object) -> None:
        self._wire.send(f"42/{GAME},{json.dumps(words)}")

    def _read(self, text: str) -> None:
        if text.startswith(f"42/{GAME},"):
            self._told(json.loads(text[len(GAME) + 4 :]))
        elif text == "2":  # a ping
            self._wire.send("3")
        elif text.startswith("0"):
            self._wire.send(f"40/{GAME},")
        elif text.startswith(f"40/{GAME},"):
            self.hear("connect", 0)
        else:
            self.fail(f"boardgame.io says {text}")

    def _told(self, words: list[Any]) -> None:
        what, match = words[0], words[1]
        if match != self.match or what not in ("sync", "update"):
            return
        state = words[2]["state"] if what == "sync" else words[2]
        self.over = "gameover" in state["ctx"]
        self.last = state["G"]["taken"][-1] if state["G"]["taken"] else None
        self.hear(what, state["_stateID"])


class BoardgameTable(Table):
    """A match of boardgame.io."""

    def __init__(self, lobby: Http, players: tuple[Player, Player]) -> None:
        self._lobby, self._players = lobby, players
        self._version = self._turn = 0

    async def sit(self, match: str) -> None:
        """Let both join a match, one after the other: FlatFile would lose one of two at once."""
        credentials = []
        for player in self._players:
            words = {"playerID": player.number, "playerName": f"Player {player.number}"}
            joined = await self._lobby.post(f"/games/{GAME}/{match}/join", words)
            credentials.append(joined["playerCredentials"])
        for player, secret in zip(self._players, credentials, strict=True):
            await player.sit(match, secret)
        self._version = self._turn = 0

    async def take(self, number: int) -> float:
        """Take a number; the broadcast of the new state acknowledges it."""
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
        """Go on in the next match, on the same connections, as boardgame.io's client does."""
        player = self._players[0]
        if not all(each.over for each in self._players):
            raise PlayError(f"the game of match {player.match} is not over")
        words = {"playerID": player.number, "credentials": player.credentials}
        answer = await self._lobby.post(f"/games/{GAME}/{player.match}/playAgain", words)
        await self.sit(answer["nextMatchID"])

    def leave(self) -> None:
        """Disconnect both."""
        for player in self._players:
            player.leave()


class BoardgameIo(System):
    """boardgame.io with its in-memory storage, or with FlatFile."""

    def __init__(self, modules: Path, *, flat_file: bool) -> None:
        """`modules` is where `install` has put it."""
        self.name = "boardgame-flatfile" if flat_file else "boardgame-memory"
        self.title = f"boardgame.io, {'FlatFile' if flat_file else 'in memory'}"
        self._modules, self._flat_file = modules, flat_file
        self._server: Server | None = None

    async def start(self, folder: Path) -> None:
        """Start it in production mode, with its own settings."""
        self._port = free_port()
        kept = [folder / "matches"] if self._flat_file else []
        self._server = Server(
            ["node", "server.js", str(self._port), *kept],
            "ready",
            environment={"NODE_ENV": "production"},
            folder=self._modules,
        )
        self._lobby = Http(self._port)

    async def deal(self) -> BoardgameTable:
        """Create a match in the lobby, join and connect."""
        players = Player("0"), Player("1")
        for player in players:
            await player.connect(self._port)
        created = await self._lobby.post(f"/games/{GAME}/create", {"numPlayers": 2})
        table = BoardgameTable(self._lobby, players)
        await table.sit(created["matchID"])
        return table

    def cpu(self) -> float:
        """Return the processor time of node."""
        return self._server.cpu() if self._server else 0.0

    def stop(self) -> None:
        """End it."""
        if self._server:
            self._lobby.close()
            self._server.stop()


def install(folder: Path) -> Path:
    """Install boardgame.io into a folder, unless it is there, and return the folder."""
    lock, done = "package-lock.json", folder / "installed.json"
    wanted = (HERE / lock).read_bytes()
    if not done.exists() or done.read_bytes() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for file in ("package.json", lock):
            shutil.copy(HERE / file, folder)
        words = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        if ran.returncode:
            raise ServerError(f"boardgame.io could not be installed; npm said:\n{ran.stderr}")
        done.write_bytes(wanted)
    for file in ("chain.js", "server.js"):
        shutil.copy(HERE / file, folder)
    return folder
