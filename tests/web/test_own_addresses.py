"""Where other machines reach a server."""

import asyncio
import socket
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI

from divisorduel.web.own_addresses import is_neighbour, own_addresses, reach_of, url_of
from divisorduel.web.routes import sharing
from divisorduel.web.server_settings import ServerSettings


@pytest.mark.parametrize(
    ("host", "proxy", "reach"),
    [
        ("127.0.0.1", "", "machine"),
        ("localhost", "", "machine"),
        ("::1", "", "machine"),
        ("0.0.0.0", "", "network"),
        ("192.168.1.7", "", "network"),
        ("127.0.0.1", "127.0.0.1", "proxy"),
        ("0.0.0.0", "10.0.0.1", "proxy"),
    ],
)
def test_a_server_knows_where_it_can_be_reached_from(host: str, proxy: str, reach: str) -> None:
    assert reach_of(ServerSettings(database="", host=host, proxy=proxy)) == reach


def test_a_server_that_listens_on_one_address_is_reached_there() -> None:
    assert own_addresses("192.168.1.7") == ["192.168.1.7"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_a_server_that_listens_everywhere_is_reached_at_addresses_of_this_machine(
    host: str,
) -> None:
    for address in own_addresses(host):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family) as bound:
            bound.bind((address, 0))  # fails unless the address is ours
        assert not address.startswith("127.")


def test_a_machine_without_a_network_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_route(_: socket.socket, __: object) -> None:
        raise OSError("Network is unreachable")

    class Unrouted(socket.socket):
        connect = no_route

    monkeypatch.setattr(socket, "socket", Unrouted)
    assert own_addresses("0.0.0.0") == own_addresses("::") == []


def test_a_url_has_brackets_around_an_ipv6_address() -> None:
    assert url_of("192.168.1.7", 8721) == "http://192.168.1.7:8721"
    assert url_of("fd00::7", 8721) == "http://[fd00::7]:8721"


def test_neighbours_are_on_this_machine_or_in_a_private_network() -> None:
    for near in ("127.0.0.1", "::1", "10.1.2.3", "172.16.0.9", "192.168.1.7", "fe80::1", "fd00::7"):
        assert is_neighbour(near)
    for far in ("8.8.8.8", "2a00:1450::1", "testclient", ""):
        assert not is_neighbour(far)


@pytest.mark.parametrize(
    ("client", "addresses"),
    [
        ("127.0.0.1", ["http://192.0.2.7:8721"]),
        ("10.0.0.8", ["http://192.0.2.7:8721"]),
        ("8.8.8.8", []),
        ("2a00:1450::8", []),
    ],
)
def test_only_neighbours_learn_the_addresses(
    client: str, addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "own_addresses", lambda bound: ["192.0.2.7"])
    app = FastAPI()
    app.include_router(sharing.routes)
    app.state.services = SimpleNamespace(settings=ServerSettings(database="", host="0.0.0.0"))
    transport = httpx.ASGITransport(app, client=(client, 1))

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://duel:8721") as asking:
            return await asking.get("/api/server")

    assert asyncio.run(ask()).json() == {"reach": "network", "addresses": addresses}
