"""The ladder of the levels is an arena, and its page says how it was made."""

from pathlib import Path

import pytest

from bench import ladder, level_steps
from divisorduel import game


def test_a_tiny_ladder_writes_the_whole_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "PLAYERS", ("random", "5", "perfect"))
    monkeypatch.setattr(ladder, "short_games", lambda: "Short games.\n")
    monkeypatch.setattr(level_steps, "GAMES", 2)
    monkeypatch.setattr(level_steps, "BOARDS", {"divider": {"to": 5}})
    page = tmp_path / "levels.md"
    ladder.main(["divider", "--pairs", "2", "--page", str(page)])
    lines = page.read_text().splitlines()
    assert "with 2 openings" in page.read_text()
    assert "twice with sides swapped: 12 games a board" in page.read_text()
    assert any(line.startswith("| `divider 2-5` | ") for line in lines)
    head = "| board | random | 5 | perfect |"
    regret, elo = (lines[at + 2] for at, line in enumerate(lines) if line == head)
    assert regret.startswith("| `divider 2-20` | ")
    assert regret.endswith(" | 0% |")
    assert elo.startswith("| `divider 2-20` | 0 | ")


@pytest.mark.thorough
def test_every_board_of_the_ladder_has_enough_openings() -> None:
    from random import Random

    from divisorduel.bots.arena.openings import openings
    from divisorduel.play.players import Judge

    for key, board in ladder.BOARDS.items():
        assert len(openings(game(key, **board), ladder.PAIRS, Random(0), Judge())) == ladder.PAIRS


def test_the_page_in_the_docs_begins_as_the_ladder_writes_it() -> None:
    assert ladder.PAGE.read_text().startswith(ladder.HEAD)
