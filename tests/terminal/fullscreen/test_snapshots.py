"""What the main screens look like, as pictures: run with DUEL_WRITE_GOLDENS=1 and look at them."""

import asyncio
import os
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from textual.screen import Screen

from divisorduel.client.http_api import Admission
from divisorduel.client.match_client import Connected, MatchClient
from divisorduel.client.match_link import MatchLink
from divisorduel.client.server_messages import Presence
from divisorduel.play.commands import Take
from divisorduel.play.events import Offered
from divisorduel.play.match import default_names
from divisorduel.store.match_files import MatchFolder, data_folder
from divisorduel.terminal.fullscreen.duel_app import DuelApp
from divisorduel.terminal.fullscreen.frames import with_moves
from divisorduel.terminal.fullscreen.puzzle_screen import PuzzleScreen
from divisorduel.terminal.fullscreen.remote_screen import RemoteScreen
from divisorduel.terminal.local_match import LocalMatch
from tests.conftest import thorough_except
from tests.terminal.fullscreen.user import User, match_of

FOLDER = Path(__file__).parent / "snapshots"
REVIEWED = (10, 2, 8, 4, 12, 6, 3, 9)
"""A game of chain on 2 to 12 with mistakes."""
SIZES = ((80, 24), (120, 40), (40, 15))
SCREENS: dict[str, tuple[str, ...]] = {
    "start": (),
    "new-game": ("p",),
    "history": ("h", "down"),
    "statistics": ("t",),
    "match": ("2", "4", "enter", "1", "2", "enter", "h", "h", "h", "left"),
    "review": (*(key for move in REVIEWED for key in (*str(move), "enter")), "v"),
    "settings": ("s",),
    "puzzle": ("h", "h"),
    "remote": ("h", "left"),
}
CASES = [
    (screen, size, colour) for screen in SCREENS for size in SIZES for colour in ("colour", "grey")
]


def keep_games() -> None:
    """Save games at fixed times: against level 5, between two people, and an unfinished one."""
    games = (("5", REVIEWED), ("human", REVIEWED), ("5", (11,)), ("perfect", (6, 3)))
    for day, (kind, moves) in enumerate(games, 1):
        names = ("Ann", "Ben") if kind == "human" else ("Ann", default_names(("human", kind))[1])
        local = LocalMatch.new(match_of("chain", "2-12", kinds=("human", kind), names=names))
        for move in moves:
            local.submit(Take(move))
        when = datetime(2026, 11, day, 20, 15).astimezone().timestamp()
        path = MatchFolder(data_folder()).path(local.heading.match_id)
        os.utime(path, (when, when))
        path.rename(path.with_name(f"{day}.duel"))


class Idle(MatchClient):
    """A client of a match in which nothing happens: Bob has asked to undo his move."""

    def __init__(self) -> None:
        apart = replace(match_of("chain", "2-50", names=("Ann", "Bob")), apart=True)
        match = with_moves(apart, (24, 12)).after(Offered("undo", 2))
        super().__init__(
            Admission(MatchLink("https://d.example.org", "m", "key"), match, (1,), hints=True)
        )

    async def _stay_connected(self) -> None:
        self.is_connected = True
        self.note_presence(Presence((True, True), (None, None), 1, 120))
        self._updates.put_nowait(Connected(self.match))


def opening(screen: str) -> Callable[[DuelApp], Screen[None]] | None:
    """Return how the app opens a screen; None if the start menu leads to it."""
    match screen:
        case "match" | "review":
            board = "2-12" if screen == "review" else "2-50"
            return lambda app: app.match_screen(
                LocalMatch.new(match_of("chain", board), save=False)
            )
        case "puzzle":
            return lambda _: PuzzleScreen(["antichain"], 2, seed=1)
        case "remote":
            return lambda _: RemoteScreen(Idle())
    return None


def picture(screen: str, size: tuple[int, int]) -> str:
    """Draw a screen, without what differs from run to run."""

    async def run() -> str:
        app = DuelApp(opening(screen), delay=0)
        async with app.run_test(size=size) as pilot:
            user = User(app, pilot)
            await user.settle()
            await user.press(*SCREENS[screen])
            await user.settle()
            if screen != "remote":  # which follows the match to the end
                await app.workers.wait_for_complete()
            await pilot.pause()
            return app.export_screenshot(simplify=True)

    drawn = asyncio.run(run())
    drawn = re.sub(r"(?s)@font-face \{.*?\}\s*", "", drawn)
    drawn = re.sub(r"terminal-\d+-", "terminal-", drawn)
    return re.sub(r"[ \t]+$", "", drawn, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("screen", "size", "colour"),
    thorough_except(CASES, ("match", (80, 24), "colour"), ("match", (40, 15), "grey")),
)
def test_a_screen_looks_like_its_picture(
    screen: str, size: tuple[int, int], colour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if colour == "grey":
        monkeypatch.setenv("NO_COLOR", "1")
    if screen == "settings":  # it shows the file
        monkeypatch.setenv("XDG_CONFIG_HOME", "/home/ann/.config")
    if screen in ("history", "statistics"):
        keep_games()
    drawn = picture(screen, size)
    file = FOLDER / f"{screen}-{size[0]}x{size[1]}-{colour}.svg"
    if os.environ.get("DUEL_WRITE_GOLDENS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(drawn)
    assert drawn == file.read_text()
