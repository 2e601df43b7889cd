"""Settings are checked, faults are reported with their line, and files keep their comments."""

import os
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier
from typing import Literal

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from platformdirs.windows import Windows

from divisorduel.store.atomic_file import StoreError
from divisorduel.store.preferences import (
    MEANINGS,
    PreferenceError,
    Preferences,
    Value,
    check_key,
    load,
    parse,
    read_preferences,
    reset_preferences,
    settings_file,
    shown,
    usual_names,
    variable,
    write_preferences,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "settings.toml"


def written(file: Path, text: str) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


def test_every_setting_has_a_meaning_and_a_default() -> None:
    assert [*MEANINGS] == [*Preferences.__slots__]


def test_a_setting_is_known_by_its_exact_name() -> None:
    assert [check_key(key) for key in MEANINGS] == [*MEANINGS]
    for key in ("Name", "name ", ""):
        with pytest.raises(PreferenceError, match="Unknown setting"):
            check_key(key)


def test_without_a_file_every_setting_has_its_default(file: Path) -> None:
    assert load({}, file) == (Preferences(), ())


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("name", "Zoë"),
        ("friend", 'Max "the" \\ Third'),
        ("level", "7"),
        ("level", "human"),
        ("delay", "0.25"),
        ("delay", "0"),
        ("delay", "60"),
        ("colours", "never"),
        ("colours", "auto"),
        ("screen", "plain"),
        ("screen", "full"),
        ("sounds", "on"),
        ("sounds", "off"),
        ("server", "https://example.org:8443"),
        ("server", "http://127.0.0.1"),
    ],
)
def test_what_is_written_is_read_back(file: Path, key: str, text: str) -> None:
    write_preferences(file, {key: parse(key, text)})
    found, faults = read_preferences(file)
    assert (shown(key, found), faults) == (text, ())


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        ("name", "\x1b[2J", "is not a name"),
        ("level", "11", "Unknown player '11'"),
        ("delay", "-1", "is not a delay"),
        ("delay", "nan", "is not a delay"),
        ("delay", "61", "from 0 to 60"),
        ("colours", "blue", "colours must be auto or never, not 'blue'"),
        ("screen", "", "screen must be full or plain"),
        ("sounds", "loud", "sounds must be on or off"),
        ("server", "example.org", "is not an address"),
        ("server", "https://a b", "is not an address"),
        ("server", "https://exa\u200bmple.org", "is not an address"),
        ("server", "ftp://example.org", "is not an address"),
        ("server", "https://", "is not an address"),
        ("server", "https://example.org/duel", "is not an address"),
        ("server", "https://ann@example.org", "is not an address"),
        ("nmae", "x", "Unknown setting 'nmae'. Did you mean name?"),
        ("xyzzy", "x", "Use name, friend, level"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_with_a_reason(
    key: str, text: str, reason: str
) -> None:
    with pytest.raises(PreferenceError, match=reason.replace("[", r"\[")):
        parse(key, text)


def test_a_faulty_value_is_reported_with_its_line_and_the_others_are_used(file: Path) -> None:
    written(file, '# mine\nname = "Ann"\nlevle = 3\ndelay = "soon"\nsounds = 1\nlevel = 4\n')
    found, faults = read_preferences(file)
    assert found == Preferences(name="Ann", level="4")
    assert faults == (
        f"{file}, line 3: Unknown setting 'levle'. Did you mean level?",
        f"{file}, line 4: 'soon' is not a delay. Use a number of seconds from 0 to 60.",
        f"{file}, line 5: sounds must be true or false, not 1.",
    )


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("name", " Ann ", "Ann"),
        ("level", "Perfect", "perfect"),
        ("level", "", ""),
        ("friend", "", ""),
        ("server", "", ""),
        ("delay", "", None),
        ("colours", "NEVER", "never"),
        ("screen", "Plain", "plain"),
        ("server", "https://example.org/", "https://example.org"),
        *((("sounds", text, True)) for text in ("on", "TRUE", "yes")),
        *((("sounds", text, False)) for text in ("Off", "false", "no")),
    ],
)
def test_a_value_may_be_typed_in_more_than_one_way(key: str, text: str, value: object) -> None:
    assert parse(key, text) == value


def test_a_setting_that_is_not_set_is_shown_as_nothing_and_a_switch_as_on_or_off() -> None:
    found = {key: shown(key, Preferences()) for key in MEANINGS}
    assert {key for key, text in found.items() if not text} == {
        "name",
        "friend",
        "level",
        "delay",
        "server",
    }
    assert found["sounds"] == "off"
    assert {parse(key, text) == getattr(Preferences(), key) for key, text in found.items()} == {
        True
    }


def fault_of(text: str) -> str:
    """Return what Python says about a text that is not TOML, without the place."""
    with pytest.raises(ValueError, match=r"\w") as found:
        tomllib.loads(text)
    return str(found.value).partition(" (at ")[0]


@pytest.mark.parametrize("text", ["level = 4\nname Ann\n", "level = 4\nlevel = 5\n"])
def test_the_fault_in_a_file_is_named_in_the_words_of_the_parser(file: Path, text: str) -> None:
    _, [fault] = read_preferences(written(file, text))
    words = fault_of(text)
    said = f"{words[0].lower()}{words[1:]}."
    assert fault == f"{file}, line 2: this is not valid TOML: {said}"


def test_a_fault_comes_without_advice_for_programmers(file: Path) -> None:
    text = "level = 4\ndelay = 1" + "0" * 5_000
    words = fault_of(text)
    assert ";" in words
    _, [fault] = read_preferences(written(file, text))
    said = f"{words[0].lower()}{words[1:].split(';')[0]}."
    assert fault == f"{file}, line 2: this is not valid TOML: {said}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('\n"colours" = "blue"\n', 2),
        ("\n 'colours'='blue'\n", 2),
        ("x = 1\n\n[colours]\n", 3),
        ("level = 4\n[colours.a]\n", 2),
    ],
)
def test_the_line_of_a_fault_is_found_however_its_setting_is_written(
    file: Path, text: str, line: int
) -> None:
    _, faults = read_preferences(written(file, text))
    assert [fault for fault in faults if fault.startswith(f"{file}, line {line}: colours ")]


@pytest.mark.parametrize("text", ['level = 4\nname = "Ann\n', "level = 4\nname Ann\n"])
def test_a_broken_file_gives_one_sentence_with_the_line_and_the_defaults(
    file: Path, text: str
) -> None:
    found, [fault] = read_preferences(written(file, text))
    assert found == Preferences()
    assert fault.startswith(f"{file}, line 2: this is not valid TOML")
    with pytest.raises(StoreError, match="line 2"):
        write_preferences(file, {"level": "5"})
    assert file.read_text() == text


def test_a_file_that_is_not_text_gives_one_sentence(file: Path) -> None:
    written(file, "").write_bytes(b"\xff\xfe")
    found, [fault] = read_preferences(file)
    assert found == Preferences()
    assert str(file) in fault


def test_a_change_keeps_comments_and_what_is_unknown(file: Path) -> None:
    written(file, '# mine\nname = "Ann" \nother = 1\n\n[table]\nx = 2\n')
    write_preferences(file, {"name": "Bob", "delay": 1.5})
    assert file.read_text() == '# mine\nname = "Bob"\nother = 1\n\ndelay = 1.5\n[table]\nx = 2\n'


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ('name = "Ann" # me', 'name = "Bob" # me'),
        ('name = "A#n" # "me" # really', 'name = "Bob" # "me" # really'),
        ("name = 'A # n'", 'name = "Bob"'),
        ('name = "Ann"\t# me', 'name = "Bob"\t# me'),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_change_keeps_the_comment_and_the_end_of_its_line(
    file: Path, line: str, changed: str, end: str
) -> None:
    written(file, f"{line}{end}delay = 1.5{end}")
    write_preferences(file, {"name": "Bob"})
    assert file.read_bytes().decode() == f"{changed}{end}delay = 1.5{end}"


def test_a_settings_file_that_is_far_too_long_is_refused(file: Path) -> None:
    written(file, f"a{'.a' * 49_900} = 1\n")
    _, [fault] = read_preferences(file)
    assert "is too long. Settings may have at most 20,000 characters." in fault
    with pytest.raises(StoreError, match="is too long"):
        write_preferences(file, {"name": "Bob"})


def test_a_name_can_be_read_in_the_file(file: Path) -> None:
    write_preferences(file, {"name": "Zoë"})
    assert file.read_text() == 'name = "Zoë"\n'


def test_a_default_is_removed_from_the_file(file: Path) -> None:
    write_preferences(file, {"level": "4", "colours": "never"})
    write_preferences(file, {"level": ""})
    assert file.read_text() == 'colours = "never"\n'


def test_a_multi_line_value_is_not_changed(file: Path) -> None:
    text = 'name = """\nAnn"""\n'
    with pytest.raises(StoreError, match="Edit it by hand"):
        write_preferences(written(file, text), {"name": "Bob"})
    assert file.read_text() == text


def test_the_environment_wins_over_the_file(file: Path) -> None:
    write_preferences(file, {"level": "4", "name": "Ann"})
    found, faults = load({variable("level"): "9", variable("delay"): "x"}, file)
    assert found == Preferences(level="9", name="Ann")
    assert faults == ("DUEL_DELAY: 'x' is not a delay. Use a number of seconds from 0 to 60.",)


@given(st.text(max_size=60))
def test_any_file_can_be_read(text: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "settings.toml"
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        read_preferences(file)


ANN = Preferences(name="Ann", friend="Bob")


@pytest.mark.parametrize(
    ("kinds", "found", "names"),
    [
        (("human", "human"), Preferences(), ("Player 1", "Player 2")),
        (("human", "human"), ANN, ("Ann", "Bob")),
        (("human", "5"), ANN, ("Ann", "Level 5")),
        (("perfect", "human"), ANN, ("Perfect", "Ann")),
        (("5", "5"), ANN, ("Level 5 A", "Level 5 B")),
        (("human", "perfect"), Preferences(name="Perfect"), ("Perfect", "Perfect (computer)")),
        (("perfect", "human"), Preferences(name="Perfect"), ("Perfect (computer)", "Perfect")),
        (("human", "perfect"), Preferences(friend="Bob"), ("Player 1", "Perfect")),
        (("human", "human"), Preferences(friend="Bob"), ("Player 1", "Bob")),
        (("human", "human"), Preferences(name="Ann"), ("Ann", "Player 2")),
        (("human", "human"), Preferences(name="Player 2"), ("Player 1", "Player 2")),
    ],
)
def test_people_have_the_names_in_the_settings_unless_those_look_alike(
    kinds: tuple[str, str], found: Preferences, names: tuple[str, str]
) -> None:
    assert usual_names(kinds, found) == names


@pytest.mark.parametrize("text", ["a=" + "[" * 5_000, "a=" + "{a=" * 5_000, "[" * 5_000])
def test_a_file_that_is_nested_too_deeply_is_a_fault(file: Path, text: str) -> None:
    preferences, [fault] = read_preferences(written(file, text))
    assert preferences == Preferences()
    assert fault.startswith(f"{file}, line 1: this is not valid TOML: ")
    with pytest.raises(StoreError, match="line 1: this is not valid TOML: "):
        write_preferences(file, {"name": "Ann"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name" + ".a" * 1_500 + " = 1", "name cannot be a table."),
        ("sounds" + ".a" * 1_500 + " = 1", "sounds must be true or false, not a table."),
        ("delay = [1]", "delay cannot be a list."),
        ('"two words" = 1', "Unknown setting 'two words'."),
        ("xyzzy = [1]", "Unknown setting 'xyzzy'."),
        ("delay = 0x1" + "0" * 5_000, "delay cannot be a number that large."),
        ("sounds = 0x1" + "0" * 5_000, "sounds must be true or false, not a number that large."),
        ("delay = 1" + "0" * 5_000, "this is not valid TOML: "),
    ],
)
def test_a_value_that_cannot_be_written_is_a_fault(file: Path, text: str, said: str) -> None:
    preferences, [fault] = read_preferences(written(file, text))
    assert preferences == Preferences()
    assert said in fault
    assert fault.startswith(f"{file}, line 1: ")
    assert len(fault) < 300
    with suppress(StoreError):
        write_preferences(file, {"name": "Ann"})


@pytest.mark.parametrize(
    ("key", "number", "said"),
    [
        ("delay", 2**64 - 1, "'18446744073709551615' is not a delay."),
        ("delay", 2**64, "delay cannot be a number that large."),
        ("sounds", 2**64 - 1, "sounds must be true or false, not 18446744073709551615."),
        ("sounds", 2**64, "sounds must be true or false, not a number that large."),
    ],
)
def test_a_number_is_named_in_a_message_up_to_64_bits(
    file: Path, key: str, number: int, said: str
) -> None:
    _, [fault] = read_preferences(written(file, f"{key} = {number}\n"))
    assert said in fault


def test_the_folders_of_the_settings_are_made_when_they_are_needed(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "settings.toml"
    write_preferences(file, {"level": "4"})
    assert read_preferences(file) == (Preferences(level="4"), ())


def test_a_program_can_tell_that_a_setting_is_wrong() -> None:
    with pytest.raises(PreferenceError) as refused:
        parse("level", "11")
    assert refused.value.code == "bad-setting"


def test_settings_that_were_never_changed_can_be_reset(file: Path) -> None:
    reset_preferences(file)
    assert not file.parent.exists()


def test_a_pipe_in_place_of_the_file_is_a_fault(file: Path) -> None:
    file.parent.mkdir()
    os.mkfifo(file)
    assert read_preferences(file) == (
        Preferences(),
        (f"{file} cannot be read: it is not a regular file.",),
    )
    with pytest.raises(StoreError, match="it is not a regular file"):
        write_preferences(file, {"name": "Ann"})


def test_a_symlink_to_itself_in_place_of_the_file_counts_as_missing(file: Path) -> None:
    file.parent.mkdir()
    file.symlink_to(file.name)
    assert read_preferences(file) == (Preferences(), ())


def test_the_settings_are_in_the_folder_that_the_system_has_for_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_file() == tmp_path / "divisorduel" / "settings.toml"


def test_on_windows_the_settings_are_in_one_folder_of_their_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def on_windows(name: str, appauthor: str | Literal[False] | None) -> Path:
        return Windows(name, appauthor).user_config_path

    monkeypatch.setattr("platformdirs.windows.get_win_folder", lambda _: str(tmp_path))
    monkeypatch.setattr(platformdirs, "user_config_path", on_windows)
    assert settings_file() == tmp_path / "divisorduel" / "settings.toml"


def test_settings_that_are_changed_at_the_same_moment_are_all_kept(file: Path) -> None:
    changes: list[dict[str, Value]] = [{"name": "Ann"}, {"level": "5"}, {"sounds": True}]
    together = Barrier(len(changes))

    def change(changed: dict[str, Value]) -> None:
        together.wait()
        write_preferences(file, changed)

    with ThreadPoolExecutor(len(changes)) as pool:
        for _ in range(10):
            list(pool.map(change, changes))
            expected = Preferences(name="Ann", level="5", sounds=True)
            assert read_preferences(file) == (expected, ())
            list(pool.map(reset_preferences, [file] * len(changes)))
            assert [*file.parent.iterdir()] == []
