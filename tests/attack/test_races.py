"""The short form of the campaign in which several players act at the same instant."""

from pathlib import Path

import pytest

from tests.attack.short_form import run_short


@pytest.mark.thorough
def test_players_who_act_at_once_each_get_a_true_answer(tmp_path: Path) -> None:
    run_short("races", tmp_path)
