"""Mutate records and codes, and check that each is either read or refused, without delay.

``scripts/fuzz`` tries 100,000 mutations unless told otherwise; the tests try 3,000.
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

TIMEOUT = 5
"""A file that takes this many seconds counts as hanging."""

TOKENS = [
    b"[", b"]", b'"', b"\\", b"{", b"}", b"(", b")", b"*", b"1-0", b"0-1", b"\n", b"\n\n", b" ",
    b"1.", b"2. 3 ", b"99999999", b"10000000", b"-", b",", b":", b"\x00", b"\xff", b"\xc3\xa9",
    b'[Game "descent"]\n', b'[Start "', b'[Rounds "1000"]\n', b"(1. 2 " * 200,
    b"9" * 5000, b"{}" * 5000,
]  # fmt: skip


def seeds() -> list[bytes]:
    """Return records and codes of every game, with forfeits, undone moves and variations."""
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
    """Read a file and check that it can be written and read again. Return what it was."""
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
        _check_line(error)
        return "refused"
    assert read_records(write_records(records)) == records
    for record in records:
        list(frames(record))  # every record that can be read can be shown
    try:
        match = records_to_match(records)
    except RecordError as error:
        _check_line(error)
        return "record"
    again = write_records(match_to_records(match, Heading("m", "2026-11-15")))
    assert records_to_match(read_records(again)) == match
    return "match"


def _check_line(error: RecordError) -> None:
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


def _raise_timeout(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"a file took {TIMEOUT} seconds. It is saved as fuzz-failure.duel.")


def main() -> None:
    """Run the fuzzer with the count and the seed from the command line."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=100_000)
    parser.add_argument("seed", type=int, nargs="?", default=0)
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _raise_timeout)
    outcomes: Counter[str] = Counter()
    signal.alarm(TIMEOUT)
    for outcome in fuzz(options.count, options.seed):
        outcomes[outcome] += 1
        signal.alarm(TIMEOUT)
    signal.alarm(0)
    counts = ", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items()))
    print(f"{outcomes.total()} mutated files: {counts}; none hung or raised another error")


if __name__ == "__main__":
    main()
