"""An engine: a program that speaks our protocol, and a player that it chooses moves for."""

import time
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from threading import Lock
from typing import Self

from divisorduel.bots.process import Clock, EngineProcess, ProcessExit
from divisorduel.bots.protocol import (
    HELLO,
    MOST_LEGAL,
    MOST_LINES,
    EngineResult,
    Greeting,
    Move,
    Resign,
    Say,
    go,
    quoted,
    read_answer,
    read_greeting,
)
from divisorduel.play.players import SECONDS, Player, PlayerFault, PlayerResigned
from divisorduel.rules.code import write_code
from divisorduel.rules.errors import in_seconds
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import MANY_DIGITS
from divisorduel.rules.position import Position

SECONDS_TO_GREET = 10.0
GRACE = 1.0
"""How many seconds late an answer may be: the system may be busy."""
SEED = "seed"
"""The option by which an engine that plays at random lets a game be repeated."""
MOST_REMARKS = 20
"""How many remarks are kept until someone reads them."""


class Engine:
    """A running engine that has greeted. If it raises a fault, close it."""

    def __init__(
        self, command: str, *, greet_within: float = SECONDS_TO_GREET, clock: Clock = time.monotonic
    ) -> None:
        """Start an engine. Raises `PlayerFault`; then nothing is left running."""
        self._clock = clock
        self._process = EngineProcess(command, clock)
        self.remarks: list[str] = []
        """What the engine has said."""
        try:
            self.greeting = self._greet(greet_within)
        except BaseException as error:
            self._process.close()
            if isinstance(error, PlayerFault):
                error.last_words = self.last_words
            raise

    def __enter__(self) -> Self:
        """Use the engine."""
        return self

    def __exit__(self, *_: object) -> None:
        """Tell the engine to end, and make sure that it does."""
        self.quit()

    @property
    def last_words(self) -> str:
        """The end of what the engine wrote to standard error."""
        return self._process.last_words

    def set_option(self, name: str, value: str) -> None:
        """Set an option that the engine has; others are ignored."""
        if name in self.greeting.options:
            self._process.send(f"option {name} {value}")

    def new_game(self, code: str) -> None:
        """Announce a game."""
        self._process.send(f"newgame {code}")

    def over(self, result: EngineResult) -> None:
        """Say how the game ended for the engine."""
        self._process.send(f"over {result}")

    def ask(self, code: str, legal: Sequence[int], seconds: float) -> Move | Resign:
        """Return the engine's answer to a position, legal or not. Raises `PlayerFault`."""
        self._refuse_second_answer(self._clock())
        listed = legal if self.greeting.wants_legal and len(legal) <= MOST_LEGAL else ()
        self._process.send(go(code, max(1, round(seconds * 1000)), listed))
        deadline = self._clock() + seconds + GRACE
        for _ in range(MOST_LINES):
            line = self._process.receive(deadline)
            if line is None:
                raise PlayerFault("late", f"It did not answer within {in_seconds(seconds)}.")
            if line:
                answer = read_answer(line)
                if not isinstance(answer, Say):
                    return answer
                self._remember(answer)
        raise PlayerFault("flood", f"It sent {MOST_LINES:,} lines without an answer.")

    def check_quiet(self, seconds: float) -> None:
        """Wait, and raise `PlayerFault` if the engine sends anything but remarks."""
        self._refuse_second_answer(self._clock() + seconds)

    def quit(self) -> ProcessExit:
        """Tell the engine to end, and make sure that it does."""
        return self._process.quit()

    def kill(self) -> None:
        """Kill the engine. Any thread may do this; close the engine afterwards."""
        self._process.kill()

    def close(self) -> None:
        """Kill the engine and everything it has started."""
        self._process.close()

    def _greet(self, seconds: float) -> Greeting:
        deadline = self._clock() + seconds
        self._process.send(HELLO)
        greeting = Greeting("")
        for _ in range(MOST_LINES):
            line = self._process.receive(deadline)
            if line is None:
                raise PlayerFault(
                    "silent",
                    f"It did not answer {HELLO!r} with 'ok' within {in_seconds(seconds)}. "
                    "Does it flush what it writes?",
                )
            if line == "ok":
                if not greeting.name:
                    raise PlayerFault(
                        "unclear", "It sent 'ok' before its name. Send 'bot NAME' first."
                    )
                return greeting
            if line:
                greeting = read_greeting(greeting, line)
        raise PlayerFault("flood", f"It sent {MOST_LINES:,} lines without 'ok'.")

    def _refuse_second_answer(self, deadline: float) -> None:
        for _ in range(MOST_LINES):
            line = self._process.receive(deadline)
            if line is None:
                return
            if line and not line.startswith("say "):
                raise PlayerFault("twice", f"After its answer, it also sent {quoted(line)}.")
        raise PlayerFault("flood", f"After its answer, it sent {MOST_LINES:,} more lines.")

    def _remember(self, said: Say) -> None:
        self.remarks = [*self.remarks, said.text][-MOST_REMARKS:]


def checked_move(game: Game, position: Position, answer: Move) -> int:
    """Return the number of a move. Raises `PlayerFault` if it is illegal."""
    if refusal := game.refusal(position, answer.number):
        took = f"It took {answer.number}. " if answer.number < 10**MANY_DIGITS else ""
        raise PlayerFault("illegal", f"{took}{game.explain(refusal)}")
    return answer.number


class EnginePlayer(Player):
    """Lets an engine choose moves. An engine that fails is started again and asked once more."""

    def __init__(
        self, command: str, *, seconds: float = SECONDS, attempts: int = 2, name: str = ""
    ) -> None:
        """Start the engine. Raises `PlayerFault`."""
        self._command = command
        self._seconds = seconds
        self._attempts = attempts
        self._lock = Lock()
        self._is_closed = False
        self._remarks: list[str] = []
        self._engine: Engine | None = Engine(command)
        self.greeting = self._engine.greeting
        self.name = name or self.greeting.name

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        """Return the engine's move. Raises `PlayerFault` or `PlayerResigned`."""
        if not self.plays(game.book.key):
            raise PlayerFault("not-played", f"{self.name} does not play {game.book.key}.")
        with self._lock:
            for attempt in range(1, self._attempts + 1):
                try:
                    return self._ask(game, position)
                except PlayerFault as fault:
                    self._drop(fault)
                    if attempt == self._attempts or self._is_closed:
                        raise
                    self._remarks.append(f"{self.name} failed and was started again. {fault}")
        raise AssertionError("an attempt returns or raises")

    def plays(self, key: str) -> bool:
        """Tell whether the engine plays a game."""
        return self.greeting.plays(key)

    def remarks(self) -> tuple[str, ...]:
        """Return what the engine has said since the last call, with a sentence for each restart."""
        said, self._remarks = tuple(self._remarks), []
        return said

    def begin(self, code: str, seed: int) -> None:
        """Announce a game, and make an engine with the option ``seed`` repeatable."""
        with self._lock:
            if self._engine:
                self._engine.set_option(SEED, str(seed))
                self._engine.new_game(code)

    def end(self, result: EngineResult) -> None:
        """Say how the game ended for the engine, unless it has failed."""
        with self._lock:
            if self._engine:
                with suppress(PlayerFault):  # the game is over
                    self._engine.over(result)

    def close(self) -> None:
        """End the engine, even while it is thinking."""
        self._is_closed = True
        if engine := self._engine:
            if self._lock.acquire(blocking=False):
                self._lock.release()
            else:
                engine.kill()
        with self._lock:
            if self._engine:
                self._engine.quit()
                self._engine = None

    def _ask(self, game: Game, position: Position) -> int:
        if self._is_closed:
            raise PlayerFault("ended", "The game was closed.")
        self._engine = engine = self._engine or Engine(self._command)
        code = write_code(game, position)
        moves = game.moves(position) if self.greeting.wants_legal else ()
        answer = engine.ask(code, moves, self._seconds)
        self._remarks += [f"{self.name}: {text}" for text in engine.remarks]
        engine.remarks = []
        if isinstance(answer, Resign):
            raise PlayerResigned(f"{self.name} gives up.")
        return checked_move(game, position, answer)

    def _drop(self, fault: PlayerFault) -> None:
        if self._engine:
            fault.last_words = fault.last_words or self._engine.last_words
            self._engine.close()
            self._engine = None
