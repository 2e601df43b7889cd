"""The tables in data/ are correct: their hashes fit, and their rows can be reproduced."""

from pathlib import Path

import pytest

from divisorduel.lab.check_table import rows_to_check
from divisorduel.lab.formats import read_table
from divisorduel.solve.solver import solve

TABLES = sorted((Path(__file__).parents[2] / "data").glob("*.csv"))
AT_LEAST = {"antichain": 128, "antichain-winners": 128, "chain": 10_000, "divider": 58}


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.stem)
def test_the_hash_matches_and_quick_rows_can_be_reproduced(file: Path) -> None:
    table = read_table(file)
    assert table.hash_matches
    for row in rows_to_check(table, 40):
        verdict = solve(table.series.game(row.n), nimber=table.series.nimbers)
        assert verdict.proven
        assert row.outcome == ("first" if verdict.winner == 1 else "second")
        assert (row.nimber, row.winning_first_moves) == (verdict.nimber, len(verdict.winning_moves))


@pytest.mark.parametrize("key", AT_LEAST)
def test_no_board_is_missing_and_all_are_proven(key: str) -> None:
    table = read_table(TABLES[0].with_name(f"{key}.csv"))
    assert [row.n for row in table.rows] == [*range(2, table.rows[-1].n + 1)]
    assert all(row.is_proven for row in table.rows)
    assert table.rows[-1].n >= AT_LEAST[key]
