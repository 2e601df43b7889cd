"""What a solver found, as sentences and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict

from divisorduel.rules.code import write_code
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import json_data
from divisorduel.rules.position import Position
from divisorduel.solve.verdict import Verdict
from divisorduel.terminal.number_format import number_list


def verdict_json(
    game: Game, position: Position, verdict: Verdict, seconds: float
) -> dict[str, object]:
    """Return a verdict as plain data."""
    return {
        "game": game.book.key,
        "board": game.board,
        "position": write_code(game, position),
        **json_data(asdict(verdict)),
        "seconds": round(seconds, 3),
    }


def verdict_lines(
    game: Game, position: Position, verdict: Verdict, seconds: float, *, stopped: bool
) -> Iterator[str]:
    """Yield sentences about a verdict.

    If it is not proven, either the search was `stopped` or the board is too large.
    """
    yield heading(game, position, verdict.winner)
    if position != game.start():
        yield f"Position: {write_code(game, position)}"
    moves, legal = number_list(verdict.winning_moves), game.number_of_moves(position)
    why = "search stopped early" if stopped else "the board is too large"
    if verdict.proven:
        yield f"Winning moves ({len(verdict.winning_moves)} of {legal}): {moves:none}"
    elif verdict.winning_moves:
        yield f"Winning moves found so far ({why}): {moves}"
    if verdict.nimber is not None:
        yield f"Nimber: {verdict.nimber}"
    count = f"{verdict.positions:,} position{'' if verdict.positions == 1 else 's'}"
    how = "Proven by" if verdict.winner else f"Not proven: {why}. Method:"
    yield f"{how} {verdict.method}; {count} in {seconds:.2f} s."


def heading(game: Game, position: Position, winner: int | None) -> str:
    """Say who wins from a position; 1 is the player to move."""
    if position == game.start():
        who = {1: "the first player wins", 2: "the second player wins"}
    else:
        who = {1: "the player to move wins", 2: "the player to move loses"}
    result = who[winner] if winner else "the winner is not known"
    note = game.note if position == game.start() else ""
    return f"{game.book.title}, {game.span}: {result}. {note}".rstrip()
