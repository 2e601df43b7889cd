"""Who wins, in a sentence: the winner, how many moves win, and how it is proven."""

import pytest

from divisorduel.coach.analysis import Analysis, analyse
from divisorduel.rules.code import read_code
from divisorduel.solve.verdict import Verdict
from divisorduel.words.verdicts import verdict_text

NIMBERS, MATCHING = "nimbers of components", "maximum matching"
PRIMES = "counting prime factors"


@pytest.mark.parametrize(
    ("code", "sentence", "method"),
    [
        ("divider 2-9 2-9 -", "The player to move wins: 1 of the 8 moves wins.", NIMBERS),
        ("evens 2-20 2-20 -", "The player to move loses: none of the 10 moves wins.", MATCHING),
        ("divider 2-9 5 -", "The player to move wins: the only move wins.", NIMBERS),
        ("divider 2-9 5,7 -", "The player to move loses: neither of the 2 moves wins.", NIMBERS),
        ("divider 2-9 5,7,8 -", "The player to move wins: all 3 moves win.", NIMBERS),
        ("descent 720 - 6", "The player to move wins: both moves win.", PRIMES),
        ("chain 2-8 2,4,6 8", "The player to move wins: 1 of the 2 moves wins.", MATCHING),
    ],
)
def test_the_sentence_names_the_winner_the_moves_and_the_proof(
    code: str, sentence: str, method: str
) -> None:
    assert verdict_text(analyse(*read_code(code))) == f"{sentence} Proven by {method}."


def test_the_end_of_a_game_needs_no_proof() -> None:
    text = verdict_text(analyse(*read_code("divider 2-9 - -")))
    assert text == "No move is left: the player to move loses."


def test_an_only_move_that_loses_is_said_to_lose() -> None:
    only = verdict_text(analyse(*read_code("evens 2-20 2,4 14")))
    assert only == ("The player to move loses: the only move loses. Proven by maximum matching.")


def test_what_is_not_proven_is_not_claimed() -> None:
    def unproven(*winning: int) -> str:
        verdict = Verdict(
            winner=1 if winning else None,
            winning_moves=winning,
            nimber=None,
            method="exhaustive search",
            proven=False,
        )
        return verdict_text(Analysis(verdict, 9, ()))

    assert unproven().startswith("This position is too large to solve in the time allowed")
    assert "one winning move found so far" in unproven(4)
    assert "2 winning moves found so far" in unproven(4, 6)
