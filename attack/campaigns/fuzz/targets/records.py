"""Records and position codes: each is read back as it was written, or refused with its line."""

from random import Random

from attack.campaigns.fuzz.mutations import mutated_bytes
from attack.campaigns.fuzz.target import Target, check_sentence
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

HEADING = Heading("m", "2026-11-15")
TOKENS = [
    b"[", b"]", b'"', b"\\", b"{", b"}", b"(", b")", b"*", b"1-0", b"0-1", b"\n", b"\n\n", b" ",
    b"1.", b"2. 3 ", b"99999999", b"10000000", b"-", b",", b":", b"\x00", b"\xff", b"\xc3\xa9",
    b'[Game "descent"]\n', b'[Start "', b'[Rounds "1000"]\n', b"(1. 2 " * 200,
    b"9" * 5000, b"{}" * 5000,
]  # fmt: skip


def played_matches(rng: Random) -> list[Match]:
    """Play a match of every game with one round and one with three, and undo its last move."""
    played = []
    for key in ALL_KEYS:
        for game, rounds in ((default_game(key), 1), (small_game(key), 3)):
            match = Match.of(game, rounds=rounds, names=("Ann", "Zoë"))
            for _ in range(12):
                moves = list(game.moves(match.current.position))
                command = Take(rng.choice(moves)) if moves else Forfeit()
                match = decide(match, match.current.to_move, command).match
            played.append(decide(match, match.current.to_move, Undo()).match)
    return played


def records() -> list[bytes]:
    """Return whole records of every game: with rounds, forfeits, undone moves, variations."""
    written = [write_records(match_to_records(m, HEADING)) for m in played_matches(Random(0))]
    return [
        b'[Game "chain"]\n[Board "2-50"]\n\n{x} 1. 8 2. 4 {y} (2. 2 3. 46 (3. 26)) 3. 12 *\n',
        b'[Game "descent"]\n[Board "720720"]\n[Termination "wrong number 7"]\n\n1. 8 1-0\n',
        *(text.encode() for text in written),
    ]


def codes() -> list[bytes]:
    """Return codes of positions of every game."""
    return [
        write_code(record.game, position).encode()
        for match in played_matches(Random(0))
        for record in match_to_records(match, HEADING)
        for position in record.positions()
    ]


class Records(Target[bytes]):
    """Records of matches."""

    corpus = records()

    def make(self, rng: Random) -> bytes:
        """Change one of the records."""
        return mutated_bytes(rng, self.corpus, TOKENS)

    def check(self, given: bytes) -> str:
        """Read it; what was read can be written, read again, shown and continued."""
        try:
            read = read_records(given)
        except RecordError as error:
            return _refused(error, "refused")
        assert read_records(write_records(read)) == read
        for record in read:
            list(frames(record))  # whatever can be read can be shown
        try:
            match = records_to_match(read)
        except RecordError as error:
            return _refused(error, "record")
        again = write_records(match_to_records(match, HEADING))
        assert records_to_match(read_records(again)) == match
        return "match"


class Codes(Target[bytes]):
    """Position codes."""

    corpus = codes()

    def make(self, rng: Random) -> bytes:
        """Change one of the codes."""
        return mutated_bytes(rng, self.corpus, TOKENS)

    def check(self, given: bytes) -> str:
        """Read it; what was read can be written and read again."""
        try:
            game, position = read_code(given.decode("utf-8", "replace"))
        except CodeError as error:
            check_sentence(error)
            return "refused"
        assert read_code(write_code(game, position)) == (game, position)
        return "code"


def _refused(error: RecordError, outcome: str) -> str:
    check_sentence(error)
    assert error.line > 0, f"{error} does not name its line"
    return outcome
