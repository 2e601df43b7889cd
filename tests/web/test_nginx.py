"""nginx, with our configuration, in front of a server."""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.notices import ROOT
from tests.polling import wait_until
from tests.web.clients import HERE, LINK, joined_match
from tests.web.custom_server import custom_server

pytestmark = pytest.mark.thorough

CONFIGURATION = (ROOT / "docs" / "serving" / "nginx.conf").read_text()
MOST_CONNECTIONS = 3
ADDRESS = "X-Client-Address"
"""The header that tells this nginx which address a client has."""
MAIN = """
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    scgi_temp_path {folder}/scgi;
    uwsgi_temp_path {folder}/uwsgi;
    set_real_ip_from 127.0.0.1;
    real_ip_header {header};
    {ours}
}}
"""


def free_ports(count: int) -> list[int]:
    """Return ports that no one listens on."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def adapted(server: int, port: int, redirecting: int) -> str:
    """Return our configuration with other ports, without TLS, and with few connections."""
    text = CONFIGURATION.replace("server 127.0.0.1:8721;", f"server 127.0.0.1:{server};")
    text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{redirecting};")
    text = re.sub(r"(limit_conn divisorduel_connections) \d+;", rf"\1 {MOST_CONNECTIONS};", text)
    return re.sub(r" *ssl_certificate.*\n", "", text)


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[str]:
    """Run nginx in front of a server that allows one new game a minute; return its URL."""
    nginx = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if nginx is None:
        if os.environ.get("DUEL_REQUIRE_ALL") == "1":
            pytest.fail("nginx is missing.")
        pytest.skip("nginx is missing.")
    user = "user root;" if os.geteuid() == 0 else ""
    port, redirecting = free_ports(2)
    with custom_server(tmp_path, proxy="127.0.0.1", games_a_minute=1) as server:
        ours = adapted(server.port, port, redirecting)
        file = tmp_path / "nginx.conf"
        file.write_text(MAIN.format(user=user, folder=tmp_path, header=ADDRESS, ours=ours))
        log = ["-e", str(tmp_path / "error.log"), "-g", "daemon off;"]
        process = subprocess.Popen([nginx, "-p", str(tmp_path), "-c", str(file), *log])
        try:
            for _ in wait_until("nginx listens"):
                with socket.socket() as one:
                    if one.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)


def test_a_game_is_played_through_the_proxy(proxy: str) -> None:
    with joined_match(proxy) as match, match.one.listen() as ann, match.two.listen() as bob:
        assert ann.do("take", number=8)["type"] == "done"
        while bob.match["turns"] != [8]:
            bob.hear("step")
        assert match.two.take(4)["match"]["turns"] == [8, 4]


def test_the_server_counts_the_clients_of_a_proxy_by_their_own_networks(proxy: str) -> None:
    body = {"game": "chain", "players": [HERE, LINK]}

    def create(address: str) -> int:
        url = f"{proxy}/api/matches"
        return httpx.post(url, json=body, headers={ADDRESS: address}, timeout=60).status_code

    addresses = ("203.0.113.1", "203.0.113.1", "203.0.113.2", "2001:db8:0:7::1", "2001:db8:0:7::2")
    assert [create(address) for address in addresses] == [201, 429, 201, 201, 429]


def test_the_proxy_counts_connections_by_network(proxy: str) -> None:
    host, port = proxy.removeprefix("http://").split(":")
    with ExitStack() as stack:
        for last in range(MOST_CONNECTIONS):  # each of them has sent half a request
            half = stack.enter_context(socket.create_connection((host, int(port))))
            head = f"Host: {host}\r\n{ADDRESS}: 2001:db8:0:7::{last + 1}\r\nContent-Length: 9"
            half.sendall(f"POST /api/matches HTTP/1.1\r\n{head}\r\n\r\n".encode())

        def status(address: str) -> int:
            url = f"{proxy}/api/games"
            return httpx.get(url, headers={ADDRESS: address}, timeout=60).status_code

        for _ in wait_until("the connections are counted"):
            if status("2001:db8:0:7::ffff") == 503:
                break
        assert status("2001:db8:0:8::1") == 200
        assert status("203.0.113.1") == 200
