"""Reads game records. The grammar is in docs/records.md."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple, get_args

from divisorduel.record.check import check_record
from divisorduel.record.model import DEEPEST, FORBIDDEN, Line, Ply, Record, RecordError, Result, Tag
from divisorduel.rules.game import Game

_TOKEN = re.compile(
    r"""(?P<blank>\s++)
    |(?P<tag>\[(?P<name>[A-Za-z][A-Za-z0-9_]*)[ ]"(?P<value>(?:[^"\\\n]++|\\["\\])*+)"\])
    |(?P<comment>\{(?P<text>(?:[^\\}]++|\\[\\}])*+)\})
    |(?P<result>1-0|0-1|\*)(?![^\s\[])
    |(?P<turn>[0-9]{1,9})\.
    |(?P<move>[0-9]{1,60})(?![^\s(){}])
    |(?P<open>\()
    |(?P<close>\))""",
    re.VERBOSE | re.ASCII,
)
_ESCAPED = re.compile(r"\\(.)")


class _Token(NamedTuple):
    kind: str
    found: re.Match[str]
    at: int
    """The line of the text."""


MOST_BITS = 2**32
"""The most bits of all positions in which the games of a file start: one bit for every number."""


def read_records(
    source: str | bytes,
    *,
    most: int | None = None,
    allowed: Callable[[Game], object] = lambda _: None,
) -> tuple[Record, ...]:
    """Read the games in a text or in a file's bytes, and check that every move is legal.

    Raises `RecordError`, which names the line and what is wrong with it. For untrusted text, `most`
    limits the number of games, and `allowed` may raise `BoardError` for a board before a move is
    played on it.
    """
    records = parse_records(source, most=most)
    bits = 0
    for record in records:
        check_record(record, allowed)
        bits += record.start.playable.bit_length() if record.tag("Start") else 0
        if bits > MOST_BITS:
            why = "these boards are too large for one file. Divide the games into several files."
            raise RecordError(why, record.line_of("Start"))
    return records


def parse_records(source: str | bytes, *, most: int | None = None) -> tuple[Record, ...]:
    """Read the games in a text or in a file's bytes, without checking them.

    Raises `RecordError` like `read_records`, for text that is not a record.
    """
    records = tuple(islice(_games(_text(source)), most and most + 1))
    if not records:
        raise RecordError("no game was found. A record begins with a tag, [Game ...].", 1)
    if most and len(records) > most:
        raise RecordError(f"there are more than {most} games here.", records[-1].at)
    return records


@lru_cache(maxsize=4096)
def _number(digits: str) -> int:
    """Return a number: the same object each time, because long records repeat a few numbers."""
    return int(digits)


def _text(source: str | bytes) -> str:
    try:
        text = source if isinstance(source, str) else source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise RecordError("this is not UTF-8 text.", line) from None
    text = text.replace("\r\n", "\n")
    if wrong := FORBIDDEN.search(text):
        line = text.count("\n", 0, wrong.start()) + 1
        raise RecordError(f"the character {wrong[0]!r} is not allowed in a record.", line)
    return text


def _games(text: str) -> Iterator[Record]:
    tags: dict[str, Tag] = {}
    tokens = _tokens(text)
    for token in tokens:
        if token.kind == "tag":
            name, value = token.found["name"], _ESCAPED.sub(r"\1", token.found["value"])
            if name in tags:
                raise RecordError(f"the tag {name} appears twice.", token.at)
            tags[name] = Tag(name, value, token.at)
        elif tags:
            line, end = _line(chain([token], tokens), token.at)
            result: Result = next(r for r in get_args(Result) if r == end.found["result"])
            yield Record(tuple(tags.values()), line, result, end.at)
            tags = {}
        else:
            raise RecordError("a record begins with its tags, [Game ...] first.", token.at)
    if tags:
        last_line = text.rstrip("\n").count("\n") + 1
        raise RecordError("the record ends before its moves and its result.", last_line)


def _tokens(text: str) -> Iterator[_Token]:
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise RecordError(_unreadable(text, at), line)
        if found.lastgroup != "blank":
            yield _Token(found.lastgroup or "", found, line)
        line += found[0].count("\n")
        at = found.end()


def _unreadable(text: str, at: int) -> str:
    word = text[at : at + 200].split("\n")[0]
    match text[at]:
        case "{":
            return "this comment has no closing }."
        case "[":
            return f'{word[:40]!r} is not a tag. Write it like [Game "chain"].'
        case _:
            return f"{word.split(' ')[0][:40]!r} is not a move, a comment or a result."


def _line(
    tokens: Iterator[_Token], at: int, first_turn: int = 1, depth: int = 0
) -> tuple[Line, _Token]:
    """Read a game up to its result, or a variation up to its end; also return that last token."""
    intro: list[str] = []
    plies: list[tuple[int, list[str | Line], int]] = []
    for token in tokens:
        found, at, turn = token.found, token.at, first_turn + len(plies)
        match token.kind:
            case "turn":
                if int(found["turn"]) != turn:
                    raise RecordError(f"turn {turn} is expected here, not {found[0]}", at)
                move = next(tokens, None)
                if move is None:
                    break
                if move.kind != "move":
                    raise RecordError(f"no move follows {found[0]}", at)
                at = move.at
                plies.append((_number(move.found["move"]), [], at))
            case "move":
                plies.append((_number(found["move"]), [], at))
            case "comment":
                (plies[-1][1] if plies else intro).append(_ESCAPED.sub(r"\1", found["text"]))
            case "open":
                if not plies:
                    raise RecordError("a variation must follow the move it replaces.", at)
                if depth == DEEPEST:
                    raise RecordError(f"variations are nested more than {DEEPEST} deep.", at)
                variation, end = _line(tokens, at, turn - 1, depth + 1)
                plies[-1][1].append(variation)
                at = end.at
            case "close" if not depth:
                raise RecordError("this ) has no matching (.", at)
            case "close" if not plies:
                raise RecordError("this variation has no move.", at)
            case "result" if depth:
                raise RecordError("the game ends inside a variation.", at)
            case "tag":
                raise RecordError("a tag follows the moves, but the result is missing.", at)
            case _:
                read = (Ply(number, tuple(notes), line) for number, notes, line in plies)
                return Line(tuple(read), tuple(intro)), token
    raise RecordError("the record ends before its result.", at)
