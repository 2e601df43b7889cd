"""A review as text, as JSON, and as an annotated record."""

from collections.abc import Iterator
from dataclasses import replace

from divisorduel.coach.review import Judgement, Review
from divisorduel.play.events import Seat
from divisorduel.record.model import Line, Ply, Record

SHOWN = 10


def as_text(review: Review) -> Iterator[str]:
    """Yield the review in sentences, a line each."""
    record = review.record
    yield f"Review of {record.game.book.key} {record.game.board}: {' against '.join(record.names)}"
    for judgement in review.judgements:
        told = f" Mistake! {told_of(judgement)}" if judgement.mistake else ""
        if judgement.mistake is None:
            told = " (Whether this was a mistake could not be proven in time.)"
        yield f"Turn {judgement.turn}: {_name(record, judgement.seat)} took {judgement.move}.{told}"
    yield summary(review)


def summary(review: Review) -> str:
    """Say in a sentence or two how the game was won."""
    record = review.record
    gave_up = review.favours_end if review.gave_up_a_win else None
    counts = [sum(m.seat == seat for m in review.mistakes) + (gave_up == seat) for seat in (1, 2)]
    told = " and ".join(
        f"{name} made {count or 'no'} mistake{'' if count == 1 else 's'}"
        for name, count in zip(record.names, counts, strict=True)
    )
    first = review.judgements[0].favours if review.judgements else review.favours_end
    start = (
        "" if first is None else f" From the start, the game was {_name(record, first)}'s to win."
    )
    lost = ""
    if gave_up is not None:
        number = review.wrong_number
        by = "by forfeiting" if number is None else f"with the wrong number {number}"
        better = f": {_some(review.winning_at_the_end)} would have won"
        won_by = better if review.winning_at_the_end else ""
        lost = f" {_name(record, gave_up)} gave up a won game {by}{won_by}."
    unknown = ""
    if review.unproven:
        turns = f"{len(review.unproven)} turn{'' if len(review.unproven) == 1 else 's'}"
        unknown = f" {turns} could not be judged: not proven in time."
    return f"{told}{' that we know of' if unknown else ''}.{start}{lost}{unknown}"


def told_of(judgement: Judgement) -> str:
    """Say what would have won, and what punishes the mistake."""
    line = " ".join(map(str, judgement.line))
    known = "the shortest way" if judgement.shortest else "not known to be the shortest way"
    met = judgement.answer is not None
    answer = f" {judgement.move} is answered by {judgement.answer}" if met else ""
    ending = f": {line} ({known})." if judgement.line else "."
    return f"{_some(judgement.better)} would have won.{answer}{ending if answer else ''}"


def _some(moves: tuple[int, ...]) -> str:
    return ", ".join(map(str, moves[:SHOWN])) + (", ..." if len(moves) > SHOWN else "")


def _name(record: Record, seat: Seat) -> str:
    return record.names[seat - 1]


def as_json(review: Review) -> dict[str, object]:
    """Return the review as plain data."""
    record = review.record
    return {
        "game": record.game.book.key,
        "board": record.game.board,
        "players": record.names,
        "first": record.first,
        "result": record.result,
        "turns": [
            {
                "turn": judgement.turn,
                "player": judgement.seat,
                "move": judgement.move,
                "favours": judgement.favours,
                "mistake": judgement.mistake,
                "better": judgement.better,
                "answer": judgement.answer,
                "line": judgement.line,
                "shortest": judgement.shortest,
            }
            for judgement in review.judgements
        ],
        "favours_end": review.favours_end,
        "gave_up_a_win": review.gave_up_a_win,
        "summary": summary(review),
    }


def as_record(review: Review) -> Record:
    """Return the record with a comment and a variation at every mistake."""
    line = review.record.line
    plies = tuple(
        _annotated(ply, judgement) if judgement.mistake else ply
        for ply, judgement in zip(line.plies, review.judgements, strict=True)
    )
    intro = (*(said for said in line.intro if said != summary(review)), summary(review))
    return replace(review.record, line=Line(plies, intro))


def _annotated(ply: Ply, judgement: Judgement) -> Ply:
    better = Line((Ply(judgement.better[0], ("wins",)),))
    new = (f"Mistake. {told_of(judgement)}", better)
    return Ply(ply.move, (*(note for note in ply.notes if note not in new), *new), ply.at)
