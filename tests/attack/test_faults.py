"""The short form of the campaign that breaks what the program relies on."""

from pathlib import Path

import pytest

from tests.attack.short_form import run_short


@pytest.mark.thorough
def test_nothing_that_was_acknowledged_is_lost_whatever_fails(tmp_path: Path) -> None:
    run_short("faults", tmp_path)
