"""Crashes with a traceback when it should move."""

from good import lines  # type: ignore[import-not-found]

for _ in lines():
    raise RuntimeError("I lost my head")
