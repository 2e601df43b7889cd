"""Problems as whole responses, for requests that do not reach the application."""

from functools import lru_cache
from http import HTTPStatus

from websockets.datastructures import Headers
from websockets.http11 import Response

from divisorduel.web.schemas.problems import MOST_BYTES_OF_RECORD, api_error, problem
from divisorduel.web.security import HEADERS

PARAMS: dict[str, dict[str, str | int]] = {
    "invalid-handshake": {"problem": "The request that opens a WebSocket must not have a body"},
    "too-large": {"most": MOST_BYTES_OF_RECORD},
    "too-many-requests": {"what": "requests"},
}
"""What the sentences of some problems need."""


@lru_cache(maxsize=32)
def answer(code: str, *more: tuple[bytes, bytes]) -> bytes:
    """Return a problem as a whole response, after which the connection is closed."""
    error = api_error(code, **PARAMS.get(code, {}))
    status, body = error.status_code, error.problem.model_dump_json().encode()
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
    lines += [f"{name.decode()}: {value.decode()}" for name, value in more]
    fields = {**_fields(body), **(error.headers or {})}
    lines += [f"{name}: {value}" for name, value in fields.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def rejection(status: int, text: str) -> Response:
    """Return the answer to a handshake that fails."""
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        about = problem("internal-error")
    else:
        about = problem("invalid-handshake", problem=text.strip().rstrip("."))
    body = about.model_dump_json().encode()
    return Response(status, HTTPStatus(status).phrase, Headers(_fields(body)), body)


def _fields(body: bytes) -> dict[str, str]:
    return {
        **HEADERS,
        "cache-control": "no-store",
        "connection": "close",
        "content-type": "application/json",
        "content-length": str(len(body)),
    }
