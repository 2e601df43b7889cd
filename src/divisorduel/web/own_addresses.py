"""The addresses of this machine on its networks, as other machines reach it."""

import socket
from ipaddress import ip_address
from typing import Literal

from divisorduel.web.server_settings import ServerSettings

ALL_ADDRESSES = "0.0.0.0", "::"  # noqa: S104  # compared, not bound
_FAR_AWAY = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses that are reserved for documentation and belong to no one."""

Reach = Literal["machine", "network", "proxy"]


def reach_of(settings: ServerSettings) -> Reach:
    """Tell where a server can be reached from: this machine, its network, or through a proxy."""
    if settings.proxy:
        return "proxy"
    return "machine" if settings.is_local else "network"


def own_addresses(bound: str) -> list[str]:
    """Return where others reach a server that is bound to an address, the usual one first."""
    if bound not in ALL_ADDRESSES:
        return [bound]
    routed = [_routed(*far) for far in _FAR_AWAY if bound == "::" or far[0] == socket.AF_INET]
    return [address for address in routed if address and not ip_address(address).is_loopback]


def _routed(family: socket.AddressFamily, far: str) -> str:
    """Return the address from which this machine reaches another; empty without a route."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))  # sends nothing: it only looks up the route
            return str(probe.getsockname()[0])
    except OSError:
        return ""


def url_of(host: str, port: int) -> str:
    """Return the URL of a server, without a slash at the end."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_neighbour(host: str) -> bool:
    """Tell whether a client is on this machine or in a private network."""
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_private
