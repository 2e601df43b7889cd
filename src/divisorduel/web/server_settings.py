"""The settings of a server."""

from dataclasses import dataclass

DAY = 24 * 60 * 60.0
LOOPBACK = "127.0.0.1", "localhost", "::1"


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """The settings of a server. The defaults suit a class or a club."""

    database: str
    host: str = "127.0.0.1"
    port: int = 8721
    claim_after: float = 120.0
    """How many seconds a player may be away before the opponent may claim the win."""
    expire_after: float = 30 * DAY
    """After how many seconds without a move an unfinished match is closed."""
    games_a_minute: int = 60
    """How many matches one address may create."""
    connections_a_minute: int = 600
    """How many WebSockets one address may open in a minute; a whole class can share one address."""
    connections: int = 4_000
    """How many connections may be open at a time; the limit of open files may allow fewer."""
    connections_per_address: int = 500
    """How many of them may come from one address; a browser opens up to seven."""
    requests_a_minute: int = 12_000
    """How many requests one address may send, and how many frames over its WebSockets."""
    head_seconds: float = 10.0
    """How long the headers of a request may take to arrive."""
    body_seconds: float = 30.0
    """How long the body of a request may take to arrive."""
    unread_seconds: float = 30.0
    """How long a client may leave what was sent to it unread."""
    questions_a_minute: int = 240
    """How many hints, reasons, reviews, analyses, checks of records, QR codes and large answers one
    address may ask for."""
    commands_a_minute: int = 1_200
    """How many commands may be sent with each key."""
    workers: int = 2
    """How many solver processes the computer players and the coach share."""
    thinking: float = 5.0
    """How many seconds a solver may think about an answer."""
    memory: int = 1 << 30
    """How many bytes of memory each solver process may use."""
    proxy: str = ""
    """The address of the proxy that is trusted to report the addresses of clients."""

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK

    @property
    def is_private(self) -> bool:
        """Whether the server is local and not behind a proxy."""
        return self.is_local and not self.proxy
