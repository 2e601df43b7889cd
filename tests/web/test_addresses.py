"""Limits count an IPv4 address, or the /64 network of an IPv6 address."""

import asyncio
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis.strategies import ip_addresses, text

from divisorduel import ServerSettings, application
from divisorduel.web.addresses import Proxies, network_of
from tests.web.clients import HERE, LINK

BODY = {"game": "chain", "players": [HERE, LINK]}


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("somewhere", "somewhere"),
        ("", ""),
    ],
)
def test_addresses_that_one_client_can_have_count_as_one(host: str, network: str) -> None:
    assert network_of(host) == network


@given(ip_addresses(v=6), ip_addresses(v=6))
def test_two_ipv6_addresses_count_as_one_if_their_first_64_bits_agree(one, other) -> None:  # type: ignore[no-untyped-def]
    beside = type(one)(one.packed[:8] + other.packed[8:])
    if one.ipv4_mapped is None and beside.ipv4_mapped is None:
        assert network_of(str(one)) == network_of(str(beside))
    if one.packed[:8] != other.packed[:8]:
        assert network_of(str(one)) != network_of(str(other))


@given(text())
def test_a_proxy_may_report_anything_as_an_address(host: str) -> None:
    network_of(host)
    assert host not in Proxies("192.0.2.1")


def test_an_ipv6_network_has_one_limit_for_all_its_addresses(tmp_path: Path) -> None:
    async def create(app: object, host: str) -> int:
        transport = httpx.ASGITransport(app, client=(host, 1))  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return (await client.post("/api/matches", json=BODY)).status_code

    async def create_all() -> tuple[list[int], int]:
        database = f"sqlite:///{tmp_path / 'matches.sqlite'}"
        app = application(ServerSettings(database=database, games_a_minute=3))
        async with app.router.lifespan_context(app):
            of_one = [await create(app, f"2001:db8:0:7::{n}") for n in range(4)]
            return of_one, await create(app, "2001:db8:0:8::1")

    assert asyncio.run(create_all()) == ([201, 201, 201, 429], 201)


@pytest.mark.parametrize(
    ("named", "inside", "outside"),
    [
        ("127.0.0.1", "127.0.0.1", "127.0.0.2"),
        ("10.0.0.0/8, ::1", "10.1.2.3", "11.0.0.1"),
        ("10.0.0.0/8, ::1", "::1", "::2"),
    ],
)
def test_proxies_are_addresses_and_networks(named: str, inside: str, outside: str) -> None:
    assert inside in Proxies(named)
    assert outside not in Proxies(named)


def test_no_address_or_every_address_may_be_a_proxy() -> None:
    assert "127.0.0.1" not in Proxies("")
    assert "127.0.0.1" not in Proxies("proxy.example")
    assert "192.0.2.1" in Proxies("*")
