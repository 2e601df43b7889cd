"""Find out who wins and which moves win, with proof."""

import json
import time
from dataclasses import asdict
from pathlib import Path

import click

from divisorduel.cli import options
from divisorduel.cli.main import INTERRUPTED
from divisorduel.rules.game import Game
from divisorduel.terminal.terminal import Terminal, system_terminal

ORDER = 60
NOT_PROVEN = 4
"""The exit status if the winner is not known."""


@click.command("solve", cls=options.BoardCommand)
@click.argument("game", type=options.GameKey())
@options.board_options
@options.position_option
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--budget", type=options.seconds, help="Time limit in seconds; no limit by default.")
@click.option(
    "--memory", type=options.size, help="Memory for searched positions, such as 512M or 8G."
)
@click.option("--threads", type=options.THREADS, help="Number of threads; one per core by default.")
@click.option("--no-nimbers", "without", is_flag=True, help="Find only the winning moves; faster.")
@click.option("--no-nimber", is_flag=True, hidden=True)  # its name up to 0.1.0
@click.option(
    "--certificate",
    type=options.OUTPUT,
    help="Write a proof to this file, for duel verify; - is standard output.",
)
@options.force_option
@click.option(
    "--table", type=options.FILE, help="Look the board up in this table, without solving."
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
    no_nimber: bool,
    certificate: Path | None,
    force: bool,
    table: Path | None,
    **board: int | str | None,
) -> None:
    """Find out who wins GAME if both players play perfectly, and which moves win.

    Answers are proven. If time runs out, the answer says what is not proven. If not even the
    winner is proven, the exit status is 4.
    """
    from divisorduel.solve.budget import Budget
    from divisorduel.solve.certificate import certificate as prove
    from divisorduel.solve.solver import solve
    from divisorduel.store.output import check_output, is_standard_output, write_output
    from divisorduel.system import cores
    from divisorduel.terminal.progress import SearchProgress
    from divisorduel.terminal.solve_report import verdict_json, verdict_lines

    terminal = system_terminal()
    without = without or no_nimber
    chosen, position = options.chosen_position(game, code, board)
    if table is not None:
        if code or certificate:
            raise click.UsageError(
                "--table holds only whole boards; drop --position and --certificate."
            )
        if budget is not None or memory or threads or without:
            raise click.UsageError(
                "--table looks up instead of solving; use only the board options and --json."
            )
        _look_up(terminal, chosen, table, as_json=as_json)
        return
    is_printed = certificate is not None and is_standard_output(certificate)
    if is_printed and as_json:
        raise click.UsageError("--json is for standard output; name a file for --certificate.")
    if certificate:
        check_output(certificate, force=force)
    progress = SearchProgress()
    thinking = Budget(budget, memory=memory, threads=threads or cores(), on_progress=progress.show)
    began = time.perf_counter()
    with progress.stopping(thinking):
        verdict = solve(chosen, position, thinking, nimber=not without)
        proof = None
        if certificate and verdict.proven:
            proof = progress.unless_stopped(lambda: prove(chosen, position, thinking))
    took = time.perf_counter() - began
    if certificate and proof:
        write_output(certificate, proof, force=force)
    if as_json:
        click.echo(json.dumps(verdict_json(chosen, position, verdict, took)))
    else:
        first, *lines = verdict_lines(chosen, position, verdict, took, stopped=thinking.is_over())
        if is_printed:
            terminal.complain("\n".join((first, *lines)))
        else:
            terminal.say(f"{first}\n", "heading")
            terminal.say("".join(f"{line}\n" for line in lines))
            terminal.say(f"Proof written to {certificate}.\n" if proof else "")
    failed = certificate and not proof
    if failed:
        terminal.complain(f"Error: The proof was not finished, so {certificate} was not written.")
    unknown = NOT_PROVEN if verdict.winner is None else 0
    ctx.exit(INTERRUPTED if progress.interrupted else unknown or (1 if failed else 0))


def _look_up(terminal: Terminal, game: Game, file: Path, *, as_json: bool) -> None:
    from divisorduel.lab.formats import look_up
    from divisorduel.terminal.solve_report import heading

    row = look_up(file, game)
    if as_json:
        board = {"game": game.book.key, "board": game.board, "from": str(file)}
        click.echo(json.dumps({**board, **asdict(row)}))
        return
    terminal.say(f"{heading(game, game.start(), 1 if row.outcome == 'first' else 2)}\n", "heading")
    nimber = "" if row.nimber is None else f"Nimber: {row.nimber}\n"
    moves = f"Winning moves: {row.winning_first_moves} of {row.first_moves}\n"
    terminal.say(f"{moves}{nimber}From {file}.\n")
