"""Write questions with provable answers, for programs and language models."""

import json
from itertools import islice
from pathlib import Path
from typing import get_args

import click

from divisorduel.bots.questions import Difficulty, QuestionKind
from divisorduel.cli.options import (
    OUTPUT,
    GameKey,
    WholeNumber,
    board_options,
    chosen_position,
    force_option,
    seconds,
)
from divisorduel.rules.errors import in_seconds

ORDER = 114


@click.command("ask")
@click.argument("game", type=GameKey())
@board_options
@click.option(
    "--kind",
    type=click.Choice(get_args(QuestionKind)),
    default="move",
    help="What to ask for: a winning move, all winning moves, the nimber, or who wins.",
)
@click.option("--count", type=WholeNumber(1, 1_000_000), default=10, help="How many questions.")
@click.option("--seed", type=int, default=0, help="The same seed gives the same questions.")
@click.option(
    "--difficulty",
    type=click.Choice(get_args(Difficulty)),
    help="Whether greedy play always, sometimes or never finds a winning move.",
)
@click.option("--legal", is_flag=True, help="List the legal moves in each question.")
@click.option("--output", type=OUTPUT, help="File to write; by default, print the questions.")
@force_option
@click.option("--budget", type=seconds, default=60, help="Time limit in seconds.")
def command(
    *,
    game: str,
    kind: QuestionKind,
    count: int,
    seed: int,
    difficulty: Difficulty | None,
    legal: bool,
    output: Path | None,
    force: bool,
    budget: float,
    **board: int | str | None,
) -> None:
    """Write questions about positions of GAME, without the answers, one JSON object per line.

    Each question has an id, a position and a prompt with the rules for its board. All questions are
    different. "duel grade" scores the answers.
    """
    from random import Random

    from divisorduel.bots.questions import QuestionError, questions
    from divisorduel.solve.budget import Budget, BudgetSpent
    from divisorduel.store.output import check_output, is_standard_output, write_output
    from divisorduel.terminal.terminal import printable

    chosen, _ = chosen_position(game, None, board)
    rng = Random(seed)  # noqa: S311  # not a secret
    lines: list[str] = []
    if output is not None:
        check_output(output, force=force)
    try:
        for asked in islice(questions(chosen, kind, rng, difficulty, Budget(budget)), count):
            lines.append(json.dumps(asked.as_json(legal=legal)) + "\n")
            if output is None:
                click.echo(lines[-1], nl=False)
    except BudgetSpent:
        raise QuestionError(
            f"Found only {len(lines):,} of {count:,} questions in {in_seconds(budget)}. "
            "Use a smaller board or a longer --budget."
        ) from None
    if len(lines) < count:
        raise QuestionError(
            f"This board has too few such questions ({len(lines):,} found). "
            "Use a larger board, or ask for fewer."
            if lines
            else "No such question was found on this board. Use another board or another --kind."
        )
    if output is not None:
        write_output(output, "".join(lines), force=force)
        if not is_standard_output(output):
            written = f"{count:,} question{'' if count == 1 else 's'} written to {output}."
            click.echo(printable(written))
