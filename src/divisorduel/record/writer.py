"""Writes game records. The same record is always written as the same text."""

import re
from collections.abc import Iterable, Iterator

from divisorduel.record.model import DEEPEST, FORBIDDEN, Line, Record, RecordError

WIDTH = 80

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)


def write_records(records: Iterable[Record]) -> str:
    """Write games one after the other. Raises `RecordError` for text that a record cannot hold."""
    return "\n".join(_game(record) for record in records)


def _game(record: Record) -> str:
    tags = "".join(f'[{_name(tag.name)} "{_value(tag.value)}"]\n' for tag in record.tags)
    return f"{tags}\n{_filled([*_words(record.line, 1), record.result])}\n"


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise RecordError(f"{name!r} cannot be the name of a tag.")
    return name


def _value(value: str) -> str:
    if FORBIDDEN.search(value) or "\n" in value:
        raise RecordError(f"{value!r} cannot be the value of a tag.")
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _words(line: Line, turn: int, depth: int = 0) -> Iterator[str]:
    """Yield the pieces between which lines may be broken."""
    yield from map(_comment, line.intro)
    for number, ply in enumerate(line.plies, turn):
        yield f"{number}. {ply.move}"
        for note in ply.notes:
            if isinstance(note, str):
                yield _comment(note)
            else:
                yield from _variation(note, number, depth + 1)


def _variation(line: Line, turn: int, depth: int) -> Iterator[str]:
    if not line.plies or depth > DEEPEST:
        raise RecordError(f"A variation needs a move and may be nested at most {DEEPEST} deep.")
    words = list(_words(line, turn, depth))
    words[0] = f"({words[0]}"
    words[-1] = f"{words[-1]})"
    yield from words


def _comment(text: str) -> str:
    if FORBIDDEN.search(text):
        raise RecordError(f"{text!r} cannot be a comment.")
    return "{" + text.replace("\\", "\\\\").replace("}", "\\}") + "}"


def _filled(words: Iterable[str]) -> str:
    """Fill lines with words; line breaks inside a comment stay."""
    text, column = "", 0
    for word in words:
        if text and column + 1 + len(word.split("\n")[0]) > WIDTH:
            text, column = text + "\n", 0
        elif text:
            text, column = text + " ", column + 1
        text += word
        column = len(word.rsplit("\n")[-1]) if "\n" in word else column + len(word)
    return text
