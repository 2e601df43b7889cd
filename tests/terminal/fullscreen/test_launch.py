"""When the full screen opens, and that plain commands do not pay for it."""

import io
import subprocess
import sys

import pytest

from divisorduel.terminal.fullscreen import launch


class Tty(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding)

    def isatty(self) -> bool:
        return True


CAPABLE = {"TERM": "xterm-256color"}


@pytest.fixture(autouse=True)
def window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")


def test_a_capable_terminal_gets_the_full_screen() -> None:
    assert launch.is_wanted(Tty(), Tty(), Tty(), CAPABLE)


@pytest.mark.parametrize(
    "environ", [{}, {"TERM": "dumb"}, {"TERM": ""}, {**CAPABLE, "DUEL_PLAIN": "1"}]
)
def test_a_simple_terminal_or_a_request_for_plain_text_gets_plain_text(
    environ: dict[str, str],
) -> None:
    assert not launch.is_wanted(Tty(), Tty(), Tty(), environ)


def test_plain_text_is_used_on_request_in_a_pipe_and_in_other_encodings() -> None:
    assert not launch.is_wanted(Tty(), Tty(), Tty(), CAPABLE, plain=True)
    assert not launch.is_wanted(io.StringIO(), Tty(), Tty(), CAPABLE)
    assert not launch.is_wanted(Tty(), io.StringIO(), Tty(), CAPABLE)
    assert not launch.is_wanted(Tty(), Tty(), io.StringIO(), CAPABLE)  # Textual draws on it
    assert not launch.is_wanted(None, None, None, CAPABLE)
    assert not launch.is_wanted(Tty(), Tty("ascii"), Tty(), CAPABLE)


@pytest.mark.parametrize(("columns", "lines"), [("39", "24"), ("80", "14")])
def test_a_small_window_gets_plain_text(
    columns: str, lines: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", lines)
    assert not launch.is_wanted(Tty(), Tty(), Tty(), CAPABLE)


def test_the_commands_do_not_import_textual() -> None:
    code = (
        "import sys, divisorduel.cli.main, divisorduel.cli.play; sys.exit('textual' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_start_menu_does_not_wait_for_the_screens_behind_it() -> None:
    code = (
        "import sys, divisorduel.terminal.fullscreen.duel_app\n"
        "print(*(name for name in sys.modules if 'duel' in name and name.endswith('_screen')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.rpartition(".")[2] for name in run.stdout.split()}
    assert loaded == {"start_screen", "text_screen"}
