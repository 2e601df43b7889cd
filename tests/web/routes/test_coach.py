"""Hints, reasons and reviews over HTTP."""

from collections.abc import Iterator

import pytest

from tests.web.clients import Match, Server, joined_match, solo


@pytest.fixture
def match(server: Server) -> Iterator[Match]:
    """Start a match of chain 2-8 between Ann and Bob, on two devices."""
    with joined_match(server.url) as match:
        yield match


def test_hints_come_step_by_step_and_the_last_names_a_winning_move(web: Server) -> None:
    with solo(web.url, game="chain", board={"to": 20}) as match:
        steps = [match.one.post(f"{match.one.at}/hint", step=step) for step in (1, 2, 3)]
        assert [step["more"] for step in steps] == [True, True, False]
        assert [step["move"] is None for step in steps] == [True, True, False]
        assert str(steps[2]["move"]) in steps[2]["text"]
        assert [step["code"] for step in steps] == ["winning", "winning-moves", "take"]
        assert steps[2]["params"] == {"move": steps[2]["move"]}
        why = match.one.get(f"{match.one.at}/why")
        assert why["move"] == steps[2]["move"]
        assert why["pairs"]
        assert why["code"] == "no-answer"
        assert why["params"] == {"move": why["move"], "answers": [], "more": False, "nimbers": []}
        assert str(why["move"]) in why["text"]
        assert not why["hidden"]


def test_no_more_hints_are_promised_on_a_board_that_is_too_large(web: Server) -> None:
    with solo(web.url, game="antichain", board={"to": 1000}) as match:
        hint = match.one.post(f"{match.one.at}/hint", step=1)
        assert (hint["code"], hint["more"]) == ("unproven", False)


@pytest.mark.parametrize("hints", [0, 1, 2])
def test_a_reason_reveals_no_move_that_the_hints_have_not_named(web: Server, hints: int) -> None:
    with solo(web.url, game="divider", board={"to": 9}) as match:
        why = match.one.get(f"{match.one.at}/why?hints={hints}")
        assert (why["code"], why["hidden"], why["move"]) == ("parts", True, None)
        assert why["params"] == {"move": None, "answers": [], "more": False, "nimbers": []}
        assert (why["pairs"], why["parts"]) == ([], [])
        assert not any(char.isdigit() for char in why["text"])
        match.one.get(f"{match.one.at}/why?hints=4", 422)


def test_hints_are_refused_in_a_match_without_hints(web: Server) -> None:
    with solo(web.url, hints=False) as match:
        for refused in (
            match.one.post(f"{match.one.at}/hint", 409, step=1),
            match.one.get(f"{match.one.at}/why", 409),
        ):
            assert refused["reason"] == "Hints are turned off in this game."


def test_hints_are_for_the_player_to_move_in_an_unfinished_game(match: Match) -> None:
    reason = "You can ask for a hint only on your turn."
    assert match.two.post(f"{match.two.at}/hint", 409)["reason"] == reason
    assert match.two.get(f"{match.two.at}/why", 409)["reason"] == reason
    match.one.do("forfeit")
    assert match.one.post(f"{match.one.at}/hint", 409)["reason"] == reason


@pytest.mark.both_databases
def test_a_round_can_be_reviewed_when_it_is_over_and_shown_once_it_has_begun(match: Match) -> None:
    at = match.one.at
    assert match.one.get(f"{at}/rounds/1/review", 409)["reason"] == (
        "The round is not over yet. You can review it once it is."
    )
    assert match.one.get(f"{at}/rounds/1")["legal"] == [2, 3, 4, 5, 6, 7, 8]
    assert match.one.get(f"{at}/rounds/2", 404)["reason"] == "Round 2 has not begun."
    match.one.get(f"{at}/rounds/2/review", 404)
    for number in ("0", "1001", "one", "-1"):
        match.one.get(f"{at}/rounds/{number}", 422)


def test_every_turn_of_a_review_has_a_code_and_a_remark(match: Match) -> None:
    match.one.do("take", number=6)
    match.two.do("forfeit")
    reviewed = match.one.get(f"{match.one.at}/rounds/1/review")
    assert [(turn["code"], turn["text"][:8]) for turn in reviewed["turns"]] == [
        ("mistake", "Mistake!")
    ]
