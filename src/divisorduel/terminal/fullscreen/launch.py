"""Decides between the full screen and plain text, and opens the full screen.

Textual is imported only when it is opened, so that the plain commands start fast.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

from divisorduel.store.preferences import Preferences

if TYPE_CHECKING:
    from divisorduel.client.match_client import MatchClient
    from divisorduel.terminal.fullscreen.duel_app import DuelApp
    from divisorduel.terminal.local_match import LocalMatch

LEAST_COLUMNS, LEAST_LINES = 40, 15
"""A smaller window gets plain text."""


def is_wanted(
    stdin: TextIO | None,
    stdout: TextIO | None,
    stderr: TextIO | None,
    environ: Mapping[str, str],
    *,
    plain: bool = False,
) -> bool:
    """Tell whether to open the full screen: a person sits at a terminal that can show it.

    Textual draws on standard error, so that must be the terminal, too.
    """
    if plain or environ.get("DUEL_PLAIN") or environ.get("TERM", "dumb") in ("", "dumb", "unknown"):
        return False
    if not all(stream is not None and stream.isatty() for stream in (stdin, stdout, stderr)):
        return False
    if stdout is None or not stdout.encoding.lower().startswith("utf"):
        return False
    columns, lines = shutil.get_terminal_size()
    return columns >= LEAST_COLUMNS and lines >= LEAST_LINES


def is_chosen(preferences: Preferences, *, plain: bool) -> bool:
    """Tell whether to open the full screen, given the settings and the option ``--plain``."""
    plain = plain or preferences.screen == "plain"
    return is_wanted(sys.stdin, sys.stdout, sys.__stderr__, os.environ, plain=plain)


def open_menu(preferences: Preferences, faults: tuple[str, ...] = ()) -> int:
    """Open the start menu with what is wrong with the settings, and return the exit status."""
    from divisorduel.terminal.fullscreen.duel_app import DuelApp

    app = DuelApp(preferences=preferences)
    app.note = " ".join(faults)
    return _run(app)


def open_match(
    local: "LocalMatch",
    preferences: Preferences,
    *,
    seed: int | None = None,
    delay: float | None = None,
) -> int:
    """Open the full screen at a match, and return the exit status."""
    from divisorduel.terminal.fullscreen.duel_app import DuelApp

    app = DuelApp(
        lambda app: app.match_screen(local), delay=delay, seed=seed, preferences=preferences
    )
    return _run(app)


def open_remote(client: "MatchClient", links: tuple[str, ...], preferences: Preferences) -> int:
    """Open the full screen at a match on a server, and return the exit status."""
    from divisorduel.terminal.fullscreen.duel_app import DuelApp
    from divisorduel.terminal.fullscreen.remote_screen import RemoteScreen

    return _run(DuelApp(lambda _: RemoteScreen(client, links), preferences=preferences))


def _run(app: "DuelApp") -> int:
    status = app.run()
    if app.farewell:
        sys.stdout.write(f"{app.farewell}\n")
    return 1 if status is None else status
