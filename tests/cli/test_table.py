"""Making, continuing and checking tables, through the installed command."""

import json
import subprocess
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from divisorduel.lab.checkpoint import Checkpoint
from divisorduel.lab.formats import read_table
from divisorduel.lab.series import Series
from divisorduel.lab.table import Table
from divisorduel.solve.solver import solve
from tests.conftest import DUEL, THOROUGH, Duel, thorough_except
from tests.polling import wait_until
from tests.terminal.test_terminal import TerminalUser

Proven = tuple[int, str, int | None, int | None]


def proven(table: Table) -> list[Proven]:
    return [(r.n, r.outcome, r.nimber, r.winning_first_moves) for r in table.rows]


def solved(table: Table) -> list[Proven]:
    """Return what the solver finds for the boards of a table."""
    rows: list[Proven] = []
    for n in table.series.numbers:
        verdict = solve(table.series.game(n))
        outcome = "first" if verdict.winner == 1 else "second"
        rows.append((n, outcome, verdict.nimber, len(verdict.winning_moves)))
    return rows


@pytest.mark.parametrize("words", [(), ("--split",), ("--jobs", "1"), ("--threads", "2")])
def test_a_table_agrees_with_solve(duel: Duel, words: tuple[str, ...]) -> None:
    done = duel.run("table", "antichain", "2..16", "--output", "t.json", *words)
    assert done.returncode == 0
    assert done.stderr == ""
    table = read_table(duel.home / "t.json")
    assert proven(table) == solved(table)
    assert table.rows[8].winning_moves == (6,)
    assert not (duel.home / "t.json.partial").exists()


def test_board_options_are_passed_on(duel: Duel) -> None:
    duel.run("table", "chain", "4..20", "--opening", "low", "--output", "t.csv")
    table = read_table(duel.home / "t.csv")
    assert proven(table) == solved(table)
    assert table.rows[-1].first_moves == 9


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chain", "5..2"], "Write the smaller number first"),
        (["chain", "x..3"], "Use FROM..TO, for example 2..60."),
        (["chain", "2..99999999"], "at most"),
        (["chain"], "Give a game and a range of boards"),
        ([], "Give a game and a range of boards"),
        (["descent", "2..5", "--opening", "low"], "descent has no --opening. Drop it."),
        (
            ["chain", "2..5", "--output", "t.dat"],
            "t.dat has an unknown file extension",
        ),
        (["chain", "2..5", "--output", "t.csv", "--format", "json"], "drop --format"),
        (["chain", "2..5", "--column", "positions"], "--column"),
        (
            ["chain", "2..5", "--memory", "much"],
            "'much' is not a size. Use a number and a unit",
        ),
        (["chain", "2..5", "--memory", "8"], "8 is too little. Use 1M or more."),
        (
            ["chain", "2..5", "--cluster", "a", "--jobs", "2"],
            "own workers; drop --jobs.",
        ),
        (["chain", "2..5", "--check", "t.csv"], "--check only checks a file; drop the game"),
        (["chain", "2..5", "--rows", "3"], "--rows needs --check"),
        (
            ["divider", "2..5", "--together", "--jobs", "2"],
            "uses one process; drop --jobs",
        ),
        (["chain", "2..5", "--together"], "boards of chain gain nothing from it"),
        (["descent", "2..5", "--together"], "boards of descent gain nothing from it"),
        (["divider", "4..9", "--together", "--opening", "low"], "the opening depends on the whole"),
    ],
)
def test_a_usage_error_is_explained(duel: Duel, words: list[str], said: str) -> None:
    done = duel.run("table", *words)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())


def test_an_output_that_cannot_be_written_is_refused_before_the_work_starts(duel: Duel) -> None:
    done = duel.run("table", "divider", "2..99", "--output", "no/such/folder/t.csv")
    assert done.returncode == 1
    assert "t.csv.duel-lock cannot be locked: No such file or directory." in done.stderr


@pytest.mark.thorough
def test_boards_can_be_solved_together(duel: Duel) -> None:
    words = ["table", "antichain", "2..40", "--output"]
    assert duel.run(*words, "t.csv").returncode == 0
    assert duel.run(*words, "u.csv", "--together", "--threads", "2").returncode == 0
    each, together = (read_table(duel.home / name) for name in ("t.csv", "u.csv"))
    assert together.sha256 == each.sha256
    took = {(row.positions, row.seconds) for row in together.rows}
    assert took == {(None, None)}, "what a row would take alone is not known"


def test_a_table_that_is_being_made_is_left_alone(duel: Duel) -> None:
    partial = duel.home / "t.csv.partial"
    running = begin(duel, "table", "divider", "2..30", "--output", "t.csv")
    wait_for_rows(partial, 5)
    done = duel.run("table", "divider", "2..6", "--output", "t.csv")
    assert done.returncode == 1
    assert "t.csv.partial is being written by another process. Let it finish" in done.stderr
    assert running.poll() is None
    running.kill()
    running.communicate()
    assert partial.read_bytes().count(b"\n") > 5


@pytest.mark.thorough
def test_boards_solved_together_continue_after_a_kill(duel: Duel) -> None:
    words = ["table", "divider", "2..26", "--together", "--output", "t.csv"]
    running = begin(duel, *words)
    wait_for_rows(duel.home / "t.csv.partial", 12)
    running.kill()
    running.communicate()
    assert duel.run(*words, DUEL_SOLVER="pure").returncode == 0
    table = read_table(duel.home / "t.csv")
    assert proven(table) == solved(table)


@pytest.mark.thorough
def test_memory_sizes_are_understood(duel: Duel) -> None:
    for size in ("512M", "8g", "1048576", "2048KB"):
        assert duel.run("table", "divider", "2..4", "--memory", size).returncode == 0


@pytest.mark.thorough
def test_a_row_not_proven_in_time_is_blank_and_is_tried_again(duel: Duel) -> None:
    words = ["table", "divider", "12..13", "--output", "t.csv", "--budget"]
    done = duel.run(*words, "0", DUEL_SOLVER="pure")
    assert done.returncode == 1
    assert "n = 12: not proven in time." in done.stderr
    assert "Run the command again with a longer --budget; solved boards are kept." in done.stderr
    assert "Boards solved: 0 of 2." in done.stderr
    assert "\n12,?,,,,,\n" in (duel.home / "t.csv").read_text()
    assert duel.run(*words, "60", DUEL_SOLVER="pure").returncode == 0
    table = read_table(duel.home / "t.csv")
    assert proven(table) == solved(table)


def begin(duel: Duel, *words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [DUEL, *words],
        env=duel.environment(DUEL_SOLVER="pure"),
        cwd=duel.home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_for_rows(partial: Path, count: int) -> None:
    for _ in wait_until(f"{count} rows are in {partial.name}", 120):
        if partial.exists() and partial.read_bytes().count(b"\n") > count:
            return


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
@pytest.mark.parametrize("how", thorough_except(["whole", "split"], "split"))
def test_after_kill_9_no_row_is_lost_or_solved_again(duel: Duel, how: str) -> None:
    words = ["table", "divider", "2..25", "--output", "t.csv", *(["--split"] * (how == "split"))]
    partial = duel.home / "t.csv.partial"
    running = begin(duel, *words)
    wait_for_rows(partial, 9)
    workers = children(running.pid)
    running.kill()
    running.communicate()
    for worker in workers:
        for _ in wait_until("every process of the killed command has ended", 120):
            if not Path(f"/proc/{worker}").exists():
                break
    series = Series("divider", 2, 25)
    with Checkpoint(duel.home / "t.csv", series, version("divisorduel")) as checkpoint:
        rows = checkpoint.open("Python solvers")
        # A row that is solved again has another time.
        for at, (piece, row) in enumerate(rows.items()):
            checkpoint.add(piece, replace(row, seconds=1000.0 + at))
    with partial.open("a") as file:
        file.write('{"move": null, "n": 9, "outc')
    done = duel.run(*words, DUEL_SOLVER="pure")
    assert done.returncode == 0, done.stderr
    table = read_table(duel.home / "t.csv")
    assert proven(table) == solved(table)
    found = sum(row.seconds or 0 for row in table.rows) // 1000
    assert found == len(rows) > 8
    assert not partial.exists()


def test_the_checkpoint_of_another_command_is_refused(duel: Duel) -> None:
    series = Series("chain", 2, 9)
    with Checkpoint(duel.home / "t.csv", series, version("divisorduel")) as checkpoint:
        checkpoint.open("Python solvers")
    done = duel.run("table", "divider", "2..5", "--output", "t.csv")
    assert done.returncode == 1
    assert "t.csv.partial was left by another command: duel table chain 2..9." in done.stderr


def test_a_longer_table_continues_a_shorter_one(duel: Duel) -> None:
    path = duel.home / "t.csv"
    duel.run("table", "divider", "2..6", "--output", path)
    changed = path.read_text().splitlines()
    path.write_text("\n".join(line.replace(",5,", ",5,77", 1) for line in changed) + "\n")
    before = read_table(path).rows
    duel.run("table", "divider", "2..12", "--output", path)
    table = read_table(path)
    assert table.rows[:5] == before
    assert proven(table) == solved(table)


@pytest.mark.thorough
def test_after_ctrl_c_the_same_command_continues(duel: Duel) -> None:
    words = ("table", "divider", "2..44", "--output", "t.csv")
    user = TerminalUser(duel, *words, DUEL_SOLVER="pure", columns=110)
    user.see("boards")
    user.see_board(30)
    user.screen.sendintr()
    user.see("Stopped.")
    user.see("t.csv.partial. Run the same command again to continue.")
    assert user.wait_for_exit() == 130
    assert "Traceback" not in user.rest
    assert not (duel.home / "t.csv").exists()
    user = TerminalUser(duel, *words, DUEL_SOLVER="pure", columns=110)
    assert user.see_board() > 20
    assert user.interrupt() == 130


def test_ctrl_c_still_prints_the_finished_rows_on_standard_output(duel: Duel) -> None:
    out = duel.home / "out"
    words = ("table", "divider", "2..60")
    user = TerminalUser(duel, *words, DUEL_SOLVER="pure", columns=110, standard_output=out)
    shown = user.see_board(25)  # all smaller boards but one are solved
    assert out.read_text() == ""
    user.screen.sendintr()
    user.see("With --output FILE")
    assert user.wait_for_exit() == 130
    rows = out.read_text()
    solved = [n for n in range(2, shown) if f"\n{n},first," in rows or f"\n{n},second," in rows]
    assert len(solved) >= shown - 3
    assert "\n60,?,,,,,\n" in rows


@pytest.mark.thorough
def test_check_accepts_a_correct_table_and_finds_a_wrong_row(duel: Duel) -> None:
    path = duel.home / "t.csv"
    duel.run("table", "divider", "2..12", "--output", path)
    done = duel.run("table", "--check", path)
    assert done.returncode == 0
    assert done.stdout == ("The hash matches.\nSolved 11 of 11 rows again: all are the same.\n")
    assert "3 of 11 rows" in duel.run("table", "--check", path, "--rows", "3").stdout
    path.write_text(path.read_text().replace("\n9,first,5,", "\n9,first,6,"))
    done = duel.run("table", "--check", path)
    assert done.returncode == 1
    assert "does NOT match" in done.stdout
    assert "n = 9 is WRONG: 9,first,6,1 should be 9,first,5,1." in done.stdout
    assert "11 rows again: 1 differs." in done.stdout


def test_check_refuses_a_file_that_is_not_a_table(duel: Duel) -> None:
    (duel.home / "t.txt").write_text("2 1\n3 0\n")
    done = duel.run("table", "--check", "t.txt")
    assert done.returncode == 1
    assert "t.txt is not a table. Use a CSV or JSON file" in done.stderr
    assert "cannot be read" in duel.run("table", "--check", "none.csv").stderr


def test_solve_answers_from_a_table_on_request(duel: Duel) -> None:
    duel.run("table", "divider", "2..12", "--output", "t.json")
    done = duel.run("solve", "divider", "--to", "9", "--table", "t.json")
    assert done.stdout == (
        "Divider Duel, 2 to 9: the first player wins.\n"
        "Winning moves: 1 of 8\nNimber: 5\nFrom t.json.\n"
    )
    answer = json.loads(duel.run("solve", "divider", "--table", "t.json", "--json").stdout)
    assert (answer["board"], answer["nimber"], answer["winning_moves"]) == ("2-9", 5, [4])
    done = duel.run("solve", "divider", "--to", "13", "--table", "t.json")
    assert done.returncode == 1
    assert "t.json does not say who wins divider 2-13." in done.stderr
    code = "divider 2-9 2-9 -"
    for words in (("--position", code), ("--memory", "8G"), ("--budget", "0"), ("--threads", "1")):
        assert duel.run("solve", "divider", *words, "--table", "t.json").returncode == 2


@pytest.mark.thorough
def test_an_unreachable_cluster_is_reported(duel: Duel) -> None:
    done = duel.run("table", "divider", "2..5", "--cluster", "nonsense://x:1")
    assert done.returncode == 1
    assert "No scheduler answers at nonsense://x:1" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_b_file_does_not_overwrite_another_file(duel: Duel, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine\n")
    done = duel.run("table", "antichain", "2..5", "--output", str(notes))
    assert done.returncode != 0
    assert "already exists" in done.stderr
    assert notes.read_text() == "mine\n"


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("divider", "2..9"), marks=THOROUGH),
        ("antichain", "2..5"),
        pytest.param(("antichain", "2..9", "--column", "outcome"), marks=THOROUGH),
        pytest.param(("antichain", "2..9", "--step", "2"), marks=THOROUGH),
    ],
)
@pytest.mark.thorough
def test_a_b_file_is_replaced_only_by_one_that_extends_it(
    duel: Duel, words: tuple[str, ...]
) -> None:
    duel.run("table", "antichain", "2..8", "--output", "b.txt")
    before = (duel.home / "b.txt").read_text()
    done = duel.run("table", *words, "--output", "b.txt")
    assert done.returncode == 1
    assert "b.txt already exists: the nimber column of duel table antichain 2..8." in done.stderr
    assert (duel.home / "b.txt").read_text() == before
    assert duel.run("table", "antichain", "2..9", "--output", "b.txt").returncode == 0
    assert (duel.home / "b.txt").read_text().endswith("\n8 0\n9 3\n")


@pytest.mark.thorough
def test_a_b_file_of_another_column_is_not_replaced_by_the_default_one(duel: Duel) -> None:
    words = ("table", "antichain", "2..8", "--output", "b.txt")
    assert duel.run(*words, "--column", "first_moves").returncode == 0
    before = (duel.home / "b.txt").read_text()
    done = duel.run(*words)
    assert done.returncode == 1
    assert "the first_moves column of duel table antichain 2..8" in done.stderr
    assert (duel.home / "b.txt").read_text() == before


@pytest.mark.thorough
def test_a_b_file_does_not_overwrite_a_table_with_the_same_name(duel: Duel) -> None:
    table = duel.run("table", "divider", "2..6").stdout
    (duel.home / "c.txt").write_text(table)
    done = duel.run("table", "divider", "2..6", "--output", "c.txt")
    assert done.returncode == 1
    assert "c.txt already exists and is not a b-file of a table." in done.stderr
    assert (duel.home / "c.txt").read_text() == table


@pytest.mark.parametrize("boards", thorough_except(["2..12", "5..9", "2..16"], "2..16"))
@pytest.mark.thorough
def test_rows_of_a_known_table_are_not_solved_again(duel: Duel, boards: str) -> None:
    known = duel.home / "t.csv"
    duel.run("table", "divider", "2..12", "--output", known)
    marked = [f"{line.rpartition(',')[0]},77.0" for line in known.read_text().splitlines()[5:]]
    known.write_text("\n".join([*known.read_text().splitlines()[:5], *marked]) + "\n")
    words = ("table", "divider", boards, "--known", "t.csv", "--output")
    assert duel.run(*words, "u.json").returncode == 0
    table = read_table(duel.home / "u.json")
    assert proven(table) == solved(table)
    assert all((row.seconds == 77.0) == (row.n <= 12) for row in table.rows)
    assert duel.run(*words, "u.txt", "--column", "first_moves").returncode == 0
    lines = [line for line in (duel.home / "u.txt").read_text().splitlines() if line[0] != "#"]
    assert lines == [f"{n} {n - 1}" for n in table.series.numbers]


def test_a_known_table_must_have_the_same_boards(duel: Duel) -> None:
    duel.run("table", "divider", "2..6", "--output", "t.csv")
    done = duel.run("table", "antichain", "2..6", "--known", "t.csv")
    assert done.returncode == 1
    assert "t.csv is a table of other boards: duel table divider 2..6." in done.stderr
    assert "cannot be read" in duel.run("table", "divider", "2..6", "--known", "none.csv").stderr


def test_a_board_that_is_too_large_is_reported(duel: Duel) -> None:
    done = duel.run("table", "antichain", "1100..1100")
    assert done.returncode == 1
    assert "n = 1100: the board is too large to solve." in done.stderr


def test_a_changed_table_is_neither_plotted_nor_used(duel: Duel, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    assert duel.run("table", "antichain", "2..9", "--output", str(table)).returncode == 0
    table.write_text(table.read_text().replace("7,second,0,0", "7,first,3,2"))
    for words in (("solve", "antichain", "--to", "7", "--table"), ("plot",)):
        done = duel.run(*words, str(table))
        assert done.returncode != 0
        assert "its hash does not match" in done.stderr


@pytest.mark.thorough
def test_the_option_no_nimbers_leaves_the_nimbers_of_every_game_blank(duel: Duel) -> None:
    for key in ("antichain", "divider", "descent"):
        rows = duel.run("table", key, "6..9", "--no-nimbers").stdout.splitlines()[5:]
        assert [row.split(",")[2] for row in rows] == [""] * 4


def test_an_enormous_memory_limit_is_accepted_but_too_many_threads_are_not(duel: Duel) -> None:
    assert duel.run("solve", "divider", "--memory", "99999999T").returncode == 0
    assert duel.run("solve", "divider", "--threads", "100000").returncode == 2


def test_check_refuses_options_that_it_would_ignore(duel: Duel, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    assert duel.run("table", "antichain", "2..9", "--output", str(table)).returncode == 0
    assert duel.run("table", "--check", str(table)).returncode == 0
    done = duel.run("table", "--check", str(table), "--no-nimbers")
    assert done.returncode == 2
    assert "--check works only with --rows" in done.stderr


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs a shell that closes streams")
def test_a_table_for_a_closed_standard_output_is_refused(duel: Duel) -> None:
    done = subprocess.run(
        ["bash", "-c", f"'{DUEL}' table divider 2..5 >&-"],
        env=duel.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "Error: Standard output is closed. Redirect it to a file.\n"


@pytest.mark.thorough
def test_a_killed_run_prints_nothing(duel: Duel) -> None:
    running = begin(duel, "table", "divider", "2..40", "--output", "t.csv", "--jobs", "2")
    wait_for_rows(duel.home / "t.csv.partial", 5)
    running.kill()
    assert running.communicate(timeout=300) == (b"", b"")
