"""Shared fixtures and helpers, and the choice between a default and a thorough run."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from divisorduel import Game, game, rule_book_keys
from tests.preloaded_duel import PreloadedDuel

if TYPE_CHECKING:
    from tests.web.clients import Server

# Runs are repeatable, and no test fails because the machine is slow.
REPEATABLE = settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("default", REPEATABLE, max_examples=25)
settings.register_profile("thorough", REPEATABLE, max_examples=100)

DUEL = str(Path(sys.executable).with_name("duel"))
"""The installed command."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for a thorough run."""
    parser.addoption(
        "--thorough", action="store_true", help="run every test, including those marked thorough"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples Hypothesis tries, before it reads the first test; heed signals."""
    settings.load_profile("thorough" if is_thorough(config) else "default")
    heed_signals()


def heed_signals() -> None:
    """Heed Ctrl-C again, which programs in the background ignore, and what ``nohup`` ignores."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def is_thorough(config: pytest.Config) -> bool:
    """Return whether tests marked thorough run. With ``-m thorough``, only they do."""
    return bool(config.option.thorough or "thorough" in config.option.markexpr)


def examples(number: int) -> int:
    """Return how many examples to try in this run, given the number for a thorough run."""
    return max(1, number * settings().max_examples // 100)


def thorough_except(cases: Iterable[Any], *kept: Any) -> list[Any]:
    """Return the cases of a parametrised test, all marked thorough except those to keep."""
    return [
        case
        if case in kept
        else pytest.param(*(case if isinstance(case, tuple) else [case]), marks=THOROUGH)
        for case in cases
    ]


THOROUGH = pytest.mark.thorough
DESELECTED = pytest.StashKey[int]()
"""How many thorough tests this run does not include."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark tests on PostgreSQL as thorough, except those that always run on both databases."""
    case = getattr(item, "callspec", None)
    on_postgresql = case is not None and case.params.get("database_kind") == "postgresql"
    if on_postgresql and not item.get_closest_marker("both_databases"):
        item.add_marker(THOROUGH)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the thorough tests, after ``-k`` and ``-m``, unless this run is thorough."""
    if is_thorough(config):
        return
    deselected = [item for item in items if item.get_closest_marker("thorough")]
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]
    config.hook.pytest_deselected(items=deselected)
    config.stash[DESELECTED] = len(deselected)
    if hasattr(config, "workeroutput"):  # a worker of pytest-xdist reports to its controller
        config.workeroutput["deselected"] = len(deselected)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Use more processes than cores, because many tests wait for servers and browsers."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Copy the number of deselected tests from a worker; it is the same for all workers."""
    node.config.stash[DESELECTED] = getattr(node, "workeroutput", {}).get("deselected", 0)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what was not run, and how to run it."""
    if deselected := config.stash.get(DESELECTED, 0):
        terminalreporter.write_line(
            f"Thorough tests not run: {deselected}, and most examples of the property tests. "
            "Run everything with scripts/test --thorough."
        )


def run_duel(
    words: Sequence[str], typed: bytes, environment: Mapping[str, str], folder: Path
) -> "subprocess.CompletedProcess[bytes]":
    """Run the installed command in a new process, with piped input."""
    return subprocess.run(
        [DUEL, *words],
        input=typed,
        capture_output=True,
        env=environment,
        cwd=folder,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="session")
def preloaded_duel() -> Iterator[PreloadedDuel]:
    """Return the command in a process that has imported it."""
    with closing(PreloadedDuel(minimal_environment())) as preloaded:
        yield preloaded


def minimal_environment() -> dict[str, str]:
    """Return the environment variables that the command needs."""
    return {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}


@dataclass(frozen=True)
class Duel:
    """The installed command, with its own data folder."""

    home: Path
    preloaded: PreloadedDuel | None = None

    @property
    def matches(self) -> list[Path]:
        """The files of the matches it has saved."""
        return sorted((self.home / "divisorduel" / "matches").glob("*"))

    def environment(self, **changes: str) -> dict[str, str]:
        return {
            **minimal_environment(),
            "HOME": str(self.home),
            "XDG_DATA_HOME": str(self.home),
            **changes,
        }

    def run(
        self, *words: str | Path, typed: str | bytes = "", **changes: str
    ) -> "subprocess.CompletedProcess[str]":
        """Run the command with input that is not a terminal; return what it printed.

        Without a preloaded process, or with changes to the environment, this takes longer.
        """
        arguments = [*map(str, words)]
        data = typed.encode() if isinstance(typed, str) else typed
        environment = self.environment(**changes)
        if changes or self.preloaded is None:
            done = run_duel(arguments, data, environment, self.home)
        else:
            done = self.preloaded.run(arguments, data, environment, self.home)
        return subprocess.CompletedProcess(
            done.args,
            done.returncode,
            done.stdout.decode("utf-8", "backslashreplace"),
            done.stderr.decode("utf-8", "backslashreplace"),
        )


@pytest.fixture
def duel(tmp_path: Path, preloaded_duel: PreloadedDuel) -> Duel:
    """Return the installed command, with an empty data folder."""
    return Duel(tmp_path, preloaded_duel)


def default_game(key: str) -> Game:
    """Return a game on its default board; descent, which has none, starts from 720."""
    return game(key, number=720) if key == "descent" else game(key)


def small_game(key: str) -> Game:
    """Return a game on a board small enough to search exhaustively."""
    boards: dict[str, dict[str, int]] = {"evens": {"to": 12}, "descent": {"number": 72}}
    return game(key, **boards.get(key, {"to": 8}))


def cpu_seconds(process: int) -> float:
    """Return the CPU seconds of a process and of the children it has waited for."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Server]":
    """Run a server on SQLite for all tests that do not depend on the database."""
    from tests.web.clients import Server
    from tests.web.databases import sqlite_in

    folder = tmp_path_factory.mktemp("web")
    with Server(sqlite_in(folder), folder) as running:
        yield running


ALL_KEYS = rule_book_keys()


@pytest.fixture
def all_keys() -> tuple[str, ...]:
    """Return the keys of all rule books."""
    return ALL_KEYS
