"""The games pass OpenSpiel's own test, and its algorithms agree with our solvers."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

from divisorduel import BoardError, Game, Position, game, read_code, solve, write_code
from divisorduel.bots import openspiel
from divisorduel.bots.openspiel import register
from divisorduel.rules.books.descent import Descent
from tests.conftest import ALL_KEYS, thorough_except

register()

CUSTOM = [
    "divisorduel_chain(to=20,opening=even)",
    "divisorduel_evens(from=4,to=40,step=4)",
    "divisorduel_descent(number=5040)",
]
SMALL = [
    "divisorduel_antichain(to=16)",
    "divisorduel_antichain(from=3,to=17)",
    "divisorduel_chain(to=14)",
    "divisorduel_chain(to=16,opening=low)",
    "divisorduel_descent(number=720)",
    "divisorduel_divider",
    "divisorduel_divider(to=15,opening=even)",
    "divisorduel_evens(to=24)",
    "divisorduel_juniper(to=11)",
]
"""Boards on which every position can be visited."""


@pytest.mark.parametrize(
    "name", thorough_except([*(f"divisorduel_{key}" for key in ALL_KEYS), *CUSTOM], *CUSTOM)
)
def test_a_game_passes_the_simulation_of_openspiel(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize("name", thorough_except(SMALL, "divisorduel_divider"))
def test_minimax_agrees_with_our_solvers_on_every_position(name: str) -> None:
    table = MinimaxSolver(name).solve()
    space = pyspiel.load_game(name).space
    assert {*table} == {write_code(space.game, p) for p in unfinished_positions(space.game)}
    for code, entry in table.items():
        played, position = read_code(code)
        verdict = solve(played, position)
        values = {space.numbers[at]: entry.action_values[at] for at in space.legal(position)}
        assert entry.value == (1 if verdict.winner == 1 else -1)
        assert tuple(move for move, value in values.items() if value > 0) == verdict.winning_moves


def unfinished_positions(played: Game) -> set[Position]:
    """Return every position that a game can reach and in which there is a move."""
    found, left = set[Position](), [played.start()]
    while left:
        position = left.pop()
        if position not in found and not played.is_over(position):
            found.add(position)
            left += [played.after(position, move) for move in played.moves(position)]
    return found


def test_a_game_is_loaded_with_its_parameters() -> None:
    loaded = pyspiel.load_game("divisorduel_chain(to=20,opening=even)")
    assert loaded.space.game == game("chain", to=20, opening="even")
    assert loaded.num_distinct_actions() == 19
    assert loaded.observation_tensor_shape() == [3, 19]
    state = loaded.new_initial_state()
    assert [state.action_to_string(0, action) for action in state.legal_actions()][:3] == [
        "2",
        "4",
        "6",
    ]


def test_a_state_shows_its_position() -> None:
    state = pyspiel.load_game("divisorduel_chain(to=6)").new_initial_state()
    state.apply_action(2)
    assert str(state) == state.observation_string(0) == "chain 2-6 2-3,5-6 4"
    rows = np.reshape(state.observation_tensor(1), (3, 5))
    assert rows.tolist() == [[1, 1, 0, 1, 1], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0]]


def test_the_player_who_cannot_move_loses() -> None:
    state = pyspiel.load_game("divisorduel_divider(to=3)").new_initial_state()
    for action in (0, 1):
        assert state.returns() == [0, 0]
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == [-1, 1]


def test_a_state_can_be_copied_and_serialised() -> None:
    loaded = pyspiel.load_game("divisorduel_antichain(to=12)")
    state = loaded.new_initial_state()
    state.apply_action(3)
    copy, read = state.clone(), loaded.deserialize_state(state.serialize())
    state.apply_action(state.legal_actions()[0])
    assert str(copy) == str(read) != str(state)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("divisorduel_descent(number=13)", "over before it begins"),
        ("divisorduel_chain(to=1)", "empty"),
        ("divisorduel_chain(to=1000000)", "at most 10,000"),
        ("divisorduel_chain(opening=odd)", "any, even or low"),
    ],
)
def test_a_board_that_cannot_be_played_is_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(BoardError, match=reason):
        pyspiel.load_game(name)


def test_a_state_cannot_begin_at_another_position() -> None:
    with pytest.raises(ValueError, match="begins at its start"):
        pyspiel.load_game("divisorduel_divider").new_initial_state({"position": "x"})


def test_a_rule_book_that_needs_a_parameter_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bare(Descent):
        book = replace(Descent.book, key="bare", first_board={})

    monkeypatch.setattr(openspiel, "rule_book_keys", lambda: ("bare",))
    monkeypatch.setattr(openspiel, "rule_book", lambda _: Bare)
    monkeypatch.setattr(openspiel, "parameters", lambda _: {"number": int})
    register()
    assert "divisorduel_bare" not in pyspiel.registered_names()


def test_a_process_that_registers_the_games_twice_ends_normally() -> None:
    script = (
        "from divisorduel.bots.openspiel import register; register(); register(); import pyspiel\n"
        "print(pyspiel.load_game('divisorduel_divider'))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"divisorduel_divider(")
