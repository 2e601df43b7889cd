"""The games that are played: long ones, so that moves are measured and not the dealing."""

from random import Random

from divisorduel import Game, game

TO = 50
OPENING = "even"
MOVES = range(30, 36)
"""How long the games are."""


def long_games(count: int, seed: int = 1) -> list[tuple[int, ...]]:
    """Return games of chain as their moves, each played until nobody can move."""
    rng, board = Random(seed), game("chain", to=TO, opening=OPENING)
    found: list[tuple[int, ...]] = []
    while len(found) < count:
        moves = _wander(board, rng)
        if len(moves) in MOVES:
            found.append(moves)
    return found


def _wander(board: Game, rng: Random) -> tuple[int, ...]:
    """Play a game in which both go where the fewest answers are left, but for the last one."""
    moves: list[int] = []
    position = board.start()
    while options := tuple(board.moves(position)):
        answers = {move: len(tuple(board.moves(board.play(position, move)))) for move in options}
        lasting = [move for move in options if answers[move]] or list(options)
        if moves:
            fewest = min(answers[move] for move in lasting)
            lasting = [move for move in lasting if answers[move] == fewest]
        moves.append(rng.choice(lasting))
        position = board.play(position, moves[-1])
    return tuple(moves)
