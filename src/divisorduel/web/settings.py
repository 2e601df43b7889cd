"""What whoever runs a server decides."""

from dataclasses import dataclass

DAY = 24 * 60 * 60.0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of a server; those left out are fit for a class or a club."""

    database: str
    host: str = "127.0.0.1"
    port: int = 8721
    claim_after: float = 120.0
    """How many seconds a player may stay away before the other may claim the game."""
    expire_after: float = 30 * DAY
    """After how many seconds without a move an unfinished match is closed."""
    games_a_minute: int = 60
    """How many matches one address may create."""
    connections_a_minute: int = 600
    """How many connections one address may open; a whole class can sit behind one."""
    questions_a_minute: int = 240
    """How many hints, reasons, reviews and records one address may ask for."""
    commands_a_minute: int = 1_200
    """How many commands one key may give."""
    workers: int = 2
    """How many processes solve: half of them play, half of them coach."""
    thinking: float = 5.0
    """How many seconds the solvers may take for an answer."""
    memory: int = 1 << 30
    """How many bytes each of those processes may use."""
    proxy: str = ""
    """The address of the proxy whose word is taken for where a request came from."""

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in ("127.0.0.1", "localhost", "::1")

    @property
    def is_private(self) -> bool:
        """Whether nobody else is let in through a proxy either."""
        return self.is_local and not self.proxy
