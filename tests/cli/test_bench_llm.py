"""Benchmarks of language models through the installed command."""

import json
import re
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from tests.bots.llm.fake_endpoint import Response, playing, serving
from tests.conftest import DUEL, Duel

PERFECT = re.compile(r"antichain +2-12 +hidden +5 +100\.0% .*% +0 +0 +0 +0 +5")
SMALL = ("antichain", "--size", "12", "--count", "5", "--model", "fake")


def test_a_model_is_measured_and_a_rerun_makes_no_call(duel: Duel, tmp_path: Path) -> None:
    with serving(playing("perfect")) as endpoint:
        words = ["bench-llm", *SMALL, "--url", endpoint.url, "--output", "t.jsonl"]
        done = duel.run(*words, "--html", "t.html")
        assert (done.returncode, done.stderr) == (0, "")
        first, _, _, row, *_ = done.stdout.splitlines()
        assert first == "fake: single positions"
        assert PERFECT.fullmatch(row)
        assert len(endpoint.prompts) == 5
        again = duel.run(*words, "--force")
        assert again.stdout == done.stdout
        assert len(endpoint.prompts) == 5
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert [line["type"] for line in lines] == ["trial"] * 5 + ["score"]
    assert "<svg" in (tmp_path / "t.html").read_text()


@pytest.mark.thorough
def test_the_key_is_sent_from_the_environment_and_not_printed(duel: Duel) -> None:
    with serving(playing("greedy")) as endpoint:
        words = ["bench-llm", *SMALL, "--url", endpoint.url]
        printed = duel.run(*words, "--output", "-", DUEL_LLM_KEY="secret-7\n")
        assert set(endpoint.keys) == {"Bearer secret-7"}
        other = duel.run(*words, "--key-from", "OTHER", "--cache", "c", OTHER="secret-8")
        assert endpoint.keys[-1] == "Bearer secret-8"
    assert "secret" not in printed.stdout + printed.stderr + other.stdout + other.stderr
    files = [path for path in duel.home.rglob("*") if path.is_file()]
    assert len(files) == 2
    assert not any(b"secret" in path.read_bytes() for path in files)


def test_a_budget_that_is_too_small_is_reported_with_the_results(duel: Duel) -> None:
    with serving(playing("perfect")) as endpoint:
        words = ["bench-llm", *SMALL, "--url", endpoint.url, "--max-tokens", "10"]
        done = duel.run(*words, "--tokens", "1200")
        assert done.returncode == 1
        assert done.stderr == (
            "Error: 1,200 tokens are not enough. "
            "Run the same command with more --tokens to continue.\n"
        )
        asked = len(endpoint.prompts)
        assert f"Not done, or not counted: {5 - asked} of 5 trials." in done.stdout
        assert duel.run(*words, "--tokens", "9999").returncode == 0
        assert len(endpoint.prompts) == 5


def test_after_a_kill_only_what_was_in_progress_is_asked_again(duel: Duel) -> None:
    perfect = playing("perfect")
    is_stuck = threading.Event()

    def stuck(prompt: str, before: int) -> Response:
        if len(set(endpoint.prompts)) == 4 and before == 0:
            is_stuck.set()
            return Response(is_hanging=True)
        return perfect(prompt, before)

    with serving(stuck) as endpoint:
        words = ["bench-llm", *SMALL, "--url", endpoint.url]
        with subprocess.Popen(
            [DUEL, *words], env=duel.environment(), cwd=duel.home, stdout=subprocess.PIPE
        ) as process:
            assert is_stuck.wait(60)
            process.send_signal(signal.SIGKILL)
        done = duel.run(*words)
        assert PERFECT.fullmatch(done.stdout.splitlines()[3])
        asked = [endpoint.prompts.count(prompt) for prompt in dict.fromkeys(endpoint.prompts)]
        assert asked == [1, 1, 1, 2, 1]


@pytest.mark.thorough
def test_ctrl_c_shows_what_is_done_and_how_to_continue(duel: Duel) -> None:
    perfect = playing("perfect")
    is_stuck = threading.Event()

    def stuck(prompt: str, before: int) -> Response:
        if len(endpoint.prompts) == 3:
            is_stuck.set()
            return Response(is_hanging=True)
        return perfect(prompt, before)

    with serving(stuck) as endpoint:
        words = [DUEL, "bench-llm", *SMALL, "--url", endpoint.url, "--output", "t.jsonl"]
        with subprocess.Popen(
            words,
            env=duel.environment(),
            cwd=duel.home,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert is_stuck.wait(60)
            process.send_signal(signal.SIGINT)
            printed, complaints = process.communicate(timeout=60)
    assert process.returncode == 130
    assert complaints == "Stopped. Run the same command again to continue.\n"
    assert "Not done, or not counted: 3 of 5 trials." in printed
    assert not (duel.home / "t.jsonl").exists()


def test_wrong_options_are_reported_before_anything_is_sent(duel: Duel) -> None:
    url = ("--url", "http://127.0.0.1:9/v1")
    for words, reason in [
        (["--url", "localhost"], "Not the address of an endpoint."),
        ([*url, "--parameter", "temperature"], "--parameter takes NAME=VALUE"),
        ([*url, "--parameter", "n=2"], "The parameter 'n' cannot be set. Drop it."),
        ([*url, "--key-from", "NO_SUCH_KEY"], "The environment variable 'NO_SUCH_KEY' is not set."),
        ([*url, "--count", "5000"], "antichain 2-12 has too few such positions"),
        ([*url, "--size", "1"], "--size"),
    ]:
        done = duel.run("bench-llm", *SMALL, *words)
        assert done.returncode in (1, 2)
        assert reason in done.stderr
