"""Seats people at a table: the one place that knows the clock, chance and where things are kept."""

import secrets
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from random import Random

from divisorduel.installation import program
from divisorduel.play.events import Seat
from divisorduel.play.match import Match
from divisorduel.record.match_records import Heading
from divisorduel.store.match_files import MatchFile, MatchFolder, SavedMatch, data_folder
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.plain.match_loop import (
    FINISHED,
    INPUT_ENDED,
    INTERRUPTED,
    MatchContext,
    PlainMatch,
)
from divisorduel.terminal.plain.questions import QuitRequested
from divisorduel.terminal.plain.transcript import Styled
from divisorduel.terminal.terminal import EndOfInput, Terminal


def draw(seed: int | None) -> Seat:
    """Draw who starts."""
    return 1 if Random(seed).random() < 0.5 else 2  # noqa: S311  # a game, not a secret


@contextmanager
def setting_up(terminal: Terminal) -> Iterator[None]:
    """End the program as at the table if somebody leaves before the match begins."""
    try:
        yield
    except QuitRequested:
        sys.exit(FINISHED)
    except EndOfInput:
        terminal.complain("The input ended before the game began.")
        sys.exit(INPUT_ENDED)
    except KeyboardInterrupt:
        terminal.complain("")
        sys.exit(INTERRUPTED)


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
    table = PlainMatch(_surroundings(terminal, seed, delay), match, heading, keeper)
    return table.play(_opening(match, welcomed=welcomed))


def host_kept(terminal: Terminal, kept: SavedMatch) -> int:
    """Go on with a match that was kept, and return the exit status. Raises `StoreError`.

    A match from the shelf goes on in its file; one from elsewhere, or one with somebody's comments,
    is copied to the shelf. Either way it is the last one from now on.
    """
    heading = Heading(kept.heading.match or _new_name(), kept.heading.date or _today())
    kept = replace(kept, heading=heading)
    shelf = MatchFolder(data_folder())
    on_shelf = kept.is_ours and kept.path.resolve().parent == shelf.folder.resolve()
    keeper = MatchFile.of(shelf, kept) if on_shelf else MatchFile(shelf, _new_name(), heading)
    keeper.keep(kept.match)
    if not on_shelf:
        terminal.say(f"{kept.path} stays as it is; play goes on in a copy.\n")
    table = PlainMatch(_surroundings(terminal), kept.match, heading, keeper, is_kept=True)
    return table.play(_going_on(kept.match))


def _opening(match: Match, *, welcomed: bool) -> Iterable[Styled]:
    if not welcomed:
        yield Styled(transcript.fill(match.game.book.wording.welcome, match), "heading")
    yield from transcript.begin_round(match, 1)


def _going_on(match: Match) -> Iterable[Styled]:
    yield Styled(
        f"Going on with {match.game.book.title}: {transcript.summary(match)}.\n", "heading"
    )
    yield from transcript.take_up(match)


def _surroundings(
    terminal: Terminal, seed: int | None = None, delay: float | None = None
) -> MatchContext:
    """Return what a table needs; a person is given time to see what a computer player does."""
    seconds = (0.6 if terminal.interactive else 0.0) if delay is None else delay

    def pause() -> None:
        terminal.flush()
        time.sleep(seconds)

    rng = Random(seed)  # noqa: S311  # a game, not a secret
    return MatchContext(terminal, program(), _new_name, rng, pause)


def _new_name() -> str:
    """Make a name that sorts by time and that no other match has."""
    return f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


def _today() -> str:
    return f"{datetime.now().astimezone():%Y-%m-%d}"
