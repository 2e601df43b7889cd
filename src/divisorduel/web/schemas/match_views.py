"""A match as it is sent: plain data that holds all one needs to show it."""

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from divisorduel.play.events import Event, Forfeited
from divisorduel.play.match import Match, Round
from divisorduel.record.event_json import event_to_json
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import members
from divisorduel.rules.position import Position
from divisorduel.store.rooms import StoredMatch
from divisorduel.words.refusals import forfeit_reason

MOST_DIVISORS = 400
"""How many divisors are listed; a number with more of them is played by typing."""
MOST_TIES = 200
"""Up to so many numbers, the board is sent with its ties."""


def match_view(stored: StoredMatch) -> dict[str, Any]:
    """Return a match as `docs/api.md` describes it."""
    match, current = stored.match, stored.match.current
    is_playing = match.state == "playing"
    return {
        "id": stored.id,
        "version": match.version,
        "state": match.state,
        "game": game_view(match.game),
        "names": match.names,
        "kinds": match.kinds,
        "joined": match.joined,
        "apart": match.apart,
        "rounds": match.rounds,
        "series": match.series,
        "then": match.then,
        "undo": match.undo,
        "hints": stored.hints,
        "listed": stored.listed,
        "round": len(match.played),
        "starter": current.starter,
        "turns": current.moves,
        "to_move": current.to_move if is_playing else None,
        "winner": current.winner,
        "forfeit": _forfeit_view(match, current),
        "legal": legal(match.game, current.position) if is_playing else (),
        "playable": members(current.position.playable),
        "last": current.position.last,
        "redoable": len(match.undone),
        "score": match.score,
        "results": [played.winner for played in match.played if played.winner],
        "offer": asdict(match.offer) if match.offer else None,
    }


def event_view(event: Event, after: Match) -> dict[str, Any]:
    """Return an event, given the match after it; a forfeit comes with its reason."""
    view = event_to_json(event)
    return {**view, "reason": forfeit_reason(after)} if isinstance(event, Forfeited) else view


def _forfeit_view(match: Match, played: Round) -> dict[str, Any] | None:
    if played.forfeit is None:
        return None
    by, number = played.forfeit.by, played.forfeit.wrong_number
    return {"by": by, "wrong_number": number, "reason": forfeit_reason(match, played)}


def game_view(game: Game) -> dict[str, Any]:
    """Return what there is to say of a game, in a few words."""
    book = game.book
    return {
        "key": book.key,
        "title": book.title,
        "board": game.board,
        "span": game.span,
        "note": game.note,
        "move": book.move,
        "wrong_number": book.wrong_number,
    }


def legal(game: Game, position: Position) -> tuple[int, ...]:
    """Return the legal moves; none where there are too many to list."""
    if not game.pool and game.number_of_moves(position) > MOST_DIVISORS:
        return ()
    return tuple(game.moves(position))


def board_view(game: Game, start: Position) -> dict[str, Any]:
    """Return the numbers of a board, which are tied to which, and what the ties mean."""
    if game.pool:
        numbers = members(start.playable | (1 << start.last if start.last else 0))
    else:
        numbers = legal(game, start)
    return {
        "pool": game.pool > 0,
        "numbers": numbers,
        "ties": _ties(game, numbers) if len(numbers) <= MOST_TIES else [],
        "caption": game.graph_caption,
        "last": start.last,
    }


@lru_cache(maxsize=64)
def _ties(game: Game, numbers: tuple[int, ...]) -> list[tuple[int, int]]:
    return game.graph(numbers)


def round_view(match: Match, number: int) -> dict[str, Any]:
    """Return a round turn by turn: what could be taken, what was, and what went with it."""
    played = match.played[number - 1]
    position, turns = match.start, []
    for turn, move in enumerate(played.moves, 1):
        after = match.game.after(position, move)
        gone = [n for n in members(position.playable & ~after.playable) if n != move]
        turns.append(
            {
                "seat": played.mover(turn),
                "number": move,
                "legal": legal(match.game, position),
                "gone": gone,
            }
        )
        position = after
    return {
        "round": number,
        "starter": played.starter,
        "turns": turns,
        "legal": legal(match.game, position) if played.winner is None else (),
        "winner": played.winner,
        "forfeit": _forfeit_view(match, played),
    }
