"""A wheel built with a compiler has the kernel; one built without is pure Python and works."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.wheel import unpacked_wheel

ROOT = Path(__file__).parents[3]


def installed(folder: Path, path: str) -> dict[str, str]:
    """Build a wheel with this PATH. Return an environment in which Python can import it."""
    sources = folder / "sources"
    sources.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    shutil.copytree(ROOT / "kernel", sources / "kernel")
    shutil.copytree(
        ROOT / "src",
        sources / "src",
        ignore=shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info"),
    )
    environment = {**os.environ, "PATH": path}
    for compiler in ("CC", "CXX", "LDSHARED"):
        environment.pop(compiler, None)
    site = unpacked_wheel(sources, folder, environment)
    return {**environment, "PYTHONPATH": str(site)}


def run_duel(environment: dict[str, str], *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "divisorduel", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.thorough
def test_without_a_compiler_the_wheel_is_pure_and_works(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    environment = installed(tmp_path, str(nothing))
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not list((tmp_path / "site").rglob("*.so"))
    assert run_duel(environment, "--version").endswith("(Python solvers)\n")
    assert "Winning moves (1 of 49): 50" in run_duel(environment, "solve", "antichain")


@pytest.mark.thorough
@pytest.mark.usefixtures("compiler")
def test_with_a_compiler_the_wheel_has_a_kernel_for_any_newer_python(tmp_path: Path) -> None:
    environment = installed(tmp_path, os.environ["PATH"])
    [wheel] = tmp_path.glob("*.whl")
    assert "-cp311-abi3-" in wheel.name
    [kernel] = (tmp_path / "site").rglob("_kernel.*.so")
    assert kernel.name == "_kernel.abi3.so"
    assert kernel.stat().st_size < 500_000, "debug symbols must be stripped"
    assert run_duel(environment, "--version").endswith("(native solvers)\n")
    pure = {**environment, "DUEL_SOLVER": "pure"}
    assert run_duel(pure, "--version").endswith("(Python solvers)\n")
    for key in ("antichain", "chain", "divider"):
        words = ("solve", key, "--json")
        one, two = run_duel(environment, *words), run_duel(pure, *words)
        assert one.partition('"positions"')[0] == two.partition('"positions"')[0]
