"""Find out who wins and which moves win, with proof."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from divisorduel.cli import options
from divisorduel.cli.main import INTERRUPTED
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import json_data
from divisorduel.store.output import is_standard_output
from divisorduel.terminal.solve_report import heading, verdict_json, verdict_lines
from divisorduel.terminal.terminal import system_terminal

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
    from divisorduel.store.output import check_output, write_output
    from divisorduel.system import cores
    from divisorduel.terminal.progress import SearchProgress

    chosen, position = options.chosen_position(game, code, board)
    without = without or no_nimber
    if table is not None:
        _check_lookup(code, certificate, budget, memory, threads, without or None)
        _look_up(chosen, table, as_json=as_json)
        return
    if certificate:
        _check_one_output(certificate, as_json=as_json)
        check_output(certificate, force=force)
    progress, proof = SearchProgress(), None
    thinking = Budget(budget, memory=memory, threads=threads or cores(), on_progress=progress.show)
    began = time.perf_counter()
    with progress.stopping(thinking):
        verdict = solve(chosen, position, thinking, nimber=not without)
        if certificate and verdict.proven:
            proof = progress.unless_stopped(lambda: prove(chosen, position, thinking))
    took = time.perf_counter() - began
    if certificate and proof:
        write_output(certificate, proof, force=force)
    if as_json:
        click.echo(json.dumps(verdict_json(chosen, position, verdict, took)))
    else:
        lines = tuple(verdict_lines(chosen, position, verdict, took, stopped=thinking.is_over()))
        _show(lines, certificate, is_written=proof is not None)
    failed = certificate and not proof
    if failed:
        message = f"Error: The proof was not finished, so {certificate} was not written."
        system_terminal().complain(message)
    unknown = NOT_PROVEN if verdict.winner is None else 0
    ctx.exit(INTERRUPTED if progress.interrupted else unknown or (1 if failed else 0))


def _check_lookup(code: str | None, certificate: Path | None, *search: float | None) -> None:
    """Refuse options that make no sense with a table: those of a `search` or a single position."""
    if code or certificate:
        raise click.UsageError(
            "A table holds only whole boards; drop --position and --certificate."
        )
    if any(option is not None for option in search):
        raise click.UsageError(
            "--table looks the board up instead of solving it; "
            "use only the board options and --json."
        )


def _check_one_output(certificate: Path, *, as_json: bool) -> None:
    if as_json and is_standard_output(certificate):
        raise click.UsageError(
            "--json and --certificate - both write to standard output; "
            "give --certificate a file name."
        )


def _show(lines: Sequence[str], certificate: Path | None, *, is_written: bool) -> None:
    """Print an answer; if standard output holds the proof, print it to standard error."""
    terminal = system_terminal()
    if certificate and is_standard_output(certificate):
        terminal.complain("\n".join(lines))
        return
    terminal.say(f"{lines[0]}\n", "heading")
    terminal.say("".join(f"{line}\n" for line in lines[1:]))
    terminal.say(f"Proof written to {certificate}.\n" if is_written else "")


def _look_up(game: Game, file: Path, *, as_json: bool) -> None:
    from divisorduel.lab.formats import look_up

    terminal, row = system_terminal(), look_up(file, game)
    if as_json:
        board = {"game": game.book.key, "board": game.board, "from": str(file)}
        click.echo(json.dumps({**board, **json_data(asdict(row))}))
        return
    terminal.say(f"{heading(game, game.start(), 1 if row.outcome == 'first' else 2)}\n", "heading")
    nimber = "" if row.nimber is None else f"Nimber: {row.nimber}\n"
    moves = f"Winning moves: {row.winning_first_moves} of {row.first_moves}\n"
    terminal.say(f"{moves}{nimber}From {file}.\n")
