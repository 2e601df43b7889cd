"""An engine cannot leave processes behind."""

import secrets
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from divisorduel.bots.process import EngineProcess, ProcessExit
from tests.polling import wait_until


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_child_that_leaves_the_session_and_the_environment_is_killed_too() -> None:
    number = f"1000.{secrets.randbelow(10**9)}"
    engine = EngineProcess(f"sh -c 'env -i setsid sleep {number} & while :; do sleep 1000; done'")
    for _ in wait_until("the child has its own session"):
        if sleeping(number):
            break
    engine.close()
    assert sleeping(number) == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_child_that_has_escaped_is_a_leftover_of_an_engine_that_ends() -> None:
    number = f"1000.{secrets.randbelow(10**9)}"
    child = f"env -i setsid sleep {number} >/dev/null 2>&1 </dev/null"
    engine = EngineProcess(f"sh -c '{child} & read -r quit'")
    for _ in wait_until("the child has its own session"):
        if sleeping(number):
            break
    assert engine.quit() == ProcessExit(0, 1)
    assert sleeping(number) == []


def sleeping(number: str) -> list[int]:
    """Return the running processes that sleep for a number of seconds, in their own sessions."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (folder / "cmdline").read_bytes() == f"sleep\0{number}\0".encode():
                found.append(int(folder.name))
    return found
