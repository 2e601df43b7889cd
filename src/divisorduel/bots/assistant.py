"""What an assistant can ask for: games, moves, hints, reasons, verdicts, reviews and puzzles.

Every function takes and returns plain data of a limited size, within a limited time. There is no
state: a position code says everything.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

from divisorduel.coach.hints import hint as hint_of
from divisorduel.coach.puzzles import puzzle as puzzle_of
from divisorduel.coach.reasons import reason
from divisorduel.coach.review import review as review_of
from divisorduel.play.players import PLAYERS, Judge, UnknownPlayer
from divisorduel.record.check import check_record
from divisorduel.record.model import Line, Ply, Record, Result, Tag
from divisorduel.rules import catalogue
from divisorduel.rules.code import read_code, write_code
from divisorduel.rules.errors import BoardError, CodeError, DuelError, one_of
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import json_number, read_number
from divisorduel.rules.position import Position
from divisorduel.solve.budget import Budget, BudgetSpent
from divisorduel.solve.verdict import Verdict
from divisorduel.words.advice import hint_text, reason_text
from divisorduel.words.board_rules import board_rules, position_text
from divisorduel.words.reviews import remark, summary

SECONDS = 10.0
"""The time limit of an answer."""
MOST_NUMBERS = 1_000
"""The most numbers on a board."""
HIGHEST = 100_000
"""The largest number on a board with a pool."""
MOST_LISTED = 200
"""How many moves are listed."""
LONGEST_CODE = 20_000
"""The most characters of a position code; those of our boards have fewer."""

NumberOrText = int | str
"""A number; a string if it is above 2⁵³."""
Data = dict[str, Any]


class NoAnswer(DuelError):
    """A request that cannot be answered within the limits of time and size."""

    code = "cannot-answer"


def games() -> list[Data]:
    """Return the games: their keys, titles, usual boards and moves."""
    books = [kind.book for kind in map(catalogue.rule_book, catalogue.rule_book_keys())]
    return [
        {"game": book.key, "title": book.title, "board": book.board, "move": book.move}
        for book in books
    ]


def new_game(game: str, board: Mapping[str, NumberOrText] | None = None) -> Data:
    """Return the start of a game, with its rules. Raises `BoardError`."""
    chosen = _chosen(game, board)
    return {"rules": board_rules(chosen), **_view(chosen, chosen.start())}


def legal_moves(position: str) -> Data:
    """Return the legal moves of a position. Raises `CodeError` or `BoardError`."""
    return _view(*_read(position))


def play(position: str, number: NumberOrText, opponent: str | None = None) -> Data:
    """Take a number, and let a computer player answer if one is named.

    Raises `IllegalMove` with the reason, `CodeError`, `BoardError` or `UnknownPlayer`.
    """
    if opponent is not None and opponent not in PLAYERS:
        raise UnknownPlayer(f"Unknown player {opponent!r}. Choose {one_of(PLAYERS)}.")
    game, at = _read(position)
    at = game.play(at, _number(number))
    answer = None
    if opponent is not None and not game.is_over(at):
        rng = Random()  # noqa: S311  # a game, not a secret
        answer = PLAYERS[opponent](_judge()).choose(game, at, rng)
        at = game.after(at, answer)
    return {"answer": None if answer is None else json_number(answer), **_view(game, at)}


def hint(position: str, step: int = 1) -> Data:
    """Return a hint: step 1 tells who wins, 2 how many moves win, 3 names a move."""
    given = hint_of(*_read(position), step, _judge())
    return {"hint": hint_text(given), "code": given.code}


def why(position: str) -> Data:
    """Explain why the player to move wins or loses."""
    found = reason(*_read(position), _judge())
    move = None if found.move is None else json_number(found.move)
    return {"reason": reason_text(found), "code": found.code, "move": move}


def solve(position: str) -> Data:
    """Return who wins under best play and which moves win; all of it is proven."""
    game, at = _read(position)
    verdict = _judge().verdict(game, at)
    winner = {1: "player to move", 2: "opponent", None: None}[verdict.winner]
    return {
        "winner": winner,
        "proven": verdict.proven,
        "winning_moves": _listed(verdict.winning_moves),
        "number_of_winning_moves": len(verdict.winning_moves),
        "nimber": verdict.nimber,
        "method": verdict.method,
    }


def review(position: str, moves: Sequence[NumberOrText]) -> Data:
    """Return the mistakes in a game, given the position it began from. Raises `RecordError`."""
    game, start = _read(position)
    numbers = [_number(move) for move in islice(moves, MOST_NUMBERS + 1)]
    if len(numbers) > MOST_NUMBERS:
        raise NoAnswer(f"A review takes at most {MOST_NUMBERS:,} moves.")
    code = write_code(game, start)
    tags = (Tag("Game", game.book.key), Tag("Board", game.board), Tag("Start", code))
    record = Record(tags, Line(tuple(map(Ply, numbers))), _result(game, start, numbers))
    check_record(record)
    found = review_of(record, Budget(SECONDS))
    return {
        "summary": summary(found),
        "turns": [
            {
                "turn": judgement.turn,
                "player": judgement.seat,
                "number": json_number(judgement.move),
                "judgement": judgement.code,
                "text": remark(judgement),
            }
            for judgement in found.judgements
        ],
    }


def puzzle(
    game: str,
    board: Mapping[str, NumberOrText] | None = None,
    level: int | None = None,
    seed: int | None = None,
) -> Data:
    """Return a position with exactly one winning move, which it does not name."""
    chosen = _chosen(game, board)
    if why_not := chosen.book.easy_win:
        raise BoardError(" ".join(f"{game} has no puzzles. {why_not}".split()))
    rng = Random(seed)  # noqa: S311  # a game, not a secret
    found = puzzle_of(chosen, rng, level, budget=Budget(SECONDS))
    if found is None:
        raise NoAnswer("No puzzle was found on this board. Try another one.")
    return {
        "rules": board_rules(chosen),
        "level": found.level,
        "question": "Exactly one move wins. Which one?",
        **_view(chosen, found.position),
    }


def _view(game: Game, position: Position) -> Data:
    return {
        "position": write_code(game, position),
        "text": position_text(game, position),
        "legal_moves": _listed(game.moves(position)),
        "number_of_legal_moves": game.number_of_moves(position),
        "over": game.is_over(position),
    }


def _listed(moves: Iterable[int]) -> list[NumberOrText]:
    return [json_number(move) for move in islice(moves, MOST_LISTED)]


def _judge() -> Judge:
    return _ExplainingJudge(SECONDS, within=Budget(SECONDS))


class _ExplainingJudge(Judge):
    def verdict(self, game: Game, position: Position) -> Verdict:
        try:
            return super().verdict(game, position)
        except BudgetSpent:
            raise NoAnswer("This position is too large to solve in the time allowed.") from None


def _read(code: str) -> tuple[Game, Position]:
    if len(code) > LONGEST_CODE:
        raise CodeError(f"A position code has at most {LONGEST_CODE:,} characters.")
    game, position = read_code(code)
    return _checked(game), position


def _chosen(key: str, board: Mapping[str, NumberOrText] | None) -> Game:
    known = {name.rstrip("_"): name for name in catalogue.parameters(key)}
    given = {known.get(name, name): _value(value) for name, value in (board or {}).items()}
    return _checked(catalogue.game(key, **given))


def _checked(game: Game) -> Game:
    if game.pool and (game.pool.bit_count() > MOST_NUMBERS or game.pool.bit_length() > HIGHEST + 1):
        raise BoardError(
            f"Boards have at most {MOST_NUMBERS:,} numbers here, none above {HIGHEST:,}. "
            "Choose a smaller board."
        )
    return game


def _value(value: NumberOrText) -> NumberOrText:
    return read_number(value) if isinstance(value, str) and value.isdecimal() else value


def _number(value: NumberOrText) -> int:
    return read_number(value) if isinstance(value, str) else value


def _result(game: Game, position: Position, moves: Sequence[int]) -> Result:
    """Return the result of a game that Player 1 began; an illegal move is found later."""
    for move in moves:
        if move not in game.moves(position):
            return "*"
        position = game.after(position, move)
    return "*" if not game.is_over(position) else "1-0" if len(moves) % 2 else "0-1"
