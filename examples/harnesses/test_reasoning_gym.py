"""The dataset works as reasoning-gym expects. Run it with: scripts/harnesses reasoning-gym"""

import reasoning_gym
import reasoning_gym_dataset  # noqa: F401  # registers the dataset
from reasoning_gym.composite import DatasetSpec

from divisorduel import read_code, solve


def test_every_winning_move_scores_and_nothing_else() -> None:
    data = reasoning_gym.create_dataset("divisor_duel", to=20, seed=1, size=20)
    assert len({item["metadata"]["position"] for item in data}) == len(data) == 20
    for item in data:
        game, position = read_code(item["metadata"]["position"])
        wins = solve(game, position).winning_moves
        assert item["question"].startswith("Divisor Duel")
        assert data.score_answer(item["answer"], item) == 1
        for move in game.moves(position):
            assert data.score_answer(f"So,\nANSWER: {move}", item) == (move in wins)
        for answer in ("1000", "", "ANSWER: 2 or 3", None):
            assert data.score_answer(answer, item) == 0


def test_a_seed_repeats_the_questions() -> None:
    one, two, other = (
        [item["question"] for item in reasoning_gym.create_dataset("divisor_duel", seed=s, size=5)]
        for s in (1, 1, 2)
    )
    assert one == two != other


def test_it_can_be_part_of_a_composite() -> None:
    spec = DatasetSpec("divisor_duel", weight=1, config={"game": "divider", "to": 20})
    data = reasoning_gym.create_dataset("composite", datasets=[spec], seed=3, size=4)
    for item in data:
        assert data.score_answer(item["answer"], item) == 1
