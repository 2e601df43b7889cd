"""List starts that give both players a good game."""

from itertools import chain, islice

import click

from divisorduel.cli.main import INTERRUPTED
from divisorduel.cli.options import GameKey, WholeNumber, seconds
from divisorduel.rules.catalogue import rule_book
from divisorduel.system import program
from divisorduel.words.listing import listing

ORDER = 110
SHOWN = 15
SIZES = range(10, 31, 2)
NAMED = 3
"""How many of the boards that were not solved are named."""


@click.command("fair")
@click.argument("game", type=GameKey())
@click.option(
    "--from",
    "low",
    type=WholeNumber(min=2),
    help="Largest number of the smallest board to try; 2 if you give only --to.",
)
@click.option(
    "--to",
    "high",
    type=WholeNumber(min=2),
    help="Largest number of the largest board to try; by default the same as --from.",
)
@click.option("--budget", type=seconds, default=60, help="Time limit for the search.")
@click.pass_context
def command(
    ctx: click.Context, game: str, low: int | None, high: int | None, budget: float
) -> None:
    """List starts of GAME that give both players a good game.

    A start is a board, sometimes with a rule for the first number or with a number that is already
    taken. For each start you see who wins if both players play perfectly, how many first moves win,
    how long such a game lasts, and how easily the winner can go wrong. Without options, duel
    tries the boards that end at 10, 12, 14, and so on up to 30.
    """
    from divisorduel.coach.fair_starts import fair_starts, usual_start
    from divisorduel.solve.budget import Budget
    from divisorduel.terminal.plain.game_list import show_starts
    from divisorduel.terminal.progress import SearchProgress
    from divisorduel.terminal.terminal import system_terminal

    terminal = system_terminal()
    if why := rule_book(game).book.easy_win:
        terminal.say(" ".join(f"{game} has no fair starts. {why}".split()) + "\n", "prose")
        return
    sizes = range(low or 2, (high or low or 2) + 1) if low or high else SIZES
    if not sizes:
        raise click.UsageError("--from must not be larger than --to.")
    progress = SearchProgress()
    thinking = Budget(budget, on_progress=progress.show)
    left_out: list[range] = []
    with progress.stopping(thinking):
        usual = usual_start(game)
        starts = fair_starts(game, sizes, thinking, left_out.append)
    if starts or not left_out:
        show_starts(terminal, usual, starts[:SHOWN], program())
    if left_out:
        why = "Stopped." if progress.interrupted else "Time ran out (see --budget)."
        terminal.say(f"\n{why} {_missing(left_out)}\n", "prose")
    ctx.exit(INTERRUPTED if progress.interrupted else 0)


def _missing(left_out: list[range]) -> str:
    """Say which boards were not solved, by their largest numbers."""
    number = sum((sizes[-1] - sizes[0]) // sizes.step + 1 for sizes in left_out)  # len() overflows
    named = [str(size) for size in islice(chain.from_iterable(left_out), NAMED)]
    more = [f"{number - NAMED} more"] if number > NAMED else []
    boards = listing([*named, *more])
    return f"Not fully searched: boards that end at {boards}."
