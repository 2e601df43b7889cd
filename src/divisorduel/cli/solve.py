"""Say who wins, by which moves, and prove it."""

import json
import time
from dataclasses import asdict
from pathlib import Path

import click

from divisorduel.cli.main import INTERRUPTED
from divisorduel.cli.options import (
    THREADS,
    GameKey,
    board_options,
    chosen_position,
    position_option,
    seconds,
    size,
)
from divisorduel.rules.game import Game
from divisorduel.terminal.terminal import Terminal, system_terminal

ORDER = 60


@click.command("solve")
@click.argument("game", type=GameKey())
@board_options
@position_option
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--budget", type=seconds, help="Seconds to think; no limit by default.")
@click.option("--memory", type=size, help="Memory for positions, such as 512M or 8G.")
@click.option("--threads", type=THREADS, help="Threads to think with; all cores by default.")
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
    help="Look the board up in a table that duel table has written, instead of solving it.",
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

    Every answer is exact. What is not proven in the given time is left open.
    """
    from divisorduel.solve.budget import Budget
    from divisorduel.solve.certificate import certificate
    from divisorduel.solve.solver import solve
    from divisorduel.store.atomic_file import write_whole
    from divisorduel.system import cores
    from divisorduel.terminal.progress import SearchProgress
    from divisorduel.terminal.solve_report import verdict_json, verdict_lines

    terminal = system_terminal()
    chosen, position = chosen_position(game, code, board)
    if table is not None:
        if code or file:
            raise click.UsageError("--table knows whole boards; drop --position and --certificate.")
        if budget is not None or memory or threads or without:
            raise click.UsageError("--table solves nothing; it takes only the board and --json.")
        _look_up(terminal, chosen, table, as_json=as_json)
        return
    progress = SearchProgress()
    thinking = Budget(budget, memory=memory, threads=threads or cores(), on_progress=progress.show)
    began = time.perf_counter()
    with progress.stopping(thinking):
        verdict = solve(chosen, position, thinking, nimber=not without)
        proof = None
        if file and verdict.proven:
            proof = progress.unless_stopped(lambda: certificate(chosen, position, thinking))
    took = time.perf_counter() - began
    if file and proof is not None:
        write_whole(file, proof)
    if as_json:
        click.echo(json.dumps(verdict_json(chosen, position, verdict, took)))
    else:
        stopped = thinking.is_over()
        lines = [*verdict_lines(chosen, position, verdict, took, stopped=stopped)]
        terminal.say(f"{lines[0]}\n", "heading")
        for line in lines[1:]:
            terminal.say(f"{line}\n")
        if file and proof:
            terminal.say(f"The proof is in {file}.\n")
    if file and proof is None:
        terminal.complain(f"Error: The proof was not finished, so {file} was not written.")
    ctx.exit(INTERRUPTED if progress.interrupted else 1 if file and proof is None else 0)


def _look_up(terminal: Terminal, game: Game, file: Path, *, as_json: bool) -> None:
    from divisorduel.lab.formats import look_up
    from divisorduel.terminal.solve_report import heading

    row = look_up(file, game)
    if as_json:
        board = {"game": game.book.key, "board": game.board, "from": str(file)}
        click.echo(json.dumps({**board, **asdict(row)}))
        return
    terminal.say(f"{heading(game, game.start(), 1 if row.outcome == 'first' else 2)}\n", "heading")
    terminal.say(f"Winning moves: {row.winning_first_moves} of {row.first_moves}\n")
    if row.nimber is not None:
        terminal.say(f"Nimber: {row.nimber}\n")
    terminal.say(f"From {file}.\n")
