"""Writes THIRD-PARTY-NOTICES.md from what the pinned packages say about themselves."""

from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
NOTICES = ROOT / "THIRD-PARTY-NOTICES.md"
PINS = ROOT / "requirements" / "serve.txt"

ABOUT = """\
# Third-party notices

Divisor Duel contains no third-party code. It uses the packages below, which pip installs beside it,
including in the container. Each package comes with its licence and the names of its authors, in the
folder `NAME-VERSION.dist-info` beside it. The packages under the LGPL are used unmodified, and can
be replaced.

`scripts/notices` writes this page.

| package | version | licence |
|---|---|---|
"""


def pinned() -> Iterator[Requirement]:
    """Return the pinned packages that this platform needs."""
    for line in PINS.read_text().splitlines():
        if "==" in line:
            pin = Requirement(line.removesuffix("\\"))
            if pin.marker is None or pin.marker.evaluate():
                yield pin


def licence_of(name: str) -> str:
    """Return the licence that an installed package declares."""
    about = distribution(name).metadata
    declared = about.get_all("License-Expression") or about.get_all("License") or []
    kinds = [kind for kind in about.get_all("Classifier") or [] if kind.startswith("License :: ")]
    return " or ".join(declared or [kind.split(" :: ")[-1] for kind in kinds])


def licence_files(name: str) -> list[str]:
    """Return the files with the text of the licence, which an installed package brings."""
    words = "licen", "copying"
    files = [str(path) for path in distribution(name).files or []]
    return [
        path for path in files if ".dist-info" in path and any(w in path.lower() for w in words)
    ]


def notices() -> str:
    """Return the text of the page."""
    rows = [
        f"| {pin.name} | {str(pin.specifier)[2:]} | {licence_of(pin.name)} |" for pin in pinned()
    ]
    return ABOUT + "\n".join(rows) + "\n"


if __name__ == "__main__":
    NOTICES.write_text(notices())
