"""Shows a review on a terminal."""

from collections.abc import Iterator

from divisorduel.coach.review import Review
from divisorduel.terminal.terminal import StyledText
from divisorduel.words.reviews import as_text


def show_review(review: Review) -> Iterator[StyledText]:
    """Yield a review with its mistakes in colour."""
    heading, *turns, summary = as_text(review)
    yield StyledText(f"{heading}\n", "heading")
    for judgement, line in zip(review.judgements, turns, strict=True):
        yield StyledText(f"{line}\n", "reason" if judgement.mistake else "", 4)
    yield StyledText(f"{summary}\n", "prose")
