"""Fixtures for the tests of the native kernel: the kernel and a compiler."""

import os
import shutil

import pytest

from divisorduel.solve.native.kernel import KERNEL


def require(is_there: bool, what: str) -> None:
    """Skip the test if something is missing, or fail it if DUEL_REQUIRE_ALL is set."""
    if not is_there:
        if os.environ.get("DUEL_REQUIRE_ALL") == "1":
            pytest.fail(f"{what} is missing.")
        pytest.skip(f"{what} is missing.")


@pytest.fixture
def kernel() -> None:
    require(KERNEL is not None, "The native kernel")


@pytest.fixture
def compiler() -> str:
    found = shutil.which("g++")
    require(found is not None, "g++")
    return found or ""
