"""How commands are found, and how errors become exit statuses."""

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

import divisorduel
from divisorduel.cli import main as cli
from divisorduel.cli.main import commands, front
from divisorduel.rules.errors import BoardError, DuelError, IllegalMove, MissingExtra
from divisorduel.rules.refusal import Refusal
from divisorduel.store.atomic_file import StoreError
from divisorduel.terminal.terminal import EndOfInput
from tests.conftest import Duel, thorough_except

SHARED = {"__init__", "main", "options"}


def test_every_module_in_the_folder_is_a_command() -> None:
    modules = {path.stem for path in Path(cli.__file__).parent.glob("*.py")} - SHARED
    assert set(commands()) == {name.replace("_", "-") for name in modules}
    for name in commands():
        command = front.get_command(click.Context(front), name)
        assert command is not None
        assert command.name == name


def test_a_new_command_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '"""Say hello."""\n\nimport click\n\nORDER = 15\n\n\n@click.command("hello")\n'
    (tmp_path / "hello.py").write_text(text)
    (tmp_path / "helper.py").write_text('"""Not a command."""\n')
    monkeypatch.setattr("divisorduel.cli.__path__", [str(tmp_path)])
    commands.cache_clear()
    try:
        assert commands() == {"hello": "Say hello."}
    finally:
        commands.cache_clear()


def test_the_help_imports_no_command_and_no_other_package() -> None:
    script = (
        "import json, sys; sys.argv = ['duel', '--help']\n"
        "from divisorduel.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(json.dumps([n for n in sys.modules if n.startswith('divisorduel.')]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert set(json.loads(done.stdout.splitlines()[-1])) == {
        "divisorduel.cli",
        "divisorduel.cli.main",
        "divisorduel.system",
    }


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (BoardError("No such board."), 2, "Error: No such board.\n"),
        (StoreError("No such file."), 1, "Error: No such file.\n"),
        (IllegalMove("Not that.", Refusal("taken")), 1, "Error: Not that.\n"),
        (EndOfInput(), 3, "Error: The input ended.\n"),
        (KeyboardInterrupt(), 130, "\n"),
        (click.Abort(), 130, "\n"),
        (MemoryError(), 1, "Error: There is not enough memory. Try a smaller board.\n"),
        (click.UsageError("Not so."), 2, "Error: Not so.\n"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_an_error_has_an_exit_status_and_a_message(
    error: BaseException,
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(front, "main", fail)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == status
    assert capsys.readouterr().err == said


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(front, "main", fail)
    with pytest.raises(ZeroDivisionError):
        cli.main()


def test_a_missing_extra_names_the_python_that_runs_the_program() -> None:
    error = MissingExtra("A cluster", "cluster")
    assert sys.executable in str(error)
    assert str(error).endswith(" 'divisorduel[cluster]'")


def _all_errors(kind: type[DuelError]) -> list[type[DuelError]]:
    return [kind, *(found for child in kind.__subclasses__() for found in _all_errors(child))]


def test_every_error_has_its_own_code() -> None:
    source = Path(divisorduel.__file__).parent
    for file in source.rglob("*.py"):
        if re.search(r"^class \w+\(\w*(Error|Fault)\b", file.read_text(), re.MULTILINE):
            import_module(
                ".".join(("divisorduel", *file.relative_to(source).with_suffix("").parts))
            )
    kinds = [kind for kind in _all_errors(DuelError) if kind.__module__.startswith("divisorduel.")]
    codes = [kind.code for kind in kinds]
    assert len(kinds) > 12
    assert len({*codes}) == len(codes), codes
    assert all(code == code.lower() and " " not in code for code in codes)


@pytest.mark.parametrize(
    "words",
    thorough_except(
        [
            ["replay", "{}.duel"],
            ["resume", "{}"],
            ["verify", "{}"],
            ["plot", "{}"],
            ["solve", "chain", "--table", "{}"],
            ["play", "chain", "{}"],
            ["play", "{}"],
            ["{}"],
            ["--{}"],
            ["play", "chain", "--{}"],
            ["play", "chain", "--names", "A", "{}"],
            ["play", "chain", "--position", "{}"],
            ["table", "chain", "2..3", "--output", "{}.svg"],
            ["table", "chain", "{}"],
            ["review", "{}", "--budget", "{}"],
        ],
        ["{}"],
        ["replay", "{}.duel"],
        ["play", "chain", "{}"],
    ),
    ids=" ".join,
)
def test_an_error_shows_what_was_typed_without_control_characters(
    duel: Duel, words: list[str]
) -> None:
    done = duel.run(*(word.format("x\u202e\x1b[2J\ny") for word in words), LC_ALL="C.UTF-8")
    assert done.returncode in (1, 2)
    assert "Error: " in done.stderr
    shown = done.stdout + done.stderr
    assert all(char.isprintable() for char in shown.replace("\n", ""))
