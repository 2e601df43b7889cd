"""Every key of the full screen is pressed by a test; a key without one fails here."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator

import pytest
from textual.binding import Binding, BindingType
from textual.dom import DOMNode

from divisorduel.terminal import fullscreen
from tests.terminal.fullscreen import test_history_screen as history
from tests.terminal.fullscreen import test_match_screen as match
from tests.terminal.fullscreen import test_menu as menu
from tests.terminal.fullscreen import test_real_terminal as terminal
from tests.terminal.fullscreen import test_remote_screen as remote
from tests.terminal.fullscreen import test_review_screen as review
from tests.terminal.fullscreen import test_settings_screen as settings

TESTED: dict[str, list[tuple[Callable[..., None], str]]] = {
    "DuelApp": [
        (match.test_a_slow_hint_can_be_stopped_and_asked_for_again, "ctrl+c"),
        (
            terminal.test_the_screen_is_drawn_again_after_suspend_and_after_a_change_of_size,
            "ctrl+z",
        ),
        (menu.test_the_program_ends_with_a_key, "ctrl+q"),
    ],
    "StartScreen": [
        (menu.test_every_entry_has_a_key_and_escape_comes_back, "p c z w h t r s question_mark"),
        (menu.test_the_program_ends_with_a_key, "q escape"),
    ],
    "FormScreen": [
        (menu.test_a_form_is_filled_in_with_the_keyboard, "up down tab shift+tab f1 escape enter"),
    ],
    "SettingsScreen": [
        (settings.test_settings_are_saved_and_used_at_once, "enter"),
    ],
    "Choice": [
        (menu.test_a_form_is_filled_in_with_the_keyboard, "left right space"),
    ],
    "ListScreen": [
        (menu.test_unfinished_games_are_listed_and_continued, "enter q"),
        (menu.test_every_entry_has_a_key_and_escape_comes_back, "escape"),
    ],
    "HistoryScreen": [
        (
            history.test_enter_reviews_a_finished_game_and_escape_comes_back,
            "enter escape question_mark",
        ),
        (history.test_without_games_the_history_and_the_statistics_say_so, "q"),
        (history.test_a_deletion_is_confirmed_and_the_list_is_shown_again, "d"),
        (history.test_a_game_is_exported_and_replaces_a_file_only_if_confirmed, "e"),
    ],
    "TextScreen": [
        (
            match.test_texts_open_over_the_board_and_several_keys_close_them,
            "escape q enter space up down",
        ),
    ],
    "Confirm": [
        (match.test_giving_up_must_be_confirmed, "y n escape q left up right down"),
    ],
    "AskLine": [
        (match.test_save_writes_a_file_that_the_player_names, "escape"),
    ],
    "BoardView": [
        (match.test_arrow_keys_move_the_cursor_and_enter_takes_its_number, "up down left right"),
        (
            match.test_home_end_and_the_page_keys_reach_the_ends_of_the_board,
            "home end pageup pagedown",
        ),
    ],
    "MatchScreen": [
        (match.test_arrow_keys_move_the_cursor_and_enter_takes_its_number, "enter"),
        (match.test_a_typed_number_moves_the_cursor_and_enter_takes_it, "backspace escape"),
        (match.test_undo_takes_a_move_back_and_redo_repeats_it, "u r"),
        (match.test_the_third_hint_is_marked_on_the_board, "h"),
        (match.test_why_explains_and_shows_the_partner_of_the_number_under_the_cursor, "w"),
        (match.test_giving_up_must_be_confirmed, "f"),
        (match.test_save_writes_a_file_that_the_player_names, "s"),
        (
            match.test_brackets_step_through_the_moves_without_changing_them,
            "left_square_bracket right_square_bracket",
        ),
        (
            match.test_the_end_of_a_game_shows_who_was_winning_and_offers_a_review_and_a_rematch,
            "v n",
        ),
        (match.test_texts_open_over_the_board_and_several_keys_close_them, "g question_mark"),
        (match.test_space_pauses_two_computers, "space"),
        (match.test_every_move_is_on_disk_before_it_is_shown, "q"),
    ],
    "RemoteScreen": [
        (
            remote.test_moves_in_both_directions_appear_when_they_happen,
            "enter h w left_square_bracket right_square_bracket question_mark g escape backspace q",
        ),
        (remote.test_the_keys_say_what_they_do_now, "u d c"),
        (remote.test_offers_are_answered_with_a_key, "y f v n"),
        (remote.test_a_host_sees_the_links_until_the_opponent_joins, "l"),
        (remote.test_a_host_calls_off_a_match_that_no_one_joined, "x"),
    ],
    "ReviewScreen": [
        (
            review.test_the_keys_step_through_the_game_and_its_mistakes,
            "left right left_square_bracket right_square_bracket n down p up home end",
        ),
        (review.test_enter_plays_the_refutation_on_the_board_and_escape_returns, "enter escape"),
        (review.test_texts_about_a_review_open_and_q_leaves_it, "w question_mark g q"),
    ],
    "PuzzleScreen": [
        (menu.test_a_puzzle_is_solved_and_another_one_follows, "h n w"),
        (
            menu.test_while_a_puzzle_is_looked_for_the_board_is_empty_and_keys_do_nothing,
            "enter question_mark g backspace escape q",
        ),
    ],
}
"""The tests that press the keys, by the class that binds the keys."""

WRITTEN = {"left_square_bracket": "[", "right_square_bracket": "]", "ctrl+z": "\\x1a"}
"""How a test writes a key, if it is not by its name."""


def ours() -> Iterator[type[DOMNode]]:
    """Yield the app, the screens and the widgets of the full screen."""
    for module in pkgutil.iter_modules(fullscreen.__path__):
        found = importlib.import_module(f"{fullscreen.__name__}.{module.name}")
        for kind in vars(found).values():
            is_node = isinstance(kind, type) and issubclass(kind, DOMNode)
            if is_node and kind.__module__ == found.__name__:
                yield kind


def keys_of(bindings: list[BindingType]) -> Iterator[str]:
    for binding in bindings:
        bound = binding if isinstance(binding, Binding) else Binding(*binding)
        yield from bound.key.split(",")


def test_every_key_is_pressed_by_a_test() -> None:
    bound = {kind.__name__: {*keys_of(vars(kind).get("BINDINGS", []))} for kind in ours()}
    tested = {
        name: {key for _, keys in tests for key in keys.split()} for name, tests in TESTED.items()
    }
    assert tested == {name: keys for name, keys in bound.items() if keys}


@pytest.mark.parametrize(("test", "keys"), [case for tests in TESTED.values() for case in tests])
def test_a_test_presses_the_keys_it_is_listed_with(test: Callable[..., None], keys: str) -> None:
    source = inspect.getsource(test)
    missing = [key for key in keys.split() if f'"{WRITTEN.get(key, key)}"' not in source]
    assert not missing
