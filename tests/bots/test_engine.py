"""An engine as a player: its moves, its remarks, its faults, and its end."""

import re
import sys
import threading
from pathlib import Path
from random import Random

import pytest

from divisorduel import game
from divisorduel.bots.engine import Engine, EnginePlayer, checked_move
from divisorduel.bots.protocol import Move
from divisorduel.play.players import PlayerFault, PlayerResigned
from tests.bots.test_compliance import EXAMPLES, bad_engine

BOARD = game("divider", to=9)
RNG = Random(0)


def script(tmp_path: Path, body: str) -> str:
    """Return the command of an engine that greets, and runs a body for each ``go``."""
    path = tmp_path / "engine.py"
    path.write_text(
        f"""\
import os, sys, time
for line in sys.stdin:
    if line.startswith("duel"):
        print("bot Test\\noption seed\\nok", flush=True)
    elif line.startswith("quit"):
        break
    elif line.startswith("go"):
        {body}
        sys.stdout.flush()
"""
    )
    return f"{sys.executable} -S {path}"


def test_an_engine_moves_and_says_something() -> None:
    player = EnginePlayer(f"{sys.executable} -S {EXAMPLES / 'chooser.py'}", name="Cho")
    try:
        assert player.choose(BOARD, BOARD.start(), RNG) in range(2, 10)
        assert player.remarks() == ("Cho: The last number was -",)
        assert player.remarks() == ()
    finally:
        player.close()


def test_an_engine_that_fails_once_is_started_again_and_asked_again(tmp_path: Path) -> None:
    flag = str(tmp_path / "crashed")
    body = f"os.path.exists({flag!r}) or (open({flag!r}, 'w'), os._exit(7)); print('move 8')"
    player = EnginePlayer(script(tmp_path, body))
    try:
        assert player.choose(BOARD, BOARD.start(), RNG) == 8
        assert player.remarks() == (
            "Test failed and was started again. It ended with exit status 7.",
        )
    finally:
        player.close()


def test_an_engine_that_fails_twice_is_reported_and_can_be_asked_again_later() -> None:
    player = EnginePlayer(bad_engine("illegal.py"))
    try:
        for _ in range(2):
            with pytest.raises(PlayerFault) as caught:
                player.choose(BOARD, BOARD.start(), RNG)
            assert caught.value.fault == "illegal"
            assert str(caught.value) == "It took 0. 0 is not on the board (2 to 9)."
    finally:
        player.close()


def test_an_engine_may_resign(tmp_path: Path) -> None:
    player = EnginePlayer(script(tmp_path, "print('resign')"))
    try:
        with pytest.raises(PlayerResigned, match="Test gives up"):
            player.choose(BOARD, BOARD.start(), RNG)
    finally:
        player.close()


def test_closing_a_player_ends_an_engine_that_is_thinking(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    player = EnginePlayer(script(tmp_path, f"open({str(begun)!r}, 'w'); time.sleep(600)"))
    faults = list[PlayerFault]()

    def think() -> None:
        try:
            player.choose(BOARD, BOARD.start(), RNG)
        except PlayerFault as fault:
            faults.append(fault)

    thread = threading.Thread(target=think)
    thread.start()
    while not begun.exists():
        thread.join(0.01)
    player.close()
    thread.join()
    assert [fault.fault for fault in faults] == ["ended"]


def test_an_engine_that_does_not_play_a_game_says_so_when_it_is_asked(tmp_path: Path) -> None:
    command = script(tmp_path, "print('move 2')")
    engine = tmp_path / "engine.py"
    engine.write_text(engine.read_text().replace("option seed", "games chain"))
    player = EnginePlayer(command)
    try:
        with pytest.raises(PlayerFault, match="Test does not play divider"):
            player.choose(BOARD, BOARD.start(), RNG)
    finally:
        player.close()


def test_an_option_that_the_engine_does_not_have_is_not_sent(tmp_path: Path) -> None:
    with Engine(script(tmp_path, "print('say', line.strip()); print('move 3')")) as engine:
        engine.set_option("seed", "5")
        engine.set_option("level", "9")
        engine.new_game("divider 2-9 2-9 -")
        engine.ask("divider 2-9 2-9 -", (), 5.0)
        assert engine.remarks == ["go divider 2-9 2-9 - ms 5000"]
        assert engine.greeting.options == {"seed": ""}


@pytest.mark.parametrize(
    ("word", "mode", "content", "advice"),
    [
        ("./mine.py", 0o644, "#!/bin/sh\n", "Make it executable with chmod +x ./mine.py, or"),
        (
            "./mine.py",
            0o755,
            "no program",
            "Begin it with a line such as #!/usr/bin/env",
        ),
        ("./mine.py", 0o755, "#!/no/such\n", "its first line names a program that does not exist."),
        ("mine.py", 0o755, "#!/bin/sh\n", "For the file in this folder, write ./mine.py, or"),
    ],
)
def test_an_engine_that_cannot_be_started_is_reported_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, mode: int, content: str, advice: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(content)
    Path("mine.py").chmod(mode)
    with pytest.raises(PlayerFault, match=re.escape(advice)) as caught:
        Engine(word)
    assert str(caught.value).endswith(f"or name the program that runs it, as in: python3 {word}")


def test_a_number_that_is_far_too_long_is_not_repeated() -> None:
    board = game("divider")
    with pytest.raises(PlayerFault, match=r"^A number that large is not on the board"):
        checked_move(board, board.start(), Move(10**100))
