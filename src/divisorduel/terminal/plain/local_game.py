"""Games on this machine: matches are set up, saved in the data folder, listed and resumed."""

import secrets
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from random import Random

from divisorduel.play.events import Seat
from divisorduel.play.match import Match
from divisorduel.record.match_records import Heading
from divisorduel.store.match_files import (
    MatchFile,
    MatchFolder,
    SavedMatch,
    StoreError,
    data_folder,
)
from divisorduel.system import program
from divisorduel.terminal.plain import questions, transcript
from divisorduel.terminal.plain.match_loop import MatchContext, PlainMatch
from divisorduel.terminal.plain.transcript import StyledText
from divisorduel.terminal.terminal import Terminal, system_terminal


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
    heading = Heading(_new_name(), _today())
    keeper = MatchFile(MatchFolder(data_folder()), heading.match, heading) if save else None
    table = PlainMatch(_context(terminal, seed, delay), match, heading, keeper)
    return table.play(_opening(match, welcomed=welcomed))


def host_kept(terminal: Terminal, kept: SavedMatch) -> int:
    """Continue a saved match, and return the exit status. Raises `StoreError`.

    A match from the data folder is continued in its file. One from another folder, or one with
    comments, is copied there. Either way it is then the last match.
    """
    heading = Heading(kept.heading.match or _new_name(), kept.heading.date or _today())
    kept = replace(kept, heading=heading)
    shelf = MatchFolder(data_folder())
    on_shelf = kept.is_ours and kept.path.resolve().parent == shelf.folder.resolve()
    keeper = MatchFile.of(shelf, kept) if on_shelf else MatchFile(shelf, _new_name(), heading)
    keeper.keep(kept.match)
    if not on_shelf:
        terminal.say(f"{kept.path} is not changed; the game continues in a copy.\n")
    table = PlainMatch(_context(terminal), kept.match, heading, keeper, is_saved=True)
    return table.play(_resumed(kept.match))


def resume(terminal: Terminal, name: str | None) -> int:
    """Continue the match of that name or in that file, or else the last unfinished one.

    Return the exit status. Raises `StoreError` if there is no such match, or it is finished.
    """
    folder = MatchFolder(data_folder())
    if name is not None:
        saved = folder.find(name)
    elif (latest := next(_unfinished(terminal, folder), None)) is not None:
        saved = latest
    else:
        raise StoreError(f"There is no unfinished game. Start one with: {program()} play GAME")
    if saved.match.over:
        raise StoreError(f"{saved.path} is finished. To see it: {program()} replay FILE")
    return host_kept(terminal, saved)


def list_unfinished(terminal: Terminal) -> int:
    """List the unfinished matches in the data folder, and return the exit status."""
    found = [*_unfinished(terminal, MatchFolder(data_folder()))]
    for saved in found:
        terminal.say(f"{saved.path.stem}  {transcript.summary(saved.match)}\n")
    if not found:
        terminal.say("There are no unfinished games.\n")
    return 0


def _unfinished(terminal: Terminal, folder: MatchFolder) -> Iterator[SavedMatch]:
    return folder.unfinished(lambda error: terminal.say(f"{error}\n", "reason"))


def _opening(match: Match, *, welcomed: bool) -> Iterable[StyledText]:
    if not welcomed:
        yield StyledText(transcript.fill(match.game.book.wording.welcome, match), "heading")
    yield from transcript.begin_round(match, 1)


def _resumed(match: Match) -> Iterable[StyledText]:
    yield StyledText(
        f"Continuing {match.game.book.title}: {transcript.summary(match)}.\n", "heading"
    )
    yield from transcript.resume_round(match)


def _context(
    terminal: Terminal, seed: int | None = None, delay: float | None = None
) -> MatchContext:
    """Return the context of a match; on a terminal, computer players take a moment."""
    seconds = (0.6 if terminal.interactive else 0.0) if delay is None else delay

    def pause() -> None:
        terminal.flush()
        time.sleep(seconds)

    rng = Random(seed)  # noqa: S311  # a game, not a secret
    return MatchContext(terminal, program(), _new_name, rng, pause)


def _new_name() -> str:
    """Return a unique name that sorts by time."""
    return f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


def _today() -> str:
    return f"{datetime.now().astimezone():%Y-%m-%d}"
