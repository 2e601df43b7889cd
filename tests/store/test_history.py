"""The history says what the match files say, however the index came about."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from divisorduel import Heading, Match, Rematch, StoreError, Take, decide, game
from divisorduel.coach.statistics import FinishedGame, Tally
from divisorduel.store import history as store_history
from divisorduel.store import history_index
from divisorduel.store.history import History, HistoryEntry
from divisorduel.store.history_index import HistoryIndex
from divisorduel.store.match_files import MatchFile, MatchFolder, save_as
from tests.conftest import examples
from tests.store.test_match_files import HEADING, played

T = TypeVar("T")

MISTAKEN = (10, 2, 8, 4, 12, 6, 3, 9)
"""A game of chain on 2 to 12 with mistakes."""


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(MatchFolder(tmp_path / "matches"), tmp_path / "history.sqlite")


def keep(history: History, name: str, match: Match, age: float = 0) -> None:
    MatchFile(history.folder, name, Heading(name, HEADING.date)).save(match)
    os.utime(history.folder.path(name), (1_000_000 - age, 1_000_000 - age))


def against_computer(*moves: int, to: int = 12, seat: int = 1) -> Match:
    kinds = ("human", "5") if seat == 1 else ("5", "human")
    match = Match.of(game("chain", to=to), names=("Ann", "Level 5"), kinds=kinds)
    for move in moves:
        match = decide(match, match.current.to_move, Take(move)).match
    return match


def test_the_last_match_is_the_newest_one(history: History) -> None:
    keep(history, "old", played(8), age=9)
    keep(history, "new", played(8))
    last = history.find("last")
    assert last is not None
    assert last.name == "new"


def names(history: History) -> list[str]:
    return [entry.name for entry in history.entries()]


def test_finished_and_unfinished_matches_are_listed_newest_first(history: History) -> None:
    keep(history, "a", played(8), age=20)
    keep(history, "b", played(43), age=30)
    keep(history, "c", played(), age=10)
    assert names(history) == ["c", "a", "b"]
    by_name = {entry.name: entry for entry in history.entries()}
    assert {name: entry.number for name, entry in by_name.items()} == {"a": 1, "b": 2, "c": 3}
    assert by_name["b"].summary.is_over
    assert by_name["b"].summary.winners == (1,)
    assert not by_name["a"].summary.is_over
    assert by_name["a"].summary.move_count == 1
    assert by_name["a"].summary.names == ("Player 1", "Player 2")


def unfinished(history: History) -> list[Match]:
    errors: list[StoreError] = []
    found = [saved.match for saved in history.unfinished(errors.append)]
    assert not errors
    return found


def test_a_rematch_counts_once_it_has_a_move(history: History) -> None:
    again = decide(played(43), 1, Rematch()).match
    keep(history, "a", again)
    moved = decide(again, again.current.to_move, Take(8)).match
    keep(history, "b", moved)
    over = {entry.name: entry.summary.is_over for entry in history.entries()}
    assert over == {"a": True, "b": False}
    assert [match.played for match in unfinished(history)] == [moved.played]


def test_without_a_folder_the_history_is_empty_and_no_folder_is_made(history: History) -> None:
    assert history.entries() == []
    assert not history.folder.folder.exists()


def test_a_list_clears_what_killed_programs_left_days_ago(history: History) -> None:
    keep(history, "a", played(8))
    for leftover in (".b.duel-lock", ".b.0badcafe.duel-new"):
        (history.folder.folder / leftover).touch()
        os.utime(history.folder.folder / leftover, (1_000_000, 1_000_000))
    assert names(history) == ["a"]
    assert [path.name for path in history.folder.folder.iterdir()] == ["a.duel"]


def test_damaged_files_are_reported_every_time(history: History) -> None:
    keep(history, "a", played(8))
    history.folder.path("damaged").write_text("half a rec")
    for _ in range(2):
        errors: list[StoreError] = []
        assert [entry.name for entry in history.entries(errors.append)] == ["a"]
        [error] = errors
        assert str(error).startswith(
            f"{history.folder.path('damaged')} is not a valid game file. Line 1: "
        )


def test_unfinished_matches_are_read_and_illegal_ones_reported(history: History) -> None:
    keep(history, "open", played(8), age=1)
    keep(history, "over", played(43), age=2)
    keep(history, "new", played(), age=3)
    keep(history, "wrong", played(8))
    path = history.folder.path("wrong")
    path.write_text(path.read_text().replace("1. 8", "1. 8 2. 9"))
    errors: list[StoreError] = []
    assert [found.match for found in history.unfinished(errors.append)] == [played(8), played()]
    [error] = errors
    assert "wrong.duel is not a valid game file" in str(error)


def test_a_match_is_found_by_its_number_its_id_its_file_or_as_the_last_one(
    history: History, tmp_path: Path
) -> None:
    keep(history, "a", played(43), age=1)
    keep(history, "b", played(8))
    file = tmp_path / "elsewhere.duel"
    save_as(played(8, 4), HEADING, str(file))

    def found(word: str, is_usable: Callable[[HistoryEntry], bool] = lambda _: True) -> str:
        path, entry = history.locate(word, is_usable, none="None.")
        return path.stem if entry else str(path)

    assert [found(word) for word in ("1", "2", "a", "b", "last")] == ["a", "b", "a", "b", "b"]
    assert found("last", lambda entry: entry.summary.is_over) == "a"
    assert found(str(file)) == str(file)
    for word in ("3", "c", "0", "x/\0"):
        with pytest.raises(StoreError):
            history.locate(word, none="None.")
    with pytest.raises(StoreError, match="No saved game or file is called 'c'"):
        history.locate("c", none="None.")


def test_a_file_elsewhere_is_found_without_reading_the_history(
    history: History, tmp_path: Path
) -> None:
    keep(history, "a", played(43))
    file = tmp_path / "elsewhere.duel"
    save_as(played(8, 4), HEADING, str(file))
    assert history.locate(str(file), none="None.") == (file, None)
    assert not (tmp_path / "history.sqlite").exists()


def test_the_last_match_is_one_in_which_a_person_played_if_there_is_one(history: History) -> None:
    computers = Match.of(game("chain", to=12), names=("A", "B"), kinds=("5", "greedy"))
    keep(history, "computers", computers)
    assert history.locate("last", none="None.")[0].stem == "computers"
    keep(history, "person", against_computer(8), age=10)
    assert names(history) == ["computers", "person"]
    assert history.locate("last", none="None.")[0].stem == "person"
    only = history.locate("last", lambda entry: not entry.summary.has_person, none="None.")
    assert only[0].stem == "computers"


def test_a_number_stays_with_its_match_and_is_not_used_again(history: History) -> None:
    for name in "abc":
        keep(history, name, played(8))
    assert {entry.name: entry.number for entry in history.entries()} == {"a": 1, "b": 2, "c": 3}
    history.delete(next(entry for entry in history.entries() if entry.name == "c"))
    history.delete(next(entry for entry in history.entries() if entry.name == "a"))
    assert names(history) == ["b"]
    keep(history, "d", played(8))
    assert {entry.name: entry.number for entry in history.entries()} == {"b": 2, "d": 4}


@pytest.mark.parametrize("is_another_new", [False, True])
def test_a_match_whose_file_comes_back_is_a_new_one(history: History, is_another_new: bool) -> None:
    for name in "ab":
        keep(history, name, played(8))
    assert [entry.number for entry in history.entries()] == [2, 1]
    away = history.folder.path("a").rename(history.folder.folder / "a.away")
    if is_another_new:
        keep(history, "c", played(8))
    assert {entry.name for entry in history.entries()} == {"b", *("c" * is_another_new)}
    away.rename(history.folder.path("a"))
    numbers = {entry.name: entry.number for entry in history.entries()}
    assert (numbers["a"], numbers["b"]) == (3 + is_another_new, 2)


def test_progress_is_reported_for_every_batch_of_files_that_must_be_read(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_history, "BATCH", 2)
    for name in "abcde":
        keep(history, name, played(8))
    told: list[tuple[int, int]] = []

    def on_progress(read: int, of: int) -> None:
        told.append((read, of))

    found = history.entries(on_progress=on_progress)
    assert {entry.name: entry.number for entry in found} == dict(
        zip("abcde", range(1, 6), strict=True)
    )
    assert told == [(0, 5), (2, 5), (4, 5)]
    assert history.entries(on_progress=on_progress) == found
    assert len(told) == 3


class Interrupted(Exception):
    """Stands for Ctrl-C in the middle of a write."""


def test_an_index_works_from_its_first_use(tmp_path: Path) -> None:
    index = HistoryIndex(tmp_path / "new.sqlite")
    assert index.update({"a": ("stamp", "{}"), "b": ("stamp", "{}")}, ()) == {"a": 1, "b": 2}
    assert [*index.rows()] == ["a", "b"]
    assert index.update({"c": ("stamp", "{}"), "a": ("later", "{}")}, ["b"]) == {"a": 1, "c": 3}
    assert [*index.rows()] == ["a", "c"]


def test_an_index_that_is_locked_is_waited_for_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = HistoryIndex(tmp_path / "x.sqlite")
    index.update({"a": ("stamp", "{}")}, ())
    monkeypatch.setattr(history_index, "SECONDS_TO_WAIT", 0.01)
    opened, connect = list[object](), sqlite3.connect

    def counted(*given: Any, **options: Any) -> sqlite3.Connection:
        opened.append(given)
        connection: sqlite3.Connection = connect(*given, **options)
        return connection

    with closing(connect(tmp_path / "x.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(sqlite3, "connect", counted)
        assert index.update({"b": ("stamp", "{}")}, ()) == {}
    assert len(opened) == 1


def test_an_interruption_leaves_the_index_as_it_was(history: History, tmp_path: Path) -> None:
    for name in "ab":
        keep(history, name, played(43))
    history.entries()
    index = HistoryIndex(tmp_path / "history.sqlite")
    before = index.rows()

    def interrupted(first: T) -> Iterator[T]:
        yield first
        raise Interrupted

    with pytest.raises(Interrupted):
        index.update({}, interrupted("a"))
    assert index.rows() == before
    with pytest.raises(Interrupted):
        index.note_tallies(interrupted(("a", before["a"].stamp, "[null]")))
    assert index.rows() == before


def test_a_match_that_was_continued_in_the_meantime_is_not_deleted(history: History) -> None:
    file = MatchFile(history.folder, "a", HEADING)
    file.save(played(8))
    [entry] = history.entries()
    file.save(played(8, 4))
    with pytest.raises(StoreError, match="has changed in the meantime"):
        history.delete(entry)
    assert names(history) == ["a"]
    [entry] = history.entries()
    history.delete(entry)
    assert names(history) == []
    assert [*history.folder.folder.iterdir()] == []
    with pytest.raises(StoreError, match="cannot be deleted"):
        history.delete(entry)


def test_mistakes_are_counted_once_and_remembered(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(history, "a", against_computer(*MISTAKEN))
    [entry] = history.entries()
    assert entry.tallies == (None,)
    assert not entry.is_judged
    [judged] = history.judge([entry], 10)
    assert judged.is_judged
    [tally] = judged.tallies
    assert isinstance(tally, Tally)
    assert tally.mistakes(1) + tally.mistakes(2) > 0
    monkeypatch.setattr("divisorduel.store.history.review", None)
    assert history.entries() == [judged]
    assert history.judge([judged], 10) == [judged]


def test_judging_stops_when_the_time_is_up_but_always_makes_progress(history: History) -> None:
    for number in range(3):
        keep(history, f"m{number}", against_computer(*MISTAKEN), age=number)
    for judged in (1, 2, 3, 3):
        found = history.judge(history.entries(), 0)
        assert sum(entry.is_judged for entry in found) == judged
        assert [entry.name for entry in found] == ["m0", "m1", "m2"]


def test_a_game_that_has_changed_keeps_its_number_and_not_its_tallies(history: History) -> None:
    keep(history, "a", against_computer(*MISTAKEN))
    [judged] = history.judge(history.entries(), 10)
    history.folder.path("a").unlink()
    keep(history, "a", against_computer(*MISTAKEN[:-1]), age=-5)
    [entry] = history.entries()
    assert entry.number == judged.number
    assert not entry.summary.is_over
    assert entry.tallies == (None,)


def test_judging_stops_at_the_very_moment_when_the_time_is_up(history: History) -> None:
    for number in range(3):
        keep(history, f"m{number}", against_computer(*MISTAKEN), age=number)
    times = iter([10.0, 11.0, 12.0])
    found = history.judge(history.entries(), 2, lambda: next(times))
    assert [entry.is_judged for entry in found] == [True, True, False]


def test_judging_what_is_judged_does_not_touch_the_index(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(history, "a", against_computer(*MISTAKEN))
    judged = history.judge(history.entries(), 10)
    monkeypatch.setattr(HistoryIndex, "note_tallies", None)
    assert history.judge(judged, 10) == judged


def test_a_history_that_has_not_changed_is_listed_without_writing_the_index(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(history, "a", played(8))
    before = history.entries()
    monkeypatch.setattr(HistoryIndex, "update", None)
    assert history.entries() == before


def test_one_finished_round_is_enough_for_a_finished_game(history: History) -> None:
    keep(history, "begun", played(8))
    again = decide(played(43), 1, Rematch()).match
    keep(history, "again", decide(again, again.current.to_move, Take(8)).match)
    found = {entry.name: entry for entry in history.entries()}
    assert {name: entry.has_finished_game for name, entry in found.items()} == {
        "begun": False,
        "again": True,
    }
    judged = {entry.name: entry.is_judged for entry in found.values()}
    assert judged == {"begun": True, "again": False}, "there is nothing to judge before the end"


def test_the_rounds_that_are_finished_are_judged_before_the_match_is(history: History) -> None:
    again = decide(played(43), 1, Rematch()).match
    keep(history, "a", decide(again, again.current.to_move, Take(8)).match)
    [entry] = history.judge(history.entries(), 10)
    one, two = entry.tallies
    assert (isinstance(one, Tally), two) == (True, None)
    assert history.entries() == [entry]


def test_tallies_of_another_match_are_an_error(history: History) -> None:
    keep(history, "a", played(43))
    [entry] = history.entries()
    with pytest.raises(ValueError, match="zip"):
        _ = replace(entry, tallies=()).is_judged


def test_a_match_is_exported_as_it_is_saved(history: History, tmp_path: Path) -> None:
    keep(history, "a", played(8))
    [entry] = history.entries()
    file = tmp_path / "copy.duel"
    history.export(entry, file, force=False)
    assert file.read_bytes() == history.path(entry).read_bytes()
    file.write_text("precious")
    with pytest.raises(StoreError, match="already exists"):
        history.export(entry, file, force=False)
    assert file.read_text() == "precious"
    history.export(entry, file, force=True)
    assert file.read_bytes() == history.path(entry).read_bytes()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="no program is reading it"):
        history.export(entry, tmp_path / "pipe", force=False, patience=0)


def test_a_game_that_was_taken_back_in_the_meantime_is_not_judged(history: History) -> None:
    keep(history, "a", against_computer(*MISTAKEN))
    [entry] = history.entries()
    history.folder.path("a").unlink()
    keep(history, "a", against_computer(*MISTAKEN[:-1]))
    assert history.judge([entry], 10) == [entry]
    history.folder.path("a").unlink()
    assert history.judge([entry], 10) == [entry]


def test_the_games_of_a_person_against_a_computer_are_seen_from_their_side(
    history: History,
) -> None:
    for seat in (1, 2):
        keep(history, f"as{seat}", against_computer(*MISTAKEN, seat=seat))
    keep(history, "people", played(43))
    found = {e.name: e for e in history.judge(history.entries(), 10)}
    one, two = (found[f"as{seat}"] for seat in (1, 2))
    [tally] = one.tallies
    assert isinstance(tally, Tally)
    winner = one.summary.winners[0]
    assert one.summary.finished_games(one.tallies) == [
        FinishedGame("chain", "2-12", "5", winner == 1, tally.winning[0], tally.kept[0])
    ]
    assert two.summary.finished_games(two.tallies) == [
        FinishedGame("chain", "2-12", "5", winner == 2, tally.winning[1], tally.kept[1])
    ]
    assert found["people"].summary.finished_games(found["people"].tallies) == []


@pytest.mark.parametrize(
    "content",
    [b"", b"not a database" * 100, b"SQLite format 3\0" + b"x" * 99],
    ids=["empty", "text", "header"],
)
def test_a_damaged_index_is_rebuilt(history: History, tmp_path: Path, content: bytes) -> None:
    keep(history, "a", played(8))
    (tmp_path / "history.sqlite").write_bytes(content)
    assert names(history) == ["a"]
    keep(history, "b", played(8), age=-1)
    assert names(history) == ["b", "a"]
    with sqlite3.connect(tmp_path / "history.sqlite") as index:
        assert index.execute("SELECT count(*) FROM matches").fetchone() == (2,)


def test_a_damaged_index_remembers_what_it_is_told_at_its_next_use(tmp_path: Path) -> None:
    index = HistoryIndex(tmp_path / "x.sqlite")
    (tmp_path / "x.sqlite").write_bytes(b"not a database" * 100)
    assert index.update({"a": ("stamp", "{}")}, ()) == {"a": 1}
    assert [*index.rows()] == ["a"]


def test_an_index_of_another_version_is_rebuilt(history: History, tmp_path: Path) -> None:
    keep(history, "a", played(8))
    with sqlite3.connect(tmp_path / "history.sqlite") as index:
        index.execute("CREATE TABLE matches (other TEXT)")
        index.execute("PRAGMA user_version = 99")
    assert names(history) == ["a"]
    assert [*HistoryIndex(tmp_path / "history.sqlite").rows()] == ["a"]


def test_a_damaged_index_that_cannot_be_removed_does_not_stop_the_list(
    history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, **_: object) -> None:
        raise PermissionError(path)

    keep(history, "a", played(43))
    (tmp_path / "history.sqlite").write_bytes(b"not a database" * 100)
    monkeypatch.setattr(Path, "unlink", refuse)
    [entry] = history.entries()
    assert (entry.number, entry.name) == (1, "a")
    assert all(entry.is_judged for entry in history.judge([entry], 10))


def test_an_index_that_another_program_has_just_made_is_kept(
    history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        keep(history, name, played(8))

    def looked_too_early(_: sqlite3.Connection) -> bool:
        monkeypatch.undo()
        names(history)  # another program makes the index
        history.delete(history.entries()[-1])
        return False

    monkeypatch.setattr(history_index, "_is_current", looked_too_early)
    assert [entry.number for entry in history.entries()] == [2]


def test_numbers_survive_while_the_folder_is_missing(history: History, tmp_path: Path) -> None:
    for name in "ab":
        keep(history, name, played(8))
    history.delete(next(entry for entry in history.entries() if entry.name == "a"))
    assert [entry.number for entry in history.entries()] == [2]
    (tmp_path / "matches").rename(tmp_path / "away")
    assert history.entries() == []
    (tmp_path / "away").rename(tmp_path / "matches")
    assert [entry.number for entry in history.entries()] == [2]


def test_a_file_that_vanishes_during_the_listing_does_not_hide_the_others(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        keep(history, name, played(8))
    state_of = store_history._state_of

    def vanishing(file: "os.DirEntry[str] | Path") -> object:
        if file.name == "b.duel":
            raise FileNotFoundError
        return state_of(file)

    monkeypatch.setattr(store_history, "_state_of", vanishing)
    assert sorted(names(history)) == ["a", "c"]


def test_odd_entries_in_the_folder_hide_no_match(history: History) -> None:
    keep(history, "a", played(8))
    folder = history.folder.folder
    (folder / "loop.duel").symlink_to("loop.duel")
    (folder / "nowhere.duel").symlink_to("missing")
    (folder / "folder.duel").mkdir()
    os.mkfifo(folder / "pipe.duel")
    (folder / "device.duel").symlink_to("/dev/zero")
    content = history.folder.path("a").read_bytes()
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.duel")).write_bytes(content)
    assert names(history) == ["a"]
    assert len(unfinished(history)) == 1


@pytest.mark.parametrize(
    ("summary", "tallies"), [("[" * 100_000, None), ("{}", None), ("[1]", None), (None, "{")]
)
def test_a_damaged_row_of_the_index_is_rebuilt(
    history: History, tmp_path: Path, summary: str | None, tallies: str | None
) -> None:
    keep(history, "a", played(8))
    keep(history, "b", played(43))
    before = history.entries()
    with sqlite3.connect(tmp_path / "history.sqlite") as index:
        index.execute(
            "UPDATE matches SET summary = coalesce(?, summary), tallies = ? WHERE name = 'a'",
            (summary, tallies),
        )
    assert history.entries() == before
    assert history.entries() == before


@pytest.mark.parametrize("seconds", [1e15, -1e15, 1e300])
def test_a_time_that_is_out_of_range_is_shown_as_1970(history: History, seconds: float) -> None:
    keep(history, "a", played(8))
    [entry] = history.entries()
    assert replace(entry, played_at=seconds).when.timestamp() == 0


def test_a_match_that_another_program_lists_in_the_meantime_keeps_its_number(
    history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(history, "a", played(8))
    other = History(history.folder, tmp_path / "history.sqlite")
    files = history._files

    def interrupted() -> object:
        found = files()
        keep(history, "b", played(8))
        assert len(other.entries()) == 2
        return found

    monkeypatch.setattr(history, "_files", interrupted)
    assert names(history) == ["a"]
    assert {entry.name: entry.number for entry in other.entries()} == {"a": 1, "b": 2}


def test_a_folder_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    (tmp_path / "matches").write_text("not a folder")
    history = History(MatchFolder(tmp_path / "matches"), tmp_path / "history.sqlite")
    with pytest.raises(StoreError, match="matches cannot be read"):
        history.entries()
    errors: list[StoreError] = []
    assert [*history.unfinished(errors.append)] == []
    assert len(errors) == 1


def test_the_history_is_listed_even_without_an_index(tmp_path: Path) -> None:
    history = History(MatchFolder(tmp_path / "matches"), tmp_path / "missing" / "index")
    keep(history, "a", played(8), age=1)
    keep(history, "b", played(43))
    assert [(entry.number, entry.name) for entry in history.entries()] == [(2, "b"), (1, "a")]
    assert all(entry.is_judged for entry in history.judge(history.entries(), 10))


def test_without_an_index_no_two_matches_have_the_same_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_history, "BATCH", 2)
    history = History(MatchFolder(tmp_path / "matches"), tmp_path / "missing" / "index")
    for name in "abcde":
        keep(history, name, played(8))
    numbers = {entry.name: entry.number for entry in history.entries()}
    assert numbers == dict(zip("abcde", range(1, 6), strict=True))


def test_an_index_that_another_program_is_writing_does_not_stop_the_list(
    history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(history, "a", played(8))
    assert names(history) == ["a"]
    keep(history, "b", played(8), age=-1)
    monkeypatch.setattr("divisorduel.store.history_index.SECONDS_TO_WAIT", 0.01)
    with sqlite3.connect(tmp_path / "history.sqlite", isolation_level=None) as index:
        index.execute("BEGIN EXCLUSIVE")
        assert names(history) == ["b", "a"]
        index.execute("ROLLBACK")
    index.close()
    assert names(history) == ["b", "a"]


def test_programs_that_list_at_the_same_time_agree_on_the_numbers(
    history: History, tmp_path: Path
) -> None:
    for number in range(30):
        keep(history, f"m{number:02}", played(8), age=number)
    both = Barrier(4)

    def listed(_: int) -> list[HistoryEntry]:
        both.wait()
        return History(history.folder, tmp_path / "history.sqlite").entries()

    with ThreadPoolExecutor(4) as pool:
        one, *others = pool.map(listed, range(4))
    assert all(other == one for other in others)
    assert sorted(entry.number for entry in one) == [*range(1, 31)]


class Changes(RuleBasedStateMachine):
    """Matches are begun, continued, judged and deleted, and listed now and then."""

    def __init__(self) -> None:
        super().__init__()
        from tempfile import TemporaryDirectory

        self._temporary = TemporaryDirectory()
        root = Path(self._temporary.name)
        self.history = History(MatchFolder(root / "matches"), root / "index")
        self.root = root
        self.matches: dict[str, Match] = {}
        self.rng = Random(1)
        self.begun = 0

    def teardown(self) -> None:
        self._temporary.cleanup()

    @rule()
    def begin(self) -> None:
        self.begun += 1
        self._save(f"m{self.begun:04}", against_computer(to=8))

    @rule(data=st.data())
    def take(self, data: st.DataObject) -> None:
        going = sorted(name for name, match in self.matches.items() if not match.over)
        if going:
            name = data.draw(st.sampled_from(going))
            match = self.matches[name]
            move = data.draw(st.sampled_from(match.game.moves(match.current.position)))
            self._save(name, decide(match, match.current.to_move, Take(move)).match)

    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        if self.matches:
            name = data.draw(st.sampled_from(sorted(self.matches)))
            found = self.history.find(name)
            assert found is not None
            self.history.delete(found)
            del self.matches[name]

    @rule()
    def judge(self) -> None:
        assert all(entry.is_judged for entry in self.history.judge(self.history.entries(), 60))

    @rule()
    def list(self) -> None:
        self.history.entries()

    def _save(self, name: str, match: Match) -> None:
        path = self.history.folder.path(name)
        path.unlink(missing_ok=True)
        MatchFile(self.history.folder, name, Heading(name, "")).save(match)
        self.matches[name] = match

    @invariant()
    def the_index_says_what_the_files_say(self) -> None:
        (self.root / "fresh").unlink(missing_ok=True)
        fresh = History(self.history.folder, self.root / "fresh")
        kept, rebuilt = self.history.entries(), fresh.entries()
        assert [(e.name, e.stamp, e.summary) for e in kept] == [
            (e.name, e.stamp, e.summary) for e in rebuilt
        ]
        assert {entry.name for entry in kept} == {*self.matches}
        in_order = sorted(kept, key=lambda entry: entry.number)
        assert [entry.name for entry in in_order] == sorted(self.matches)
        judged = {entry.name: entry.tallies for entry in fresh.judge(rebuilt, 60)}
        for entry in kept:
            assert entry.tallies == judged[entry.name] or not entry.is_judged


TestChanges = Changes.TestCase
TestChanges.settings = settings(max_examples=examples(24), stateful_step_count=12)
