"""Openings: positions from random play that are proven, and that either side can get wrong."""

from random import Random

from divisorduel.play.players import Judge
from divisorduel.rules.code import write_code
from divisorduel.rules.errors import DuelError
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position

FEWEST_MOVES = 3
"""An opening offers at least this many moves."""
TRIES = 40
"""How many random games are played for each opening that is wanted."""


class TooFewOpenings(DuelError):
    """A board that does not have as many openings as were asked for."""

    code = "too-few-openings"


def openings(game: Game, count: int, rng: Random, judge: Judge) -> tuple[str, ...]:
    """Return different openings as position codes. Raises `TooFewOpenings`.

    The player to move can win an opening, but at most half of the moves win, and perfect play does
    not end at once.
    """
    found: dict[str, None] = {}
    for _ in range(TRIES * count):
        if len(found) == count:
            break
        played = [
            code
            for position in random_play(game, rng)
            if (code := write_code(game, position)) not in found
            and is_opening(game, position, judge)
        ]
        if played:
            found[rng.choice(played)] = None
    if len(found) < count:
        where = f"{game.book.key} {game.board}"
        if not found:
            raise TooFewOpenings(
                f"No starting position was found on {where}. A tournament needs positions where at "
                "least one move wins, at most half do, and the game is not over at once. "
                "Use a larger board or another game."
            )
        raise TooFewOpenings(
            f"Found only {len(found)} of {count} starting positions on {where}. "
            f"Use --pairs {len(found)}, or a larger board."
        )
    return tuple(found)


def random_play(game: Game, rng: Random) -> list[Position]:
    """Return the positions of a random game, from its start to its end."""
    position = game.start()
    positions = [position]
    while not game.is_over(position):
        position = game.after(position, game.random_move(position, rng))
        positions.append(position)
    return positions


def is_opening(game: Game, position: Position, judge: Judge) -> bool:
    """Tell whether a position is an opening (see `openings`)."""
    count = game.number_of_moves(position)
    if count < FEWEST_MOVES:
        return False
    verdict = judge.verdict(game, position)
    wins = verdict.winning_moves
    if not verdict.proven or not 0 < len(wins) <= count / 2:
        return False
    return any(not game.is_over(game.after(position, move)) for move in wins)
