"""A match on this machine, without a front end: decides, saves, thinks for the computer."""

from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Self

from divisorduel.play.commands import Command
from divisorduel.play.decide import Decision, begin, decide
from divisorduel.play.events import Seat
from divisorduel.play.match import Match, other
from divisorduel.play.players import GreedyPlayer, Judge, player
from divisorduel.record.match_records import Heading, match_to_records
from divisorduel.record.model import Record
from divisorduel.store.match_files import (
    ChangedElsewhere,
    MatchFile,
    MatchFolder,
    SavedMatch,
    StoreError,
    data_folder,
    save_as,
)
from divisorduel.system import program
from divisorduel.terminal.plain.match_loop import NOT_SAVED, SAVED_SEPARATELY, new_name


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did, and what the player must know about the file."""

    decision: Decision
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The move of a computer player, and whether it is a guess because the time ran out."""

    number: int
    is_guess: bool = False


class LocalMatch:
    """A match that is saved after every command, before anyone sees the result."""

    def __init__(
        self,
        match: Match,
        heading: Heading,
        file: MatchFile | None,
        *,
        is_saved: bool = False,
        seed: int | None = None,
    ) -> None:
        self.match = begin(match).match
        self.heading = heading
        self._file = file
        self.is_saved = is_saved
        """Whether the file holds the match as it is now."""
        self._save_error = ""
        self._rng = Random(seed)  # noqa: S311  # a game, not a secret

    @classmethod
    def new(cls, match: Match, *, save: bool = True, seed: int | None = None) -> Self:
        """Set up a new match; its file is made with the first move."""
        heading = Heading(new_name(), _today())
        file = MatchFile(MatchFolder(data_folder()), heading.match, heading) if save else None
        return cls(match, heading, file, seed=seed)

    @classmethod
    def resumed(cls, folder: MatchFolder, saved: SavedMatch) -> Self:
        """Continue a match from a file. Raises `StoreError`.

        A match from the folder is continued in its file. One from another folder, or one with
        comments, is continued in a copy.
        """
        heading = Heading(saved.heading.match or new_name(), saved.heading.date or _today())
        if saved.is_ours and saved.path.resolve().parent == folder.folder.resolve():
            file = MatchFile.of(folder, replace(saved, heading=heading))
        else:
            file = MatchFile(folder, new_name(), heading)
        file.save(saved.match)
        return cls(saved.match, heading, file, is_saved=True)

    @property
    def seat(self) -> Seat:
        """Who acts: the player to move, but after the end never a computer player."""
        to_move = self.match.current.to_move
        return other(to_move) if self.match.over and self.match.is_computer(to_move) else to_move

    @property
    def record(self) -> Record:
        """The last round as a record."""
        return match_to_records(self.match, self.heading)[-1]

    def submit(self, command: Command) -> Outcome:
        """Carry out a command; the match is on disk before this returns."""
        decision = decide(self.match, self.seat, command)
        if decision.refusal is not None:
            return Outcome(decision)
        notices = self._save(decision.match)
        self.match = decision.match
        return Outcome(decision, notices)

    def choose(self, judge: Judge) -> Choice:
        """Choose the move of the computer player whose turn it is; this can take a while."""
        game, position = self.match.game, self.match.current.position
        computer = player(self.match.computer_to_move or "random", judge) or GreedyPlayer()
        number = computer.choose(game, position, self._rng)
        return Choice(number, computer.is_guessing(game, position))

    def choose_quickly(self) -> Choice:
        """Choose a reasonable move at once."""
        game, position = self.match.game, self.match.current.position
        return Choice(GreedyPlayer().choose(game, position, self._rng))

    def save_as(self, file: str) -> str:
        """Save the match in a file that the player named, and say so or say why not."""
        try:
            return f"Saved to {save_as(self.match, self.heading, file)}."
        except StoreError as error:
            return str(error)

    def farewell(self) -> str:
        """Say what happens to an unfinished match when the player leaves; nothing once it is over.

        A line for the shell: it says how to continue.
        """
        if self.match.over:
            return ""
        if self._file is None:
            return "The game was not saved, because of --no-save."
        if self.is_saved:
            return f"The game is saved. To continue: {program()} resume"
        if self._save_error:
            return f"The game could not be saved: {self._save_error}"
        return "No move was made, so there is nothing to save."

    def _save(self, match: Match) -> tuple[str, ...]:
        """Save the match, and return what the player must know about it."""
        if self._file is None:
            return ()
        try:
            self._file.save(match)
        except ChangedElsewhere:
            self._file = self._file.with_name(new_name())
            return (SAVED_SEPARATELY.strip(), *self._save(match))
        except StoreError as error:
            self.is_saved = False
            is_news, self._save_error = str(error) != self._save_error, str(error)
            return (f"{error} {NOT_SAVED}",) if is_news else ()
        self.is_saved, self._save_error = True, ""
        return ()


def _today() -> str:
    return f"{datetime.now().astimezone():%Y-%m-%d}"
