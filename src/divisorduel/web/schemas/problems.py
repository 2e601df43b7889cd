"""Why the web server refuses requests: its codes and sentences."""

import logging
from http import HTTPStatus
from typing import Any

from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from divisorduel.play.match import Match
from divisorduel.rules.errors import DuelError
from divisorduel.rules.refusal import Refusal
from divisorduel.store.rooms import UnreadableMatch
from divisorduel.web.schemas.responses import Problem, RefusedOut
from divisorduel.web.solving.fair_queue import ServerBusy
from divisorduel.web.solving.solver_pool import LimitExceeded
from divisorduel.words.refusals import refusal_text

log = logging.getLogger("divisorduel")

MOST_BYTES, MOST_BYTES_OF_RECORD = 30_000, 300_000
"""The largest body of a request, and of one with a record."""
MOST_URL, MOST_HEADERS, MOST_HEADER, MOST_HEAD = 8_000, 100, 8_000, 32_000
"""The limits on the URL, the number of headers, the size of one, and the size of all of them."""

MOST_QUOTED = 40
"""How many characters of an unknown value are sent back."""

_LIMITS = f"Limits: {MOST_HEADERS} headers, {MOST_HEADER:,} bytes each, {MOST_HEAD:,} bytes in all."

PROBLEMS: dict[str, tuple[int, str]] = {
    "bad-request": (400, "The body cannot be read. Send JSON."),
    "invalid-http": (400, "The request is not valid HTTP."),
    "invalid-handshake": (400, "{problem}."),
    "key-missing": (401, "A key is needed. Send the header Authorization: Bearer KEY."),
    "key-invalid": (403, "This link is no longer valid. Ask for a new one."),
    "spectator": (403, "Spectators cannot play."),
    "wrong-origin": (403, "Only pages from this server may connect."),
    "connection-refused": (403, "This connection is not allowed."),
    "hello-expected": (403, 'The first message must be {{"type": "hello", "key": "KEY"}}.'),
    "not-found": (404, "There is nothing at this address."),
    "no-such-round": (404, "Round {number} has not begun."),
    "method-not-allowed": (405, "This address does not support that method."),
    "request-too-slow": (408, "The request took too long to arrive. Send it again."),
    "seat-taken": (409, "Someone else took the seat first."),
    "key-in-use": (409, "This key already opens the match. Choose another key."),
    "no-hints": (409, "Hints are turned off in this game."),
    "hint-not-your-turn": (409, "You can ask for a hint only on your turn."),
    "round-not-over": (409, "The round is not over yet. You can review it once it is."),
    "too-large": (413, "The request is too large. Send at most {most:,} bytes."),
    "url-too-long": (414, f"The address is too long. Use at most {MOST_URL:,} characters."),
    "wrong-host": (
        421,
        "This server can be reached only as localhost or 127.0.0.1. Use one of them.",
    ),
    "invalid-request": (422, "{problem}."),
    "invalid-json": (422, "The body is not valid JSON: {problem} at character {where}."),
    "invalid-message": (422, "Not a valid message: {problem}."),
    "binary-message": (422, "Binary messages are not supported. Send text."),
    "too-many-requests": (429, "Too many {what} from your address. Wait a minute."),
    "question-pending": (429, "The server is still working on your last request. Wait a moment."),
    "headers-too-large": (431, f"The headers are too large. {_LIMITS}"),
    "internal-error": (500, "Something went wrong on the server. Try again in a moment."),
    "too-many-connections": (503, "Too many connections are open. Try again in a moment."),
    "shutting-down": (503, "The server is stopping. Try again in a moment."),
    "database-unavailable": (503, "The database cannot be reached. Try again in a moment."),
}
"""The HTTP status of each problem, and its sentence."""

ERRORS = HTTPException, RequestValidationError, DuelError, SQLAlchemyError
"""The errors that `answer_to` expects; any other is a bug in our code."""

_HEADERS = {
    401: {"www-authenticate": "Bearer"},
    429: {"retry-after": "10"},
    503: {"retry-after": "10"},
}


def problem(code: str, **params: str | int) -> Problem:
    """Describe one of the `PROBLEMS`."""
    reason = PROBLEMS[code][1].format(**params)
    # A text in a request can contain half a surrogate pair, which cannot be sent back.
    return Problem(code=code, reason=reason.encode("utf-8", "backslashreplace").decode())


class ApiError(HTTPException):
    """A refused request."""

    def __init__(self, status: int, about: Problem) -> None:
        super().__init__(status, about.reason, _HEADERS.get(status))
        self.problem = about


class CommandRefused(ApiError):
    """A refused command. The match has not changed."""

    def __init__(self, match: Match, refusal: Refusal, *, asks: bool = False) -> None:
        reason = refusal_text(refusal, match)
        about = RefusedOut(code=refusal.code, reason=reason, version=match.version, asks=asks)
        super().__init__(409, about)


def api_error(code: str, **params: str | int) -> ApiError:
    """Return the error of one of the `PROBLEMS`."""
    return ApiError(PROBLEMS[code][0], problem(code, **params))


def answer_to(error: Exception) -> tuple[int, Problem]:
    """Return the status and the body of the answer to an error."""
    match error:
        case ApiError():
            return error.status_code, error.problem
        case DuelError():
            status = 503 if isinstance(error, ServerBusy | LimitExceeded) else 422
            status = 500 if isinstance(error, UnreadableMatch) else status
            return status, Problem(code=error.code, reason=str(error))
        case RequestValidationError():
            first = error.errors()[0]
            if first["type"] == "json_invalid":
                what, where = first["ctx"]["error"], first["loc"][-1] + 1
                return 422, problem("invalid-json", problem=what, where=where)
            return 422, problem("invalid-request", problem=_what_is_wrong(first))
        case HTTPException():
            code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "-")
            reason = problem(code).reason if code in PROBLEMS else error.detail
            return error.status_code, Problem(code=code, reason=reason)
        case SQLAlchemyError():
            log.error("The database failed: %s", " ".join(str(error).split()))
            return 503, problem("database-unavailable")
        case _:
            return 500, problem("internal-error")


def _what_is_wrong(error: dict[str, Any]) -> str:
    """Say what is wrong with a body, given an error of pydantic; without a full stop."""
    # The location also names the types that a value may have; the body does not.
    where = ".".join(str(part) for part in error["loc"][1:] if "-" not in str(part))
    match error["type"]:
        case "model_attributes_type":
            if where:
                return f"{where}: must be a JSON object"
            return "The body must be a JSON object, sent with Content-Type: application/json"
        case "union_tag_invalid":
            given, field = error["ctx"]["tag"], error["ctx"]["discriminator"].strip("'")
            known = error["ctx"]["expected_tags"].replace("'", "")
            named = f"{where}.{field}" if where else field
            return f"{named}: unknown value {given[:MOST_QUOTED]!r}. Use {known}"
    return f"{where}: {error['msg']}" if where else str(error["msg"])


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the statuses of refused calls, for OpenAPI."""
    # A refusal is JSON even if the call itself answers with something else.
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"content": content, "description": f"{HTTPStatus(status).phrase}."}
        for status in statuses
    }
