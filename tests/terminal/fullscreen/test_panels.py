"""The panels beside the board."""

from divisorduel.terminal.fullscreen.panels import players
from tests.terminal.fullscreen.user import match_of


def test_a_player_who_has_not_joined_is_named_in_a_panel_of_usual_width() -> None:
    match = match_of("chain", "2-50", names=("Ann", "Player 2 (not joined)"))
    assert "Player 2 (not joined)" in players(match, 25).plain
    assert all(len(line) <= 25 for line in players(match, 25).plain.splitlines())
