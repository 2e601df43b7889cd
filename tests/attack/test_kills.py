"""The short form of the campaign that kills processes."""

from pathlib import Path

import pytest

from tests.attack.short_form import run_short


@pytest.mark.thorough
def test_nothing_that_was_acknowledged_is_lost_whatever_is_killed(tmp_path: Path) -> None:
    run_short("kills", tmp_path)
