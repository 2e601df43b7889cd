"""Optional dependencies are needed only where they are used, and their absence is explained."""

import subprocess
import sys

import pytest

from divisorduel.cli.main import commands
from tests.conftest import Duel, thorough_except

HEAVY = ["distributed", "gymnasium", "httpx", "mcp", "numpy", "pettingzoo", "psycopg", "pyspiel"]


def run(
    script: str, *words: str, environment: dict[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    called = [sys.executable, "-c", script, *words]
    return subprocess.run(called, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize(
    ("module", "missing", "extra"),
    [
        ("openspiel", "pyspiel", "openspiel"),
        ("openspiel", "numpy", "openspiel"),
        ("pettingzoo", "pettingzoo", "pettingzoo"),
        ("gymnasium", "gymnasium", "pettingzoo"),
        ("mcp", "mcp", "mcp"),
        ("llm.endpoint", "httpx", "llm"),
    ],
)
def test_a_missing_extra_is_named_with_the_command_that_installs_it(
    module: str, missing: str, extra: str
) -> None:
    done = run(f"import sys; sys.modules[{missing!r}] = None; import divisorduel.bots.{module}")
    last = done.stderr.rstrip().split("\n")[-1]
    assert f"needs the extra '{extra}'. Install it: " in last
    assert last.endswith(f"'divisorduel[{extra}]'")


def test_no_command_imports_an_extra_before_it_runs() -> None:
    script = (
        "import sys; from divisorduel.cli.main import front\n"
        "for name in sys.argv[1:]: front.main([name, '--help'], standalone_mode=False)\n"
        f"sys.exit(str([n for n in {HEAVY} if n in sys.modules]))"
    )
    assert run(script, *commands()).stderr == "[]\n"


ARENA = ["arena", "divider", "--to", "12", "--player", "3", "--player", "5", "--pairs", "1"]
COMMANDS = [
    ["ask", "divider", "--count", "1"],
    ["solve", "divider"],
    ["rules", "divider"],
    ["play", "divider", "--p1", "3", "--p2", "bot:{python} -m divisorduel bot 5", "--no-save"],
    ["bot", "--check", "{python} -m divisorduel bot greedy"],
    [*ARENA],
    [*ARENA, "--jobs", "2"],
    ["table", "divider", "2..10"],
    ["fair", "divider", "--to", "12"],
]


@pytest.mark.parametrize("words", thorough_except(COMMANDS, COMMANDS[0], [*ARENA]))
def test_a_command_that_needs_no_extra_imports_none(words: list[str], duel: Duel) -> None:
    script = (
        "import sys; from divisorduel.cli.main import front\n"
        "code = front.main(sys.argv[1:], standalone_mode=False)\n"
        f"found = [name for name in {HEAVY} if name in sys.modules]\n"
        "sys.exit(f'{code or 0} {found}')"
    )
    called = [word.format(python=sys.executable) for word in words]
    done = run(script, *called, environment=duel.environment())
    assert done.stderr.splitlines()[-1:] == ["0 []"], done.stderr


def test_duel_bench_llm_without_its_extra_says_so_in_one_line() -> None:
    words = ["duel", "bench-llm", "--url", "http://127.0.0.1:9", "--model", "m"]
    script = (
        f"import sys; sys.modules['httpx'] = None; sys.argv = {words}\n"
        "from divisorduel.cli.main import main; main()"
    )
    done = run(script)
    assert (done.returncode, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("Error: Asking language models needs the extra 'llm'. Install it: ")


def test_duel_mcp_without_its_extra_says_so_in_one_line() -> None:
    script = (
        "import sys; sys.modules['mcp'] = None; sys.argv = ['duel', 'mcp']\n"
        "from divisorduel.cli.main import main; main()"
    )
    done = run(script)
    assert (done.returncode, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("Error: The server for assistants needs the extra 'mcp'. Install it: ")


def test_a_cluster_without_its_extra_is_refused_in_one_line() -> None:
    players = ["--player", "3", "--player", "5", "--pairs", "1", "--to", "12"]
    words = ["duel", "arena", "divider", *players, "--cluster", "tcp://127.0.0.1:9"]
    script = (
        f"import sys; sys.modules['distributed'] = None; sys.argv = {words}\n"
        "from divisorduel.cli.main import main; main()"
    )
    done = run(script)
    assert (done.returncode, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("Error: A cluster needs the extra 'cluster'. Install it: ")
