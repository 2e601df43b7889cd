"""Progress on a terminal, and Ctrl-C while it is shown."""

import io
import sys
import threading

import pytest

from divisorduel.terminal import progress


class ImpatientTerminal(io.StringIO):
    """A terminal whose user presses Ctrl-C the moment a text appears."""

    def __init__(self) -> None:
        super().__init__()
        self.has_pressed = False

    def isatty(self) -> bool:
        return True

    def flush(self) -> None:
        if not self.has_pressed:
            self.has_pressed = True
            raise KeyboardInterrupt


@pytest.mark.parametrize("kind", ["xterm", "dumb"])
def test_ctrl_c_as_soon_as_progress_is_shown_ends_only_the_thinking(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", kind)
    monkeypatch.setattr(sys, "stderr", ImpatientTerminal())
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    stopped = threading.Event()
    with pytest.raises(progress.ThinkingStopped):
        progress.think(
            "Ann is thinking",
            stopped.wait,
            stop=stopped.set,
            positions=lambda: 0,
            is_awaited=False,
        )
    assert stopped.is_set()
