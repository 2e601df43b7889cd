"""The settings in full screen."""

from pathlib import Path

import pytest
from textual.widgets import Input

from divisorduel.store.preferences import Preferences, read_preferences, settings_file
from divisorduel.terminal.fullscreen.duel_app import DuelApp
from divisorduel.terminal.fullscreen.fields import Choice
from divisorduel.terminal.fullscreen.settings_screen import SettingsScreen
from divisorduel.terminal.fullscreen.start_screen import StartScreen
from tests.terminal.fullscreen.user import User, match_of, play, use


def test_settings_are_saved_and_used_at_once() -> None:
    async def scenario(user: User) -> None:
        await user.press("s")
        assert user.is_on(SettingsScreen)
        user.app.screen.query_one("#name", Input).value = "Zoë"
        user.app.screen.query_one("#level", Choice).value = "greedy"
        user.app.screen.query_one("#sounds", Choice).value = "on"
        await user.press("enter")
        assert user.is_on(StartScreen)
        assert "The settings are saved." in user.text("message")
        await user.press("p", "enter")
        assert user.match.names == ("Zoë", "Greedy")
        assert user.match.kinds == ("human", "greedy")

    use(DuelApp(delay=0), scenario)
    expected = Preferences(name="Zoë", level="greedy", sounds=True)
    assert read_preferences(settings_file()) == (expected, ())


def test_a_value_that_cannot_be_used_is_explained_and_nothing_is_saved() -> None:
    async def scenario(user: User) -> None:
        await user.press("s")
        user.app.screen.query_one("#delay", Input).value = "soon"
        await user.press("enter")
        assert user.is_on(SettingsScreen)
        assert "'soon' is not a delay" in user.text("message")
        await user.press("escape")
        assert user.is_on(StartScreen)

    use(DuelApp(), scenario)
    assert not settings_file().exists()


def test_the_form_shows_the_settings_as_they_are() -> None:
    async def scenario(user: User) -> None:
        await user.press("s")
        assert user.app.screen.query_one("#name", Input).value == "Ann"
        assert user.app.screen.query_one("#delay", Input).value == "0.5"
        assert user.app.screen.query_one("#screen", Choice).value == "plain"

    use(DuelApp(preferences=Preferences(name="Ann", delay=0.5, screen="plain")), scenario)


@pytest.mark.parametrize("size", [(40, 15), (80, 24)])
@pytest.mark.thorough
def test_the_settings_fit_a_window_of_any_size(size: tuple[int, int]) -> None:
    async def scenario(user: User) -> None:
        await user.press("s")
        assert len(user.lines()) == size[1]
        assert any("Your name" in line for line in user.lines())

    use(DuelApp(), scenario, size)


def test_a_broken_file_is_reported_in_the_menu(home: Path) -> None:
    async def scenario(user: User) -> None:
        assert "line 1" in user.text("message")

    app = DuelApp()
    app.note = "settings.toml, line 1: this is not valid TOML."
    use(app, scenario)


@pytest.mark.parametrize("sounds", [True, False])
@pytest.mark.thorough
def test_the_bell_rings_after_a_wrong_number_if_sounds_are_on(
    sounds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[str] = []
    monkeypatch.setattr(DuelApp, "bell", lambda _: rung.append("ding"))

    async def scenario(user: User) -> None:
        user.app.preferences = Preferences(sounds=sounds)
        await user.take(24)
        assert rung == []
        await user.take(23)
        assert bool(rung) == sounds

    play(match_of("chain", "2-50"), scenario)
