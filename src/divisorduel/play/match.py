"""A match as a value: the players, what they agreed on, and the rounds they have played."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import cycle
from typing import Literal, Self, get_args

from divisorduel.play import events
from divisorduel.play.events import Ending, Event, Seat
from divisorduel.play.names import JOINER, hidden_fault, look_alike
from divisorduel.rules.errors import DuelError, one_of
from divisorduel.rules.game import Game, Taken
from divisorduel.rules.numbers import is_whole
from divisorduel.rules.position import Position
from divisorduel.rules.refusal import Refusal

Then = Literal["alternate", "same", "loser"]
"""Who starts the next round: the other player, the same one, or the one who lost."""
State = Literal["waiting", "playing", "over", "off", "expired"]
"""A seat is free, the match is being played, it was played to the end, or it ended unfinished."""

MOST_ROUNDS = 1_000
LONGEST_NAME = 40
SNAPSHOT_EVERY = 16
"""How many moves there are between two snapshots of a round. An undo replays fewer than this."""
MOST_SNAPSHOTS = 8
"""How many snapshots a round keeps. More moves can be undone, but at a higher cost."""
MOST_OFFERS = 5
"""How many offers a player may make between two moves. Each one makes a move of the opponent stale
that is on its way.
"""
MOST_UNDONE = 10
"""How many moves one command can undo or redo, so that no command takes long."""


class MatchError(DuelError):
    """A match that cannot be set up."""

    code = "bad-match"


def other(seat: Seat) -> Seat:
    """Return the opponent's seat."""
    return 2 if seat == 1 else 1


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a match."""

    starter: Seat
    position: Position
    """Where the round is. An earlier round keeps only the last number, to save memory."""
    moves: tuple[int, ...] = ()
    winner: Seat | None = None
    forfeit: events.Forfeited | None = None
    snapshots: tuple[Position, ...] = field(default=(), compare=False, repr=False)
    """Earlier positions, one after every `SNAPSHOT_EVERY` moves: an undo replays only a few."""

    @property
    def to_move(self) -> Seat:
        """The player whose turn it is, or the loser who had no move left."""
        return self.mover(len(self.moves) + 1)

    def mover(self, turn: int) -> Seat:
        """Return the player of a turn, counted from 1."""
        return self.starter if turn % 2 else other(self.starter)

    def taken_by(self, seat: Seat) -> tuple[int, ...]:
        """Return the numbers a player took, in order."""
        return self.moves[0 if seat == self.starter else 1 :: 2]

    def forfeited(self, forfeit: events.Forfeited) -> Self:
        """Return the round after a forfeit, which ends it."""
        return replace(self, forfeit=forfeit, winner=other(forfeit.by))

    def compacted(self) -> Self:
        """Return the round as it is kept once the next one has begun: without playable numbers."""
        return replace(self, position=Position(0, self.position.last))


@dataclass(frozen=True, kw_only=True)
class Match:
    """What the players agreed on, and what they have played since.

    Make one with `Match.of`, which checks its arguments. `decide` says which events a command
    causes, and `after` applies them.
    """

    game: Game
    start: Position
    """Where every round begins: the game's own start, or a position the players agreed on."""
    names: tuple[str, str]
    kinds: tuple[str, str]
    """Who chooses the moves: a human, or a kind of computer player."""
    then: Then
    rounds: int
    series: int
    """How many rounds the players first agreed on, and how many a rematch adds."""
    undo: bool
    apart: bool = False
    """Whether two people play on different devices, so that undo and rematch are offers."""
    joined: tuple[bool, bool] = (True, True)
    """Which seats are taken."""
    played: tuple[Round, ...] = ()
    """The rounds that have begun; the last one may be unfinished."""
    undone: tuple[int, ...] = ()
    """The moves that can be redone, the next one last."""
    offer: events.Offered | None = None
    asked: tuple[Seat, ...] = field(default=(), compare=False)
    """Who has made an offer since the last move, once for each."""
    closed: Ending | None = None
    version: int = 0
    """How many commands have been carried out. A command made for another version is refused."""

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
    ) -> "Match":
        """Set up a match whose first round has begun. Raises `MatchError`.

        If the board allows no move at all, that round is already over: `begin` starts the next.
        """
        if not is_whole(rounds) or not 1 <= rounds <= MOST_ROUNDS:
            raise MatchError(f"A match has between 1 and {MOST_ROUNDS:,} rounds, not {rounds}.")
        if first not in (1, 2):
            raise MatchError(f"The first player must be 1 or 2, not {first!r}.")
        if then not in get_args(Then):
            raise MatchError(f"Unknown starter rule {then!r}. Choose {one_of(get_args(Then))}.")
        match = cls(
            game=game,
            start=start or game.start(),
            names=check_names(names),
            kinds=kinds,
            then=then,
            rounds=rounds,
            series=rounds,
            undo=undo,
        )
        return match.after(events.RoundBegan(first))

    def can_happen(self, event: Event) -> bool:
        """Tell whether an event can happen now. `decide` causes no others."""
        return not self.closed and event.can_happen(self)

    def after(self, event: Event) -> "Match":
        """Return the match after an event, with its version unchanged."""
        return event.apply(self)

    def at_next_version(self) -> Self:
        """Return the match to which the events of the next command are applied."""
        return self.changed(version=self.version + 1)

    def replay(self, step: Iterable[Event]) -> Iterator[tuple[Event, "Match"]]:
        """Apply the events of one command; yield each with the match after it."""
        match: Match = self.at_next_version()
        for event in step:
            match = match.after(event)
            yield event, match

    @property
    def first(self) -> Seat:
        """Who starts the first round."""
        return self.played[0].starter

    @property
    def current(self) -> Round:
        """The round being played, or the last one."""
        return self.played[-1]

    @property
    def over(self) -> bool:
        """Whether the last round has been won."""
        return self.current.winner is not None and len(self.played) >= self.rounds

    @property
    def state(self) -> State:
        """Whether the match is waiting for players, being played, or over."""
        if self.closed:
            return self.closed
        if not all(self.joined):
            return "waiting"
        return "over" if self.over else "playing"

    @property
    def computer_to_move(self) -> str | None:
        """The kind of computer player whose turn it is, or None."""
        seat = self.current.to_move
        waits = self.state == "playing" and self.is_computer(seat)
        return self.kinds[seat - 1] if waits else None

    @property
    def next_starter(self) -> Seat | None:
        """Who starts the round that is due, or None if none is due."""
        winner = self.current.winner
        if winner is None or self.over:
            return None
        starter = self.current.starter
        return {"alternate": other(starter), "same": starter, "loser": other(winner)}[self.then]

    @property
    def score(self) -> tuple[int, int]:
        """The rounds won by Player 1 and by Player 2."""
        winners = [played.winner for played in self.played]
        return winners.count(1), winners.count(2)

    def taken(self, played: Round | None = None) -> tuple[Taken, ...]:
        """Return the numbers taken in a round, by default the current one, and who took them."""
        played = played or self.current
        names = self.name(played.starter), self.name(other(played.starter))
        return tuple(map(Taken, played.moves, cycle(names)))

    def name(self, seat: Seat) -> str:
        """Return a player's name."""
        return self.names[seat - 1]

    def is_computer(self, seat: Seat) -> bool:
        """Tell whether a computer chooses a player's moves."""
        return self.kinds[seat - 1] != "human"

    def move_refusal(self, number: int, played: Round | None = None) -> Refusal | None:
        """Return why a number cannot be taken in a round, by default the current one."""
        played = played or self.current
        position = played.position
        if played is not self.current:
            position = reduce(self.game.after, played.moves, self.start)
        if self.game.refusal(position, number) is None:  # only a refusal needs the history
            return None
        return self.game.refusal(position, number, self.taken(played))

    # --- for the events

    def changed(self, **changes: object) -> Self:
        """Do what `replace` does, but several times as fast: servers replay many matches."""
        changed = object.__new__(type(self))
        changed.__dict__.update(self.__dict__, **changes)
        return changed

    def round_at(
        self,
        position: Position,
        starter: Seat,
        moves: tuple[int, ...] = (),
        snapshots: tuple[Position, ...] = (),
    ) -> Round:
        """Return a round that has reached a position; it is won if there is no move left."""
        winner: Seat | None = None
        if self.game.is_over(position):
            # The player to move has lost: after an even number of moves, the starter.
            winner = starter if len(moves) % 2 else other(starter)
        return Round(starter, position, moves, winner, snapshots=snapshots)

    def longer(self, played: Round, number: int) -> Round:
        """Return a round with one more move."""
        position, moves = self.game.after(played.position, number), (*played.moves, number)
        snapshots = _with_snapshot(played.snapshots, len(moves), position)
        return self.round_at(position, played.starter, moves, snapshots)

    def shorter(self, played: Round) -> Round:
        """Return a round without its last move. Replay the moves since the last snapshot."""
        moves, snapshots = played.moves[:-1], played.snapshots
        if len(played.moves) % SNAPSHOT_EVERY == 0:
            snapshots = snapshots[:-1]
        since = len(moves) // SNAPSHOT_EVERY * SNAPSHOT_EVERY if snapshots else 0
        position = snapshots[-1] if snapshots else self.start
        for turn, move in enumerate(moves[since:], since + 1):
            position = self.game.after(position, move)
            snapshots = _with_snapshot(snapshots, turn, position)
        return Round(played.starter, position, moves, snapshots=snapshots)


def _with_snapshot(
    snapshots: tuple[Position, ...], turn: int, position: Position
) -> tuple[Position, ...]:
    """Return the snapshots of a round after a turn, given those before it."""
    return snapshots if turn % SNAPSHOT_EVERY else (*snapshots, position)[-MOST_SNAPSHOTS:]


def default_names(kinds: tuple[str, str]) -> tuple[str, str]:
    """Return names for players who gave none."""

    def name(seat: int, kind: str) -> str:
        if kind == "human":
            return f"Player {seat}"
        if kind.startswith("bot:"):
            return kind.removeprefix("bot:")
        return f"Level {kind}" if kind.isdigit() else kind.title()

    one, two = name(1, kinds[0]), name(2, kinds[1])
    return (one, two) if one != two else (f"{one} A", f"{two} B")


def check_name(name: str) -> str:
    """Return a name if it is valid. Raises `MatchError`."""
    _check_printable(name)
    if fault := hidden_fault(name):
        raise MatchError(f"{name!a} is not a name. {fault}")
    return name


def check_names(names: tuple[str, str], *, stored: bool = False) -> tuple[str, str]:
    """Return two names if both are valid and look different. Raises `MatchError`.

    Names that were `stored` may come from an older version, which allowed more.
    """
    one, two = names
    for name in names:
        if stored:
            _check_printable(name)
        else:
            check_name(name)
    is_same = one == two if stored else look_alike(one, two)
    if is_same:
        raise MatchError(f"Both players are called {one}. Give them different names.")
    return one, two


def _check_printable(name: str) -> None:
    shown = name.replace(JOINER, "")
    if not shown or name != name.strip() or not shown.isprintable() or len(name) > LONGEST_NAME:
        raise MatchError(
            f"{name!r} is not a name. Use 1 to {LONGEST_NAME} printable characters, "
            "without spaces at either end."
        )
