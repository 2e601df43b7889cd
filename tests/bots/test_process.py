"""The process of an engine does not outlive the program that started it."""

import os
import secrets
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from divisorduel.bots.process import EngineProcess
from divisorduel.play.players import PlayerFault
from tests.bots.test_compliance import marked
from tests.conftest import DUEL, Duel, thorough_except
from tests.polling import wait_until

SLEEPER = "sh -c 'while :; do sleep 1000; done'"
CHILDREN = {
    "plain": SLEEPER,
    "own group": "bash -c 'set -m; sleep 1000 & while :; do sleep 999; done'",
    "own session": "sh -c 'setsid sleep 1000 & while :; do sleep 999; done'",
}


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("how", thorough_except([signal.SIGTERM, signal.SIGKILL], signal.SIGKILL))
@pytest.mark.parametrize("child", thorough_except(CHILDREN, "own session"))
def test_an_engine_and_its_children_end_when_our_program_is_killed(
    child: str, how: signal.Signals
) -> None:
    mark = secrets.token_hex(16)
    script = (
        "import sys, time; from divisorduel.bots.process import EngineProcess\n"
        f"engine = EngineProcess({CHILDREN[child]!r}); print('started', flush=True)\n"
        "time.sleep(1000)"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        env={**os.environ, "DUEL_TEST": mark},
    )
    assert running.stdout is not None
    assert running.stdout.readline() == b"started\n"
    for _ in wait_until("the engine has a child"):
        if any("sleep\x001000" in command for command in marked(f"DUEL_TEST={mark}")):
            break
    running.send_signal(how)
    running.wait()
    running.stdout.close()
    for _ in wait_until("no process is left"):
        if not marked(f"DUEL_TEST={mark}"):
            break


def test_closing_an_engine_leaves_no_process_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    mark = secrets.token_hex(16)
    monkeypatch.setenv("DUEL_TEST", mark)
    engine = EngineProcess(SLEEPER)
    assert marked(f"DUEL_TEST={mark}") != []
    engine.close()
    assert marked(f"DUEL_TEST={mark}") == []


def test_an_engine_that_never_stops_writing_errors_is_not_read_forever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = count(0, 0.1)
    engine = EngineProcess("sh -c 'exec >&-; exit 3'", lambda: next(clock))
    heard = count()
    exchange = EngineProcess._exchange

    def and_more(self: EngineProcess, seconds: float) -> bool:
        assert next(heard) < 1_000
        exchange(self, seconds)
        return True

    monkeypatch.setattr(EngineProcess, "_exchange", and_more)
    try:
        with pytest.raises(PlayerFault):
            engine.receive(100.0)
    finally:
        engine.close()


@pytest.mark.thorough
def test_an_arena_that_is_stopped_leaves_no_engine(duel: Duel, tmp_path: Path) -> None:
    mark = secrets.token_hex(16)
    engine = tmp_path / "sleeper.sh"
    engine.write_text(
        "while read -r word rest; do case $word in duel) printf 'bot Sleeper\\nok\\n' ;; "
        "go) sleep 1000 ;; quit) exit 0 ;; esac; done"
    )
    players = ["--player", "6", "--player", f"bot:sh {engine}"]
    words = ["antichain", "--to", "20", *players, "--pairs", "2", "--jobs", "2", "--budget", "1000"]
    running = subprocess.Popen(
        [DUEL, "arena", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**duel.environment(), "DUEL_TEST": mark},
    )
    for _ in wait_until("both engines think"):
        thinking = [one for one in marked(f"DUEL_TEST={mark}") if "sleep\x001000" in one]
        if len(thinking) == 2:
            break
    running.send_signal(signal.SIGINT)
    running.wait()
    for _ in wait_until("no process is left"):
        if not marked(f"DUEL_TEST={mark}"):
            break
