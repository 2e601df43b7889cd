"""Matches, boards, rounds and rule books as they are sent."""

from dataclasses import MISSING, asdict, fields
from functools import cache, lru_cache
from typing import Any, get_args

from divisorduel.play.events import Event, Forfeited, NumberTaken
from divisorduel.play.match import Match, Round
from divisorduel.record.event_json import event_to_json
from divisorduel.rules import catalogue
from divisorduel.rules.book import Book, paragraphs
from divisorduel.rules.code import write_code
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import json_data, members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.store.rooms import StoredMatch
from divisorduel.web.schemas import responses
from divisorduel.words.refusals import forfeit_reason

MOST_DIVISORS = 400
"""A number with more divisors is sent without a list of them: the players type their moves."""
MOST_EDGES = 200
"""A board with more numbers is sent without its edges."""
MOST_LISTED = 100_000
"""A round is sent without the legal moves of its later turns if there are more in all."""


_UNCHANGED = responses.MatchOut.model_fields.keys() & Match.__dataclass_fields__.keys() - {"game"}
"""The fields of a match that are sent as they are."""


def match_view(stored: StoredMatch) -> responses.MatchOut:
    """Return a match as it is sent."""
    return responses.MatchOut.model_construct(**match_fields(stored))


def match_fields(stored: StoredMatch) -> responses.MatchFields:
    """Return the fields of a match as it is sent."""
    match = stored.match
    current = match.current
    playing = match.state == "playing"
    return {
        **{name: getattr(match, name) for name in _UNCHANGED},
        "id": stored.id,
        "state": match.state,
        "game": game_view(match.game),
        "hints": stored.hints,
        "listed": stored.listed,
        "round": len(match.played),
        "starter": current.starter,
        "turns": current.moves,
        "to_move": current.to_move if playing else None,
        "winner": current.winner,
        "forfeit": _forfeit(match, current),
        "legal": legal(match.game, current.position) if playing else (),
        "playable": members(current.position.playable),
        "last": current.position.last,
        "redoable": len(match.undone),
        "score": match.score,
        "results": tuple(played.winner for played in match.played if played.winner),
    }


def _forfeit(match: Match, played: Round) -> responses.ForfeitOut | None:
    if played.forfeit is None:
        return None
    reason = forfeit_reason(match, played)
    return responses.ForfeitOut(**json_data(asdict(played.forfeit)), reason=reason)


def event_view(event: Event, after: Match) -> responses.EventOut:
    """Return an event, given the match after it; a forfeit comes with its reason."""
    view = event_to_json(event)
    if isinstance(event, Forfeited):
        return {**view, "fault": event.fault, "reason": forfeit_reason(after)}
    return view


def open_match_view(stored: StoredMatch) -> responses.OpenMatchOut:
    """Return an open match as it is listed."""
    match, joined = stored.match, stored.match.joined
    return responses.OpenMatchOut(
        id=stored.id,
        game=game_view(match.game),
        host=match.name(1 if joined[0] else 2),
        rounds=match.rounds,
        starts="host" if joined[match.first - 1] else "you",
        created=stored.created,
    )


@lru_cache(maxsize=512)
def game_view(game: Game) -> responses.GameOut:
    """Return a game as it is sent."""
    book = game.book
    return responses.GameOut(
        key=book.key,
        title=book.title,
        nickname=book.nickname,
        board=game.board,
        span=game.span,
        note=game.note,
        move=book.move,
        wrong_number=book.wrong_number,
    )


def legal(game: Game, position: Position) -> tuple[int, ...]:
    """Return the legal moves, or an empty tuple if there are too many to list."""
    if not game.pool and game.number_of_moves(position) > MOST_DIVISORS:
        return ()
    return tuple(game.moves(position))


@lru_cache(maxsize=64)
def board_view(game: Game, start: Position) -> responses.BoardOut:
    """Return the numbers of a board, which pairs are related, and what the edges mean."""
    numbers = legal(game, start)
    if game.pool:
        numbers = members(start.playable | (1 << start.last if start.last else 0))
    return responses.BoardOut(
        code=write_code(game, start),
        pool=game.pool > 0,
        numbers=numbers,
        edges=game.graph(numbers) if len(numbers) <= MOST_EDGES else [],
        caption=game.graph_caption,
        last=start.last,
    )


def position_view(
    game: Game, position: Position, board: responses.BoardOut | None
) -> responses.PositionOut:
    """Return a position as it is sent."""
    return responses.PositionOut(
        code=write_code(game, position),
        game=game_view(game),
        parameters={
            sent_name(one.name): getattr(game, one.name)
            for one in fields(game)  # type: ignore[arg-type]  # a dataclass
        },
        playable=members(position.playable),
        last=position.last,
        legal=legal(game, position),
        moves=game.number_of_moves(position),
        markable=isinstance(game, PoolGame) and game.answers_last,
        board=board,
    )


def round_view(match: Match, number: int) -> responses.RoundOut:
    """Return a round turn by turn: what was legal, what was taken, and what that ruled out."""
    game, played = match.game, match.played[number - 1]
    position, turns, listed = match.start, [], 0
    for turn, move in enumerate(played.moves, 1):
        after = game.after(position, move)
        gone = [n for n in members(position.playable & ~after.playable) if n != move]
        seat, could = played.mover(turn), legal(game, position) if listed < MOST_LISTED else ()
        listed += len(could)
        turns.append(responses.TurnOut(seat=seat, number=move, legal=could, gone=gone))
        position = after
    return responses.RoundOut(
        round=number,
        starter=played.starter,
        turns=turns,
        legal=legal(game, position) if played.winner is None else (),
        winner=played.winner,
        forfeit=_forfeit(match, played),
    )


@cache
def rule_books() -> list[responses.RuleBookOut]:
    """Return all rule books."""
    return [_rule_book(kind) for kind in map(catalogue.rule_book, catalogue.rule_book_keys())]


def _rule_book(kind: type[Game]) -> responses.RuleBookOut:
    book = kind.book
    known: Any = fields(kind)  # type: ignore[arg-type]  # a dataclass
    defaults = {one.name: None if one.default is MISSING else one.default for one in known}
    return responses.RuleBookOut(
        key=book.key,
        title=book.title,
        nickname=book.nickname,
        board=book.board,
        move=book.move,
        wrong_number=book.wrong_number,
        parameters=[
            responses.ParameterOut(
                name=sent_name(name), choices=list(get_args(hint)) or None, default=defaults[name]
            )
            for name, hint in catalogue.parameters(book.key).items()
        ],
        first_board={sent_name(name): value for name, value in book.first_board.items()},
        rules=paragraphs(book.guide.rules),
        own_board=" ".join(paragraphs(book.guide.own_board)),
        tips=paragraphs(book.guide.tips),
        example=_example(book),
    )


def _example(book: Book) -> responses.ExampleOut:
    example = book.guide.example
    match = Match.of(catalogue.game(book.key, **example.board))
    for move in example.moves:
        match = match.after(NumberTaken(move))
    return responses.ExampleOut(
        span=match.game.span,
        board=board_view(match.game, match.start),
        round=round_view(match, 1),
        remarks={str(turn): remark for turn, remark in example.remarks.items()},
    )


def sent_name(parameter: str) -> str:
    """Return the name of a board's parameter in JSON; ``from`` is a keyword only in Python."""
    return parameter.rstrip("_")
