"""Reviews in English, as JSON, and as annotated records."""

from collections.abc import Iterator
from dataclasses import asdict, replace

from divisorduel.coach.review import Judgement, Review
from divisorduel.record.model import Line, Ply, Record
from divisorduel.rules.numbers import json_data
from divisorduel.words.listing import listing

MOST_LISTED = 10


def review_text(review: Review, *, lines: bool = False) -> Iterator[str]:
    """Yield the review line by line: a heading, the turns, and the summary.

    With `lines`, say how the game would have ended after each mistake.
    """
    record = review.record
    yield f"Review of {title_of(record)}: {' against '.join(record.names)}{_round_of(record)}"
    for judgement in review.judgements:
        name = record.names[judgement.seat - 1]
        said = (remark(judgement), line_text(judgement) if lines else "")
        yield " ".join(
            (f"Turn {judgement.turn}: {name} took {judgement.move}.", *filter(None, said))
        )
    yield summary(review)


def title_of(record: Record) -> str:
    """Name the game and the board."""
    return f"{record.game.book.title}, {record.game.span}"


def _round_of(record: Record) -> str:
    """Name the round, if the match has several."""
    return f", round {record.tag('Round', '1')}" if record.tag("Rounds", "1") != "1" else ""


def remark(judgement: Judgement) -> str:
    """Return what to say about a move; nothing if it was good."""
    match judgement.code:
        case "mistake":
            return f"Mistake! {refutation(judgement)}"
        case "unproven":
            return "(This position is too large to judge in the time allowed.)"
    return ""


def refutation(judgement: Judgement) -> str:
    """Say what would have won instead of a mistake, and which answer refutes it."""
    said = f"{_any_of(judgement.better)} would have won."
    if judgement.answer is None:
        return said
    at_once = ", which leaves no move" if len(judgement.line) == 1 else ""
    return f"{said} {judgement.move} loses to {judgement.answer}{at_once}."


def line_text(judgement: Judgement) -> str:
    """Say how the game ends after a mistake; nothing if that takes one move or is unknown."""
    if len(judgement.line) < 2:
        return ""
    line = ", ".join(map(str, judgement.line))
    if judgement.shortest:
        return f"The shortest win: {line}."
    return f"For example: {line} (there may be a shorter win)."


def summary(review: Review) -> str:
    """Say in a few sentences who made how many mistakes, and who could have won."""
    names = review.record.names
    gave_up = review.favours_end if review.gave_up_a_win else None
    counts = [sum(m.seat == seat for m in review.mistakes) + (gave_up == seat) for seat in (1, 2)]
    made = " and ".join(
        f"{name} made {count or 'no'} mistake{'' if count == 1 else 's'}"
        for name, count in zip(names, counts, strict=True)
    )
    said = [f"{made}{' that could be proven' if review.unproven else ''}."]
    first = review.judgements[0].favours if review.judgements else review.favours_end
    if first is not None:
        said.append(f"{names[first - 1]} was winning at the start.")
    if gave_up is not None:
        number, better = review.record.wrong_number, review.winning_at_the_end
        how = "forfeited" if number is None else f"took {number}, a wrong number"
        instead = f" {_any_of(better)} would have won." if better else ""
        said.append(f"{names[gave_up - 1]} could have won at the end, but {how}.{instead}")
    if review.unproven:
        turns = f"{len(review.unproven)} turn{'' if len(review.unproven) == 1 else 's'}"
        said.append(f"{turns} could not be judged in the time allowed.")
    return " ".join(said)


def _any_of(moves: tuple[int, ...]) -> str:
    rest = len(moves) - MOST_LISTED
    if rest <= 1:  # "one of 1 other" would be longer than the number
        return listing([*map(str, moves)], "or")
    return listing([*map(str, moves[:MOST_LISTED]), f"one of {rest} others"], "or")


def review_json(review: Review) -> dict[str, object]:
    """Return the review as plain data."""
    record = review.record
    return {
        "game": record.game.book.key,
        "board": record.game.board,
        "players": record.names,
        "first": record.first,
        "result": record.result,
        "turns": [_turn_json(judgement) for judgement in review.judgements],
        "favours_end": review.favours_end,
        "gave_up_a_win": review.gave_up_a_win,
        "summary": summary(review),
    }


def _turn_json(judgement: Judgement) -> dict[str, object]:
    fields = json_data(asdict(judgement))
    player = fields.pop("seat")
    said = {"text": remark(judgement), "line_text": line_text(judgement)}
    return {"player": player, **fields, "code": judgement.code, **said}


def review_record(review: Review) -> Record:
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
    new = (f"{remark(judgement)} {line_text(judgement)}".rstrip(), better)
    return Ply(ply.move, (*(note for note in ply.notes if note not in new), *new), ply.at)
