"""Players who follow a script on a server as fast as they can, and note what they are told."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage

from attack.scripted_match import WANTED, ScriptedMatch, sent
from divisorduel import read_records
from divisorduel.record.match_records import Heading, match_to_records
from tests.web.clients import Guest, joined_match

JOINED = 1
"""The version of a match once Bob has joined, before the first command of its script."""
UNAVAILABLE = "database-unavailable"
LIMITED = "too-many-commands"
SECONDS_TO_ANSWER = 60.0
SECONDS_TO_CONTINUE = 60.0
"""How long players may have to wait after something has failed; a bound, not a measurement."""


class ScriptedGame:
    """A match on a server. Its two players may use different servers on one database."""

    def __init__(self, url: str, script: ScriptedMatch) -> None:
        self.script = script
        with joined_match(url, **WANTED) as made:
            self.id = made.id
            self.keys = {1: str(made.one.key), 2: str(made.two.key)}
        self.told = 0
        """How many commands of the script were answered, or seen to be carried out."""
        self.asked = 0
        """How many were sent."""
        self.on_told: Callable[[], None] = lambda: None
        """Called at the instant at which a command is answered, or seen to be carried out."""
        self.refusals: set[str] = set()
        """The codes with which commands were refused for a while."""

    @property
    def is_over(self) -> bool:
        """Whether all commands have been carried out."""
        return self.told == len(self.script.commands)

    async def play(
        self, urls: Sequence[str], stop: asyncio.Event, *, patient: bool = False
    ) -> bool:
        """Follow the script until it ends or `stop` is set; the players use the first and last URL.

        Return False if a connection was lost. While the database cannot be reached, a patient
        player sends the command again and again, others stop.
        """
        try:
            async with (
                connected(urls[0], self.id, self.keys[1], self._hear) as one,
                connected(urls[-1], self.id, self.keys[2], self._hear) as two,
            ):
                while not self.is_over and not stop.is_set():
                    player = one if self.script.commands[self.told][0] == 1 else two
                    if not await self._command(player, patient=patient):
                        break
        except (ConnectionClosed, InvalidMessage, OSError, TimeoutError):
            return False
        return True

    def _hear(self, version: int) -> None:
        if version - JOINED > self.told:
            self.told = version - JOINED
            self.on_told()

    async def _command(self, player: "Player", *, patient: bool) -> bool:
        """Send the next command; return whether to continue."""
        at = self.told
        again = self.asked > at
        self.asked = max(self.asked, at + 1)
        answer = await player.ask(at + JOINED, sent(self.script.commands[at][1]))
        if answer["type"] == "done":
            assert answer["version"] == at + JOINED + 1, f"command {at} led to {answer}"
            return True
        self.refusals.add(answer["code"])
        if answer["code"] == UNAVAILABLE:
            await asyncio.sleep(0.1)
            return patient
        if answer["code"] == LIMITED:
            await asyncio.sleep(1)
            return True
        # A command whose first answer was lost may have been carried out all the same.
        is_known = again and answer["code"] == "stale-version" and self.told > at
        assert is_known, f"command {at} of {self.id} was refused: {answer}"
        return True

    def check(self, url: str) -> None:
        """Check that what is stored is what was told: every command, in order, once."""
        with Guest(url, self.id, self.keys[1]) as guest:
            stored = int(guest.see()["version"]) - JOINED
            records = read_records(guest.get(f"{guest.at}/record"))
        about = f"{self.told} told, {self.asked} asked, {stored} stored in {self.id}"
        assert self.told <= stored <= self.asked, f"Commands were lost or duplicated: {about}"
        heading = Heading(records[0].tag("Match"), records[0].tag("Date"))
        expected = match_to_records(self.script.states[stored], heading)
        assert expected == tuple(records), f"The record differs from what was played: {about}"
        self.told = self.asked = stored


@asynccontextmanager
async def connected(
    url: str, match_id: str, key: str, hear: Callable[[int], None]
) -> AsyncIterator["Player"]:
    """Connect a player, who calls `hear` with every version of the match that is mentioned."""
    at = f"{url.replace('http', 'ws', 1)}/api/matches/{match_id}/live"
    async with connect(at, open_timeout=30, close_timeout=5) as socket:
        player = Player(socket, hear)
        await socket.send(json.dumps({"type": "hello", "key": key}))
        while player.note(await socket.recv())["type"] != "welcome":
            pass
        reader = asyncio.create_task(player.read())
        try:
            yield player
        finally:
            reader.cancel()


class Player:
    """A player's connection."""

    def __init__(self, socket: ClientConnection, hear: Callable[[int], None]) -> None:
        self._socket = socket
        self._hear = hear
        self._answers: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._sent = 0

    def note(self, text: str | bytes) -> dict[str, Any]:
        """Note what a message says about how far the match has come."""
        message: dict[str, Any] = json.loads(text)
        self._hear(message.get("version", message.get("match", {}).get("version", 0)))
        return message

    async def read(self) -> None:
        """Read messages until the connection is lost."""
        try:
            async for text in self._socket:
                message = self.note(text)
                if message["type"] in ("done", "refused") and message["id"] == self._sent:
                    self._answers.put_nowait(message)
        except ConnectionClosed:
            pass
        finally:
            self._answers.put_nowait(None)

    async def ask(self, version: int, command: dict[str, Any]) -> dict[str, Any]:
        """Send a command and return the answer. Raises `ConnectionResetError` if none comes."""
        self._sent += 1
        message = {"type": "command", "id": self._sent, "version": version, "command": command}
        await self._socket.send(json.dumps(message))
        answer = await asyncio.wait_for(self._answers.get(), SECONDS_TO_ANSWER)
        if answer is None:
            raise ConnectionResetError
        return answer


async def progress(
    games: Sequence[ScriptedGame], playing: Sequence[asyncio.Task[bool]], moves: int
) -> None:
    """Wait until each game has had this many more commands. Fail if that takes too long."""
    wanted = [(game, min(game.told + moves, len(game.script.commands))) for game in games]
    try:
        async with asyncio.timeout(SECONDS_TO_CONTINUE):
            while any(game.told < number for game, number in wanted):
                await asyncio.sleep(0.005)
                for task in playing:
                    if task.done() and task.exception() is not None:
                        task.result()
    except TimeoutError:
        late = [game.id for game, number in wanted if game.told < number]
        refused = sorted({code for game in games for code in game.refusals})
        raise AssertionError(
            f"{len(late)} of {len(games)} games do not continue; refused with {refused}"
        ) from None
