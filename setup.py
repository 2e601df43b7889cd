"""Builds the native kernel if there is a compiler; everything else is in pyproject.toml."""

import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel

STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")
"""Whether this Python has the stable ABI, which free-threaded builds lack."""
FLAGS = ["-std=c++17", "-O3", "-g0", "-fvisibility=hidden", "-pthread"]


class Wheel(bdist_wheel):
    """A wheel for Python 3.11 and newer; a pure-Python one if the kernel could not be built."""

    def run(self) -> None:
        """Build the kernel first, then choose the tag."""
        self.run_command("build")
        kernels = self.get_finalized_command("build_ext").get_outputs()
        if not any(map(Path.exists, map(Path, kernels))):
            self.distribution.ext_modules = []
            self.root_is_pure = True
        super().run()


def files(pattern: str) -> list[str]:
    """Return the kernel's files whose names match a pattern."""
    return sorted(str(path) for path in Path("kernel").glob(pattern))


setup(
    cmdclass={"bdist_wheel": Wheel},
    options={"bdist_wheel": {"py_limited_api": "cp311"} if STABLE else {}},
    ext_modules=[
        Extension(
            "divisorduel.solve.native._kernel",
            sources=files("*.cpp"),
            depends=files("*.hpp"),
            define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE else [],
            py_limited_api=STABLE,
            extra_compile_args=[] if sys.platform == "win32" else FLAGS,
            extra_link_args=["-pthread", "-Wl,-s"] if sys.platform == "linux" else [],
            # Without a compiler, the solvers written in Python are used.
            optional=True,
        )
    ],
)
