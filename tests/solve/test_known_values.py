"""Solvers find values known from the literature or from other programs."""

import pytest

from divisorduel import game
from divisorduel.rules.divisors import factors
from divisorduel.solve.budget import Budget
from divisorduel.solve.matching import maximum_matching
from divisorduel.solve.nimbers import nimbers_of
from divisorduel.solve.solver import solve


def test_the_second_player_wins_evens() -> None:
    verdict = solve(game("evens"))
    assert (verdict.winner, verdict.winning_moves) == (2, ())


def test_every_first_move_of_evens_has_one_winning_answer_its_partner() -> None:
    g = game("evens")
    partners = {2: 14, 4: 12, 6: 18, 8: 16, 10: 20}
    partners |= {large: small for small, large in partners.items()}
    for move in g.moves(g.start()):
        assert solve(g, g.play(g.start(), move)).winning_moves == (partners[move],)


def test_the_second_player_wins_evens_on_only_four_boards_up_to_100() -> None:
    lost = [n for n in range(2, 101, 2) if solve(game("evens", to=n)).winner == 2]
    assert lost == [4, 8, 12, 20]


def test_chain_has_43_winning_first_moves() -> None:
    verdict = solve(game("chain"))
    assert len(verdict.winning_moves) == 43
    assert set(range(2, 51)) - set(verdict.winning_moves) == {5, 7, 34, 38, 46, 50}


def test_only_22_and_26_win_juniper_green_on_40_numbers() -> None:
    assert solve(game("juniper", to=40)).winning_moves == (22, 26)


def test_38_even_numbers_win_juniper_green_up_to_100() -> None:
    assert len(solve(game("juniper")).winning_moves) == 38
    assert len(solve(game("juniper", opening="any")).winning_moves) == 73


def test_antichain_has_nimber_3_and_only_50_wins() -> None:
    verdict = solve(game("antichain"))
    assert (verdict.nimber, verdict.winning_moves) == (3, (50,))


def test_divider_has_nimber_5_and_only_4_wins() -> None:
    verdict = solve(game("divider"))
    assert (verdict.nimber, verdict.winning_moves) == (5, (4,))


def test_the_second_player_wins_divider_on_only_five_boards_up_to_34() -> None:
    lost = [n for n in range(2, 35) if solve(game("divider", to=n)).winner == 2]
    assert lost == [3, 7, 11, 23, 32]


@pytest.mark.parametrize("number", [2, 4, 12, 97, 720, 2**30, 10**30 + 57])
def test_the_nimber_of_descent_is_the_number_of_prime_factors_minus_one(number: int) -> None:
    verdict = solve(game("descent", number=number))
    assert verdict.nimber == sum(power for _, power in factors(number)) - 1
    assert all(len(factors(move)) == 1 for move in verdict.winning_moves)


def test_a_search_without_time_proves_nothing() -> None:
    ticks = iter(range(10_000_000))
    verdict = solve(game("divider", to=60), budget=Budget(50, clock=lambda: float(next(ticks))))
    assert not verdict.proven
    assert verdict.winner is None
    assert verdict.nimber is None


def test_a_winning_move_found_in_time_proves_the_winner_but_not_the_list() -> None:
    g = game("divider", to=25)
    whole = solve(g)
    partial = []
    for most in range(0, whole.positions, 100):
        nimbers_of.cache_clear()
        verdict = solve(g, budget=Budget(most_positions=most))
        assert set(verdict.winning_moves) <= set(whole.winning_moves)
        assert verdict.winner == (1 if verdict.winning_moves else None)
        assert not verdict.proven
        partial.append(verdict.winner)
    assert {None, 1} == set(partial)


def test_large_chains_respect_the_time_limit() -> None:
    ticks = iter(range(10_000_000))
    budget = Budget(2, clock=lambda: float(next(ticks)))
    verdict = solve(game("chain", to=1_000_000), budget=budget)
    assert (verdict.proven, verdict.winner) == (False, None)


def test_a_board_too_large_to_search_is_not_proven() -> None:
    assert not solve(game("antichain", to=100_000)).proven


@pytest.mark.parametrize("key", ["antichain", "divider"])
def test_a_search_of_a_thousand_numbers_starts_and_one_of_more_does_not(key: str) -> None:
    searched = []
    for largest in (1_001, 1_002):  # the smallest number is 2
        budget = Budget(most_positions=0)
        assert not solve(game(key, to=largest), budget=budget).proven
        searched.append(budget.positions > 0)
    assert searched == [True, False]


def test_a_search_can_be_stopped() -> None:
    budget = Budget()
    budget.stop()
    assert not solve(game("divider", to=41), budget=budget).proven


def test_a_maximum_matching_through_blossoms_is_found() -> None:
    # Two triangles joined by a path: the greedy start alone does not find all four pairs.
    edges = [(1, 2), (2, 3), (1, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (6, 8)]
    graph: dict[int, list[int]] = {n: [] for n in range(1, 9)}
    for a, b in edges:
        graph[a].append(b)
        graph[b].append(a)
    assert len(maximum_matching(graph, Budget()).pairs) == 4
