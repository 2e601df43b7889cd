"""The check that every rule book passes, for the games of other people too.

from divisorduel.conformance import check_game
check_game(MyGame(to=30))
"""

from itertools import islice
from random import Random

from divisorduel.rules.errors import CodeError, IllegalMove
from divisorduel.rules.game import Game, Taken
from divisorduel.rules.position import Position

_LISTED = 1_000
"""How many moves of a position are looked at; a number can have millions of divisors."""
_LONGEST = 10_000
"""A game that goes on for longer is taken for one that never ends."""


class ConformanceError(AssertionError):
    """A game breaks one of the laws; the message says which, and where."""


def check_game(game: Game, *, games: int = 10, seed: int = 0) -> None:
    """Play random games and check at every position that the game keeps its promises.

    Moves are ascending and unique; ``play`` is pure; illegal moves are refused with a reason;
    every game ends; boards and positions read back from their codes; the trait holds. Raises
    `ConformanceError`. It proves nothing of positions it did not meet: raise ``games`` for more.
    """
    if games < 1:
        raise ValueError("check_game plays at least one game")
    try:
        _check(game, games, Random(seed))  # noqa: S311  # games need no secrets
    except ConformanceError:
        raise
    except Exception as error:
        raise ConformanceError(f"{game!r}: {type(error).__name__}: {error}") from error


def _check(game: Game, games: int, rng: Random) -> None:
    _law(type(game).on_board(game.board) == game, game, "its board's word does not read back")
    _law(hash(game) == hash(type(game).on_board(game.board)), game, "equal games differ in hash")
    for _ in range(games):
        _check_one(game, rng)


def _check_one(game: Game, rng: Random) -> None:
    position, taken = game.start(), list[Taken]()
    for _ in range(_LONGEST):
        moves = list(islice(game.moves(position), _LISTED))
        _check_moves(game, position, moves)
        _check_code(game, position)
        if not moves:
            return
        move = rng.choice(moves)
        others = {rng.randrange(2 * moves[-1] + 2) for _ in range(20)}
        _check_refusals(game, position, others, taken[-20:])
        _check_trait(game, position, move)
        position = _played(game, position, move)
        taken.append(Taken(move, "somebody"))
    raise ConformanceError(f"{game!r}: a game of {_LONGEST} moves did not end")


def _law(holds: bool, game: Game, broken: str, position: Position | None = None) -> None:
    if not holds:
        where = "" if position is None else f" at {position!r}"
        raise ConformanceError(f"{game!r}: {broken}{where}")


def _check_moves(game: Game, position: Position, moves: list[int]) -> None:
    found = game.moves(position)
    _law(moves == sorted(set(moves)), game, "moves are not ascending and unique", position)
    _law(all(move in found for move in moves), game, "a listed move is not `in` moves", position)
    count = len(found)
    whole = count == len(moves) if len(moves) < _LISTED else count >= _LISTED
    _law(whole, game, f"len(moves) is {count}, but {len(moves)} are listed", position)
    _law(game.is_over(position) == (not moves), game, "is_over contradicts moves", position)
    for move in moves:
        _law(game.refusal(position, move) == "", game, f"legal {move} has a refusal", position)


def _check_refusals(
    game: Game, position: Position, candidates: set[int], taken: list[Taken]
) -> None:
    legal = game.moves(position)
    for number in candidates | {-1, 0, 1, 10**100}:
        reason = game.refusal(position, number)
        told = game.refusal(position, number, taken)
        _law((told == "") == (reason == ""), game, f"{number}: its history decides", position)
        if number in legal:
            continue
        _law(reason != "", game, f"{number}: refused in silence", position)
        try:
            game.play(position, number)
        except IllegalMove as error:
            _law(str(error) != "", game, f"{number}: refused in silence", position)
        else:
            raise ConformanceError(f"{game!r}: illegal {number} was played at {position!r}")


def _played(game: Game, position: Position, move: int) -> Position:
    before = Position(position.playable, position.last)
    first, second = game.play(position, move), game.play(position, move)
    _law(position == before, game, f"playing {move} changed the position played from", position)
    _law(first == second, game, f"playing {move} twice gives two positions", position)
    _law(first != position, game, f"playing {move} changes nothing", position)
    return first


def _check_code(game: Game, position: Position) -> None:
    words = game.write_position(position)
    _law(all(word.split() == [word] for word in words), game, "its code has blanks", position)
    try:
        read = game.read_position(*words)
    except CodeError as error:
        raise ConformanceError(f"{game!r}: its own code is refused: {error}") from error
    _law(read == position, game, "its code does not read back", position)


def _check_trait(game: Game, position: Position, move: int) -> None:
    if game.trait is not None:
        kept = game.trait.promise(game, position, move)
        _law(kept, game, f"taking {move} breaks the trait '{game.trait.name}'", position)
