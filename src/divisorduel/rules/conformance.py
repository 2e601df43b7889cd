"""The check for rule books, ours and those of other packages.

from divisorduel import check_game
check_game(MyGame(to=30))
"""

import re
from collections.abc import Sequence
from itertools import islice
from random import Random

from divisorduel.rules.errors import CodeError, IllegalMove
from divisorduel.rules.game import Game, Taken
from divisorduel.rules.numbers import bit_set, has, members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.rules.refusal import PHRASES, Refusal

_LISTED = 1_000
"""How many moves of a position are checked; a number can have millions of divisors."""
_LONGEST = 10_000
"""A game with more moves than this counts as one that never ends."""
_SAMPLE = 200
"""How many numbers of the pool, and of those taken, are checked against each other."""

_KEBAB = re.compile(r"[a-z]+(-[a-z]+)*")
_CLAIM = re.compile(
    r"(-?[0-9]+) (?:(divides|does not divide|is a multiple of|is not a multiple of) ([0-9]+)"
    r"|neither divides ([0-9]+) nor is a multiple of it)"
)


class ConformanceError(AssertionError):
    """A game breaks one of the laws; the message says which one and where."""


def check_game(game: Game, *, games: int = 10, seed: int = 0) -> None:
    """Play random games and check at every position that the game keeps its promises.

    Moves are ascending and unique; ``play`` is pure; illegal moves are refused for a reason that
    is true of the game; the ties are those of the relation; every game ends; boards and positions
    read back from their codes; the trait holds. Raises `ConformanceError`. Positions that do not
    come up are not checked: raise ``games`` to check more.
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
    if isinstance(game, PoolGame):
        _check_ties(game)
    for _ in range(games):
        _check_one(game, rng)


def _check_ties(game: PoolGame) -> None:
    numbers = members(game.pool)[:_SAMPLE]
    bits, holds = bit_set(numbers), game.relation.holds
    tied = {n: [m for m in numbers if m != n and holds(m, n)] for n in numbers}
    ties = {n: [*members(game.ties(n) & bits)] for n in numbers}
    _law(ties == tied == game.neighbours(bits), game, "its ties are not those of its relation")


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
        _check_refusals(game, position, others, taken[:_SAMPLE])
        _check_trait(game, position, move)
        position = _played(game, position, move)
        taken.append(Taken(move, f"Player {len(taken) % 2 + 1}"))
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
        _law(game.refusal(position, move) is None, game, f"legal {move} is refused", position)


def _check_refusals(
    game: Game, position: Position, candidates: set[int], taken: list[Taken]
) -> None:
    legal = game.moves(position)
    for number in candidates | {-1, 0, 1, 10**100}:
        refusal = game.refusal(position, number)
        told = game.refusal(position, number, taken)
        same = (told is None) == (refusal is None)
        _law(same, game, f"{number}: the history decides whether it is legal", position)
        if number in legal:
            continue
        for found, history in ((refusal, ()), (told, taken)):
            if found is None:
                raise ConformanceError(f"{game!r}: {number} is illegal without a refusal")
            _check_reason(game, position, number, found, history)
        try:
            game.play(position, number)
        except IllegalMove as error:
            _law(error.refusal == refusal, game, f"{number}: play gives another reason", position)
        else:
            raise ConformanceError(f"{game!r}: illegal {number} was played at {position!r}")


def _check_reason(
    game: Game, position: Position, number: int, refusal: Refusal, taken: Sequence[Taken]
) -> None:
    """Check that a refusal, and the sentence made of it, are true of the game."""
    sentence = game.explain(refusal)
    shaped = _KEBAB.fullmatch(refusal.code) and refusal.params.get("number", number) == number
    _law(bool(shaped and sentence), game, f"{number}: malformed {refusal}", position)
    true = _is_true(game, position, refusal, taken)
    _law(true and _arithmetic_holds(sentence), game, f"{sentence!r} is not true", position)


def _is_true(game: Game, position: Position, refusal: Refusal, taken: Sequence[Taken]) -> bool:
    """Check what a code claims; a code of the rule book's own claims nothing that is known."""
    on_board = {n for n in refusal.params.values() if isinstance(n, int) and has(game.pool, n)}
    relation = game.relation
    match refusal.code, refusal.params:
        case "not-on-board", _:
            return not on_board
        case "taken", {"number": number, "turn": int(turn)}:
            return 0 < turn <= len(taken) and taken[turn - 1].number == number
        case "opening-even", {"number": int(number)}:
            return position == game.start() and number in on_board and number % 2 == 1
        case "opening-low", {"number": int(number)}:
            return (
                position == game.start()
                and number in on_board
                and 2 * number > max(members(game.pool))
            )
        case "out-of-play", {"number": int(number)}:
            return number in on_board and not has(position.playable, number)
        case "not-related", {"number": int(number), "other": int(other)} if relation:
            return other == position.last and not relation.holds(number, other)
        case "ruled-out", {"number": int(number), "other": int(other), "player": str(by)} if (
            relation
        ):
            return Taken(other, by) in taken and relation.holds(number, other)
    return refusal.code not in PHRASES


def _arithmetic_holds(sentence: str) -> bool:
    """Check what a sentence says of divisors and multiples."""
    for claim in _CLAIM.finditer(sentence):
        a, b = int(claim[1]), int(claim[3] or claim[4])
        divides, is_multiple = a > 0 and b % a == 0, b > 0 and a % b == 0
        holds = {
            "divides": divides,
            "does not divide": not divides,
            "is a multiple of": is_multiple,
            "is not a multiple of": not is_multiple,
            None: not divides and not is_multiple,
        }
        if not holds[claim[2]]:
            return False
    return True


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
