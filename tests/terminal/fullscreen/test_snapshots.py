"""What the main screens look like, as pictures: run with DUEL_WRITE_GOLDENS=1 and look at them."""

import asyncio
import os
import re
from pathlib import Path

import pytest

from divisorduel.terminal.fullscreen.duel_app import DuelApp
from divisorduel.terminal.local_match import LocalMatch
from tests.conftest import thorough_except
from tests.terminal.fullscreen.user import User, match_of

FOLDER = Path(__file__).parent / "snapshots"
SIZES = ((80, 24), (120, 40), (40, 15))
SCREENS: dict[str, tuple[str, ...]] = {
    "start": (),
    "new-game": ("p",),
    "match": ("2", "4", "enter", "1", "2", "enter", "h", "h", "h", "left"),
    "review": (*"10", "enter", *"2", "enter", *"8", "enter", *"4", "enter", *"12", "enter",
               *"6", "enter", *"3", "enter", *"9", "enter", "v"),
}  # fmt: skip
CASES = [
    (screen, size, colour) for screen in SCREENS for size in SIZES for colour in ("colour", "grey")
]


def picture(screen: str, size: tuple[int, int]) -> str:
    """Draw a screen, without what differs from run to run."""
    board = "2-12" if screen == "review" else "2-50"
    match = match_of("chain", board)
    on_menu = screen in ("start", "new-game")

    async def run() -> str:
        local = LocalMatch.new(match, save=False)
        app = DuelApp(None if on_menu else lambda a: a.match_screen(local), delay=0)
        async with app.run_test(size=size) as pilot:
            user = User(app, pilot)
            await user.press(*SCREENS[screen])
            await user.settle()
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
    drawn = picture(screen, size)
    file = FOLDER / f"{screen}-{size[0]}x{size[1]}-{colour}.svg"
    if os.environ.get("DUEL_WRITE_GOLDENS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(drawn)
    assert drawn == file.read_text()
