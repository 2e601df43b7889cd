"""Scripted games, which are long so that moves are measured rather than the creation of games."""

from random import Random

from divisorduel import Game, game

TO = 50
OPENING = "even"
MOVES = range(30, 36)
"""The number of moves in a game."""


def long_games(count: int, seed: int = 1) -> list[tuple[int, ...]]:
    """Return the moves of complete games of chain."""
    rng, board = Random(seed), game("chain", to=TO, opening=OPENING)
    found: list[tuple[int, ...]] = []
    while len(found) < count:
        moves = _play_long_game(board, rng)
        if len(moves) in MOVES:
            found.append(moves)
    return found


def _play_long_game(board: Game, rng: Random) -> tuple[int, ...]:
    """Play a long game: both players leave the opponent few answers, but at least one."""
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
