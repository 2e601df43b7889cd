"""Settings are checked, faults are reported with their line, and files keep their comments."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel.store.atomic_file import StoreError
from divisorduel.store.preferences import (
    MEANINGS,
    PreferenceError,
    Preferences,
    Value,
    load,
    parse,
    read_preferences,
    reset_preferences,
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
        ("colours", "never"),
        ("screen", "plain"),
        ("sounds", "on"),
        ("server", "https://example.org:8443"),
    ],
)
def test_what_is_written_is_read_again(file: Path, key: str, text: str) -> None:
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


def test_a_default_is_removed_from_the_file(file: Path) -> None:
    write_preferences(file, {"level": "4", "colours": "never"})
    write_preferences(file, {"level": ""})
    assert file.read_text() == 'colours = "never"\n'


def test_a_value_of_several_lines_is_not_changed(file: Path) -> None:
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
        (("human", "human"), Preferences(name="Player 2"), ("Player 1", "Player 2")),
    ],
)
def test_people_have_the_names_of_the_settings_unless_they_look_alike(
    kinds: tuple[str, str], found: Preferences, names: tuple[str, str]
) -> None:
    assert usual_names(kinds, found) == names


@pytest.mark.parametrize("text", ["a=" + "[" * 50_000, "a=" + "{a=" * 50_000, "[" * 50_000])
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
        ("delay = 0x1" + "0" * 5_000, "delay cannot be a number that large."),
        ("sounds = 0x1" + "0" * 5_000, "sounds must be true or false, not a number that large."),
        ("delay = 1" + "0" * 5_000, "this is not valid TOML: "),
    ],
)
def test_a_value_that_cannot_be_written_is_a_fault(file: Path, text: str, said: str) -> None:
    preferences, [fault] = read_preferences(written(file, text))
    assert preferences == Preferences()
    assert said in fault
    assert len(fault) < 300
    with suppress(StoreError):
        write_preferences(file, {"name": "Ann"})


def test_a_pipe_in_place_of_the_file_is_a_fault(file: Path) -> None:
    file.parent.mkdir()
    os.mkfifo(file)
    assert read_preferences(file) == (
        Preferences(),
        (f"{file} cannot be read: it is not a regular file.",),
    )
    with pytest.raises(StoreError, match="it is not a regular file"):
        write_preferences(file, {"name": "Ann"})


def test_a_link_to_itself_in_place_of_the_file_counts_as_missing(file: Path) -> None:
    file.parent.mkdir()
    file.symlink_to(file.name)
    assert read_preferences(file) == (Preferences(), ())


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
