"""Protection: keys, security headers, and limits on the size and origin of requests."""

import asyncio
import hashlib
import re
import secrets
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from divisorduel.web.schemas.problems import (
    MOST_BYTES,
    MOST_BYTES_OF_RECORD,
    ApiError,
    api_error,
)
from divisorduel.web.server_settings import LOOPBACK

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


_HOST = re.compile(r"(?:(?P<name>[a-z0-9.]+)|\[(?P<ipv6>[0-9a-f:]+)\])(?::[0-9]{0,5})?", re.ASCII)

WITH_RECORD = ("/api/records", "/api/positions/record")
"""The calls whose body can be long."""


def new_key() -> str:
    """Make a key that cannot be guessed."""
    return secrets.token_urlsafe(18)


def hash_of(key: str) -> str:
    """Return the hash that is stored. A key is long and random, so a plain hash hides it."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def key_in(headers: Headers) -> str | None:
    """Return the key in the headers of a request, if there is one."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" and key.strip() else None


def is_same_origin(headers: Headers) -> bool:
    """Tell whether a request comes from our own page, or not from a page at all."""
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # not an address
        return False


class Guard:
    """Middleware that limits the size of requests and adds security headers to responses."""

    def __init__(self, app: ASGIApp, *, private: bool) -> None:
        self._app = app
        self._private = private

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self._private and not _is_loopback(headers.get("host", "")):
            # DNS rebinding: another site could point its name here and use this browser's access.
            await _refuse(scope, receive, send, api_error("wrong-host"))
        elif announced_length(headers) > (most := most_bytes(scope["path"])):
            await _refuse(scope, receive, send, api_error("too-large", most=most))
        elif scope["type"] == "websocket":
            await self._app(scope, receive, _with_reason(scope, receive, send))
        else:
            await self._answer(scope, receive, _Answer(scope, send))

    async def _answer(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        try:
            await self._app(scope, _limited(receive, most_bytes(scope["path"])), answer.send)
        except asyncio.CancelledError:
            if answer.has_begun:
                raise
            # The server is stopping, and has waited for this request as long as it could.
            await _refuse(scope, receive, answer.send, api_error("shutting-down"))


def _is_loopback(host: str) -> bool:
    """Tell whether a host is a name of this machine, with or without a port, and nothing else."""
    found = _HOST.fullmatch(host.lower())
    return found is not None and (found["name"] or found["ipv6"]) in LOOPBACK


def announced_length(headers: Headers) -> int:
    """Return how many bytes the body has, as the headers say; 0 if they do not."""
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 19 else 0


async def _refuse(scope: Scope, receive: Receive, send: Send, error: ApiError) -> None:
    answer = JSONResponse(
        error.problem.model_dump(), error.status_code, {**HEADERS, **(error.headers or {})}
    )
    await answer(scope, receive, send)


def most_bytes(path: str) -> int:
    """Return how large a body may be. The larger it is, the longer it takes to parse."""
    return MOST_BYTES_OF_RECORD if path in WITH_RECORD else MOST_BYTES


def _limited(receive: Receive, most: int) -> Receive:
    """Stop reading a body that is too large, whatever length its header states."""
    seen = 0

    async def receive_limited() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > most:
                raise api_error("too-large", most=most)
        return message

    return receive_limited


class _Answer:
    """An answer, to which the security headers are added."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send
        self.has_begun = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            headers: Any = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if self._scope["path"].startswith("/api/"):
                headers.setdefault("cache-control", "no-store")
        await self._send(message)


def _with_reason(scope: Scope, receive: Receive, send: Send) -> Send:
    """Say in an answer why a WebSocket is not opened. By itself, uvicorn sends only a status."""
    accepted = False

    async def send_with_reason(message: Message) -> None:
        nonlocal accepted
        accepted = accepted or message["type"] == "websocket.accept"
        if accepted or message["type"] != "websocket.close":
            await send(message)
            return
        refused = api_error("connection-refused")
        if message.get("reason") and isinstance(message["reason"], str):
            refused.problem = refused.problem.model_copy(update={"reason": message["reason"]})
        await _refuse(scope, receive, send, refused)

    return send_with_reason
