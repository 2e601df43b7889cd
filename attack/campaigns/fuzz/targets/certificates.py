"""Certificates: whatever is changed, only true claims are accepted."""

import copy
import json
from functools import cache
from random import Random
from typing import Any, NamedTuple

from attack.campaigns.fuzz.mutations import STRANGE_VALUES, changed_somewhere, mutated_json
from attack.campaigns.fuzz.target import Target, check_sentence
from divisorduel import Game, Verdict, game, read_code
from divisorduel.solve.budget import Budget
from divisorduel.solve.certificate import certificate
from divisorduel.solve.solver import solve
from divisorduel.solve.verify import CertificateError, verify

LARGEST = 500
"""Boards with more numbers take longer than a fuzzed input may; the oracle leaves them out."""


def boards() -> list[Game]:
    """Return a board for each kind of proof and each rule book."""
    return [
        game("chain", to=20),
        game("evens"),
        game("juniper", to=30),
        game("antichain", to=24),
        game("divider", to=14),
        game("descent", number=720),
    ]


def with_another_meaning(rng: Random, read: dict[str, Any]) -> dict[str, Any]:
    """Change one thing in a certificate so that it is false or proves nothing."""
    changed = copy.deepcopy(read)
    proof = changed["proof"]
    match rng.randrange(6):
        case 0:
            changed["winner"] = 3 - changed["winner"]
        case 1:
            changed["nimber"] = 1 if changed["nimber"] is None else changed["nimber"] + 1
        case 2 if changed["winning_moves"]:
            changed["winning_moves"].remove(rng.choice(changed["winning_moves"]))
        case 3 if proof["kind"] == "nimbers":
            key = rng.choice(list(proof["components"]))
            proof["components"][key] += rng.choice((1, 2))
        case 4 if proof["kind"] == "nimbers":
            del proof["components"][rng.choice(list(proof["components"]))]
        case 3 if proof["kind"] == "matching":
            proof["pairs"].remove(rng.choice(proof["pairs"]))
        case 4 if proof["kind"] == "matching" and proof["barrier"]:
            proof["barrier"] = []  # a part of a barrier can be another one
        case 5 if proof["kind"] == "matching" and proof["paths"]:
            path = proof["paths"][rng.choice(list(proof["paths"]))]
            path[rng.randrange(len(path))] += 1
        case 3 | 4 if proof["kind"] == "factors":
            rng.choice(proof["factors"])[rng.randrange(2)] += 1
        case _:
            words = changed["position"].split()
            words[0] = rng.choice(sorted({"chain", "antichain", "divider"} - {words[0]}))
            changed["position"] = " ".join(words)
    return changed


class Changed(NamedTuple):
    """A changed certificate, and whether it must be refused."""

    text: str
    proves_nothing: bool = False


class Certificates(Target[Changed]):
    """Certificates of six boards."""

    corpus = tuple(json.loads(certificate(g, g.start(), Budget())) for g in boards())
    strange = (*STRANGE_VALUES, *(read["proof"] for read in corpus))

    def make(self, rng: Random) -> Changed:
        """Change a certificate: what it claims, any part of it, or how it is written."""
        read = rng.choice(self.corpus)
        match rng.randrange(4):
            case 0:
                return Changed(json.dumps(with_another_meaning(rng, read)), proves_nothing=True)
            case 1:
                return Changed(mutated_json(rng, self.corpus).decode("utf-8", "replace"))
            case _:
                return Changed(json.dumps(changed_somewhere(rng, read, self.strange)))

    def check(self, given: Changed) -> str:
        """Verify it; the solvers agree with what is accepted."""
        if _is_large(given.text):
            return "large"
        try:
            verify(given.text)
        except CertificateError as error:
            check_sentence(error)
            return "refused"
        assert not given.proves_nothing
        claim = json.loads(given.text)
        verdict = solved(claim["position"])
        assert claim["winner"] == verdict.winner
        assert claim["nimber"] in (None, verdict.nimber)
        assert tuple(claim["winning_moves"]) == verdict.winning_moves
        return "accepted"


@cache
def solved(code: str) -> Verdict:
    """Return who wins a position."""
    return solve(*read_code(code))


def _is_large(text: str) -> bool:
    try:
        chosen, _ = read_code(json.loads(text)["position"])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return False
    return chosen.pool.bit_count() > LARGEST
