"""The full screen: the app, its colours, and the way from one screen to the next.

A screen is imported when it is opened, so that the start menu appears fast.
"""

import asyncio
import os
import select
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme

from divisorduel.play.players import HUMAN
from divisorduel.store.preferences import Preferences
from divisorduel.terminal.ending_signals import ending_signals, status_after
from divisorduel.terminal.fullscreen.start_screen import StartScreen

if TYPE_CHECKING:
    from textual.driver import Driver

    from divisorduel.play.match import Match
    from divisorduel.store.match_files import SavedMatch
    from divisorduel.terminal.fullscreen.match_screen import MatchScreen
    from divisorduel.terminal.fullscreen.setup import Setup
    from divisorduel.terminal.local_match import LocalMatch

FINISHED, INTERRUPTED = 0, 130
CHECK_SECONDS = 1.0
"""How often the program checks that its terminal still exists."""

NIGHT = Theme(
    name="duel",
    primary="#4f8fe8",
    secondary="#d9822b",
    accent="#ffd166",
    warning="#d9822b",
    error="#ff8f80",
    success="#8fe39a",
    foreground="#e8eaf0",
    background="#131722",
    surface="#1b2130",
    panel="#242c3f",
    dark=True,
)


class DuelApp(App[int]):
    """The program in full screen. It returns the exit status."""

    TITLE = "Divisor Duel"
    CSS_PATH = "duel.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", "Stop", show=False, priority=True, system=True),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, priority=True, system=True),
        Binding("ctrl+q", "leave", "Quit", show=False, priority=True, system=True),
    ]

    def __init__(
        self,
        opening: Callable[["DuelApp"], Screen[None]] | None = None,
        *,
        delay: float | None = None,
        seed: int | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        """Open the start menu, or another screen; leaving that one ends the program.

        Without a `delay`, computer players wait as the preferences say.
        """
        super().__init__()
        self._opening = opening
        self._given_delay = delay
        self._seed = seed
        self.preferences = preferences or Preferences()
        self._last_setup: Setup | None = None
        self.farewell = ""
        """A line for the shell, once the program has ended."""
        self.note = ""
        """A line for the start menu."""

    def on_load(self) -> None:
        """Let signals that end the program restore the terminal, before it is changed."""
        if os.name == "posix":
            for one in ending_signals():
                asyncio.get_running_loop().add_signal_handler(one, self._end_on_signal, one)

    def on_mount(self) -> None:
        """Show the first screen."""
        self.register_theme(NIGHT)
        self.theme = NIGHT.name
        if os.name == "posix" and not self.is_headless:
            self.set_interval(CHECK_SECONDS, end_without_terminal)
        if self._opening is None:
            self.push_screen(StartScreen())
        else:
            self.push_screen(self._opening(self), lambda _: self.exit(FINISHED))

    def match_screen(self, local: "LocalMatch") -> "MatchScreen":
        """Return the screen of a match."""
        from divisorduel.terminal.fullscreen.match_screen import DELAY, MatchScreen

        delays = self._given_delay, self.preferences.delay, DELAY
        return MatchScreen(local, delay=next(delay for delay in delays if delay is not None))

    def ring(self) -> None:
        """Ring the bell, if sounds are on."""
        if self.preferences.sounds:
            self.bell()

    def begin(self, match: "Match", setup: "Setup") -> None:
        """Begin a new match in place of the questions about it, and remember the answers."""
        from divisorduel.terminal.local_match import LocalMatch

        if HUMAN in setup.kinds:
            self._last_setup = setup
        self.switch_screen(self.match_screen(LocalMatch.new(match, seed=self._seed)))

    def resume(self, saved: "SavedMatch") -> None:
        """Continue a match in place of the list."""
        from divisorduel.store.history import History
        from divisorduel.store.match_files import ChangedElsewhere, StoreError, read_match
        from divisorduel.terminal.fullscreen.history_screen import HistoryScreen
        from divisorduel.terminal.fullscreen.list_screen import ListScreen
        from divisorduel.terminal.local_match import LocalMatch

        try:
            local = LocalMatch.resumed(History.of_user().folder, saved, called=saved.path.stem)
        except ChangedElsewhere:  # another window has just made a move
            self.resume(read_match(saved.path))
            return
        except StoreError as error:
            if isinstance(self.screen, ListScreen | HistoryScreen):
                self.screen.say(str(error))
            return
        self.switch_screen(self.match_screen(local))

    def note_left(self, local: "LocalMatch") -> None:
        """Remember what to say about a match that the player leaves."""
        self.farewell = local.farewell()
        is_waiting = local.is_saved and not local.match.over
        self.note = "The game is saved. Choose Continue to come back to it." if is_waiting else ""

    def ask_again(self, match: "Match") -> None:
        """Ask for the number of another match between the same players."""
        from divisorduel.terminal.fullscreen.new_game_screen import NewGameScreen
        from divisorduel.terminal.fullscreen.setup import Setup

        setup = Setup(match.game.book.key, kinds=match.kinds, names=match.names)
        self.switch_screen(NewGameScreen(self.begin, setup))

    def action_play(self) -> None:
        """Ask what to play."""
        from divisorduel.terminal.fullscreen.new_game_screen import NewGameScreen
        from divisorduel.terminal.fullscreen.setup import Setup

        setup = self._last_setup or Setup.usual(self.preferences)
        self.push_screen(NewGameScreen(self.begin, setup))

    def action_resume(self) -> None:
        """List the unfinished games."""
        from divisorduel.store.history import History
        from divisorduel.terminal.fullscreen.list_screen import unfinished_games

        self.push_screen(unfinished_games(History.of_user(), self.resume))

    def action_puzzles(self) -> None:
        """Ask which puzzles to solve."""
        from divisorduel.terminal.fullscreen.puzzle_screen import PuzzleFormScreen

        self.push_screen(PuzzleFormScreen())

    def action_watch(self) -> None:
        """Ask which computers play each other."""
        from divisorduel.terminal.fullscreen.new_game_screen import WatchScreen

        self.push_screen(WatchScreen(self.begin))

    def action_history(self) -> None:
        """List all games."""
        from divisorduel.store.history import History
        from divisorduel.terminal.fullscreen.history_screen import HistoryScreen

        self.push_screen(HistoryScreen(History.of_user(), self.resume))

    def action_statistics(self) -> None:
        """Show what the player has achieved."""
        from divisorduel.store.history import History
        from divisorduel.terminal.fullscreen.statistics_screen import StatisticsScreen

        self.push_screen(StatisticsScreen(History.of_user()))

    def action_rules(self) -> None:
        """List the games and their rules."""
        from divisorduel.terminal.fullscreen.list_screen import rules_list

        self.push_screen(rules_list())

    def action_settings(self) -> None:
        """Show the settings."""
        from divisorduel.terminal.fullscreen.settings_screen import SettingsScreen

        def saved(preferences: Preferences) -> None:
            self.preferences = preferences
            self._last_setup = None  # the new settings are for the next game
            self.note = "The settings are saved."

        self.push_screen(SettingsScreen(self.preferences, saved))

    def action_leave(self) -> None:
        """End the program; every move is saved."""
        self._end(FINISHED)

    def get_driver_class(self) -> "type[Driver]":
        """Return the driver for this system's terminals."""
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":
            return found
        from divisorduel.terminal.fullscreen.steady_driver import SteadyDriver

        return SteadyDriver

    def action_interrupt(self) -> None:
        """Stop what is being computed; if nothing is, end the program."""
        from divisorduel.terminal.fullscreen.board_screen import BoardScreen
        from divisorduel.terminal.fullscreen.history_screen import HistoryScreen

        screen = self.screen
        if not (isinstance(screen, BoardScreen | HistoryScreen) and screen.thinker.stop()):
            self._end(INTERRUPTED)

    def _end_on_signal(self, number: int) -> None:
        end_without_terminal()
        self._end(status_after(number))

    def _end(self, status: int) -> None:
        from divisorduel.terminal.fullscreen.match_screen import MatchScreen

        for screen in self.screen_stack:
            if isinstance(screen, MatchScreen):
                self.note_left(screen.local)
        self.exit(status)


def end_without_terminal() -> None:
    """End the program if the window was closed: `nohup` may have blocked SIGHUP.

    Textual would read from the missing terminal without a pause. Every move is already saved.
    """
    poll = select.poll()
    poll.register(sys.stdin, 0)
    if any(what & select.POLLHUP for _, what in poll.poll(0)):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGHUP)
