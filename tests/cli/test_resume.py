"""Resume, save and replay: no move is lost, even if the program is killed at any moment."""

import os
import random
import re
import subprocess
from pathlib import Path

import pytest

from attack.campaigns.kills.terminal import KilledMatch
from divisorduel import read_records
from tests.conftest import DUEL, Duel, thorough_except


def saved_moves(duel: Duel) -> tuple[int, ...]:
    [path] = duel.matches
    return read_records(path.read_bytes())[-1].moves


def test_resume_continues_the_last_unfinished_game(duel: Duel) -> None:
    duel.run("play", "chain", "--names", "Ann", "Bob", typed="8\n4\n")
    done = duel.run("resume", typed="12\n")
    assert done.stdout.startswith(
        "Continuing Divisibility Duel: chain 2-50, Ann against Bob, turn 3.\n"
    )
    assert saved_moves(duel) == (8, 4, 12)


def test_a_resumed_game_can_be_finished_and_is_then_no_longer_offered(duel: Duel) -> None:
    duel.run("play", "divider", "--to", "3", typed="2\n")
    assert "Player 2 wins the game!" in duel.run("resume", typed="3\n").stdout
    done = duel.run("resume")
    assert done.returncode == 1
    assert "You have no unfinished games." in done.stderr


def test_a_folder_that_cannot_be_read_is_not_called_empty(duel: Duel) -> None:
    (duel.home / "divisorduel").mkdir()
    (duel.home / "divisorduel" / "matches").write_text("not a folder")
    said = duel.run("resume", "--list").stdout
    assert "matches cannot be read: Not a directory." in said
    assert "no unfinished games" not in said


def test_moves_can_be_undone_and_redone_after_resuming(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n4\n12\nundo\n")
    duel.run("resume", typed="redo\nundo\nundo\n2\n")
    assert saved_moves(duel) == (8, 2)


def test_the_rounds_of_a_match_continue_after_resuming(duel: Duel) -> None:
    duel.run("play", "divider", "--to", "3", "--rounds", "3", typed="2\n3\n2\n")
    done = duel.run("resume", typed="3\n2\n3\n")
    assert "round 2 of 3, turn 2" in done.stdout
    assert "Player 2 wins the match, 2 to 1." in done.stdout


def test_unfinished_games_are_listed_and_resumed_by_name(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n")
    duel.run("play", "evens", typed="12\n6\n")
    duel.run("play", "chain", typed="43\n")
    listed = duel.run("resume", "--list").stdout.splitlines()
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", line.split("  ")[1]) for line in listed)
    assert [line.split("  ")[2] for line in listed] == [
        "evens 2-20, Player 1 against Player 2, turn 3",
        "chain 2-50, Player 1 against Player 2, turn 2",
    ]
    name = listed[1].split()[0]
    assert "chain 2-50" in duel.run("resume", name).stdout


def test_nothing_is_saved_with_the_option_no_save(duel: Duel) -> None:
    done = duel.run("play", "chain", "--no-save", typed="8\nquit\n")
    assert duel.matches == []
    assert "not saved" in done.stdout


def test_a_game_without_a_move_leaves_no_file(duel: Duel) -> None:
    done = duel.run("play", "chain", typed="quit\n")
    assert duel.matches == []
    assert "not in your history" in done.stdout


def test_save_writes_a_record_that_replays_and_resumes(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n4\nsave mine.duel\n12\nsave mine.duel\n")
    saved = duel.home / "mine.duel"
    assert read_records(saved.read_bytes())[0].moves == (8, 4, 12)
    assert "You selected 12." in duel.run("replay", saved).stdout
    assert "turn 4" in duel.run("resume", saved, typed="6\n").stdout
    assert read_records(saved.read_bytes())[0].moves == (8, 4, 12)
    assert len(duel.matches) == 2


def test_a_game_resumed_from_a_file_can_be_saved_there_again(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\nsave mine.duel\n")
    done = duel.run("resume", "mine.duel", typed="4\nsave mine.duel\n")
    assert "Saved to" in done.stdout
    assert read_records((duel.home / "mine.duel").read_bytes())[0].moves == (8, 4)


def test_a_resumed_game_is_saved_at_once(duel: Duel) -> None:
    duel.run("play", "chain", "--no-save", typed="8\nsave mine.duel\n")
    assert "The game is saved." in duel.run("resume", "mine.duel", typed="quit\n").stdout
    assert "turn 2" in duel.run("resume").stdout


def test_resume_continues_the_game_that_was_resumed_last(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n")
    duel.run("play", "evens", typed="12\n")
    older = duel.run("resume", "--list").stdout.splitlines()[1].split()[0]
    duel.run("resume", older, typed="quit\n")
    assert "chain 2-50" in duel.run("resume").stdout


def test_comments_that_were_added_by_hand_are_not_lost(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n4\nsave mine.duel\n")
    [saved] = duel.matches
    for path in (saved, duel.home / "mine.duel"):
        path.write_text(path.read_text().replace("1. 8", "1. 8 {brilliant}"))
    done = duel.run("resume", typed="12\nsave mine.duel\n")
    assert "Choose another name" in done.stdout
    assert "brilliant" in saved.read_text()
    assert "brilliant" in (duel.home / "mine.duel").read_text()
    moves = {read_records(path.read_bytes())[0].moves for path in duel.matches}
    assert moves == {(8, 4), (8, 4, 12)}


def test_undoing_everything_keeps_the_game(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\nundo\n")
    assert "The game is saved." in duel.run("resume", typed="quit\n").stdout


@pytest.mark.parametrize(
    "typed", ["save ~nosuchuser/x", f"save {'x' * 300}", "save a\0b", "save ."]
)
def test_a_file_that_cannot_be_written_does_not_stop_the_game(duel: Duel, typed: str) -> None:
    done = duel.run("play", "chain", typed=f"{typed}\n43\n")
    assert done.returncode == 0
    assert done.stderr == ""


def test_save_never_overwrites_another_file(duel: Duel) -> None:
    notes = duel.home / "notes.txt"
    notes.write_text("precious")
    done = duel.run("play", "chain", typed="8\nsave notes.txt\nsave /no/such/place\nquit\n")
    assert notes.read_text() == "precious"
    assert "Choose another name" in done.stdout
    assert "No such file" in done.stdout
    assert done.returncode == 0


WHOLE = '[Game "chain"]\n[Board "2-50"]\n\n1. 8 2. 4 *\n'


@pytest.mark.parametrize("command", thorough_except(["resume", "replay"], "resume"))
@pytest.mark.parametrize(
    ("damaged", "line"),
    [
        (b"", 1),
        (b"PK\x03\x04", 1),
        (b"\xff\xfe\x00\x01", 1),
        (WHOLE[:-3].encode(), 4),
        (WHOLE[:20].encode(), 2),
        (WHOLE.replace("2. 4", "2. 5").encode(), 4),
        (WHOLE.replace("chain", "chess").encode(), 2),
        (b"<html>", 1),
        (WHOLE.replace("\n\n", '\n[Player1 "Player 2"]\n\n').encode(), 3),
    ],
)
def test_a_damaged_file_is_reported_with_its_line_and_left_alone(
    duel: Duel, command: str, damaged: bytes, line: int
) -> None:
    path = duel.home / "bad.duel"
    path.write_bytes(damaged)
    done = duel.run(command, path, typed="2\n")
    assert done.returncode == 1
    assert f"bad.duel is not a valid game file. Line {line}:" in done.stderr
    assert "Traceback" not in done.stderr
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("command", ["resume", "replay", "review"])
def test_a_missing_file_is_reported(duel: Duel, command: str) -> None:
    done = duel.run(command, "absent.duel")
    assert done.returncode == 1
    said = "No saved game or file is called 'absent.duel'. To see your games: duel history"
    assert said in done.stderr
    assert duel.run(command, "x" * 300).returncode == 1


def test_a_damaged_game_in_the_folder_is_reported_and_left_alone(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n")
    [good] = duel.matches
    bad = good.with_name("99999999-bad.duel")
    bad.write_text(good.read_text()[:-3])
    done = duel.run("resume", typed="4\n")
    assert "99999999-bad.duel is not a valid game file. Line" in done.stdout
    assert "Continuing" in done.stdout
    assert read_records(good.read_bytes())[0].moves == (8, 4)
    assert bad.read_text().endswith("1. 8")


def test_an_illegal_move_in_a_record_is_reported_with_its_turn_and_the_reason(duel: Duel) -> None:
    path = duel.home / "game.duel"
    path.write_text(WHOLE.replace("2. 4", "2. 14"))
    assert "the move on turn 2 is illegal: 14 neither divides 8" in duel.run("replay", path).stderr


@pytest.mark.thorough
def test_every_saved_game_replays(duel: Duel) -> None:
    duel.run("play", "descent", "--number", "16", typed="8\n3\n")
    duel.run("play", "divider", "--rounds", "2", typed="4\nforfeit\n2\nundo\n3\n")
    duel.run("play", "antichain", typed="50\n7\n")
    shown = [duel.run("replay", path) for path in duel.matches]
    assert [done.returncode for done in shown] == [0, 0, 0]
    assert "3 does not divide 8." in "".join(done.stdout for done in shown)


def test_one_game_of_several_can_be_replayed(duel: Duel) -> None:
    path = duel.home / "two.duel"
    path.write_text(WHOLE + "\n" + WHOLE.replace("2. 4", "2. 2"))
    assert duel.run("replay", path).stdout.count("Welcome") == 2
    assert "You selected 2." in duel.run("replay", path, "--game", "2").stdout
    assert duel.run("replay", path, "--game", "3").returncode == 1


def test_two_programs_on_one_game_do_not_overwrite_each_others_moves(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n")
    [path] = duel.matches
    first = subprocess.Popen(
        [DUEL, "resume"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=duel.environment(),
        text=True,
    )
    assert first.stdin
    assert first.stdout
    assert first.stdout.readline().startswith("Continuing")
    duel.run("resume", typed="4\n")
    out, _ = first.communicate("2\n46\n")
    assert "saved separately" in out
    saved = {read_records(found.read_bytes())[0].moves for found in duel.matches}
    assert saved == {(8, 4), (8, 2, 46)}
    assert read_records(path.read_bytes())[0].moves == (8, 4)


@pytest.mark.parametrize(
    "screen",
    [pytest.param(False, id="pipe"), pytest.param(True, id="screen", marks=pytest.mark.thorough)],
)
def test_kill_9_at_any_instant_loses_no_acknowledged_move(duel: Duel, screen: bool) -> None:
    match = KilledMatch(duel.home, random.Random(1))
    for _ in range(2):
        if not match.is_over:
            match.kill_once(screen=screen)
    match.finish()


def test_an_old_record_without_match_tags_can_be_continued(duel: Duel) -> None:
    path = Path(duel.home / "hand.duel")
    path.write_text(WHOLE)
    assert "turn 3" in duel.run("resume", path, typed="12\n").stdout
    assert saved_moves(duel) == (8, 4, 12)


FULL = "ulimit -f 0; exec"
"""Before a command: no file can grow, as on a full disk."""


def run_on_full_disk(duel: Duel, *words: str, typed: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "-c", f'{FULL} "$@"', "sh", DUEL, *words],
        input=typed,
        capture_output=True,
        text=True,
        env=duel.environment(),
        cwd=duel.home,
        timeout=60,
        check=False,
    )


def test_a_game_can_be_continued_on_a_full_disk_and_nothing_is_lost(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n4\n")
    [saved] = duel.matches
    before = saved.read_bytes()
    done = run_on_full_disk(duel, "resume", typed="12\nquit\n")
    assert done.returncode == 0
    assert done.stdout.count("the game is not saved") == 1
    assert "You selected 12." in done.stdout
    assert "The game could not be saved" in done.stdout
    assert done.stderr == ""
    assert duel.matches == [saved]
    assert saved.read_bytes() == before


def test_a_game_that_was_only_looked_at_on_a_full_disk_is_still_saved(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n4\n")
    done = run_on_full_disk(duel, "resume", typed="quit\n")
    assert "The game is saved." in done.stdout
    assert saved_moves(duel) == (8, 4)


@pytest.mark.thorough
def test_a_game_from_another_folder_can_be_continued_on_a_full_disk(duel: Duel) -> None:
    (duel.home / "hand.duel").write_text(WHOLE)
    done = run_on_full_disk(duel, "resume", "hand.duel", typed="12\nquit\n")
    assert done.returncode == 0
    assert "cannot be written" in done.stdout
    assert "The game could not be saved" in done.stdout
    assert duel.matches == []


@pytest.mark.skipif(not os.getuid(), reason="root may write everywhere")
def test_a_game_can_be_continued_on_a_read_only_disk(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n4\n")
    [saved] = duel.matches
    saved.parent.chmod(0o500)
    try:
        done = duel.run("resume", typed="12\nquit\n")
    finally:
        saved.parent.chmod(0o700)
    assert done.returncode == 0
    assert done.stdout.count("the game is not saved") == 1
    assert saved_moves(duel) == (8, 4)


def test_a_game_that_is_saved_separately_is_another_match(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n")
    [original] = duel.matches
    first = subprocess.Popen(
        [DUEL, "resume"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=duel.environment(),
        cwd=duel.home,
        text=True,
    )
    assert first.stdout
    assert first.stdout.readline().startswith("Continuing")
    duel.run("resume", typed="4\nsave theirs.duel\n")
    out, _ = first.communicate("2\nsave theirs.duel\nsave ours.duel\n")
    assert "theirs.duel already exists and holds something else" in out
    names = [read_records(path.read_bytes())[0].tag("Match") for path in duel.matches]
    assert names == [path.stem for path in duel.matches]
    ours = read_records((duel.home / "ours.duel").read_bytes())[0]
    [separate] = {*duel.matches} - {original}
    assert (ours.moves, ours.tag("Match")) == ((8, 2), separate.stem)


def test_two_games_from_one_file_are_different_matches(duel: Duel) -> None:
    noted = WHOLE.replace("\n\n", '\n[Match "m"]\n\n').replace("1. 8", "1. 8 {brilliant}")
    (duel.home / "hand.duel").write_text(noted)
    duel.run("resume", "hand.duel", typed="12\nsave one.duel\n")
    done = duel.run("resume", "hand.duel", typed="2\nsave one.duel\n")
    assert "one.duel already exists and holds something else" in done.stdout
    assert read_records((duel.home / "one.duel").read_bytes())[0].moves == (8, 4, 12)


@pytest.mark.parametrize("number", thorough_except(range(12), 0, 1, 2))
@pytest.mark.thorough
def test_of_two_windows_that_move_at_the_same_instant_neither_loses_its_move(
    duel: Duel, number: int
) -> None:
    duel.run("play", "chain", "--to", "60", typed="12\n")
    windows = [
        subprocess.Popen(
            [DUEL, "resume"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=duel.environment(),
            text=True,
        )
        for _ in range(2)
    ]
    for window in windows:
        assert window.stdout
        assert window.stdout.readline().startswith("Continuing")
    for window, move in zip(windows, (6, 24), strict=True):
        assert window.stdin
        window.stdin.write(f"{move}\n")
        window.stdin.flush()
    shown = [window.communicate()[0] for window in windows]
    assert ["You selected" in one for one in shown] == [True, True]
    moves = [read_records(path.read_bytes())[0].moves for path in duel.matches]
    assert sorted(moves) == [(12, 6), (12, 24)]
