"""The native kernel, where it could be built: the same searches as in Python, only faster.

It is an extension module from the folder ``kernel``. An install without a compiler goes without
it, and so does a program that is run with ``DUEL_SOLVER=pure`` in its environment; the solvers
written in Python then serve.
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

PURE = "pure"


def _find() -> "ModuleType | None":
    if os.environ.get("DUEL_SOLVER") == PURE:
        return None
    try:
        from divisorduel.solve.native import _kernel
    except ImportError:
        return None
    return _kernel


KERNEL = _find()
"""The extension module, or None."""


def in_use() -> str:
    """Return which solvers serve, in words."""
    return "Python solvers" if KERNEL is None else "native solvers"
