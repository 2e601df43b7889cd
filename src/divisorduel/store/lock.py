"""Files that one process has for itself."""

import errno
import os
from pathlib import Path
from typing import IO

_UNSUPPORTED = {errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK}


def hold(path: Path) -> IO[bytes] | None:
    """Hold a file for this process, for as long as the answer stays open.

    The file is made if it is not there. None is returned where files cannot be held: on Windows,
    and on some file systems. Raises `BlockingIOError` if another process holds it, and `OSError` if
    it cannot be opened.
    """
    try:
        import fcntl
    except ModuleNotFoundError:
        path.touch()
        return None
    while True:
        held = path.open("ab")
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            held.close()
            if error.errno in _UNSUPPORTED:
                return None
            raise
        if _is_at(held, path):
            return held
        # Whoever held it before has removed it in the meantime.
        held.close()


def _is_at(held: IO[bytes], path: Path) -> bool:
    """Tell whether an open file is the one that its name leads to."""
    try:
        return os.path.samestat(os.fstat(held.fileno()), path.stat())
    except FileNotFoundError:
        return False
