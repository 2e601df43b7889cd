"""The taskset loads and scores as verifiers expects. Run it with: scripts/harnesses verifiers"""

import asyncio

import verifiers.v1 as vf
from verifiers_taskset import DuelConfig, DuelTask, DuelTaskset

from divisorduel import read_code, solve


def scored(task: DuelTask, reply: str) -> vf.Trace:
    """Return the trace of a model that gives this reply, scored by verifiers."""
    trace = vf.Trace(
        task=vf.TraceTask(type="DuelTask", data=task.data),
        agent=vf.AgentInfo(config=vf.AgentConfig()),
        nodes=[vf.MessageNode(message=vf.AssistantMessage(content=reply), sampled=True)],
    )
    asyncio.run(task.score(trace))
    return trace


def test_every_winning_move_is_rewarded_and_nothing_else() -> None:
    tasks = [*DuelTaskset(DuelConfig(to=20, count=10))]
    assert len({task.key for task in tasks}) == 10
    for task in tasks:
        assert task.data.prompt_text.startswith("Divisor Duel")
        game, position = read_code(task.data.question["position"])
        wins = solve(game, position).winning_moves
        for move in game.moves(position):
            trace = scored(task, f"So,\nANSWER: {move}")
            assert trace.rewards["winning_move"].score == (move in wins)
            assert trace.metrics["legal"] == 1
        for reply in ("ANSWER: 1000", "", "ANSWER: 2 or 3"):
            trace = scored(task, reply)
            assert trace.rewards["winning_move"].score == trace.metrics["legal"] == 0


def test_a_seed_repeats_the_questions() -> None:
    one, two, other = (
        [task.data.id for task in DuelTaskset(DuelConfig(count=5, seed=seed))] for seed in (1, 1, 2)
    )
    assert one == two != other
