"""The short form of the campaign that plays for hours."""

from pathlib import Path

import pytest

from tests.attack.short_form import run_short


@pytest.mark.thorough
def test_a_server_does_not_grow_with_what_has_been_played(tmp_path: Path) -> None:
    run_short("soak", tmp_path)
