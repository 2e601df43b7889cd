"""The native kernel: the same searches as in Python, but faster.

It is an optional extension module, built from the folder ``kernel``. Without it, or with
``DUEL_SOLVER=pure`` in the environment, the Python solvers do the work.
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


def _find() -> "ModuleType | None":
    if os.environ.get("DUEL_SOLVER") == "pure":
        return None
    try:
        from divisorduel.solve.native import _kernel
    except ImportError:
        return None
    return _kernel


KERNEL = _find()
"""The extension module; None if it is missing or switched off."""


def in_use() -> str:
    """Name the solvers in use."""
    return "Python solvers" if KERNEL is None else "native solvers"
