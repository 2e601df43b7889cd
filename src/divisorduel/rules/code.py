"""The position code: a game, its board and a position in one line, similar to FEN in chess.

``chain 2-50 2-7,9-50 8`` is the game, the board, the numbers still playable and the last number
taken, with ``-`` for none.
"""

from collections.abc import Callable

from divisorduel.rules.catalogue import rule_book
from divisorduel.rules.errors import BoardError, CodeError
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position


def write_code(game: Game, position: Position) -> str:
    """Write a position of a game as one line."""
    return " ".join((game.book.key, game.board, *game.write_position(position)))


def read_code(
    code: str, allowed: Callable[[Game], object] = lambda _: None
) -> tuple[Game, Position]:
    """Read a game and a position from one line. Raises `CodeError`, with the reason.

    For untrusted text, `allowed` may raise `BoardError` for a board before its numbers are read.
    """
    words = code.split()
    if len(words) != 4:
        raise CodeError(
            "A position code has four parts: the game, the board, the playable numbers and the "
            f"last number taken, as in 'chain 2-50 2-7,9-50 8'. This one has {len(words)}."
        )
    key, board, playable, last = words
    try:
        game = rule_book(key).on_board(board)
        allowed(game)
    except BoardError as error:
        raise CodeError(str(error)) from error
    return game, game.read_position(playable, last)
