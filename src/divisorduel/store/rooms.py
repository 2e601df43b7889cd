"""Matches in the database: each is stored as it began, with the steps taken since.

A step holds the events of one command and is stored under the version that it leads to. If two
processes decide on the same version at the same time, only one of them can write its step.
"""

import json
import logging
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Engine, Select, delete, func, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from divisorduel.play.events import Event, Seat
from divisorduel.play.match import Match, State
from divisorduel.record.event_json import event_from_json, event_to_json
from divisorduel.record.match_records import Heading, match_to_records, records_to_match
from divisorduel.record.reader import read_records
from divisorduel.record.writer import write_records
from divisorduel.rules.errors import DuelError
from divisorduel.store.database import check_file
from divisorduel.store.schema import keys, matches, presence, steps

CHANNEL = "duel"
"""The PostgreSQL channel that announces which match has changed."""

POSTGRESQL_INSERT = text("""
    INSERT INTO steps (match_id, version, events, at)
    SELECT * FROM json_to_recordset(:rows)
    AS row(match_id text, version integer, events text, at double precision)
    ON CONFLICT DO NOTHING
""")
SQLITE_INSERT = """
    INSERT INTO steps (match_id, version, events, at)
    SELECT json_extract(value, '$.match_id'), json_extract(value, '$.version'),
           json_extract(value, '$.events'), json_extract(value, '$.at')
    FROM json_each(?)
"""
SQLITE_UPDATE = "UPDATE matches SET state = ? WHERE id = ?"
# One INSERT for all rows: the GIL is released and acquired again only once.

UNREADABLE = "broken"
"""The state in the database of a match that could not be read. It is neither listed nor closed."""

log = logging.getLogger("divisorduel")


class UnreadableMatch(DuelError):
    """A match whose rows cannot be read: they are damaged, or its rule book is not installed."""

    code = "match-unreadable"

    def __init__(self) -> None:
        super().__init__(
            "This match cannot be read. Ask the operator of the server to look at its log."
        )


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as it is stored, and how it is served."""

    id: str
    match: Match
    date: str
    """The day it was created, for its records."""
    hints: bool
    """Whether players may ask for hints."""
    listed: bool
    """Whether any visitor may find and join it."""
    created: float


@dataclass(frozen=True, slots=True)
class Step:
    """The events of one command, to be written."""

    match_id: str
    version: int
    """The version after it."""
    events: tuple[Event, ...]
    at: float
    state: State | None = None
    """The new state of the match, if it has changed."""
    new_key: tuple[str, int] | None = None
    """The hash of a key that replaces the old keys to some seats, and those seats as bits."""


@dataclass(frozen=True, slots=True)
class PlayerPresence:
    """A player is present until a time in the future, or has been away since one in the past."""

    match_id: str
    seat: Seat
    until: float
    news: bool = False
    """Whether they have just come or gone, so that the other processes are notified at once."""


class Rooms:
    """The matches in a database. Every method blocks: call it from a thread."""

    def __init__(self, engine: Engine, process: str) -> None:
        self._engine = engine
        self._process = process
        """The name of this process in its notifications to others."""
        self._insert = postgresql.insert if self.shared else sqlite.insert
        self._listed: dict[tuple[Any, ...], StoredMatch] = {}
        """The matches in the last list by their rows, so that the next list reads only new rows."""

    @property
    def shared(self) -> bool:
        """Whether other processes may serve the same matches."""
        return self._engine.dialect.name == "postgresql"

    def create(self, stored: StoredMatch, hashes: Mapping[str, int]) -> None:
        """Store a new match with the hashes of its keys and the seats they open, as bits."""
        self.insert(stored, hashes, record_of(stored))

    def insert(self, stored: StoredMatch, hashes: Mapping[str, int], base: str) -> None:
        """Store a new match whose `record_of` is known."""
        match = stored.match
        waits_for = sum(bit for bit, joined in zip((1, 2), match.joined, strict=True) if not joined)
        with self._engine.begin() as connection:
            connection.execute(
                insert(matches).values(
                    id=stored.id,
                    base=base,
                    apart=match.apart,
                    waits_for=waits_for,
                    hints=stored.hints,
                    listed=stored.listed,
                    state=match.state,
                    created=stored.created,
                )
            )
            rows = [{"hash": h, "match_id": stored.id, "seats": s} for h, s in hashes.items()]
            connection.execute(insert(keys), rows)
            seen = [PlayerPresence(stored.id, seat, stored.created) for seat in (1, 2)]
            self._write_presence(connection, seen)
        check_file(self._engine)

    def length_of(self, match_id: str) -> tuple[int, int]:
        """Return how much there is to read: characters of the record, and steps."""
        last = select(func.max(steps.c.version)).where(steps.c.match_id == match_id)
        query = select(func.length(matches.c.base), last.scalar_subquery())
        with self._engine.connect() as connection:
            found = connection.execute(query.where(matches.c.id == match_id)).first()
        return (0, 0) if found is None else (found[0], found[1] or 0)

    def open(self, match_id: str) -> StoredMatch | None:
        """Return a match as it is now, or None if there is no match with that id.

        Raises `UnreadableMatch`, and sets the match aside, if its rows cannot be read.
        """
        with self._engine.connect() as connection:
            row = connection.execute(select(matches).where(matches.c.id == match_id)).first()
            written = connection.execute(_steps_after(match_id, 0)).all()
        if row is None:
            return None
        found = self._read(row, written)
        if found is None:
            raise UnreadableMatch
        if row.state == UNREADABLE:
            log.warning("Match %s can be read again.", match_id)
            self._set_state(match_id, found.match.state)
        return found

    def steps_after(self, match_id: str, version: int) -> list[tuple[Event, ...]]:
        """Return the events of each step after a version. Raises `UnreadableMatch`."""
        with self._engine.connect() as connection:
            written = connection.execute(_steps_after(match_id, version)).all()
        try:
            return list(_read_steps(written, version))
        except Exception as error:
            self._set_aside(match_id, error)
            raise UnreadableMatch from None

    def _read(self, row: Any, written: Iterable[Any] = ()) -> StoredMatch | None:
        """Return a match, or set it aside and return None if it cannot be read."""
        try:
            return _read_match(row, written)
        except Exception as error:  # damaged rows and other people's rule books can raise anything
            if row.state != UNREADABLE:
                self._set_aside(row.id, error)
            return None

    def _set_aside(self, match_id: str, error: Exception) -> None:
        """Report a match that cannot be read, once, and hide it from lists and regular tasks."""
        log.error("Match %s cannot be read. It is set aside.", match_id, exc_info=error)
        try:
            self._set_state(match_id, UNREADABLE)
        except SQLAlchemyError as failed:
            log.warning("Match %s could not be set aside: %s", match_id, _in_one_line(failed))

    def _set_state(self, match_id: str, state: str) -> None:
        with self._engine.begin() as connection:
            connection.execute(update(matches).where(matches.c.id == match_id).values(state=state))

    def write(self, taken: Sequence[Step], seen: Sequence[PlayerPresence]) -> list[bool]:
        """Write steps and presence; return for each step whether it was written.

        A step is not written if another step already leads to the same version.
        """
        # Rows are written in the order of their keys, so that processes cannot deadlock.
        written: set[tuple[str, int]] = set()
        if taken:
            written = self._write_steps(taken)
            check_file(self._engine)
        try:
            if seen:
                with self._engine.begin() as connection:
                    self._write_presence(connection, seen)
                    self._notify(connection, {one.match_id for one in seen if one.news})
        except SQLAlchemyError as error:  # presence is renewed soon, and the steps are on disk
            log.warning("Presence could not be saved: %s", _in_one_line(error))
        done = []
        for step in taken:
            one = (step.match_id, step.version)
            done.append(one in written)
            written.discard(one)
        return done

    def _write_steps(self, taken: Sequence[Step]) -> set[tuple[str, int]]:
        first = {(step.match_id, step.version): step for step in reversed(taken)}
        rows = [_row(first[one]) for one in sorted(first)]
        written = set(first)
        if not self.shared and not any(step.new_key for step in taken):
            states = [(first[one].state, one[0]) for one in sorted(first) if first[one].state]
            if self._write_directly(rows, states):
                return written
        with self._engine.connect() as connection:
            if not self.shared or not self._insert_all(connection, rows):
                new = self._insert(steps).on_conflict_do_nothing()
                found = connection.execute(new.returning(steps.c.match_id, steps.c.version), rows)
                written = {(row.match_id, row.version) for row in found}
            for one in sorted(written):
                self._write_consequences(connection, first[one])
            self._notify(connection, {match_id for match_id, _ in written})
            connection.commit()
        return written

    def _write_directly(self, rows: list[dict[str, Any]], states: list[Any]) -> bool:
        """Write steps to SQLite without SQLAlchemy; return False, with none written, if one exists.

        If no match changes its state, the one statement is the whole transaction.
        """
        pooled = self._engine.raw_connection()
        connection: Any = pooled.dbapi_connection
        usual, connection.isolation_level = connection.isolation_level, None
        try:
            if states:
                connection.execute("BEGIN IMMEDIATE")
            connection.execute(SQLITE_INSERT, (json.dumps(rows),))
            if states:
                connection.executemany(SQLITE_UPDATE, states)
                connection.execute("COMMIT")
        except sqlite3.IntegrityError:
            return False
        except sqlite3.Error as error:
            raise OperationalError(SQLITE_INSERT, None, error) from error
        finally:
            connection.isolation_level = usual
            pooled.close()  # rolls back what was not committed
        return True

    def _insert_all(self, connection: Connection, rows: list[dict[str, Any]]) -> bool:
        """Insert steps into PostgreSQL. Return False, with nothing written, if one exists."""
        inserted = connection.execute(POSTGRESQL_INSERT, {"rows": json.dumps(rows)}).rowcount
        if inserted < len(rows):
            connection.rollback()
        return inserted == len(rows)

    def _write_consequences(self, connection: Connection, step: Step) -> None:
        if step.state is not None:
            changed = update(matches).where(matches.c.id == step.match_id)
            connection.execute(changed.values(state=step.state))
        if step.new_key is not None:
            hashed, seats = step.new_key
            old = delete(keys).where(keys.c.match_id == step.match_id, keys.c.seats == seats)
            connection.execute(old)
            new = self._insert(keys).on_conflict_do_nothing()
            connection.execute(new.values(hash=hashed, match_id=step.match_id, seats=seats))

    def _write_presence(self, connection: Connection, seen: Sequence[PlayerPresence]) -> None:
        last = {(one.match_id, one.seat): one.until for one in seen}
        rows = [{"match_id": m, "seat": s, "until": last[m, s]} for m, s in sorted(last)]
        new = self._insert(presence)
        key, latest = ["match_id", "seat"], {"until": new.excluded.until}
        renewed = new.on_conflict_do_update(index_elements=key, set_=latest)
        connection.execute(renewed, rows)

    def _notify(self, connection: Connection, changed: Iterable[str]) -> None:
        rows = [{"payload": f"{self._process} {match_id}"} for match_id in sorted(changed)]
        if rows and self.shared:
            connection.execute(text(f"SELECT pg_notify('{CHANNEL}', :payload)"), rows)

    def seats_of(self, match_id: str, hashed: str) -> int | None:
        """Return the seats that a key opens, as bits: 0 for spectators, None if it is invalid."""
        query = select(keys.c.seats).where(keys.c.hash == hashed, keys.c.match_id == match_id)
        with self._engine.connect() as connection:
            seats: int | None = connection.execute(query).scalar()
        return seats

    def present_until(self, match_ids: Iterable[str]) -> dict[tuple[str, Seat], float]:
        """Return when each player's presence in some matches ends or ended."""
        query = select(presence).where(presence.c.match_id.in_(list(match_ids)))
        with self._engine.connect() as connection:
            return {(row.match_id, row.seat): row.until for row in connection.execute(query)}

    def waiting(
        self, most: int, since: float, until: float, excluding: Sequence[str] = ()
    ) -> list[StoredMatch]:
        """Return the matches that any visitor may join, the newest first.

        Leave out those in `excluding`, and those whose creator was last present before `since`, or
        after `until`, which only a wrong clock can have written.
        """
        seen = select(presence.c.seat).where(presence.c.match_id == matches.c.id)
        is_here = seen.where(presence.c.until.between(since, until)).exists()
        query = select(matches).order_by(matches.c.created.desc()).limit(most)
        query = query.where(matches.c.state == "waiting", matches.c.listed)
        query = query.where(matches.c.id.not_in(excluding)) if excluding else query
        with self._engine.connect() as connection:
            rows = connection.execute(query.where(is_here)).all()
        known = self._listed
        read = {tuple(row): known.get(tuple(row)) or self._read(row) for row in rows}
        self._listed = {row: found for row, found in read.items() if found is not None}
        return [*self._listed.values()]

    def unfinished_before(self, time: float, most: int) -> list[str]:
        """Return the unfinished matches in which nothing has happened since a time."""
        last = select(steps.c.at).where(steps.c.match_id == matches.c.id)
        last = last.order_by(steps.c.version.desc()).limit(1)
        is_idle = func.coalesce(last.scalar_subquery(), 0) < time
        is_unfinished = matches.c.state.in_(["waiting", "playing"])
        query = select(matches.c.id).order_by(matches.c.created).limit(most)
        query = query.where(is_unfinished, matches.c.created < time, is_idle)
        with self._engine.connect() as connection:
            return list(connection.execute(query).scalars())


def record_of(stored: StoredMatch) -> str:
    """Return what is stored of a new match. A match that continues a long one takes a while."""
    return write_records(match_to_records(stored.match, Heading(stored.id, stored.date)))


def _row(step: Step) -> dict[str, Any]:
    events = _events_as_text(step.events)
    return {"match_id": step.match_id, "version": step.version, "events": events, "at": step.at}


@lru_cache(maxsize=1_000)
def _events_as_text(events: tuple[Event, ...]) -> str:
    return json.dumps([event_to_json(event) for event in events])


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _steps_after(match_id: str, version: int) -> "Select[Any]":
    chosen = select(steps.c.version, steps.c.events).where(steps.c.match_id == match_id)
    return chosen.where(steps.c.version > version).order_by(steps.c.version)


def _read_steps(written: Iterable[Any], version: int = 0) -> Iterator[tuple[Event, ...]]:
    for expected, (found, events) in enumerate(written, version + 1):
        if found != expected:
            raise ValueError(f"step {expected} is missing")
        yield tuple(event_from_json(data) for data in json.loads(events))


def _read_match(row: Any, written: Iterable[Any]) -> StoredMatch:
    records = read_records(row.base)
    joined = (not row.waits_for & 1, not row.waits_for & 2)
    match = replace(records_to_match(records), apart=row.apart, joined=joined)
    for step in _read_steps(written):
        match = match.at_next_version()
        for event in step:
            if not match.can_happen(event):
                raise ValueError(f"step {match.version} does not apply: {event}")
            match = match.after(event)
    return StoredMatch(row.id, match, records[0].tag("Date"), row.hints, row.listed, row.created)
