"""``duel resume``."""

from collections.abc import Iterator
from pathlib import Path

import click

from divisorduel.cli.options import UNUSABLE_FILE, unusable_files
from divisorduel.installation import program
from divisorduel.store.match_files import (
    MatchFolder,
    SavedMatch,
    StoreError,
    data_folder,
    read_match,
)
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.terminal import Terminal, system_terminal


@click.command("resume")
@click.argument("match", required=False)
@click.option("--list", "only_list", is_flag=True, help="List the unfinished games.")
@click.pass_context
def command(ctx: click.Context, match: str | None, only_list: bool) -> None:
    """Go on with the last unfinished game, or with MATCH.

    MATCH is a name from the list, or a file written by "save".
    """
    terminal = system_terminal()
    with unusable_files():
        ctx.exit(_list(terminal) if only_list else _resume(terminal, match))


def _resume(terminal: Terminal, name: str | None) -> int:
    from divisorduel.terminal.plain.local_game import host_kept

    kept = next(_unfinished(terminal), None) if name is None else _named(name)
    if kept is None:
        terminal.complain(f"There is no unfinished game. Start one with: {program()} play GAME")
        return UNUSABLE_FILE
    if kept.match.over:
        raise StoreError(f"{kept.path} holds a finished match: to see it: {program()} replay FILE")
    return host_kept(terminal, kept)


def _named(name: str) -> SavedMatch:
    on_shelf = {path.stem: path for path in MatchFolder(data_folder()).newest_first()}
    return read_match(on_shelf.get(name, Path(name)))


def _unfinished(terminal: Terminal) -> Iterator[SavedMatch]:
    """Yield the unfinished matches of the shelf, the last one first; say which cannot be read."""
    for path in MatchFolder(data_folder()).newest_first():
        try:
            kept = read_match(path)
        except StoreError as error:
            terminal.say(f"{error}\n", "reason")
        else:
            if not kept.match.over:
                yield kept


def _list(terminal: Terminal) -> int:
    found = list(_unfinished(terminal))
    for kept in found:
        terminal.say(f"{kept.path.stem}  {transcript.summary(kept.match)}\n")
    if not found:
        terminal.say("There is no unfinished game.\n")
    return 0
