"""Builds wheels as pip does, and unpacks them."""

import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

BUILD = "import setuptools.build_meta as s, sys; s.build_wheel(sys.argv[1])"


def unpacked_wheel(
    sources: Path, folder: Path, environment: Mapping[str, str] | None = None
) -> Path:
    """Build and unpack the wheel of a package. Return the folder to add to `sys.path`."""
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)],
        cwd=sources,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"
