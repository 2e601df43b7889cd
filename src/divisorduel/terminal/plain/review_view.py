"""A review on a terminal."""

from collections.abc import Iterator

from divisorduel.coach.review import Review
from divisorduel.terminal.plain.transcript import Styled
from divisorduel.words.reviews import as_text


def show_review(review: Review) -> Iterator[Styled]:
    """Yield a review, its mistakes in colour."""
    heading, *turns, summary = as_text(review)
    yield Styled(f"{heading}\n", "heading")
    for judgement, line in zip(review.judgements, turns, strict=True):
        yield Styled(f"{line}\n", "reason" if judgement.mistake else "", 4)
    yield Styled(f"{summary}\n", "prose")
