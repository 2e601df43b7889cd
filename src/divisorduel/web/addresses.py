"""Addresses of clients: which of them count as one, and which belong to our proxy."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network


@lru_cache(maxsize=10_000)
def network_of(host: str) -> str:
    """Return what limits count by: an IPv4 address, or the /64 network of an IPv6 address.

    Every customer of a provider has at least a /64 network, and so as many addresses as they like.
    """
    try:
        address = ip_address(host)
    except ValueError:  # a name, or nothing
        return host
    if not isinstance(address, IPv6Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(address.packed[:8] + bytes(8))}/64"


class Proxies:
    """The addresses and networks of the proxies that ``--proxy`` names, separated by commas."""

    def __init__(self, named: str) -> None:
        self._are_known = lru_cache(maxsize=10_000)(self._contain)
        self._all = named.strip() == "*"
        self._networks = []
        for word in named.split(","):
            try:
                self._networks.append(ip_network(word.strip()))
            except ValueError:  # not an address: uvicorn does not trust it either
                continue

    def __contains__(self, host: str) -> bool:
        """Tell whether an address belongs to a proxy."""
        return self._are_known(host)

    def _contain(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return self._all
        return self._all or any(address in network for network in self._networks)
