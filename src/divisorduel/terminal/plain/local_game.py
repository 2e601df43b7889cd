"""Games on this machine: sets up matches, saves them in the data folder, lists and resumes them."""

from collections.abc import Iterator
from random import Random

from divisorduel.play.events import Seat
from divisorduel.play.match import Match
from divisorduel.store.atomic_file import StoreError
from divisorduel.store.history import LAST, History
from divisorduel.store.match_files import ChangedElsewhere, SavedMatch, read_match
from divisorduel.system import program
from divisorduel.terminal.local_match import LocalMatch
from divisorduel.terminal.plain import questions, transcript
from divisorduel.terminal.plain.match_loop import PlainMatch
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
    local = LocalMatch.new(match, save=save, seed=seed)
    opening = transcript.begin_round(match, 1) if welcomed else transcript.opening(match)
    return PlainMatch(terminal, local, delay=delay).play(opening)


def resume(terminal: Terminal, name: str | None) -> int:
    """Continue the match with that number or id, in that file, or else the last unfinished one.

    Return the exit status. Raises `StoreError` if there is no such match, or it is finished.
    """
    history = History.of_user()
    while True:
        saved = _saved(terminal, history, LAST if name is None else name)
        match = saved.match
        if match.over:
            raise StoreError(
                f"The game in {saved.path} is finished. To see it: {program()} replay {name}"
            )
        try:
            local = LocalMatch.resumed(history.folder, saved)
        except ChangedElsewhere:
            continue  # another window has just made a move: read the match again
        for notice in local.notices:
            terminal.say(f"{notice}\n", "reason")
        title = f"Continuing {match.game.book.title}: {transcript.summary(match)}.\n"
        opening = [StyledText(title, "heading"), *transcript.resume_round(match)]
        return PlainMatch(terminal, local).play(opening)


def list_unfinished(terminal: Terminal) -> int:
    """List the unfinished matches in the data folder, and return the exit status."""
    found = [*_unfinished(terminal, History.of_user())]
    for saved in found:
        terminal.say(f"{saved.path.stem}  {transcript.summary(saved.match)}\n")
    if not found:
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


def _unfinished(terminal: Terminal, history: History) -> Iterator[SavedMatch]:
    return history.unfinished(lambda error: terminal.say(f"{error}\n", "reason"))
