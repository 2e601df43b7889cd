"""The panels beside the board."""

from divisorduel.coach.review import review
from divisorduel.record.match_records import Heading, match_to_records
from divisorduel.terminal.fullscreen.frames import with_moves
from divisorduel.terminal.fullscreen.panels import advantage, players
from tests.terminal.fullscreen.user import match_of


def test_a_player_who_has_not_joined_is_named_in_a_panel_of_usual_width() -> None:
    match = match_of("chain", "2-50", names=("Ann", "Player 2 (not joined)"))
    assert "Player 2 (not joined)" in players(match, 25).plain
    assert all(len(line) <= 25 for line in players(match, 25).plain.splitlines())


def test_the_line_that_shows_who_was_winning_explains_its_signs() -> None:
    for names, width, legend in (
        (("Ann", "Ben"), 24, "● Ann ○ Ben ! mistake"),
        (("Ann the first", "Ben"), 24, "●○ as above, ! mistake"),
    ):
        match = with_moves(match_of("chain", "2-12", names=names), (10, 2, 8, 4, 12, 6, 3, 9))
        found = review(match_to_records(match, Heading("m", ""))[-1])
        heading, signs, mistakes, last = advantage(found, width).plain.split("\n")
        assert heading == "Who was winning"
        assert {*signs} <= {*"●○"}
        assert "!" in mistakes
        assert last == legend
