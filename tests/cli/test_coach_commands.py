"""Solving, playing the computer, hints, reviews and puzzles through the installed command."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from divisorduel import game, read_records
from divisorduel.solve.solver import solve
from tests.conftest import DUEL, Duel, cpu_seconds, thorough_except
from tests.polling import wait_until


def test_solve_prints_everything_as_json(duel: Duel) -> None:
    answer = json.loads(duel.run("solve", "antichain", "--json").stdout)
    assert answer["seconds"] >= 0
    assert {name: answer[name] for name in answer if name not in ("seconds", "positions")} == {
        "game": "antichain",
        "board": "2-50",
        "position": "antichain 2-50 2-50 -",
        "winner": 1,
        "nimber": 3,
        "winning_moves": [50],
        "proven": True,
        "method": "nimbers of components",
    }


def test_a_chain_game_has_no_nimber(duel: Duel) -> None:
    answer = json.loads(duel.run("solve", "evens", "--json").stdout)
    assert (answer["winner"], answer["nimber"], answer["winning_moves"]) == (2, None, [])


def test_a_position_is_solved_by_its_code(duel: Duel) -> None:
    done = duel.run("solve", "chain", "--position", "chain 2-50 2-7,9-50 8", "--json")
    g = game("chain")
    winning = list(solve(g, g.play(g.start(), 8)).winning_moves)
    assert json.loads(done.stdout)["winning_moves"] == winning
    assert duel.run("solve", "chain", "--position", "nonsense").returncode == 2


def test_a_position_of_another_game_is_refused_with_the_right_command(duel: Duel) -> None:
    done = duel.run("solve", "evens", "--position", "chain 2-50 2-50 -")
    assert done.returncode == 2
    assert "--position is for chain, not evens. Type: duel solve chain ..." in done.stderr


@pytest.mark.parametrize("option", ["--no-nimbers", "--no-nimber"])
def test_nimbers_can_be_left_out(duel: Duel, option: str) -> None:
    answer = json.loads(duel.run("solve", "antichain", "--to", "10", option, "--json").stdout)
    assert (answer["winning_moves"], answer["nimber"]) == ([6], None)


def test_an_opening_rule_changes_the_answer(duel: Duel) -> None:
    done = duel.run("solve", "chain", "--opening", "low", "--json")
    assert max(json.loads(done.stdout)["winning_moves"]) <= 25


def test_solve_reports_what_it_could_not_prove_in_time(duel: Duel) -> None:
    done = duel.run("solve", "divider", "--to", "60", "--budget", "0.2")
    assert done.returncode == 4
    assert "not known" in done.stdout
    assert "Not proven: search stopped early." in done.stdout


def test_a_search_that_proves_nothing_has_an_exit_status_of_its_own(duel: Duel) -> None:
    words = ["solve", "antichain", "--to", "100", "--budget", "0"]
    done = duel.run(*words, "--certificate", "c.json")
    assert done.returncode == 4
    assert "the winner is not known" in done.stdout
    assert not (duel.home / "c.json").exists()
    assert json.loads(duel.run(*words, "--json").stdout)["winner"] is None


def test_a_certificate_is_the_only_text_on_standard_output(duel: Duel) -> None:
    done = duel.run("solve", "chain", "--certificate", "-")
    assert "the first player wins" in done.stderr
    assert "The proof is valid." in duel.run("verify", "/dev/stdin", typed=done.stdout).stdout
    done = duel.run("solve", "chain", "--certificate", "-", "--json")
    assert done.returncode == 2
    assert (
        "--json and --certificate - both write to standard output; give --certificate a file name."
        in done.stderr
    )


def test_a_certificate_is_written_and_verified(duel: Duel) -> None:
    done = duel.run("solve", "chain", "--certificate", "c.json")
    assert "Proof written to c.json." in done.stdout
    done = duel.run("verify", "c.json")
    assert done.returncode == 0
    assert done.stdout.startswith("Divisibility Duel, 2 to 50: the first player wins.\n")
    assert done.stdout.endswith(" and 33 more\nThe proof is valid.\n")
    path = duel.home / "c.json"
    path.write_text(path.read_text().replace('"winner": 1', '"winner": 2'))
    done = duel.run("verify", "c.json")
    assert done.returncode == 1
    reason = "The winner contradicts the moves."
    assert done.stderr == f"Error: c.json does not prove its result. {reason}\n"


@pytest.mark.thorough
def test_ctrl_c_ends_a_proof_at_once_and_nothing_is_written(duel: Duel) -> None:
    words = [DUEL, "solve", "chain", "--to", "400000", "--certificate", "c.json"]
    proving = subprocess.Popen(
        words,
        env=duel.environment(),
        cwd=duel.home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in wait_until("it works on the proof", 120):
        if cpu_seconds(proving.pid) > 2:  # solving takes less, and the proof takes far more
            break
    proving.send_signal(signal.SIGINT)
    out, error = proving.communicate(timeout=60)
    assert proving.returncode == 130
    assert "Proven by maximum matching" in out
    assert error == "Error: The proof was not finished, so c.json was not written.\n"
    assert not (duel.home / "c.json").exists()


@pytest.mark.parametrize("data", [b"", b"\xff", b"{}", None])
def test_text_that_is_not_a_certificate_is_refused(duel: Duel, data: bytes | None) -> None:
    if data is not None:
        (duel.home / "c.json").write_bytes(data)
    done = duel.run("verify", "c.json")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_two_computers_play_each_other(duel: Duel) -> None:
    words = ["play", "divider", "--p1", "perfect", "--p2", "3", "--rounds", "3", "--seed", "4"]
    done = duel.run(*words)
    assert done.returncode == 0
    assert "Perfect's turn." in done.stdout
    assert "wins the match" in done.stdout
    assert duel.run(*words).stdout == done.stdout


def test_a_person_plays_the_computer_and_takes_a_move_back(duel: Duel) -> None:
    done = duel.run("play", "divider", "--p2", "perfect", "--seed", "1", typed="4\nundo\n4\n")
    assert done.stdout.count("You removed 4.") == 2
    assert "4 was taken back." in done.stdout


def test_a_game_against_the_computer_continues_after_resuming(duel: Duel) -> None:
    duel.run("play", "evens", "--p2", "perfect", "--seed", "1", typed="12\n")
    [path] = duel.matches
    assert read_records(path.read_bytes())[0].tag("Kind2") == "perfect"
    done = duel.run("resume", typed="hint\n8\n2\n20\n")
    assert "Perfect" in done.stdout
    assert "You will lose" in done.stdout


def test_hints_say_more_each_time_and_start_over_after_a_move(duel: Duel) -> None:
    done = duel.run("play", "divider", typed="hint\nhint\nhint\nwhy\n4\nhint\n")
    shown = " ".join(done.stdout.split())
    assert shown.index("You can win this.") < shown.index("1 of your 8 moves wins.")
    assert shown.index('Take 4. (Type "why"') < shown.index("2 stones, an even number")
    assert "You will lose if your opponent plays well." in shown


def test_why_reveals_a_move_only_after_the_last_hint(duel: Duel) -> None:
    done = duel.run("play", "divider", typed="why\nhint\nwhy\nhint\nwhy\n")
    shown = " ".join(done.stdout.split())
    assert shown.count("You can win. Look for a move that leaves parts which cancel out") == 3
    assert "Take" not in shown


def test_an_unknown_player_is_a_usage_error(duel: Duel) -> None:
    assert duel.run("play", "chain", "--p2", "11").returncode == 2


GAME = '[Game "evens"]\n[Board "2-20"]\n\n1. 12 2. 6 3. 18 4. 2 5. 4 6. 8 7. 16 1-0\n'


def test_a_game_is_reviewed_in_four_formats(duel: Duel) -> None:
    path = duel.home / "g.duel"
    path.write_text(GAME)
    told = "Turn 2: Player 2 took 6. Mistake! 4 would have won. 6 loses to 18.\n"
    assert told in duel.run("review", path).stdout
    assert "The shortest win: 18, 2, 14." in duel.run("review", path, "--lines").stdout
    assert json.loads(duel.run("review", path, "--json").stdout)[0]["turns"][1]["mistake"]
    annotated = duel.run("review", path, "--record").stdout
    assert read_records(annotated)[0].moves == read_records(GAME)[0].moves
    duel.run("review", path, "--html", "page.html")
    assert (duel.home / "page.html").read_text().startswith("<!doctype html>")


def test_a_review_page_covers_a_single_game(duel: Duel) -> None:
    path = duel.home / "g.duel"
    path.write_text(GAME + "\n" + GAME)
    assert duel.run("review", path, "--html", "page.html").returncode == 2
    assert duel.run("review", path, "--game", "2", "--html", "page.html").returncode == 0
    assert duel.run("review", path, "--game", "3").returncode == 1


def test_a_puzzle_is_solved_at_the_prompt(duel: Duel, tmp_path: Path) -> None:
    given_up = duel.run("puzzle", "chain", "--seed", "3", typed="give up\n").stdout
    solution = given_up.split("Take ")[1].split(".")[0]
    done = duel.run("puzzle", "chain", "--seed", "3", typed=f"1\nmoves\nhistory\n{solution}\n")
    assert done.returncode == 0
    assert "Right!" in done.stdout
    assert "1 is not on the board" in done.stdout


def test_a_wrong_answer_is_refuted(duel: Duel) -> None:
    given_up = duel.run("puzzle", "divider", "--seed", "5", typed="moves\ngive up\n").stdout
    solution = given_up.split("Take ")[1].split(".")[0].split(":")[0]
    moves = given_up.split("You may remove: ")[1].split("\n")[0].split(", ")
    wrong = next(move for move in moves if move != solution)
    done = duel.run("puzzle", "divider", "--seed", "5", typed=f"{wrong}\n")
    assert re.search(r"No\. Your opponent answers with \d+ and wins\. Try again\.\n", done.stdout)
    assert done.returncode == 3


def test_a_puzzle_says_more_with_each_hint_and_never_the_answer(duel: Duel) -> None:
    words = "puzzle", "chain", "--seed", "3"
    solution = duel.run(*words, typed="give up\n").stdout.rpartition("Take ")[2].split(".")[0]
    done = duel.run(*words, typed="help\nhint\nhint\nhint\nboard\nexit\n").stdout
    assert '"hint" (again for more)' in done
    named = [line.partition(": ")[2] for line in done.splitlines() if "These do not win" in line]
    first, second = (set(numbers.rstrip(".").split(", ")) for numbers in named)
    assert first < second
    assert solution not in second
    assert done.count("it's your turn.") == 2


def test_every_hint_of_a_puzzle_adds_something_until_there_are_no_more(duel: Duel) -> None:
    words = "puzzle", "chain", "--seed", "3"
    done = duel.run(*words, typed="hint\n" * 20 + "quit\n").stdout
    hints = re.findall(r"(?:This does|These do) not win: ([0-9, \n]+)\.", done)
    assert len(hints) > 1
    assert len({*hints}) == len(hints)
    no_more = 'There are no more hints. Type "give up" to see the solution.'
    assert done.count(no_more) == 20 - 1 - len(hints)


def test_the_puzzle_of_the_day_is_the_same_for_everyone(duel: Duel) -> None:
    one, two = (duel.run("puzzle", "--daily", typed="quit\n") for _ in range(2))
    assert one.stdout == two.stdout
    assert one.returncode == 0
    assert duel.run("puzzle", "--daily", "--seed", "1").returncode == 2


def test_a_board_without_a_puzzle_is_a_usage_error(duel: Duel) -> None:
    assert duel.run("puzzle", "divider", "--to", "3").returncode == 2


def test_fair_starts_are_listed(duel: Duel) -> None:
    done = duel.run("fair", "chain", "--from", "20", "--to", "22")
    assert done.returncode == 0
    assert "winning" in done.stdout
    assert "2 to 22, with 2 already taken" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_every_fair_start_can_be_played_by_its_code(duel: Duel) -> None:
    shown = duel.run("fair", "antichain", "--from", "20", "--to", "22").stdout
    codes = re.findall(r"^ +\d+  (antichain \S+ \S+ \S+)$", shown, flags=re.MULTILINE)
    numbers = re.findall(r"^ ?\d+  \d+ to \d+", shown, flags=re.MULTILINE)
    assert len(codes) == len(numbers) > 3
    for code in codes[:3]:
        done = duel.run("play", "antichain", "--position", code, typed="quit\n")
        assert done.returncode == 0


def test_a_game_starts_from_a_position(duel: Duel) -> None:
    code = "chain 2-24 2-3,5-24 4"
    done = duel.run("play", "chain", "--position", code, typed="8\n16\nundo\nquit\n")
    assert "Valid options are factors or multiples of 4:\n2, 8, 12, 16, 20, 24\n" in done.stdout
    assert "Continuing " in duel.run("resume").stdout
    assert duel.run("play", "chain", "--position", "nonsense").returncode == 2
    assert duel.run("play", "chain", "--to", "9", "--position", code).returncode == 2


def test_descent_has_neither_puzzles_nor_fair_starts_and_says_why(duel: Duel) -> None:
    assert "has no puzzles. Moving to a prime wins at once" in duel.run("puzzle", "descent").stderr
    assert "descent has no fair starts. Moving to a prime" in " ".join(
        duel.run("fair", "descent").stdout.split()
    )


def test_a_computer_that_cannot_solve_the_position_says_so(duel: Duel) -> None:
    done = duel.run("play", "antichain", "--to", "2000", "--p1", "perfect", typed="quit\n")
    assert "too large to solve in the time allowed" in done.stdout


def test_a_budget_is_a_number_of_seconds(duel: Duel) -> None:
    for wrong in ("nan", "inf", "-1", "soon"):
        assert duel.run("solve", "chain", "--budget", wrong).returncode == 2


def test_a_review_is_printed_in_only_one_format(duel: Duel) -> None:
    (duel.home / "g.duel").write_text(GAME)
    assert duel.run("review", "g.duel", "--json", "--record").returncode == 2


def test_a_computers_opening_move_cannot_be_taken_back(duel: Duel) -> None:
    done = duel.run("play", "evens", "--p1", "perfect", "--seed", "2", typed="undo\n")
    assert "You have not made a move that can be undone." in done.stdout
    assert "was taken back" not in done.stdout


def test_fair_says_so_when_there_is_no_fair_start(duel: Duel) -> None:
    assert "No start on these boards" in duel.run("fair", "chain", "--to", "5").stdout


HIDDEN = "\u202e\u202d\u2066\u2069\u200f\u061c"
"""Characters that change the direction of the text after them."""
TURNED = (
    f'[Game "evens"]\n[Board "2-20"]\n[Date "2026{HIDDEN}"]\n[Event "a{HIDDEN}b"]\n\n'
    f"{{intro{HIDDEN}}} 1. 12 {{good{HIDDEN}}} (1. 14 {{שלום{HIDDEN}}}) 2. 6 *\n"
)


@pytest.mark.parametrize("words", [["replay"], ["review"], ["review", "--json"]], ids=" ".join)
def test_a_file_cannot_reverse_what_is_shown(duel: Duel, words: list[str]) -> None:
    (duel.home / "g.duel").write_text(TURNED)
    done = duel.run(*words, "g.duel", LC_ALL="C.UTF-8")
    assert done.returncode == 0
    assert not set(HIDDEN) & set(done.stdout)


def test_an_annotated_record_has_no_characters_that_reverse_its_text(duel: Duel) -> None:
    (duel.home / "g.duel").write_text(TURNED)
    done = duel.run("review", "--record", "g.duel", LC_ALL="C.UTF-8")
    [before], [after] = read_records(TURNED), read_records(done.stdout)
    assert not set(HIDDEN) & set(done.stdout)
    assert (after.moves, after.tag("Event")) == (before.moves, "a??????b")
    assert "שלום" in done.stdout


HARD = ["antichain", "--from", "85", "--to", "99"]
"""Boards that take far longer than a test."""


@pytest.mark.thorough
def test_fair_starts_are_listed_in_the_time_allowed_with_what_is_missing(duel: Duel) -> None:
    done = duel.run("fair", "chain", "--from", "20", "--to", "9" * 30, "--budget", "5")
    assert done.returncode == 0
    assert "To play one of these starts" in done.stdout
    shown = " ".join(done.stdout.split())
    assert "(see --budget). Not fully searched: boards that end at " in shown
    assert re.search(r"\d, \d+, \d+ and \d+ more\.$", shown)


def test_without_a_fair_start_the_list_says_that_the_time_ran_out(duel: Duel) -> None:
    done = duel.run("fair", *HARD, "--budget", "0.1")
    assert done.returncode == 0
    assert "No start on these boards" not in done.stdout
    assert "Time ran out" in done.stdout
    assert "85, 86, 87 and 12 more" in " ".join(done.stdout.split())


def test_a_puzzle_on_a_huge_board_is_given_up_in_time(duel: Duel) -> None:
    done = duel.run("puzzle", "chain", "--to", "300000", "--level", "5", "--budget", "1")
    assert done.returncode == 2
    assert "No chain puzzle was found on this board in 1 second. Try a" in done.stderr


PUZZLE = ["puzzle", "chain", "--to", "300000"]


@pytest.mark.parametrize("words", thorough_except([["fair", *HARD], PUZZLE], PUZZLE))
def test_ctrl_c_ends_a_search_with_what_is_known(duel: Duel, words: list[str]) -> None:
    searching = subprocess.Popen(
        [DUEL, *words],
        env=duel.environment(),
        cwd=duel.home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in wait_until("it searches", 120):
        if cpu_seconds(searching.pid) > 2:
            break
    searching.send_signal(signal.SIGINT)
    out, error = searching.communicate(timeout=60)
    assert searching.returncode == 130
    assert "Stopped." in out + error
    assert "Traceback" not in error
