"""``duel solve``."""

import json
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import FrameType

import click

from divisorduel.cli.main import INTERRUPTED
from divisorduel.cli.options import (
    THREADS,
    GameKey,
    Memory,
    Seconds,
    board_options,
    chosen_position,
    cores,
    position_option,
    unusable_files,
    written,
)
from divisorduel.rules.code import write_code
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, OutOfTime
from divisorduel.solve.certificate import certificate
from divisorduel.solve.solver import solve
from divisorduel.solve.verdict import Verdict
from divisorduel.terminal.number_format import number_list
from divisorduel.terminal.terminal import Terminal, system_terminal


@click.command("solve")
@click.argument("game", type=GameKey())
@board_options
@position_option
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--budget", type=Seconds(), help="Seconds to think; no limit if absent.")
@click.option("--memory", type=Memory(), help="Memory for positions, such as 512M or 8G.")
@click.option("--threads", type=THREADS, help="Threads to think with; by default all.")
@click.option("--no-nimber", "without", is_flag=True, help="Only who wins, and by which moves.")
@click.option(
    "--certificate",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a proof that duel verify checks.",
)
@click.option(
    "--table",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Do not solve: look the board up in a table that duel table has written.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    game: str,
    code: str | None,
    as_json: bool,
    budget: float | None,
    memory: int | None,
    threads: int | None,
    without: bool,
    file: Path | None,
    table: Path | None,
    **board: int | str | None,
) -> None:
    """Say who wins GAME under best play, and by which moves.

    Every answer is exact. What cannot be proven in the given time is said to be not proven.
    """
    terminal = system_terminal()
    given = {name: value for name, value in board.items() if value is not None}
    solved, position = chosen_position(game, code, given)
    if table is not None:
        if code or file:
            raise click.UsageError("A table knows whole boards: no --position, no --certificate.")
        if budget is not None or memory or threads or without:
            raise click.UsageError("--table solves nothing: it takes only the board and --json.")
        _look_up(terminal, solved, table, as_json=as_json)
        return
    progress = _Progress()
    thinking = Budget(budget, memory=memory, threads=threads or cores(), on_progress=progress.show)
    begin = time.perf_counter()
    with progress.stopping(thinking):
        verdict = solve(solved, position, thinking, nimber=not without)
        proof = None
        if file and verdict.proven:
            proof = progress.unless_ended(lambda: certificate(solved, position, thinking))
    took = time.perf_counter() - begin
    if file and proof is not None:
        written(file, proof)
    if as_json:
        click.echo(json.dumps(_as_json(solved, position, verdict, took)))
    else:
        _tell(terminal, solved, position, verdict, took, thinking)
        if file and proof:
            terminal.say(f"The proof is in {file}.\n")
    if file and proof is None:
        click.echo(f"Error: the proof was not finished, so {file} was not written.", err=True)
    ctx.exit(INTERRUPTED if progress.interrupted else 1 if file and proof is None else 0)


def _look_up(terminal: Terminal, game: Game, file: Path, *, as_json: bool) -> None:
    """Say what a table says of a board; one that is not in it ends the program."""
    from divisorduel.lab.table import TableError
    from divisorduel.lab.table_check import read_unchanged

    with unusable_files():
        row = read_unchanged(file).row_of(game)
        if row is None:
            raise TableError(f"{file} does not say who wins {game.book.key} {game.board}.")
    if as_json:
        board = {"game": game.book.key, "board": game.board, "from": str(file)}
        click.echo(json.dumps({**board, **asdict(row)}))
        return
    terminal.say(f"{game.book.key} {game.board}: the {row.outcome} player wins.\n", "heading")
    terminal.say(f"Winning moves: {row.winning_first_moves} of {row.first_moves}\n")
    if row.nimber is not None:
        terminal.say(f"Nimber: {row.nimber}\n")
    terminal.say(f"From {file}.\n")


def _as_json(game: Game, position: Position, verdict: Verdict, took: float) -> dict[str, object]:
    return {
        "game": game.book.key,
        "board": game.board,
        "position": write_code(game, position),
        "winner": verdict.winner,
        "nimber": verdict.nimber,
        "winning_moves": verdict.winning_moves,
        "proven": verdict.proven,
        "method": verdict.method,
        "positions": verdict.positions,
        "seconds": round(took, 3),
    }


def _tell(
    terminal: Terminal,
    game: Game,
    position: Position,
    verdict: Verdict,
    took: float,
    budget: Budget,
) -> None:
    who = {1: "the player to move wins", 2: "the player to move loses", None: "not known"}
    terminal.say(f"{write_code(game, position)}: {who[verdict.winner]}.\n", "heading")
    moves = number_list(verdict.winning_moves)
    legal = game.number_of_moves(position)
    so_far = "" if verdict.proven else " found so far"
    share = f"{len(verdict.winning_moves)} of {legal}{so_far}"
    terminal.say(f"Winning moves ({share}): {moves:none}\n")
    if verdict.nimber is not None:
        terminal.say(f"Nimber: {verdict.nimber}\n")
    looked = f"{verdict.positions} position{'' if verdict.positions == 1 else 's'} in {took:.2f} s"
    if verdict.proven:
        terminal.say(f"Proven by {verdict.method}; {looked}.\n")
        return
    ended = "the search was ended early" if budget.is_over() else "the board is too large for it"
    what = (
        "NOT PROVEN" if verdict.winner is None else "The winner is proven, the list is NOT COMPLETE"
    )
    terminal.say(f"{what}, by {verdict.method}: {ended}; {looked}.\n", "reason")


class _Progress:
    """Shows on a terminal how a long search is going, and lets Ctrl-C end it."""

    def __init__(self) -> None:
        self.interrupted = False
        self._began = self._shown = time.perf_counter()
        self._is_shown = False

    def show(self, positions: int) -> None:
        now = time.perf_counter()
        if sys.stderr and sys.stderr.isatty() and now - self._began > 1 and now - self._shown > 0.2:
            self._shown, self._is_shown = now, True
            sys.stderr.write(f"\r{positions} positions, {now - self._began:.0f} s ")
            sys.stderr.flush()

    def stopping(self, budget: Budget) -> "_Progress":
        self._budget = budget
        return self

    def __enter__(self) -> None:
        self._before = signal.signal(signal.SIGINT, self._stop)

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")

    def unless_ended(self, proof: Callable[[], str]) -> str | None:
        """Return a proof, or nothing after Ctrl-C, which ends it at once: half of one is none."""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return proof()
        except KeyboardInterrupt:
            self.interrupted = True
        except OutOfTime:
            pass
        return None

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        # The search ends at its next position; a second Ctrl-C ends the program at once.
        self.interrupted = True
        self._budget.stop()
        signal.signal(signal.SIGINT, signal.default_int_handler)
