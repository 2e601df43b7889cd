"""Matches are read from SQLite and PostgreSQL as they were written."""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, func, inspect, select, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.pool import QueuePool

from divisorduel import Match
from divisorduel.play.commands import Take
from divisorduel.play.decide import decide
from divisorduel.play.events import Closed, Event, Joined, NumberTaken
from divisorduel.rules.errors import MissingExtra
from divisorduel.store import rooms
from divisorduel.store import schema as tables
from divisorduel.store.atomic_file import StoreError
from divisorduel.store.database import DatabaseReplaced, claim, default_url, open_database
from divisorduel.store.rooms import (
    UNREADABLE,
    PlayerPresence,
    Rooms,
    Step,
    StoredMatch,
    UnreadableMatch,
)
from tests.conftest import examples, small_game
from tests.play.test_decide import Sequence, decisions, matches, sequences
from tests.web.databases import NewDatabase
from tests.web.postgres import Cluster, free_port

pytestmark = pytest.mark.both_databases

LATER = 5000.0
HASHES = {"a" * 64: 1, "b" * 64: 2, "c" * 64: 0}


@pytest.fixture(scope="module")
def engine(new_database: NewDatabase) -> Iterator[Engine]:
    """Open a database of each kind, for all tests here."""
    opened = open_database(new_database())
    yield opened
    opened.dispose()


@pytest.fixture
def store(engine: Engine) -> Rooms:
    """Return the rooms of an empty database."""
    with engine.begin() as connection:
        connection.execute(tables.matches.delete())
    return Rooms(engine, "this process")


def stored(match_id: str, match: Match | None = None, **more: object) -> StoredMatch:
    about: dict[str, Any] = {"hints": True, "listed": False, "created": 1000.0, **more}
    return StoredMatch(match_id, match or shared_screen_match(), "2026-11-15", **about)


def shared_screen_match() -> Match:
    return Match.of(small_game("chain"))


def waiting_match() -> Match:
    return replace(shared_screen_match(), apart=True, joined=(True, False))


def step(match_id: str, version: int, *events: Event, **more: Any) -> Step:
    return Step(match_id, version, events or (NumberTaken(8),), 2000.0, **more)


def count_of(engine: Engine, table: str) -> int:
    with engine.connect() as connection:
        found = connection.execute(select(func.count()).select_from(tables.metadata.tables[table]))
        return int(found.scalar_one())


# --- the schema


def test_the_migrations_create_exactly_the_tables_in_the_schema(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, tables.metadata) == []
        assert set(inspect(connection).get_table_names()) == {
            *tables.metadata.tables,
            "alembic_version",
        }


def test_the_foreign_keys_have_their_names_and_cascade(engine: Engine) -> None:
    found = inspect(engine)
    for table in ("keys", "steps", "presence"):
        [key] = found.get_foreign_keys(table)
        assert key["name"] == f"fk_{table}_match_id"
        assert (key["referred_table"], key["options"]) == ("matches", {"ondelete": "CASCADE"})


def test_the_primary_keys_have_their_names(engine: Engine) -> None:
    found = inspect(engine)
    for table in tables.metadata.tables:
        assert found.get_pk_constraint(table)["name"] == f"pk_{table}"


def test_reopening_an_up_to_date_database_changes_nothing(database: str) -> None:
    first = open_database(database)
    Rooms(first, "here").create(stored("m"), HASHES)
    first.dispose()
    second = open_database(database)
    assert Rooms(second, "here").open("m") == stored("m")
    second.dispose()


def test_sqlite_enforces_foreign_keys_and_syncs_its_write_ahead_log(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'new' / 'folder' / 'x.sqlite'}")
    names = ("foreign_keys", "journal_mode", "synchronous")
    with engine.connect() as connection:
        found = [connection.execute(text(f"PRAGMA {name}")).scalar_one() for name in names]
    engine.dispose()
    assert found == [1, "wal", 2]


def test_a_step_of_an_unknown_match_cannot_be_written(store: Rooms) -> None:
    with pytest.raises(IntegrityError):
        store.write([step("unknown", 1)], [])


def test_deleting_a_match_deletes_its_keys_steps_and_presence(store: Rooms, engine: Engine) -> None:
    store.create(stored("m"), HASHES)
    store.write([step("m", 1)], [])
    with engine.begin() as connection:
        connection.execute(tables.matches.delete())
    assert [count_of(engine, name) for name in ("keys", "steps", "presence")] == [0, 0, 0]


# --- reading and writing


@settings(max_examples=examples(60))
@given(matches, sequences, st.booleans(), st.booleans())
def test_a_match_reopened_equals_the_match_that_was_played(
    engine: Engine, start: Match, asked: Sequence, hints: bool, listed: bool
) -> None:
    with engine.begin() as connection:
        connection.execute(tables.matches.delete())
    store, (begun, *made) = Rooms(engine, "here"), decisions(start, asked)
    store.create(stored("m", begun.match, hints=hints, listed=listed), HASHES)
    carried_out = [(one.events, one.match) for one in made if one.refusal is None]
    taken = [Step("m", match.version, events, 2000.0, match.state) for events, match in carried_out]
    match = made[-1].match if made else begun.match
    assert store.write(taken, []) == [True] * len(taken)
    assert store.open("m") == stored("m", match, hints=hints, listed=listed)
    for version in range(match.version + 1):
        assert store.steps_after("m", version) == [one.events for one in taken[version:]]


def test_an_unknown_match_is_not_found(store: Rooms) -> None:
    assert store.open("unknown") is None
    assert store.seats_of("unknown", "a" * 64) is None
    assert store.present_until(["unknown"]) == {}
    assert store.present_until([]) == {}


def test_a_late_step_is_refused_and_the_rest_of_its_batch_is_written(
    store: Rooms,
) -> None:
    for name in ("m", "n"):
        store.create(stored(name), {f"{name}{h[1:]}": seats for h, seats in HASHES.items()})
    store.write([step("m", 1, NumberTaken(8))], [])
    late = step("m", 1, NumberTaken(6), state="over", new_key=("d" * 64, 2))
    batch = [step("n", 1, NumberTaken(6)), late, step("n", 2, NumberTaken(3))]
    assert store.write(batch, [PlayerPresence("m", 1, 3000.0)]) == [True, False, True]
    assert store.steps_after("m", 0) == [(NumberTaken(8),)]
    assert store.steps_after("n", 0) == [(NumberTaken(6),), (NumberTaken(3),)]
    assert store.seats_of("m", "d" * 64) is None
    assert store.seats_of("m", "m" + "b" * 63) == 2
    assert store.present_until(["m"])["m", 1] == 3000.0


def test_the_first_of_two_steps_with_the_same_version_is_written(store: Rooms) -> None:
    store.create(stored("m"), HASHES)
    batch = [
        step("m", 2, NumberTaken(4)),
        step("m", 1, NumberTaken(8)),
        step("m", 1, NumberTaken(6), state="over", new_key=("d" * 64, 2)),
        step("m", 2, NumberTaken(3)),
    ]
    assert store.write(batch, []) == [True, True, False, False]
    assert store.steps_after("m", 0) == [(NumberTaken(8),), (NumberTaken(4),)]
    assert store.seats_of("m", "d" * 64) is None
    assert store.write(batch, []) == [False] * 4


def test_steps_are_on_disk_even_if_presence_cannot_be_written(
    store: Rooms, caplog: pytest.LogCaptureFixture
) -> None:
    store.create(stored("m"), HASHES)
    assert store.write([step("m", 1)], [PlayerPresence("unknown", 1, 3000.0)]) == [True]
    assert store.steps_after("m", 0) == [(NumberTaken(8),)]
    [logged] = caplog.messages
    assert logged.startswith("Presence could not be saved: ")
    assert "foreign key" in logged.lower(), "the reason"
    assert "\n" not in logged


def test_a_batch_that_fails_writes_nothing(store: Rooms) -> None:
    store.create(stored("m"), HASHES)
    with pytest.raises(IntegrityError):
        store.write([step("m", 1), step("unknown", 1)], [])
    assert store.steps_after("m", 0) == []


def test_a_match_whose_keys_cannot_be_stored_is_not_stored_either(store: Rooms) -> None:
    store.create(stored("m"), HASHES)
    store.write([step("m", 1)], [])
    nothing: Any = None
    with pytest.raises(IntegrityError):
        store.create(stored("n"), {"a" * 64: nothing})
    assert store.open("n") is None


def test_a_database_that_cannot_be_written_is_reported_as_such(on_file: Rooms) -> None:
    with on_file._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA query_only = ON")
    for state in (None, "over"):
        with pytest.raises(OperationalError, match="readonly") as error:
            on_file.write([step("m", 1, state=state)], [])
        assert error.traceback
        assert isinstance(on_file._engine.pool, QueuePool)
        assert on_file._engine.pool.checkedout() == 0, "others can use the connection"
    with on_file._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA query_only = OFF")
    assert on_file.steps_after("m", 0) == []
    assert on_file.write([step("m", 1, state="over")], []) == [True]


def test_a_batch_with_a_step_that_comes_too_late_changes_only_the_other_states(
    store: Rooms,
) -> None:
    for name in ("m", "n"):
        store.create(stored(name), HASHES)
    store.write([step("m", 1)], [])
    batch = [step("m", 1, state="over"), step("n", 1, state="over")]
    assert store.write(batch, []) == [False, True]
    assert store.unfinished_before(LATER, 9) == ["m"]


def test_a_large_batch_is_written_completely(store: Rooms) -> None:
    store.create(stored("m"), HASHES)
    batch = [step("m", version) for version in range(1, 1201)]
    assert store.write(batch, []) == [True] * 1200
    assert len(store.steps_after("m", 0)) == 1200


# --- keys, presence, lists


def test_a_key_opens_only_its_own_seats_in_its_own_match(store: Rooms) -> None:
    store.create(stored("m"), HASHES)
    store.create(stored("n"), {"d" * 64: 3})
    assert [store.seats_of("m", hashed) for hashed in HASHES] == [1, 2, 0]
    assert store.seats_of("n", "d" * 64) == 3
    assert store.seats_of("n", "a" * 64) is None
    assert store.seats_of("m", "") is None


def test_a_new_key_replaces_the_old_key_to_the_seat(store: Rooms) -> None:
    store.create(stored("m", waiting_match()), HASHES)
    store.write([step("m", 1, Joined(2, "Bob"), new_key=("e" * 64, 2))], [])
    assert store.seats_of("m", "e" * 64) == 2
    assert [store.seats_of("m", hashed) for hashed in HASHES] == [1, None, 0]


def test_a_new_key_is_written_with_the_steps_of_other_matches(store: Rooms) -> None:
    store.create(stored("m", waiting_match()), HASHES)
    store.create(stored("n"), HASHES)
    joined = step("m", 1, Joined(2, "Bob"), new_key=("e" * 64, 2))
    assert store.write([step("n", 1), joined], []) == [True, True]
    assert store.seats_of("m", "e" * 64) == 2
    assert [store.seats_of("n", hashed) for hashed in HASHES] == [1, 2, 0]


def test_a_duplicate_key_affects_neither_its_owner_nor_the_batch(store: Rooms) -> None:
    for name in ("m", "n"):
        store.create(stored(name, waiting_match()), HASHES)
    batch = [
        step("m", 1, Joined(2, "Bob"), new_key=("a" * 64, 2)),
        step("n", 1, Joined(2, "Eve"), new_key=("b" * 64, 2)),
    ]
    assert store.write(batch, []) == [True, True]
    assert [store.seats_of("m", hashed) for hashed in HASHES] == [1, None, 0]
    assert [store.seats_of("n", hashed) for hashed in HASHES] == [1, 2, 0]


def test_the_same_key_may_open_two_matches(store: Rooms) -> None:
    store.create(stored("m"), HASHES)
    store.create(stored("n"), {hashed: 3 - seats for hashed, seats in HASHES.items()})
    assert [store.seats_of("m", hashed) for hashed in HASHES] == [1, 2, 0]
    assert [store.seats_of("n", hashed) for hashed in HASHES] == [2, 1, 3]


def test_the_last_presence_written_counts(store: Rooms) -> None:
    store.create(stored("m"), HASHES)
    assert store.present_until(["m"]) == {("m", 1): 1000.0, ("m", 2): 1000.0}
    store.write(
        [], [PlayerPresence("m", 1, 5.0), PlayerPresence("m", 2, 6.0), PlayerPresence("m", 1, 7.0)]
    )
    assert store.present_until(["m"]) == {("m", 1): 7.0, ("m", 2): 6.0}


def test_the_list_has_listed_matches_whose_host_is_waiting_newest_first(
    store: Rooms,
) -> None:
    def create(name: str, match: Match, created: float, *, listed: bool = True) -> None:
        hashes = {name + "a" * 63: 1, name + "b" * 63: 2}
        store.create(stored(name, match, listed=listed, created=created), hashes)

    create("o", waiting_match(), 1000.0)
    create("p", waiting_match(), 1002.0)
    create("q", waiting_match(), 1001.0)
    create("r", waiting_match(), 1003.0, listed=False)
    create("s", shared_screen_match(), 1004.0)
    create("t", waiting_match(), 1005.0)
    store.write([step("t", 1, Joined(2, "Bob"), state="playing")], [])
    assert [found.id for found in store.waiting(10, 999.0, LATER)] == ["p", "q", "o"]
    assert [found.id for found in store.waiting(10, 1000.5, LATER)] == ["p", "q"]
    assert [found.id for found in store.waiting(1, 0.0, LATER)] == ["p"]
    assert [found.id for found in store.waiting(10, 0.0, LATER, excluding=["p", "o"])] == ["q"]
    assert store.waiting(10, 0.0, LATER)[2] == stored("o", waiting_match(), listed=True)


def test_a_list_reads_only_the_matches_that_were_not_in_the_last_one(
    store: Rooms, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, names = rooms._read_match, list[str]()

    def note(row: Any, written: Any) -> StoredMatch:
        names.append(row.id)
        return read(row, written)

    monkeypatch.setattr(rooms, "_read_match", note)

    def create(name: str, created: float) -> None:
        store.create(
            stored(name, waiting_match(), listed=True, created=created), {name + "a" * 63: 1}
        )

    def listed(most: int = 2) -> str:
        return "".join(found.id for found in store.waiting(most, 0.0, LATER))

    create("m", 1000.0)
    create("n", 1001.0)
    assert [listed(), listed(), "".join(names)] == ["nm", "nm", "nm"]
    create("o", 1002.0)
    assert [listed(), listed(), "".join(names)] == ["on", "on", "nmo"]
    with engine.begin() as connection:
        connection.execute(text("UPDATE matches SET hints = NOT hints WHERE id = 'n'"))
    assert [found.hints for found in store.waiting(2, 0.0, LATER)] == [True, False]
    assert "".join(names) == "nmon"
    store.write([step("o", 1, Closed("off"), state="off")], [])
    assert [listed(), "".join(names)] == ["nm", "nmonm"]


def test_a_host_who_was_seen_in_the_future_is_not_listed(store: Rooms) -> None:
    store.create(stored("m", waiting_match(), listed=True), HASHES)
    assert len(store.waiting(10, 999.0, 1000.0)) == 1
    assert store.waiting(10, 900.0, 999.0) == []


def test_unfinished_matches_without_recent_moves_are_found(store: Rooms) -> None:
    for number, name in enumerate(("o", "p", "q", "r")):
        created = 1000.0 + number
        store.create(stored(name, created=created), {name + "a" * 63: 3})
    store.write([step("p", 1), step("p", 2, NumberTaken(4))], [])  # at 2000
    store.write([step("q", 1, Closed("expired"), state="expired")], [])
    assert store.unfinished_before(1000.5, 10) == ["o"]
    assert store.unfinished_before(1000.0, 10) == []
    assert store.unfinished_before(1999.0, 10) == ["o", "r"]
    assert store.unfinished_before(2000.0, 10) == ["o", "r"]
    assert store.unfinished_before(2001.0, 10) == ["o", "p", "r"]
    assert store.unfinished_before(2001.0, 1) == ["o"]


# --- rows that cannot be read

UNKNOWN_EVENT = '[{"type": "number-eaten", "number": 8}]'
NO_SUCH_NUMBER = '[{"type": "number-taken", "number": 99, "again": false}]'
DAMAGED_STEPS = {
    "broken JSON": '[{"type": "number-ta',
    "not JSON at all": "",
    "unknown event": UNKNOWN_EVENT,
    "unknown field": '[{"type": "number-taken", "number": 8, "by": 1, "again": false}]',
    "no event": '{"type": "number-taken"}',
    "a number that is not on the board": NO_SUCH_NUMBER,
    "a number that is a word": '[{"type": "number-taken", "number": "8", "again": false}]',
    "an undo of another move": '[{"type": "move-undone", "number": 6}]',
    "a round that is not due": '[{"type": "round-began", "starter": 1}]',
    "a seat that is taken": '[{"type": "joined", "seat": 2, "name": "Eve"}]',
    "a seat that does not exist": '[{"type": "joined", "seat": 0, "name": "Eve"}]',
    "a forfeit by no one": '[{"type": "forfeited", "by": 3, "wrong_number": null, "away": false}]',
    "nested too deep": "[" * 100_000,
}


def damage(engine: Engine, match_id: str, **columns: object) -> None:
    """Change the row of a match."""
    with engine.begin() as connection:
        changed = tables.matches.update().where(tables.matches.c.id == match_id)
        connection.execute(changed.values(**columns))


def damage_step(engine: Engine, match_id: str, version: int, **columns: object) -> None:
    """Change the row of a step."""
    with engine.begin() as connection:
        changed = tables.steps.update().where(tables.steps.c.match_id == match_id)
        connection.execute(changed.where(tables.steps.c.version == version).values(**columns))


def state_of(engine: Engine, match_id: str) -> str:
    with engine.connect() as connection:
        found = select(tables.matches.c.state).where(tables.matches.c.id == match_id)
        return str(connection.execute(found).scalar_one())


@pytest.mark.parametrize("events", DAMAGED_STEPS.values(), ids=DAMAGED_STEPS)
def test_a_step_that_cannot_be_read_or_applied_is_reported(
    store: Rooms, engine: Engine, caplog: pytest.LogCaptureFixture, events: str
) -> None:
    store.create(stored("m"), HASHES)
    store.write([step("m", 1, NumberTaken(8)), step("m", 2, NumberTaken(4))], [])
    damage_step(engine, "m", 2, events=events)
    for _ in range(3):
        with pytest.raises(UnreadableMatch, match=r"^This match cannot be read\. Ask the") as told:
            store.open("m")
        assert told.value.code == "match-unreadable"
    [logged] = caplog.records  # reported once, with the traceback
    assert logged.getMessage() == "Match m cannot be read. It is set aside."
    assert logged.exc_info
    assert state_of(engine, "m") == UNREADABLE


@pytest.mark.parametrize(
    "columns",
    [{"base": "nonsense"}, {"base": '[Game "chess"]\n[Board "2-8"]\n\n*\n'}, {"base": ""}],
    ids=["nonsense", "a rule book that is not installed", "empty"],
)
def test_a_match_that_cannot_be_read_is_left_out_of_the_list_and_reported_once(
    store: Rooms, engine: Engine, caplog: pytest.LogCaptureFixture, columns: dict[str, object]
) -> None:
    for name in ("m", "n", "o"):
        store.create(stored(name, waiting_match(), listed=True), {name + "a" * 63: 1})
    damage(engine, "n", **columns)
    for _ in range(2):
        assert {found.id for found in store.waiting(10, 0.0, LATER)} == {"m", "o"}
    assert [told.getMessage() for told in caplog.records] == [
        "Match n cannot be read. It is set aside."
    ]
    assert set(store.unfinished_before(LATER, 10)) == {"m", "o"}


def test_a_missing_step_makes_a_match_unreadable(store: Rooms, engine: Engine) -> None:
    store.create(stored("m"), HASHES)
    store.write([step("m", 1), step("m", 2, NumberTaken(4)), step("m", 3, NumberTaken(2))], [])
    with engine.begin() as connection:
        connection.execute(tables.steps.delete().where(tables.steps.c.version == 2))
    with pytest.raises(UnreadableMatch):
        store.open("m")
    with pytest.raises(UnreadableMatch):
        store.steps_after("m", 0)


def test_a_match_that_can_be_read_again_is_no_longer_set_aside(
    store: Rooms, engine: Engine
) -> None:
    store.create(stored("m"), HASHES)
    store.write([step("m", 1, NumberTaken(8))], [])
    damage_step(engine, "m", 1, events=UNKNOWN_EVENT)
    with pytest.raises(UnreadableMatch):
        store.open("m")
    damage_step(engine, "m", 1, events=NO_SUCH_NUMBER.replace("99", "8"))
    found = store.open("m")
    assert found is not None
    assert found.match.current.moves == (8,)
    assert state_of(engine, "m") == "playing"


def test_a_match_that_an_older_version_could_not_read_is_no_longer_set_aside(
    store: Rooms, engine: Engine
) -> None:
    store.create(stored("m"), HASHES)
    damage(engine, "m", state="broken")
    assert store.open("m") == stored("m")
    assert state_of(engine, "m") == "playing"


def test_another_process_can_write_a_step_that_this_one_cannot_read(
    store: Rooms, engine: Engine
) -> None:
    store.create(stored("m"), HASHES)
    store.write([step("m", 1), step("m", 2, NumberTaken(4))], [])
    damage_step(engine, "m", 2, events=UNKNOWN_EVENT)
    with pytest.raises(UnreadableMatch):
        store.steps_after("m", 1)


def test_the_length_of_a_match_is_known_without_reading_it(store: Rooms) -> None:
    assert store.length_of("unknown") == (0, 0)
    store.create(stored("m"), HASHES)
    characters, steps = store.length_of("m")
    assert (100 < characters < 1000, steps) == (True, 0)
    store.write([step("m", 1), step("m", 2, NumberTaken(4))], [])
    assert store.length_of("m") == (characters, 2)


# --- several processes


def test_processes_that_write_at_the_same_time_never_deadlock(postgres: Cluster) -> None:
    url = postgres.new_database()
    engines = [open_database(url) for _ in range(2)]
    stores = [Rooms(engine, str(number)) for number, engine in enumerate(engines)]
    names = [f"m{number}" for number in range(20)]
    for name in names:
        stores[0].create(stored(name, waiting_match()), HASHES)
    together = Barrier(2)

    def write(number: int) -> list[list[bool]]:
        order = names if number == 0 else names[::-1]
        done = []
        for version in range(1, 16):
            key = (f"{number}{version}".ljust(64, "-"), 2)
            taken = [step(name, version, state="playing", new_key=key) for name in order]
            seen = [PlayerPresence(name, 1, float(version), news=True) for name in order]
            together.wait(30)
            found = stores[number].write(taken, seen)
            done.append(found if number == 0 else found[::-1])
        return done

    with ThreadPoolExecutor(2) as threads:
        one, two = threads.map(write, range(2))
    assert [[not late for late in found] for found in one] == two
    assert stores[0].present_until(names) == {
        (name, seat): 15.0 if seat == 1 else 1000.0 for name in names for seat in (1, 2)
    }
    for engine in engines:
        engine.dispose()


def test_a_sqlite_file_serves_one_process_at_a_time(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/new/x.sqlite"
    with (
        claim(address),
        pytest.raises(StoreError, match=r"^Another server already uses "),
    ):
        claim(address)
    with claim(address):
        pass


def test_postgresql_serves_many_processes(postgres: Cluster) -> None:
    address = postgres.new_database()
    with claim(address), claim(address):
        pass


# --- a file that is deleted or replaced while it is in use


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return where a SQLite database will be."""
    return tmp_path / "data" / "x.sqlite"


@pytest.fixture
def on_file(file: Path) -> Iterator[Rooms]:
    """Return rooms in that file, with one match."""
    engine = open_database(f"sqlite:///{file}")
    rooms = Rooms(engine, "here")
    rooms.create(stored("m"), HASHES)
    yield rooms
    engine.dispose()


def delete(file: Path) -> None:
    for path in file.parent.glob(f"{file.name}*"):
        path.unlink()


def replace_by_a_copy(file: Path) -> None:
    copy = file.with_name("copy")
    copy.write_bytes(file.read_bytes())
    copy.replace(file)


def move_folder(file: Path) -> None:
    moved = file.parent.rename(file.parent.with_name("moved"))
    file.parent.mkdir()
    for path in moved.glob(f"{file.name}*"):
        (file.parent / path.name).write_bytes(path.read_bytes())


HARM = {
    "deleted": delete,
    "without its log": lambda file: file.with_name(f"{file.name}-wal").unlink(),
    "replaced": replace_by_a_copy,
    "moved": lambda file: file.rename(file.with_name("moved")),
    "moved with its folder": move_folder,
    "emptied": lambda file: os.truncate(file, 0),
    "cut": lambda file: os.truncate(file, file.stat().st_size - 1),
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
def test_nothing_is_acknowledged_once_the_file_is_deleted_replaced_or_truncated(
    on_file: Rooms, file: Path, harm: Callable[[Path], object], caplog: pytest.LogCaptureFixture
) -> None:
    assert on_file.write([step("m", 1)], []) == [True]
    harm(file)
    before = sorted(file.parent.iterdir())
    for _ in range(2):
        with pytest.raises(DatabaseReplaced, match="was deleted, replaced or truncated while"):
            on_file.write([step("m", 2, NumberTaken(4))], [])
        with pytest.raises(DatabaseReplaced):
            on_file.create(stored("n"), HASHES)
        with pytest.raises(DatabaseReplaced):
            on_file.seats_of("m", "a" * 64)
        with pytest.raises(DatabaseReplaced):
            on_file.open("m")
    assert sorted(file.parent.iterdir()) == before  # no empty database in its place
    [told] = caplog.records
    assert "Restore the file and restart the server." in told.getMessage()


def test_a_file_that_is_lost_before_its_first_use_is_reported(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    engine = open_database(f"sqlite:///{file}")
    delete(file)
    with pytest.raises(DatabaseReplaced):
        Rooms(engine, "here").open("m")
    [told] = caplog.records
    assert "Nothing is saved." in told.getMessage()
    engine.dispose()


def test_a_file_that_comes_back_and_is_lost_again_is_reported_again(
    on_file: Rooms, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    away = file.with_name("away")
    for times in (1, 2):
        file.rename(away)
        for _ in range(2):
            with pytest.raises(DatabaseReplaced):
                on_file.open("m")
        assert len(caplog.records) == times
        away.rename(file)
        on_file.open("m")


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
def test_a_file_that_is_deleted_while_a_match_is_created_is_noticed(
    on_file: Rooms,
    file: Path,
    harm: Callable[[Path], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_presence = on_file._write_presence

    def write_and_lose(*given: Any) -> None:
        write_presence(*given)
        harm(file)

    monkeypatch.setattr(on_file, "_write_presence", write_and_lose)
    with pytest.raises(DatabaseReplaced):
        on_file.create(stored("n"), {"n" + "a" * 63: 3})


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
def test_a_file_that_is_deleted_during_a_write_is_noticed_before_the_acknowledgement(
    on_file: Rooms,
    file: Path,
    harm: Callable[[Path], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_steps = on_file._write_steps

    def write_and_lose(*given: Any) -> Any:
        written = write_steps(*given)
        harm(file)
        return written

    monkeypatch.setattr(on_file, "_write_steps", write_and_lose)
    with pytest.raises(DatabaseReplaced):
        on_file.write([step("m", 1)], [])


def test_a_file_that_comes_back_is_used_again(on_file: Rooms, file: Path) -> None:
    away = file.rename(file.with_name("away"))
    with pytest.raises(DatabaseReplaced):
        on_file.write([step("m", 1)], [])
    away.rename(file)
    assert on_file.write([step("m", 1)], []) == [True]


def test_a_file_is_not_mistaken_for_another_when_all_connections_have_been_closed(
    on_file: Rooms, file: Path
) -> None:
    on_file._engine.pool.dispose()
    assert on_file.write([step("m", 1)], []) == [True]
    assert on_file.steps_after("m", 0) == [(NumberTaken(8),)]


def test_closing_a_database_leaves_only_its_file(on_file: Rooms, file: Path) -> None:
    on_file._engine.dispose()
    assert list(file.parent.iterdir()) == [file]


# --- databases that cannot be used


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        (
            "nonsense",
            "Not a database URL. Use sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.",
        ),
        ("", "Not a database URL. Use sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME."),
        ("postgresql://me:secret@127.0.0.1:port/x", "Not a database URL."),
        ("postgresql:/me:secret@host/x", "Not a database URL."),
        ("mysql://me@host/x", "Unknown database 'mysql'. Use sqlite:///FILE or postgresql://…"),
        ("sqlite://", "The database URL has no file name. Use sqlite:///FILE."),
        ("sqlite:///:memory:", "The database URL has no file name. Use sqlite:///FILE."),
    ],
)
def test_an_unusable_url_is_refused_with_a_sentence(address: str, sentence: str) -> None:
    with pytest.raises(StoreError) as error:
        open_database(address)
    assert sentence in str(error.value)
    assert "secret" not in str(error.value)


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"file/folder cannot be created: Not a directory\.$"):
        open_database(f"sqlite:///{tmp_path}/file/folder/x.sqlite")


def test_a_file_that_is_not_a_database_is_reported_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann, " * 100)
    with pytest.raises(StoreError, match=r"letter\.txt cannot be used: file is not a database"):
        open_database(f"sqlite:///{file}")
    assert file.read_text() == "Dear Ann, " * 100


def test_a_folder_in_place_of_the_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used: unable to open database file"):
        open_database(f"sqlite:///{tmp_path}")


def test_a_database_from_a_newer_version_is_refused(database: str) -> None:
    engine = open_database(database)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreError, match="was made by a newer version of Divisor Duel"):
        open_database(database)


def test_an_unreachable_postgresql_is_reported_without_its_password() -> None:
    with pytest.raises(StoreError, match="cannot be used: connection failed") as error:
        open_database(f"postgresql://me:secret@127.0.0.1:{free_port()}/x")
    assert "secret" not in str(error.value)


def test_without_its_driver_postgresql_is_refused_with_install_instructions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"pip install .*'divisorduel\[postgres\]'$") as error:
        open_database("postgresql://me@127.0.0.1/x")
    assert sys.executable in str(error.value)


def test_by_default_the_database_is_next_to_the_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/home/ann/data")
    assert str(default_url()).endswith("divisorduel/server.sqlite")


def test_the_player_to_move_is_the_same_after_reopening(store: Rooms) -> None:
    store.create(stored("m", waiting_match()), HASHES)
    store.write([step("m", 1, Joined(2, "Bob")), step("m", 2, NumberTaken(8))], [])
    found = store.open("m")
    assert found is not None
    assert decide(found.match, 2, Take(4), 2).events == (NumberTaken(4),)
