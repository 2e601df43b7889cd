"""Why a client cannot play."""

from divisorduel.rules.errors import DuelError


class ClientError(DuelError):
    """A link that cannot be used, or a server that cannot be reached or refuses a request.

    The code is the server's own, or one that docs/api.md lists.
    """

    code = "bad-connection"

    def __init__(self, reason: str, code: str) -> None:
        super().__init__(reason)
        self.code = code


def unreachable(server: str) -> ClientError:
    """Return the error for a server that does not answer."""
    return ClientError(f"{server} cannot be reached. Check the address.", "unreachable")


def not_a_server(server: str) -> ClientError:
    """Return the error for an answer that no server of ours gives."""
    return ClientError(
        f"{server} is not a Divisor Duel server, or it runs a different version. "
        "Check the address.",
        "not-a-server",
    )
