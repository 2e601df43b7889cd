"""What every command does with the files that it reads and writes.

The options are found in the commands, so a new one is covered as soon as it exists.
"""

import errno
import io
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import click
import pytest

from divisorduel.cli import main as cli
from divisorduel.cli.main import commands, front
from divisorduel.cli.options import FILE, OutputFile
from tests.bots.llm.fake_endpoint import playing, serving
from tests.conftest import THOROUGH, thorough_except

WORDS: dict[str, tuple[str, ...]] = {
    "ask": ("divider", "--to", "6", "--count", "1"),
    "arena": ("antichain", "--to", "12", "--player", "1", "--player", "2", "--pairs", "2"),
    "bench-llm": ("divider", "--size", "9", "--count", "1", "--model", "m", "--url", "URL"),
    "bot": ("--help",),
    "completion": ("bash",),
    "fair": ("evens", "--to", "6"),
    "games": (),
    "grade": ("q.jsonl", "a.jsonl"),
    "history": (),
    "host": ("--help",),
    "join": ("--help",),
    "mcp": ("--help",),
    "play": ("chain", "--to", "6", "--p1", "1", "--p2", "1", "--no-save"),
    "plot": ("t.csv", "--output", "plot.svg"),
    "puzzle": ("evens",),
    "replay": ("g.duel",),
    "resume": ("--list",),
    "review": ("g.duel",),
    "rules": ("chain",),
    "serve": ("--help",),
    "settings": (),
    "solve": ("chain", "--to", "6"),
    "stats": (),
    "table": ("divider", "2..4", "--together"),
    "verify": ("c.json",),
}
"""For each command, words with which it works in the folder of a test. URL is an endpoint."""
ALONE = {("table", "--check"), ("plot", "--output"), ("verify", "file"), ("plot", "files")}
ALONE |= {("replay", "file"), ("review", "file"), ("resume", "match")}
"""Options and arguments that do not go with all the words of their command."""
OTHERS = {
    ("plot", "--output"): ("t.csv",),
    ("grade", "questions"): (),
    ("grade", "answers"): ("q.jsonl",),
}
"""The words that they go with instead."""
AFTER = {("grade", "questions"): ("a.jsonl",)}
"""The words that come after the file."""
GAME = '[Game "divider"]\n[Board "2-3"]\n\n1. 2 2. 3 0-1\n'


class FileParameter(NamedTuple):
    """An option or an argument that names a file."""

    command: str
    name: str

    def words(self, file: str) -> list[str]:
        """Return a command line that is complete once it has the file."""
        others = OTHERS.get(self, () if self in ALONE else WORDS[self.command])
        named = [self.name, file] if self.name.startswith("--") else [file]
        return [self.command, *others, *named, *AFTER.get(self, ())]


def _file_parameters(*, written: bool) -> list[FileParameter]:
    found = []
    for name in commands():
        command = front.get_command(click.Context(front), name)
        for parameter in command.params if command else ():
            if isinstance(parameter.type, click.Path):
                assert parameter.type is FILE or isinstance(parameter.type, OutputFile)
                option = [*parameter.opts, parameter.name or ""][0]
                if isinstance(parameter.type, OutputFile) == written:
                    found.append(FileParameter(name, option))
    return found


def _cases(parameters: list[FileParameter]) -> list[Any]:
    kept = ("solve", "review", "resume")
    return [
        parameter if parameter.command in kept else pytest.param(parameter, marks=THOROUGH)
        for parameter in parameters
    ]


READ_FROM = [*_file_parameters(written=False), FileParameter("resume", "match")]
WRITTEN_TO = _file_parameters(written=True)
READ, WRITTEN = _cases(READ_FROM), _cases(WRITTEN_TO)
FORCE = pytest.mark.parametrize(
    "force", [(), pytest.param(("--force",), marks=THOROUGH)], ids=["", "force"]
)


class CommandResult(NamedTuple):
    """How a command result, and what it printed."""

    status: int
    out: str
    err: str


class Commands:
    """Runs commands in this process, in the folder of the test."""

    def __init__(
        self,
        patch: pytest.MonkeyPatch,
        folder: Path,
        capture: pytest.CaptureFixture[str],
        url: str,
    ) -> None:
        self._patch = patch
        self._capture = capture
        self.folder = folder
        self._url = url

    def run(self, words: list[str]) -> CommandResult:
        self._capture.readouterr()
        with self._patch.context() as patch:
            named = [self._url if word == "URL" else word for word in words]
            patch.setattr(sys, "argv", ["duel", *named])
            patch.setattr(sys, "stdin", io.StringIO())
            before = sys.stdout
            patch.setattr(sys, "stdout", before)
            with pytest.raises(SystemExit) as result:
                cli.main()
            if sys.stdout is not before:
                sys.stdout.close()
        out, err = self._capture.readouterr()
        return CommandResult(int(result.value.code or 0), out, err)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Run an endpoint with a language model, and return its address."""
    with serving(playing("perfect")) as endpoint:
        yield endpoint.url


@pytest.fixture
def duel_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str
) -> Commands:
    """Give a test a folder with a game, a table and a proof, and the commands."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "divisorduel").mkdir()  # the data folder
    (tmp_path / "g.duel").write_text(GAME)
    here = Commands(monkeypatch, tmp_path, capsys, url)
    assert here.run(["table", "divider", "2..4", "--together", "--output", "t.csv"]).status == 0
    assert here.run(["solve", "chain", "--to", "6", "--certificate", "c.json"]).status == 0
    assert here.run(["ask", *WORDS["ask"], "--output", "q.jsonl"]).status == 0
    (tmp_path / "a.jsonl").write_text("")
    return here


@pytest.fixture
def full_device(tmp_path: Path) -> Path:
    """Give a test a device of its own that is always full, as /dev/full is."""
    path = tmp_path / "full"
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 7))
        path.open("rb").close()
    except (OSError, AttributeError):
        pytest.skip("this account may not make devices")
    return path


def test_every_command_is_in_the_list_of_this_file() -> None:
    assert sorted(WORDS) == sorted(commands())
    assert {*READ_FROM} >= {FileParameter("verify", "file"), FileParameter("table", "--check")}
    assert {*WRITTEN_TO} >= {
        FileParameter("solve", "--certificate"),
        FileParameter("review", "--html"),
    }


@pytest.mark.parametrize("parameter", READ, ids=" ".join)
def test_an_endless_device_is_reported_in_a_sentence(
    duel_here: Commands, parameter: FileParameter
) -> None:
    result = duel_here.run(parameter.words("/dev/zero"))
    assert result == (1, "", "Error: /dev/zero is too large. A stream may have at most 64 MB.\n")


@pytest.mark.parametrize("parameter", READ, ids=" ".join)
def test_a_huge_file_is_reported_in_a_sentence(
    duel_here: Commands, parameter: FileParameter
) -> None:
    with (duel_here.folder / "huge.csv").open("wb") as file:
        file.truncate(10 * 2**30)
    result = duel_here.run(parameter.words("huge.csv"))
    assert result == (1, "", "Error: huge.csv is too large. A file may have at most 1,024 MB.\n")


@pytest.mark.parametrize("parameter", READ, ids=" ".join)
@pytest.mark.parametrize("data", [b"\xff\xfe\0\x01" * 9, b"\x80", b"\0"], ids=repr)
def test_data_that_is_not_text_is_reported_in_a_sentence(
    duel_here: Commands, parameter: FileParameter, data: bytes
) -> None:
    (duel_here.folder / "data.csv").write_bytes(data)
    result = duel_here.run(parameter.words("data.csv"))
    assert result.status == 1
    assert result.out == ""
    assert result.err.startswith(("Error: data.csv ", "Error: data.csv, line "))
    assert result.err.count("\n") == 1
    assert "codec" not in result.err


@pytest.mark.parametrize("parameter", WRITTEN, ids=" ".join)
def test_a_result_goes_to_standard_output(duel_here: Commands, parameter: FileParameter) -> None:
    before = {*duel_here.folder.iterdir()}
    result = duel_here.run(parameter.words("-"))
    assert result.status == 0
    target = "new.html" if parameter.name == "--html" else "new.csv"
    target = "new.svg" if parameter.command == "plot" else target
    assert {*duel_here.folder.iterdir()} == before, "there is no file called -"
    assert duel_here.run(parameter.words(target)).status == 0
    assert result.out == (duel_here.folder / target).read_text()


@pytest.mark.parametrize("parameter", WRITTEN, ids=" ".join)
def test_an_existing_file_is_replaced_only_by_force(
    duel_here: Commands, parameter: FileParameter
) -> None:
    mine = duel_here.folder / ("mine.svg" if parameter.command == "plot" else "mine.csv")
    mine.write_text("mine")
    result = duel_here.run(parameter.words(mine.name))
    assert result.status == 1
    assert result.err.startswith("Error: mine")
    assert result.err.endswith(" Choose another name, or use --force.\n")
    assert mine.read_text() == "mine"
    assert duel_here.run([*parameter.words(mine.name), "--force"]).status == 0
    assert len(mine.read_text()) > 100


class Pipe:
    """A named pipe, which is read until it is closed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        os.mkfifo(path)
        self._read = b""
        self._reader = Thread(target=self._listen)
        self._reader.start()

    def _listen(self) -> None:
        self._read = self.path.read_bytes()

    def read(self) -> str:
        """Return everything that was written, once it is closed."""
        self._reader.join()
        return self._read.decode()

    def end(self) -> None:
        """Close the pipe even if it was never written to."""
        os.close(os.open(self.path, os.O_RDWR | os.O_NONBLOCK))
        self._reader.join()


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    """Give a test a named pipe."""
    opened = Pipe(tmp_path / "pipe")
    yield opened
    opened.end()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("parameter", WRITTEN, ids=" ".join)
@FORCE
def test_a_pipe_is_written_to(
    duel_here: Commands, pipe: Pipe, parameter: FileParameter, force: tuple[str, ...]
) -> None:
    assert duel_here.run([*parameter.words("pipe"), *force]).status == 0
    assert pipe.path.is_fifo()
    assert pipe.read() == duel_here.run(parameter.words("-")).out


@pytest.mark.parametrize("parameter", WRITTEN, ids=" ".join)
@FORCE
def test_a_full_device_is_an_error_and_stays_a_device(
    duel_here: Commands, full_device: Path, parameter: FileParameter, force: tuple[str, ...]
) -> None:
    result = duel_here.run([*parameter.words("full"), *force])
    assert result[0] == 1
    assert result.err == "Error: full cannot be written: No space left on device.\n"
    assert full_device.is_char_device()


COMMAND_LINES = thorough_except(
    [
        ["--help"],
        ["--version"],
        *([name, "--help"] for name in commands()),
        *([name, *words] for name, words in WORDS.items()),
    ],
    ["--help"],
    ["games", "--help"],
    ["solve", *WORDS["solve"]],
    ["review", *WORDS["review"]],
)


@pytest.mark.parametrize("words", COMMAND_LINES, ids=" ".join)
def test_a_closed_standard_output_is_an_error(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["duel", *words])
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as result:
        cli.main()
    assert result.value.code == 1
    said = "Error: Standard output is closed. Redirect it to a file.\n"
    assert capsys.readouterr().err == said


class FullStream(io.StringIO):
    """A stream whose device has no space left."""

    def flush(self) -> None:
        if self.getvalue():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("words", COMMAND_LINES, ids=" ".join)
def test_a_full_standard_output_is_an_error(
    duel_here: Commands, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", FullStream())
        result = duel_here.run(words)
    assert result.status == 1
    assert result.err == "Error: No space left on device.\n"
