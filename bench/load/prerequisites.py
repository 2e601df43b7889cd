"""What must be there before anything can be measured."""

import resource
import shutil
from collections.abc import Iterable

from bench.load.postgres import programs_folder

SPARE_FILES = 200


def missing(names: Iterable[str], games: int) -> list[str]:
    """Return what the systems of these names lack here, as sentences with their remedies.

    As many open files as may be are allowed to this process and its children.
    """
    found = []
    if any(name.startswith("boardgame") for name in names):
        found += [
            f"boardgame.io needs {program}, which is not on the PATH: install Node.js 18 or newer "
            "with npm, or measure ours alone with scripts/load sqlite postgresql."
            for program in ("node", "npm")
            if not shutil.which(program)
        ]
    if "postgresql" in names and programs_folder() is None:
        found.append(
            "PostgreSQL was not found: install it (on Debian, apt install postgresql), put its "
            "initdb on the PATH, or name the other systems."
        )
    wanted, (_, hard) = 2 * games + SPARE_FILES, resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        found.append(
            f"{games:,} games need {wanted:,} open files, and {hard:,} are allowed: raise the "
            "limit (ulimit -Hn), or play fewer with --games."
        )
    elif resource.getrlimit(resource.RLIMIT_NOFILE)[0] < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return found
