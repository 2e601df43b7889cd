"""What a person prefers at the terminal, and the file that holds it.

A value comes from the environment, else from the file, else it has its default; an option on the
command line overrides them all.
"""

import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path

from divisorduel.play.match import check_name, default_names
from divisorduel.play.names import look_alike
from divisorduel.play.players import HUMAN, player
from divisorduel.rules.errors import DuelError, one_of
from divisorduel.store.atomic_file import (
    StoreError,
    change_whole,
    read_text,
    refuse_pipe,
    remove,
    unusable,
)

LONGEST = 20_000
"""The most characters of a settings file; a long name of many parts takes very long to read."""
LONGEST_DELAY = 60.0
_COLOURS = ("auto", "never")
_SCREENS = ("full", "plain")
_SWITCH = {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False}


Value = str | float | bool | None
"""The value of a setting."""


class PreferenceError(DuelError):
    """A setting that does not exist, or a value that it cannot have."""

    code = "bad-setting"


@dataclass(frozen=True, slots=True)
class Preferences:
    """The settings of a person; an empty string means "not set"."""

    name: str = ""
    friend: str = ""
    level: str = ""
    delay: float | None = None
    colours: str = "auto"
    screen: str = "full"
    sounds: bool = False
    server: str = ""

    def having(self, changed: Mapping[str, Value]) -> "Preferences":
        """Return the settings after a change; the values must be parsed already."""
        return replace(self, **changed)  # type: ignore[arg-type]  # each was parsed for its setting


MEANINGS = {
    "name": "your name",
    "friend": "the name of a friend who plays on the same screen",
    "level": "your usual opponent (human, random, greedy, perfect or a level from 1 to 10)",
    "delay": "seconds to wait before each computer move",
    "colours": "when to use colours (auto or never)",
    "screen": "full for full screen, plain for plain text",
    "sounds": "ring the terminal bell after a wrong number or a long computer move (on or off)",
    "server": "the address of the server for online games",
}
"""The settings, and what each of them means."""


def usual_names(kinds: tuple[str, str], preferences: Preferences) -> tuple[str, str]:
    """Return names for players who gave none: those in the settings, as far as they differ."""
    usual = default_names(kinds)
    is_one, is_two = (kind == HUMAN for kind in kinds)
    if is_one and is_two:
        one, two = preferences.name or usual[0], preferences.friend or usual[1]
        return usual if look_alike(one, two) else (one, two)
    one = preferences.name if is_one and preferences.name else usual[0]
    two = preferences.name if is_two and preferences.name else usual[1]
    if look_alike(one, two):
        return (one, f"{two} (computer)") if is_one else (f"{one} (computer)", two)
    return one, two


def settings_file() -> Path:
    """Return the file of the settings on this platform; it may not exist yet."""
    import platformdirs

    return platformdirs.user_config_path("divisorduel", appauthor=False) / "settings.toml"


def variable(key: str) -> str:
    """Return the environment variable for a setting."""
    return f"DUEL_{key.upper()}"


def parse(key: str, text: str) -> Value:
    """Read the value of a setting as a person types it. Raises `PreferenceError`."""
    check_key(key)
    text = text.strip()
    match key:
        case "delay":
            return _seconds(text)
        case "sounds":
            if text.lower() not in _SWITCH:
                raise PreferenceError(f"sounds must be on or off, not {text!r}.")
            return _SWITCH[text.lower()]
    if not text and key not in ("colours", "screen"):
        return ""
    return _TEXTS[key](text)


def shown(key: str, preferences: Preferences) -> str:
    """Write the value of a setting as a person types it; empty if it is not set."""
    value = getattr(preferences, key)
    if isinstance(value, bool):
        return "on" if value else "off"
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def check_key(key: str) -> str:
    """Return the name of a setting if there is one. Raises `PreferenceError`."""
    if key not in MEANINGS:
        close = get_close_matches(key, MEANINGS)
        advice = f"Did you mean {close[0]}?" if close else f"Use {one_of(MEANINGS)}."
        raise PreferenceError(f"Unknown setting {key!r}. {advice}")
    return key


def load(
    environ: Mapping[str, str], path: Path | None = None
) -> tuple[Preferences, tuple[str, ...]]:
    """Return the settings, and a sentence about each fault; what is faulty has its default."""
    preferences, faults = read_preferences(settings_file() if path is None else path)
    for key in MEANINGS:
        if text := environ.get(variable(key), ""):
            try:
                preferences = preferences.having({key: parse(key, text)})
            except PreferenceError as error:
                faults = (*faults, f"{variable(key)}: {error}")
    return preferences, faults


def read_preferences(path: Path) -> tuple[Preferences, tuple[str, ...]]:
    """Read the settings in a file, and a sentence about each fault in it."""
    if not path.exists():
        return Preferences(), ()
    try:
        text = _text(path)
        found = _parsed(path, text)
    except StoreError as error:
        return Preferences(), (str(error),)
    preferences, faults = Preferences(), []
    for key, value in found.items():
        try:
            preferences = preferences.having({key: _checked(key, value)})
        except PreferenceError as error:
            faults.append(_located(path, _line_of(key, text), str(error)))
    return preferences, tuple(faults)


def write_preferences(path: Path, changed: Mapping[str, Value]) -> None:
    """Change settings in a file; the rest of the file, with its comments, stays.

    So does what other programs change at the same time. A setting that gets its default is removed.
    Raises `StoreError` if the file cannot be used.
    """
    with unusable(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
    change_whole(path, lambda: _changed(path, changed))


def reset_preferences(path: Path) -> None:
    """Give every setting its default: delete the file. Raises `StoreError`."""
    if path.exists():
        remove(path)


def _changed(path: Path, changed: Mapping[str, Value]) -> str:
    """Return the text of a file with other settings. Raises `StoreError`."""
    text = _text(path) if path.exists() else ""
    before = _parsed(path, text)
    defaults = {f.name: f.default for f in fields(Preferences)}
    kept = {key: value for key, value in changed.items() if value != defaults[key]}
    expected = {k: v for k, v in before.items() if k not in changed} | kept
    after = _edited(text, changed, kept)
    try:
        is_right = _parsed(path, after) == expected
    except (StoreError, RecursionError):
        is_right = False
    if not is_right:  # a value of several lines, for example
        raise StoreError(f"{path} has a layout that this program cannot change. Edit it by hand.")
    return after


def _text(path: Path) -> str:
    refuse_pipe(path)
    text = read_text(path)
    if len(text) > LONGEST:
        raise StoreError(f"{path} is too long. Settings may have at most {LONGEST:,} characters.")
    return text


def _edited(text: str, changed: Mapping[str, object], kept: Mapping[str, object]) -> str:
    lines, waiting = [], dict(kept)
    for line in text.splitlines():
        key = _key_of(line)
        if key not in changed:
            lines.append(line)
        elif key in waiting:
            lines.append(f"{key} = {_written(waiting.pop(key))}{_comment_of(line)}")
    # Before the first table: what follows a table belongs to it.
    at = next((n for n, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    lines[at:at] = [f"{key} = {_written(value)}" for key, value in waiting.items()]
    end = "\r\n" if "\r\n" in text else "\n"
    return "".join(f"{line}{end}" for line in lines)


def _comment_of(line: str) -> str:
    """Return the comment at the end of a line that sets something, with the space before it."""
    import tomllib

    for found in re.finditer(r"\s*#", line):
        with suppress(tomllib.TOMLDecodeError):  # this # is part of a text
            tomllib.loads(line[: found.start()])
            return line[found.start() :]
    return ""


def _written(value: object) -> str:
    import json

    # JSON's strings, numbers and switches are also TOML's.
    return json.dumps(value, ensure_ascii=False)


def _key_of(line: str) -> str:
    found = re.match(r"""\s*["']?([A-Za-z0-9_-]+)["']?\s*=""", line)
    return found[1] if found else ""


def _line_of(key: str, text: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        if _key_of(line) == key or line.strip().startswith(f"[{key}"):
            return number
    return 1


def _parsed(path: Path, text: str) -> dict[str, object]:
    """Parse the text of a file. Raises `StoreError`, with the line."""
    import tomllib  # only if there is a file, because the import takes time

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise StoreError(_located(path, 1, "this is not valid TOML: nested too deeply.")) from None
    except ValueError as error:  # also a number with thousands of digits
        what, _, where = str(error).partition(" (at ")
        found = re.match(r"line ([0-9]+)", where)
        line = int(found[1]) if found else max(1, len(text.splitlines()))
        fault = f"this is not valid TOML: {what[:1].lower()}{what[1:].split(';')[0]}."
        raise StoreError(_located(path, line, fault)) from None


def _located(path: Path, line: int, fault: str) -> str:
    return f"{path}, line {line}: {fault}"


def _checked(key: str, value: object) -> Value:
    """Return a value from a file if the setting can have it. Raises `PreferenceError`."""
    check_key(key)
    if key == "sounds":
        if not isinstance(value, bool):
            raise PreferenceError(f"sounds must be true or false, not {_named(value)}.")
        return value
    is_large = isinstance(value, int) and value.bit_length() > 64
    if isinstance(value, bool) or is_large or not isinstance(value, str | int | float):
        raise PreferenceError(f"{key} cannot be {_named(value)}. Expected: {MEANINGS[key]}.")
    return parse(key, str(value))


def _named(value: object) -> str:
    """Write a value of a file for a message, however large or deep it is."""
    match value:
        case dict():
            return "a table"
        case list():
            return "a list"
        case int() if value.bit_length() > 64:
            return "a number that large"
    return repr(value)


def _seconds(text: str) -> float | None:
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= LONGEST_DELAY:
        raise PreferenceError(
            f"{text!r} is not a delay. Use a number of seconds from 0 to {LONGEST_DELAY:g}."
        )
    return value


def _one_of(key: str, known: tuple[str, ...]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in known:
            raise PreferenceError(f"{key} must be {one_of(known)}, not {text!r}.")
        return text.lower()

    return read


def _name(text: str) -> str:
    try:
        return check_name(text)
    except DuelError as error:
        raise PreferenceError(str(error)) from None


def _level(text: str) -> str:
    try:
        player(text.lower())
    except DuelError as error:
        raise PreferenceError(str(error)) from None
    return text.lower()


def _server(text: str) -> str:
    # As `read_server` of the client; whatever else it refuses is told when the server is used.
    if not re.fullmatch(r"https?://[^\s/?#@]+/?", text) or not text.isprintable():
        raise PreferenceError(f"{text!r} is not an address. Use, for example, https://example.org")
    return text.rstrip("/")


_TEXTS: dict[str, Callable[[str], str]] = {
    "name": _name,
    "friend": _name,
    "level": _level,
    "colours": _one_of("colours", _COLOURS),
    "screen": _one_of("screen", _SCREENS),
    "server": _server,
}
