"""Games on this machine: sets up matches, saves them in the data folder, lists and resumes them."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from random import Random

from divisorduel.play.events import Seat
from divisorduel.play.match import Match
from divisorduel.record.match_records import Heading
from divisorduel.store.atomic_file import StoreError
from divisorduel.store.match_files import (
    ChangedElsewhere,
    MatchFile,
    MatchFolder,
    SavedMatch,
    data_folder,
)
from divisorduel.system import program
from divisorduel.terminal.plain import questions, transcript
from divisorduel.terminal.plain.match_loop import PlainMatch, new_name
from divisorduel.terminal.terminal import StyledText, Terminal, system_terminal


def draw(seed: int | None) -> Seat:
    """Draw who starts."""
    return 1 if Random(seed).random() < 0.5 else 2  # noqa: S311  # a game, not a secret


def menu() -> int:
    """Ask which game, which board, who plays and who starts; play it and return the exit status."""
    terminal = system_terminal()
    game = questions.ask_board(terminal, questions.ask_game(terminal))
    kinds = questions.ask_kinds(terminal)
    names = questions.ask_names(terminal, kinds)
    first = questions.ask_first(terminal, names, lambda: draw(None))
    terminal.say("\n")
    return host_new(terminal, Match.of(game, names=names, kinds=kinds, first=first))


def host_new(
    terminal: Terminal,
    match: Match,
    *,
    save: bool = True,
    welcomed: bool = False,
    seed: int | None = None,
    delay: float | None = None,
) -> int:
    """Play a new match and return the exit status."""
    heading = Heading(new_name(), _today())
    file = MatchFile(MatchFolder(data_folder()), heading.match, heading) if save else None
    opening = transcript.begin_round(match, 1) if welcomed else transcript.opening(match)
    return PlainMatch(terminal, match, heading, file, seed=seed, delay=delay).play(opening)


def resume(terminal: Terminal, name: str | None) -> int:
    """Continue the match of that name or in that file, or else the last unfinished one.

    Return the exit status. Raises `StoreError` if there is no such match, or it is finished.
    """
    folder = MatchFolder(data_folder())
    while True:
        saved = folder.find(name) if name is not None else next(_unfinished(terminal, folder), None)
        if saved is None:
            raise StoreError(
                f"You have no unfinished games. To start a new game: {program()} play GAME"
            )
        match = saved.match
        if match.over:
            raise StoreError(
                f"The game in {saved.path} is finished. To see it: {program()} replay FILE"
            )
        resumed = _resumed(terminal, folder, saved)
        try:
            resumed.save(match)  # it becomes the last one played
        except ChangedElsewhere:
            continue  # another window has just made a move: read the match again
        title = f"Continuing {match.game.book.title}: {transcript.summary(match)}.\n"
        return resumed.play([StyledText(title, "heading"), *transcript.resume_round(match)])


def _resumed(terminal: Terminal, folder: MatchFolder, saved: SavedMatch) -> PlainMatch:
    """Take up a saved match.

    A match from the data folder is continued in its file. One from another folder, or one with
    comments, is continued in a copy, as a match of its own.
    """
    name, date = new_name(), saved.heading.date or _today()
    is_continued = saved.is_ours and saved.path.resolve().parent == folder.folder.resolve()
    if is_continued:
        heading = Heading(saved.heading.match or name, date)
        file = MatchFile.of(folder, replace(saved, heading=heading))
    else:
        heading = Heading(name, date)
        file = MatchFile(folder, name, heading)
        terminal.say(f"{saved.path} is not changed; the game continues in a copy.\n")
    return PlainMatch(
        terminal, saved.match, heading, file, is_saved=is_continued, resumed=saved.content
    )


def list_unfinished(terminal: Terminal) -> int:
    """List the unfinished matches in the data folder, and return the exit status."""
    found = [*_unfinished(terminal, MatchFolder(data_folder()))]
    for saved in found:
        terminal.say(f"{saved.path.stem}  {transcript.summary(saved.match)}\n")
    if not found:
        terminal.say("You have no unfinished games.\n")
    return 0


def _unfinished(terminal: Terminal, folder: MatchFolder) -> Iterator[SavedMatch]:
    return folder.unfinished(lambda error: terminal.say(f"{error}\n", "reason"))


def _today() -> str:
    return f"{datetime.now().astimezone():%Y-%m-%d}"
