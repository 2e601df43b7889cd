"""Joining with a key that the player made up: it may be a key that exists already."""

from collections.abc import Callable

from attack.campaign import Context
from attack.description import Json
from tests.web.clients import Client, Match, new_match

EXISTING: dict[str, Callable[[Match, Match], str | None]] = {
    "the spectators'": lambda match, _: match.keys["watch"],
    "the host's": lambda match, _: match.keys["1"],
    "the link's": lambda match, _: match.invited.key,
    "another match's": lambda _, other: other.keys["1"],
    "another match's spectators'": lambda _, other: other.keys["watch"],
    "new": lambda *_: "x" * 30,
}
"""Keys that a player could send as their own."""


def try_made_up_keys(context: Context, url: str) -> None:
    """Join with each of these keys: by the link, and from the list."""
    for is_listed in (False, True):
        for kind, choose in EXISTING.items():
            with (
                context.attempt("join with a made-up key", key=kind, listed=is_listed),
                new_match(url, listed=is_listed) as match,
                new_match(url) as other,
            ):
                key = choose(match, other)
                old = None if is_listed else match.invited.key
                with Client(url, old) as joiner:
                    body = {"name": "Bob", "key": key}
                    answer = joiner.http.post(f"/api{match.one.at}/join", json=body)
                if answer.status_code == 200:
                    _check_seats(match, other, answer.json())
                else:
                    assert answer.status_code in (403, 409, 422), answer.text
                    assert kind != "new", answer.text
                    _check_unchanged(match, other)


def _check_seats(match: Match, other: Match, joined: Json) -> None:
    """Check that the joiner's key opens one seat, and every other key what it did before."""
    match.keys["2"] = joined["key"]
    opened = seats(match, joined["key"])
    assert opened == [joined["seat"]] == [2], f"the joiner's key opens {opened}"
    _check_unchanged(match, other)


def _check_unchanged(match: Match, other: Match) -> None:
    for one in (match, other):
        opened = seats(one, one.keys["1"]), seats(one, one.keys["watch"])
        assert opened == ([1], []), f"the host's and the spectators' keys open {opened}"


def seats(match: Match, key: str | None) -> object:
    """Return the seats that a key opens, or the refusal."""
    with Client(match.url, key) as client:
        answer = client.http.get(f"/api/matches/{match.id}")
    return answer.json().get("seats", answer.text)
