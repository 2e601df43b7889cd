"""Sets up new matches and makes their keys."""

import secrets
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random

from divisorduel.play.decide import begin
from divisorduel.play.match import Match, MatchError, default_names
from divisorduel.play.players import HUMAN
from divisorduel.record.match_records import records_to_match
from divisorduel.record.reader import read_records
from divisorduel.store.rooms import StoredMatch
from divisorduel.web.schemas.requests import NewMatch
from divisorduel.web.schemas.rule_books import chosen_game
from divisorduel.web.security import hash_of, new_key

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 10
_BITS = {"1": 1, "2": 2, "watch": 0}


@dataclass(frozen=True, slots=True)
class Invitation:
    """A new match and the keys to its seats "1" and "2" (None for a computer) and to "watch"."""

    stored: StoredMatch
    keys: dict[str, str | None]

    @property
    def hashes(self) -> dict[str, int]:
        """The hashes of the keys, which are stored, and the seats they open, as bits."""
        found: Counter[str] = Counter()
        for name, key in self.keys.items():
            if key is not None:
                found[hash_of(key)] += _BITS[name]
        return found


def invite_to_new(wanted: NewMatch, now: float, rng: Random) -> Invitation:
    """Set up a match as requested. Raises `DuelError`."""
    one, two = wanted.players
    kinds = one.kind, two.kind
    if HUMAN not in kinds:
        raise MatchError("At least one player must be a person.")
    if wanted.listed and "link" not in (one.who, two.who):
        raise MatchError(
            "Only a match with a free seat can be listed. Let one player come by a link."
        )
    match = Match.of(
        chosen_game(wanted.game, wanted.board),
        names=_names((one.name, two.name), default_names(kinds)),
        kinds=kinds,
        first=rng.choice((1, 2)) if wanted.first == "random" else 2 if wanted.first == "2" else 1,
        then=wanted.then,
        rounds=wanted.rounds,
        undo=wanted.undo,
    )
    here = one.who != "link", two.who != "link"
    return _invite(match, here, now, hints=wanted.hints, listed=wanted.listed)


def invite_to_record(record: str, now: float) -> Invitation:
    """Continue a recorded match, already checked; its players share one screen."""
    return _invite(records_to_match(read_records(record)), (True, True), now)


def _names(given: tuple[str | None, str | None], defaults: tuple[str, str]) -> tuple[str, str]:
    one, two = given[0] or defaults[0], given[1] or defaults[1]
    if one == two and None in given:  # a chosen name equals the other's default name
        return (f"{one} A", two) if given[0] is None else (one, f"{two} B")
    return one, two


def _invite(
    match: Match, here: tuple[bool, bool], now: float, *, hints: bool = True, listed: bool = False
) -> Invitation:
    keys: dict[str, str | None] = {"1": None, "2": None, "watch": new_key()}
    together = new_key()
    for seat, kind, is_here in zip(("1", "2"), match.kinds, here, strict=True):
        if kind == HUMAN:
            keys[seat] = together if is_here else new_key()
    apart = match.kinds == (HUMAN, HUMAN) and not all(here)
    stored = StoredMatch(
        id="".join(secrets.choice(_LETTERS) for _ in range(ID_LENGTH)),
        match=replace(begin(match).match, apart=apart, joined=here),
        date=datetime.fromtimestamp(now, UTC).astimezone().strftime("%Y-%m-%d"),
        hints=hints,
        listed=listed,
        created=now,
    )
    return Invitation(stored, keys)
