"""A short run of ``scripts/fuzz``."""

from collections import Counter
from pathlib import Path

import pytest

from tests.record.fuzz import fuzz


def test_mutated_files_are_read_back_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcomes = Counter(fuzz(3_000, seed=1))
    assert outcomes.keys() == {"code", "match", "record", "refused"}
