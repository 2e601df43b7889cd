"""How ``openapi.json`` and ``asyncapi.json`` describe a server: calls, messages, values.

Campaigns are made from it, so that a new call or message is attacked the day it appears.
"""

import re
from dataclasses import dataclass
from random import Random
from typing import Any

Json = dict[str, Any]
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
LONGEST_TEXT = 300_000
"""How long a text is if nothing limits it: no body may be longer."""
_PIECE = re.compile(
    r"(?P<word>[a-z:]+)|\[(?P<letters>[^\]]+)\](?:\{(?P<least>[0-9]+)(?:,(?P<most>[0-9]+))?\})?"
)
"""A part of a pattern: a word, or a run of certain characters."""


@dataclass(frozen=True)
class Operation:
    """One call of the API."""

    method: str
    path: str
    takes_key: bool
    statuses: frozenset[int]
    """The statuses that are described."""
    parameters: dict[str, Json]
    """The schemas of the parts of the path that vary."""
    query: dict[str, Json]
    """The schemas of the parameters after the path."""
    body: Json | None

    @property
    def label(self) -> str:
        """The method and the path."""
        return f"{self.method} {self.path}"

    def at(self, **parameters: object) -> str:
        """Return the path with its parameters filled in."""
        return self.path.format(**parameters)


def operations(document: Json) -> list[Operation]:
    """Return every call that an OpenAPI document describes."""
    return [
        Operation(
            method=method.upper(),
            path=path,
            takes_key=bool(about.get("security")),
            statuses=frozenset(map(int, about["responses"])),
            parameters=_parameters(about, "path"),
            query=_parameters(about, "query"),
            body=_body(about),
        )
        for path, methods in document["paths"].items()
        for method, about in methods.items()
        if method in METHODS
    ]


def _parameters(about: Json, place: str) -> dict[str, Json]:
    listed = (one for one in about.get("parameters", ()) if one["in"] == place)
    return {one["name"]: one["schema"] for one in listed}


def _body(about: Json) -> Json | None:
    content = about.get("requestBody", {}).get("content", {})
    schema: Json | None = content.get("application/json", {}).get("schema")
    return schema


def received_messages(document: Json) -> dict[str, Json]:
    """Return the messages that the server receives, by name, from an AsyncAPI document."""
    listed = document["operations"]["receive"]["messages"]
    messages = [resolve(document, resolve(document, one)) for one in listed]
    return {message["name"]: resolve(document, message["payload"]) for message in messages}


def resolve(document: Json, schema: Json) -> Json:
    """Follow a reference, if a schema is one."""
    while "$ref" in schema:
        found: Any = document
        for step in schema["$ref"].removeprefix("#/").split("/"):
            found = found[step.replace("~1", "/")]
        schema = found
    return schema


class Values:
    """Makes values that a schema allows: the largest ones, or any."""

    def __init__(self, document: Json, rng: Random, *, largest: bool) -> None:
        self._document, self._rng, self._largest = document, rng, largest

    def of(self, schema: Json) -> Any:
        """Return a value. Raises `NotImplementedError` for a schema that this cannot read."""
        schema = resolve(self._document, schema)
        for kind in ("oneOf", "anyOf"):
            if kind in schema:
                return self.of(self._rng.choice(schema[kind]))
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._rng.choice(schema["enum"])
        match schema.get("type"):
            case "object":
                return self._object(schema)
            case "array":
                least, most = schema.get("minItems", 0), schema.get("maxItems", 100)
                count = most if self._largest else self._rng.randint(least, most)
                return [self.of(schema.get("items", {"type": "null"})) for _ in range(count)]
            case "string":
                return self._text(schema)
            case "integer" | "number":
                low = int(schema.get("minimum", 0))
                high = int(schema.get("maximum", schema.get("exclusiveMaximum", 2**31) - 1))
                return high if self._largest else self._rng.randint(low, high)
            case "boolean":
                return self._rng.random() < 0.5
            case "null":
                return None
        raise NotImplementedError(f"Teach attack/description.py to make values of {schema}")

    def _object(self, schema: Json) -> Json:
        required = schema.get("required", ())
        made = {
            name: self.of(part)
            for name, part in schema.get("properties", {}).items()
            if self._largest or name in required or self._rng.random() < 0.5
        }
        more = schema.get("additionalProperties")
        if isinstance(more, dict):
            names = {"type": "string", "maxLength": 20, **schema.get("propertyNames", {})}
            for _ in range(self._rng.randint(0, schema.get("maxProperties", 8))):
                made[self.of(names)] = self.of(more)
        return made

    def _text(self, schema: Json) -> str:
        if "pattern" in schema:
            return "".join(map(self._piece, _pieces(schema["pattern"])))
        most = schema.get("maxLength", LONGEST_TEXT)
        least = schema.get("minLength", 0)
        count = most if self._largest else self._rng.randint(least, min(most, least + 40))
        return "".join(self._rng.choices("abcxyz 0189-_", k=count))

    def _piece(self, piece: re.Match[str]) -> str:
        """Make a part of a text, as long as its pattern allows."""
        if piece["word"]:
            return piece["word"]
        letters = [c for c in map(chr, range(33, 127)) if re.match(f"[{piece['letters']}]", c)]
        return "".join(self._rng.choices(letters, k=int(piece["most"] or piece["least"] or 1)))


def _pieces(pattern: str) -> list[re.Match[str]]:
    """Return the parts of a pattern such as ``^bot:[a-z][a-z0-9]{0,9}$``."""
    inside = pattern.removeprefix("^").removesuffix("$")
    pieces = [*_PIECE.finditer(inside)]
    if f"^{inside}$" != pattern or "".join(piece[0] for piece in pieces) != inside:
        raise NotImplementedError(f"Teach attack/description.py {pattern!r}")
    return pieces
