"""Sets up new matches and makes their keys."""

import secrets
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from divisorduel.play.decide import begin
from divisorduel.play.events import Seat
from divisorduel.play.match import Match, MatchError, check_names, default_names
from divisorduel.play.players import HUMAN
from divisorduel.record.match_records import records_to_match
from divisorduel.record.reader import read_records
from divisorduel.rules import catalogue
from divisorduel.rules.code import read_code
from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.store.rooms import StoredMatch
from divisorduel.web.board_limits import check_showable
from divisorduel.web.live.live_match import SEATS
from divisorduel.web.schemas.requests import NewMatch
from divisorduel.web.schemas.views import sent_name
from divisorduel.web.security import hash_of, new_key

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 10
_SEAT: dict[str, Seat] = {"1": 1, "2": 2}


@dataclass(frozen=True, slots=True)
class Invitation:
    """A new match and its keys: "1" and "2" (None for a computer), and "watch" for spectators."""

    stored: StoredMatch
    keys: dict[str, str | None]

    @property
    def hashes(self) -> dict[str, int]:
        """The hash of each key, which is stored instead of it, and the seats it opens, as bits."""
        found: Counter[str] = Counter()
        for name, key in self.keys.items():
            if key is not None:
                found[hash_of(key)] += _SEAT.get(name, 0)
        return found


def invite_to_new(wanted: NewMatch) -> Invitation:
    """Set up a match as requested. Raises `DuelError`."""
    one, two = wanted.players
    kinds = one.kind, two.kind
    if HUMAN not in kinds:
        raise MatchError("At least one player must be a person.")
    if wanted.listed and "link" not in (one.who, two.who):
        raise MatchError("Only a game with a free seat can be listed. Let one player join by link.")
    game, start = _chosen(wanted)
    if wanted.rounds > 1 and start is None and game.is_over(game.start()):
        raise MatchError("Every round on this board ends at once. Use another board, or one round.")
    match = Match.of(
        game,
        start=start,
        names=_names((one.name, two.name), default_names(kinds)),
        kinds=kinds,
        first=_SEAT[wanted.first] if wanted.first in _SEAT else secrets.choice(SEATS),
        then=wanted.then,
        rounds=wanted.rounds,
        undo=wanted.undo,
    )
    here = one.who != "link", two.who != "link"
    return _invite(match, here, hints=wanted.hints, listed=wanted.listed)


def invite_to_record(record: str) -> Invitation:
    """Set up a match that continues a checked record. The players share one screen."""
    match = records_to_match(read_records(record))
    check_names(match.names)  # a record may have names that an older version allowed
    return _invite(match, (True, True))


def _names(given: tuple[str | None, str | None], defaults: tuple[str, str]) -> tuple[str, str]:
    one, two = given[0] or defaults[0], given[1] or defaults[1]
    if one == two and None in given:  # one player chose the other's default name
        return (f"{one} A", two) if given[0] is None else (one, f"{two} B")
    return one, two


def _invite(
    match: Match, here: tuple[bool, bool], *, hints: bool = True, listed: bool = False
) -> Invitation:
    keys: dict[str, str | None] = {"1": None, "2": None, "watch": new_key()}
    shared = new_key()
    for seat, kind, is_here in zip(("1", "2"), match.kinds, here, strict=True):
        if kind == HUMAN:
            keys[seat] = shared if is_here else new_key()
    now = datetime.now(UTC).astimezone()
    apart = match.kinds == (HUMAN, HUMAN) and not all(here)
    stored = StoredMatch(
        id="".join(secrets.choice(_LETTERS) for _ in range(ID_LENGTH)),
        match=replace(begin(match).match, apart=apart, joined=here),
        date=now.strftime("%Y-%m-%d"),
        hints=hints,
        listed=listed,
        created=now.timestamp(),
    )
    return Invitation(stored, keys)


def _chosen(wanted: NewMatch) -> tuple[Game, Position | None]:
    """Return the game, and the position where it starts, if that is not the usual one."""
    if wanted.start is None:
        return chosen_game(wanted.game, wanted.board), None
    game, start = read_code(wanted.start, check_showable)
    if game.book.key != wanted.game:
        raise BoardError(f"start is a position of {game.book.key}, not of {wanted.game}.")
    if wanted.board:
        raise BoardError("start already sets the board; drop board.")
    if game.is_over(start):
        raise MatchError("No move is left in this position. Choose an earlier one.")
    return game, start


def chosen_game(key: str, board: dict[str, int | str]) -> Game:
    """Return a game on a board that the page can show. Raises `BoardError`."""
    parameters = catalogue.parameters(key)
    inside = {sent_name(name): name for name in parameters}
    given = {inside.get(name, name): value for name, value in board.items()}
    for name, kind in parameters.items():
        value = given.get(name)
        if value is not None and isinstance(value, int) is not (kind is int):
            wanted = "a number" if kind is int else "a word"
            raise BoardError(f"{sent_name(name)} must be {wanted}, not {value!r}.")
    return check_showable(catalogue.game(key, **given))
