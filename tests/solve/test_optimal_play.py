"""The winner wins as soon as possible, and the loser holds out as long as possible."""

from functools import cache

import pytest

from divisorduel import Game, Position, game
from divisorduel.solve import optimal_play
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.optimal_play import OptimalPlay, quick_line
from tests.coach.counted_budget import after_calls
from tests.conftest import ALL_KEYS, small_game
from tests.solve.test_oracle import reachable


@cache
def outcome(g: Game, position: Position) -> tuple[bool, int]:
    """Return whether the player to move wins, and after how many moves, by trying everything."""
    after = [outcome(g, g.after(position, move)) for move in g.moves(position)]
    if wins := [length for won, length in after if not won]:
        return True, 1 + min(wins)
    return False, 1 + max((length for _, length in after), default=-1)


@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_length_and_the_line_of_every_position_are_those_of_a_full_search(key: str) -> None:
    g = small_game(key)
    play = OptimalPlay(g)
    for position in reachable(g):
        _, length = outcome(g, position)
        assert play.length(position, Budget()) == length
        line = play.line(position, Budget())
        assert len(line) == length
        for move in line:
            won, left = outcome(g, position)
            assert move in g.moves(position)
            position = g.after(position, move)
            assert outcome(g, position) == (not won, left - 1)
        assert g.is_over(position)


def test_a_search_for_a_line_ends_in_the_middle_of_a_hard_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(optimal_play, "SECONDS", 3600.0)
    g = game("antichain", to=200)
    with pytest.raises(BudgetSpent):
        OptimalPlay(g).length(g.start(), after_calls(20))


def test_of_equal_moves_a_winner_takes_the_smallest_and_a_loser_the_largest() -> None:
    g = game("divider", to=7)
    assert OptimalPlay(g).line(Position.of([5, 7]), Budget()) == (7, 5)
    assert OptimalPlay(g).line(Position.of([3, 5, 7]), Budget()) == (3, 7, 5)


def test_positions_that_are_known_cost_nothing() -> None:
    g = game("divider", to=8)
    play, budget = OptimalPlay(g), Budget()
    length = play.length(g.start(), budget)
    searched = budget.positions
    assert searched > 1
    assert play.length(g.start(), budget) == length
    assert budget.positions == searched
    with pytest.raises(BudgetSpent):
        OptimalPlay(g).length(g.start(), Budget(most_positions=searched - 1))
    assert OptimalPlay(g).length(g.start(), Budget(most_positions=searched)) == length


@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_quick_line_is_won_by_the_winner_with_moves_that_leave_few_answers(key: str) -> None:
    g = small_game(key)
    for position in reachable(g):
        wins, _ = outcome(g, position)
        line = quick_line(g, position, Budget())
        assert len(line) % 2 == wins
        for move in line:
            won = outcome(g, position)[0]
            good = [
                m for m in g.moves(position) if not (won and outcome(g, g.after(position, m))[0])
            ]
            fewest = min(g.number_of_moves(g.after(position, m)) for m in good)
            assert move in good
            position = g.after(position, move)
            assert g.number_of_moves(position) == fewest
        assert g.is_over(position)


def test_what_cannot_be_proven_has_no_line() -> None:
    g = game("antichain", to=2_000)
    with pytest.raises(BudgetSpent):
        quick_line(g, g.start(), Budget())
    with pytest.raises(BudgetSpent):
        OptimalPlay(g).length(g.start(), Budget())


def test_a_quick_line_ends_when_the_budget_is_spent_between_two_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    g, budget, asked = game("chain", to=200), Budget(), list[Position]()

    def stop(_: Game, position: Position) -> int:
        asked.append(position)
        budget.stop()
        return 1

    monkeypatch.setattr(type(g), "number_of_moves", stop)
    with pytest.raises(BudgetSpent):
        quick_line(g, g.start(), budget)
    assert len(asked) == 1
