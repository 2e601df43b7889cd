"""What keeps strangers out: keys, headers, and limits on what is sent and from where."""

import hashlib
import secrets
from typing import Any
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 300_000
"""The largest body of a request."""
TOO_LONG = f"At most {MOST_BYTES} bytes can be sent."

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


def new_key() -> str:
    """Make a key that nobody can guess."""
    return secrets.token_urlsafe(18)


def hash_of(key: str) -> str:
    """Return what is kept of a key. It is random and long, so a plain hash hides it."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def key_in(headers: Headers) -> str | None:
    """Return the key that a request brings, if any."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" and key.strip() else None


def is_same_origin(headers: Headers) -> bool:
    """Tell whether a page of ours asks, or no page at all; browsers say whose page it is."""
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # it is no address
        return False


class Guard:
    """Wraps the application: bounds what comes in, and marks what goes out."""

    def __init__(self, app: ASGIApp, *, private: bool) -> None:
        self._app = app
        self._private = private

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self._private and not _is_for_us(headers.get("host", "")):
            # Another site's name that leads here is a trick to borrow this browser's access.
            await _refuse(scope, receive, send, 421, "This server answers to localhost only.")
        elif _size(headers) > MOST_BYTES:
            await _refuse(scope, receive, send, 413, TOO_LONG)
        else:
            marked = _marked(scope, send) if scope["type"] == "http" else send
            await self._app(scope, _bounded(receive), marked)


def _is_for_us(host: str) -> bool:
    try:
        return urlsplit(f"//{host}").hostname in _LOOPBACK
    except ValueError:  # it is no address
        return False


def _size(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 19 else 0


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": reason})
        return
    await JSONResponse({"reason": reason}, status, HEADERS)(scope, receive, send)


def _bounded(receive: Receive) -> Receive:
    """Stop reading a body that is longer than it may be, whatever length was announced."""
    seen = 0

    async def receive_bounded() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > MOST_BYTES:
                raise HTTPException(413, TOO_LONG)
        return message

    return receive_bounded


def _marked(scope: Scope, send: Send) -> Send:
    async def send_marked(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: Any = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if scope["path"].startswith("/api/"):
                headers.setdefault("cache-control", "no-store")
        await send(message)

    return send_marked
