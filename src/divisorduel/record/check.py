"""Checks that a record is a legal game with the right result."""

from collections.abc import Callable
from typing import get_args

from divisorduel.play.events import Seat
from divisorduel.play.match import Then, check_names, other
from divisorduel.play.players import BOT, KINDS, is_bot, is_kind
from divisorduel.record.model import Line, Record, RecordError, Result
from divisorduel.rules.code import read_code
from divisorduel.rules.game import Game, Taken
from divisorduel.rules.position import Position

_CHOICES: dict[str, tuple[str, ...]] = {
    "First": ("1", "2"),
    "Result": get_args(Result),
    "Then": get_args(Then),
    "Undo": ("yes", "no"),
}


def check_record(record: Record, allowed: Callable[[Game], object] = lambda _: None) -> None:
    """Raise `RecordError` unless all moves and variations are legal and the result is right.

    `allowed` may raise `BoardError` for a board that the caller does not accept.
    """
    _check_tags(record, allowed)
    taken: list[Taken] = []
    position = _play_line(record, record.line, record.start, taken)
    if wrong := _wrong_result(record, position, record.mover(len(taken) + 1)):
        raise RecordError(wrong, record.at)


def _check_tags(record: Record, allowed: Callable[[Game], object]) -> None:
    if not record.tags:
        raise RecordError("a record needs at least the tags Game and Board.")
    for name in ("Game", "Board"):
        if not record.tag(name):
            raise RecordError(f"the tag {name} is missing.", record.tags[0].at)
    for name, choices in _CHOICES.items():
        if record.tag(name, choices[0]) not in choices:
            raise RecordError(f"{name} must be one of {', '.join(choices)}.", record.line_of(name))
    for name, kind in zip(("Kind1", "Kind2"), record.kinds, strict=True):
        if not is_kind(kind):
            known = ", ".join((*KINDS, BOT))
            raise RecordError(f"{name} must be one of {known}.", record.line_of(name))
    with record.errors_at("Board"):
        allowed(record.game)
    with record.errors_at("Player2" if record.tag("Player2") else "Player1"):
        check_names(record.names, stored=True)
    if code := record.tag("Start"):
        with record.errors_at("Start"):
            of = read_code(code, allowed)[0]
        if of != record.game:
            raise RecordError(
                "the code in Start belongs to a different game or board.", record.line_of("Start")
            )
    if record.tag("Result", record.result) != record.result:
        raise RecordError(
            f"the game ends with {record.result}, but the tag Result says {record.tag('Result')}.",
            record.at,
        )


def _play_line(record: Record, line: Line, position: Position, taken: list[Taken]) -> Position:
    """Play a line and its variations; return its last position, and add its moves to `taken`."""
    for ply in line.plies:
        refusal = record.game.refusal(position, ply.move, taken)
        if refusal:
            reason = record.game.explain(refusal)
            raise RecordError(f"the move on turn {len(taken) + 1} is illegal: {reason}", ply.at)
        turns = len(taken)
        for note in ply.notes:
            if isinstance(note, Line):
                _play_line(record, note, position, taken)
                del taken[turns:]
        position = record.game.after(position, ply.move)
        taken.append(Taken(ply.move, record.names[record.mover(turns + 1) - 1]))
    return position


def _wrong_result(record: Record, position: Position, to_move: Seat) -> str:
    """Return what is wrong with the result, or the empty string."""
    game, how, number = record.game, record.tag("Termination"), record.wrong_number
    if game.is_over(position):
        if record.winner != other(to_move):
            loser = record.names[to_move - 1]
            return f"{loser} has no move left and loses, but the result is {record.result}."
        if how not in ("", "no move"):
            return f"the game ended because no move was left, but the tag Termination says {how}."
    elif record.winner is None:
        return how and f"the game is not finished, but the tag Termination says {how}."
    elif record.fault:
        if not is_bot(record.kinds[other(record.winner) - 1]):
            return "only an engine (a player of the kind bot) can lose through a fault."
    elif number is None and how != "forfeit":
        return f"the result is {record.result}, but moves are left and no player forfeited."
    elif number is not None and (
        game.book.wrong_number != "forfeit" or number in game.moves(position)
    ):
        return f"{number} is not a number that forfeits this game."
    elif number is not None and record.winner == to_move:
        loser = record.names[to_move - 1]
        return f"{loser} took {number} and lost, but the result is {record.result}."
    return ""
