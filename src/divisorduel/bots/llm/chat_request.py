"""A request to a language model, as a value. The key of the endpoint is not part of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from divisorduel.rules.errors import DuelError

LimitName = Literal["max_tokens", "max_completion_tokens"]
"""What an endpoint calls the limit on the tokens of a reply."""
LIMIT_NAMES: tuple[LimitName, ...] = get_args(LimitName)

RESERVED_FIELDS = {"model", "messages", "stream", "n", "best_of", *LIMIT_NAMES}
"""The fields of a request that parameters cannot set: the score or the budget depends on them."""

OVERHEAD = 256
"""The most tokens that an endpoint is assumed to add to the text of a request."""

_PATH = "/chat/completions"


class RequestError(DuelError):
    """A request that cannot be made: a bad address or a parameter that is not allowed."""

    code = "bad-request"


@dataclass(frozen=True)
class ChatRequest:
    """A request with one message, exactly as it is sent."""

    url: str
    body: str
    most_tokens: int
    """The most tokens that the reply may have."""
    purpose: str = ""
    """What the reply is for, which is not sent. Each purpose has a reply of its own."""

    @property
    def key(self) -> str:
        """A name that depends on the whole request, including its prompt, and on its purpose."""
        words = [self.url, self.body, *([self.purpose] if self.purpose else [])]
        return sha256("\n".join(words).encode()).hexdigest()

    @property
    def cost(self) -> int:
        """The most tokens that the request can use: a token has at least one byte."""
        return len(self.body.encode()) + OVERHEAD + self.most_tokens


@dataclass(frozen=True)
class LanguageModel:
    """A model at an endpoint, and how it is asked. Raises `RequestError`."""

    url: str
    """The address of the endpoint, with or without ``/chat/completions``."""
    name: str
    most_tokens: int = 8192
    limit_name: LimitName = "max_tokens"
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the address and the parameters."""
        check_url(self.url)
        for taken in RESERVED_FIELDS & self.parameters.keys():
            raise RequestError(f"The parameter {taken!r} cannot be set. Drop it.")

    @property
    def endpoint(self) -> str:
        """The address that requests are sent to."""
        path, mark, query = self.url.partition("?")
        path = path.rstrip("/")
        return f"{path if path.endswith(_PATH) else path + _PATH}{mark}{query}"

    @property
    def shown_url(self) -> str:
        """The address for reports, without a query, which may hold a key."""
        return self.url.partition("?")[0]

    def request(self, prompt: str, purpose: str = "") -> ChatRequest:
        """Return the request for a prompt."""
        body = {
            "model": self.name,
            "messages": [{"role": "user", "content": prompt}],
            self.limit_name: self.most_tokens,
            **self.parameters,
        }
        text = json.dumps(body, sort_keys=True)
        return ChatRequest(self.endpoint, text, self.most_tokens, purpose)


def check_url(url: str) -> None:
    """Raise `RequestError` if a text is not the address of an endpoint, or contains a password."""
    try:
        parts = urlsplit(url)
        is_usable = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_usable = is_usable and url.isprintable() and " " not in url and "#" not in url
        _ = parts.port
    except ValueError:
        is_usable, parts = False, urlsplit("")
    if not is_usable:
        raise RequestError("Not the address of an endpoint. Use one like http://localhost:8000/v1.")
    if parts.username is not None or parts.password is not None:
        raise RequestError(
            "The address contains a password. Put the key in an environment variable "
            "(see --key-from)."
        )
