"""A terminal, or a pipe in its place: lines of text in both directions."""

import io
import os
import re
import shutil
import signal
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Literal, NamedTuple, TextIO

from divisorduel.play.names import JOINER, joins
from divisorduel.terminal.ending_signals import exit_on_signals

if TYPE_CHECKING:
    from rich.table import Table

Style = Literal["", "heading", "prose", "reason", "win"]
"""How a text is shown: in colour on a terminal; prose in lines of at most 80 columns."""

_STYLES: dict[Style, str] = {
    "heading": "bold",
    "prose": "",
    "reason": "yellow",
    "win": "bold green",
}


_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""The characters that make text run from right to left, or back."""


class StyledText(NamedTuple):
    """A text to show, its style, and the indentation of its wrapped lines."""

    text: str
    style: Style = ""
    indent: int = 0


class EndOfInput(Exception):  # not an error: a pipe has no more lines
    """The input has ended."""

    def __init__(self) -> None:
        super().__init__("The input ended.")


class Terminal:
    """Reads and writes lines.

    Lines that do not come from a keyboard are echoed after their prompt, so that a transcript reads
    like a game. Text is wrapped if the width is known, and coloured on a terminal.
    """

    def __init__(
        self,
        stdin: TextIO,
        stdout: TextIO,
        stderr: TextIO,
        environ: Mapping[str, str],
        *,
        sounds: bool = False,
    ) -> None:
        self._in = stdin
        self._out = stdout
        self._err = stderr
        self._environ = environ
        self._sounds = sounds
        self._next_line: str | None = None
        """A line that was read before it was asked for."""
        self.interactive = stdin.isatty()
        self._line_editing = stdin is sys.stdin and stdin.isatty() and stdout.isatty()

    @property
    def width(self) -> int | None:
        """The number of columns, or None if it is not known."""
        if self._out.isatty():
            return shutil.get_terminal_size().columns
        columns = self._environ.get("COLUMNS", "")
        return int(columns) if re.fullmatch("[1-9][0-9]{0,4}", columns) else None

    def say(self, text: str, style: Style = "", indent: int = 0) -> None:
        """Write lines of text, wrapped to the width with continuation lines indented."""
        if not text:
            return
        text = printable_lines(text)
        width = min(self.width or 80, 80) if style == "prose" else self.width
        wrapped = "".join(_wrapped(line, width, indent) for line in text.splitlines(keepends=True))
        if _STYLES.get(style) and self._out.isatty() and not self._environ.get("NO_COLOR"):
            from rich.console import Console

            wrapped = wrapped.removesuffix("\n")
            Console(
                file=self._out, soft_wrap=True, markup=False, emoji=False, highlight=False
            ).print(wrapped, style=_STYLES[style])
        else:
            self._out.write(wrapped)

    def show(self, texts: Iterable[StyledText]) -> None:
        """Write texts one after the other."""
        for text in texts:
            self.say(*text)

    def show_table(self, table: "Table") -> None:
        """Write a table that fits the width, or 80 columns if the width is not known."""
        from rich.console import Console

        Console(file=self._out, width=self.width, highlight=False).print(table)

    def can_show(self, text: str) -> bool:
        """Tell whether all characters of a text can be written."""
        try:
            text.encode(self._out.encoding or "utf-8")
        except UnicodeEncodeError:
            return False
        return True

    def flush(self) -> None:
        """Show everything written so far."""
        self._out.flush()

    def ring(self) -> None:
        """Ring the bell of a terminal, if sounds are on."""
        if self._sounds and self._out.isatty():
            self._out.write("\a")

    def complain(self, text: str) -> None:
        """Write a line to standard error, after everything written so far."""
        self._out.flush()
        self._err.write(f"{printable_lines(text)}\n")
        self._err.flush()

    def has_input(self) -> bool:
        """Tell whether there is someone to ask, or a line to read. Wait until that is known."""
        if not self.interactive and self._next_line is None:
            self._next_line = self._in.readline()
        return self.interactive or bool(self._next_line)

    def ask(self, prompt: str) -> str:
        """Ask for a line. Raises `EndOfInput`, and `KeyboardInterrupt` on Ctrl-C."""
        prompt = printable_lines(prompt)
        self._out.flush()
        if self._line_editing:
            try:
                with exit_on_signals(), self._shown_again(prompt):
                    return input(prompt)
            except EOFError:
                self._out.write("\n")
                raise EndOfInput from None
            except SystemExit:
                self._show_at_once("\n")
                raise
        self._out.write(prompt)
        self._out.flush()
        line = self._in.readline() if self._next_line is None else self._next_line
        self._next_line = None
        if not self.interactive:
            self._out.write(f"{printable(line.rstrip())}\n")
        if not line:
            raise EndOfInput
        return line.rstrip("\r\n")

    @contextmanager
    def _shown_again(self, prompt: str) -> Iterator[None]:
        """Show a prompt and what was typed again when the program continues after Ctrl-Z."""
        import readline  # it also gives input() line editing and a history

        def show(*_: object) -> None:
            self._show_at_once(f"{prompt}{readline.get_line_buffer()}")

        if not hasattr(signal, "SIGCONT") or current_thread() is not main_thread():
            yield
            return
        before = signal.signal(signal.SIGCONT, show)
        try:
            yield
        finally:
            signal.signal(signal.SIGCONT, before)

    def _show_at_once(self, text: str) -> None:
        """Show a text, unless the terminal is gone; nothing is left for later."""
        with suppress(OSError):
            os.write(self._out.fileno(), text.encode(self._out.encoding, "replace"))


def system_terminal(*, sounds: bool = False) -> Terminal:
    """Return the terminal of this process. Question marks replace characters it cannot show."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A stream that has been read cannot be changed, so it is changed only once.
        if isinstance(stream, io.TextIOWrapper) and stream.errors != "replace":
            stream.reconfigure(errors="replace")
    # A program can start without some of its streams.
    return Terminal(
        sys.stdin or io.StringIO(),
        sys.stdout or io.StringIO(),
        sys.stderr or io.StringIO(),
        os.environ,
        sounds=sounds,
    )


def printable(text: str) -> str:
    """Return a text in one line, with question marks in place of control characters."""
    if text.isprintable():
        return text

    def shown(at: int, char: str) -> str:
        if char.isprintable() or (char == JOINER and joins(text, at)):
            return char
        return " " if char.isspace() else "?"

    return "".join(shown(at, char) for at, char in enumerate(text))


def printable_lines(text: str) -> str:
    """Return lines of text with question marks in place of control characters."""
    return "\n".join(map(printable, text.split("\n")))


def undirected(text: str) -> str:
    """Return a text with question marks in place of characters that change its direction."""
    return _DIRECTIONS.sub("?", text)


def _wrapped(line: str, width: int | None, indent: int) -> str:
    words = line.rstrip("\n")
    if width is None or len(words) <= width:
        return line
    filled = textwrap.fill(
        words,
        max(width, 20),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return filled + line[len(words) :]
