"""A match: one game or several rounds of it, as a value."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self, get_args

from divisorduel.play.events import (
    Event,
    Forfeited,
    MoveUndone,
    NumberTaken,
    Refused,
    RoundBegan,
    RoundsAdded,
    Seat,
)
from divisorduel.rules.errors import DuelError
from divisorduel.rules.game import Game, Taken
from divisorduel.rules.numbers import is_whole
from divisorduel.rules.position import Position

Then = Literal["alternate", "same", "loser"]
"""Who starts the next round: the other one, the same one, or the one who lost."""

MOST_ROUNDS = 1_000
LONGEST_NAME = 40
JOINER = "\u200d"
"""Joins several emoji into one, as in the sign for a family; by itself it shows nothing."""


class MatchError(DuelError):
    """A match that cannot be set up."""

    code = "bad-match"


def other(seat: Seat) -> Seat:
    """Return the opponent's seat."""
    return 2 if seat == 1 else 1


@dataclass(frozen=True, slots=True)
class Round:
    """One game of a match."""

    starter: Seat
    position: Position
    moves: tuple[int, ...] = ()
    winner: Seat | None = None
    forfeit: Forfeited | None = None

    @property
    def to_move(self) -> Seat:
        """The player whose turn it is, or who had no move left when it was their turn."""
        return self.mover(len(self.moves) + 1)

    def mover(self, turn: int) -> Seat:
        """Return the player whose turn was the given one, counted from 1."""
        return self.starter if turn % 2 else other(self.starter)

    def taken_by(self, seat: Seat) -> tuple[int, ...]:
        """Return the numbers a player took, in order."""
        return self.moves[0 if seat == self.starter else 1 :: 2]


@dataclass(frozen=True, kw_only=True)
class Match:
    """Everything that was agreed and played, and nothing else.

    Make one with `Match.of`, which checks what was agreed. The rounds begun, the last of them going
    on or over, are `played`.
    """

    game: Game
    start: Position
    """Where every round begins: the game's own start, or a position the players agreed on."""
    names: tuple[str, str] = ("Player 1", "Player 2")
    first: Seat = 1
    kinds: tuple[str, str] = ("human", "human")
    """Who chooses the moves: a human, or a kind of computer player."""
    then: Then = "alternate"
    rounds: int = 1
    series: int = 1
    """How many rounds were agreed at first, and so how many a rematch adds."""
    undo: bool = True
    played: tuple[Round, ...] = ()
    undone: tuple[int, ...] = ()
    """The moves taken back, the one to make again first at the end."""

    @classmethod
    def of(
        cls,
        game: Game,
        *,
        start: Position | None = None,
        names: tuple[str, str] = ("Player 1", "Player 2"),
        kinds: tuple[str, str] = ("human", "human"),
        first: Seat = 1,
        then: Then = "alternate",
        rounds: int = 1,
        undo: bool = True,
    ) -> Self:
        """Set up a match whose first round has begun. Raises `MatchError`."""
        if not is_whole(rounds) or not 1 <= rounds <= MOST_ROUNDS:
            raise MatchError(f"A match has between 1 and {MOST_ROUNDS} rounds, not {rounds}.")
        if first not in (1, 2):
            raise MatchError(f"Player 1 or 2 starts, not {first!r}.")
        if then not in get_args(Then):
            raise MatchError(f"The next starter is one of {', '.join(get_args(Then))}.")
        check_names(names)
        match = cls(
            game=game,
            start=start or game.start(),
            names=names,
            kinds=kinds,
            first=first,
            then=then,
            rounds=rounds,
            series=rounds,
            undo=undo,
        )
        return match.after(RoundBegan(first))

    def after(self, event: Event) -> Self:
        """Return the match after an event that a session made for it."""
        match event:
            case NumberTaken(number, again):
                undone = self.undone[:-1] if again else ()
                return self._with(played=self._with_move(number), undone=undone)
            case MoveUndone(number):
                return replace(self._without_move(), undone=(*self.undone, number))
            case Forfeited(by):
                ended = replace(self.current, forfeit=event, winner=other(by))
                return self._with(played=(*self.played[:-1], ended), undone=())
            case RoundBegan(starter):
                begun = self._round(starter, self.start, ())
                return self._with(played=(*self.played, begun))
            case RoundsAdded(rounds):
                return replace(self, rounds=self.rounds + rounds)
            case Refused():
                return self

    @property
    def current(self) -> Round:
        """The round being played, or the last one."""
        return self.played[-1]

    @property
    def over(self) -> bool:
        """Whether the last round has been won."""
        return self.current.winner is not None and len(self.played) >= self.rounds

    @property
    def next_starter(self) -> Seat | None:
        """Who starts the round that is due, if one is."""
        winner = self.current.winner
        if winner is None or self.over:
            return None
        starter = self.current.starter
        return {"alternate": other(starter), "same": starter, "loser": other(winner)}[self.then]

    @cached_property
    def score(self) -> tuple[int, int]:
        """The rounds won by Player 1 and by Player 2."""
        winners = [played.winner for played in self.played]
        return winners.count(1), winners.count(2)

    @property
    def taken(self) -> tuple[Taken, ...]:
        """The numbers taken in the current round, in order, with the names of who took them."""
        current = self.current
        return tuple(
            Taken(number, self.name(current.mover(turn)))
            for turn, number in enumerate(current.moves, 1)
        )

    def name(self, seat: Seat) -> str:
        """Return a player's name."""
        return self.names[seat - 1]

    def _round(self, starter: Seat, position: Position, moves: tuple[int, ...]) -> Round:
        winner: Seat | None = None
        if self.game.is_over(position):
            # Whoever is to move has lost: after an even number of moves, the starter.
            winner = starter if len(moves) % 2 else other(starter)
        return Round(starter, position, moves, winner)

    def _with(self, **changes: object) -> Self:
        """Do what `replace` does, several times as fast: a server replays thousands a second."""
        changed = object.__new__(type(self))
        changed.__dict__.update(self.__dict__)
        changed.__dict__.pop("score", None)  # it is worked out anew
        changed.__dict__.update(changes)
        return changed

    def _with_move(self, number: int) -> tuple[Round, ...]:
        current = self.current
        position = self.game.after(current.position, number)
        moved = self._round(current.starter, position, (*current.moves, number))
        return (*self.played[:-1], moved)

    def _without_move(self) -> Self:
        # A round in which nobody has moved goes with the move that ended the one before it.
        # If that round was the first after a rematch, the rematch goes, too.
        played = self.played if self.current.moves else self.played[:-1]
        rounds = self.rounds - (self.series if len(played) == self.rounds - self.series else 0)
        shorter = played[-1].moves[:-1]
        position = self.start
        for number in shorter:
            position = self.game.after(position, number)
        back = Round(played[-1].starter, position, shorter)
        return replace(self, played=(*played[:-1], back), rounds=rounds)


def default_names(kinds: tuple[str, str]) -> tuple[str, str]:
    """Return the names of players who have not been given any."""

    def name(seat: int, kind: str) -> str:
        if kind == "human":
            return f"Player {seat}"
        return f"Level {kind}" if kind.isdigit() else kind.title()

    one, two = name(1, kinds[0]), name(2, kinds[1])
    return (one, two) if one != two else (f"{one} A", f"{two} B")


def check_name(name: str) -> None:
    """Check that a name can be shown on a line. Raises `MatchError`."""
    shown = name.replace(JOINER, "")
    if not shown or name != name.strip() or not shown.isprintable() or len(name) > LONGEST_NAME:
        raise MatchError(
            f"{name!r} is not a name: one is printable, at most {LONGEST_NAME} characters long, "
            "and has no blanks around it."
        )


def check_names(names: tuple[str, str]) -> None:
    """Check two names, and that they can be told apart. Raises `MatchError`."""
    for name in names:
        check_name(name)
    if names[0] == names[1]:
        raise MatchError(f"Both players are called {names[0]}: give them different names.")
