"""Games on this machine: sets up matches, saves them in the data folder, lists and resumes them."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from random import Random

from divisorduel.play.events import Seat
from divisorduel.play.match import Match
from divisorduel.store.atomic_file import StoreError
from divisorduel.store.history import LAST, History
from divisorduel.store.match_files import ChangedElsewhere, SavedMatch, local_time, read_match
from divisorduel.store.preferences import Preferences
from divisorduel.system import program
from divisorduel.terminal.local_match import Bots, LocalMatch
from divisorduel.terminal.plain import setup_prompts, transcript
from divisorduel.terminal.plain.match_loop import PlainMatch
from divisorduel.terminal.terminal import StyledText, Terminal

MOST_OFFERED = 9
"""How many unfinished matches the menu offers, the newest first."""


def draw(seed: int | None) -> Seat:
    """Draw who starts."""
    return 1 if Random(seed).random() < 0.5 else 2  # noqa: S311  # a game, not a secret


def host_new(
    terminal: Terminal,
    match: Match,
    *,
    save: bool = True,
    welcomed: bool = False,
    seed: int | None = None,
    delay: float | None = None,
    bots: Bots | None = None,
) -> int:
    """Play a new match and return the exit status."""
    begin = partial(LocalMatch.new, save=save, seed=seed, bots=bots)
    opening = transcript.begin_round(match, 1) if welcomed else transcript.opening(match)
    return PlainMatch(terminal, begin(match), delay=delay, begin=begin).play(opening)


def continue_one(terminal: Terminal, preferences: Preferences) -> int:
    """List the unfinished matches, ask which one to continue, and return the exit status."""
    found = [*islice(_unfinished(terminal, History.of_user()), MOST_OFFERED)]
    for number, saved in enumerate(found, 1):
        terminal.say(f"  {number}  {_dated(saved)}\n", indent=5)
    name = None
    if len(found) > 1:
        name = setup_prompts.ask_place(terminal, "Which one?", [saved.path.stem for saved in found])
    return resume(terminal, name, delay=preferences.delay)


def resume(
    terminal: Terminal,
    name: str | None,
    *,
    delay: float | None = None,
    bots: Bots | None = None,
) -> int:
    """Continue a match as `resumed_match` finds it, and return the exit status."""
    local = resumed_match(terminal, name, bots)
    for notice in local.notices:
        terminal.say(f"{notice}\n", "reason")
    match = local.match
    title = f"Continuing {match.game.book.title}: {transcript.summary(match)}.\n"
    opening = [StyledText(title, "heading"), *transcript.resume_round(match)]
    begin = partial(LocalMatch.new, bots=bots)
    return PlainMatch(terminal, local, delay=delay, begin=begin).play(opening)


def resumed_match(terminal: Terminal, name: str | None, bots: Bots | None = None) -> LocalMatch:
    """Return the match with that number or id, in that file, or else the last unfinished one.

    Raises `StoreError` if the match is unknown or finished.
    """
    history = History.of_user()
    while True:
        saved = _saved(terminal, history, LAST if name is None else name)
        if saved.match.over:
            raise StoreError(
                f"The game in {saved.path} is finished. To see it: {program()} replay {name}"
            )
        try:
            return LocalMatch.resumed(history.folder, saved, bots, name or "")
        except ChangedElsewhere:
            continue  # another window has just made a move: read the match again


def list_unfinished(terminal: Terminal) -> int:
    """List the unfinished matches in the data folder, and return the exit status."""
    damaged: list[StoreError] = []
    found = [*History.of_user().unfinished(damaged.append)]
    for error in damaged:
        terminal.say(f"{error}\n", "reason")
    for saved in found:
        terminal.say(f"{saved.path.stem}  {_dated(saved)}\n")
    if not found and not damaged:
        terminal.say("You have no unfinished games.\n")
    return 0


def _saved(terminal: Terminal, history: History, word: str) -> SavedMatch:
    """Read the match that a player wants to continue. Raises `StoreError`."""
    if word != LAST:
        return read_match(history.locate(word, none="")[0])
    saved = next(_unfinished(terminal, history), None)
    if saved is None:
        raise StoreError(
            f"You have no unfinished games. To start a new game: {program()} play GAME"
        )
    return saved


def _dated(saved: SavedMatch) -> str:
    """Return when a match was last played, and the match in a few words."""
    when = local_time(saved.path.stat().st_mtime)
    return f"{when:%Y-%m-%d %H:%M}  {transcript.summary(saved.match)}"


def _unfinished(terminal: Terminal, history: History) -> Iterator[SavedMatch]:
    return history.unfinished(lambda error: terminal.say(f"{error}\n", "reason"))
