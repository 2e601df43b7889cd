"""Matches in every state, with every kind of key."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from attack.campaigns.keys.expectations import Rights
from divisorduel.web.security import hash_of
from tests.web.clients import COMPUTER, HERE, Match, new_match


@dataclass(frozen=True)
class Key:
    """A key, and what it opens in the match of its scene."""

    kind: str
    text: str | None
    rights: Rights


@dataclass(frozen=True)
class Scene:
    """A match, and keys of every kind."""

    name: str
    match: Match
    keys: tuple[Key, ...]
    is_listed: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the clients of the match."""
        self.match.__exit__(None, None, None)

    @property
    def own(self) -> str:
        """The key to seat 1, which must not work in the wrong place."""
        return self.match.keys["1"] or ""

    def wrong(self) -> list[Key]:
        """Return the keys that open nothing."""
        return [key for key in self.keys if key.rights in ("missing", "invalid")]

    def right(self) -> list[Key]:
        """Return the keys that open something."""
        return [key for key in self.keys if key.rights not in ("missing", "invalid")]


def _playing(url: str, other: Match) -> Scene:
    """Play a match into its second round; Player 1 is to move, and the link was used."""
    match = new_match(url, first="2", rounds=3)
    match.join()
    match.one.do("forfeit")
    valid = [Key("seat 1", match.keys["1"], "1"), Key("seat 2", match.keys["2"], "2")]
    revoked = [Key("revoked by joining", match.invited.key, "invalid")]
    return _scene("playing", match, other, valid + revoked)


def _over(url: str, other: Match) -> Scene:
    match = new_match(url)
    match.join()
    match.one.do("forfeit")
    valid = [Key("seat 1", match.keys["1"], "1"), Key("seat 2", match.keys["2"], "2")]
    return _scene("over", match, other, valid)


def _waiting(url: str, other: Match) -> Scene:
    match = new_match(url)
    valid = [Key("seat 1", match.keys["1"], "1"), Key("the link", match.keys["2"], "2")]
    return _scene("waiting", match, other, valid)


def _listed(url: str, other: Match) -> Scene:
    match = new_match(url, listed=True)
    valid = [Key("seat 1", match.keys["1"], "1"), Key("the link", match.keys["2"], "2")]
    return _scene("listed", match, other, valid, is_listed=True)


def _joined_from_the_list(url: str, other: Match) -> Scene:
    """Let a player join from the list, without a key; the link no longer works."""
    match = new_match(url, listed=True)
    link = match.keys["2"]
    match.invited.http.headers.pop("authorization")
    match.join()
    valid = [Key("seat 1", match.keys["1"], "1"), Key("seat 2", match.keys["2"], "2")]
    revoked = [Key("revoked by joining", link, "invalid")]
    return _scene("joined from the list", match, other, valid + revoked, is_listed=True)


def _called_off(url: str, other: Match) -> Scene:
    match = new_match(url)
    match.one.do("call-off")
    valid = [Key("seat 1", match.keys["1"], "1"), Key("the link", match.keys["2"], "2")]
    return _scene("called off", match, other, valid)


def _shared(url: str, other: Match) -> Scene:
    """Let two people play at one screen, with one key to both seats."""
    match = new_match(url, players=[HERE, {"who": "here", "name": "Bob"}], rounds=2)
    match.one.do("forfeit")
    return _scene("at one screen", match, other, [Key("both seats", match.keys["1"], "both")])


def _alone(url: str, other: Match) -> Scene:
    match = new_match(url, players=[HERE, COMPUTER])
    return _scene("against a computer", match, other, [Key("seat 1", match.keys["1"], "1")])


def _scene(
    name: str, match: Match, other: Match, own: list[Key], *, is_listed: bool = False
) -> Scene:
    one = match.keys["1"] or ""
    wrong = {
        "random": secrets.token_urlsafe(18),
        "the hash of a key": hash_of(one),
        "a key without its end": one[:-1],
        "a key and more": f"{one}x",
        "a key in the other case": one.swapcase(),
        "not ASCII": "schl\xfcssel" * 3,
        "long": "x" * 3_000,
        "the id of the match": match.id,
        "another match's seat 1": other.keys["1"],
        "another match's seat 2": other.keys["2"],
        "another match's spectator": other.keys["watch"],
    }
    keys = [
        Key("none", None, "missing"),
        Key("empty", "", "missing"),
        *(Key(kind, text, "invalid") for kind, text in wrong.items()),
        Key("spectator", match.keys["watch"], "watch"),
        *own,
    ]
    return Scene(name, match, tuple(keys), is_listed)


SCENES: tuple[Callable[[str, Match], Scene], ...] = (
    _playing, _over, _waiting, _listed, _joined_from_the_list, _called_off, _shared, _alone,
)  # fmt: skip
"""How to make a new match in each state, next to another match."""
