"""The table where a match is played in plain lines: a prompt, an answer, and nothing is lost."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from divisorduel.coach.hints import hint
from divisorduel.coach.reasons import reason
from divisorduel.coach.review import review
from divisorduel.play.commands import Command, Forfeit, Redo, Rematch, Take, Undo
from divisorduel.play.events import Event, Refused, Seat
from divisorduel.play.match import Match
from divisorduel.play.players import Judge, Player, player
from divisorduel.play.session import OVER, Session
from divisorduel.record.match_records import Heading, match_to_records
from divisorduel.store.match_files import ChangedElsewhere, MatchFile, StoreError, save_as
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.plain.input_parser import HELP, Unclear, Word, read_line
from divisorduel.terminal.plain.review_view import show_review
from divisorduel.terminal.plain.rules_text import guide
from divisorduel.terminal.plain.transcript import Styled
from divisorduel.terminal.terminal import EndOfInput, Terminal
from divisorduel.words.advice import GUESSING, hint_text, reason_text

FINISHED, INPUT_ENDED, INTERRUPTED = 0, 3, 130
"""How a game at the table can end, as exit statuses."""


@dataclass(frozen=True, slots=True)
class MatchContext:
    """What the table is given from outside."""

    terminal: Terminal
    command: str
    """What a person types to run this program."""
    new_name: Callable[[], str]
    """Makes a name that no other match has."""
    rng: Random
    """Chance, for computer players."""
    pause: Callable[[], None]
    """Waits as long as a computer player seems to think."""


class PlainMatch:
    """One match, played at a terminal."""

    def __init__(
        self,
        around: MatchContext,
        match: Match,
        heading: Heading,
        keeper: MatchFile | None,
        *,
        is_kept: bool = False,
    ) -> None:
        self._around = around
        self._terminal = around.terminal
        self._session = Session(match)
        self._heading = heading
        self._keeper = keeper
        self._is_kept = is_kept
        self._trouble = ""
        self._judge = Judge()
        self._players: dict[Seat, Player | None] = {
            1: player(match.kinds[0], self._judge),
            2: player(match.kinds[1], self._judge),
        }
        self._hints = 0
        self._warned = False

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._session.match

    def play(self, opening: Iterable[Styled]) -> int:
        """Play until the match is over or somebody leaves, and return the exit status."""
        try:
            self._say(opening)
            self._announce(self.match, self._session.begin())
            while self._goes_on():
                pass
        except EndOfInput:
            if self.match.over:
                return FINISHED
            self._terminal.complain(f"The input ended before the game did. {self._farewell()}")
            return INPUT_ENDED
        except KeyboardInterrupt:
            self._terminal.complain("" if self.match.over else f"\n{self._farewell()}")
            return INTERRUPTED
        return FINISHED

    def _goes_on(self) -> bool:
        """Ask for one line and act on it; tell whether there is more to come."""
        if not self.match.over:
            computer = self._players[self.match.current.to_move]
            if computer is not None:
                return self._let_move(computer)
            return self._answer(read_line(self._terminal.ask(transcript.prompt(self.match))))
        if not self._terminal.interactive or all(self._players.values()):
            return False
        line = self._terminal.ask("\nPlay again? (yes, no, or r for a review): ")
        if line.strip().lower() in ("no", "n", ""):
            return False
        if line.strip().lower() in ("r", "review"):
            record = match_to_records(self.match, self._heading)[-1]
            self._say(show_review(review(record)))
            return True
        if line.strip().lower() in ("yes", "y"):
            self._submit(Rematch())
            return True
        return self._answer(read_line(line))

    def _let_move(self, computer: Player) -> bool:
        """Let a computer player move, and show it as if it had typed its number."""
        match = self.match
        number = computer.choose(match.game, match.current.position, self._around.rng)
        if not self._warned and computer.is_guessing(match.game, match.current.position):
            self._warned = True
            self._say([Styled(f"{GUESSING}\n", "reason")])
        self._around.pause()
        self._say([Styled(f"{transcript.prompt(match)}{number}\n")])
        self._submit(Take(number))
        return True

    def _answer(self, said: Take | Word | Unclear) -> bool:
        """Do what was asked; tell whether there is more to come."""
        match said:
            case Word("quit"):
                if not self.match.over:
                    self._say([Styled(f"{self._farewell()}\n")])
                return False
            case Take():
                self._submit(said)
            case Unclear(answer):
                self._say([Styled(f"{answer}\n", "reason")])
            case Word("save", file):
                self._save(file)
            case Word("undo") if not self._a_human_has_moved():
                self._say([Styled("There is no move of yours to undo.\n", "reason")])
            case Word(name) if name in _COMMANDS:
                self._submit(_COMMANDS[name])
                if name in ("undo", "redo"):
                    self._follow(_COMMANDS[name])
            case Word(name):
                self._say(self._information(name))
        return True

    def _a_human_has_moved(self) -> bool:
        return any(
            self._players[played.mover(turn)] is None
            for played in self.match.played
            for turn in range(1, len(played.moves) + 1)
        )

    def _follow(self, command: Command) -> None:
        """Undo or redo the moves of a computer player, too: it would only make them again."""
        while not self.match.over and self._players[self.match.current.to_move] is not None:
            version = self._session.version
            self._submit(command)
            if self._session.version == version:
                return

    def _information(self, name: str) -> Iterable[Styled]:
        match name:
            case "moves":
                return transcript.moves(self.match)
            case "history":
                return transcript.history(self.match)
            case "hint" | "why" if self.match.over:
                return [Styled(f"{OVER}\n", "reason")]
            case "hint":
                self._hints += 1
                given = hint(self.match.game, self.match.current.position, self._hints, self._judge)
                ask = " (Type why for the reason.)" if given.move is not None else ""
                return [Styled(f"{hint_text(given)}{ask}\n", "prose")]
            case "why":
                why = reason(self.match.game, self.match.current.position, self._judge)
                return [Styled(f"{reason_text(why)}\n", "prose")]
            case "rules":
                return guide(self.match.game.book.key, self.match.game)
            case _:
                return _help(self.match)

    def _submit(self, command: Command) -> None:
        """Carry out a command; what it changes is on disk before anybody is told of it."""
        before = self.match
        events = self._session.submit(command)
        if not any(isinstance(event, Refused) for event in events):
            self._hints = 0
            self._keep()
        self._announce(before, events)

    def _announce(self, seen: Match, events: Iterable[Event]) -> None:
        for event in events:
            seen = seen.after(event)
            self._say(transcript.show(event, seen))

    def _keep(self) -> None:
        if self._keeper is None:
            return
        try:
            self._keeper.keep(self.match)
        except ChangedElsewhere:
            self._keeper = self._keeper.apart(self._around.new_name())
            self._say([Styled("This match goes on elsewhere, too: from here it is kept apart.\n")])
            self._keep()
        except StoreError as error:
            self._is_kept = False
            if str(error) != self._trouble:
                self._trouble = str(error)
                self._say([Styled(f"{error} The game goes on, but it is not kept.\n", "reason")])
        else:
            self._is_kept, self._trouble = True, ""

    def _save(self, file: str) -> None:
        try:
            path = save_as(self.match, self._heading, file)
        except StoreError as error:
            self._say([Styled(f"{error}\n", "reason")])
        else:
            self._say([Styled(f"Saved to {path}.\n")])

    def _farewell(self) -> str:
        if self._keeper is None:
            return "The game was not kept, as --no-save asked."
        if not self._is_kept:
            if self._trouble:
                return f"The game could not be kept: {self._trouble}"
            return "No move was made, so there is nothing to keep."
        return f"The game is kept. To go on: {self._around.command} resume"

    def _say(self, lines: Iterable[Styled]) -> None:
        for said in lines:
            self._terminal.say(*said)


_COMMANDS: dict[str, Command] = {"undo": Undo(), "redo": Redo(), "forfeit": Forfeit()}


def _help(match: Match) -> Iterable[Styled]:
    answer = "yes, no or review" if match.over else "a number to play it"
    yield Styled(f"Type {answer}, or a command (its first letters will do):\n")
    for name, meaning in HELP.items():
        if match.undo or name not in ("undo", "redo"):
            yield Styled(f"  {name:<8} {meaning}\n")
