"""Which tests are run against a mutant: the nearest first."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

NOT_RUN = (
    "tests/web/",  # browsers and servers
    "tests/rules/outside/",  # installs a package, and opens it in a browser
    "tests/lab/executors/test_dask_cluster.py",
    "tests/solve/native/test_install.py",
    "tests/solve/native/test_redundant_edges.py",
    "tests/solve/native/test_sanitizers.py",
    "tests/test_architecture.py",
    "tests/test_mutation.py",
)
"""Slow tests that add nothing: they are about other code, or start whole systems."""

Tests = tuple[str, ...]


class Stage(NamedTuple):
    """Tests to run against a mutant."""

    tests: Tests
    among: Tests
    """The tests that must pass without a mutant; how long they take sets the limit."""


def stages(root: Path, file: str, *, own_only: bool) -> list[Stage]:
    """Return the test files to run against mutants of a file, stage by stage.

    First its mirror, or else the tests in its package that name the module; then the others of its
    package; then all others.
    """
    package = file.split("/")[0]
    own = tuple(path for path in _test_files(root) if path.startswith(f"tests/{package}/"))
    near = tuple(path for path in own if _is_near(root, path, file))
    found = [Stage(near, own), Stage(tuple(path for path in own if path not in near), own)]
    if not own_only:
        others = tuple(path for path in _test_files(root) if path not in own)
        found.append(Stage(others, others))
    return [stage for stage in found if stage.tests]


def _is_near(root: Path, test: str, file: str) -> bool:
    mirror = (Path("tests") / file).with_name(f"test_{Path(file).stem}.py")
    if (root / mirror).exists():
        return test == str(mirror)
    module = file.removesuffix(".py").replace("/", r"\.")
    return re.search(rf"\bdivisorduel\.{module}\b", (root / test).read_text()) is not None


@cache
def _test_files(root: Path) -> list[str]:
    """Return the test files, the quick ones first: those of the native kernel are slow."""
    found = (str(path.relative_to(root)) for path in (root / "tests").rglob("test_*.py"))
    chosen = (path for path in found if not path.startswith(NOT_RUN))
    return sorted(chosen, key=lambda path: (path.count("/"), path))
