"""Reads game records. The grammar is in docs/records.md."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
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
_RESULTS: tuple[Result, ...] = get_args(Result)


class _Token(NamedTuple):
    kind: str
    found: re.Match[str]
    at: int


class _OpenPly:
    """A move that is being read, with its comments and variations."""

    def __init__(self, move: int, at: int) -> None:
        self.move = move
        self.at = at
        self.notes: list[str | Line] = []


class _OpenLine:
    """A line of play that is being read."""

    def __init__(self, first_turn: int) -> None:
        self.first_turn = first_turn
        self.intro: list[str] = []
        self.plies: list[_OpenPly] = []

    @property
    def turn(self) -> int:
        """The turn of the next move."""
        return self.first_turn + len(self.plies)

    def comment(self, text: str) -> None:
        (self.plies[-1].notes if self.plies else self.intro).append(text)

    def closed(self) -> Line:
        plies = (Ply(ply.move, tuple(ply.notes), ply.at) for ply in self.plies)
        return Line(tuple(plies), tuple(self.intro))


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
    text = _text(source)
    records = tuple(islice(_games(text), most and most + 1))
    if not records:
        raise RecordError("there is no game here. A record begins with a tag, [Game ...].", 1)
    if most and len(records) > most:
        raise RecordError(f"there are more than {most} games here.", records[-1].at)
    for record in records:
        check_record(record, allowed)
    return records


def _text(source: str | bytes) -> str:
    text = source if isinstance(source, str) else _decoded(source)
    text = text.replace("\r\n", "\n")
    if wrong := FORBIDDEN.search(text):
        raise RecordError(
            f"the character {wrong[0]!r} is not allowed in a record.",
            text.count("\n", 0, wrong.start()) + 1,
        )
    return text


def _decoded(source: bytes) -> str:
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise RecordError("this is not UTF-8 text.", line) from None


def _games(text: str) -> Iterator[Record]:
    tags: dict[str, Tag] = {}
    tokens = _tokens(text)
    for token in tokens:
        if token.kind == "tag":
            tag = _tag(token)
            if tag.name in tags:
                raise RecordError(f"the tag {tag.name} appears twice.", token.at)
            tags[tag.name] = tag
        elif tags:
            yield _moves(tuple(tags.values()), token, tokens)
            tags = {}
        else:
            raise RecordError("a record begins with its tags, [Game ...] first.", token.at)
    if tags:
        raise RecordError("the record ends before its moves and its result.", _last_line(text))


def _tokens(text: str) -> Iterator[_Token]:
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise RecordError(_unreadable(text, at), line)
        kind = found.lastgroup or ""
        if kind != "blank":
            yield _Token(_KINDS.get(kind, kind), found, line)
        line += found[0].count("\n")
        at = found.end()


_KINDS = {"name": "tag", "value": "tag", "text": "comment"}


def _unreadable(text: str, at: int) -> str:
    word = text[at : at + 200].split("\n")[0]
    match text[at]:
        case "{":
            return "the comment that begins here has no end."
        case "[":
            return f'{word[:40]!r} is not a tag. Write it like [Game "chain"].'
        case _:
            return f"{word.split(' ')[0][:40]!r} is not a move, a comment or a result."


def _tag(token: _Token) -> Tag:
    return Tag(token.found["name"], _ESCAPED.sub(r"\1", token.found["value"]), token.at)


def _moves(tags: tuple[Tag, ...], token: _Token, rest: Iterator[_Token]) -> Record:
    """Read from the first token after the tags to the result."""
    lines = [_OpenLine(1)]
    while True:
        here = lines[-1]
        match token.kind:
            case "turn":
                token = _numbered_move(token, here.turn, rest)
                here.plies.append(_OpenPly(int(token.found["move"]), token.at))
            case "move":
                here.plies.append(_OpenPly(int(token.found["move"]), token.at))
            case "comment":
                here.comment(_ESCAPED.sub(r"\1", token.found["text"]))
            case "open":
                lines.append(_variation(here, len(lines), token.at))
            case "close":
                _close(lines, token.at)
            case "result":
                if len(lines) > 1:
                    raise RecordError("the game ends inside a variation.", token.at)
                return Record(tags, here.closed(), _result(token), token.at)
            case _:
                raise RecordError("a tag follows the moves, but the result is missing.", token.at)
        token = _next(rest, token.at)


def _numbered_move(token: _Token, turn: int, rest: Iterator[_Token]) -> _Token:
    if int(token.found["turn"]) != turn:
        raise RecordError(f"turn {turn} is expected here, not {token.found[0]}", token.at)
    move = _next(rest, token.at)
    if move.kind != "move":
        raise RecordError(f"no move follows {token.found[0]}", token.at)
    return move


def _next(rest: Iterator[_Token], at: int) -> _Token:
    token = next(rest, None)
    if token is None:
        raise RecordError("the record ends before its result.", at)
    return token


def _result(token: _Token) -> Result:
    return next(result for result in _RESULTS if result == token.found["result"])


def _variation(instead_of: _OpenLine, depth: int, at: int) -> _OpenLine:
    if not instead_of.plies:
        raise RecordError("a variation must follow the move it replaces.", at)
    if depth > DEEPEST:
        raise RecordError(f"variations are nested more than {DEEPEST} deep.", at)
    return _OpenLine(instead_of.turn - 1)


def _close(lines: list[_OpenLine], at: int) -> None:
    if len(lines) == 1:
        raise RecordError("there is no ( for this ).", at)
    if not lines[-1].plies:
        raise RecordError("this variation has no move.", at)
    line = lines.pop().closed()
    lines[-1].plies[-1].notes.append(line)


def _last_line(text: str) -> int:
    return text.rstrip("\n").count("\n") + 1
