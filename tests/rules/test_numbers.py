"""Numbers as people type them, sets of numbers, divisors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel import NotANumber
from divisorduel.rules.divisors import ProperDivisors, factors, is_prime
from divisorduel.rules.numbers import (
    bit_set,
    json_data,
    json_number,
    members,
    number_from_json,
    progression,
    read_number,
    relatives,
    write_number,
    write_runs,
)
from divisorduel.rules.relation import DIVISIBILITY, DIVISORS, MULTIPLES, Relation


@pytest.mark.parametrize(("text", "number"), [("8", 8), ("  8 ", 8), ("007", 7), ("0", 0)])
def test_a_number_is_ascii_digits_possibly_between_spaces(text: str, number: int) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    "text",
    ["", " ", "-3", "+3", "8.0", "1e3", "1 2", "1_000", "1,000", "٣", "\uff18", "8\t", "0x8", "II"],
)
def test_anything_else_is_not_a_number(text: str) -> None:
    with pytest.raises(NotANumber):
        read_number(text)


@pytest.mark.parametrize(
    ("digits", "number"),
    [
        ("9" * 99, 10**99 - 1),
        ("9" * 100, 10**100 - 1),
        ("0" * 50 + "9" * 100, 10**100 - 1),
        ("1" + "0" * 100, 10**100),
        ("9" * 101, 10**100),
    ],
)
def test_numbers_up_to_100_digits_are_told_apart(digits: str, number: int) -> None:
    assert read_number(digits) == number


def test_a_number_of_more_than_100_digits_is_written_as_a_phrase() -> None:
    assert write_number(10**100 - 1) == "9" * 100
    assert write_number(10**100) == write_number(10**200) == "A number that large"
    assert write_number(1 - 10**100) == f"-{'9' * 100}"
    assert write_number(-(10**100)) == write_number(-(10**4000)) == "A number that large"


def test_a_number_of_a_million_digits_is_still_a_number() -> None:
    assert read_number("9" * 1_000_000) == 10**100
    assert read_number("0" * 1_000_000 + "7") == 7


@given(st.integers(0, 2**60))
def test_a_number_is_read_from_json_as_it_was_written(number: int) -> None:
    assert number_from_json(json_number(number)) == number


def test_numbers_above_two_to_the_53_are_strings_in_json() -> None:
    exact, large = 2**53, 2**53 + 1
    data = {"moves": (exact, large), "proof": [[large, 2]], "proven": True, "nimber": None}
    assert json_data(data) == {
        "moves": [exact, str(large)],
        "proof": [[str(large), 2]],
        "proven": True,
        "nimber": None,
    }


@pytest.mark.parametrize("other", ["7", str(2**53), "0" * 20, f"0{2**60}", "9" * 5000, "", None, 7])
def test_a_text_that_is_not_a_large_number_is_left_as_it_is(other: object) -> None:
    assert number_from_json(other) is other


@given(st.sets(st.integers(0, 300)))
def test_a_set_lists_its_members_in_ascending_order(numbers: set[int]) -> None:
    assert members(bit_set(numbers)) == tuple(sorted(numbers))


@pytest.mark.parametrize("number", [4_095, 4_096, 4_097, 4_103, 4_104, 1_000_000])
def test_a_set_with_large_numbers_is_made_in_one_pass(number: int) -> None:
    assert bit_set([number, 3, 3, 0]) == 1 << number | 0b1001
    assert bit_set(iter([number])) == 1 << number


@given(st.integers(0, 200), st.integers(0, 200), st.integers(1, 30))
def test_a_progression_is_a_range(first: int, last: int, step: int) -> None:
    assert members(progression(first, last, step)) == tuple(range(first, last + 1, step))


@given(st.sets(st.integers(0, 60)), st.integers(0, 20), st.integers(0, 60), st.integers(1, 5))
def test_only_the_numbers_of_a_progression_are_written(
    numbers: set[int], first: int, last: int, step: int
) -> None:
    among = range(first, last + 1, step)
    written, read = write_runs(bit_set(numbers), among), set[int]()
    for run in () if written == "-" else written.split(","):
        low, _, high = run.partition("-")
        read |= {*range(int(low), int(high or low) + 1, step)}
    assert read == numbers & {*among}


@given(st.integers(1, 300), st.integers(1, 300))
def test_multiples_and_relatives_match_their_definitions(number: int, limit: int) -> None:
    above = [m for m in range(number + 1, limit + 1) if m % number == 0]
    below = [d for d in range(1, number) if number % d == 0]
    assert list(members(MULTIPLES.related_to(number, limit))) == above
    assert list(members(relatives(number, limit))) == below + above


@given(st.integers(2, 3000))
def test_proper_divisors_match_their_definition(number: int) -> None:
    divisors = [d for d in range(2, number) if number % d == 0]
    found = ProperDivisors(number)
    assert list(found) == divisors
    assert len(found) == len(divisors)
    assert bool(found) == bool(divisors)
    assert list(reversed(found)) == divisors[::-1]
    assert [found[at] for at in range(-len(divisors), len(divisors))] == divisors * 2
    assert found[1:-1] == tuple(divisors[1:-1])
    assert [d for d in range(number + 2) if d in found] == divisors


def test_one_has_no_proper_divisors() -> None:
    none = ProperDivisors(1)
    assert not none
    assert (len(none), [*none], [*reversed(none)]) == (0, [], [])
    assert 1 not in none
    assert 0 not in none


@pytest.mark.parametrize("relation", [DIVISIBILITY, MULTIPLES, DIVISORS])
@pytest.mark.parametrize(
    "numbers",
    [(), (7,), (2, 3, 4, 6, 12), (1, 2, 3, 7, 1_000, 2_100), (*range(1, 40),), (*range(1, 300),)],
)
def test_listing_the_neighbours_ticks_once_for_every_number(
    relation: Relation, numbers: tuple[int, ...]
) -> None:
    ticks: list[None] = []
    found = relation.neighbours(bit_set(numbers), lambda: ticks.append(None))
    assert len(ticks) == len(numbers)
    assert found == {n: [m for m in numbers if m != n and relation.holds(m, n)] for n in numbers}


@pytest.mark.parametrize("relation", [DIVISIBILITY, MULTIPLES, DIVISORS])
def test_listing_the_neighbours_ends_when_a_tick_raises(relation: Relation) -> None:
    def tick() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        relation.neighbours(bit_set([2, 4]), tick)


@given(st.integers(2, 10**20))
def test_factors_are_primes_whose_product_is_the_number(number: int) -> None:
    product = 1
    for prime, power in factors(number):
        assert is_prime(prime)
        product *= prime**power
    assert product == number


@pytest.mark.parametrize("other", ["3", 3.0, None, 1, 12, 0, -3, 5])
def test_only_whole_numbers_are_among_the_divisors(other: object) -> None:
    assert other not in ProperDivisors(12)
