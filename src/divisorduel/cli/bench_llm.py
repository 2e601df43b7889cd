"""Measure how well a language model plays."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from divisorduel.bots.llm.chat_request import LimitName
from divisorduel.bots.llm.trials import TrialMode
from divisorduel.bots.questions import Difficulty
from divisorduel.cli.main import INTERRUPTED
from divisorduel.cli.options import FILE, OUTPUT, GameKey, WholeNumber, force_option, seconds

if TYPE_CHECKING:
    from divisorduel.bots.llm.chat_request import LanguageModel
    from divisorduel.rules.game import Game

ORDER = 117

GAMES = ("antichain", "divider")
"""Greedy play fails most often in these games."""
SIZES = (12, 20, 30, 40)
KEY = "DUEL_LLM_KEY"


@click.command("bench-llm")
@click.argument("games", nargs=-1, type=GameKey(), metavar="[GAME]...")
@click.option(
    "--url", required=True, help="Address of the endpoint, such as http://localhost:8000/v1."
)
@click.option("--model", "name", required=True, metavar="NAME", help="Name of the model.")
@click.option(
    "--mode",
    type=click.Choice(get_args(TrialMode)),
    default="positions",
    help="Name a winning move, or hold a winning starting position to the end against the perfect "
    "player.",
)
@click.option(
    "--size",
    "sizes",
    type=WholeNumber(2, 10_000),
    multiple=True,
    default=SIZES,
    help="Largest number of a board; may be given several times.",
)
@click.option("--count", type=WholeNumber(1, 100_000), default=20, help="Trials on each board.")
@click.option("--seed", type=int, default=0, help="The same seed gives the same trials.")
@click.option(
    "--difficulty",
    type=click.Choice(get_args(Difficulty)),
    help="Whether greedy play always, sometimes or never finds a winning move.",
)
@click.option(
    "--legal-moves",
    type=click.Choice(["hidden", "listed", "both"]),
    default="hidden",
    help="Whether the prompts list the legal moves.",
)
@click.option(
    "--tokens",
    type=WholeNumber(1),
    default=1_000_000,
    help="The most tokens to use in all, prompts included.",
)
@click.option(
    "--max-tokens",
    type=WholeNumber(1, 10_000_000),
    default=8192,
    help="The most tokens for each reply.",
)
@click.option(
    "--limit-name",
    type=click.Choice(get_args(LimitName)),
    default="max_tokens",
    help="Name of the request field for --max-tokens.",
)
@click.option(
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="Another field of each request, such as temperature=0; the value is JSON or a word.",
)
@click.option(
    "--key-from",
    default=KEY,
    metavar="VARIABLE",
    help="Environment variable that holds the API key, if the endpoint needs one.",
)
@click.option("--timeout", type=seconds, default=600, help="Seconds to wait for a reply.")
@click.option(
    "--attempts",
    type=WholeNumber(1, 100),
    default=5,
    help="How many times to send a request before giving up.",
)
@click.option("--jobs", type=WholeNumber(1, 256), default=1, help="Requests at the same time.")
@click.option("--cache", type=FILE, help="File for the replies; by default, in your data folder.")
@click.option("--again", is_flag=True, help="Resend requests that the endpoint failed to answer.")
@click.option("--output", type=OUTPUT, help="File for the trials and scores, as JSON lines.")
@click.option("--html", type=OUTPUT, help="File for a report.")
@force_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    games: tuple[str, ...],
    url: str,
    name: str,
    mode: TrialMode,
    sizes: tuple[int, ...],
    count: int,
    seed: int,
    difficulty: Difficulty | None,
    legal_moves: str,
    tokens: int,
    max_tokens: int,
    limit_name: LimitName,
    parameters: tuple[str, ...],
    key_from: str,
    timeout: float,
    attempts: int,
    jobs: int,
    cache: Path | None,
    again: bool,
    output: Path | None,
    html: Path | None,
    force: bool,
) -> None:
    """Measure how well a language model plays, at any OpenAI-compatible endpoint.

    Every trial is a position with a proven win. Every reply is kept on disk: after an
    interruption, run the same command again to continue. Requests that the endpoint failed to
    answer are sent again only with --again. Without GAME, the model plays antichain and divider.
    """
    from divisorduel.bots.llm.bench_report import as_page, json_lines, text_lines
    from divisorduel.bots.llm.bench_run import BenchRun, bench_plan
    from divisorduel.bots.llm.bench_session import BenchSession
    from divisorduel.bots.llm.chat_request import LanguageModel
    from divisorduel.bots.llm.scores import scores
    from divisorduel.play.players import Judge
    from divisorduel.store.output import check_output, is_standard_output, write_output
    from divisorduel.terminal.progress import games_progress
    from divisorduel.terminal.terminal import printable

    for result in (output, html):
        if result:
            check_output(result, force=force)
    model = LanguageModel(url, name, max_tokens, limit_name, _parameters(parameters))
    listed = {"hidden": (False,), "listed": (True,), "both": (False, True)}[legal_moves]
    boards = _boards(games or GAMES, sizes)
    run = BenchRun(bench_plan(model, mode, boards, listed, count, seed, difficulty))
    key = _key(key_from)
    session = BenchSession(
        cache or _cache_of(model), tokens, key, timeout, attempts, jobs, resend_failures=again
    )
    judge = Judge()
    is_interrupted = False
    try:
        with games_progress(run.plan.size, "trials") as show:
            session.play(run, judge, lambda: show(len(run.results), ""))
    except KeyboardInterrupt:
        is_interrupted = True
    found = scores(run, judge)
    if not any(result and is_standard_output(result) for result in (output, html)):
        for line in text_lines(run.plan, found):
            click.echo(printable(line))
    if is_interrupted:
        click.echo("Stopped. Run the same command again to continue.", err=True)
        ctx.exit(INTERRUPTED)
    if output:
        write_output(output, "".join(json_lines(run.plan, found)), force=force)
    if html:
        write_output(html, as_page(run.plan, found), force=force)
    if not run.is_complete:
        advice = "Run the same command with more --tokens to continue."
        click.echo(f"Error: {tokens:,} tokens are not enough. {advice}", err=True)
        ctx.exit(1)


def _key(variable: str) -> str | None:
    """Return the key of the endpoint, if there is one. Raises `UsageError`."""
    if variable != KEY and variable not in os.environ:
        raise click.UsageError(f"The environment variable {variable!r} is not set.")
    return os.environ.get(variable, "").strip() or None


def _parameters(words: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields that were given as NAME=VALUE. Raises `UsageError`."""
    found: dict[str, Any] = {}
    for word in words:
        name, mark, value = word.partition("=")
        if not (name and mark):
            raise click.UsageError(f"--parameter takes NAME=VALUE, not {word!r}.")
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            found[name] = value
    return found


def _boards(keys: tuple[str, ...], sizes: tuple[int, ...]) -> "list[Game]":
    """Return the boards of all games, from small to large. Raises `BoardError`."""
    from divisorduel.rules.catalogue import rule_book

    return [
        rule_book(key).of_size(size) for key in dict.fromkeys(keys) for size in sorted({*sizes})
    ]


def _cache_of(model: "LanguageModel") -> Path:
    """Return the file for the replies of a model, in the user's data folder."""
    from hashlib import sha256

    from divisorduel.store.match_files import data_folder

    name = sha256(f"{model.endpoint} {model.name}".encode()).hexdigest()[:16]
    return data_folder().with_name("language-models") / f"{name}.jsonl"
