"""Checks certificates without any code of the solvers: it imports only `rules` and `components`.

A certificate is a claim about a position (who wins, which moves win, and the nimber) and a
proof:

- *matching*, for chain games. A matching, a barrier, and a path to every winning move. Let c be
  the number of odd components that are left when the barrier is removed. Every matching misses at
  least c - |barrier| numbers (Tutte 1947, Berge 1958). If ours misses exactly that many, it is
  maximum, and every maximum matching covers the barrier and the even components. A move wins iff
  some maximum matching misses it (Fraenkel, Scheinerman and Ullman 1993): an alternating path of
  even length from a missed number to the move shows that one does.
- *nimbers*, for games that split into components: the nimber of every component that can arise,
  each checked to be the smallest one that no move in it leads to (Sprague 1935, Grundy 1939).
- *factors*, for descent: the prime factors. The nimber is their count less one, since a proper
  divisor can have any smaller count of prime factors, but at least one.
- *positions*, for any other game: the nimber of every position that can arise.

A certificate may come from a stranger. What is cheap is checked first, and the work that is left
is proportional to the size of the certificate and the number of playable numbers, of which a short
certificate may have at most `MANY`. The board is only copied and passed over as a block of memory.
"""

import json
from array import array
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from divisorduel.rules.code import read_code, write_code
from divisorduel.rules.divisors import is_prime
from divisorduel.rules.errors import DuelError
from divisorduel.rules.numbers import bit_set, members, number_from_json
from divisorduel.rules.position import Position
from divisorduel.rules.traits import CHAIN, DESCENT, INDEPENDENT, UPSET
from divisorduel.solve.components import Components

if TYPE_CHECKING:
    from divisorduel.rules.pool_game import PoolGame

FORMAT = "divisorduel certificate 1"
LARGEST = 1_000
"""The most numbers that a board may have if its proof lists the nimbers of components."""
HIGHEST = 100_000
"""The largest number that a board may have if its proof lists the nimbers of components."""
MOST_BITS = 2**32
"""The most bits of all positions that a proof lists: a position has a bit for every number."""
MANY_STEPS = 5_000_000
"""If the moves in the components that a proof lists take more steps, the certificate must be in
proportion: a component of k numbers takes k moves of k steps.
"""
STEPS = 50
"""The most steps for a character of such a certificate. Those of whole boards need about ten."""
MANY = 100_000
"""If more numbers are playable, a matching must name at least one in `SHARE` of them, and the
nimbers of positions prove nothing.
"""
SHARE = 4
LONGEST_SHOWN = 200
"""How many characters of a value a message shows."""


class CertificateError(DuelError):
    """A certificate that does not prove what it claims; the message says where it fails."""

    code = "bad-certificate"


def verify(text: str, name: str = "") -> str:
    """Check a certificate and return what it proves, in words. Raises `CertificateError`.

    The message of the error begins with the `name` of the certificate, if it is given.
    """
    try:
        claim = _Claim(text)
        claim.check()
    except DuelError as error:
        lead = f"{name} does not prove its result. " if name else ""
        raise CertificateError(f"{lead}{error}") from None
    except (TypeError, LookupError, ValueError, AttributeError, RecursionError) as error:
        raise CertificateError(
            f"{name or 'This'} is not a certificate, or it is damaged. "
            "Make a new one with duel solve --certificate FILE."
        ) from error
    return claim.report()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _require(len(dict(pairs)) == len(pairs), "A part of the certificate occurs twice.")
    return dict(pairs)


def _is_whole(value: object) -> bool:
    return type(value) is int and value >= 0


def _are_whole(values: object) -> bool:
    return type(values) is list and all(map(_is_whole, values))


def _exact(values: Any) -> Any:
    """Return a list with its large numbers as numbers; any other value as it is."""
    return [*map(number_from_json, values)] if type(values) is list else values


def _shown(value: object) -> str:
    """Return a value for a message."""
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _require(holds: bool, failure: str) -> None:
    if not holds:
        raise CertificateError(failure)


_NOT_LEGAL = "The winning moves are not legal moves in ascending order."


class _Claim:
    """What a certificate claims, and its proof."""

    def __init__(self, text: str) -> None:
        self.length = len(text)
        read = json.loads(text, object_pairs_hook=_once)
        parts = {"format", "position", "winner", "winning_moves", "nimber", "proof"}
        if set(read) != parts:
            raise ValueError("not the parts of a certificate")
        _require(read["format"] == FORMAT, "The format of this certificate is unknown.")
        self.code: str = read["position"]
        self.game, self.position = read_code(self.code)
        standard = write_code(self.game, self.position) == self.code
        _require(standard, "The position is not written in its standard form.")
        self.winner: int = read["winner"]
        self.winning: list[int] = _exact(read["winning_moves"])
        self.nimber: int | None = read["nimber"]
        self.proof: dict[str, Any] = read["proof"]

    def check(self) -> None:
        _require(_is_whole(self.winner), "The winner must be 1 or 2.")
        _require(self.nimber is None or _is_whole(self.nimber), "The nimber is not a whole number.")
        _require(_are_whole(self.winning), _NOT_LEGAL)
        _require(self.winner == (1 if self.winning else 2), "The winner contradicts the moves.")
        kind = self.proof["kind"]
        if kind not in _KINDS:
            raise CertificateError(f"Unknown kind of proof: {_shown(kind)}.")
        _KINDS[kind](self)

    def check_moves(self) -> None:
        """Check that the winning moves are legal. A large board has many moves."""
        legal = self.game.moves(self.position)
        _require(all(a < b for a, b in pairwise(self.winning)), _NOT_LEGAL)
        # Both are ascending: each search continues where the last one ended.
        rest = iter(legal) if isinstance(legal, tuple) else legal
        _require(all(move in rest for move in self.winning), _NOT_LEGAL)

    def check_length(self, positions: int) -> None:
        """Check that the positions that a proof lists fit into the memory."""
        bits = self.game.pool.bit_length() * positions
        _require(bits <= MOST_BITS, "The proof lists too many positions of such a large board.")

    def parts(self, *names: str) -> list[Any]:
        _require(set(self.proof) == {"kind", *names}, f"The proof must have {', '.join(names)}.")
        return [self.proof[name] for name in names]

    def check_options(self, nimber_after: Callable[[int], int]) -> None:
        """Check the claim, given the nimber after every move."""
        options = {move: nimber_after(move) for move in self.game.moves(self.position)}
        zero = [move for move, nimber in options.items() if nimber == 0]
        _require(zero == self.winning, "The winning moves are not those that leave nimber 0.")
        right = _smallest_missing(options.values())
        _require(self.nimber in (None, right), "The nimber is wrong.")

    def report(self) -> str:
        who = "first player wins", "second player wins"
        if self.position != self.game.start():
            who = "player to move wins", "player to move loses"
        shown = ", ".join(map(str, self.winning[:10])) or "none"
        more = f" and {len(self.winning) - 10} more" if len(self.winning) > 10 else ""
        nimber = "" if self.nimber is None else f"Nimber: {self.nimber}\n"
        return (
            f"{self.game.book.title}, {self.game.span}: the {who[self.winner - 1]}.\n"
            f"Position: {self.code}\nWinning moves: {shown}{more}\n{nimber}The proof is valid."
        )


def _smallest_missing(nimbers: Iterable[int]) -> int:
    there, nimber = set(nimbers), 0
    while nimber in there:
        nimber += 1
    return nimber


# Matchings


def _check_matching(claim: _Claim) -> None:
    game = cast("PoolGame", claim.game)
    _require(game.trait is CHAIN, "A matching proves nothing about this game.")
    _require(claim.nimber is None, "A matching does not prove a nimber.")
    pairs, barrier, paths = claim.parts("pairs", "barrier", "paths")
    _require(all(map(_are_whole, pairs)), "A pair must have two numbers.")
    _require(_are_whole(barrier), "The barrier must be a list of numbers.")
    _require(all(map(_are_whole, paths.values())), "A path must be a list of numbers.")
    playable = claim.position.playable
    _require(max(barrier, default=0) < playable.bit_length(), "The barrier is wrong.")
    named = 2 * len(pairs) + len(barrier) + len(claim.winning)
    is_in_proportion = playable.bit_count() <= max(MANY, SHARE * named)
    _require(is_in_proportion, "The matching names too few of the playable numbers.")
    claim.check_moves()
    _require(set(paths) == set(map(str, claim.winning)), "Every winning move needs a path.")
    numbers = set(members(playable))

    def related(a: int, b: int) -> bool:
        return a != b and {a, b} <= numbers and game.relation.holds(a, b)

    mate: dict[int, int] = {}
    for a, b in pairs:
        _require(related(a, b), f"{a} and {b} are not related.")
        _require(a not in mate and b not in mate, f"{a} or {b} is in two pairs.")
        mate[a], mate[b] = b, a
    covered, odd = set(barrier), 0
    _require(covered <= numbers and len(covered) == len(barrier), "The barrier is wrong.")
    for component in _components_of(game.neighbours(playable), numbers - covered):
        if len(component) % 2:
            odd += 1
        else:
            covered |= component
    missed = len(numbers) - len(mate)
    _require(missed == odd - len(barrier), "The barrier does not prove the matching maximum.")
    for move in game.moves(claim.position):
        if str(move) in paths:
            _check_path(paths[str(move)], move, numbers, related, mate)
        else:
            _require(move in covered, f"Nothing shows that {move} loses.")


def _components_of(graph: dict[int, list[int]], left: set[int]) -> Iterable[set[int]]:
    """Yield the components of some numbers of a graph; the numbers are used up."""
    while left:
        component = {left.pop()}
        frontier = list(component)
        while frontier:
            new = left.intersection(graph[frontier.pop()])
            left -= new
            component |= new
            frontier += new
        yield component


def _check_path(
    path: list[int],
    move: int,
    numbers: set[int],
    related: Callable[[int, int], bool],
    mate: dict[int, int],
) -> None:
    wrong = f"The path to {move} does not show that it wins."
    _require(len(path) % 2 == 1 and path[-1] == move and path[0] not in mate, wrong)
    _require(path[0] in numbers, wrong)
    for at, (a, b) in enumerate(pairwise(path)):
        _require(related(a, b) and (mate.get(a) == b) == (at % 2 == 1), wrong)
    _require(len(set(path)) == len(path), wrong)


# Nimbers


def _key(component: Iterable[int]) -> bytes:
    """Return a key for a table. Unlike numbers, bytes have hashes that no one can foresee.

    So the author of a certificate cannot choose keys that all have the same hash.
    """
    return array("L", component).tobytes()


def _check_nimbers(claim: _Claim) -> None:
    game = cast("PoolGame", claim.game)
    _require(game.trait in (INDEPENDENT, UPSET), "This game does not split into components.")
    [written] = claim.parts("components")
    is_small = game.pool.bit_count() <= LARGEST and game.pool.bit_length() <= HIGHEST + 1
    _require(is_small, "The board is too large for a list of nimbers.")
    claim.check_length(len(written))
    claim.check_moves()
    parts = Components(game)
    components = [members(game.read_position(numbers, "-").playable) for numbers in written]
    table = dict(zip(map(_key, components), written.values(), strict=True))
    _require(len(table) == len(written), "A component occurs twice.")
    steps = sum(len(component) ** 2 for component in components)
    is_in_proportion = steps <= max(MANY_STEPS, STEPS * claim.length)
    _require(is_in_proportion, "The components are too large for such a short proof.")

    def nimber_of(playable: int) -> int:
        total = 0
        for component in parts.of(playable):
            if (key := _key(component)) not in table:
                raise CertificateError(f"The component {_shown(component)} is missing.")
            total ^= table[key]
        return total

    def after(playable: int, move: int) -> int:
        return nimber_of(game.after(Position(playable), move).playable)

    for component, nimber in zip(components, written.values(), strict=True):
        if not _is_whole(nimber):
            raise CertificateError(f"{_shown(nimber)} is not a nimber.")
        playable = bit_set(component)
        if len(parts.of(playable)) != 1:
            raise CertificateError(f"{_shown(component)} is not a component.")
        right = _smallest_missing(after(playable, move) for move in component)
        if nimber != right:
            raise CertificateError(f"The nimber of {_shown(component)} is wrong.")
    claim.check_options(lambda move: after(claim.position.playable, move))


# Descent, and any other game


def _check_factors(claim: _Claim) -> None:
    _require(claim.game.trait is DESCENT, "Prime factors prove nothing about this game.")
    [written] = claim.parts("factors")
    number = claim.position.last or 1
    wrong = "The product of the factors is not the number."
    _require(len(written) < number.bit_length(), wrong)  # each of them is at least 2
    claim.check_moves()
    product, count = 1, 0
    found = [(number_from_json(prime), power) for prime, power in written]
    for prime, power in found:
        _require(_are_whole([prime, power]) and 1 < prime <= number, "A factor is wrong.")
        _require(0 < power <= number.bit_length() and is_prime(prime), "A factor is wrong.")
        product *= prime**power
        _require(product <= number, wrong)
        count += power
    _require(product == number, wrong)
    primes = sorted({prime for prime, _ in found})
    _require(len(primes) == len(found), "A prime occurs twice.")
    _require(claim.nimber == count - 1, "The nimber is wrong.")
    winning = primes if count > 1 else []
    _require(claim.winning == winning, "The winning moves are not the moves to a prime.")


def _check_positions(claim: _Claim) -> None:
    game = claim.game
    [written] = claim.parts("nimbers")
    _require(game.pool.bit_count() <= MANY, "The board is too large for a list of nimbers.")
    claim.check_length(len(written))
    claim.check_moves()
    positions = [game.read_position(*words.split()) for words in written]
    length = game.pool.bit_length() // 8 + 1

    def key(position: Position) -> tuple[bytes, int | None]:  # see `_key`
        return position.playable.to_bytes(length, "little"), position.last

    table = dict(zip(map(key, positions), written.values(), strict=True))

    def after(position: Position, move: int) -> int:
        following = game.after(position, move)
        if (at := key(following)) not in table:
            raise CertificateError(f"The position {_shown(following)} is missing.")
        return int(table[at])

    _require(all(map(_is_whole, table.values())), "A nimber is not a whole number.")
    for position, nimber in zip(positions, written.values(), strict=True):
        right = _smallest_missing(after(position, move) for move in game.moves(position))
        if nimber != right:
            raise CertificateError(f"The nimber of {_shown(position)} is wrong.")
    claim.check_options(lambda move: after(claim.position, move))


_KINDS: dict[str, Callable[[_Claim], None]] = {
    "matching": _check_matching,
    "nimbers": _check_nimbers,
    "factors": _check_factors,
    "positions": _check_positions,
}
