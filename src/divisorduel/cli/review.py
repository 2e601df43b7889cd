"""Find the mistakes in a saved game."""

import json
from pathlib import Path

import click

from divisorduel.cli.options import OUTPUT, WholeNumber, force_option, seconds

ORDER = 50


@click.command("review")
@click.argument("saved", metavar="[GAME]", default="last")
@click.option(
    "--game",
    "number",
    type=WholeNumber(min=1),
    help="Review only this game of the file; 1 is the first.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the review as JSON.")
@click.option(
    "--record", "as_record", is_flag=True, help="Print the record with the mistakes marked."
)
@click.option(
    "--html",
    "page",
    type=OUTPUT,
    help="Write the review of one game to this file, as a web page; - is standard output.",
)
@force_option
@click.option("--lines", is_flag=True, help="Show how the game ends after each mistake.")
@click.option("--budget", type=seconds, default=60, help="Time limit for each game, in seconds.")
def command(
    saved: str,
    number: int | None,
    as_json: bool,
    as_record: bool,
    page: Path | None,
    force: bool,
    lines: bool,
    budget: float,
) -> None:
    """Review GAME: which moves were mistakes, and what would have won.

    GAME is a number or an id from "duel history", "last" for the last finished game you
    played, or a file. Without GAME, review the last one. If a file's name is a number, include
    its folder, for example ./3.
    """
    from divisorduel.coach.review import review
    from divisorduel.record.writer import write_records
    from divisorduel.solve.budget import Budget
    from divisorduel.store.history import History
    from divisorduel.store.match_files import chosen_records
    from divisorduel.store.output import check_output, is_standard_output, write_output
    from divisorduel.terminal.plain.replay_view import show_review
    from divisorduel.terminal.terminal import system_terminal, undirected
    from divisorduel.words import reviews as words
    from divisorduel.words.review_page import review_page

    terminal = system_terminal()
    if as_json + as_record + (page is not None) > 1:
        raise click.UsageError("Use only one of --json, --record and --html.")
    if page is not None:
        check_output(page, force=force)
    history = History.of_user()
    path, entry = history.locate(
        saved, lambda entry: entry.has_finished_game, none="You have not finished a game yet."
    )
    records = chosen_records(path, number)
    if saved == "last" and number is None:
        records = tuple(record for record in records if record.winner)
    reviews = [review(record, Budget(budget)) for record in records]
    if entry is not None:
        history.note_reviews(entry, [found for found in reviews if found.record.winner])
    if page is not None:
        if len(reviews) > 1:
            raise click.UsageError(f"{path} holds {len(reviews)} games. Choose one with --game.")
        write_output(page, review_page(reviews[0]), force=force)
        terminal.say("" if is_standard_output(page) else f"Review written to {page}.\n")
    elif as_json:
        click.echo(json.dumps([words.review_json(found) for found in reviews]))
    elif as_record:
        written = write_records(words.review_record(found) for found in reviews)
        click.echo(undirected(written), nl=False)
    else:
        for at, found in enumerate(reviews):
            terminal.say("\n" if at else "")
            terminal.show(show_review(found, lines=lines))
