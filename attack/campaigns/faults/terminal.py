"""Full and read-only disks under the terminal and under a table."""

from collections.abc import Callable
from pathlib import Path

from attack.campaign import Context
from attack.campaigns.kills.tables import TABLE, expected_hash
from attack.open_terminal import OpenTerminal
from attack.scripted_match import OPENING, shared_screen, typed
from attack.small_disk import SmallDisk, small_disk
from divisorduel import read_records
from divisorduel.lab.formats import read_table
from divisorduel.record.model import Record
from tests.conftest import Duel

REASONS = {"full": "No space left on device", "read-only": "Read-only file system"}


def disk_full_during_a_game(context: Context) -> None:
    """Check that a move on a full disk is made with a warning; the next one saves everything."""
    _trouble_during_a_game(context, "full")


def disk_read_only_during_a_game(context: Context) -> None:
    """Check the same on a disk that becomes read-only for a while."""
    _trouble_during_a_game(context, "read-only")


def resume_on_a_full_disk(context: Context) -> None:
    """Check that a game can be resumed on a full disk, with a warning."""
    _resume(context, "full")


def resume_on_a_read_only_disk(context: Context) -> None:
    """Check that a game can be resumed on a read-only disk, with a warning."""
    _resume(context, "read-only")


def table_on_a_full_disk(context: Context) -> None:
    """Check that a table that cannot be written says so, and is completed later."""
    with small_disk(context.folder("disk"), "1m") as disk:
        duel = Duel(disk.folder)
        disk.fill()
        done = duel.run(*TABLE, DUEL_SOLVER="pure")
        assert done.returncode == 1, done
        assert REASONS["full"] in done.stderr, done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        disk.free()
        assert duel.run(*TABLE, DUEL_SOLVER="pure").returncode == 0
        assert read_table(disk.folder / "t.csv").sha256 == expected_hash()


def _trouble_during_a_game(context: Context, kind: str) -> None:
    script = shared_screen(context.rng(kind), 12)
    lines = [typed(command) for _, command in script.commands]
    with small_disk(context.folder("disk"), "256k") as disk:
        duel, begin, end = Duel(disk.folder), *_trouble(disk, kind)
        with OpenTerminal(duel, *OPENING) as terminal:
            terminal.type(lines[:4])
            terminal.wait(4)
            begin()
            terminal.type(lines[4:8])
            terminal.wait(8)
            assert script.find(_records(duel), 4) == 4, (
                "the file changed, although it could not be written"
            )
            end()
            terminal.type(lines[8:])
            terminal.wait(12)
            assert script.find(_records(duel), 12) == 12
            shown = terminal.leave()
    warning = f"{REASONS[kind]}. You can keep playing, but the game is not saved."
    assert warning in shown, f"there was no warning: {shown[-2000:]}"
    assert "The game is saved." in shown, shown[-2000:]
    assert "Traceback" not in shown, shown


def _resume(context: Context, kind: str) -> None:
    script = shared_screen(context.rng(kind), 6)
    lines = [typed(command) for _, command in script.commands]
    with small_disk(context.folder("disk"), "256k") as disk:
        duel, begin, end = Duel(disk.folder), *_trouble(disk, kind)
        duel.run(*OPENING, typed="".join(f"{line}\n" for line in lines[:4]))
        before = _file(duel).read_bytes()
        begin()
        done = duel.run("resume", typed=f"{lines[4]}\n")
        assert "Traceback" not in done.stderr, done.stderr
        assert _file(duel).read_bytes() == before, (
            "the file changed, although it could not be written"
        )
        assert REASONS[kind] in done.stdout + done.stderr, done
        end()
        assert script.find(_records(duel), 4) == 4
        assert f"Continuing Divisibility Duel: {script.states[4].game.book.key}" in done.stdout, (
            f"The game cannot be resumed, although it could still be played: {done.stderr}"
        )


def _trouble(disk: SmallDisk, kind: str) -> tuple[Callable[[], None], Callable[[], None]]:
    """Return what begins and what ends the trouble."""
    if kind == "full":
        return disk.fill, disk.free
    return lambda: disk.set_read_only(read_only=True), lambda: disk.set_read_only(read_only=False)


def _file(duel: Duel) -> Path:
    [path] = [path for path in duel.matches if path.suffix == ".duel"]
    return path


def _records(duel: Duel) -> tuple[Record, ...]:
    return read_records(_file(duel).read_bytes())
