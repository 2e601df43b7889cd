"""What every run of the tests relies on: Ctrl-C is heeded, and a test that hangs is ended."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_programs_started_by_a_background_run_obey_ctrl_c() -> None:
    # A shell makes the programs that it starts in the background ignore Ctrl-C.
    program = """
import signal, subprocess, sys
import pytest

from tests.conftest import heed_signals
assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
heed_signals()
child = "import signal; print(signal.getsignal(signal.SIGINT) == signal.default_int_handler)"
subprocess.run([sys.executable, "-c", child], check=True)
signal.raise_signal(signal.SIGINT)
"""
    done = subprocess.run(
        ["sh", "-c", 'trap "" INT; exec "$0" -c "$1"', sys.executable, program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "True\n"
    assert done.returncode == -signal.SIGINT
    assert done.stderr.endswith("KeyboardInterrupt\n")


@pytest.mark.thorough
def test_a_test_that_hangs_in_c_code_ends_the_run_and_is_named(tmp_path: Path) -> None:
    test = tmp_path / "test_hanging.py"
    test.write_text(
        "import ctypes\n\n"
        "def test_that_never_ends():\n"
        "    ctypes.PyDLL(None).sleep(3600)  # it keeps the lock of the interpreter\n"
    )
    configured = ("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path))
    limit = ("-o", "faulthandler_timeout=1", "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *configured, *limit, str(test)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert 'test_hanging.py", line 4 in test_that_never_ends' in done.stderr
