"""Values made from the descriptions of a server."""

from random import Random
from typing import Any

import httpx
import jsonschema_rs
import pytest

from attack.description import Json, Values, operations, received_messages, resolve
from divisorduel.web.schemas.asyncapi import asyncapi
from tests.web.clients import NO_TLS, Server

DOCUMENT: Json = {"components": {"schemas": {"Word": {"type": "string", "maxLength": 7}}}}


def made(schema: Json, *, largest: bool = False) -> Any:
    return Values(DOCUMENT, Random(1), largest=largest).of(schema)


def test_the_largest_value_is_at_the_limit() -> None:
    assert len(made({"$ref": "#/components/schemas/Word"}, largest=True)) == 7
    assert made({"type": "integer", "minimum": 1, "maximum": 3.0}, largest=True) == 3
    assert made({"type": "integer", "exclusiveMaximum": 10}, largest=True) == 9
    assert made({"type": "array", "maxItems": 3, "items": {"const": 1}}, largest=True) == [1, 1, 1]
    assert len(made({"type": "string", "pattern": "^[a-z0-9]{2,5}$"}, largest=True)) == 5
    assert len(made({"type": "string", "pattern": "^bot:[a-z][a-z0-9]{0,5}$"})) == len("bot:") + 6


def test_an_unknown_schema_is_an_error() -> None:
    for unknown in ({"type": "string", "pattern": "a|b"}, {"type": "file"}, {}):
        with pytest.raises(NotImplementedError, match=r"Teach attack/description\.py"):
            made(unknown)


@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.thorough
def test_every_value_is_one_that_its_schema_allows(web: Server, largest: bool) -> None:
    document: Json = httpx.get(f"{web.url}/openapi.json", verify=NO_TLS).json()
    bodies = [one.body for one in operations(document) if one.body is not None]
    described = asyncapi("x", "1")
    messages = list(received_messages(described).values())
    for whole, schemas in ((document, bodies), (described, messages)):
        for schema in schemas:
            full = {**resolve(whole, schema), "components": whole["components"]}
            for seed in range(20):
                value = Values(whole, Random(seed), largest=largest).of(schema)
                jsonschema_rs.validate(full, value)
