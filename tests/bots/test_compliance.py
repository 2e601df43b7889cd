"""The compliance check names what an engine does wrong, and leaves no process running."""

import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from divisorduel.bots.compliance import Played, check_engine
from divisorduel.bots.protocol import Greeting
from divisorduel.play.players import PLAYERS, PlayerFault
from tests.conftest import DUEL, Duel, thorough_except

BAD = Path(__file__).parent / "bad_engines"
EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"

FAULTS = {
    "no_start": "no-start",
    "silent.py": "silent",
    "no_flush.py": "silent",
    "early_exit.py": "ended",
    "illegal.py": "illegal",
    "digits.py": "illegal",
    "stateful.py": "illegal",
    "resigns.py": "illegal",
    "segfault.py": "ended",
    "crash.py": "ended",
    "one_move.py": "ended",
    "hang.py": "late",
    "hang_with_child.py": "late",
    "closes_input.py": "late",
    "closes_output.py": "closed",
    "garbage.py": "unclear",
    "word.py": "unclear",
    "chatter.py": "unclear",
    "nameless.py": "unclear",
    "unknown_game.py": "unclear",
    "flood.py": "flood",
    "flood_after.py": "flood",
    "endless_line.py": "long-line",
    "twice.py": "twice",
    "no_quit.py": "no-quit",
    "bad_exit.py": "bad-exit",
    "child.py": "leftovers",
    "daemon.py": "leftovers",
}
QUICK = (
    "no_start",
    "crash.py",
    "digits.py",
    "resigns.py",
    "flood.py",
    "endless_line.py",
    "twice.py",
    "daemon.py",
)


def bad_engine(name: str) -> str:
    """Return the command of a bad engine. Without its site packages, Python starts fast."""
    path = str(BAD / name)
    return f"{sys.executable} -S {path}" if name.endswith(".py") else path


def marked(mark: str) -> list[str]:
    """Return the commands of the running processes that inherited an environment variable."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().decode())
        except OSError:
            continue
    return found


@pytest.fixture
def _no_process_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    mark = secrets.token_hex(16)
    monkeypatch.setenv("DUEL_TEST", mark)
    yield
    assert marked(f"DUEL_TEST={mark}") == []


def checked(command: str) -> list[Greeting | Played]:
    return [*check_engine(command, seconds=0.3, greet_within=3.0)]


def test_every_bad_engine_is_tested() -> None:
    kept = {path.name for path in BAD.iterdir() if not path.name.startswith("__")}
    assert kept == {*FAULTS, "good.py", "noisy.py"}


@pytest.mark.usefixtures("_no_process_is_left")
@pytest.mark.parametrize("name", thorough_except(FAULTS, *QUICK))
def test_the_check_names_the_fault_of_a_bad_engine_and_leaves_no_process(name: str) -> None:
    with pytest.raises(PlayerFault) as caught:
        checked(bad_engine(name))
    assert caught.value.fault == FAULTS[name]


@pytest.mark.usefixtures("_no_process_is_left")
def test_a_lot_of_text_on_standard_error_does_no_harm() -> None:
    greeting, *games = checked(bad_engine("noisy.py"))
    assert isinstance(greeting, Greeting)
    assert len(games) > 5


def test_the_last_words_of_a_crash_are_reported() -> None:
    with pytest.raises(PlayerFault) as caught:
        checked(bad_engine("crash.py"))
    assert "I lost my head" in caught.value.last_words


@pytest.mark.usefixtures("_no_process_is_left")
@pytest.mark.parametrize("kind", thorough_except(PLAYERS, "greedy"))
def test_every_built_in_player_passes_the_check(kind: str) -> None:
    greeting, *games = check_engine(f"{DUEL} bot {kind}", seconds=2.0)
    assert isinstance(greeting, Greeting)
    assert greeting.name == kind
    assert len(games) == 6


@pytest.mark.usefixtures("_no_process_is_left")
@pytest.mark.parametrize("example", ["chooser.py", "largest.sh"])
def test_the_examples_pass_the_check(example: str) -> None:
    assert checked(str(EXAMPLES / example))


@pytest.mark.usefixtures("_no_process_is_left")
def test_the_example_in_c_passes_the_check(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    built = tmp_path / "smallest"
    subprocess.run([compiler, "-o", built, EXAMPLES / "smallest.c"], check=True)
    assert checked(str(built))


@pytest.mark.parametrize("example", sorted(path.name for path in EXAMPLES.iterdir()))
def test_an_example_has_fewer_than_forty_lines(example: str) -> None:
    assert len((EXAMPLES / example).read_text().splitlines()) < 40


def test_the_command_reports_what_an_engine_did_and_what_it_did_wrong(duel: Duel) -> None:
    good = duel.run("bot", "--check", bad_engine("good.py"))
    assert good.returncode == 0
    assert good.stdout.startswith("It introduces itself as 'Test'.\nantichain: ")
    assert good.stdout.endswith("leaves no process behind.\nPassed.\n")
    bad = duel.run("bot", "--check", bad_engine("crash.py"))
    assert bad.returncode == 1
    assert "Fault (ended): It ended with exit status 1. The position: antichain" in bad.stdout
    assert "RuntimeError: I lost my head" in bad.stdout
