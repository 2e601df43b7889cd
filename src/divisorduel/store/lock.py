"""Files that one process has for itself."""

from pathlib import Path
from typing import IO


def hold(path: Path) -> IO[bytes]:
    """Hold a file for this process, for as long as the answer stays open.

    The file is made if it is not there. Raises `BlockingIOError` if another process holds it, and
    `OSError` if it cannot be opened.
    """
    held = path.open("ab")
    try:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ModuleNotFoundError:  # there is no such thing on Windows
        pass
    except BlockingIOError:
        held.close()
        raise
    return held
