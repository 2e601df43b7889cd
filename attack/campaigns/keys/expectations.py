"""Who may do what, for every call, message and command.

What is not listed here is refused to everyone without a seat, and is reported, so that a new call
gets a line here on the day it appears.
"""

from typing import Any, Literal

Access = Literal["anyone", "spectators", "players", "joiners"]
"""Who may make a call: anyone, anyone with a key to the match, players, or a person who joins."""
Rights = Literal["missing", "invalid", "watch", "1", "2", "both"]
"""What a key opens; "missing" if none was sent where a key belongs."""

CALLS: dict[str, Access] = {
    "GET /api/games": "anyone",
    "GET /api/options": "anyone",
    "GET /api/server": "anyone",
    "POST /api/qr": "anyone",
    "GET /api/matches": "anyone",
    "POST /api/matches": "anyone",
    "POST /api/records": "anyone",
    "POST /api/positions": "anyone",
    "POST /api/positions/start": "anyone",
    "POST /api/positions/record": "anyone",
    "POST /api/analysis": "anyone",
    "GET /api/matches/{id}": "spectators",
    "GET /api/matches/{id}/board": "spectators",
    "GET /api/matches/{id}/record": "spectators",
    "GET /api/matches/{id}/rounds/{number}": "spectators",
    "GET /api/matches/{id}/rounds/{number}/review": "spectators",
    "GET /api/matches/{id}/why": "players",
    "POST /api/matches/{id}/hint": "players",
    "POST /api/matches/{id}/commands": "players",
    "POST /api/matches/{id}/join": "joiners",
}

MESSAGES: dict[str, Access] = {
    "hello": "spectators",
    "ping": "spectators",
    "sync": "spectators",
    "command": "players",
}

PAGES = {
    "/", "/docs", "/favicon.ico", "/service-worker.js", "/openapi.json", "/asyncapi.json",
    "/static/{path:path}",
}  # fmt: skip
"""What is served to anyone, and not described as a call."""

OPENS: dict[Rights, list[int]] = {
    "missing": [], "invalid": [], "watch": [], "1": [1], "2": [2], "both": [1, 2],
}  # fmt: skip
"""The seats that a key opens."""


def is_allowed(access: Access | None, rights: Rights, *, is_listed: bool) -> bool:
    """Tell whether a call is allowed. What has no entry is allowed to players alone."""
    match access:
        case "anyone":
            return True
        case "spectators":
            return rights not in ("missing", "invalid")
        case "joiners" if rights == "missing":
            return is_listed
        case _:
            return bool(OPENS[rights])


def actor(event: dict[str, Any], before: dict[str, Any]) -> int | None:
    """Return the seat that must have caused an event, given the match before; None if any may."""
    offer = before["offer"]
    match event["type"]:
        case "number-taken" if not event["again"]:
            return int(before["to_move"])
        case "forfeited":
            return 3 - event["by"] if event["away"] else int(event["by"])
        case "offered" | "declined":
            return int(event["by"])
        case "joined":
            return int(event["seat"])
        case "move-undone" | "rounds-added" if before["apart"]:
            return None if offer is None else 3 - int(offer["by"])
    return None
