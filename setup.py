"""Builds the native kernel where there is a compiler; everything else is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import Extension, setup

FLAGS = [] if sys.platform == "win32" else ["-std=c++17", "-O3", "-fvisibility=hidden", "-pthread"]


def files(pattern: str) -> list[str]:
    """Return the kernel's files whose names look like this."""
    return sorted(str(path) for path in Path("kernel").glob(pattern))


setup(
    ext_modules=[
        Extension(
            "divisorduel.solve.native._kernel",
            sources=files("*.cpp"),
            depends=files("*.hpp"),
            define_macros=[("Py_LIMITED_API", "0x030B0000")],
            py_limited_api=True,
            extra_compile_args=FLAGS,
            extra_link_args=FLAGS[-1:],
            # Without a compiler the solvers written in Python serve.
            optional=True,
        )
    ]
)
