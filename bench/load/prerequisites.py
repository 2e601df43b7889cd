"""Checks that everything needed for the measurements is installed."""

import resource
import shutil
from collections.abc import Iterable

from bench.load.postgres import programs_folder

SPARE_FILES = 200


def missing_prerequisites(names: Iterable[str], games: int) -> list[str]:
    """Return what is missing for these systems, as messages that say what to do.

    Also raises the limit of open files for this process and its children.
    """
    found = []
    if any(name.startswith("boardgame") for name in names):
        found += [
            f"{program} is not on the PATH. Install Node.js 18 or newer with npm, or measure only "
            "our server: scripts/load sqlite postgresql"
            for program in ("node", "npm")
            if not shutil.which(program)
        ]
    if "postgresql" in names and programs_folder() is None:
        found.append(
            "PostgreSQL not found. Install it (on Debian: apt install postgresql), put initdb on "
            "the PATH, or measure only the other systems."
        )
    needed, (_, hard) = 2 * games + SPARE_FILES, resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        found.append(
            f"{games:,} games need {needed:,} open files, but only {hard:,} are allowed. Raise the "
            "limit (ulimit -Hn) or play fewer games with --games."
        )
    elif resource.getrlimit(resource.RLIMIT_NOFILE)[0] < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    return found
