"""Mutates records and codes: each is read or refused with the library's own error, quickly.

``scripts/fuzz`` runs 100,000 of them; the tests run a short one.
"""

import argparse
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import FrameType

from divisorduel import (
    CodeError,
    Heading,
    Match,
    RecordError,
    decide,
    match_to_records,
    read_code,
    read_records,
    records_to_match,
    write_code,
    write_records,
)
from divisorduel.play.commands import Forfeit, Take, Undo
from divisorduel.terminal.plain.replay_view import frames
from tests.conftest import ALL_KEYS, default_game, small_game

LONGEST = 5
"""A file that takes this many seconds counts as hanging."""

TOKENS = [
    b"[", b"]", b'"', b"\\", b"{", b"}", b"(", b")", b"*", b"1-0", b"0-1", b"\n", b"\n\n", b" ",
    b"1.", b"2. 3 ", b"99999999", b"10000000", b"-", b",", b":", b"\x00", b"\xff", b"\xc3\xa9",
    b'[Game "descent"]\n', b'[Start "', b'[Rounds "1000"]\n', b"(1. 2 " * 200,
    b"9" * 5000, b"{}" * 5000,
]  # fmt: skip


def seeds() -> list[bytes]:
    """Return whole records of every game: with rounds, forfeits, undone moves, variations."""
    rng = Random(0)
    codes: list[bytes] = []
    found = [
        b'[Game "chain"]\n[Board "2-50"]\n\n{x} 1. 8 2. 4 {y} (2. 2 3. 46 (3. 26)) 3. 12 *\n',
        b'[Game "descent"]\n[Board "720720"]\n[Termination "wrong number 7"]\n\n1. 8 1-0\n',
    ]
    for key in ALL_KEYS:
        for game, rounds in ((default_game(key), 1), (small_game(key), 3)):
            match = Match.of(game, rounds=rounds, names=("Ann", "Zoë"))
            for _ in range(12):
                moves = list(game.moves(match.current.position))
                command = Take(rng.choice(moves)) if moves else Forfeit()
                match = decide(match, match.current.to_move, command).match
            match = decide(match, match.current.to_move, Undo()).match
            records = match_to_records(match, Heading("m", "2026-11-15"))
            found.append(write_records(records).encode())
            codes += [write_code(game, p).encode() for p in records[0].positions()]
    return found + rng.sample(codes, len(found))


def mutated(rng: Random, corpus: list[bytes]) -> bytes:
    data = bytearray(rng.choice(corpus))
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at, to = sorted(rng.choices(range(len(data) + 1), k=2))
        match rng.randrange(7):
            case 0:
                del data[at : at + rng.choice((1, 1, 2, 20))]
            case 1:
                data[at:at] = rng.choice(TOKENS)
            case 2:
                data[at : at + 1] = rng.randbytes(1)
            case 3:
                data[at:at] = data[at : min(to, at + 40)]
            case 4:
                data[at:] = rng.choice(corpus)[at:]
            case 5:
                del data[at:]
            case 6:
                data[at : at + 1] = b"0123456789"[rng.randrange(10) :][:1]
    return bytes(data)


def read_back(data: bytes) -> str:
    """Read a file, and check that what was read can be written and read again; tell what it was."""
    try:
        game, position = read_code(data.decode("utf-8", "replace"))
    except CodeError:
        pass
    else:
        assert read_code(write_code(game, position)) == (game, position)
        return "code"
    try:
        records = read_records(data)
    except RecordError as error:
        _names_its_line(error)
        return "refused"
    assert read_records(write_records(records)) == records
    for record in records:
        list(frames(record))  # whatever can be read can be shown
    try:
        match = records_to_match(records)
    except RecordError as error:
        _names_its_line(error)
        return "record"
    again = write_records(match_to_records(match, Heading("m", "2026-11-15")))
    assert records_to_match(read_records(again)) == match
    return "match"


def _names_its_line(error: RecordError) -> None:
    assert error.line > 0


def fuzz(count: int, seed: int) -> Iterator[str]:
    """Yield the outcome of each mutated file."""
    rng, corpus = Random(seed), seeds()
    for _ in range(count):
        data = mutated(rng, corpus)
        try:
            yield read_back(data)
        except BaseException:
            Path("fuzz-failure.duel").write_bytes(data)
            raise


def _hangs(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"a file took {LONGEST} seconds; it is in fuzz-failure.duel")


def main() -> None:
    """Fuzz as often as the first word says, with the second for a seed."""
    words = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__)
    words.add_argument("count", type=int, nargs="?", default=100_000)
    words.add_argument("seed", type=int, nargs="?", default=0)
    asked = words.parse_args()
    signal.signal(signal.SIGALRM, _hangs)
    outcomes: Counter[str] = Counter()
    signal.alarm(LONGEST)
    for outcome in fuzz(asked.count, asked.seed):
        outcomes[outcome] += 1
        signal.alarm(LONGEST)
    signal.alarm(0)
    told = ", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items()))
    print(f"{outcomes.total()} mutated files: {told}; none hung, none raised any other error")


if __name__ == "__main__":
    main()
