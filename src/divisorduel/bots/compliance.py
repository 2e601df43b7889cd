"""The compliance check: plays with an engine and names the first thing that it does wrong."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from divisorduel.bots.engine import SECONDS_TO_GREET, Engine, checked_move
from divisorduel.bots.process import SECONDS_TO_END, Clock
from divisorduel.bots.protocol import Greeting, Resign
from divisorduel.play.players import PlayerFault
from divisorduel.rules.catalogue import game, rule_book_keys
from divisorduel.rules.code import write_code
from divisorduel.rules.errors import BoardError
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position

BOARDS: dict[str, dict[str, int | str]] = {"descent": {"number": 720}}
"""Boards for games that have no default."""
QUIET = 0.1
"""How many seconds an engine must stay silent after its first answers."""
QUIET_ANSWERS = 3
"""After how many of its answers that is checked."""
JUMPS = 8
"""How many positions of each game are asked about out of order."""


@dataclass(frozen=True, slots=True)
class Played:
    """What an engine did in one game of the check."""

    key: str
    moves: int
    slowest: float
    resigned: bool


def check_engine(
    command: str,
    *,
    seconds: float = 1.0,
    greet_within: float = SECONDS_TO_GREET,
    clock: Clock = time.monotonic,
) -> Iterator[Greeting | Played]:
    """Check an engine; yield what it did right. Raises `PlayerFault` for what it did wrong.

    Nothing is left running, whatever happens.
    """
    engine = Engine(command, greet_within=greet_within, clock=clock)
    try:
        yield engine.greeting
        _check_games(engine.greeting)
        checker = _Checker(engine, seconds, clock)
        for key in engine.greeting.games or rule_book_keys():
            yield checker.play(game(key, **BOARDS.get(key, {})))
        checker.jump()
        ending = engine.quit()
    except PlayerFault as fault:
        fault.last_words = fault.last_words or engine.last_words
        raise
    finally:
        engine.close()
    if ending.status is None:
        raise PlayerFault(
            "no-quit", f"It was still running {SECONDS_TO_END:g} seconds after 'quit'."
        )
    if ending.status:
        raise PlayerFault(
            "bad-exit",
            f"After 'quit', it ended with exit status {ending.status} instead of 0.",
            engine.last_words,
        )
    if ending.leftovers:
        count = "a process" if ending.leftovers == 1 else f"{ending.leftovers} processes"
        raise PlayerFault("leftovers", f"It ended, but left {count} behind.")


def _check_games(greeting: Greeting) -> None:
    for key in greeting.games:
        try:
            if key not in rule_book_keys():
                game(key)
        except BoardError as error:
            raise PlayerFault("unclear", f"It says that it plays {key!r}. {error}") from None


class _Checker:
    """Plays with an engine, with the same random moves every time."""

    def __init__(self, engine: Engine, seconds: float, clock: Clock) -> None:
        self._engine, self._seconds, self._clock = engine, seconds, clock
        self._rng = Random(0)  # noqa: S311  # a game, not a secret
        self._quiet_left = QUIET_ANSWERS
        self._slowest = 0.0

    def play(self, board: Game) -> Played:
        """Play a game against random moves."""
        position, moves, self._slowest = board.start(), 0, 0.0
        self._engine.new_game(write_code(board, position))
        while not board.is_over(position):
            move = self._answer(board, position)
            if move is None:
                self._engine.over("loss")
                return Played(board.book.key, moves, self._slowest, resigned=True)
            moves += 1
            position = board.after(position, move)
            if board.is_over(position):
                self._engine.over("win")
                return Played(board.book.key, moves, self._slowest, resigned=False)
            position = board.after(position, board.random_move(position, self._rng))
        self._engine.over("loss")
        return Played(board.book.key, moves, self._slowest, resigned=False)

    def jump(self) -> None:
        """Ask for moves in positions that do not follow from each other, without ``newgame``.

        They are spread over whole games, because an engine may have resigned early.
        """
        for key in self._engine.greeting.games or rule_book_keys():
            board = game(key, **BOARDS.get(key, {}))
            positions = self._random_game(board)
            for position in self._rng.sample(positions, min(JUMPS, len(positions))):
                self._answer(board, position)

    def _random_game(self, board: Game) -> list[Position]:
        """Return the positions of a game between two random players, except the last."""
        position, found = board.start(), []
        while not board.is_over(position):
            found.append(position)
            position = board.after(position, board.random_move(position, self._rng))
        return found

    def _answer(self, board: Game, position: Position) -> int | None:
        """Return the engine's move, None if it resigns. Raises `PlayerFault`."""
        code, began = write_code(board, position), self._clock()
        try:
            answer = self._engine.ask(code, board.moves(position), self._seconds)
            self._slowest = max(self._slowest, self._clock() - began)
            move = None if isinstance(answer, Resign) else checked_move(board, position, answer)
            if self._quiet_left:
                self._quiet_left -= 1
                self._engine.check_quiet(QUIET)
        except PlayerFault as fault:
            raise PlayerFault(fault.fault, f"{fault} The position: {code}") from None
        return move
