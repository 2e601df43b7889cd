"""The kernel is clean under AddressSanitizer and UndefinedBehaviorSanitizer.

The test builds an instrumented kernel and runs the solvers with it in another process.
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FLAGS = ["-std=c++17", "-O1", "-g", "-fPIC", "-shared", "-pthread", "-Wall", "-Wextra", "-Werror"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
import _kernel
sys.modules["divisorduel.solve.native._kernel"] = _kernel
from divisorduel.solve import native
native._kernel = _kernel
from bench.agreement import disagreements
from divisorduel import game
from divisorduel.solve.native.kernel import KERNEL
from divisorduel.solve.native.native_nimbers import NativeNimbers
from divisorduel.solve.solver import solve
from divisorduel.solve.budget import Budget
assert KERNEL is _kernel
for key in ("evens", "juniper", "chain", "antichain", "divider"):
    assert disagreements(key, 300, seed=1) == [], key
g = game("antichain", to=54)
expected = NativeNimbers(g).nimber(g.pool, Budget(threads=2))
assert NativeNimbers(g, memory=300_000).nimber(g.pool, Budget(threads=2)) == expected
assert not solve(game("antichain", to=100), budget=Budget(0.2, threads=2)).proven
assert solve(game("chain", to=20_000)).proven
print("clean")
"""


@pytest.mark.thorough
def test_the_kernel_is_clean_under_the_sanitizers(tmp_path: Path, compiler: str) -> None:
    include = sysconfig.get_paths()["include"]
    sources = [str(path) for path in sorted((ROOT / "kernel").glob("*.cpp"))]
    built = tmp_path / "_kernel.abi3.so"
    subprocess.run(
        [compiler, *FLAGS, *SANITIZERS, "-DPy_LIMITED_API=0x030B0000", f"-I{include}", *sources,
         "-o", str(built)],
        check=True,
    )  # fmt: skip
    runtimes = [
        subprocess.run(
            [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libstdc++.so")
    ]
    environment = {
        **os.environ,
        "LD_PRELOAD": " ".join(runtimes),
        # Python does not free all of its memory at exit.
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(folder=str(tmp_path))],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "clean\n"), done.stderr[-4000:]
