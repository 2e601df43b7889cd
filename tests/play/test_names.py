"""Players' names can be seen, and two players can be told apart."""

import unicodedata
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel import Match, game
from divisorduel.play.match import LONGEST_NAME, MatchError, check_name, check_names
from divisorduel.play.names import MOST_ACCENTS, look_alike

NAMES = [
    "Ann",
    "J. R. R. Tolkien",
    "Zoë",
    "Zoe\u0308",  # two characters for ë
    "Nguyễn Thị Ánh",
    unicodedata.normalize("NFD", "Nguyễn Thị Ánh"),
    "שָׁלוֹם",
    "محمّد",
    "नमस्ते",
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sri, with a joiner after a virama
    "ก็ำ",
    "한국",
    "辻\U000e0100",  # a variant of a character
    "👩‍🚀",
    "👨‍👩‍👧‍👦",
    "👩🏽‍❤️‍👨🏿",
    "🏳️‍🌈",
    "1️⃣",
    "🙂 2",
    "?",
]
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u202a"
    "\u202b\u202c\u202d\u202e\u2060\u2061\u2066\u2067\u2068\u2069\u206f\u2800\u3164\ufe00\ufe0f"
    "\ufeff\uffa0\ufff9\U0001bca0\U0001d173\U000e0001\U000e0041\U000e0100"
)


@pytest.mark.parametrize("name", NAMES)
def test_names_in_any_script_are_accepted(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize("char", INVISIBLE, ids=lambda char: f"U+{ord(char):04X}")
def test_a_name_needs_a_visible_character(char: str) -> None:
    for name in (char, char * 3, f"{char} {char}"):
        with pytest.raises(MatchError):
            check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "A\u200d",
        "A\u200dB",
        "\u200dA",
        "🚀\u200d",
        "🚀\u200d\u200d🚀",
        "A\u200b",
        "A\u3164",
        "A\u115f",
        "A\uffa0B",
        "A\u2800",
        "A\u034f",
        "A\u202eB",
        "A\u2066B\u2069",
        "A\u200f",
        "A\u00ad",
        "A" + "\u0301" * 39,
        "\u0301",
        "\u0301A",
        "A" + "\ufe0f" * 39,
        "x" + "\u0323\u0302\u0301\u0308\u0303",
    ],
    ids=ascii,
)
def test_a_name_with_hidden_or_piled_up_characters_is_refused_and_spelled_out(name: str) -> None:
    with pytest.raises(MatchError) as error:
        check_name(name)
    assert str(error.value).startswith(f"{name!a} is not a name. ")
    assert str(error.value).isascii()


def test_as_many_marks_as_a_script_needs_are_accepted() -> None:
    accents = "\u0323\u0302\u0301\u0308"[:MOST_ACCENTS]
    assert check_name("x" + accents)
    with pytest.raises(MatchError, match=f"more than {MOST_ACCENTS} accents"):
        check_name("x" + accents + "\u0330")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Zoë", "Zoe\u0308"),
        ("🏳️‍🌈", "🏳‍🌈"),
        ("辻", "辻\U000e0100"),
        ("A B", "A  B"),
        ("1", "1\ufe0f"),
    ],
)
def test_names_that_look_alike_are_the_same_name(one: str, two: str) -> None:
    assert one != two
    assert look_alike(one, two)
    with pytest.raises(MatchError, match="different names"):
        check_names((one, two))


def test_names_that_differ_visibly_are_different() -> None:
    for one, two in (("Ann", "ann"), ("Zoe", "Zoë"), ("👩‍🚀", "👩‍🔬"), ("A B", "AB")):
        assert check_names((one, two)) == (one, two)


@given(st.sampled_from(NAMES), st.sampled_from(INVISIBLE), st.integers(0, LONGEST_NAME))
def test_an_invisible_character_makes_no_difference(name: str, char: str, at: int) -> None:
    with pytest.raises(MatchError):
        check_names((name, name[:at] + char + name[at:]))


@given(st.text(max_size=LONGEST_NAME + 2), st.text(max_size=LONGEST_NAME + 2))
def test_any_two_names_that_are_accepted_look_different(one: str, two: str) -> None:
    with suppress(MatchError):
        Match.of(game("chain"), names=(one, two))
        assert not look_alike(one, two)


def test_names_that_older_versions_stored_are_still_read() -> None:
    for names in (("A", "A\u200d"), ("\u3164", "B"), ("A" + "\u0301" * 39, "B")):
        assert check_names(names, stored=True) == names
    for names in (
        ("A", "A"),
        ("A\u202e", "B"),
        ("", "B"),
        ("\u200d", "B"),
        ("A ", "B"),
        ("x" * 41, "B"),
    ):
        with pytest.raises(MatchError):
            check_names(names, stored=True)
