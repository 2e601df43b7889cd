"""Print a shell completion script."""

import click

ORDER = 140


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script that lets your shell complete "duel" commands when you press Tab.

    For bash, add this line to ~/.bashrc: eval "$(duel completion bash)"
    """
    from click.shell_completion import get_completion_class

    from divisorduel.cli.main import front

    completion = get_completion_class(shell)
    if completion is not None:
        click.echo(completion(front, {}, "duel", "_DUEL_COMPLETE").source())
