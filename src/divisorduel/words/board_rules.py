"""The rules of a game for the board in play, and a position in words."""

from divisorduel.rules.game import Game
from divisorduel.rules.position import Position


def board_rules(game: Game) -> str:
    """Return the rules in a few sentences, with the board of this game and not the usual one."""
    book = game.book
    board = (
        f"The numbers on the board: {game.span}." if game.pool else f"It begins with {game.span}."
    )
    sentences = [
        f"{book.title}, a game for two players who take turns.",
        board,
        f"On your turn, {book.move}.",
        _first_move(game),
        "No number can be taken twice." if game.pool else "",
        "A wrong number loses the game." if book.wrong_number == "forfeit" else "",
        "If you cannot move on your turn, you lose.",
    ]
    return " ".join(filter(None, sentences))


def position_text(game: Game, position: Position) -> str:
    """Say which numbers can still come into play, and which number was taken last."""
    if not game.pool:
        return f"The current number: {position.last}."
    if position == game.start():
        return "No number has been taken yet."
    numbers = ", ".join(map(str, position.numbers)) or "none"
    last = "" if position.last is None else f" The last number taken: {position.last}."
    return f"Numbers still in play: {numbers}.{last}"


def _first_move(game: Game) -> str:
    if not game.pool:
        return game.note
    return game.note or "The first player may take any number on the board."
