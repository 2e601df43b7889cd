"""Questions about positions whose answers can be proven, for programs and language models."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import Any, Literal, get_args

from divisorduel.bots.action_space import action_space
from divisorduel.play.players import greediest_moves
from divisorduel.rules.code import read_code, write_code
from divisorduel.rules.errors import BoardError, DuelError, one_of
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import json_number
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.solver import solve
from divisorduel.solve.verdict import Verdict
from divisorduel.words.board_rules import board_rules, position_text

QuestionKind = Literal["move", "moves", "nimber", "winner"]
"""A winning move, all winning moves, the nimber, or who wins."""
KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)
Difficulty = Literal["easy", "medium", "hard"]
"""Whether `greedy` always, sometimes or never finds a winning move."""
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)

FEWEST_MOVES = 3
"""The fewest legal moves in a position that is asked about."""
TRIES = 1_000
"""After this many games without a new question, the board counts as used up."""

_ASKED: dict[QuestionKind, str] = {
    "move": (
        "At least one move wins, however well the opponent plays. Name one such move. "
        "Finish with a line that has the word ANSWER, a colon and your number."
    ),
    "moves": (
        "At least one move wins, however well the opponent plays. Name all moves that do. Finish "
        "with a line that has the word ANSWER, a colon and the numbers, with commas between them."
    ),
    "nimber": (
        "What is the nimber (the Sprague-Grundy value) of this position? "
        "Finish with a line that has the word ANSWER, a colon and the nimber."
    ),
    "winner": (
        "Does the player to move win or lose if both players play perfectly? "
        "Finish with a line that has the word ANSWER, a colon, and then WIN or LOSS."
    ),
}


class QuestionError(DuelError):
    """Questions or answers that cannot be used."""

    code = "bad-questions"


@dataclass(frozen=True)
class Question:
    """A question about a position. It does not contain its answer."""

    kind: QuestionKind
    game: Game
    position: Position

    @cached_property
    def code(self) -> str:
        """The position code."""
        return write_code(self.game, self.position)

    @cached_property
    def id(self) -> str:
        """A short name that depends on the question only."""
        return sha256(f"{self.kind} {self.code}".encode()).hexdigest()[:16]

    def prompt(self, *, legal: bool = False) -> str:
        """Return the whole question in words, optionally with the list of legal moves."""
        parts = [board_rules(self.game), position_text(self.game, self.position)]
        if legal:
            moves = ", ".join(map(str, self.game.moves(self.position)))
            parts.append(f"Legal moves: {moves}.")
        return "\n\n".join([*parts, f"It is your turn. {_ASKED[self.kind]}"])

    def as_json(self, *, legal: bool = False) -> dict[str, Any]:
        """Return the question as plain data."""
        moves = [json_number(move) for move in self.game.moves(self.position)] if legal else None
        return {
            "id": self.id,
            "kind": self.kind,
            "position": self.code,
            "rules": board_rules(self.game),
            "prompt": self.prompt(legal=legal),
            **({} if moves is None else {"legal": moves}),
        }


def question_of(data: object) -> Question:
    """Return a question, given its `as_json`. Raises `QuestionError`."""
    match data:
        case {"id": str(name), "kind": str(word), "position": str(code)}:
            kind = next((kind for kind in KINDS if kind == word), None)
            if kind is None:
                raise QuestionError(f"unknown kind {word!r}. Use {one_of(KINDS)}.")
            try:
                question = Question(kind, *read_code(code))
            except DuelError as error:
                raise QuestionError(str(error)) from None
            if question.id != name:
                raise QuestionError(f"the id {name!r} does not belong to this position.")
            return question
    raise QuestionError("a question needs the fields id, kind and position.")


def questions(
    game: Game,
    kind: QuestionKind,
    rng: Random,
    difficulty: Difficulty | None = None,
    budget: Budget | None = None,
) -> Iterator[Question]:
    """Yield different questions about positions from random games, until the board is used up.

    The same random numbers give the same questions. Raises `BoardError` if the board is too large
    or has no such questions, and `BudgetSpent` when the budget is spent.
    """
    budget = budget or Budget()
    action_space(game)
    if kind == "nimber" and not _has_nimbers(game):
        raise BoardError(
            f"The nimbers of {game.book.key} are not known. Choose another kind of question."
        )
    seen: set[Position] = set()
    failures = 0
    is_wanted = _wanted(kind, rng)
    while failures < TRIES:
        budget.check()
        position = _drawn(game, rng)
        failures += 1
        if position is None or position in seen:
            continue
        verdict = proven(game, position, budget)
        if not is_wanted(game, position, verdict):
            continue
        if difficulty and difficulty_of(game, position, verdict, budget) != difficulty:
            continue
        seen.add(position)
        yield Question(kind, game, position)
        failures = 0
        is_wanted = _wanted(kind, rng)


def difficulty_of(game: Game, position: Position, verdict: Verdict, budget: Budget) -> Difficulty:
    """Return how hard a position is. Raises `BudgetSpent`.

    A lost position is as hard as the hardest of the positions that its moves lead to.
    """
    if verdict.winning_moves:
        right = greedy_share(game, position, verdict)
        return "easy" if right == 1 else "medium" if right else "hard"
    after = [game.after(position, move) for move in game.moves(position)]
    found = (difficulty_of(game, at, proven(game, at, budget), budget) for at in after)
    return max(found, key=DIFFICULTIES.index, default="easy")


def greedy_share(game: Game, position: Position, verdict: Verdict) -> float:
    """Return the chance that `greedy` takes a winning move."""
    chosen = greediest_moves(game, position)
    return len(set(chosen) & set(verdict.winning_moves)) / len(chosen)


def proven(game: Game, position: Position, budget: Budget) -> Verdict:
    """Return the verdict on a position. Raises `BudgetSpent`."""
    verdict = solve(game, position, budget)
    if not verdict.proven:
        raise BudgetSpent
    return verdict


def _has_nimbers(game: Game) -> bool:
    # The end of a game shows whether its solver computes nimbers, at no cost.
    rng = Random(0)  # noqa: S311  # a game, not a secret
    position = game.start()
    while not game.is_over(position):
        position = game.after(position, game.random_move(position, rng))
    return solve(game, position).nimber is not None


def _drawn(game: Game, rng: Random) -> Position | None:
    """Return a position of a random game with enough moves; None if it has none."""
    position, found = game.start(), list[Position]()
    while count := game.number_of_moves(position):
        if count >= FEWEST_MOVES:
            found.append(position)
        position = game.after(position, game.random_move(position, rng))
    return rng.choice(found) if found else None


def _wanted(kind: QuestionKind, rng: Random) -> Callable[[Game, Position, Verdict], bool]:
    """Return a test for the next position: at most half of its moves win.

    The position is won if the question asks for moves; if it asks who wins, won or lost at random.
    """
    won = rng.random() < 0.5 if kind == "winner" else True

    def is_wanted(game: Game, position: Position, verdict: Verdict) -> bool:
        wins = len(verdict.winning_moves)
        return kind == "nimber" or (
            bool(wins) == won and 2 * wins <= game.number_of_moves(position)
        )

    return is_wanted
