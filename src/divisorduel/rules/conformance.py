"""Checks a game against the laws that every rule book obeys, ours or another package's.

from divisorduel import check_game
check_game(MyGame(to=30))
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations, product
from random import Random

from divisorduel.rules.errors import CodeError, IllegalMove
from divisorduel.rules.game import Game, Taken
from divisorduel.rules.numbers import bit_set, has, members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.rules.refusal import PHRASES, Refusal
from divisorduel.rules.relation import DIVISIBILITY, DIVISORS, MULTIPLES

_LISTED = 1_000
"""How many moves of a position are checked; a number can have millions of divisors."""
_LONGEST = 10_000
"""A game with more moves than this counts as one that never ends."""
_SAMPLE = 200
"""How many numbers of the pool, and of those taken, are checked against each other."""


class ConformanceError(AssertionError):
    """A game breaks one of the laws; the message says which one and where."""


def check_game(game: Game, *, games: int = 10, seed: int = 0) -> None:
    """Play random games and check at every position that the game obeys the laws.

    Moves are ascending and unique; ``play`` is pure; illegal moves are refused for a reason that
    is true of the game; the game relates the same numbers as its relation; every game ends; boards
    and positions can be read back from their codes; the trait holds. Raises `ConformanceError`.
    Positions that do not come up are not checked: increase ``games`` to check more.
    """
    if games < 1:
        raise ValueError("games must be at least 1")
    rng = Random(seed)  # noqa: S311  # games need no secrets
    try:
        _Check(game, game.start()).board()
        for _ in range(games):
            _check_one(game, rng)
    except ConformanceError:
        raise
    except Exception as error:
        raise ConformanceError(f"{game!r}: {type(error).__name__}: {error}") from error


def _check_one(game: Game, rng: Random) -> None:
    position, taken = game.start(), list[Taken]()
    for _ in range(_LONGEST):
        check = _Check(game, position, taken[:_SAMPLE])
        moves = check.moves()
        check.code()
        if not moves:
            return
        check.refusals({-1, 0, 1, 10**100, *(rng.randrange(2 * moves[-1] + 2) for _ in range(20))})
        move = rng.choice(moves)
        position = check.move(move)
        taken.append(Taken(move, f"Player {len(taken) % 2 + 1}"))
    raise ConformanceError(f"{game!r}: a game of {_LONGEST} moves did not end")


@dataclass
class _Check:
    """Checks the laws at one position of a game."""

    game: Game
    position: Position
    taken: Sequence[Taken] = ()

    def law(self, holds: object, broken: str) -> None:
        if not holds:
            raise ConformanceError(f"{self.game!r}: {broken} at {self.position!r}")

    def board(self) -> None:
        game = self.game
        read = type(game).on_board(game.board)
        self.law(read == game, "its board cannot be read back")
        self.law(hash(read) == hash(game), "equal games have different hashes")
        if isinstance(game, PoolGame):
            numbers = members(game.pool)[:_SAMPLE]
            bits, holds = bit_set(numbers), game.relation.holds
            related = {n: [m for m in numbers if m != n and holds(m, n)] for n in numbers}
            said = {n: [*members(game.related_to(n) & bits)] for n in numbers}
            same = said == related == game.neighbours(bits)
            self.law(same, "it does not relate the same numbers as its relation")

    def moves(self) -> list[int]:
        """Check the legal moves and return some of them."""
        legal = self.game.moves(self.position)
        moves, count = [*islice(legal, _LISTED)], len(legal)
        self.law(moves == sorted(set(moves)), "moves are not ascending and unique")
        whole = count == len(moves) or count > len(moves) == _LISTED
        self.law(whole, f"len(moves) is {count}, but {len(moves)} are listed")
        self.law(self.game.is_over(self.position) == (not moves), "is_over contradicts moves")
        pool, numbers = self.game.pool, () if self.game.pool else self.game.numbers()
        for move in moves:
            known = has(pool, move) if pool else move in numbers
            self.law(known, f"the legal move {move} is not among the numbers of the game")
            self.law(move in legal, f"the listed move {move} is not `in` moves")
            for taken in ((), self.taken):
                found = self.game.refusal(self.position, move, taken)
                self.law(found is None, f"the legal move {move} is refused")
        return moves

    def code(self) -> None:
        words = self.game.write_position(self.position)
        self.law(all(word.split() == [word] for word in words), "its code contains spaces")
        try:
            read = self.game.read_position(*words)
        except CodeError as error:
            raise ConformanceError(f"{self.game!r}: its own code is refused: {error}") from error
        self.law(read == self.position, "its code cannot be read back")

    def refusals(self, numbers: set[int]) -> None:
        """Check that illegal numbers are refused, for a reason that is true of the game."""
        legal = self.game.moves(self.position)
        for number in (n for n in numbers if n not in legal):
            for taken in (self.taken, ()):
                refusal = self.game.refusal(self.position, number, taken)
                if refusal is None:
                    raise ConformanceError(f"{self.game!r}: illegal move {number} is not refused")
                sentence = self.game.explain(refusal)
                shaped = re.fullmatch(r"[a-z]+(-[a-z]+)*", refusal.code) and sentence
                same = refusal.params.get("number", number) == number
                self.law(shaped and same, f"{number}: malformed {refusal}")
                true = self.is_true(refusal, taken) and not _is_lie(sentence)
                self.law(true, f"{sentence!r} is not true")
            try:
                self.game.play(self.position, number)
                refused = None
            except IllegalMove as error:
                refused = error.refusal
            same = refused == self.game.refusal(self.position, number)
            self.law(same, f"play allows the illegal move {number}, or gives another reason")

    def is_true(self, refusal: Refusal, taken: Sequence[Taken]) -> bool:
        """Check what a refusal claims; codes that only the rule book defines are not checked."""
        pool, relation = self.game.pool, self.game.relation
        at_start = self.position == self.game.start()
        on_board = {n for n in refusal.params.values() if isinstance(n, int) and has(pool, n)}
        match refusal.code, refusal.params:
            case "not-on-board", _:
                return not on_board
            case "taken", {"number": number, "turn": int(turn)}:
                return 0 < turn <= len(taken) and taken[turn - 1].number == number
            case "opening-even", {"number": int(number)}:
                return at_start and number in on_board and number % 2 == 1
            case "opening-low", {"number": int(number)}:
                return at_start and number in on_board and 2 * number > pool.bit_length() - 1
            case "out-of-play", {"number": int(number)}:
                return number in on_board and not has(self.position.playable, number)
            case "not-related", {"number": int(number), "other": int(other)} if relation:
                return other == self.position.last and not relation.holds(number, other)
            case "ruled-out", {"number": int(n), "other": int(other), "player": str(by)} if (
                relation
            ):
                return Taken(other, by) in taken and relation.holds(n, other)
        return refusal.code not in PHRASES

    def move(self, move: int) -> Position:
        """Check a legal move and return the position after it."""
        game, position, trait = self.game, self.position, self.game.trait
        kept = trait is None or trait.promise(game, position, move)
        self.law(kept, f"taking {move} breaks the trait {trait and trait.name!r}")
        before = replace(position)
        after = game.play(position, move)
        self.law(after == game.play(position, move), f"playing {move} twice gives two positions")
        self.law(position == before, f"playing {move} modified the position it started from")
        self.law(after != position, f"playing {move} changes nothing")
        return after


def _is_lie(sentence: str) -> bool:
    """Tell whether a sentence says something false about divisors and multiples."""
    pairs = permutations(map(int, re.findall("-?[0-9]+", sentence)), 2)
    for (a, b), relation in product(pairs, (DIVISIBILITY, MULTIPLES, DIVISORS)):
        lie = (relation.negation if relation.holds(a, b) else relation.phrase)(a, b)
        if lie in sentence and re.search(f"(?<![0-9]){lie}(?![0-9])", sentence):
            return True
    return False
