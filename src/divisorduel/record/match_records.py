"""Matches as records, one for each round, and back: what is saved is what can be replayed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from divisorduel.play.commands import Redo
from divisorduel.play.events import Forfeited, NumberTaken, Refused, RoundBegan, Seat
from divisorduel.play.match import MOST_ROUNDS, Match, Round, Then
from divisorduel.play.session import Session
from divisorduel.record.check import wrong_number
from divisorduel.record.model import Line, Ply, Record, RecordError, Result, Tag
from divisorduel.rules.code import write_code
from divisorduel.rules.errors import DuelError
from divisorduel.rules.numbers import read_number


@dataclass(frozen=True, slots=True)
class Heading:
    """What a record says that the match does not know."""

    match: str
    """A name that no other match has."""
    date: str


def match_to_records(match: Match, heading: Heading) -> tuple[Record, ...]:
    """Write a match down, one record for each round that has begun."""
    return tuple(
        Record(
            tags=tuple(_tags(match, heading, number)),
            line=Line(tuple(Ply(move) for move in played.moves)),
            result=_result(played),
        )
        for number, played in enumerate(match.played, 1)
    )


def _tags(match: Match, heading: Heading, number: int) -> Iterator[Tag]:
    played = match.played[number - 1]
    yield Tag("Game", match.game.book.key)
    yield Tag("Board", match.game.board)
    if match.start != match.game.start():
        yield Tag("Start", write_code(match.game, match.start))
    yield Tag("Match", heading.match)
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
    number = played.forfeit.wrong_number
    return "forfeit" if number is None else f"wrong number {number}"


def records_to_match(records: Sequence[Record]) -> Match:
    """Take a match up again where its records leave it. Raises `RecordError`.

    The records have been checked, as those of `read_records` are.
    """
    match = _agreed(records)
    for number, record in enumerate(records, 1):
        _check_belongs(record, records[0], number)
        _check_begun(match, record, number)
        for move in record.moves:
            match = match.after(NumberTaken(move))
        if record.winner and not match.current.winner:
            match = match.after(forfeit_of(record, match))
        if number < len(records) and (starter := match.next_starter) is not None:
            match = match.after(RoundBegan(starter))
    _check_ends(match, records)
    return _with_undone(match, records[-1])


def _agreed(records: Sequence[Record]) -> Match:
    """Set up the match as its first record says; later ones may have added rounds."""
    first, last = records[0], records[-1]
    rounds = _whole(last, "Rounds", "1")
    then: Then = next(t for t in get_args(Then) if t == first.tag("Then", "alternate"))
    try:
        match = Match.of(
            first.game,
            start=first.start,
            names=first.names,
            kinds=(first.tag("Kind1", "human"), first.tag("Kind2", "human")),
            first=first.first,
            then=then,
            rounds=rounds,
            undo=first.tag("Undo", "yes") != "no",
        )
    except DuelError as error:
        raise RecordError(str(error), first.tags[0].at) from None
    return replace(match, series=_whole(last, "Series", str(rounds)))


def _whole(record: Record, name: str, default: str) -> int:
    try:
        number = read_number(record.tag(name, default))
    except DuelError as error:
        raise RecordError(str(error), record.line_of(name)) from None
    if not 1 <= number <= MOST_ROUNDS:
        raise RecordError(f"{name} is between 1 and {MOST_ROUNDS}.", record.line_of(name))
    return number


_SHARED = (
    "Game",
    "Board",
    "Start",
    "Match",
    "Rounds",
    "Series",
    "Then",
    "Undo",
    "Player1",
    "Player2",
    "Kind1",
    "Kind2",
)


def _check_belongs(record: Record, first: Record, number: int) -> None:
    for name in _SHARED:
        if record.tag(name) != first.tag(name):
            raise RecordError(
                f"this game belongs to another match than the first one: its {name} differs.",
                record.tags[0].at,
            )
    if _whole(record, "Round", str(number)) != number:
        raise RecordError(f"round {number} of the match comes here.", record.line_of("Round"))


def _check_begun(match: Match, record: Record, number: int) -> None:
    if len(match.played) != number or match.current.starter != record.first:
        raise RecordError(
            f"round {number} does not follow from the rounds before it.", record.tags[0].at
        )


def forfeit_of(record: Record, match: Match) -> Forfeited:
    """Return the forfeit that ended a recorded game, given the match before it."""
    number = wrong_number(record)
    loser: Seat = 2 if record.result == "1-0" else 1
    if number is None:
        return Forfeited(loser)
    refusal = match.game.refusal(match.current.position, number, match.taken)
    reason = match.game.explain(refusal) if refusal else ""
    return Forfeited(loser, wrong_number=number, reason=reason)


def _check_ends(match: Match, records: Sequence[Record]) -> None:
    if match.current.winner and not match.over:
        raise RecordError(
            f"the file ends after round {len(records)} of {match.rounds}; the rest is missing.",
            records[-1].at,
        )


def _with_undone(match: Match, record: Record) -> Match:
    try:
        undone = tuple(read_number(word) for word in record.tag("Undone").split())
    except DuelError as error:
        raise RecordError(str(error), record.line_of("Undone")) from None
    session = Session(replace(match, undone=undone))
    for number in reversed(undone):
        legal = not session.match.game.refusal(session.match.current.position, number)
        if not legal or any(isinstance(event, Refused) for event in session.submit(Redo())):
            raise RecordError(f"{number} cannot be made again here.", record.line_of("Undone"))
    return replace(match, undone=undone)
