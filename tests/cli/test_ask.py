"""Questions and grades through the installed command."""

import json
from pathlib import Path

from divisorduel import read_code, solve
from tests.conftest import Duel


def test_questions_are_answered_and_graded(duel: Duel, tmp_path: Path) -> None:
    done = duel.run("ask", "antichain", "--to", "30", "--count", "5", "--output", "q.jsonl")
    assert done.stdout == "5 questions written to q.jsonl.\n"
    lines = (tmp_path / "q.jsonl").read_text().splitlines()
    asked = [json.loads(line) for line in lines]
    moves = [solve(*read_code(one["position"])).winning_moves[0] for one in asked]
    answers = [{"id": q["id"], "answer": m} for q, m in zip(asked, moves, strict=True)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers))
    graded = duel.run("grade", "q.jsonl", "a.jsonl")
    assert graded.stdout.startswith("A winning move: 5 of 5 right, 100.0% (95% interval 56.6%")
    printed = duel.run("grade", "q.jsonl", "a.jsonl", "--json").stdout.splitlines()
    *each, score = map(json.loads, printed)
    assert [one["mark"] for one in each] == ["right"] * 5
    assert (score["score"], score["questions"]) == (1, 5)


def test_questions_are_printed_and_the_same_seed_repeats_them(duel: Duel) -> None:
    words = ["ask", "divider", "--to", "12", "--kind", "winner", "--count", "3"]
    first = duel.run(*words)
    assert [json.loads(line)["kind"] for line in first.stdout.splitlines()] == ["winner"] * 3
    assert duel.run(*words).stdout == first.stdout
    assert duel.run(*words, "--seed", "1").stdout != first.stdout


def test_a_board_that_is_too_small_is_reported(duel: Duel, tmp_path: Path) -> None:
    done = duel.run("ask", "divider", "--count", "1000", "--output", "q.jsonl")
    assert done.returncode == 1
    assert "This board has too few such questions" in done.stderr
    assert "Use a larger board" in done.stderr
    assert not (tmp_path / "q.jsonl").exists()


def test_a_file_that_exists_is_replaced_only_by_force(duel: Duel, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text("mine")
    words = ["ask", "divider", "--count", "1", "--output", "q.jsonl"]
    assert "already exists" in duel.run(*words).stderr
    assert (tmp_path / "q.jsonl").read_text() == "mine"
    assert duel.run(*words, "--force").returncode == 0
    printed = duel.run("ask", "divider", "--count", "1", "--output", "-").stdout
    assert printed == (tmp_path / "q.jsonl").read_text()


def test_a_spent_budget_is_reported(duel: Duel) -> None:
    done = duel.run("ask", "antichain", "--budget", "0")
    assert done.returncode == 1
    assert "Found only 0 of 10 questions in 0 seconds." in done.stderr


def test_answers_to_other_questions_are_refused(duel: Duel, tmp_path: Path) -> None:
    duel.run("ask", "divider", "--count", "1", "--output", "q.jsonl")
    (tmp_path / "a.jsonl").write_text('{"id": "other", "answer": 4}\n')
    done = duel.run("grade", "q.jsonl", "a.jsonl")
    assert done.returncode == 1
    assert "Unknown question id 'other'" in done.stderr
    assert "cannot be read" in duel.run("grade", "q.jsonl", "missing.jsonl").stderr
