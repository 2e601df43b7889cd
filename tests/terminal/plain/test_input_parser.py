"""A typed line is a number or a command, and any other line gets advice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel.play.commands import Take
from divisorduel.terminal.plain.input_parser import HELP, Unclear, Word, read_line


@pytest.mark.parametrize("name", sorted(set(HELP) - {"save", "forfeit"}))
def test_a_command_is_recognised_in_any_case_and_by_its_first_letters(name: str) -> None:
    for typed in (name, name.upper(), name.title(), f"  {name}  ", name[:3]):
        assert read_line(typed) == Word(name)


@pytest.mark.parametrize(
    ("typed", "name"), [("h", "help"), ("?", "help"), ("m", "moves"), ("u", "undo"), ("q", "quit")]
)
def test_one_letter_is_enough_if_it_is_unambiguous(typed: str, name: str) -> None:
    assert read_line(typed) == Word(name)


def test_an_ambiguous_letter_gets_a_list_of_possible_commands() -> None:
    assert read_line("r") == Unclear('\'r\' could mean "redo" or "rules". Type one more letter.')


@pytest.mark.parametrize("typed", ["f", "F", "fo", "forfei"])
def test_the_first_letters_of_forfeit_do_not_forfeit(typed: str) -> None:
    assert read_line(typed) == Unclear('To give up this game, type "forfeit" in full.')


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("forfeit", "forfeit"),
        ("resign", "forfeit"),
        ("Give  up", "forfeit"),
        ("giveup", "forfeit"),
        ("exit", "quit"),
        ("bye", "quit"),
    ],
)
def test_other_words_for_a_command_are_known(typed: str, name: str) -> None:
    assert read_line(typed) == Word(name)


@pytest.mark.parametrize("typed", ["pass", "Skip"])
def test_a_player_who_tries_to_pass_is_told_that_it_is_impossible(typed: str) -> None:
    said = read_line(typed)
    assert isinstance(said, Unclear)
    assert said.answer.startswith("You cannot pass")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("hitn", "hint"), ("histroy", "history"), ("resing", "resign"), ("bord", "board")],
)
def test_a_misspelt_command_gets_a_suggestion(typed: str, meant: str) -> None:
    said = read_line(typed)
    assert isinstance(said, Unclear)
    assert said.answer.endswith(f'Did you mean "{meant}"?')


@pytest.mark.parametrize("typed", ["no", "yes", "start"])
def test_a_word_that_is_not_close_to_a_command_gets_no_suggestion(typed: str) -> None:
    said = read_line(typed)
    assert isinstance(said, Unclear)
    assert said.answer.endswith('Type "help" for a list of commands.')


@pytest.mark.parametrize("typed", ["\t8", "8\t", "\u00a08\u00a0", "\ufeff8", " 8 "])
def test_any_white_space_around_a_number_is_ignored(typed: str) -> None:
    assert read_line(typed) == Take(8)


def test_save_takes_a_file_name() -> None:
    assert read_line("save My Games/a b.duel") == Word("save", "My Games/a b.duel")
    assert read_line("S x") == Word("save", "x")
    assert isinstance(read_line("save"), Unclear)


@pytest.mark.parametrize("typed", ["forfeit now", "undo 3", "quit it"])
def test_a_command_followed_by_other_words_does_nothing(typed: str) -> None:
    name = typed.split()[0]
    assert read_line(typed) == Unclear(f'"{name}" takes no argument.')


@pytest.mark.parametrize(
    "typed", ["", " ", "-3", "8.0", "1e3", "hello", "8 9", "8\t9", "\x1b[A", "é"]
)
def test_a_line_that_is_neither_a_number_nor_a_command_does_nothing(typed: str) -> None:
    assert isinstance(read_line(typed), Unclear)


@given(st.text())
def test_any_line_can_be_parsed_and_its_answer_is_printable(line: str) -> None:
    said = read_line(line)
    if isinstance(said, Unclear):
        assert said.answer.isprintable()
    if isinstance(said, Take):
        assert said.number >= 0
