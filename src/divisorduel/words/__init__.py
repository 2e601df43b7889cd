"""How is it said? Sentences for hints, reviews, refusals and results."""
