"""Fuzzing: a short run of each target, and what a run reports."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from attack.campaigns.fuzz import COUNTS, ROOT
from attack.campaigns.fuzz.mutations import changed_somewhere, mutated_words
from attack.campaigns.fuzz.target import Target
from attack.campaigns.fuzz.targets.records import Codes, Records
from attack.campaigns.fuzz.worker import TARGETS
from tests.attack.short_form import run_short


@pytest.mark.parametrize(
    ("kind", "count", "outcomes"),
    [(Records, 1_500, {"match", "record", "refused"}), (Codes, 1_500, {"code", "refused"})],
)
def test_mutated_files_are_read_back_or_refused(
    tmp_path: Path, kind: type[Target[Any]], count: int, outcomes: set[str]
) -> None:
    target, rng = kind(tmp_path), Random(1)
    assert Counter(target.check(target.make(rng)) for _ in range(count)).keys() == outcomes


@pytest.mark.thorough
def test_a_few_thousand_inputs_of_every_kind_are_answered_correctly(tmp_path: Path) -> None:
    context = run_short("fuzz", tmp_path)
    assert context.tried == sum(short for _, short in COUNTS.values()) > 2_000
    assert len(context.notes) == len(COUNTS)


def test_every_target_has_its_share_of_a_million_inputs() -> None:
    assert COUNTS.keys() == TARGETS.keys()
    assert sum(full for full, _ in COUNTS.values()) == 1_000_000


@pytest.mark.thorough
def test_an_input_depends_on_its_number_alone(tmp_path: Path) -> None:
    def last_line(first: int, count: int) -> Any:
        words = ["codes", "1", str(first), str(count)]
        done = subprocess.run(
            [sys.executable, "-m", "attack.campaigns.fuzz.worker", *words],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        return Counter(json.loads(done.stdout.splitlines()[-1])["outcomes"])

    assert last_line(0, 40) == last_line(0, 25) + last_line(25, 15)


def test_any_part_of_a_value_can_change_and_the_original_does_not() -> None:
    original = {"a": [1, {"b": "c"}], "d": None}
    changes = [changed_somewhere(Random(seed), original) for seed in range(300)]
    assert original == {"a": [1, {"b": "c"}], "d": None}
    assert any("a" not in change for change in changes)
    assert any(change.get("d") is not None for change in changes)
    assert any(change.get("a") not in (None, original["a"]) for change in changes)


def test_words_are_dropped_repeated_and_replaced_but_never_taken_apart() -> None:
    known = {"play", "chain", "--to", "8", "strange"}
    for seed in range(100):
        changed = mutated_words(Random(seed), ["play", "chain", "--to", "8"], ["strange"])
        assert {*changed} <= known
