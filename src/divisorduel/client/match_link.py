"""Links to a match, as the page shares them: where the match is, and a key that opens it."""

import re
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

from divisorduel.client.client_error import ClientError

_EXAMPLE = "https://duel.example.org"
_PLACE = re.compile(
    r"""/match/(?P<match>[a-z0-9]{1,20})
    (?:/(?!(?:round|turn|review)(?:/|$))(?P<key>[\w-]{1,100}))?
    (?:/round/[0-9]{1,9})?(?:/turn/[0-9]{1,9}|/review)?/?""",
    re.ASCII | re.VERBOSE,
)
"""What follows the #. The page opens a turn or a review if the link names one; we do not."""


@dataclass(frozen=True, slots=True)
class MatchLink:
    """A link such as ``https://duel.example.org/#/match/k3v9h2m8qa/KEY``."""

    server: str
    """The address of the server, without a slash at the end."""
    match_id: str
    """The id of the match."""
    key: str = field(repr=False)
    """The secret that opens a seat, or lets a spectator in."""

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a link as it is copied from the page. Raises `ClientError`."""
        address, _, place = text.strip().partition("#")
        found = _PLACE.fullmatch(place)
        if found is None:
            raise ClientError(
                f"{text!r} is not a link to a game. A link looks like {_EXAMPLE}/#/match/ID/KEY.",
                "bad-link",
            )
        if not found["key"]:
            raise ClientError(
                "This link has no key: the page removes it from the address bar. "
                "Choose Share on the page, and copy the link from there.",
                "bad-link",
            )
        return cls(read_server(address), found["match"], found["key"])

    def __str__(self) -> str:
        return f"{self.server}/#/match/{self.match_id}/{self.key}"


def read_server(text: str) -> str:
    """Return the address of a server, without a slash at the end. Raises `ClientError`."""
    parts = urlsplit("")
    try:
        parts = urlsplit(text.strip())
        is_address = (
            text.isprintable()
            and parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0  # an impossible port raises an error
            and parts.path in ("", "/")
            and not parts.query
            and "@" not in parts.netloc
        )
    except ValueError:
        is_address = False
    if not is_address:
        raise ClientError(
            f"{text!r} is not the address of a server. Use, for example, {_EXAMPLE}.", "bad-link"
        )
    return f"{parts.scheme}://{parts.netloc}"
