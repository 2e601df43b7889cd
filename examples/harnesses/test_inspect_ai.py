"""The task runs in Inspect. Run it with: scripts/harnesses inspect_ai"""

from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_task import divisor_duel

from divisorduel import read_code, solve


def test_the_accuracy_is_the_share_of_winning_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = divisor_duel(to=20, count=4)
    replies = []
    for at, sample in enumerate(made.dataset):
        game, position = read_code(sample.metadata["position"])
        wins = solve(game, position).winning_moves
        loss = next(move for move in game.moves(position) if move not in wins)
        said = [f"I see.\nANSWER: {wins[0]}", f"ANSWER: {loss}", "ANSWER: 1000", "Hm."][at]
        reply = ModelOutput.from_content("mockllm", said)
        reply.usage = ModelUsage()  # or Inspect would download a tokeniser to count its tokens
        replies.append(reply)
    model = get_model("mockllm/model", custom_outputs=replies)
    [log] = inspect_eval(made, model=model, log_dir=str(tmp_path), display="none", max_samples=1)
    assert log.status == "success"
    assert log.results is not None
    assert log.results.scores[0].metrics["accuracy"].value == 0.25
    marks = {one.scores["winning_move"].explanation for one in log.samples or []}
    assert marks == {"right", "wrong", "illegal", "no answer"}
