"""A review on a terminal."""

from collections.abc import Iterator

from divisorduel.coach.review import Review
from divisorduel.coach.review_report import as_text
from divisorduel.terminal.plain.transcript import Said


def show_review(review: Review) -> Iterator[Said]:
    """Yield a review, its mistakes in colour."""
    heading, *turns, summary = as_text(review)
    yield Said(f"{heading}\n", "heading")
    for judgement, line in zip(review.judgements, turns, strict=True):
        yield Said(f"{line}\n", "reason" if judgement.mistake else "", 4)
    yield Said(f"{summary}\n", "prose")
