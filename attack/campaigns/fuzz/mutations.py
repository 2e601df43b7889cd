"""Changes to bytes, to words and to JSON values."""

import copy
import json
from collections.abc import Sequence
from random import Random
from typing import Any

JsonPath = tuple[Any, ...]

STRANGE_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 2**31, 2**63, 10**15, 10**50, 10**400, 0.5, -0.0, 1e308,
    "", " ", "2", "-1", "x", "é", "\u200d", "\u202e", "\ud800", "\x00", "\n", "%s%n", "x" * 1_000,
    [], [[]], {}, [None], {"": {}}, [1, [2, [3, [4]]]],
)  # fmt: skip
"""Values that a reader may not expect."""


def mutated_bytes(rng: Random, corpus: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    """Take one item of the corpus, and change it in a few places."""
    data = bytearray(rng.choice(corpus))
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at, to = sorted(rng.choices(range(len(data) + 1), k=2))
        match rng.randrange(7):
            case 0:
                del data[at : at + rng.choice((1, 1, 2, 20))]
            case 1:
                data[at:at] = rng.choice(tokens)
            case 2:
                data[at : at + 1] = rng.randbytes(1)
            case 3:
                data[at:at] = data[at : min(to, at + 40)]
            case 4:
                data[at:] = rng.choice(corpus)[at:]
            case 5:
                del data[at:]
            case 6:
                data[at : at + 1] = b"0123456789"[rng.randrange(10) :][:1]
    return bytes(data)


def mutated_words(rng: Random, words: Sequence[str], strange: Sequence[str]) -> list[str]:
    """Drop, repeat, swap or replace a few words; the letters in a word are left alone."""
    changed = list(words)
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        at = rng.randrange(len(changed) + 1)
        match rng.randrange(4):
            case 0:
                del changed[at : at + 1]
            case 1:
                changed[at:at] = changed[at : at + 1]
            case 2:
                changed[at:at] = [rng.choice(strange)]
            case 3:
                changed[at : at + 1] = [rng.choice(strange)]
    return changed


def paths_into(node: Any, path: JsonPath = ()) -> list[JsonPath]:
    """Return the paths to everything that a JSON value holds."""
    parts: dict[Any, Any] = {}
    if isinstance(node, dict):
        parts = node
    elif isinstance(node, list):
        parts = dict(enumerate(node))
    found: list[JsonPath] = []
    for key, value in parts.items():
        found += [(*path, key), *paths_into(value, (*path, key))]
    return found


def changed_somewhere(rng: Random, value: Any, strange: Sequence[Any] = STRANGE_VALUES) -> Any:
    """Change, remove, rename or swap something anywhere in a JSON value."""
    changed = copy.deepcopy(value)
    paths = paths_into(changed)
    if not paths:
        return copy.deepcopy(rng.choice(strange))
    *path, last = rng.choice(paths)
    node = changed
    for key in path:
        node = node[key]
    old = node[last]
    match rng.randrange(5):
        case 0:
            del node[last]
        case 1 if isinstance(node, dict):
            node[f"{last}1"] = node.pop(last)
        case 2 if isinstance(node, list):
            other = rng.randrange(len(node))
            node[last], node[other] = node[other], node[last]
        case 3 if isinstance(old, int):
            node[last] = old + rng.choice((-2, -1, 1, 2))
        case _:
            node[last] = copy.deepcopy(rng.choice(strange))
    return changed


JSON_TOKENS = (
    b"{", b"}", b"[", b"]", b'"', b",", b":", b"null", b"true", b"NaN", b"-Infinity", b"1e999",
    b"9" * 5_000, b"[" * 5_000, b'{"a":' * 2_000, b"\\ud800", b"\\u0000", b"\xff", b" ",
    b"\xc3\xa9", b"\xef\xbb\xbf", b'"type":', b'"x":1,', b"//", b"0x10", b"-0", b"1.0",
)  # fmt: skip
"""Pieces of text that JSON does not have, or not there."""


def mutated_json(rng: Random, corpus: Sequence[Any]) -> bytes:
    """Write one item of the corpus as JSON, with a change of meaning or of notation."""
    value = rng.choice(corpus)
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        value = changed_somewhere(rng, value)
    text = json.dumps(value).encode()
    return mutated_bytes(rng, [text], JSON_TOKENS) if rng.random() < 0.25 else text
