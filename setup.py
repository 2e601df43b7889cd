"""Builds the native kernel where there is a compiler; everything else is in pyproject.toml."""

import sys

from setuptools import Extension, setup

FLAGS = [] if sys.platform == "win32" else ["-std=c++17", "-O3", "-fvisibility=hidden", "-pthread"]

setup(
    ext_modules=[
        Extension(
            "divisorduel.solve._kernel",
            sources=["kernel/module.cpp", "kernel/matching_type.cpp", "kernel/nimbers_type.cpp"],
            depends=[
                "kernel/divisors.hpp",
                "kernel/matching.hpp",
                "kernel/nimbers.hpp",
                "kernel/python.hpp",
                "kernel/table.hpp",
            ],
            define_macros=[("Py_LIMITED_API", "0x030B0000")],
            py_limited_api=True,
            extra_compile_args=FLAGS,
            extra_link_args=FLAGS[-1:],
            # Without a compiler the solvers written in Python serve.
            optional=True,
        )
    ]
)
