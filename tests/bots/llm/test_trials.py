"""Trials are winning positions, the same for the same seed, and their floors are true."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import islice
from random import Random

import pytest

from divisorduel import Game, Position, game, solve
from divisorduel.bots.llm.chat_reply import ChatReply, Completion
from divisorduel.bots.llm.floors import CandidateMoves, floors
from divisorduel.bots.llm.trials import MODES, Trial, TrialMode, attempt, trials
from divisorduel.bots.questions import Question, QuestionError, questions
from divisorduel.play.players import Judge, greediest_moves

ANTICHAIN = game("antichain", to=12)


def saying(choose: Callable[[Question], object]) -> Callable[[Question], Awaitable[ChatReply]]:
    async def ask(question: Question) -> ChatReply:
        return ChatReply(Completion(f"ANSWER: {choose(question)}"))

    return ask


def winning(question: Question) -> int:
    return solve(question.game, question.position).winning_moves[0]


def losing(question: Question) -> int:
    wins = solve(question.game, question.position).winning_moves
    return next(move for move in question.game.moves(question.position) if move not in wins)


@pytest.mark.parametrize("mode", MODES)
def test_a_longer_run_begins_with_the_trials_of_a_shorter_one(mode: TrialMode) -> None:
    many = trials(ANTICHAIN, mode, 12, seed=3)
    assert trials(ANTICHAIN, mode, 5, seed=3) == many[:5]
    assert trials(ANTICHAIN, mode, 5, seed=4) != many[:5]
    assert len({trial.question.id for trial in many}) == 12


def test_single_positions_are_the_questions_of_duel_ask() -> None:
    asked = [*islice(questions(ANTICHAIN, "move", Random(7)), 5)]
    assert [trial.question for trial in trials(ANTICHAIN, "positions", 5, seed=7)] == asked


def test_an_opening_to_hold_has_a_winning_move_that_does_not_end_the_game() -> None:
    for trial in trials(ANTICHAIN, "conversion", 20, seed=0):
        g, position = trial.question.game, trial.question.position
        wins = solve(g, position).winning_moves
        assert any(not g.is_over(g.after(position, move)) for move in wins)


def test_a_board_that_is_too_small_is_reported() -> None:
    with pytest.raises(
        QuestionError, match=r"divider 2-6 has too few such positions \(\d+ found\)"
    ):
        trials(game("divider", to=6), "positions", 1000, seed=0)


@pytest.mark.parametrize("trial", trials(ANTICHAIN, "conversion", 5, seed=0))
def test_a_game_is_played_to_the_end_while_every_move_wins(trial: Trial) -> None:
    result = asyncio.run(attempt(trial, saying(winning), Judge()))
    g, position = trial.question.game, trial.question.position
    for move in result.moves:
        position = g.play(position, move)
    assert g.is_over(position)
    assert (result.outcome, result.asked, result.kept) == (
        "winning",
        len(result.moves) // 2 + 1,
        result.asked,
    )


def test_a_game_ends_with_the_first_move_that_loses() -> None:
    [trial] = trials(ANTICHAIN, "conversion", 1, seed=0)
    result = asyncio.run(attempt(trial, saying(losing), Judge()))
    assert (result.outcome, result.asked, result.kept) == ("losing", 1, 0)
    assert result.moves == (losing(trial.question),)


def held(g: Game, position: Position, choice: CandidateMoves) -> float:
    """Return the chance of holding a winning position, by going through every game.

    The opponent chooses as `perfect` does: any of the moves that are hardest to beat.
    """
    wins = {*solve(g, position).winning_moves}
    chosen = choice(g, position)
    total = 0.0
    for move in chosen:
        if move in wins:
            after = g.after(position, move)
            if g.is_over(after):
                total += 1
            else:
                replies = Judge().hardest_moves(g, after)
                total += sum(held(g, g.after(after, r), choice) for r in replies) / len(replies)
    return total / len(chosen)


def test_the_floors_of_single_positions_are_exact() -> None:
    for trial in trials(ANTICHAIN, "positions", 10, seed=0):
        g, position = trial.question.game, trial.question.position
        wins = {*solve(g, position).winning_moves}
        found = floors(trial, Judge())
        assert found.chance == len(wins) / g.number_of_moves(position)
        greedy = greediest_moves(g, position)
        assert found.greedy == len(wins & {*greedy}) / len(greedy)


def test_the_floors_of_openings_are_close_to_the_sum_over_all_games() -> None:
    judge = Judge()
    made = trials(ANTICHAIN, "conversion", 20, seed=0)
    found = [floors(trial, judge) for trial in made]
    places = [(trial.question.game, trial.question.position) for trial in made]
    chance = sum(held(g, position, lambda g, p: g.moves(p)) for g, position in places) / 20
    greedy = sum(held(g, position, greediest_moves) for g, position in places) / 20
    assert sum(one.chance for one in found) / 20 == pytest.approx(chance, abs=0.02)
    assert sum(one.greedy for one in found) / 20 == pytest.approx(greedy, abs=0.04)
    assert [floors(trial, Judge()) for trial in made] == found
