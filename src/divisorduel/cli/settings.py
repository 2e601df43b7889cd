"""Show or change your settings: names, level, colours, sounds."""

import os
from difflib import get_close_matches

import click

from divisorduel.rules.errors import one_of
from divisorduel.store import preferences
from divisorduel.store.preferences import MEANINGS, Preferences
from divisorduel.terminal.terminal import system_terminal

ORDER = 135


class Setting(click.ParamType[str]):
    """The name of a setting."""

    name = "setting"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the name; if it is misspelled, suggest the right one."""
        try:
            return preferences.check_key(value.lower())
        except preferences.PreferenceError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list["click.shell_completion.CompletionItem"]:
        """Return the settings that begin with what is typed."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(key) for key in MEANINGS if key.startswith(incomplete)]


class SettingsGroup(click.Group):
    """A group that also understands ``SETTING VALUE``, as ``set``, and ``SETTING``, as ``get``."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; if it is neither a command nor a setting, suggest one."""
        word = args[0].lower()
        if word in MEANINGS:
            args = ["set" if len(args) > 1 else "get", *args]
        elif word not in self.commands and not word.startswith("-"):
            close = get_close_matches(word, (*self.commands, *MEANINGS), n=1)
            advice = f"Did you mean {close[0]}?" if close else f"Use {one_of(MEANINGS)}."
            raise click.UsageError(f"Unknown setting or command {args[0]!r}. {advice}", ctx)
        return super().resolve_command(ctx, args)


@click.group("settings", cls=SettingsGroup, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Show or change your settings.

    Command-line options override settings, and so do environment variables such as DUEL_LEVEL.
    """
    if ctx.invoked_subcommand is None:
        _show_all()


@command.command("list")
def list_all() -> None:
    """List the settings and their values."""
    _show_all()


@command.command("get")
@click.argument("setting", type=Setting(), metavar="SETTING")
def get(setting: str) -> None:
    """Print the value of SETTING."""
    system_terminal().say(f"{preferences.shown(setting, _load())}\n")


@command.command("set")
@click.argument("setting", type=Setting(), metavar="SETTING")
@click.argument("value")
def set_one(setting: str, value: str) -> None:
    """Set SETTING to VALUE."""
    # In a plain-ASCII locale, Python does not decode arguments. Names are always UTF-8.
    value = os.fsencode(value).decode("utf-8", "replace")
    try:
        parsed = preferences.parse(setting, value)
    except preferences.PreferenceError as error:
        raise click.UsageError(str(error)) from None
    preferences.write_preferences(preferences.settings_file(), {setting: parsed})
    said = preferences.shown(setting, Preferences().having({setting: parsed}))
    system_terminal().say(f"{setting} is now {said or 'not set'}.\n")


@command.command("reset")
@click.argument("setting", type=Setting(), metavar="[SETTING]", required=False)
def reset(setting: str | None) -> None:
    """Reset SETTING, or every setting, to its default."""
    if setting is None:
        preferences.reset_preferences(preferences.settings_file())
        system_terminal().say("All settings are back to their defaults.\n")
        return
    default = getattr(Preferences(), setting)
    preferences.write_preferences(preferences.settings_file(), {setting: default})
    said = preferences.shown(setting, Preferences())
    system_terminal().say(f"{setting} is now {said or 'not set'}.\n")


def _load() -> Preferences:
    found, faults = preferences.load(os.environ)
    for fault in faults:
        system_terminal().complain(fault)
    return found


def _show_all() -> None:
    terminal, found = system_terminal(), _load()
    for key, meaning in MEANINGS.items():
        value = preferences.shown(key, found) or "(not set)"
        terminal.say(f"{key:<8} {value:<20} {meaning}\n", indent=30)
    terminal.say(f"\nThe settings are in {preferences.settings_file()}\n")
