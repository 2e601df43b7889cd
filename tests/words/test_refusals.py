"""Every refusal is worded as a sentence."""

from string import Formatter

import pytest
from hypothesis import given

from divisorduel import Match, game
from divisorduel.play.commands import Claim, Forfeit, Take
from divisorduel.play.decide import decide
from divisorduel.rules.refusal import Refusal
from divisorduel.words.refusals import _SENTENCES, forfeit_reason, refusal_text
from tests.play.example_matches import apart
from tests.play.test_decide import Sequence, decisions, matches, sequences


def test_every_refusal_is_worded_as_a_sentence() -> None:
    said: set[str] = set()

    @given(matches, sequences)
    def check(start: Match, asked: Sequence) -> None:
        for decision in decisions(start, asked):
            if decision.refusal is not None:
                said.add(refusal_text(decision.refusal, decision.before))

    check()
    assert len(said) > 5
    for one in said:
        assert one.endswith(".")
        assert one[0].isupper() or one[0].isdigit()


@pytest.mark.parametrize("code", sorted(_SENTENCES))
def test_every_code_has_a_sentence_that_its_parameters_complete(code: str) -> None:
    names = [name for _, name, _, _ in Formatter().parse(_SENTENCES[code]) if name]
    said = refusal_text(Refusal(code, dict.fromkeys(names, 7)), Match.of(game("chain")))
    assert said.endswith(".")
    assert "{" not in said


@pytest.mark.parametrize(("seconds", "time"), [("1", "1 second"), ("0.5", "0.5 seconds")])
def test_a_claim_made_too_early_says_when_to_try_again(seconds: str, time: str) -> None:
    refusal = Refusal("claim-too-early", {"name": "Bob", "seconds": seconds})
    said = refusal_text(refusal, Match.of(game("chain")))
    assert said.endswith(f"You can claim the win once they have been away for {time}.")


def test_a_wrong_number_is_explained_by_the_game() -> None:
    decision = decide(Match.of(game("chain")), 1, Take(60))
    assert decision.refusal is not None
    assert refusal_text(decision.refusal, decision.before) == "60 is not on the board (2 to 50)."


def test_the_reason_for_a_forfeit_is_the_wrong_number_or_that_the_player_left() -> None:
    wrong = decide(decide(Match.of(game("descent", number=16)), 1, Take(8)).match, 2, Take(3)).match
    assert forfeit_reason(wrong) == "3 does not divide 8."
    assert forfeit_reason(decide(apart(), 1, Claim()).match) == "Bob left the game."
    assert forfeit_reason(decide(apart(), 1, Forfeit()).match) == ""
    assert forfeit_reason(apart()) == ""
