"""Saved matches are not lost, and other files are not overwritten."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Literal

import platformdirs
import pytest
from platformdirs.windows import Windows

from divisorduel import Heading, Match, decide, game
from divisorduel.play.commands import Take
from divisorduel.store.atomic_file import write_whole
from divisorduel.store.history import History
from divisorduel.store.match_files import (
    ChangedElsewhere,
    MatchFile,
    MatchFolder,
    StoreError,
    chosen_records,
    data_folder,
    read_match,
    save_as,
)
from divisorduel.store.online_links import OnlineLinks

HEADING = Heading("m", "2026-11-15")


def played(*moves: int) -> Match:
    match = Match.of(game("chain"))
    for move in moves:
        match = decide(match, match.current.to_move, Take(move)).match
    return replace(match, version=0)  # a file does not store the version


def test_a_saved_match_is_read_back_equal(tmp_path: Path) -> None:
    file = MatchFile(MatchFolder(tmp_path / "new" / "folder"), "m", HEADING)
    file.save(played(8, 4))
    file.save(played(8, 4, 12))
    assert read_match(file.path).match == played(8, 4, 12)


def test_a_match_has_the_date_of_its_first_round(tmp_path: Path) -> None:
    match = Match.of(game("descent", number=4), rounds=2)
    file = MatchFile(MatchFolder(tmp_path), "m", HEADING)
    file.save(decide(match, 1, Take(2)).match)
    first, second, third = file.path.read_text().rpartition(HEADING.date)
    assert first.count(second) == 1
    file.path.write_text(f"{first}2026-11-16{third}")
    assert read_match(file.path).heading == HEADING


def test_a_file_that_changed_in_the_meantime_is_left_alone(tmp_path: Path) -> None:
    file = MatchFile(MatchFolder(tmp_path), "m", HEADING)
    file.save(played(8))
    file.path.write_text("something else")
    with pytest.raises(ChangedElsewhere) as refused:
        file.save(played(8, 4))
    assert refused.value.code == "changed-elsewhere", "a program can tell why"
    assert file.path.read_text() == "something else"
    apart = file.with_name("n")
    apart.save(played(8, 4))
    assert read_match(apart.path).match == played(8, 4)


def test_leftovers_of_a_killed_program_are_removed_when_the_match_is_resumed(
    tmp_path: Path,
) -> None:
    folder = MatchFolder(tmp_path)
    MatchFile(folder, "m", HEADING).save(played(8))
    (tmp_path / ".m.0badcafe.duel-new").write_text("half a fi")
    (tmp_path / ".other.0badcafe.duel-new").write_text("not ours")
    MatchFile.of(folder, read_match(tmp_path / "m.duel")).save(played(8, 4))
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {".other.0badcafe.duel-new", "m.duel"}


def test_an_existing_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "m.duel").write_text("not ours")
    with pytest.raises(ChangedElsewhere):
        MatchFile(MatchFolder(tmp_path), "m", HEADING).save(played(8))


def test_the_newest_match_comes_first(tmp_path: Path) -> None:
    folder = MatchFolder(tmp_path)
    for age, name in enumerate(("c", "a", "b")):
        MatchFile(folder, name, HEADING).save(played(8))
        os.utime(folder.path(name), (1000 - age, 1000 - age))
    (tmp_path / "notes.txt").write_text("")
    folder.path("folder").mkdir()
    assert [path.stem for path in folder.newest_first()] == ["c", "a", "b"]
    assert list(MatchFolder(tmp_path / "none").newest_first()) == []


def test_one_game_of_a_file_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "games"
    text = "\n".join(f'[Game "chain"]\n[Board "2-8"]\n\n{move} *\n' for move in (4, 6, 8))
    path.write_text(text)
    assert [record.moves for record in chosen_records(path, None)] == [(4,), (6,), (8,)]
    assert [record.moves for record in chosen_records(path, 1)] == [(4,)]
    assert [record.moves for record in chosen_records(path, 3)] == [(8,)]
    with pytest.raises(StoreError, match="has no game 4; its last game is 3"):
        chosen_records(path, 4)


@pytest.mark.parametrize(
    "added", ["{a comment}", '[Event "x"]', "(1. 9)"], ids=["comment", "tag", "variation"]
)
def test_what_a_person_added_to_a_saved_match_is_not_overwritten(
    tmp_path: Path, added: str
) -> None:
    path = tmp_path / "m.duel"
    save_as(played(8), HEADING, str(path))
    assert read_match(path).is_ours
    where = "\n\n" if added.startswith("[") else "1. 8"
    edited = path.read_text().replace(where, f"{where.rstrip()}\n{added}\n\n", 1)
    path.write_text(edited)
    assert not read_match(path).is_ours
    with pytest.raises(StoreError, match="Choose another name"):
        save_as(played(8, 4), HEADING, str(path))
    assert path.read_text() == edited


def test_a_match_is_saved_in_the_home_folder_if_the_player_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "games").mkdir(parents=True)
    saved = save_as(played(8), HEADING, "~/games/../game.duel")
    assert saved == tmp_path / "home" / "game.duel"
    assert read_match(saved).match == played(8)


def test_save_replaces_only_an_earlier_state_of_the_same_match(tmp_path: Path) -> None:
    path = tmp_path / "game.duel"
    save_as(played(8), HEADING, str(path))
    save_as(played(8, 4), HEADING, str(path))
    assert read_match(path).match == played(8, 4)
    with pytest.raises(StoreError, match="Choose another name"):
        save_as(played(9), Heading("other", ""), str(path))
    path.write_text("precious notes")
    with pytest.raises(StoreError, match="Choose another name"):
        save_as(played(8, 4), HEADING, str(path))
    assert path.read_text() == "precious notes"


def test_save_replaces_the_file_that_the_match_was_resumed_from(tmp_path: Path) -> None:
    path = tmp_path / "game.duel"
    save_as(played(8), Heading("before", ""), str(path))
    resumed = read_match(path)
    save_as(played(8, 4), HEADING, str(path), resumed.content)
    assert read_match(path).match == played(8, 4)
    with pytest.raises(StoreError, match="Choose another name"):
        save_as(played(9), Heading("other", ""), str(path), resumed.content)
    assert read_match(path).match == played(8, 4)


@pytest.mark.parametrize("name", ["missing/folder/x.duel", ".", "x" * 300, "a\0b"])
def test_a_path_that_cannot_be_written_is_reported(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError):
        save_as(played(8), HEADING, str(tmp_path / name))


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert save_as(played(8), HEADING, str(pipe)) == pipe
        assert os.read(reader, 10_000).startswith(b'[Game "chain"]')
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_pipe_without_a_reader_does_not_stop_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("divisorduel.store.match_files.PATIENCE", 0.01)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="no program is reading it"):
        save_as(played(8), HEADING, str(tmp_path / "pipe"))


def test_a_match_is_written_to_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    saved, heading = Match.of(game("chain")), Heading("a", "2026-11-16")
    assert save_as(saved, heading, "-") == Path("-")
    assert capsys.readouterr().out.startswith('[Game "chain"]')
    assert [*tmp_path.iterdir()] == []


def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"absent.duel cannot be read: No such file"):
        read_match(tmp_path / "absent.duel")
    with pytest.raises(StoreError, match="cannot be read"):
        read_match(tmp_path)


def test_a_write_that_fails_leaves_the_old_file_and_no_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    write_whole(path, "old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_and_its_name_are_on_disk_when_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[bool, bool]] = []

    def note(handle: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        assert is_folder or os.fstat(handle).st_size == 3, "nothing is left in a buffer"
        synced.append((is_folder, (tmp_path / "a").exists()))

    monkeypatch.setattr(os, "fsync", note)
    write_whole(tmp_path / "a", b"new")
    assert synced == [(False, False), (True, True)], "the content, then the name"


@pytest.mark.skipif(os.name == "nt", reason="symlinks and permissions work differently on Windows")
def test_rewriting_a_file_keeps_its_symlink_and_permissions(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_of_two_programs_that_save_at_the_same_instant_one_is_told_of_the_other(
    tmp_path: Path,
) -> None:
    folder, both = MatchFolder(tmp_path), Barrier(2)

    def save(file: MatchFile, match: Match) -> bool:
        both.wait()
        try:
            file.save(match)
        except ChangedElsewhere:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        for number in range(20):
            MatchFile(folder, f"m{number}", HEADING).save(played(8))
            saved = read_match(folder.path(f"m{number}"))
            windows = MatchFile.of(folder, saved), MatchFile.of(folder, saved)
            ours, theirs = played(8, 4), played(8, 2)
            done = list(pool.map(save, windows, (ours, theirs)))
            assert sorted(done) == [False, True]
            assert read_match(saved.path).match == (ours if done[0] else theirs)


def test_a_match_that_changed_after_it_was_read_is_left_alone(tmp_path: Path) -> None:
    folder = MatchFolder(tmp_path)
    file = MatchFile(folder, "m", HEADING)
    file.save(played(8))
    saved = read_match(file.path)
    file.save(played(8, 4))
    with pytest.raises(ChangedElsewhere):
        MatchFile.of(folder, saved).save(saved.match)
    assert read_match(file.path).match == played(8, 4)


def test_a_match_that_is_saved_separately_has_a_name_of_its_own(tmp_path: Path) -> None:
    file = MatchFile(MatchFolder(tmp_path), "m", HEADING)
    file.save(played(8))
    separate = file.with_name("n")
    separate.save(played(8, 4))
    assert read_match(separate.path).heading == Heading("n", HEADING.date) == separate.heading
    save_as(played(8), file.heading, str(tmp_path / "copy.duel"))
    with pytest.raises(StoreError, match="Choose another name"):
        save_as(played(8, 4), separate.heading, str(tmp_path / "copy.duel"))


def test_of_two_matches_saved_in_one_file_at_the_same_instant_one_is_refused(
    tmp_path: Path,
) -> None:
    both = Barrier(2)

    def save(name: str, file: Path) -> bool:
        both.wait()
        try:
            save_as(played(8), Heading(name, ""), str(file))
        except StoreError:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        for number in range(20):
            file = tmp_path / f"{number}.duel"
            saved = list(pool.map(save, ("one", "two"), (file, file)))
            assert sorted(saved) == [False, True]
            assert read_match(file).heading.match_id == ("one" if saved[0] else "two")


def test_saving_a_match_leaves_nothing_else_in_the_folder(tmp_path: Path) -> None:
    folder = MatchFolder(tmp_path)
    MatchFile(folder, "m", HEADING).save(played(8))
    save_as(played(8), HEADING, str(tmp_path / "n.duel"))
    MatchFile.of(folder, read_match(tmp_path / "m.duel")).save(played(8, 4))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.duel", "n.duel"]


def test_a_match_that_was_read_does_not_show_the_text_of_its_file(tmp_path: Path) -> None:
    file = MatchFile(MatchFolder(tmp_path), "m", HEADING)
    file.save(played(8, 4))
    found = read_match(file.path)
    assert found.content == file.path.read_bytes()
    assert "[Board" not in repr(found)


def test_matches_are_in_the_folder_that_the_system_has_for_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "divisorduel" / "matches"
    assert History.of_user().folder.folder == data_folder()
    OnlineLinks.of_user().remember("http://127.0.0.1:9/#/match/abcdefghi1/KEY", "chain")
    assert [path.name for path in (tmp_path / "divisorduel").iterdir()] == ["online"]


def test_on_windows_matches_are_in_one_folder_of_their_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def on_windows(name: str, appauthor: str | Literal[False] | None) -> Path:
        return Windows(name, appauthor).user_data_path

    monkeypatch.setattr("platformdirs.windows.get_win_folder", lambda _: str(tmp_path))
    monkeypatch.setattr(platformdirs, "user_data_path", on_windows)
    assert data_folder() == tmp_path / "divisorduel" / "matches"
