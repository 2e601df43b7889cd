"""The settings in full screen."""

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType

from divisorduel.rules.errors import DuelError
from divisorduel.store import preferences
from divisorduel.store.preferences import MEANINGS, Preferences, Value
from divisorduel.terminal.fullscreen.fields import Choice, Field, TextLine
from divisorduel.terminal.fullscreen.form_screen import FormScreen
from divisorduel.terminal.fullscreen.setup import OPPONENTS

_CHOICES = {
    "level": {"": "not set", **OPPONENTS},
    "colours": {"auto": "if available", "never": "never"},
    "screen": {"full": "full screen", "plain": "plain text"},
    "sounds": {"off": "off", "on": "on: the terminal bell"},
}
_LABELS = {
    "name": "Your name",
    "friend": "Friend",
    "level": "Opponent",
    "delay": "Delay",
    "colours": "Colours",
    "screen": "Screen",
    "sounds": "Sounds",
    "server": "Server",
}
_USUAL = {"name": "Player 1", "friend": "Player 2", "delay": "0.6", "server": "https://…"}


class SettingsScreen(FormScreen):
    """Shows the settings and saves them in the file."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "start", "Save", priority=True)]
    AUTO_FOCUS = "#name"
    heading = "Settings"
    verb = "Save"

    def __init__(self, now: Preferences, saved: Callable[[Preferences], None]) -> None:
        """Show the settings `now`, and call `saved` with those that were saved."""
        super().__init__()
        self._now = now
        self._saved = saved

    def fields(self) -> Iterable[Field]:
        """Return a field for each setting."""
        for key in MEANINGS:
            value = preferences.shown(key, self._now)
            control = (
                Choice(_CHOICES[key], value, id=key)
                if key in _CHOICES
                else TextLine(value, _USUAL[key], id=key)
            )
            yield Field(_LABELS[key], control)

    def about(self) -> str:
        """Say where the settings are, and when they are used."""
        file = preferences.settings_file()
        return f"Colours and screen change the next time you start duel.\nSaved in {file}"

    def _parsed(self) -> dict[str, Value]:
        """Return the settings as values. Raises `DuelError` if one cannot be used."""
        return {key: preferences.parse(key, self.value(key)) for key in MEANINGS}

    def problem(self) -> str:
        """Say why a setting cannot be used."""
        try:
            self._parsed()
        except DuelError as error:
            return str(error)
        return ""

    def start(self) -> None:
        """Save what was changed. Raises `DuelError` if a value cannot be used."""
        parsed = self._parsed()
        changed = {key: parsed[key] for key in parsed if parsed[key] != getattr(self._now, key)}
        if changed:
            preferences.write_preferences(preferences.settings_file(), changed)
        self._saved(self._now.having(changed))
        self.dismiss()
