"""Every game can be found, reviewed, replayed, continued, exported and deleted again."""

import os
import re
import subprocess

import pexpect
import pytest

from divisorduel import read_records
from tests.conftest import DUEL, Duel
from tests.terminal.test_terminal import TerminalUser

SAMPLE = "12\n6\n18\n2\n4\n8\n16\n"
"""A whole game of evens with one mistake."""


@pytest.fixture
def duel_with_games(duel: Duel) -> Duel:
    """Return the command after a finished game, an unfinished one, and another finished one."""
    for name, typed in (("evens", SAMPLE), ("chain", "8\n4\n"), ("divider", "2\n3\n")):
        to = ["--to", "3"] if name == "divider" else []
        duel.run("play", name, *to, "--names", "Ann", "Ben", typed=typed)
        newest = max(duel.matches, key=lambda path: path.stat().st_mtime_ns)
        newest.rename(newest.with_name(f"{name}.duel"))
    return duel


def listed(duel: Duel, *words: str) -> dict[str, list[str]]:
    """Return the rows of the list by their numbers."""
    shown = duel.run("history", *words).stdout.partition("\n\n")[0].splitlines()[1:]
    rows = [re.split("  +", line.strip()) for line in shown]
    return {row[0]: row[1:] for row in rows}


def test_finished_and_unfinished_games_are_listed_newest_first(duel_with_games: Duel) -> None:
    rows = listed(duel_with_games)
    assert [row[1:] for row in rows.values()] == [
        ["divider", "2-3", "Ann against Ben", "Ben won", "0, 0"],
        ["chain", "2-50", "Ann against Ben", "unfinished"],
        ["evens", "2-20", "Ann against Ben", "Ann won", "0, 1"],
    ]
    assert [row[0] for row in listed(duel_with_games, "--ids").values()] == [
        "divider",
        "chain",
        "evens",
    ]


def test_without_games_the_list_says_how_to_play_one(duel: Duel) -> None:
    done = duel.run("history")
    assert done.stdout == "You have no games yet. To play one: duel play GAME\n"
    assert "You have not finished a game against the computer yet." in duel.run("stats").stdout
    assert [*duel.home.iterdir()] == []


def test_bare_review_takes_the_last_finished_game_and_bare_replay_the_last_one(
    duel_with_games: Duel,
) -> None:
    duel_with_games.run("resume", "chain", typed="quit\n")
    assert duel_with_games.run("review").stdout.startswith(
        "Review of Divider Duel, 2 to 3: Ann against Ben"
    )
    assert duel_with_games.run("replay").stdout.startswith("Ann against Ben")
    assert "Unfinished. Ann moves next." in duel_with_games.run("replay").stdout


def test_a_game_between_two_computers_is_not_the_last_one_if_a_person_has_played(
    duel_with_games: Duel,
) -> None:
    duel_with_games.run(
        "play", "chain", "--to", "6", "--p1", "perfect", "--p2", "random", "--seed", "1"
    )
    assert duel_with_games.run("review").stdout.startswith(
        "Review of Divider Duel, 2 to 3: Ann against Ben"
    )
    assert duel_with_games.run("replay").stdout.startswith("Ann against Ben")


def test_a_game_between_two_computers_can_be_the_last_one(duel: Duel) -> None:
    duel.run("play", "chain", "--to", "6", "--p1", "perfect", "--p2", "random", "--seed", "1")
    assert duel.run("review").stdout.startswith("Review of Divisibility Duel, 2 to 6")


def test_a_game_is_reviewed_replayed_and_continued_by_its_number(duel_with_games: Duel) -> None:
    numbers = {row[1]: number for number, row in listed(duel_with_games).items()}
    reviewed = duel_with_games.run("review", numbers["evens"]).stdout
    assert "Turn 2: Ben took 6. Mistake! 4 would have won." in reviewed
    assert "You selected 4." in duel_with_games.run("replay", numbers["chain"]).stdout
    assert "turn 3" in duel_with_games.run("resume", numbers["chain"], typed="12\n").stdout
    done = duel_with_games.run("resume", numbers["evens"])
    assert done.returncode == 1
    assert f"is finished. To see it: duel replay {numbers['evens']}" in done.stderr


def test_only_finished_rounds_of_the_last_game_are_reviewed(duel: Duel) -> None:
    duel.run("play", "divider", "--to", "3", "--rounds", "2", typed="2\n3\n2\n")
    assert duel.run("review").stdout.count("Review of") == 1
    assert duel.run("review", "1").stdout.count("Review of") == 2


def test_a_game_that_does_not_exist_is_an_error_that_says_what_to_do(duel_with_games: Duel) -> None:
    for words in (["review", "9"], ["replay", "x"], ["resume", "9"], ["history", "export", "9"]):
        done = duel_with_games.run(*words)
        assert done.returncode == 1
        assert "No saved game" in done.stderr
        assert "To see your games: duel history" in done.stderr
    assert duel_with_games.run("history", "delete", "1", "9", "--yes").returncode == 1
    assert len(duel_with_games.matches) == 3


def test_without_a_finished_game_there_is_nothing_to_review(duel: Duel) -> None:
    duel.run("play", "chain", typed="8\n")
    done = duel.run("review")
    assert done.returncode == 1
    assert "You have not finished a game yet." in done.stderr


def test_a_file_named_like_a_number_needs_its_folder(duel_with_games: Duel) -> None:
    (duel_with_games.home / "1").write_text('[Game "chain"]\n[Board "2-8"]\n\n1. 7 1-0\n')
    assert "2 to 8" in duel_with_games.run("review", "./1").stdout
    assert "2 to 8" not in duel_with_games.run("review", "1").stdout


def test_an_exported_game_is_a_copy_and_replaces_nothing(duel_with_games: Duel) -> None:
    done = duel_with_games.run("history", "export", "evens", "mine.duel")
    copy = duel_with_games.home / "mine.duel"
    assert done.stdout == "Game 3 written to mine.duel.\n"
    assert (
        copy.read_bytes() == (duel_with_games.home / "divisorduel/matches/evens.duel").read_bytes()
    )
    assert duel_with_games.run("history", "export", "evens").stdout == copy.read_text()
    assert duel_with_games.run("history", "export", "evens", "-").stdout == copy.read_text()
    before = copy.read_bytes()
    done = duel_with_games.run("history", "export", "last", "mine.duel")
    assert done.returncode == 1
    assert "already exists. Choose another name, or use --force." in done.stderr
    assert copy.read_bytes() == before
    assert duel_with_games.run("history", "export", "last", "mine.duel", "--force").returncode == 0
    assert copy.read_bytes() != before


def test_games_are_deleted_through_a_pipe_only_with_yes(duel_with_games: Duel) -> None:
    done = duel_with_games.run("history", "delete", "evens", typed="yes\n")
    assert done.returncode == 2
    assert "Add --yes" in done.stderr
    assert len(duel_with_games.matches) == 3
    duel_with_games.run("history", "delete", "evens", "last", "--yes")
    assert [path.stem for path in duel_with_games.matches] == ["chain"]
    assert [row[1] for row in listed(duel_with_games).values()] == ["chain"]


@pytest.mark.thorough
def test_on_a_terminal_a_deletion_is_confirmed(duel_with_games: Duel) -> None:
    for answer, left in (("", 3), ("yes", 2)):
        user = TerminalUser(duel_with_games, "history", "delete", "evens")
        user.screen.expect("Delete this game for good?")
        user.type(answer)
        user.screen.expect("Deleted" if answer else "Nothing was deleted")
        user.screen.expect(pexpect.EOF)
        assert len(duel_with_games.matches) == left


def test_the_list_shows_the_last_twenty_games_unless_all_are_wanted(duel: Duel) -> None:
    folder = duel.home / "divisorduel" / "matches"
    folder.mkdir(parents=True)
    for number in range(25):
        (folder / f"{number:02}.duel").write_text('[Game "evens"]\n[Board "2-20"]\n\n1. 12 *\n')
    done = duel.run("history")
    assert "These are the last 20 of 25 games. To list them all: duel history --all" in done.stdout
    assert len(listed(duel)) == 20
    assert len(listed(duel, "--all")) == 25


@pytest.mark.thorough
def test_long_names_are_cut_to_the_width_except_in_a_pipe(duel: Duel) -> None:
    duel.run("play", "chain", "--names", "A" * 40, "B" * 40, typed="43\n")
    assert "A" * 40 in duel.run("history").stdout
    for line in duel.run("history", COLUMNS="80").stdout.splitlines():
        assert len(line) <= 80
    narrow = duel.run("history", COLUMNS="40").stdout
    assert "1. chain 2-50,\n" in narrow


def test_a_damaged_file_is_reported_and_the_others_are_listed(duel_with_games: Duel) -> None:
    (duel_with_games.home / "divisorduel/matches/evens.duel").write_text("?")
    done = duel_with_games.run("history")
    assert "evens.duel is not a valid game file." in done.stderr
    assert len(listed(duel_with_games)) == 2


def test_statistics_count_games_against_the_computer(duel: Duel) -> None:
    folder = duel.home / "divisorduel" / "matches"
    folder.mkdir(parents=True)
    tags = '[Game "evens"]\n[Board "2-20"]\n[Kind2 "5"]\n[Player2 "Level 5"]\n'
    (folder / "a.duel").write_text(f"{tags}\n1. 12 2. 6 3. 18 4. 2 5. 4 6. 8 7. 16 1-0\n")
    (folder / "b.duel").write_text(f'{tags}[Termination "forfeit"]\n\n1. 12 2. 6 0-1\n')
    (folder / "c.duel").write_text('[Game "evens"]\n[Board "2-20"]\n\n1. 12 *\n')
    shown = duel.run("stats").stdout
    assert re.search(r"Won +1 of 2 \(50%\)", shown)
    assert re.search(r"Winning positions kept +3 of 4 \(75%\)", shown)
    assert re.search(r"evens 2-20 +2 +1 +50% +4 +3 +75%", shown)
    assert re.search(r"level 5 +2 +1 +50% +4 +3 +75%", shown)
    assert "Not counted: 1 between two people or two computers." in shown


@pytest.mark.parametrize("is_answered", [True, False])
@pytest.mark.thorough
def test_a_game_that_is_killed_as_it_ends_is_kept(duel: Duel, is_answered: bool) -> None:
    with subprocess.Popen(
        [DUEL, "play", "evens"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=duel.environment(),
    ) as playing:
        assert playing.stdin is not None
        assert playing.stdout is not None
        playing.stdin.write(SAMPLE.encode())
        playing.stdin.flush()
        shown = b""
        wanted = b"Player 1 wins" if is_answered else b"Select a number to remove: 8"
        while wanted not in shown:
            more = os.read(playing.stdout.fileno(), 1 << 16)
            assert more, shown.decode()
            shown += more
        playing.kill()
        shown += playing.stdout.read()
    [row] = listed(duel).values()
    [path] = [path for path in duel.matches if path.suffix == ".duel"]
    assert ("Player 1 won" in row) == (read_records(path.read_bytes())[0].winner is not None)
    assert "Player 1 won" in row or b"Player 1 wins" not in shown
