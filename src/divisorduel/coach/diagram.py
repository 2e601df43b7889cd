"""What a reason looks like when it is drawn among the numbers."""

from dataclasses import dataclass

from divisorduel.coach.reasons import best_move
from divisorduel.play.players import judge
from divisorduel.rules.game import Game, Trait
from divisorduel.rules.numbers import members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget
from divisorduel.solve.chain_solver import matching_of
from divisorduel.solve.nimbers import components_of, nimbers_of

MOST_NUMBERS = 300
"""A picture of more numbers could not be read."""


@dataclass(frozen=True, slots=True)
class Part:
    """Numbers that hang together, and the nimber they are worth."""

    numbers: tuple[int, ...]
    nimber: int


@dataclass(frozen=True, slots=True)
class Diagram:
    """The winner's plan: pairs that answer each other, or parts that cancel."""

    move: int | None = None
    """The move that wins, if the player to move can win."""
    pairs: tuple[tuple[int, int], ...] = ()
    parts: tuple[Part, ...] = ()


def picture(game: Game, position: Position) -> Diagram:
    """Return the picture of the reason that `reason` gives in words, empty if nothing is proven."""
    verdict = judge(game, position)
    if not verdict.proven or game.is_over(position):
        return Diagram()
    move = best_move(game, position) if verdict.winning_moves else None
    if not isinstance(game, PoolGame) or position.playable.bit_count() > MOST_NUMBERS:
        return Diagram(move)
    if game.trait is Trait.CHAIN:
        matching = matching_of(game, position, Budget())
        partner = matching.mate if move is None else matching.missing(move)
        pairs = sorted((a, b) for a, b in partner.items() if 0 < a < b)
        return Diagram(move, tuple(pairs))
    if game.trait is None:
        return Diagram(move)
    after = position if move is None else game.after(position, move)
    nimbers = nimbers_of(game)
    if nimbers.nimber(after.playable, Budget()):
        return Diagram(move)  # an opening rule loses the game: the parts need not cancel
    parts = (
        Part(members(part), nimbers.nimber(part, Budget()))
        for part in components_of(game, after.playable)
    )
    return Diagram(move, parts=tuple(parts))
