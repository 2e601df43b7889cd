"""The AsyncAPI 3 document of the WebSocket, made from the models of its messages."""

from functools import cache
from inspect import cleandoc
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from divisorduel.web.schemas.messages import RECEIVED, SENT

CHANNEL = "/api/matches/{id}/live"


class _WithoutDiscriminator(GenerateJsonSchema):
    """A JSON schema without OpenAPI's discriminators, which AsyncAPI does not have."""

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        found = super().tagged_union_schema(schema)
        found.pop("discriminator", None)
        return found


@cache
def asyncapi(title: str, version: str) -> dict[str, Any]:
    """Describe the messages that the server receives and sends."""
    _, schemas = models_json_schema(
        [(model, "validation") for model in RECEIVED]
        + [(model, "serialization") for model in SENT],
        ref_template="#/components/schemas/{model}",
        schema_generator=_WithoutDiscriminator,
    )
    messages = {_name(model): model for model in (*RECEIVED, *SENT)}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": title, "version": version},
        "defaultContentType": "application/json",
        "channels": {
            "match": {
                "address": CHANNEL,
                "description": "Connect, send hello with a key, then follow the match and play.",
                "parameters": {"id": {"description": "The id of a match."}},
                "messages": {name: _ref("components/messages", name) for name in messages},
            }
        },
        "operations": {
            "receive": _operation("receive", RECEIVED),
            "send": _operation("send", SENT),
        },
        "components": {
            "messages": {
                name: {
                    "name": name,
                    "summary": cleandoc(model.__doc__ or ""),
                    "payload": _ref("components/schemas", model.__name__),
                }
                for name, model in messages.items()
            },
            "schemas": schemas["$defs"],
        },
    }


def _name(model: type[BaseModel]) -> str:
    [name] = get_args(model.model_fields["type"].annotation)
    return str(name)


def _operation(action: str, models: tuple[type[BaseModel], ...]) -> dict[str, Any]:
    return {
        "action": action,
        "channel": _ref("channels", "match"),
        "messages": [_ref("channels/match/messages", _name(model)) for model in models],
    }


def _ref(place: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/{place}/{name}"}
