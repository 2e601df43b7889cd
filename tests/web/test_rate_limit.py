"""Rate limits: how many games, connections and commands are too many."""

from pathlib import Path

import pytest

from divisorduel.web.server_settings import ServerSettings
from tests.web.clients import HERE, LINK, Client, Match, joined_match, new_match
from tests.web.conftest import Start
from tests.web.custom_server import custom_server


@pytest.mark.thorough
def test_one_address_may_not_create_more_matches_than_the_limit(start: Start) -> None:
    server = start("--games-a-minute", "2", "--connections-a-minute", "3")
    body = {"game": "chain", "players": [HERE, LINK]}
    with Client(server.url) as client:
        created = [client.http.post("/api/matches", json=body) for _ in range(3)]
        assert [answer.status_code for answer in created] == [201, 201, 429]
        assert created[2].headers["retry-after"] == "10"
        assert created[2].json()["reason"] == (
            "Too many new games from your address. Wait a minute."
        )
        refused = client.http.post("/api/records", json={"record": '[Game "chain"]'})
        assert refused.status_code == 429
        with Match(server.url, created[0].json()) as match:
            match.join()
            for _ in range(2):
                match.two.post(f"{match.two.at}/join", name="Bob")
            late = match.two.post(f"{match.two.at}/join", 429, name="Bob")
            assert late["reason"] == "Too many connections from your address. Wait a minute."
            assert match.one.take(8)["match"]["turns"] == [8]


def test_a_long_record_counts_as_several_new_games(tmp_path: Path) -> None:
    short = '[Game "chain"]\n[Board "2-8"]\n\n*\n'
    long = short + "\n" * 25_000
    with custom_server(tmp_path, games_a_minute=5) as server, Client(server.url) as client:
        for record, status in [(long, 201), (short, 201), (long, 429)]:
            client.post("/records", status, record=record)


def test_a_record_that_counts_as_more_games_than_the_limit_can_still_be_continued(
    tmp_path: Path,
) -> None:
    long = '[Game "chain"]\n[Board "2-8"]\n\n*\n' + "\n" * 25_000
    with custom_server(tmp_path, games_a_minute=2) as server, Client(server.url) as client:
        for status in (201, 429):
            client.post("/records", status, record=long)


@pytest.mark.thorough
def test_each_player_has_a_limit_of_commands_per_minute(tmp_path: Path) -> None:
    with custom_server(tmp_path, commands_a_minute=3) as server, joined_match(server.url) as match:
        too_many = "Too many commands at once. Wait a moment."
        with match.two.listen() as bob:
            answers = [bob.do("take", number=8)["reason"] for _ in range(4)]
            assert answers == ["It is not your turn."] * 3 + [too_many]
        assert match.two.take(8, 409) == {
            "code": "too-many-commands",
            "reason": too_many,
            "version": 1,
            "asks": False,
        }
        assert match.one.take(8)["match"]["turns"] == [8]


def test_the_holder_of_an_invitation_cannot_use_up_the_commands_of_the_player_who_joins(
    tmp_path: Path,
) -> None:
    with custom_server(tmp_path, commands_a_minute=3) as server, new_match(server.url) as match:
        codes = [match.two.take(8, 409)["code"] for _ in range(4)]
        assert codes[-1] == "too-many-commands"
        assert "too-many-commands" not in codes[:-1]
        match.join()
        assert match.one.take(8)["match"]["turns"] == [8]
        assert match.two.take(4)["match"]["turns"] == [8, 4]


def test_the_limit_of_commands_is_far_above_what_a_player_needs() -> None:
    assert ServerSettings(database="").commands_a_minute == 1200
