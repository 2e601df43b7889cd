"""What docs/serving offers is complete: the unit, the container, the proxy and the notices."""

import re
import tomllib
from configparser import RawConfigParser
from ipaddress import IPv4Address, IPv6Address

from hypothesis import given
from hypothesis import strategies as st

from divisorduel.web.addresses import network_of
from divisorduel.web.connections import RESERVED_FILES
from divisorduel.web.schemas.problems import MOST_BYTES, MOST_BYTES_OF_RECORD
from divisorduel.web.server import KEEP_ALIVE_FOR_PROXY
from divisorduel.web.server_settings import ServerSettings
from tests.notices import NOTICES, ROOT, licence_files, licence_of, notices, pinned

SERVING = ROOT / "docs" / "serving"
NGINX = (SERVING / "nginx.conf").read_text()
DEFAULTS = ServerSettings(database="")


def pins_of(file: str) -> dict[str, str]:
    """Return the lines of each package in a file of pins: its version and its hashes."""
    text = (ROOT / "requirements" / file).read_text()
    found = re.findall(r"^([\w.-]+)==((?:.*\\\n)*.*)$", text, flags=re.MULTILINE)
    return dict(found)


def unit() -> RawConfigParser:
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(SERVING / "divisorduel.service")
    return parser


def test_the_unit_starts_after_the_database_and_tries_again_forever() -> None:
    about, service = unit()["Unit"], unit()["Service"]
    assert {"network-online.target", "postgresql.service"} <= {*about["After"].split()}
    assert about["Wants"] == "network-online.target"
    assert about["StartLimitIntervalSec"] == "0"  # the default gives up after five tries
    assert service["Restart"] == "always"
    assert int(service["RestartSec"]) >= 1
    assert int(service["LimitNOFILE"]) >= DEFAULTS.connections + RESERVED_FILES


def test_the_container_installs_only_what_has_a_known_hash() -> None:
    lines = (SERVING / "Containerfile").read_text().replace("\\\n", " ").splitlines()
    installs = [line for line in lines if "pip install" in line]
    assert len(installs) == 2
    assert "--require-hashes --requirement /source/requirements/serve.txt" in installs[0]
    assert installs[1].endswith("--no-deps --no-build-isolation /source")
    assert all(pin.count("--hash=sha256:") for pin in pins_of("serve.txt").values())


def test_a_server_has_the_same_packages_as_the_tests() -> None:
    serve, run, test = (pins_of(file) for file in ("serve.txt", "run.txt", "test.txt"))
    assert run.items() <= serve.items() <= test.items()
    assert {*serve} - {*run} == {"psycopg", "psycopg-binary", "tzdata"}


def test_the_proxy_has_the_limits_that_a_server_behind_it_cannot_have() -> None:
    assert f"limit_conn divisorduel_connections {DEFAULTS.connections_per_address};" in NGINX
    assert f"rate={DEFAULTS.requests_a_minute // 60}r/s;" in NGINX
    assert f"client_header_timeout {DEFAULTS.head_seconds:.0f}s;" in NGINX
    assert f"send_timeout {DEFAULTS.unread_seconds:.0f}s;" in NGINX
    assert f"client_max_body_size {MOST_BYTES_OF_RECORD // 1000}k;" in NGINX
    assert KEEP_ALIVE_FOR_PROXY > 60  # how long nginx keeps an idle connection


def counted_by(address: IPv4Address | IPv6Address) -> bytes:
    """Return what the proxy counts a client by."""
    patterns = re.findall(r'"~(.+?)" +\$(.+?);', NGINX)
    assert len(patterns) == 2
    assert "map $binary_remote_addr $client_network {" in NGINX
    assert re.search(r"default +\$binary_remote_addr;", NGINX)
    for pattern, value in patterns:
        if found := re.match(pattern.replace("(?<", "(?P<").encode(), address.packed):
            return bytes(found[value])
    return address.packed


ADDRESSES = st.ip_addresses() | st.builds(
    lambda network, host: IPv6Address((network << 64) | host),
    st.sampled_from([0, 0x20010DB8 << 32, (0x20010DB8 << 32) + 5, 0x20010DB800010002, 10 << 48]),
    st.integers(0, (1 << 64) - 1) | st.sampled_from([1, 1 << 48, (1 << 48) + 2, 0xFFFF00000001]),
)


@given(ADDRESSES, ADDRESSES)
def test_the_proxy_counts_clients_by_the_same_networks_as_the_server(
    one: IPv4Address | IPv6Address, other: IPv4Address | IPv6Address
) -> None:
    is_one = network_of(str(one)) == network_of(str(other))
    assert (counted_by(one) == counted_by(other)) == is_one


def test_the_notices_are_current() -> None:
    assert NOTICES.read_text() == notices(), "Run scripts/notices."


def test_every_package_brings_its_licence() -> None:
    for pin in pinned():
        assert licence_of(pin.name)
        assert licence_files(pin.name), f"{pin.name} brings no licence"


def test_the_wheel_contains_the_licence_and_the_notices() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["license-files"] == ["LICENSE", NOTICES.name]


def test_the_page_about_security_names_tests_that_exist() -> None:
    text = (ROOT / "docs" / "security.md").read_text()
    for path in re.findall(r"`((?:tests|web)/[\w/.]+\.py)`", text):
        assert (ROOT / path).exists() or (ROOT / "src" / "divisorduel" / path).exists(), path


def test_the_page_about_security_has_the_numbers_of_the_program() -> None:
    text = (ROOT / "docs" / "security.md").read_text()
    for number in (
        f"{DEFAULTS.connections:,} connections, {DEFAULTS.connections_per_address} from one",
        f"{DEFAULTS.requests_a_minute:,} requests a minute",
        f"headers {DEFAULTS.head_seconds:.0f} seconds, body {DEFAULTS.body_seconds:.0f} seconds",
        f"body {MOST_BYTES:,} bytes, with a record {MOST_BYTES_OF_RECORD:,}",
        f"{RESERVED_FILES} open files",
    ):
        assert number in text
