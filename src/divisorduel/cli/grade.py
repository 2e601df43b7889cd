"""Grade answers to the questions of duel ask."""

import json
from pathlib import Path

import click

from divisorduel.cli.options import FILE, seconds

ORDER = 116


@click.command("grade")
@click.argument("questions", type=FILE)
@click.argument("answers", type=FILE)
@click.option(
    "--json", "as_json", is_flag=True, help="Print every grade, then the scores, as JSON lines."
)
@click.option(
    "--budget", type=seconds, default=60, help="Time limit for each question, in seconds."
)
def command(questions: Path, answers: Path, as_json: bool, budget: float) -> None:
    """Grade ANSWERS to QUESTIONS, the output of "duel ask".

    ANSWERS has a JSON object on each line, with the id of a question and the answer: a number, a
    list of numbers, or a text that ends with "ANSWER:" and the answer. A question that ANSWERS
    leaves out counts as not answered.
    """
    from divisorduel.bots.grades import grades, read_answers, read_questions, summaries
    from divisorduel.store.atomic_file import read_text
    from divisorduel.terminal.terminal import system_terminal

    asked = read_questions(read_text(questions).split("\n"), str(questions))
    given = read_answers(read_text(answers).split("\n"), str(answers))
    found = []
    for one in grades(asked, given, budget):
        found.append(one)
        if as_json:
            line = {"id": one.question.id, "kind": one.question.kind, "mark": one.mark}
            click.echo(json.dumps(line))
    for summary in summaries(found):
        if as_json:
            click.echo(json.dumps(summary.as_json()))
        else:
            system_terminal().say(f"{summary.as_text()}\n")
