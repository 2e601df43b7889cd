"""The lines of a record: the game itself, then its variations, each from the first move on."""

from divisorduel.record.lines import lines_of
from divisorduel.record.reader import read_records


def test_variations_follow_the_game_and_begin_at_its_start() -> None:
    [record] = read_records(
        '[Game "chain"]\n[Board "2-8"]\n\n8 (6 3) 4 (2 {a comment} 6 (4)) 2 *\n'
    )
    assert [*lines_of(record)] == [(8, 4, 2), (6, 3), (8, 2, 6), (8, 2, 4)]


def test_a_record_without_moves_has_one_empty_line() -> None:
    [record] = read_records('[Game "chain"]\n[Board "2-8"]\n\n*\n')
    assert [*lines_of(record)] == [()]
