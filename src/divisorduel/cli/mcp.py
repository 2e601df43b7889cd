"""Let an assistant play, teach and solve, over the Model Context Protocol."""

import click

ORDER = 118


@click.command("mcp")
def command() -> None:
    """Serve the Model Context Protocol on standard input and output.

    An assistant starts this command and uses its tools: to play, to give hints, to explain, solve
    and review, and to pose puzzles. docs/frameworks.md says how to set it up.
    """
    from divisorduel.bots.mcp import server

    server().run()
