"""Tables and their checkpoints, with hashes that fit what was changed."""

import csv
import io
import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from attack.campaigns.fuzz.mutations import changed_somewhere, mutated_bytes
from attack.campaigns.fuzz.target import Target, check_sentence
from divisorduel.lab.check_table import rows_to_check
from divisorduel.lab.checkpoint import Checkpoint
from divisorduel.lab.formats import as_b_file, as_csv, as_json, read_b_file, read_table
from divisorduel.lab.make_table import TableBuilder, make_table
from divisorduel.lab.plot.figure import default_quantity
from divisorduel.lab.plot.svg import plot
from divisorduel.lab.series import Series
from divisorduel.lab.table import PROVEN, Row, Table
from divisorduel.rules.errors import DuelError
from divisorduel.store.atomic_file import StoreError

TOKENS = (
    b",", b"\n", b"\r", b'"', b"# ", b"#", b": ", b"first", b"second", b"?", b"9" * 400, b"1e999",
    b"NaN", b"-1", b"null", b"true", b'"' + b"x" * 140_000 + b'"', b"\x00", b"\xff", b"..",
    b" --to 3", b"{", b"[", b"[" * 5_000, b"command", b"sha256", b"\xef\xbb\xbf",
)  # fmt: skip
OTHER_COMMANDS = (
    "duel table divider 2..7", "duel table divider 2..9", "duel table divider 2..8 --step 2",
    "duel table divider 2..8 --no-nimbers", "duel table descent 2..8", "duel table evens 2..8",
    "duel table divider 2..99999999999", "duel table divider 8..2", "duel table nothing 2..8",
    "duel table divider '2..8", "", "duel table divider 2..8 --to 5",
)  # fmt: skip
SERIES = Series("divider", 2, 8)


def tables() -> list[Table]:
    """Return a table with nimbers, one without, and one of a game without a board."""
    return [
        make_table(SERIES),
        make_table(Series.within("chain", "4..9", {"opening": "low"})),
        make_table(Series.within("descent", "2..9", {}, nimbers=False)),
    ]


class Tables(Target[bytes]):
    """Tables as CSV and JSON, and b-files."""

    corpus = tables()

    def make(self, rng: Random) -> bytes:
        """Change a table in what it holds or in how it is written; often mend its hash."""
        table = rng.choice(self.corpus)
        if rng.random() < 0.5:
            data = json.loads(as_json(table))
            for _ in range(rng.choice((1, 1, 2, 3))):
                data = changed_somewhere(rng, data)
            if rng.random() < 0.8:
                data = _with_hash(data)
            return json.dumps(data).encode()
        written = rng.choice((as_csv, as_csv, as_b_file))(table).encode()
        changed = mutated_bytes(rng, [written], TOKENS)
        return _with_csv_hash(changed) if rng.random() < 0.8 else changed

    def check(self, given: bytes) -> str:
        """Read it; what was read can be written and read again, checked, plotted and reused."""
        path = self.folder / "t"
        path.write_bytes(given)
        _read_b_file(given)
        try:
            table = read_table(path)
        except StoreError as error:
            check_sentence(error)
            return "refused"
        path.write_text(as_json(table))
        assert read_table(path) == table
        path.write_text(as_csv(table))
        assert [row.cells(PROVEN) for row in read_table(path).rows] == [
            row.cells(PROVEN) for row in table.rows
        ]
        rows_to_check(table, None)
        rows_to_check(table, 3)
        as_b_file(table)
        try:
            plot([table], default_quantity([table]))
            TableBuilder(table.series).add_table(table, path)
        except DuelError as error:
            check_sentence(error)
            return "table of another version"
        return "table"


def _read_b_file(given: bytes) -> None:
    """Read a b-file, as a table that would replace it does."""
    with suppress(ValueError, LookupError):  # as the caller expects
        read_b_file(given.decode("utf-8", "replace"))


def _with_hash(data: Any) -> Any:
    """Give a changed table the hash of its rows, as far as it still has some."""
    try:
        lines = [",".join(PROVEN), *(_cells(row) for row in data["rows"])]
        data["sha256"] = sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    except (TypeError, LookupError, AttributeError, UnicodeEncodeError):
        pass  # there is nothing to hash
    return data


def _cells(row: Any) -> str:
    values = (row.get(name) for name in PROVEN)
    return ",".join("" if value is None else str(value) for value in values)


def _with_csv_hash(given: bytes) -> bytes:
    lines = given.decode("utf-8", "replace").split("\n")
    cells = [line for line in lines if line and not line.startswith("#")]
    try:
        rows = [",".join(row[: len(PROVEN)]) for row in csv.reader(io.StringIO("\n".join(cells)))]
    except csv.Error:
        return given
    found = sha256("".join(f"{row}\n" for row in rows).encode()).hexdigest()
    mended = [f"# sha256: {found}" if line.startswith("# sha256: ") else line for line in lines]
    return "\n".join(mended).encode()


class Checkpoints(Target[bytes]):
    """Checkpoints, line by line, each line with its hash."""

    def __init__(self, folder: Path) -> None:
        """Make a checkpoint of whole boards and single first moves."""
        super().__init__(folder)
        self._version = TableBuilder(SERIES).version
        solved = make_table(SERIES)
        header = {"command": SERIES.command, "version": self._version, "solvers": "Python solvers"}
        with Checkpoint(self.folder / "seed", SERIES, self._version) as checkpoint:
            checkpoint.open("Python solvers")
            for row in solved.rows[:4]:
                checkpoint.add((row.n, None), row)
            for move in (2, 3, 4):
                checkpoint.add((6, move), solved.rows[0])
            written = checkpoint.path.read_bytes().splitlines()
        self.corpus = [_without_hash(json.loads(line)) for line in written]
        assert self.corpus[0] == header

    def make(self, rng: Random) -> bytes:
        """Change some lines, with or without a hash that fits, and perhaps their order."""
        lines = list(self.corpus)
        for _ in range(rng.choice((1, 1, 2, 3))):
            at = rng.randrange(len(lines))
            match rng.randrange(6):
                case 0:
                    lines.append(rng.choice(lines))
                case 1:
                    del lines[at : at + 1]
                case 2 if isinstance(lines[at], dict) and "command" in lines[at]:
                    lines[at] = {**lines[at], "command": rng.choice(OTHER_COMMANDS)}
                case _:
                    lines[at] = changed_somewhere(rng, lines[at])
            if not lines:
                return b""
        text = b"".join(_hashed(line) + b"\n" for line in lines)
        return mutated_bytes(rng, [text], TOKENS) if rng.random() < 0.2 else text

    def check(self, given: bytes) -> str:
        """Continue from it; what was read is in the table, and in the checkpoint for next time."""
        output = self.folder / "t.json"
        Path(f"{output}.partial").write_bytes(given)
        builder = TableBuilder(SERIES)
        try:
            with Checkpoint(output, SERIES, self._version) as checkpoint:
                builder.resume(checkpoint, "Python solvers")
        except StoreError as error:
            check_sentence(error)
            return "refused"
        output.write_text(as_json(builder.table))
        assert read_table(output) == builder.table
        rows_to_check(builder.table, None)
        again = TableBuilder(SERIES)
        with Checkpoint(output, SERIES, self._version) as checkpoint:
            again.resume(checkpoint, "Python solvers")
        assert (again.table, again.done) == (builder.table, builder.done)
        assert all(isinstance(row, Row) for row in builder.table.rows)
        return "continued"


def _without_hash(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name != "sha256"}


def _hashed(line: Any) -> bytes:
    """Write a line as a checkpoint does, with a hash that fits."""
    if not isinstance(line, dict):
        return json.dumps(line).encode()
    found = sha256(json.dumps(line).encode()).hexdigest()[:16]
    return json.dumps({**line, "sha256": found}).encode()
