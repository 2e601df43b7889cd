"""Arguments of ``duel``: every command with every option, as its help lists them."""

import io
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import click

from attack.campaigns.fuzz.mutations import mutated_words
from attack.campaigns.fuzz.target import Target
from attack.campaigns.fuzz.targets.records import codes, records
from attack.campaigns.fuzz.targets.typed_lines import typed_lines
from divisorduel import game
from divisorduel.cli.main import commands, front, main
from divisorduel.cli.solve import NOT_PROVEN
from divisorduel.lab.executors.executor import SerialExecutor
from divisorduel.lab.formats import as_b_file, as_csv, as_json
from divisorduel.lab.make_table import make_table
from divisorduel.lab.series import Series
from divisorduel.play.names import JOINER
from divisorduel.rules.catalogue import rule_book_keys
from divisorduel.solve.budget import Budget
from divisorduel.solve.certificate import certificate

STATUSES = {0, 1, 2, 3, NOT_PROVEN}
"""The exit statuses of a program that no one interrupts."""

# Sizes are small, or too large for any board: a large board may take its time.
NUMBERS = [
    "0", "1", "2", "3", "7", "8", "12", "20", "-1", "1.5", "1e3", "007", "٣", "+8", "0x10", "x",
    "9" * 60, "", " 8 ",
]  # fmt: skip
STRANGE = [
    "", " ", "-", "--", "-h", "--help", "--version", "--no-such", "-x", "=", "--to=8", "--to", "8",
    "\u202e", "é", "\udcff", "\n", "%s", "x" * 3_000, "None", "*", "--json", "--budget=0",
]  # fmt: skip
SLOW = {"fair", "puzzle", "solve"}
"""Commands that may need many seconds for a default board, or for boards up to a number."""
SHORT = {"--to": "8", "--budget": "2"}
FILES = [
    "game.duel", "rounds.duel", "turned.duel", "broken.duel", "table.csv", "table.json", "b.txt",
    "proof.json", "broken.json", "empty", "folder", "missing.csv", "new.csv", "new.json", "new.txt",
    "new.svg", "new.html", "folder/new.csv", "no/such/folder", "x" * 300, ".", "\u202e.csv",
]  # fmt: skip
"""Names in the current folder: whatever a command writes, it does no harm."""
BY_NAME = {
    "boards": ["2..8", "2..2", "8..2", "2..", "..", "x", "2..99999999999", "-1..3", "4..9"],
    "budget": ["0", "5", "-1", "nan", "inf", "1e999", "x"],
    "cluster": [""],
    "code": [code.decode() for code in codes()] + ["", "chain", "chain 2-8 2-8 -", "chain 2-8 - 3"],
    "database": ["sqlite:///x", "sqlite://", "postgresql://", "x", "", "mysql://a/b"],
    "delay": ["0", "-1", "nan", "inf", "x"],
    "jobs": ["1", "2", "0", "257", "x"],
    "memory": ["1M", "64M", "1K", "0", "-1M", "9" * 16, "x", "1MB"],
    "names": ["Ann", "Bob", "", " ", "A\u200d", "A", "\u3164", "\u202e", "x" * 41, "\udcff"],
    "rounds": ["1", "2", "0", "1001", "x"],
    "saved": [*FILES[:5], "last", "1", "2", "0", "game", "../game", "missing", "", "\udcff"],
    "threads": ["1", "2", "0", "257", "x"],
}


class Call(NamedTuple):
    """The words after ``duel``, and what is typed."""

    words: list[str]
    lines: list[str]
    width: str


def files() -> dict[str, bytes]:
    """Return the files that a command can be given."""
    table = make_table(Series("divider", 2, 6))
    board = game("chain", to=12)
    turned = '[Game "chain"]\n[Board "2-12"]\n[Player1 "A\u202eB"]\n\n8 {\u202e x} 4 *\n'
    return {
        "game.duel": records()[0],
        "rounds.duel": records()[5],
        "turned.duel": turned.encode(),
        "broken.duel": records()[0][:-9],
        "table.csv": as_csv(table).encode(),
        "table.json": as_json(table).encode(),
        "b.txt": as_b_file(table).encode(),
        "proof.json": certificate(board, board.start(), Budget()).encode(),
        "broken.json": b'{"format": 1',
        "empty": b"",
    }


class Arguments(Target[Call]):
    """The command line, run in this process."""

    def __init__(self, folder: Path) -> None:
        """Find the options of all commands."""
        super().__init__(folder)
        self._files = files()
        context = click.Context(front)
        self._commands: dict[str, list[click.Parameter]] = {}
        for name in commands():
            command = front.get_command(context, name)
            assert command is not None
            self._commands[name] = command.params
            for part, within in getattr(command, "commands", {}).items():
                self._commands[f"{name} {part}"] = within.params

    def make(self, rng: Random) -> Call:
        """Give a command some of its options, and change a few words."""
        name = rng.choice(list(self._commands))
        words = [] if rng.random() < 0.05 else name.split()
        for parameter in self._commands[name] if words else ():
            is_likely = isinstance(parameter, click.Argument)
            if rng.random() < (0.95 if is_likely else 0.2):
                words += _words_for(rng, parameter)
        if rng.random() < 0.4:
            words = mutated_words(rng, words, [*STRANGE, *commands()])
        for option, value in SHORT.items() if SLOW & {*words} else ():
            words += [] if option in words else [option, value]
        width = rng.choice(("", "", "40", "1"))
        return Call(words, typed_lines(rng, 12), width)

    def check(self, given: Call) -> str:
        """Run it; it ends with a documented status, and says why if that is not 0."""
        _fill(self.folder, self._files)
        typed = "".join(f"{line}\n" for line in given.lines)
        arguments = patch.object(sys, "argv", ["duel", *given.words])
        with _streams(typed) as (out, err), _harmless(self.folder, given.width), arguments:
            status = _status_of_main()
        said, complained = (s.getvalue().decode("utf-8", "replace") for s in (out, err))
        assert status in STATUSES, f"status {status}: {complained[-300:]}"
        assert "Traceback" not in complained
        assert status == 0 or (said + complained).strip(), f"status {status} without a message"
        strange = {char for char in said + complained if not char.isprintable()}
        # A message may repeat what was typed.
        strange -= {"\n", "\t", JOINER, *"".join(given.words)}
        assert not strange, f"{strange} was printed"
        return f"status {status}"


def _status_of_main() -> object:
    try:
        main()
    except SystemExit as ended:
        return ended.code or 0
    raise AssertionError("main returned")


def _words_for(rng: Random, parameter: click.Parameter) -> list[str]:
    """Return the words that set a parameter."""
    count = 2 if parameter.nargs == -1 else parameter.nargs
    values = [rng.choice(_values(parameter)) for _ in range(count)]
    if isinstance(parameter, click.Argument):
        return values
    flag = parameter.opts[-1]
    return [flag] if getattr(parameter, "is_flag", False) else [flag, *values]


def _values(parameter: click.Parameter) -> list[str]:
    kind: Any = parameter.type
    if parameter.name in BY_NAME:
        return BY_NAME[parameter.name]
    if isinstance(kind, click.Choice):
        return [*kind.choices, "x"]
    if isinstance(kind, click.Path):
        return FILES
    if kind.name == "game":
        return [*rule_book_keys(), *rule_book_keys(), "CHAIN", "chian", ""]
    return NUMBERS


def _fill(folder: Path, content: dict[str, bytes]) -> None:
    """Restore the initial content of the folder."""
    for old in folder.iterdir():
        if old.is_dir():
            shutil.rmtree(old)
        else:
            old.unlink()
    for name, data in content.items():
        (folder / name).write_bytes(data)
    (folder / "folder").mkdir()


@contextmanager
def _streams(typed: str) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Give the program standard streams of its own."""
    before = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    written = (
        io.TextIOWrapper(out, encoding="utf-8"),
        io.TextIOWrapper(err, encoding="utf-8", errors="backslashreplace"),
    )
    source = io.BytesIO(typed.encode("utf-8", "surrogateescape"))
    sys.stdin = io.TextIOWrapper(source, encoding="utf-8")
    sys.stdout, sys.stderr = written
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        for stream in written:
            stream.flush()
            stream.detach()


@contextmanager
def _harmless(folder: Path, width: str) -> Iterator[None]:
    """Keep its files in the folder, start no server, and solve in this process."""
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "COLUMNS": width}
    with (
        patch.dict(os.environ, home),
        patch("divisorduel.web.server.bind", lambda _: socket.create_server(("127.0.0.1", 0))),
        patch("divisorduel.web.server.run"),
        patch("divisorduel.web.app.application"),
        patch("divisorduel.cli.table._executor", lambda *_: SerialExecutor()),
    ):
        yield
