"""Reports have every column, the floors beside every figure, and nothing that could run."""

import json
from pathlib import Path

import pytest

from divisorduel import game
from divisorduel.bots.llm.bench_report import as_page, json_lines, text_lines
from divisorduel.bots.llm.bench_run import BenchRun, bench_plan
from divisorduel.bots.llm.bench_session import BenchSession
from divisorduel.bots.llm.chat_request import LanguageModel
from divisorduel.bots.llm.scores import BoardScore, scores
from divisorduel.play.players import Judge
from tests.bots.llm.fake_endpoint import Response, completion, playing, serving


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> tuple[BenchRun, list[BoardScore]]:
    """Return a run on two boards, with and without the legal moves, with all sorts of replies."""
    perfect = playing("perfect")
    said = ["ANSWER: 1000", "What?", "<script>alert(1)</script>"]

    def mixed(prompt: str, before: int) -> Response:
        kind = len(prompt) % 4
        if "Legal moves" in prompt:
            return perfect(prompt, before)
        if before == 0 and "2 to 12" in prompt:
            return Response({}, 429)
        return completion(said[kind % 3]) if kind < 3 else completion("ANSWER: 1", "length")

    with serving(mixed) as endpoint:
        model = LanguageModel(endpoint.url, "<b>fake</b>", 500)
        boards = [game("antichain", to=12), game("divider", to=15)]
        run = BenchRun(bench_plan(model, "positions", boards, (False, True), 4, 0, None))
        folder = tmp_path_factory.mktemp("report")

        async def wait(_seconds: float) -> None:
            return

        session = BenchSession(folder / "r", 10**6, use_proxies=False, sleep=wait, jobs=2)
        session.play(run, Judge(), lambda: None)
    return run, scores(run, Judge())


def test_every_row_has_the_outcomes_the_interval_and_the_floors(
    results: tuple[BenchRun, list[BoardScore]],
) -> None:
    run, found = results
    lines = [*text_lines(run.plan, found)]
    figures = "won 95% interval chance greedy"
    outcomes = "no answer cut off illegal losing winning"
    assert " ".join(lines[2].split()) == f"game board legal moves trials {figures} {outcomes}"
    rows = [line.split() for line in lines[3:7]]
    assert [row[:3] for row in rows] == [
        ["antichain", "2-12", "hidden"],
        ["antichain", "2-12", "listed"],
        ["divider", "2-15", "hidden"],
        ["divider", "2-15", "listed"],
    ]
    assert rows[1][3:5] == ["4", "100.0%"]
    assert rows[1][-5:] == ["0", "0", "0", "0", "4"]
    assert all(sum(map(int, row[-5:])) == int(row[3]) == 4 for row in rows)
    assert all(cell.endswith("%") for row in rows for cell in row[-7:-5])
    assert any("requests failed and had to be sent again" in line for line in lines)


def test_json_lines_hold_every_trial_and_score(results: tuple[BenchRun, list[BoardScore]]) -> None:
    run, found = results
    lines = [json.loads(line) for line in json_lines(run.plan, found)]
    trials = [line for line in lines if line["type"] == "trial"]
    assert len(trials) == 16
    assert {line["legal_moves"] for line in trials} == {"hidden", "listed"}
    for line in lines:
        if line["type"] == "score":
            assert sum(line["outcomes"].values()) == line["trials"] == line["planned"] == 4
            assert 0 < line["floors"]["chance"] < 1
            assert 0 <= line["floors"]["greedy"] <= 1


def test_the_page_needs_no_other_file_and_runs_nothing(
    results: tuple[BenchRun, list[BoardScore]], tmp_path: Path
) -> None:
    run, found = results
    shown = as_page(run.plan, found)
    assert "<b>" not in shown
    assert "&lt;b&gt;fake&lt;/b&gt;: single positions" in shown
    assert "<script" not in shown
    assert "src=" not in shown
    assert shown.count("<svg") == 2
    assert shown.count('class="ring"') == shown.count('class="dot"') == 2


def test_a_run_without_results_can_be_reported(results: tuple[BenchRun, list[BoardScore]]) -> None:
    run, _ = results
    empty = BenchRun(run.plan)
    found = scores(empty, Judge())
    assert "Not done, or not counted: 16 of 16 trials." in text_lines(run.plan, found)
    assert "<svg" in as_page(run.plan, found)
    assert all(json.loads(line)["score"] is None for line in json_lines(run.plan, found))
