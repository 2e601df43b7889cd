"""What chance and `greedy` score in a trial: a model's figures mean nothing without them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from divisorduel.bots.llm.trials import Trial
from divisorduel.play.players import Judge, PerfectPlayer, greediest_moves
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position

SAMPLES = 4
"""How many games are played from each opening for each floor."""
LEAST = 0.0005
"""A chance below this is shown as zero, so the game need not be played to its end."""

CandidateMoves = Callable[[Game, Position], Sequence[int]]


@dataclass(frozen=True)
class Floors:
    """The chances that a random legal move, and `greedy`, succeed in a trial."""

    chance: float
    greedy: float


def floors(trial: Trial, judge: Judge) -> Floors:
    """Return the floors of a trial: exact for a single move, otherwise from a few games.

    In these games only the opponent's moves and the choice between winning moves are random.
    The chance of taking a winning move is exact at every turn.
    """
    return Floors(
        _floor(trial, judge, lambda game, position: game.moves(position), "chance"),
        _floor(trial, judge, greediest_moves, "greedy"),
    )


def _floor(trial: Trial, judge: Judge, choice: CandidateMoves, name: str) -> float:
    if trial.mode == "positions":
        wins, moves = _winning(trial.question.game, trial.question.position, judge, choice)
        return len(wins) / moves
    rng = trial.rng(name)
    return sum(_held(trial, judge, choice, rng) for _ in range(SAMPLES)) / SAMPLES


def _held(trial: Trial, judge: Judge, choice: CandidateMoves, rng: Random) -> float:
    """Play a game with winning moves only, and return how likely those were."""
    game, position = trial.question.game, trial.question.position
    opponent = PerfectPlayer(judge)
    likely = 1.0
    while True:
        wins, moves = _winning(game, position, judge, choice)
        likely *= len(wins) / moves
        if likely < LEAST:
            return 0.0
        position = game.after(position, rng.choice(wins))
        if game.is_over(position):
            return likely
        position = game.after(position, opponent.choose(game, position, rng))


def _winning(
    game: Game, position: Position, judge: Judge, choice: CandidateMoves
) -> tuple[list[int], int]:
    """Return the winning moves among the choices, and how many choices there are."""
    winning = {*judge.verdict(game, position).winning_moves}
    chosen = choice(game, position)
    return [move for move in chosen if move in winning], len(chosen)
