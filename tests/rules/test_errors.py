"""Programs can rely on the code of an error, and errors can travel between processes."""

import pickle

import pytest

from divisorduel.play.match import MatchError
from divisorduel.play.players import UnknownPlayer
from divisorduel.record.model import RecordError
from divisorduel.rules.errors import (
    BoardError,
    CodeError,
    DuelError,
    IllegalMove,
    MissingExtra,
    NotANumber,
)
from divisorduel.rules.refusal import Refusal
from divisorduel.solve.verify import CertificateError
from divisorduel.store.atomic_file import StoreError
from divisorduel.store.match_files import ChangedElsewhere

CODES = {
    DuelError: "refused",
    BoardError: "bad-board",
    NotANumber: "not-a-number",
    IllegalMove: "illegal-move",
    CodeError: "bad-position-code",
    MissingExtra: "missing-extra",
    MatchError: "bad-match",
    UnknownPlayer: "unknown-player",
    RecordError: "bad-record",
    CertificateError: "bad-certificate",
    StoreError: "unusable-file",
    ChangedElsewhere: "changed-elsewhere",
}


@pytest.mark.parametrize(("kind", "code"), CODES.items())
def test_the_code_of_an_error_never_changes(kind: type[DuelError], code: str) -> None:
    assert kind.code == code
    assert issubclass(kind, ValueError)


def test_an_illegal_move_travels_between_processes_with_its_refusal() -> None:
    error = IllegalMove("9 is odd.", Refusal("opening-even", {"number": 9}))
    read = pickle.loads(pickle.dumps(error))
    assert (type(read), str(read), read.refusal) == (IllegalMove, "9 is odd.", error.refusal)


def test_a_missing_extra_is_named() -> None:
    error = MissingExtra("A cluster", "cluster")
    assert error.extra == "cluster"
    assert str(error).startswith("A cluster needs the extra 'cluster'. Install it: ")
    assert str(error).endswith(" 'divisorduel[cluster]'")
