"""``duel settings``, and what the settings change."""

from pathlib import Path

import pytest

from tests.conftest import Duel
from tests.terminal.test_terminal import TerminalUser


def settings_file(duel: Duel) -> Path:
    return duel.home / ".config" / "divisorduel" / "settings.toml"


def test_settings_are_set_listed_and_reset(duel: Duel) -> None:
    assert duel.run("settings", "set", "level", "7").stdout == "level is now 7.\n"
    assert duel.run("settings", "set", "name", "Zoë").returncode == 0
    assert duel.run("settings", "get", "name").stdout == "Zoë\n"
    listed = duel.run("settings").stdout
    assert "level    7 " in listed
    assert "name     Zoë " in listed
    assert str(settings_file(duel)) in listed
    assert duel.run("settings", "list").stdout == listed
    assert duel.run("settings", "reset", "level").stdout == "level is now not set.\n"
    assert settings_file(duel).read_text() == 'name = "Zoë"\n'
    assert duel.run("settings", "reset").returncode == 0
    assert not settings_file(duel).exists()


def test_a_setting_is_set_and_shown_without_the_words_set_and_get(duel: Duel) -> None:
    assert duel.run("settings", "screen", "plain").stdout == "screen is now plain.\n"
    assert duel.run("settings", "name", "Zoë").stdout == "name is now Zoë.\n"
    assert duel.run("settings", "name").stdout == "Zoë\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nam", "Zoë"], "Unknown setting or command 'nam'. Did you mean name?"),
        (["xyzzy"], "Use name, friend, level, delay, colours, screen, sounds or server."),
        (["screen", "x"], "screen must be full or plain, not 'x'."),
        (["set", "levl", "7"], "Did you mean level?"),
        (["set", "level", "17"], "Unknown player '17'"),
        (["set", "level", "bot:./engine"], "An engine cannot be chosen here."),
        (["get", "colour"], "Did you mean colours?"),
        (["set", "level"], "Missing argument"),
    ],
)
def test_a_wrong_setting_or_value_is_a_usage_error(
    duel: Duel, words: list[str], reason: str
) -> None:
    done = duel.run("settings", *words)
    assert done.returncode == 2
    assert reason in done.stderr
    assert not settings_file(duel).exists()


def test_names_and_level_are_used_unless_an_option_is_given(duel: Duel) -> None:
    duel.run("settings", "set", "name", "Ann")
    duel.run("settings", "set", "level", "greedy")
    usual = duel.run("play", "chain", typed="8\n").stdout
    assert "Ann, it's your turn." in usual
    assert "Greedy's turn." in usual
    given = duel.run("play", "chain", "--p2", "random", "--names", "A", "B", typed="8\n").stdout
    assert "A, it's your turn." in given
    assert "B's turn." in given


def test_the_environment_wins_over_the_settings(duel: Duel) -> None:
    duel.run("settings", "set", "level", "greedy")
    assert "Random's turn." in duel.run("play", "chain", typed="8\n", DUEL_LEVEL="random").stdout


def test_a_broken_file_is_reported_and_the_program_starts_with_the_defaults(duel: Duel) -> None:
    settings_file(duel).parent.mkdir(parents=True)
    settings_file(duel).write_text('name = "Ann\n')
    done = duel.run("play", "chain", typed="43\n")
    assert done.returncode == 0
    assert done.stderr.startswith(f"{settings_file(duel)}, line 1: ")
    assert len(done.stderr.splitlines()) == 1
    assert "Player 1, it's your turn." in done.stdout


def test_settings_give_plain_text_without_colours(duel: Duel) -> None:
    duel.run("settings", "set", "screen", "plain")
    duel.run("settings", "set", "colours", "never")
    user = TerminalUser(duel, "play", "chain", TERM="xterm-256color", DUEL_PLAIN="")
    assert "\x1b[1m" not in user.see("Enter your chosen number: ")
    user.type("quit")
    assert user.wait_for_exit() == 0


def test_the_bell_rings_after_a_wrong_number_if_sounds_are_on(duel: Duel) -> None:
    user = TerminalUser(duel, "play", "chain", DUEL_SOUNDS="on")
    user.type("99")
    user.see("99 is not on the board")
    assert "\a" in user.see("Enter your chosen number: ")
    user.type("quit")
    assert user.wait_for_exit() == 0
