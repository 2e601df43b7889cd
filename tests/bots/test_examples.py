"""The worked example does what the documents say."""

import runpy
from pathlib import Path

import pytest

from divisorduel.bots.openspiel import register

EXAMPLE = Path(__file__).parents[2] / "examples" / "openspiel_qlearner.py"


@pytest.mark.thorough
def test_a_tabular_learner_of_openspiel_reaches_zero_regret() -> None:
    register()
    run = runpy.run_path(str(EXAMPLE))["train"](0)
    regret = {}
    for episode, share in run:
        regret[episode] = share
        if episode == 5_000:
            break
    assert regret[0] > 0.5
    assert regret[5_000] == 0
