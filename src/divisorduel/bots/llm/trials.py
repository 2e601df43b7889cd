"""What a language model is given: single positions, and openings to hold against `perfect`."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, Literal, get_args

from divisorduel.bots.action_space import action_space
from divisorduel.bots.arena.openings import is_opening, random_play
from divisorduel.bots.llm.chat_reply import ChatReply, TrialOutcome, read_answer
from divisorduel.bots.questions import (
    TRIES,
    Difficulty,
    Question,
    QuestionError,
    difficulty_of,
    proven,
    questions,
)
from divisorduel.play.players import Judge, PerfectPlayer
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import json_number
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, BudgetSpent

TrialMode = Literal["positions", "conversion"]
"""One move in a winning position, or a winning opening to be held to the end against `perfect`."""
MODES: tuple[TrialMode, ...] = get_args(TrialMode)

SECONDS = 60.0
"""The time limit for finding the positions of a board."""

Ask = Callable[[Question], Awaitable[ChatReply]]


@dataclass(frozen=True)
class Trial:
    """A winning position, and what is to be done with it."""

    mode: TrialMode
    question: Question
    seed: int

    @property
    def purpose(self) -> str:
        """What its replies are for, if they may be used for nothing else.

        Games can reach the same position. If they shared its reply, they would be won or lost
        together, and their intervals would be too narrow.
        """
        return f"{self.seed}/{self.question.id}" if self.mode == "conversion" else ""

    def rng(self, purpose: str) -> Random:
        """Return random numbers that depend on the seed, the position and a purpose only."""
        return Random(f"{self.seed}/{self.question.id}/{purpose}")  # noqa: S311  # not a secret


@dataclass(frozen=True)
class TrialResult:
    """What a model made of a trial."""

    trial: Trial
    outcome: TrialOutcome
    """``winning`` if the move wins or the opening was held; otherwise what ended the trial."""
    cause: str
    """If the last request has no answer, why."""
    moves: tuple[int, ...]
    """The legal moves of the model and, in between, those of its opponent."""
    asked: int
    """How many requests were needed."""
    retries: int
    """How often a request of this trial failed and was sent again."""
    tokens: int
    """The tokens that the endpoint reported."""
    failed: bool
    """Whether the endpoint failed to give a completion."""
    reply: str
    """The last reply in full."""

    @property
    def kept(self) -> int:
        """How many moves kept the win."""
        return self.asked - (self.outcome != "winning")

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {
            "id": self.trial.question.id,
            "position": self.trial.question.code,
            "outcome": self.outcome,
            "cause": self.cause,
            "moves": [json_number(move) for move in self.moves],
            "asked": self.asked,
            "retries": self.retries,
            "tokens": self.tokens,
            "reply": self.reply,
        }


def trials(
    game: Game, mode: TrialMode, count: int, seed: int, difficulty: Difficulty | None = None
) -> list[Trial]:
    """Return different trials on a board. Raises `QuestionError` and `BoardError`.

    The same seed gives the same ones; a longer list begins with the shorter one. For single
    positions, they are the questions of `duel ask` with that seed.
    """
    rng = Random(seed)  # noqa: S311  # not a secret
    budget = Budget(SECONDS)
    found: list[Trial] = []
    board = f"{game.book.key} {game.board}"
    try:
        drawn: Iterator[Position] = (
            (one.position for one in questions(game, "move", rng, difficulty, budget))
            if mode == "positions"
            else _openings(game, rng, difficulty, budget)
        )
        found += [
            Trial(mode, Question("move", game, position), seed) for position in islice(drawn, count)
        ]
    except BudgetSpent:
        raise QuestionError(
            f"Too few positions of {board} were found in {SECONDS:g} seconds. "
            "Use smaller boards, or ask for fewer."
        ) from None
    if len(found) < count:
        raise QuestionError(
            f"{board} has too few such positions ({len(found):,} found). Use larger boards, "
            "or ask for fewer."
        )
    return found


async def attempt(trial: Trial, ask: Ask, judge: Judge) -> TrialResult:
    """Let a model do a trial. Raises what `ask` raises.

    A game ends with the first move that does not win: `perfect` never gives the win back.
    """
    game, position = trial.question.game, trial.question.position
    opponent, rng = PerfectPlayer(judge), trial.rng("opponent")
    moves: list[int] = []
    asked = retries = tokens = 0
    while True:
        question = Question("move", game, position)
        answer = await ask(question)
        reading = read_answer(question, answer)
        asked += 1
        retries += answer.retries
        completion = answer.completion
        tokens += (completion and completion.tokens) or 0
        if reading.move is not None and reading.outcome in ("winning", "losing"):
            moves.append(reading.move)
            position = game.after(position, reading.move)
        if reading.outcome != "winning" or trial.mode == "positions" or game.is_over(position):
            break
        moves.append(opponent.choose(game, position, rng))
        position = game.after(position, moves[-1])
    return TrialResult(
        trial,
        reading.outcome,
        reading.cause,
        tuple(moves),
        asked,
        retries,
        tokens,
        completion is None,
        completion.text if completion else "",
    )


def _openings(
    game: Game, rng: Random, difficulty: Difficulty | None, budget: Budget
) -> Iterator[Position]:
    """Yield different openings from the first halves of random games, until they are used up.

    Raises `BoardError` if the board is too large, and `BudgetSpent` when the budget is spent.
    """
    action_space(game)
    judge = Judge()
    seen: set[Position] = set()
    failures = 0
    while failures < TRIES:
        budget.check()
        played = random_play(game, rng)
        new = [position for position in played[: len(played) // 2] if position not in seen]
        usable = [
            position
            for position in new
            if is_opening(game, position, judge)
            and (not difficulty or _difficulty(game, position, budget) == difficulty)
        ]
        failures += 1
        if usable:
            position = rng.choice(usable)
            seen.add(position)
            yield position
            failures = 0


def _difficulty(game: Game, position: Position, budget: Budget) -> Difficulty:
    return difficulty_of(game, position, proven(game, position, budget), budget)
