"""Schemathesis checks that every answer is one that the server describes."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.conftest import ALL_KEYS, THOROUGH, examples
from tests.web.clients import NO_TLS, Json, Match, Server, joined_match, new_match
from tests.web.routes.test_keys import EXPECTED, OPEN_TO_ALL

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]


@pytest.fixture
def matches(web: Server) -> Iterator[list[Match]]:
    """Play several matches: one unfinished, one over, one waiting, one against level 3."""
    unfinished, over, waiting, against_computer = (
        joined_match(web.url, rounds=3),
        joined_match(web.url, rounds=2),
        new_match(web.url, listed=True),
        new_match(
            web.url,
            game="descent",
            board={"number": 360},
            players=[{"who": "here"}, {"who": "computer", "kind": "3"}],
        ),
    )
    unfinished.one.do("forfeit")
    unfinished.two.take(8)
    for _ in range(2):
        over.one.do("forfeit")
    yield [unfinished, over, waiting, against_computer]
    for match in (unfinished, over, waiting, against_computer):
        match.__exit__(None, None, None)


@pytest.fixture(scope="module")
def described(web: Server) -> BaseSchema:
    """Return the OpenAPI document of the server."""
    told = httpx.get(f"{web.url}/openapi.json", verify=NO_TLS).json()
    found: BaseSchema = schemathesis.openapi.from_dict(without_tuples(told))
    found.config.update(base_url=web.url)
    return found


def without_tuples(told: Any) -> Any:
    """Return the same schema without tuples, which Schemathesis 4.32 misreads in answers."""
    if isinstance(told, list):
        return [without_tuples(part) for part in told]
    if not isinstance(told, dict):
        return told
    same = {name: without_tuples(part) for name, part in told.items() if name != "prefixItems"}
    if "prefixItems" in told:
        first, second = told["prefixItems"]
        assert first == second
        assert told["minItems"] == told["maxItems"] == 2
        same["items"] = first
    return same


def operations_of(described: BaseSchema) -> "dict[str, APIOperation[Any, Any, Any, Any]]":
    found = {}
    for result in described.get_all_operations():
        assert isinstance(result, Ok), result
        found[result.ok().label] = result.ok()
    return found


CALLS = sorted({*EXPECTED, *OPEN_TO_ALL})
KEPT = ("POST /api/matches", "POST /api/matches/{id}/commands")
"""The calls that a default run fuzzes."""
NOTHING_TO_SEND = ("GET /api/games", "GET /api/matches", "GET /api/options", "GET /api/server")


def test_every_call_is_covered(described: BaseSchema) -> None:
    assert sorted(operations_of(described)) == CALLS


@pytest.mark.parametrize(
    ("call", "mode"),
    [
        pytest.param(call, mode, marks=[] if call in KEPT else THOROUGH)
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
        for call in CALLS
        if mode is GenerationMode.POSITIVE or call not in NOTHING_TO_SEND
    ],
    ids=lambda value: value.value if isinstance(value, GenerationMode) else value,
)
def test_every_request_is_answered_as_described(
    described: BaseSchema, matches: list[Match], call: str, mode: GenerationMode
) -> None:
    operation = operations_of(described)[call]
    statuses = set()

    @settings(max_examples=max(15, examples(30)), suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def send(data: st.DataObject) -> None:
        match = data.draw(st.sampled_from(matches))
        key = data.draw(st.sampled_from([*match.keys.values(), match.invited.key, "x" * 24]))
        meant = data.draw(st.booleans())
        case = data.draw(operation.as_strategy(mode))
        if meant:
            seen = match.watch.see()
            make_meaningful(case, seen, data)
            key = match.keys[str(seen["to_move"] or 1)]
        sent = {"authorization": f"Bearer {key}"} if key else {}
        response = case.call(headers=sent)
        # A meaningful value may have corrected the request, and 413 is also a rejection.
        fine = meant or response.status_code == 413
        checks = [check for check in CHECKS if check is not negative_data_rejection or not fine]
        case.validate_response(response, checks=checks, headers=sent)
        statuses.add(response.status_code)

    send()
    if mode is GenerationMode.POSITIVE:
        assert statuses & {200, 201}
    else:
        assert statuses & {400, 401, 403, 422}


def make_meaningful(case: "Case[Any]", seen: Json, data: st.DataObject) -> None:
    """Insert values that cannot be guessed: an existing match and game, its version, a record."""
    legal = {"type": "take", "number": (seen["legal"] or [0])[0]}
    known: dict[str, Any] = {
        "id": seen["id"],
        "number": 1,
        "game": data.draw(st.sampled_from(ALL_KEYS)),
        "board": {},
        "players": [
            {"who": "here"},
            {"who": "computer"},
        ],  # no engine: its name depends on the server
        "listed": False,
        "code": "chain 2-8 2-7 8",
        "moves": [4],
        "start": None,
        "record": '[Game "chain"]\n[Board "2-8"]\n\n8 4 *\n',
        "version": seen["version"],
        "command": legal,
        "step": 3,
    }
    for sent in (case.path_parameters, case.body):
        if isinstance(sent, dict):
            sent.update({k: known[k] for k in sent if k in known and data.draw(LIKELY)})


LIKELY = st.sampled_from([True] * 7 + [False])
