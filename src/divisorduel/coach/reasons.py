"""Why a position is won or lost, in a sentence or two that a pupil can follow."""

from collections import Counter
from collections.abc import Iterable

from divisorduel.play.players import judge, toughest
from divisorduel.rules.game import Game, Trait
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget
from divisorduel.solve.chain_solver import matching_of
from divisorduel.solve.nimbers import components_of, nimbers_of

SHOWN = 12
"""How many pairs, parts or answers are spelled out at most."""

UNKNOWN = "This position is beyond what can be proven here in the time there is."


def best_move(game: Game, position: Position) -> int | None:
    """Return the move to recommend: one that wins, or else the hardest to beat.

    None if there is no move, or if nothing is proven.
    """
    verdict = judge(game, position)
    if verdict.winning_moves:
        answers = {m: game.number_of_moves(game.after(position, m)) for m in verdict.winning_moves}
        return min(answers, key=lambda move: (answers[move], move))
    if not verdict.proven or game.is_over(position):
        return None
    return min(toughest(game, position))


def reason(game: Game, position: Position) -> str:
    """Explain who wins a position, and how."""
    verdict = judge(game, position)
    if not verdict.proven and not verdict.winning_moves:
        return UNKNOWN
    if game.is_over(position):
        return "There is no move left."
    move = best_move(game, position)
    if verdict.winning_moves and move is not None:
        return _win(game, position, move)
    return _loss(game, position)


def _win(game: Game, position: Position, move: int) -> str:
    after = game.after(position, move)
    if game.trait is Trait.DIVISORS:
        return f"Take {move}: it is a prime, so your opponent has no move."
    if game.is_over(after):
        return f"Take {move}: then your opponent has no move."
    if game.trait is Trait.CHAIN and isinstance(game, PoolGame):
        partner = matching_of(game, position, Budget()).missing(move)
        pairs = _pairs((answer, partner[answer]) for answer in game.moves(after))
        return (
            f"Take {move}. Whatever your opponent takes then, answer with its partner: {pairs}. "
            "It goes on like this to the end: every number they can reach has a partner."
        )
    if isinstance(game, PoolGame):
        parts = _parts(game, after)
        return (
            f"Take {move}. {parts} Whatever your opponent changes in one part, you can balance "
            f"again: {_answers(game, after)}."
        )
    return f"Take {move}. Then whatever your opponent does, you win: {_answers(game, after)}."


def _loss(game: Game, position: Position) -> str:
    if game.trait is Trait.CHAIN and isinstance(game, PoolGame):
        partner = matching_of(game, position, Budget()).mate
        pairs = _pairs((move, partner[move]) for move in game.moves(position))
        return f"Whatever you take, your opponent can answer with its partner: {pairs}."
    parts = ""
    # Where an opening rule loses the game, the parts need not cancel.
    if isinstance(game, PoolGame) and nimbers_of(game).nimber(position.playable, Budget()) == 0:
        parts = f"{_parts(game, position)} "
    return f"{parts}Every try has its answer: {_answers(game, position)}."


def _pairs(pairs: Iterable[tuple[int, int]]) -> str:
    found: dict[frozenset[int], str] = {}
    for a, b in pairs:
        found.setdefault(frozenset((a, b)), f"{a}-{b}")
    return _list(list(found.values()))


def _answers(game: Game, position: Position) -> str:
    """List what beats each move of a lost position."""
    found = []
    for move in game.moves(position)[: SHOWN + 1]:
        answer = best_move(game, game.after(position, move))
        found.append(f"{move} is met by {answer}")
    return _list(found)


def _parts(game: PoolGame, position: Position) -> str:
    """Say into which parts a position of nimber 0 falls, and that they cancel."""
    nimbers = nimbers_of(game)
    worth = Counter(
        nimbers.nimber(part, Budget()) for part in components_of(game, position.playable)
    )
    if worth.total() == 1:
        return "What is left is a single part worth 0, which means that whoever moves in it loses."
    told = [
        f"one worth {value}" if count == 1 else f"{count} worth {value} each"
        for value, count in sorted(worth.items(), reverse=True)
    ]
    if len(worth) == 1:
        return f"The rest falls into {worth.total()} parts worth {max(worth)} each, which cancel."
    return f"The rest falls into {worth.total()} parts, {_list(told)}, which cancel."


def _list(words: list[str]) -> str:
    if len(words) > SHOWN:
        return ", ".join(words[:SHOWN]) + ", and so on"
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
