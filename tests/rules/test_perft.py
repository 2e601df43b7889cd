"""The number of move sequences by depth, which chess programmers call perft."""

import csv
from pathlib import Path

import pytest

from divisorduel import Game, Position, rule_book
from tests.data import perft_brute_force

TABLE = Path(__file__).parents[1] / "data" / "perft.csv"
ROWS = list(csv.DictReader(TABLE.read_text().splitlines()))


def perft(game: Game, position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    moves = game.moves(position)
    return sum(perft(game, game.play(position, move), depth - 1) for move in moves)


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: f"{row['game']}-{row['board']}-{row['depth']}"
)
def test_the_rules_allow_as_many_sequences_as_the_table_says(row: dict[str, str]) -> None:
    game = rule_book(row["game"]).on_board(row["board"])
    assert perft(game, game.start(), int(row["depth"])) == int(row["sequences"])


@pytest.mark.thorough
def test_the_table_matches_a_brute_force_count() -> None:
    counted = [tuple(map(str, row)) for row in perft_brute_force.table()]
    assert counted == [tuple(row.values()) for row in ROWS]


def test_every_rule_book_is_in_the_table(all_keys: tuple[str, ...]) -> None:
    assert {row["game"] for row in ROWS} == set(all_keys)
