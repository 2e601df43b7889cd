"""Costly requests: a short run, and what makes them costly."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from attack.campaigns.cost.costly_matches import (
    Archive,
    CostlyMatch,
    costly_matches,
    largest_boards,
)
from attack.campaigns.cost.costly_requests import costliest
from attack.description import operations
from attack.in_process_app import Application
from divisorduel.rules.catalogue import rule_book_keys
from divisorduel.web.schemas.requests import LONGEST_RECORD
from tests.attack.short_form import run_short
from tests.web.databases import sqlite_in

STEPS = 920


@pytest.mark.thorough
def test_no_one_else_notices_the_most_expensive_requests(tmp_path: Path) -> None:
    context = run_short("cost", tmp_path)
    assert context.tried > 14


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an archive."""
    return tmp_path_factory.mktemp("archive")


@pytest.fixture(scope="module")
def matches(folder: Path) -> list[CostlyMatch]:
    """Store costly matches, shorter than in the campaign."""
    with closing(Archive(sqlite_in(folder))) as archive:
        return costly_matches(archive, steps=STEPS, copies=1)


@pytest.fixture(scope="module")
def running(folder: Path, matches: list[CostlyMatch]) -> Iterator[Application]:
    """Run a server on the archive."""
    with closing(Application(folder, thinking=0.1)) as application:
        yield application


def test_every_rule_book_has_its_largest_boards() -> None:
    assert {key for key, _ in largest_boards()} == {*rule_book_keys()}


@pytest.mark.thorough
def test_the_costly_matches_can_be_played(running: Application, matches: list[CostlyMatch]) -> None:
    for match in matches[:4]:
        seen = running.get(f"/api/matches/{match.id}", match.key).json["match"]
        assert seen["version"] == match.version
        assert seen["round"] == match.rounds
    undone = {"version": STEPS, "command": {"type": "undo"}}
    path = f"/api/matches/{matches[0].id}/commands"
    assert running.post(path, undone, matches[0].key).status == 200


@pytest.mark.thorough
def test_every_call_has_costly_requests_that_it_accepts(
    running: Application, matches: list[CostlyMatch]
) -> None:
    document = running.openapi
    for operation in sorted(operations(document), key=lambda operation: operation.method):
        sent = costliest(operation, document, matches[:3], Random(1))[-1]
        if not operation.label.endswith(("/records", "/record")) or operation.method == "GET":
            answer = (
                running.get(sent.path, sent.key)
                if sent.method == "GET"
                else running.post(sent.path, sent.body, sent.key)
            )
            assert answer.status in (200, 201, 503), (operation.label, answer.body)


@pytest.mark.thorough
def test_the_most_expensive_records_are_nearly_as_long_as_allowed(running: Application) -> None:
    [resume] = [o for o in operations(running.openapi) if o.label == "POST /api/records"]
    lengths = [len(r.body["record"]) for r in costliest(resume, running.openapi, [], Random(1))]
    assert 0.95 * LONGEST_RECORD < max(lengths) <= LONGEST_RECORD
