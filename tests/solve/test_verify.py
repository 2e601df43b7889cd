"""Every requirement of a certificate is checked, and what is wrong with it is named."""

import json
import sys
import tracemalloc
from collections.abc import Callable
from itertools import product
from time import process_time
from types import FrameType
from typing import Any

import pytest

from divisorduel import game, read_code
from divisorduel.rules.books.chain import Chain
from divisorduel.solve import verify as verify_module
from divisorduel.solve.budget import Budget
from divisorduel.solve.certificate import certificate
from divisorduel.solve.solver import solve
from divisorduel.solve.verify import CertificateError, verify

Claim = dict[str, Any]


def claim(code: str) -> Claim:
    """Return the certificate of a position."""
    read: Claim = json.loads(certificate(*read_code(code), Budget()))
    return read


CHAIN, EVENS, DESCENT = "chain 2-8 2-8 -", "evens 2-8 2-8 -", "descent 12 - 12"
ANTICHAIN, DIVIDER = "antichain 2-6 2-6 -", "divider 2-5 2-5 -"

DAMAGED = "This is not a certificate, or it is damaged."
PARTS = "This is not a certificate, or it is damaged."
MOVES = "The winning moves are not legal moves in ascending order."
NOT_MAXIMUM = "The barrier does not prove the matching maximum."


def path(move: str, *numbers: int) -> Callable[[Claim], object]:
    """Return a change to the path that a matching gives for a move."""
    return lambda c: c["proof"]["paths"].update({move: [*numbers]})


def proof(**parts: object) -> Callable[[Claim], object]:
    """Return a change to some parts of a proof."""
    return lambda c: c["proof"].update(parts)


def said(**parts: object) -> Callable[[Claim], object]:
    """Return a change to some parts of a claim."""
    return lambda c: c.update(parts)


def refused(text: str) -> str:
    with pytest.raises(CertificateError) as caught:
        verify(text)
    return str(caught.value)


@pytest.mark.parametrize("code", [CHAIN, EVENS, DESCENT, ANTICHAIN, DIVIDER])
def test_the_certificates_that_are_changed_below_are_valid(code: str) -> None:
    assert verify(json.dumps(claim(code))).endswith("\nThe proof is valid.")


@pytest.mark.parametrize(
    ("code", "change", "reason"),
    [
        (CHAIN, said(extra=1), PARTS),
        (CHAIN, lambda c: c.pop("nimber"), PARTS),
        (CHAIN, said(format="divisorduel certificate 2"), "The format of this certificate"),
        (CHAIN, said(position="chain 2-8 2-4,5-8 -"), "not written in its standard form"),
        (CHAIN, said(position="chess 2-8 2-8 -"), "Unknown game 'chess'."),
        (CHAIN, said(position=7), DAMAGED),
        (CHAIN, said(winner=True), "The winner must be 1 or 2."),
        (CHAIN, said(winner="1"), "The winner must be 1 or 2."),
        (CHAIN, said(winner=2), "The winner contradicts the moves."),
        (CHAIN, said(winner=0), "The winner contradicts the moves."),
        (EVENS, said(winner=1), "The winner contradicts the moves."),
        (DESCENT, said(nimber=-1), "The nimber is not a whole number."),
        (DESCENT, said(nimber="2"), "The nimber is not a whole number."),
        (CHAIN, said(winning_moves=[3, 2, 4, 5, 7, 8]), MOVES),
        (CHAIN, said(winning_moves=[2, 2, 3, 4, 5, 7, 8]), MOVES),
        (CHAIN, said(winning_moves=[2, 3, 4, 5, 7, 8, 9]), MOVES),
        (CHAIN, said(winning_moves=[2.0, 3, 4, 5, 7, 8]), MOVES),
        (DESCENT, said(winning_moves=[2.0, 3]), MOVES),
        (DESCENT, said(winning_moves=[3, 2]), MOVES),
        (DIVIDER, said(winning_moves=[5.0]), MOVES),
        (DIVIDER, said(winning_moves=[6]), MOVES),
        (ANTICHAIN, said(winning_moves=[3, 2]), MOVES),
        (CHAIN, said(winning_moves="2"), MOVES),
        (CHAIN, said(winning_moves={"2": 3}), MOVES),
        (CHAIN, proof(kind="wish"), "Unknown kind of proof: 'wish'."),
        (CHAIN, proof(kind=None), "Unknown kind of proof: None."),
        (CHAIN, lambda c: c["proof"].pop("kind"), DAMAGED),
        (CHAIN, said(proof=[]), DAMAGED),
        (CHAIN, proof(extra=1), "The proof must have pairs, barrier, paths."),
        (CHAIN, lambda c: c["proof"].pop("barrier"), "The proof must have pairs, barrier, paths"),
    ],
)
def test_a_claim_is_checked(code: str, change: Callable[[Claim], object], reason: str) -> None:
    changed = claim(code)
    change(changed)
    assert reason in refused(json.dumps(changed))


@pytest.mark.parametrize(
    ("code", "change", "reason"),
    [
        (CHAIN, said(nimber=1), "A matching does not prove a nimber."),
        (CHAIN, proof(pairs=[["3", "6"], [4, 8]]), "A pair must have two numbers."),
        (CHAIN, proof(pairs=[[3, 6], [4, 8], 5]), "A pair must have two numbers."),
        (CHAIN, proof(pairs=[[3, 6, 2], [4, 8]]), DAMAGED),
        (CHAIN, proof(barrier="6"), "The barrier must be a list of numbers."),
        (CHAIN, proof(barrier=[6.0]), "The barrier must be a list of numbers."),
        (
            CHAIN,
            lambda c: c["proof"]["paths"].update({"2": "2"}),
            "A path must be a list of numbers.",
        ),
        (CHAIN, proof(pairs=[[3, 6], [5, 8]]), "5 and 8 are not related."),
        (CHAIN, proof(pairs=[[3, 6], [4, 8], [1, 2]]), "1 and 2 are not related."),
        (CHAIN, proof(pairs=[[3, 6], [4, 8], [2, 8]]), "2 or 8 is in two pairs."),
        (CHAIN, proof(pairs=[[3, 6], [4, 8], [4, 2]]), "4 or 2 is in two pairs."),
        (CHAIN, proof(barrier=[6, 9]), "The barrier is wrong."),
        (CHAIN, proof(barrier=[6, 6]), "The barrier is wrong."),
        (CHAIN, proof(barrier=[]), "Nothing shows that 6 loses."),
        (CHAIN, proof(barrier=[2]), NOT_MAXIMUM),
        (CHAIN, proof(pairs=[[3, 6]]), NOT_MAXIMUM),
        (EVENS, proof(pairs=[[2, 6]]), NOT_MAXIMUM),
        (EVENS, proof(pairs=[]), NOT_MAXIMUM),
        (CHAIN, lambda c: c["proof"]["paths"].pop("2"), "Every winning move needs a path."),
        (CHAIN, path("6", 2, 6), "Every winning move needs a path."),
        (CHAIN, said(winning_moves=[2, 3, 4, 5, 7]), "Every winning move needs a path."),
        (
            CHAIN,
            lambda c: (c.update(winning_moves=[2, 3, 5, 7, 8]), c["proof"]["paths"].pop("4")),
            "Nothing shows that 4 loses.",
        ),
        (CHAIN, path("3", 2, 6), "The path to 3 does not show that it wins."),
        (CHAIN, path("3", 6, 3), "The path to 3 does not show that it wins."),
        (CHAIN, path("3", 2, 6, 3, 6, 3), "The path to 3 does not show that it wins."),
        (CHAIN, path("3", 3), "The path to 3 does not show that it wins."),
        (CHAIN, path("3", 5, 6, 3), "The path to 3 does not show that it wins."),
        (CHAIN, path("3", 9, 6, 3), "The path to 3 does not show that it wins."),
        (CHAIN, path("8", 2, 6, 8), "The path to 8 does not show that it wins."),
        (CHAIN, path("8", 2, 4, 2, 4, 8), "The path to 8 does not show that it wins."),
        (CHAIN, path("2", 9, 4, 2), "The path to 2 does not show that it wins."),
        (CHAIN, path("2"), "The path to 2 does not show that it wins."),
    ],
)
def test_a_matching_is_checked(code: str, change: Callable[[Claim], object], reason: str) -> None:
    changed = claim(code)
    change(changed)
    assert reason in refused(json.dumps(changed))


def test_a_walk_around_a_triangle_is_not_a_path() -> None:
    # 9, 3 and 12 lead to the triangle 12, 2, 4. The player who takes 3 loses to 9.
    valid = claim("chain 2-12 2-4,9,12 -")
    assert valid["winning_moves"] == [2, 4, 9, 12]
    paths = {"2": [9, 3, 12, 4, 2], "4": [9, 3, 12, 2, 4], "9": [9], "12": [9, 3, 12]}
    valid["proof"].update(pairs=[[3, 12], [2, 4]], barrier=[3], paths=paths)
    assert verify(json.dumps(valid)).endswith("The proof is valid.")
    valid["winning_moves"] = [2, 3, 4, 9, 12]
    valid["proof"]["paths"] = {**paths, "3": [9, 3, 12, 2, 4, 12, 3]}
    assert refused(json.dumps(valid)) == "The path to 3 does not show that it wins."


def test_a_path_alternates_between_pairs_and_other_edges() -> None:
    valid = claim("chain 2-32 2,4,8,16,32 -")  # each of them is related to all others
    paths = {"2": [32, 4, 2], "4": [32, 2, 4], "8": [32, 16, 8], "16": [32, 8, 16], "32": [32]}
    valid["proof"].update(pairs=[[2, 4], [8, 16]], barrier=[], paths=paths)
    assert verify(json.dumps(valid)).endswith("The proof is valid.")
    for wrong in ([32, 8, 4], [32, 2, 16, 8, 4], [32, 2, 4, 2, 4]):
        valid["proof"]["paths"] = {**paths, "4": wrong}
        assert refused(json.dumps(valid)) == "The path to 4 does not show that it wins."


def component(numbers: str, nimber: object) -> Callable[[Claim], object]:
    """Return a change to the nimber of a component."""
    return lambda c: c["proof"]["components"].update({numbers: nimber})


@pytest.mark.parametrize(
    ("code", "change", "reason"),
    [
        (ANTICHAIN, proof(components={}), "The component (3,) is missing."),
        (ANTICHAIN, lambda c: c["proof"]["components"].pop("2,4"), "The component (2, 4) is"),
        (ANTICHAIN, component("2-3,4,6", 0), "A component occurs twice."),
        (ANTICHAIN, component("2-4,6", 1), "The nimber of (2, 3, 4, 6) is wrong."),
        (ANTICHAIN, component("3", 2), "The nimber of (3,) is wrong."),
        (ANTICHAIN, component("3", 0), "The nimber of (3,) is wrong."),
        (ANTICHAIN, component("6", 0), "The nimber of (6,) is wrong."),
        (ANTICHAIN, component("3", "1"), "'1' is not a nimber."),
        (ANTICHAIN, component("3", -1), "-1 is not a nimber."),
        (ANTICHAIN, component("x", 1), "'x' is not a number or a range"),
        (ANTICHAIN, said(nimber=0), "The nimber is wrong."),
        (ANTICHAIN, said(nimber=2), "The nimber is wrong."),
        (ANTICHAIN, said(winning_moves=[2, 3]), "not those that leave nimber 0."),
        (DIVIDER, said(winning_moves=[2, 5]), "not those that leave nimber 0."),
        (DIVIDER, said(winning_moves=[5]), "not those that leave nimber 0."),
        (DIVIDER, said(winning_moves=[], winner=2), "not those that leave nimber 0."),
    ],
)
def test_the_nimbers_of_components_are_checked(
    code: str, change: Callable[[Claim], object], reason: str
) -> None:
    changed = claim(code)
    change(changed)
    assert reason in refused(json.dumps(changed))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (proof(factors=[[2, 2], [3, 1], [1, 1]]), "A factor is wrong."),
        (proof(factors=[[4, 1], [3, 1]]), "A factor is wrong."),
        (proof(factors=[[2, 2], [3, 1], [5, 0]]), "A factor is wrong."),
        (proof(factors=[[2, 2], [3, 1], [13, 1]]), "A factor is wrong."),
        (proof(factors=[[2, 5], [3, 1]]), "A factor is wrong."),
        (proof(factors=[[2, 2.0], [3, 1]]), "A factor is wrong."),
        (proof(factors=[[2, True], [3, 1]]), "A factor is wrong."),
        (proof(factors=[[2, 1], [3, 1]]), "The product of the factors is not the number."),
        (proof(factors=[[2, 4], [3, 1]]), "The product of the factors is not the number."),
        (proof(factors=[]), "The product of the factors is not the number."),
        (proof(factors=[[2, 1], [2, 1], [3, 1]]), "A prime occurs twice."),
        (said(nimber=1), "The nimber is wrong."),
        (said(nimber=3), "The nimber is wrong."),
        (said(nimber=None), "The nimber is wrong."),
        (said(winning_moves=[2]), "The winning moves are not the moves to a prime."),
        (said(winning_moves=[2, 3, 4]), "The winning moves are not the moves to a prime."),
        (said(winning_moves=[], winner=2), "The winning moves are not the moves to a prime."),
    ],
)
def test_prime_factors_are_checked(change: Callable[[Claim], object], reason: str) -> None:
    changed = claim(DESCENT)
    change(changed)
    assert reason in refused(json.dumps(changed))


def test_numbers_above_two_to_the_53_are_strings_in_a_certificate_or_numbers_as_before() -> None:
    prime = 2**61 - 1
    code = f"descent {2 * prime} - {2 * prime}"
    written = claim(code)
    assert written["winning_moves"] == [2, str(prime)]
    assert written["proof"]["factors"] == [[2, 1], [str(prime), 1]]
    assert "The proof is valid." in verify(json.dumps(written))
    proof = {"kind": "factors", "factors": [[2, 1], [prime, 1]]}
    before = {**written, "winning_moves": [2, prime], "proof": proof}
    assert "The proof is valid." in verify(json.dumps(before))
    wrongs: tuple[object, ...] = ({}, "2", str(prime), ["2", str(prime)])
    for wrong in wrongs:
        assert "not legal moves" in refused(json.dumps({**written, "winning_moves": wrong}))


@pytest.mark.parametrize("number", [13, 16, 27])
def test_the_factors_of_a_prime_or_a_power_of_a_prime_are_accepted(number: int) -> None:
    assert "The proof is valid." in verify(json.dumps(claim(f"descent {number} - {number}")))


@pytest.mark.parametrize(
    ("kind", "code", "reason"),
    [
        (CHAIN, ANTICHAIN, "A matching proves nothing about this game."),
        (ANTICHAIN, CHAIN, "This game does not split into components."),
        (DESCENT, CHAIN, "Prime factors prove nothing about this game."),
    ],
)
def test_a_proof_is_of_the_kind_that_fits_the_game(kind: str, code: str, reason: str) -> None:
    assert refused(json.dumps({**claim(code), "proof": claim(kind)["proof"]})) == reason


def without_trait(monkeypatch: pytest.MonkeyPatch) -> Claim:
    monkeypatch.setattr(Chain, "trait", None)
    return claim("chain 2-6 2-6 -")


def test_the_nimbers_of_positions_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    valid = without_trait(monkeypatch)
    assert verify(json.dumps(valid)).endswith("Nimber: 3\nThe proof is valid.")
    nimbers = valid["proof"]["nimbers"]
    for position in [*nimbers]:
        right = nimbers.pop(position)
        if position != "2-6 -":  # a claim is checked by what follows it
            assert " is missing." in refused(json.dumps(valid))
        for wrong in {0, 1, 5} - {right}:
            nimbers[position] = wrong
            assert " is wrong." in refused(json.dumps(valid))
        nimbers[position] = right
    for not_whole in ("1", -1, 1.0, None):
        proven = {"kind": "positions", "nimbers": {**nimbers, "2-6 -": not_whole}}
        assert "A nimber is not a whole" in refused(json.dumps({**valid, "proof": proven}))
    assert "The nimber is wrong." in refused(json.dumps({**valid, "nimber": 2}))
    assert MOVES in refused(json.dumps({**valid, "winning_moves": [7]}))
    for moves in ([5, 6], [4], []):
        changed = {**valid, "winning_moves": moves, "winner": 1 if moves else 2}
        assert "leave nimber 0" in refused(json.dumps(changed))


def test_a_part_that_occurs_twice_is_refused() -> None:
    text = json.dumps(claim(ANTICHAIN))
    twice = "A part of the certificate occurs twice."
    assert refused(text.replace('"winner": 1', '"winner": 2, "winner": 1')) == twice
    assert refused(text.replace('"3": 1', '"3": 5, "3": 1')) == twice


def test_a_report_says_what_is_proven() -> None:
    assert verify(json.dumps(claim(EVENS))) == (
        "Divisor Duel, even numbers 2 to 8: the second player wins.\n"
        "Position: evens 2-8 2-8 -\nWinning moves: none\nThe proof is valid."
    )
    assert verify(json.dumps(claim(DIVIDER))) == (
        "Divider Duel, 2 to 5: the first player wins.\n"
        "Position: divider 2-5 2-5 -\nWinning moves: 2\nNimber: 2\nThe proof is valid."
    )


@pytest.mark.parametrize(
    ("code", "who"),
    [("divider 2-5 2-4 -", "player to move wins"), ("divider 2-5 3,5 -", "player to move loses")],
)
def test_a_report_on_a_position_names_the_player_to_move(code: str, who: str) -> None:
    assert f": the {who}.\nPosition: {code}\n" in verify(json.dumps(claim(code)))


@pytest.mark.parametrize(("to", "count", "more"), [(12, 9, ""), (13, 10, ""), (27, 15, "5 more")])
def test_a_report_lists_ten_winning_moves_and_counts_the_others(
    to: int, count: int, more: str
) -> None:
    g = game("chain", to=to)
    winning = solve(g).winning_moves
    assert len(winning) == count
    listed = ", ".join(map(str, winning[:10])) + (f" and {more}" if more else "")
    assert f"\nWinning moves: {listed}\n" in verify(certificate(g, g.start(), Budget()))


def refused_cheaply(certificate: Claim) -> str:
    """Return why a certificate is refused, which must not take much memory."""
    text = json.dumps(certificate)
    tracemalloc.start()
    try:
        reason = refused(text)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 64 * 2**20
    return reason


def test_a_short_certificate_of_a_large_board_is_refused_before_the_board_is_listed() -> None:
    large, small = "chain 2-10000000 2-10000000 -", claim(CHAIN)
    said = {"position": large, "winning_moves": [2, 3], "winner": 1}
    empty = {"kind": "matching", "pairs": [], "barrier": [], "paths": {"2": [2], "3": [3]}}
    too_few = "The matching names too few of the playable numbers."
    assert refused_cheaply({**small, **said, "proof": empty}) == too_few
    alone = {"position": "chain 2-10000000 5000001-10000000 4999999", "winning_moves": [9999998]}
    proof = {**empty, "paths": {"9999998": [9999998]}}
    assert refused_cheaply({**small, **said, **alone, "proof": proof}) == too_few


def stars(count: int) -> Claim:
    """Return a claim about `antichain` whose proof lists stars: 2 and many of its multiples."""
    listed = {"2": 1, "1002": 1}
    for left_out in range(count):
        leaves = 1004 + 2 * left_out
        listed[f"2,1002-{leaves - 2},{leaves + 2}-2000" if left_out else "2,1002-2000"] = 2
    position = "antichain 2-2000:2 2 -"
    said = {"position": position, "winner": 1, "winning_moves": [2], "nimber": 1}
    return {**claim(ANTICHAIN), **said, "proof": {"kind": "nimbers", "components": listed}}


def test_a_short_certificate_may_list_few_wide_components_but_not_many() -> None:
    wide = "The components are too large for such a short proof."
    assert refused_cheaply(stars(100)) == wide
    star = read_code("antichain 2-2000:2 2,1002-2000 -")
    assert verify(certificate(*star, Budget())).endswith("The proof is valid.")


def test_a_long_certificate_may_list_components_in_proportion_to_its_length(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = certificate(*read_code("antichain 2-30 2-30 -"), Budget())
    monkeypatch.setattr(verify_module, "MANY_STEPS", 0)
    assert verify(text).endswith("The proof is valid.")
    monkeypatch.setattr(verify_module, "STEPS", 1)
    assert refused(text) == "The components are too large for such a short proof."


def within_steps(most: int, act: Callable[[], str]) -> str:
    """Do something that must take at most some steps of the interpreter."""
    steps = 0

    def count(frame: FrameType, event: str, _: object) -> Any:
        nonlocal steps
        frame.f_trace_opcodes = True
        steps += event == "opcode"
        assert steps <= most
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return act()
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("numbers", ["1-999,10000000", "1-500,5000000-5000500,9999998-10000000"])
def test_a_check_takes_steps_for_the_playable_numbers_and_not_for_the_board(numbers: str) -> None:
    empty = {"kind": "matching", "pairs": [], "barrier": [], "paths": {}}
    said = {"position": f"chain 1-10000000 {numbers} -", "winning_moves": [], "winner": 2}
    text = json.dumps({**claim(CHAIN), **said, "proof": empty})
    assert within_steps(2_000_000, lambda: refused(text)) == NOT_MAXIMUM


SAME_HASH = [7 + at * sys.hash_info.modulus for at in range(40_000)]
"""Numbers that Python's sets compare one by one: 800 million comparisons if they are in one set."""


@pytest.mark.parametrize(
    "change",
    [said(winning_moves=SAME_HASH, winner=1), proof(barrier=SAME_HASH)],
    ids=["moves", "barrier"],
)
def test_numbers_with_equal_hashes_are_refused_as_fast_as_others(
    change: Callable[[Claim], object],
) -> None:
    changed = claim(CHAIN)
    change(changed)
    text, started = json.dumps(changed), process_time()
    refused(text)
    assert process_time() - started < 2


def test_positions_with_equal_hashes_are_checked_as_fast_as_others() -> None:
    bits = [(number, number + 61) for number in range(2, 16)]  # 2 ** 61 has the hash of 1
    chosen = [",".join(map(str, sorted(each))) for each in product(*bits)]
    assert len({hash(sum(2 ** int(n) for n in each.split(","))) for each in chosen}) == 1
    listed = claim("antichain 2-80 - -")
    listed["proof"] = {"kind": "positions", "nimbers": dict.fromkeys(map("{} -".format, chosen), 0)}
    text, started = json.dumps(listed), process_time()
    refused(text)
    assert process_time() - started < 8


def test_numbers_that_are_not_connected_are_not_a_component() -> None:
    changed = claim(ANTICHAIN)
    changed["proof"]["components"]["3-4"] = 0
    assert refused(json.dumps(changed)) == "(3, 4) is not a component."


@pytest.mark.thorough
def test_a_list_of_a_thousand_components_on_a_wide_board_is_checked_in_time() -> None:
    numbers = [*range(50_000, 100_000, 50)]
    proof = {"kind": "nimbers", "components": {str(number): 1 for number in numbers}}
    board = "50000-99950"
    said = {"position": f"antichain {board}:50 {board} -", "winner": 2, "winning_moves": []}
    text = json.dumps({**claim(ANTICHAIN), **said, "nimber": 0, "proof": proof})
    assert "the second player wins" in verify(text)


def test_a_list_of_nimbers_is_refused_if_each_position_has_millions_of_bits() -> None:
    board = "9000000-10000000:10000"
    written = {f"{number}": 1 for number in range(9_000_000, 10_000_001, 10_000)}
    proof = {"kind": "nimbers", "components": written}
    said = {"position": f"antichain {board} {board.split(':')[0]} -", "proof": proof}
    assert refused_cheaply({**claim(ANTICHAIN), **said}) == (
        "The board is too large for a list of nimbers."
    )


def test_positions_are_listed_for_boards_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    valid = json.dumps(without_trait(monkeypatch))
    monkeypatch.setattr(verify_module, "MANY", 5)
    assert verify(valid).endswith("The proof is valid.")
    monkeypatch.setattr(verify_module, "MANY", 4)
    assert refused(valid) == "The board is too large for a list of nimbers."


def test_a_list_of_positions_is_refused_if_they_have_too_many_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    valid = without_trait(monkeypatch)
    listed = {f"{number} -": 1 for number in range(9_000_000, 9_500_000, 1_000)}
    said = {"position": "chain 1000-10000000:1000 1000-10000000 -", "winning_moves": [1000]}
    proof = {"kind": "positions", "nimbers": listed}
    assert refused_cheaply({**valid, **said, "proof": proof}) == (
        "The proof lists too many positions of such a large board."
    )
    said = {"position": "chain 2-10000000 2-10000000 -", "winning_moves": [2]}
    proof = {"kind": "positions", "nimbers": {"- 5000011": 0}}
    assert refused_cheaply({**valid, **said, "proof": proof}) == (
        "The board is too large for a list of nimbers."
    )


def test_factors_are_multiplied_no_further_than_the_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tested: list[int] = []

    def is_prime(number: int) -> bool:
        tested.append(number)
        return True

    monkeypatch.setitem(verify.__globals__, "is_prime", is_prime)
    number = 10**49
    changed = claim(f"descent {number} - {number}")
    wrong = "The product of the factors is not the number."
    for factors in ([[5, 3]] * 100_000, [[5, 100]] * 100):
        tested.clear()
        changed["proof"]["factors"] = factors
        assert refused(json.dumps(changed)) == wrong
        assert len(tested) < 2


def test_many_winning_moves_are_found_among_many_legal_ones() -> None:
    class Counted(int):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Counted.compared += 1
            return int(self) == other

        __hash__ = int.__hash__

    whole = json.loads(certificate(*read_code("chain 2-2000 2-2000 -"), Budget()))
    with pytest.MonkeyPatch.context() as patched:
        moves = Chain.moves
        patched.setattr(Chain, "moves", lambda *about: tuple(map(Counted, moves(*about))))
        assert "The proof is valid." in verify(json.dumps(whole))
    assert Counted.compared < 20_000


def test_a_message_shows_only_the_beginning_of_a_long_value() -> None:
    changed = claim(CHAIN)
    changed["proof"]["kind"] = "wish" * 1_000
    assert len(refused(json.dumps(changed))) < 300
