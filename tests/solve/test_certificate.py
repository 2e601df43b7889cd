"""Certificates are accepted as written, and refused if their meaning is changed."""

import copy
import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from attack.campaigns.fuzz.targets.certificates import Certificates, Changed, with_another_meaning
from divisorduel import Game, Position, game, read_code, write_code
from divisorduel.rules.books.chain import Chain
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.certificate import certificate
from divisorduel.solve.solver import solver_for
from divisorduel.solve.verify import CertificateError, verify
from tests.conftest import ALL_KEYS, default_game, examples, small_game, thorough_except


def certificate_of(g: Game, *moves: int) -> str:
    position = g.start()
    for move in moves:
        position = g.play(position, move)
    return certificate(g, position, Budget())


@pytest.mark.parametrize(
    "key", thorough_except(ALL_KEYS, "chain", "descent", "divider", "evens", "juniper")
)
def test_the_certificate_of_every_default_board_is_accepted(key: str) -> None:
    proven = verify(certificate_of(default_game(key)))
    assert f"\nPosition: {key} " in proven
    assert proven.endswith("\nThe proof is valid.")


@pytest.mark.parametrize("opening", ["even", "low"])
@pytest.mark.parametrize("key", ["chain", "antichain", "divider"])
def test_an_opening_rule_is_part_of_the_claim(key: str, opening: str) -> None:
    verify(certificate_of(game(key, to=20, opening=opening)))


def test_a_certificate_is_a_text_of_whole_lines_and_ends_once() -> None:
    text = certificate_of(game("descent", number=12))
    assert text.endswith("}\n")
    assert text.splitlines()[1:3] == [
        ' "format": "divisorduel certificate 1",',
        ' "position": "descent 12 - 12",',
    ]


@pytest.mark.parametrize("key", ALL_KEYS)
def test_what_is_not_proven_has_no_certificate(key: str) -> None:
    g = small_game(key)
    solver_for(g).clear_cache()
    budget = Budget()
    budget.stop()
    with pytest.raises(BudgetSpent):
        certificate(g, g.start(), budget)


def test_positions_within_a_game_have_certificates() -> None:
    verify(certificate_of(game("chain"), 8, 4, 12))
    verify(certificate_of(game("antichain", to=30), 7, 25))
    verify(certificate_of(game("divider", to=20), 13, 4))
    verify(certificate_of(game("descent", number=720), 36))
    verify(certificate_of(game("descent", number=720), 6))
    verify(certificate_of(game("divider"), 2, 3, 5, 7))


@st.composite
def codes(draw: st.DrawFn) -> str:
    """Return a position with few playable numbers on a board that may have a step."""
    key = draw(st.sampled_from(["antichain", "divider", "chain"]))
    step, low = draw(st.integers(1, 7)), draw(st.integers(2, 12))
    pool = range(low, low + step * draw(st.integers(3, 45)) + 1, step)
    numbers = draw(st.sets(st.sampled_from(pool), min_size=1, max_size=14))
    g = game(key, from_=pool[0], to=pool[-1], step=step)
    return write_code(g, Position.of(numbers))


@given(codes())
@example("antichain 2-68:3 2,11,20,41-50,56-62 -")
@example("divider 4-238:6 4,16-28,46-64,94,172,196-214,226-232 -")
@settings(max_examples=examples(200))
def test_every_certificate_that_is_written_is_accepted(code: str) -> None:
    assert f"\nPosition: {code}\n" in verify(certificate(*read_code(code), Budget()))


@pytest.mark.parametrize(("number", "moves"), [(97, ()), (720, (5,)), (2, ())])
def test_a_prime_of_descent_is_certified_as_lost(number: int, moves: tuple[int, ...]) -> None:
    text = certificate_of(game("descent", number=number), *moves)
    claim = json.loads(text)
    assert (claim["winner"], claim["winning_moves"], claim["nimber"]) == (2, [], 0)
    assert "Winning moves: none\nNimber: 0\nThe proof is valid." in verify(text)
    for wrong in ({"winner": 1, "winning_moves": [number]}, {"nimber": 1}, {"nimber": None}):
        with pytest.raises(CertificateError):
            verify(json.dumps({**claim, **wrong}))


@pytest.mark.thorough
def test_a_proof_lists_nimbers_for_boards_of_at_most_a_thousand_numbers() -> None:
    position = Position.of([7, 11, 14])
    verify(certificate(game("antichain", to=1_001), position, Budget()))
    text = certificate(game("antichain", to=1_002), position, Budget())
    with pytest.raises(CertificateError, match="The board is too large for a list of nimbers"):
        verify(text)


@pytest.mark.parametrize(("key", "to"), [("antichain", 5), ("divider", 4)])
def test_true_is_not_a_nimber(key: str, to: int) -> None:
    read = json.loads(certificate_of(game(key, to=to)))
    ones = [part for part, nimber in read["proof"]["components"].items() if nimber == 1]
    assert ones
    for part in ones:
        changed = copy.deepcopy(read)
        changed["proof"]["components"][part] = True
        with pytest.raises(CertificateError, match="True is not a nimber"):
            verify(json.dumps(changed))


def test_true_is_not_the_nimber_of_a_claim() -> None:
    claim = json.loads(certificate_of(game("descent", number=4)))
    assert claim["nimber"] == 1
    with pytest.raises(CertificateError, match="The nimber is not a whole number"):
        verify(json.dumps({**claim, "nimber": True}))


def test_true_is_not_the_nimber_of_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Chain, "trait", None)
    claim = json.loads(certificate_of(game("chain", to=6)))
    nimbers = claim["proof"]["nimbers"]
    nimbers[next(at for at, nimber in nimbers.items() if nimber == 1)] = True
    with pytest.raises(CertificateError, match="A nimber is not a whole number"):
        verify(json.dumps(claim))


def test_a_game_without_a_trait_has_a_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Chain, "trait", None)
    text = certificate_of(game("chain", to=8))
    assert json.loads(text)["proof"]["kind"] == "positions"
    verify(text)


@pytest.mark.thorough
def test_a_thousand_certificates_whose_meaning_was_changed_are_refused() -> None:
    rng = Random(5)
    for _ in range(1_000):
        changed = with_another_meaning(rng, rng.choice(Certificates.corpus))
        with pytest.raises(CertificateError):
            verify(json.dumps(changed))


def is_unchanged(changed: Changed) -> bool:
    try:
        return json.loads(changed.text) in Certificates.corpus
    except ValueError:
        return False


@pytest.mark.thorough
def test_whatever_is_changed_only_true_claims_are_accepted(tmp_path: Path) -> None:
    rng, target, outcomes = Random(6), Certificates(tmp_path), Counter[str]()
    seen: set[Changed] = set()
    while len(seen) < 1_500:
        changed = target.make(rng)
        if changed not in seen and not is_unchanged(changed):
            seen.add(changed)
            outcomes[target.check(changed)] += 1
    assert outcomes["refused"] > 1_000


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", "3", '{"format": 1}', "[" * 10_000, '"divisorduel"']
)
def test_text_that_is_not_a_certificate_is_refused(text: str) -> None:
    with pytest.raises(CertificateError):
        verify(text)


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ('"winner": 1', '"winner": true'),
        ('"winner": 1', '"winner": 1.0'),
        ('"winner": 1', '"winner": 2, "winner": 1'),
        ('"nimber": 6', '"nimber": 6.0'),
        ("descent 720 - 720", "descent  720 -  720"),
        ("descent 720 - 720", "descent 0720 - 720"),
        ("[\n    2,\n    4\n   ]", "[2, 99999999999]"),
        ("[\n    2,\n    4\n   ]", "[2, 1e400]"),
        ("[\n    2,\n    4\n   ]", "[2, true]"),
        ("[\n    2,\n    4\n   ]", "[4, 2]"),
        ("[\n    2,\n    4\n   ]", "[2]"),
    ],
)
def test_a_certificate_is_read_strictly(part: str, wrong: str) -> None:
    text = certificate_of(game("descent", number=720))
    assert part in text
    with pytest.raises(CertificateError):
        verify(text.replace(part, wrong))


def test_a_losing_move_cannot_be_smuggled_in() -> None:
    read = json.loads(certificate_of(game("chain")))
    read["winning_moves"] = sorted([*read["winning_moves"], 34])
    for path in ([34], [17, 34], [2, 17, 34]):
        read["proof"]["paths"]["34"] = path
        with pytest.raises(CertificateError):
            verify(json.dumps(read))
