"""Train the tabular Q-learner of OpenSpiel on divider 2 to 9, and measure its exact regret.

pip install 'divisorduel[openspiel]'
python examples/openspiel_qlearner.py curve.svg
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.tabular_qlearner import QLearner
from open_spiel.python.rl_tools import LinearSchedule

from divisorduel import solve
from divisorduel.bots.openspiel import DuelState, register
from divisorduel.lab.plot.figure import Curve, Figure
from divisorduel.lab.plot.svg import draw

GAME = "divisorduel_divider"
CHECKPOINTS = [0, 100, 200, 500, *range(1_000, 10_001, 1_000)]
"""The numbers of episodes after which the regret is measured."""
SEEDS = range(5)


def won_decisions(state: DuelState) -> Iterator[DuelState]:
    """Yield, once each, the states in which some moves keep the win and others give it away."""
    seen, waiting = set(), [state]
    while waiting:
        at = waiting.pop()
        key = str(at), at.current_player()
        if key in seen or at.is_terminal():
            continue
        seen.add(key)
        wins = len(solve(at.space.game, at.position).winning_moves)
        if 0 < wins < len(at.legal_actions()):
            yield at
        waiting += [at.child(action) for action in at.legal_actions()]


def regret(env: rl_environment.Environment, agents: list[QLearner]) -> float:
    """Return the share of won decisions that the agents give away."""
    decisions = [*won_decisions(env.game.new_initial_state())]
    given_away = 0
    for state in decisions:
        env.set_state(state.clone())
        agent = agents[state.current_player()]
        action = agent.step(env.get_time_step(), is_evaluation=True).action
        verdict = solve(state.space.game, state.position)
        given_away += state.space.numbers[action] not in verdict.winning_moves
    return given_away / len(decisions)


def learner(player: int, actions: int) -> QLearner:
    """Return an agent that tries everything at first, and later mostly what seems best."""
    return QLearner(player, actions, epsilon_schedule=LinearSchedule(1.0, 0.1, 40_000))


def train(seed: int) -> Iterator[tuple[int, float]]:
    """Let two agents play each other; yield the regret at each checkpoint."""
    np.random.seed(seed)  # the agents of OpenSpiel use it
    env = rl_environment.Environment(GAME)
    actions = env.action_spec()["num_actions"]
    agents = [learner(player, actions) for player in (0, 1)]
    for episode in range(CHECKPOINTS[-1] + 1):
        if episode in CHECKPOINTS:
            yield episode, regret(env, agents)
        step = env.reset()
        while not step.last():
            mover = agents[step.observations["current_player"]]
            step = env.step([mover.step(step).action])
        for agent in agents:
            agent.step(step)


def main() -> None:
    """Train once for each seed, print the regret, and draw it."""
    register()
    curves = []
    for seed in SEEDS:
        points = []
        for episode, share in train(seed):
            print(f"seed {seed}, {episode:>6} episodes: regret {share:.1%}", flush=True)
            points.append((episode, share))
        curves.append(Curve(f"seed {seed}", tuple(points), CHECKPOINTS[-1]))
    last = max(curve.points[-1][1] for curve in curves)
    figure = Figure(
        title="Exact regret of a tabular Q-learner on divider 2 to 9",
        description=f"{len(curves)} runs; at most {last:.1%} after {CHECKPOINTS[-1]:,} episodes.",
        source="python examples/openspiel_qlearner.py",
        unit="share",
        curves=tuple(curves),
        across="episodes",
    )
    Path(sys.argv[1]).write_text(draw(figure))


if __name__ == "__main__":
    main()
