"""A match as it is sent: plain data that holds all one needs to show it."""

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from divisorduel.play.match import Match
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import members
from divisorduel.rules.position import Position
from divisorduel.store.rooms import StoredMatch

MOST_DIVISORS = 400
"""How many divisors are listed; a number with more of them is played by typing."""
MOST_TIES = 200
"""Up to so many numbers, the board is sent with its ties."""


def match_view(opened: StoredMatch) -> dict[str, Any]:
    """Return a match as `docs/api.md` describes it."""
    room, match = opened.room, opened.room.match
    current = match.current
    going_on = room.state == "playing"
    return {
        "id": opened.id,
        "version": room.version,
        "state": room.state,
        "game": game_view(match.game),
        "names": match.names,
        "kinds": match.kinds,
        "joined": room.joined,
        "apart": room.apart,
        "rounds": match.rounds,
        "series": match.series,
        "then": match.then,
        "undo": match.undo,
        "hints": opened.hints,
        "listed": opened.listed,
        "round": len(match.played),
        "starter": current.starter,
        "turns": current.moves,
        "to_move": current.to_move if going_on else None,
        "winner": current.winner,
        "forfeit": asdict(current.forfeit) if current.forfeit else None,
        "legal": legal(match.game, current.position) if going_on else (),
        "playable": members(current.position.playable),
        "last": current.position.last,
        "redoable": len(match.undone),
        "score": match.score,
        "results": [played.winner for played in match.played if played.winner],
        "offer": {"kind": room.offer.kind, "by": room.offer.by} if room.offer else None,
    }


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
        "forfeit": asdict(played.forfeit) if played.forfeit else None,
    }
