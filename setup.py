"""Builds the native kernel where there is a compiler; everything else is in pyproject.toml."""

import sys
from glob import glob

from setuptools import Extension, setup

FLAGS = [] if sys.platform == "win32" else ["-std=c++17", "-O3", "-fvisibility=hidden", "-pthread"]

setup(
    ext_modules=[
        Extension(
            "divisorduel.solve._kernel",
            sources=sorted(glob("kernel/*.cpp")),
            depends=sorted(glob("kernel/*.hpp")),
            define_macros=[("Py_LIMITED_API", "0x030B0000")],
            py_limited_api=True,
            extra_compile_args=FLAGS,
            extra_link_args=FLAGS[-1:],
            # Without a compiler the solvers written in Python serve.
            optional=True,
        )
    ]
)
