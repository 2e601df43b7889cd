"""A match on this machine, without a front end: decides, saves, thinks for the computer."""

import secrets
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Self

from divisorduel.play.commands import Command, Forfeit, Take
from divisorduel.play.decide import Decision, begin, decide, fail
from divisorduel.play.events import Seat
from divisorduel.play.match import Match, other
from divisorduel.play.players import (
    GreedyPlayer,
    Judge,
    Player,
    PlayerFault,
    PlayerResigned,
    is_bot,
    player,
)
from divisorduel.record.match_records import Heading, match_to_records
from divisorduel.record.model import Record
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position
from divisorduel.store.match_files import (
    ChangedElsewhere,
    MatchFile,
    MatchFolder,
    SavedMatch,
    StoreError,
    data_folder,
    save_as,
)
from divisorduel.store.output import is_standard_output
from divisorduel.system import program

NOT_SAVED = "You can keep playing, but the game is not saved. Save it in another folder."
SEATS: tuple[Seat, Seat] = (1, 2)
SAVED_SEPARATELY = "This game is also open in another window. From here on it is saved separately."


def new_name() -> str:
    """Return a unique name for a match; names sort by time."""
    return f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


@dataclass(frozen=True, slots=True)
class LocalOutcome:
    """What a command did, and what the player must know about the file."""

    decision: Decision
    notices: tuple[str, ...] = ()


Bots = Mapping[Seat, Player]
"""The engines that play, by their seats."""


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """The move of a computer player, and whether it is a guess because the time ran out."""

    number: int | None
    """The move; None if an engine gives up or has failed."""
    is_guess: bool = False
    fault: str = ""
    """How an engine has failed, in a word; empty if it has not."""
    remarks: tuple[str, ...] = ()
    """What the player said, or what a person must know about it."""


class LocalMatch:
    """A match that is saved after every command, before anyone sees the result."""

    def __init__(
        self,
        match: Match,
        heading: Heading,
        file: MatchFile | None,
        *,
        saved: SavedMatch | None = None,
        seed: int | None = None,
        bots: Bots | None = None,
        called: str = "",
    ) -> None:
        """Set up a match, which may continue a `saved` one. Raises `StoreError`.

        Each seat of the kind ``bot`` needs an engine in `bots`. An error names the command that
        continues the match: `called` is what to write after ``duel resume``, if anything.
        """
        self._bots = bots or {}
        for seat in SEATS:
            if not is_bot(match.kinds[seat - 1]):
                continue
            which = f" {shlex.quote(called)}" if called else ""
            again = f"{program()} resume{which} --p{seat} bot:COMMAND"
            if seat not in self._bots:
                raise StoreError(f"Player {seat} of this game is an engine. To continue: {again}")
            if not self._bots[seat].plays(key := match.game.book.key):
                raise StoreError(f"This engine does not play {key}. Use another one: {again}")
        self.opening = begin(match)
        """The rounds that were due before the first move."""
        self.match = self.opening.match
        self.heading = heading
        self.notices: tuple[str, ...] = ()
        """What the player must know when the match is resumed."""
        self.is_saved = False
        """Whether the file holds the match as it is now."""
        self._file = file
        self._content = saved.content if saved else None
        self._save_error = ""
        self._rng = Random(seed)  # noqa: S311  # a game, not a secret

    @classmethod
    def new(
        cls, match: Match, *, save: bool = True, seed: int | None = None, bots: Bots | None = None
    ) -> Self:
        """Set up a new match; its file is made with the first move."""
        heading = Heading(new_name(), _today())
        file = MatchFile(MatchFolder(data_folder()), heading.match_id, heading) if save else None
        return cls(match, heading, file, seed=seed, bots=bots)

    @classmethod
    def resumed(
        cls, folder: MatchFolder, saved: SavedMatch, bots: Bots | None = None, called: str = ""
    ) -> Self:
        """Continue a saved match, which becomes the last one played.

        A match from the folder is continued in its file. One from another folder, or one with
        comments, is continued in a copy, as a match of its own. Raises `ChangedElsewhere` if
        another program has changed the file since it was read.
        """
        name, date = new_name(), saved.heading.date or _today()
        is_continued = saved.is_ours and saved.path.resolve().parent == folder.folder.resolve()
        heading = Heading(saved.heading.match_id or name if is_continued else name, date)
        if is_continued:
            file = MatchFile.of(folder, replace(saved, heading=heading))
        else:
            file = MatchFile(folder, name, heading)
        local = cls(saved.match, heading, file, saved=saved, bots=bots, called=called)
        local.is_saved = is_continued
        local.notices = local._save(saved.match)
        if not is_continued:
            copied = f"{saved.path} is not changed; the game continues in a copy."
            local.notices = (copied, *local.notices)
        return local

    @property
    def seat(self) -> Seat:
        """Who acts: the player to move, but after the end never a computer player."""
        to_move = self.match.current.to_move
        return other(to_move) if self.match.over and self.match.is_computer(to_move) else to_move

    @property
    def record(self) -> Record:
        """The last round as a record."""
        return match_to_records(self.match, self.heading)[-1]

    def submit(self, command: Command) -> LocalOutcome:
        """Carry out a command; the match is on disk before this returns."""
        return self._carry_out(decide(self.match, self.seat, command))

    def play(self, choice: ChosenMove) -> LocalOutcome:
        """Do what a computer player chose; the match is on disk before this returns."""
        if choice.fault:
            return self._carry_out(fail(self.match, choice.fault))
        return self.submit(Forfeit() if choice.number is None else Take(choice.number))

    def _carry_out(self, decision: Decision) -> LocalOutcome:
        if decision.refusal is not None:
            return LocalOutcome(decision)
        try:
            notices = self._save(decision.match)
        except ChangedElsewhere:
            notices = (self._continue_separately(), *self._save(decision.match))
        self.match = decision.match
        return LocalOutcome(decision, notices)

    def choose(self, judge: Judge) -> ChosenMove:
        """Choose the move of the computer player whose turn it is; this can take a while."""
        game, current = self.match.game, self.match.current
        if bot := self._bots.get(current.to_move):
            return self._ask(bot, game, current.position)
        computer = player(self.match.computer_to_move or "random", judge) or GreedyPlayer()
        number = computer.choose(game, current.position, self._rng)
        return ChosenMove(number, computer.is_guessing(game, current.position))

    def _ask(self, bot: Player, game: Game, position: Position) -> ChosenMove:
        try:
            return ChosenMove(bot.choose(game, position, self._rng), remarks=bot.remarks())
        except PlayerResigned as error:
            return ChosenMove(None, remarks=(*bot.remarks(), str(error)))
        except PlayerFault as fault:
            return ChosenMove(None, fault=fault.fault, remarks=(*bot.remarks(), str(fault)))

    def choose_quickly(self) -> ChosenMove:
        """Choose a reasonable move at once."""
        game, position = self.match.game, self.match.current.position
        return ChosenMove(GreedyPlayer().choose(game, position, self._rng))

    def save_as(self, file: str) -> str:
        """Save the match in a file that the player named, and say so. Raises `StoreError`.

        If the match went to standard output (-), there is nothing to say.
        """
        path = save_as(self.match, self.heading, file, self._content)
        return "" if is_standard_output(path) else f"Saved to {path}."

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
        return "No move was made, so the game is not in your history."

    def _save(self, match: Match) -> tuple[str, ...]:
        """Save the match, and return what the player must know about it.

        Raises `ChangedElsewhere` if another program has changed the file.
        """
        if self._file is None:
            return ()
        try:
            self._file.save(match)
        except ChangedElsewhere:
            raise
        except StoreError as error:
            self.is_saved = self.is_saved and match is self.match  # which was saved before
            is_news, self._save_error = str(error) != self._save_error, str(error)
            return (f"{error} {NOT_SAVED}",) if is_news else ()
        self.is_saved, self._save_error = True, ""
        return ()

    def _continue_separately(self) -> str:
        """Save the match under another name from here on, and say so."""
        if self._file is not None:
            self._file = self._file.with_name(new_name())
            self.heading = self._file.heading
        return SAVED_SEPARATELY


def _today() -> str:
    return f"{datetime.now().astimezone():%Y-%m-%d}"
