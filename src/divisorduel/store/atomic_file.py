"""Files that are whole at every instant, whatever happens while they are written."""

import os
import secrets
import stat
from contextlib import suppress
from glob import escape
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Put a text in a file, all or nothing, and return when it is on disk. Raises `OSError`.

    A link stays one, and a file that is there already keeps its permissions.
    """
    path = Path(os.path.realpath(path))
    written = path.with_name(f"{_prefix(path)}{secrets.token_hex(4)}")
    try:
        with written.open("xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            written.chmod(stat.S_IMODE(path.stat().st_mode))
        written.replace(path)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def clear_leftovers(path: Path) -> None:
    """Remove what a program that was killed while it wrote the file may have left beside it."""
    for leftover in path.parent.glob(f"{escape(_prefix(path))}*"):
        with suppress(OSError):
            leftover.unlink()


def _prefix(path: Path) -> str:
    return f".{path.stem[:40]}."


def _sync_folder(folder: Path) -> None:
    # The new name is on disk only once the folder is; not every system can be asked for that.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
