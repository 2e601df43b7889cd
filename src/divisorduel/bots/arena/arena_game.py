"""Plays one game of an arena, and grades every decision exactly."""

from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import lru_cache
from random import Random
from typing import Any, Self

from divisorduel.bots.arena.schedule import Contestant, GameTask
from divisorduel.bots.engine import EnginePlayer
from divisorduel.play.events import Seat
from divisorduel.play.match import other
from divisorduel.play.players import (
    Judge,
    Player,
    PlayerFault,
    PlayerResigned,
    player,
)
from divisorduel.record.model import Line, Ply, Record, Result, Tag
from divisorduel.rules.code import read_code

LONGEST_REASON = 500
"""How many characters of a fault's reason, and of an engine's last words, are kept."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """What happened in a game. Seats are those of the game: seat 1 moves first."""

    game: int
    """The place of the game in the schedule."""
    winner: Seat
    moves: str
    """The moves, with spaces between them: there may be numbers too large for JSON."""
    met: tuple[int, int]
    """How many decisions each player met in which a win could be kept or given away."""
    given: tuple[int, int]
    """In how many of them each player gave it away."""
    unproven: int = 0
    """How many decisions could not be graded in time."""
    ending: str = ""
    """Empty if no move was left; otherwise ``resign``, or the fault of an engine."""
    reason: str = ""
    last_words: str = ""

    @property
    def is_fault(self) -> bool:
        """Whether the loser's engine failed."""
        return self.ending not in ("", "resign")

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain data, without what is empty."""
        data = asdict(self).items()
        return {name: value for name, value in data if name == "game" or value not in ("", 0)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Return the result that `as_json` wrote. Raises `TypeError`, `KeyError`, `ValueError`."""
        one, two = data["met"]
        three, four = data["given"]
        found = cls(**{**data, "met": (one, two), "given": (three, four)})
        if found.winner not in (1, 2):
            raise ValueError("no winner")
        return found


def play(task: GameTask) -> GameResult:
    """Play a game. An engine that fails loses it; it is started again for its next game."""
    return _Play(task).run()


class _Play:
    """A game in progress."""

    def __init__(self, task: GameTask) -> None:
        self._task = task
        self._game, self._position = read_code(task.opening)
        self._judge = _judge(task.seconds)
        self._engines: dict[int, EnginePlayer] = {}
        self._moves: list[int] = []
        self._met, self._given = [0, 0], [0, 0]
        self._unproven = 0

    def run(self) -> GameResult:
        ending = reason = last_words = ""
        with ExitStack() as stack:
            try:
                players = [self._open(seat, stack) for seat in (0, 1)]
                while not self._game.is_over(self._position):
                    self._turn(players)
            except PlayerResigned as error:
                ending, reason = "resign", str(error)
            except PlayerFault as fault:
                ending, reason, last_words = fault.fault, str(fault), fault.last_words
            loser = self._failing if ending else len(self._moves) % 2
            for seat, engine in self._engines.items():
                engine.end("loss" if seat == loser else "win")
        winner: Seat = 2 if loser == 0 else 1
        return GameResult(
            self._task.index,
            winner,
            " ".join(map(str, self._moves)),
            (self._met[0], self._met[1]),
            (self._given[0], self._given[1]),
            self._unproven,
            ending,
            reason[:LONGEST_REASON],
            last_words[-LONGEST_REASON:],
        )

    def _open(self, seat: int, stack: ExitStack) -> tuple[Player, Random]:
        self._failing = seat
        contestant, seed = self._task.players[seat], f"{self._task.seed}/{seat}"
        rng = Random(seed)  # noqa: S311  # a game, not a secret
        if not contestant.is_engine:
            return _built_in(contestant, self._judge), rng
        engine = EnginePlayer(contestant.command, seconds=self._task.seconds, attempts=1)
        stack.callback(engine.close)
        self._engines[seat] = engine
        engine.begin(self._task.opening, seed=rng.getrandbits(32))
        return engine, rng

    def _turn(self, players: list[tuple[Player, Random]]) -> None:
        seat = self._failing = len(self._moves) % 2
        chooser, rng = players[seat]
        try:
            move = chooser.choose(self._game, self._position, rng)
        except (PlayerFault, PlayerResigned):
            self._grade(seat, None)
            raise
        self._grade(seat, move)
        self._moves.append(move)
        self._position = self._game.after(self._position, move)

    def _grade(self, seat: int, move: int | None) -> None:
        """Count a decision; without a move, a win is given away even if every move wins."""
        verdict = self._judge.verdict(self._game, self._position)
        wins = len(verdict.winning_moves)
        if not verdict.proven:
            self._unproven += 1
        elif wins and (move is None or wins < self._game.number_of_moves(self._position)):
            self._met[seat] += 1
            self._given[seat] += move not in verdict.winning_moves


@lru_cache(maxsize=4)
def _judge(seconds: float) -> Judge:
    """Return the judge of this process, which has solved the positions of earlier games."""
    return Judge(max(seconds, 10.0))


def _built_in(contestant: Contestant, judge: Judge) -> Player:
    found = player(contestant.kind, judge)
    if found is None:
        raise ValueError("a person cannot play in an arena")
    return found


def record_of(task: GameTask, result: GameResult) -> Record:
    """Return a game as a record, which passes the check of records."""
    game, start = read_code(task.opening)
    one, two = task.players
    score: Result = "1-0" if result.winner == 1 else "0-1"
    tags = [Tag("Game", game.book.key), Tag("Board", game.board)]
    if start != game.start():
        tags.append(Tag("Start", task.opening))
    tags += [
        Tag("Event", f"game {task.index + 1} of an arena"),
        Tag("Player1", one.name),
        Tag("Player2", two.name),
        Tag("Kind1", one.kind),
        Tag("Kind2", two.kind),
        Tag("Result", score),
        Tag("Termination", _termination(result)),
    ]
    if result.is_fault:
        loser = task.players[other(result.winner) - 1]
        tags.append(Tag("Fault", _one_line(f"{loser.name}: {result.reason}")))
    moves = tuple(Ply(int(word)) for word in result.moves.split())
    return Record(tuple(tags), Line(moves), score)


def _termination(result: GameResult) -> str:
    if result.is_fault:
        return f"fault {result.ending}"
    return "forfeit" if result.ending else "no move"


def _one_line(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)
