"""Writes a match as records, one for each round, and reads it back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from divisorduel.play.decide import begin
from divisorduel.play.events import Forfeited, NumberTaken, RoundBegan, Seat
from divisorduel.play.match import MOST_ROUNDS, Match, Round, Then
from divisorduel.record.model import Line, Ply, Record, RecordError, Result, Tag
from divisorduel.rules.code import write_code
from divisorduel.rules.numbers import read_number

TAGS = 18
"""How many tags a record has at most."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a record says about a match besides the match itself."""

    match_id: str
    """A unique name for the match."""
    date: str


def match_to_records(match: Match, heading: Heading) -> tuple[Record, ...]:
    """Write a match as records, one for each round that has begun."""
    start = _start(match)
    return tuple(
        _record(match, heading, number, start) for number in range(1, len(match.played) + 1)
    )


def round_to_record(match: Match, heading: Heading, number: int) -> Record:
    """Write one round of a match, counted from 1, as `match_to_records` does."""
    return _record(match, heading, number, _start(match))


def words_in_records(match: Match) -> int:
    """Return how many tags and numbers a match's records have at most, without writing them."""
    start = 0 if match.start == match.game.start() else match.start.playable.bit_count()
    moves = sum(len(played.moves) for played in match.played)
    return len(match.played) * (TAGS + start) + moves + len(match.undone)


def _start(match: Match) -> str:
    """Return the code of the start, or nothing if the board says it all."""
    return "" if match.start == match.game.start() else write_code(match.game, match.start)


def _record(match: Match, heading: Heading, number: int, start: str) -> Record:
    played = match.played[number - 1]
    return Record(
        tags=tuple(_tags(match, heading, number, start)),
        line=Line(tuple(Ply(move) for move in played.moves)),
        result=_result(played),
    )


def _tags(match: Match, heading: Heading, number: int, start: str) -> Iterator[Tag]:
    played = match.played[number - 1]
    yield Tag("Game", match.game.book.key)
    yield Tag("Board", match.game.board)
    if start:
        yield Tag("Start", start)
    yield Tag("Match", heading.match_id)
    yield Tag("Date", heading.date)
    yield Tag("Round", str(number))
    yield Tag("Rounds", str(match.rounds))
    if match.series != match.rounds:
        yield Tag("Series", str(match.series))
    yield Tag("Then", match.then)
    if not match.undo:
        yield Tag("Undo", "no")
    yield Tag("First", str(played.starter))
    yield Tag("Player1", match.names[0])
    yield Tag("Player2", match.names[1])
    for seat, kind in enumerate(match.kinds, 1):
        if kind != "human":
            yield Tag(f"Kind{seat}", kind)
    yield Tag("Result", _result(played))
    if played.winner:
        yield Tag("Termination", _termination(played))
    if number == len(match.played) and match.undone:
        yield Tag("Undone", " ".join(map(str, match.undone)))


def _result(played: Round) -> Result:
    return {None: "*", 1: "1-0", 2: "0-1"}[played.winner]  # type: ignore[return-value]  # a Result


def _termination(played: Round) -> str:
    if played.forfeit is None:
        return "no move"
    if played.forfeit.fault:
        return f"fault {played.forfeit.fault}"
    number = played.forfeit.wrong_number
    return "forfeit" if number is None else f"wrong number {number}"


def records_to_match(records: Sequence[Record]) -> Match:
    """Return the match that checked records describe. Raises `RecordError`."""
    match = _agreed(records[0], records[-1])
    for number, record in enumerate(records, 1):
        _check_belongs(record, records[0], number)
        if len(match.played) != number or match.current.starter != record.first:
            raise RecordError(
                f"round {number} does not follow from the rounds before it.", record.tags[0].at
            )
        for move in record.moves:
            match = match.after(NumberTaken(move))
        if record.winner and not match.current.winner:
            match = match.after(forfeit_of(record))
        if number < len(records) and (starter := match.next_starter) is not None:
            match = match.after(RoundBegan(starter))
    if match.current.winner and not match.over:
        raise RecordError(
            f"the file ends after round {len(records)} of {match.rounds}.", records[-1].at
        )
    return _with_undone(match, records[-1])


def forfeit_of(record: Record) -> Forfeited:
    """Return the forfeit that ended a recorded game."""
    loser: Seat = 2 if record.result == "1-0" else 1
    return Forfeited(loser, wrong_number=record.wrong_number, fault=record.fault)


def _agreed(first: Record, last: Record) -> Match:
    """Set up the match from its first record; only the last one counts the rounds of rematches."""
    rounds = _whole(last, "Rounds", "1")
    then: Then = next(t for t in get_args(Then) if t == first.tag("Then", "alternate"))
    match = Match.of(
        first.game,
        start=first.start,
        kinds=first.kinds,
        first=first.first,
        then=then,
        rounds=rounds,
        undo=first.tag("Undo", "yes") != "no",
    )
    # The names were checked when the record was read, by the rules for stored names.
    return replace(match, names=first.names, series=_whole(last, "Series", str(rounds)))


def _whole(record: Record, name: str, default: str) -> int:
    with record.errors_at(name):
        number = read_number(record.tag(name, default))
    if not 1 <= number <= MOST_ROUNDS:
        raise RecordError(f"{name} must be between 1 and {MOST_ROUNDS:,}.", record.line_of(name))
    return number


_SHARED = (
    "Game", "Board", "Start", "Match", "Rounds", "Series", "Then", "Undo",
    "Player1", "Player2", "Kind1", "Kind2",
)  # fmt: skip


def _check_belongs(record: Record, first: Record, number: int) -> None:
    for name in _SHARED:
        if record.tag(name) != first.tag(name):
            raise RecordError(
                f"this game belongs to a different match: its tag {name} differs from round 1.",
                record.tags[0].at,
            )
    if _whole(record, "Round", str(number)) != number:
        raise RecordError(f"round {number} of the match is expected here.", record.line_of("Round"))


def _with_undone(match: Match, record: Record) -> Match:
    with record.errors_at("Undone"):
        undone = tuple(read_number(word) for word in record.tag("Undone").split())
    ahead = match
    for number in reversed(undone):
        event = NumberTaken(number)
        if ahead.over or not ahead.can_happen(event):
            raise RecordError(f"{number} cannot be redone here.", record.line_of("Undone"))
        ahead = begin(ahead.after(event)).match
    return replace(match, undone=undone)
