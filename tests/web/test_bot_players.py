"""A server offers engines: the page lists them, and they play."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from divisorduel import Game, Position, game
from divisorduel.play.players import Player
from divisorduel.web.bot_players import BotPlayers
from tests.bots.test_compliance import EXAMPLES, bad_engine
from tests.conftest import Duel
from tests.polling import wait_until
from tests.web.clients import HERE, Client, Guest, new_match
from tests.web.conftest import Start

LARGEST = f"Largest-1.0=sh {EXAMPLES / 'largest.sh'}"


def bot(name: str) -> dict[str, str]:
    return {"who": "bot", "kind": f"bot:{name}"}


def wait_for_turns(guest: Guest, turns: list[int]) -> None:
    for _ in wait_until("the engine has moved"):
        if guest.see()["turns"] == turns:
            break


def test_engines_are_listed_play_and_lose_by_their_faults(start: Start, tmp_path: Path) -> None:
    choosy = tmp_path / "choosy.sh"
    choosy.write_text("printf 'bot Choosy\\ngames divider\\nok\\n'; cat > /dev/null")
    engines = LARGEST, f"Bad={bad_engine('illegal.py')}", f"Choosy=sh {choosy}"
    server = start(*(word for engine in engines for word in ("--bot", engine)))
    with Client(server.url) as client:
        assert client.get("/options")["bots"] == ["bot:Largest-1.0", "bot:Bad", "bot:Choosy"]
    with new_match(server.url, players=[HERE, bot("Largest-1.0")]) as match:
        match.one.take(8)
        wait_for_turns(match.one, [8, 4])
        assert match.one.see()["names"][1] == "Largest-1.0"
    with new_match(server.url, players=[HERE, bot("Bad")]) as match:
        match.one.take(8)
        for _ in wait_until("the engine has failed"):
            if match.one.see()["winner"]:
                break
        seen = match.one.see()
        assert seen["forfeit"]["fault"] == "illegal"
        assert seen["forfeit"]["reason"] == "Bad made an illegal move."
    with Client(server.url) as client:
        body = {"game": "chain", "players": [HERE, bot("Other")]}
        refused = client.post("/matches", 422, **body)
        assert refused["reason"] == "This server does not have the engine 'Other'."
        body = {"game": "chain", "players": [HERE, bot("Choosy")]}
        refused = client.post("/matches", 422, **body)
        assert refused["reason"] == "Choosy does not play this game. Choose another opponent."


class CountingPlayer(Player):
    """A player that notes which board each move is for."""

    def __init__(self) -> None:
        self.boards: list[int] = []

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        self.boards.append(len(game.moves(position)))
        return game.moves(position)[0]


def test_the_matches_of_one_address_do_not_keep_an_engine_from_others() -> None:
    player = CountingPlayer()
    bots = BotPlayers({"Slow": player})

    async def scenario() -> None:
        async with asyncio.TaskGroup() as tasks:
            for address, largest in [*(("192.0.2.1", 9) for _ in range(20)), ("192.0.2.2", 8)]:
                g = game("divider", to=largest)
                move = bots.choose("bot:Slow", address, g, g.start(), Random(1))
                tasks.create_task(move)

    asyncio.run(scenario())
    bots.close()
    assert player.boards.index(7) == 1
    assert len(player.boards) == 21


@pytest.mark.thorough
def test_a_match_whose_engine_is_missing_waits_for_it(start: Start, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'shared.sqlite'}"
    first = start("--bot", LARGEST, database=database)
    with new_match(first.url, players=[HERE, bot("Largest-1.0")]) as match:
        match_id, key = match.one.id, match.one.key
    first.stop()
    without = start(database=database)
    with Guest(without.url, match_id, key) as guest:
        assert guest.take(8)["match"]["turns"] == [8]
    without.stop()
    again = start("--bot", LARGEST, database=database)
    with Guest(again.url, match_id, key) as guest:
        wait_for_turns(guest, [8, 4])


def test_an_engine_needs_a_name_and_a_command(duel: Duel) -> None:
    for wrong in ("sh", "a b=sh", "Bot="):
        done = duel.run("serve", "--no-open", "--port", "0", "--bot", wrong)
        assert done.returncode == 2
        assert "is not an engine" in " ".join(done.stderr.split())
