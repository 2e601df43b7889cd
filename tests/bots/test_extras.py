"""Optional dependencies are needed only where they are used, and their absence is explained."""

import subprocess
import sys

import pytest

from divisorduel.cli.main import commands

HEAVY = ["gymnasium", "httpx", "mcp", "numpy", "pettingzoo", "pyspiel"]


def run(script: str, *words: str) -> "subprocess.CompletedProcess[str]":
    called = [sys.executable, "-c", script, *words]
    return subprocess.run(called, capture_output=True, text=True, check=False)


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


def test_asking_and_solving_import_no_extra() -> None:
    script = (
        "import sys; from divisorduel.cli.main import front\n"
        "front.main(['ask', 'divider', '--count', '1'], standalone_mode=False)\n"
        "front.main(['solve', 'divider'], standalone_mode=False)\n"
        f"sys.exit(str([n for n in {HEAVY} if n in sys.modules]))"
    )
    assert run(script).stderr == "[]\n"


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
