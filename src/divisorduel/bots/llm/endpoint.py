"""Sends requests to an OpenAI-compatible endpoint, and says what became of them."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Self

from divisorduel.bots.llm.chat_reply import Completion, NotACompletion, read_completion
from divisorduel.bots.llm.chat_request import ChatRequest
from divisorduel.rules.errors import DuelError, MissingExtra

try:
    import httpx
except ImportError:
    raise MissingExtra("Asking language models", "llm") from None

MOST_BYTES = 2**22
"""The longest response that is read."""
LONGEST_MESSAGE = 300
"""How many characters of the endpoint's own words are shown."""
BUSY = {408, 409, 425, 429}
"""Statuses that ask for another try; 429 and 425 mean that the request was not worked on."""
NOT_WORKED_ON = {425, 429}
A_YEAR = 365 * 24 * 60 * 60.0
"""An endpoint that asks us to wait longer might as well ask for ever."""


class EndpointError(DuelError):
    """An endpoint that cannot be used: it is not there, or it refuses every request."""

    code = "endpoint"


@dataclass(frozen=True)
class RequestFailure:
    """A request that failed and may be sent again."""

    cause: str
    wait: float | None = None
    """How many seconds the endpoint asks to wait."""
    is_charged: bool = True
    """Whether the request may have used tokens."""
    is_unreachable: bool = False
    """Whether there was no connection at all."""


class Endpoint:
    """A connection to an endpoint."""

    def __init__(
        self,
        seconds: float,
        now: Callable[[], datetime],
        key: str | None = None,
        *,
        use_proxies: bool = True,
    ) -> None:
        """Limit the time for a request; the key is sent with each one, and never shown.

        Raises `EndpointError`.
        """
        if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
            raise EndpointError("The key has characters that cannot be sent. Copy it again.")
        self._key = key
        self._seconds = seconds
        self._now = now
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # a small body that is unpacked can fill the memory
        }
        if key:
            headers["Authorization"] = f"Bearer {key}"
        self._client = httpx.AsyncClient(
            headers=headers,
            timeout=seconds,  # of each step; all steps together have the same limit in `send`
            limits=httpx.Limits(),
            trust_env=use_proxies,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._client.aclose()

    async def send(self, request: ChatRequest) -> Completion | RequestFailure:
        """Send a request once. Raises `EndpointError` if sending it again would not help."""
        try:
            async with asyncio.timeout(self._seconds):
                return await self._sent(request)
        except (TimeoutError, httpx.ReadTimeout, httpx.WriteTimeout):
            return RequestFailure("timeout")
        except (httpx.ConnectError, httpx.ConnectTimeout):
            return RequestFailure("no connection", is_charged=False, is_unreachable=True)
        except httpx.RequestError:
            return RequestFailure("connection lost")
        except httpx.InvalidURL:
            raise EndpointError(
                "The address of the endpoint cannot be used. Check --url."
            ) from None

    async def _sent(self, request: ChatRequest) -> Completion | RequestFailure:
        async with self._client.stream("POST", request.url, content=request.body) as response:
            status = response.status_code
            if status in BUSY or status >= 500:
                wait = seconds_to_wait(response.headers.get("Retry-After", ""), self._now())
                return RequestFailure(
                    f"HTTP {status}", wait, is_charged=status not in NOT_WORKED_ON
                )
            data = await _body(response)
        if status != 200:
            words = b"" if isinstance(data, RequestFailure) else data
            raise EndpointError(f"The endpoint answers HTTP {status}{self._words(words)}")
        if isinstance(data, RequestFailure):
            return data
        try:
            found = read_completion(data)
        except NotACompletion:
            return RequestFailure("not a completion")
        text, finish = self._without_key(found.text), self._without_key(found.finish)
        return replace(found, text=text, finish=finish)

    def _words(self, data: bytes) -> str:
        """Return the endpoint's own words about an error."""
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            found = None
        match found:
            case {"error": {"message": str(text)}} | {"error": str(text)} | {"message": str(text)}:
                said = " ".join(self._without_key(text).split())[:LONGEST_MESSAGE]
                return f": {said}" if said else "."
        return ". Check --url, --model and the key."

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "…") if self._key else text


async def _body(response: httpx.Response) -> bytes | RequestFailure:
    """Read a body that is neither compressed nor too long."""
    if response.headers.get("Content-Encoding", "").strip().lower() not in ("", "identity"):
        return RequestFailure("compressed")
    data = bytearray()
    async for chunk in response.aiter_raw():
        data += chunk
        if len(data) > MOST_BYTES:
            return RequestFailure("too long")
    return bytes(data)


def seconds_to_wait(header: str, now: datetime) -> float | None:
    """Return the seconds that a ``Retry-After`` header asks for, or None if it asks for nothing."""
    text = header.strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return min(float(text), A_YEAR)
    try:
        return max(0.0, (parsedate_to_datetime(text) - now).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return None
