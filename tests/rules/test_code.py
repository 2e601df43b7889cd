"""Position codes can be read back, and other text is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel import CodeError, Position, game, read_code, write_code
from divisorduel.rules import numbers as numbers_module
from tests.conftest import ALL_KEYS, default_game


@pytest.mark.parametrize(
    ("key", "moves", "code"),
    [
        ("chain", (8,), "chain 2-50 2-7,9-50 8"),
        ("chain", (), "chain 2-50 2-50 -"),
        ("evens", (12, 6), "evens 2-20 2-4,8-10,14-20 6"),
        ("divider", (2, 3), "divider 2-9 5,7 -"),
        ("divider", (2, 3, 5, 7), "divider 2-9 - -"),
        ("descent", (360,), "descent 720 - 360"),
        ("juniper", (50,), "juniper 1-100 1-49,51-100 50"),
    ],
)
def test_a_position_has_a_short_code(key: str, moves: tuple[int, ...], code: str) -> None:
    g = default_game(key)
    position = g.start()
    for move in moves:
        position = g.play(position, move)
    assert write_code(g, position) == code
    assert read_code(code) == (g, position)


@given(data=st.data(), key=st.sampled_from(ALL_KEYS))
def test_every_position_reached_in_play_can_be_read_back(data: st.DataObject, key: str) -> None:
    g = default_game(key)
    position = g.start()
    while moves := list(g.moves(position)):
        assert read_code(write_code(g, position)) == (g, position)
        position = g.play(position, data.draw(st.sampled_from(moves)))
    assert read_code(write_code(g, position)) == (g, position)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "chain",
        "chain 2-50 2-50",
        "chain 2-50 2-50 - -",
        "chess 2-50 2-50 -",
        "chain 50-2 2-50 -",
        "chain 2-50 2-51 -",
        "chain 2-50 9-3 -",
        "chain 2-50 2-50 8",
        "chain 2-50 2-7 60",
        "chain 2-50 2-7 x",
        "chain 2-50 2--7 -",
        "chain 2-50 ,, -",
        "evens 2-20 3 -",
        "antichain 2-50 2-7 9",
        "descent 16 - 3",
        "descent 16 - 1",
        "descent 16 2-8 8",
        "descent 16 - -",
        "descent x - 8",
    ],
)
def test_text_that_is_not_a_code_is_refused(code: str) -> None:
    with pytest.raises(CodeError):
        read_code(code)


@given(st.text())
def test_any_text_is_a_code_or_refused(text: str) -> None:
    try:
        g, position = read_code(text)
    except CodeError:
        return
    assert read_code(write_code(g, position)) == (g, position)


@given(st.sets(st.integers(2, 50)))
def test_any_set_of_numbers_can_be_read_back(numbers: set[int]) -> None:
    g = game("antichain")
    position = Position.of(numbers)
    assert read_code(write_code(g, position)) == (g, position)


@given(
    st.integers(1, 4),
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)).map(sorted), min_size=1),
)
def test_runs_may_overlap_and_come_in_any_order(step: int, runs: list[list[int]]) -> None:
    board = range(3, 3 + 20 * step + 1, step)
    written = ",".join(f"{board[low]}-{board[high]}" for low, high in runs)
    _, position = read_code(f"chain 3-{board[-1]}{f':{step}' if step > 1 else ''} {written} -")
    assert {*position.numbers} == {n for low, high in runs for n in board[low : high + 1]}


def test_a_code_of_many_numbers_is_read_without_a_copy_of_the_board_for_each() -> None:
    numbers = [10_000_000, *range(2, 4_002, 2)]
    caches = numbers_module._progression, numbers_module._large_progression
    before = sum(cache.cache_info().misses for cache in caches)
    _, position = read_code(f"chain 2-10000000 {','.join(map(str, numbers))} -")
    assert {*position.numbers} == {*numbers}
    assert sum(cache.cache_info().misses for cache in caches) < before + 10


def test_a_position_without_numbers_is_empty() -> None:
    assert (Position().numbers, Position().last) == ((), None)
    assert Position.of([]) == Position()


def test_the_repr_of_a_position_can_be_evaluated() -> None:
    position = Position.of([2, 5], last=10)
    assert eval(repr(position)) == position
