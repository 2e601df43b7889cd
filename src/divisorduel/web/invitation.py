"""Sets up new matches and makes their keys."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random

from divisorduel.play.decide import begin
from divisorduel.play.events import Seat
from divisorduel.play.match import Match, MatchError, default_names
from divisorduel.play.players import HUMAN
from divisorduel.record.match_records import records_to_match
from divisorduel.record.reader import read_records
from divisorduel.store.rooms import StoredMatch
from divisorduel.web.schemas.requests import Computer, Here, Link, NewMatch
from divisorduel.web.schemas.rule_books import chosen_game
from divisorduel.web.security import hash_of, new_key

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 10


@dataclass(frozen=True, slots=True)
class Invitation:
    """A new match and its keys, None for the seat of a computer."""

    stored: StoredMatch
    seats: tuple[str | None, str | None]
    watch: str

    @property
    def hashes(self) -> dict[str, int]:
        """The hashes of the keys, which are stored, and the seats they open, as bits."""
        found = {hash_of(self.watch): 0}
        for bit, key in zip((1, 2), self.seats, strict=True):
            if key is not None:
                found[hash_of(key)] = found.get(hash_of(key), 0) | bit
        return found


def invite_to_new(wanted: NewMatch, now: float, rng: Random) -> Invitation:
    """Set up a match as requested. Raises `DuelError`."""
    one, two = wanted.players
    kinds = _kind(one), _kind(two)
    if HUMAN not in kinds:
        raise MatchError("At least one player must be a person.")
    if wanted.listed and not any(isinstance(player, Link) for player in wanted.players):
        raise MatchError(
            "Only a match with a free seat can be listed. Let one player come by a link."
        )
    match = Match.of(
        chosen_game(wanted.game, wanted.board),
        names=_names((one, two), kinds),
        kinds=kinds,
        first=_starter(wanted.first, rng),
        then=wanted.then,
        rounds=wanted.rounds,
        undo=wanted.undo,
    )
    here = tuple(not isinstance(player, Link) for player in wanted.players)
    return _invite(match, (here[0], here[1]), wanted, now)


def invite_to_record(record: str, now: float) -> Invitation:
    """Continue a recorded match, already checked; its players share one screen."""
    return _invite(records_to_match(read_records(record)), (True, True), None, now)


def _kind(player: Here | Link | Computer) -> str:
    return player.kind if isinstance(player, Computer) else HUMAN


def _names(players: Sequence[Here | Link | Computer], kinds: tuple[str, str]) -> tuple[str, str]:
    given = [None if isinstance(player, Computer) else player.name for player in players]
    one, two = (name or default for name, default in zip(given, default_names(kinds), strict=True))
    if one == two and None in given:  # a chosen name equals the other's default name
        return (f"{one} A", two) if given[0] is None else (one, f"{two} B")
    return one, two


def _starter(first: str, rng: Random) -> Seat:
    return rng.choice((1, 2)) if first == "random" else 2 if first == "2" else 1


def _invite(
    match: Match, here: tuple[bool, bool], wanted: NewMatch | None, now: float
) -> Invitation:
    people = [seat for seat, kind in zip((1, 2), match.kinds, strict=True) if kind == HUMAN]
    together = new_key()
    keys = [
        None if seat not in people else together if here[seat - 1] else new_key() for seat in (1, 2)
    ]
    apart = len(people) == 2 and not all(here)
    stored = StoredMatch(
        id="".join(secrets.choice(_LETTERS) for _ in range(ID_LENGTH)),
        match=replace(begin(match).match, apart=apart, joined=here),
        date=datetime.fromtimestamp(now, UTC).astimezone().strftime("%Y-%m-%d"),
        hints=wanted.hints if wanted else True,
        listed=wanted.listed if wanted else False,
        created=now,
    )
    return Invitation(stored, (keys[0], keys[1]), new_key())
