"""A person at the full screen, without a terminal."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from unittest.mock import patch

from textual import events
from textual._compositor import Compositor
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from divisorduel.play.events import Seat
from divisorduel.play.match import Match
from divisorduel.rules.catalogue import rule_book
from divisorduel.terminal.fullscreen.board_screen import BoardScreen
from divisorduel.terminal.fullscreen.duel_app import DuelApp
from divisorduel.terminal.fullscreen.match_screen import MatchScreen
from divisorduel.terminal.local_match import LocalMatch

SECONDS = 60
"""How long a test waits for something before it fails; usually it takes an instant."""


class User:
    """Presses keys, clicks, and looks at the screen."""

    def __init__(self, app: DuelApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until nothing is being computed."""
        for key in keys:
            await self.pilot.press(key)
            if self._is_busy:
                await self.settle()

    async def take(self, *numbers: int) -> None:
        """Type numbers, each followed by Enter."""
        for number in numbers:
            await self.press(*str(number), "enter")

    async def paste(self, text: str) -> None:
        """Send keys in one burst, as a terminal does with a pasted text."""
        for character in text:
            self.app.post_message(events.Key(character, character))
        await self.pilot.pause()

    async def settle(self) -> None:
        """Wait until nothing is being computed."""
        await self.until(lambda: not self._is_busy)

    @property
    def _is_busy(self) -> bool:
        screen = self.app.screen
        return isinstance(screen, BoardScreen) and screen.thinker.is_busy

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition."""
        async with asyncio.timeout(SECONDS):
            while not condition():
                await asyncio.sleep(0.005)
        await self.pilot.pause()

    @property
    def playing(self) -> MatchScreen:
        """The screen of a match, which must be on top."""
        screen = self.app.screen
        assert isinstance(screen, MatchScreen), screen
        return screen

    @property
    def match(self) -> Match:
        """The match being played."""
        return self.playing.match

    def moves(self) -> tuple[int, ...]:
        """Return the moves of the round."""
        return self.match.current.moves

    def winner(self) -> Seat | None:
        """Return who won the round."""
        return self.match.current.winner

    def is_on(self, kind: type[Screen[Any]]) -> bool:
        """Tell whether a screen of this kind is on top."""
        return isinstance(self.app.screen, kind)

    def text(self, name: str) -> str:
        """Return what a part of the screen says."""
        return str(self.app.screen.query_one(f"#{name}", Static).content)

    def footer(self) -> set[str]:
        """Return the descriptions of the keys in the footer."""
        bindings = self.app.screen.active_bindings.values()
        return {found.binding.description for found in bindings if found.binding.show}

    def lines(self) -> list[str]:
        """Return the whole screen as lines of text."""
        app = self.app
        return [
            "".join(segment.text for segment in strip)
            for strip in app.screen._compositor.render_strips(app.size)
        ]


Scenario = Callable[[User], Awaitable[None]]


def use(app: DuelApp, scenario: Scenario, size: tuple[int, int] = (80, 24)) -> int | None:
    """Let a person use the app, and return its exit status.

    Drawing the screen after every key takes a third of the time, and without a terminal no one sees
    it. So Textual draws only when a test looks at the screen, and at the end.
    """

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            user = User(app, pilot)
            await scenario(user)
            if app.return_value is None:
                user.lines()

    with patch.object(Compositor, "render_update", _draw_nothing):
        asyncio.run(run())
    return app.return_value


def _draw_nothing(compositor: Compositor, **_: object) -> None:
    compositor._dirty_regions.clear()


def match_of(
    key: str,
    board: str,
    kinds: tuple[str, str] = ("human", "human"),
    names: tuple[str, str] = ("Ann", "Ben"),
    rounds: int = 1,
) -> Match:
    """Return a match between Ann and Ben."""
    return Match.of(rule_book(key).on_board(board), names=names, kinds=kinds, rounds=rounds)


def play(
    match: Match, scenario: Scenario, size: tuple[int, int] = (80, 24), *, save: bool = False
) -> int | None:
    """Let a person play a match, and return the exit status."""
    local = LocalMatch.new(match, save=save, seed=1)
    return use(DuelApp(lambda app: app.match_screen(local), delay=0), scenario, size)
