"""Matches, boards and rounds as they are sent."""

from dataclasses import asdict
from functools import lru_cache

from divisorduel.play.match import Match, Round
from divisorduel.play.room import RoomEvent
from divisorduel.record.event_json import event_to_json
from divisorduel.rules.divisors import ProperDivisors
from divisorduel.rules.game import Game
from divisorduel.rules.numbers import has, members
from divisorduel.rules.pool_game import PoolGame
from divisorduel.rules.position import Position
from divisorduel.store.rooms import StoredMatch
from divisorduel.web.schemas import responses

MOST_DIVISORS = 400
"""The most divisors that are listed. A number with more is played by typing."""
MOST_TIES = 200
"""The most numbers of a board that is sent with its ties."""


def match_view(opened: StoredMatch) -> responses.MatchOut:
    """Return a match as it is sent."""
    room, match = opened.room, opened.room.match
    current = match.current
    playing = room.state == "playing"
    return responses.MatchOut(
        id=opened.id,
        version=room.version,
        state=room.state,
        game=game_view(match.game),
        names=match.names,
        kinds=match.kinds,
        joined=room.joined,
        apart=room.apart,
        rounds=match.rounds,
        series=match.series,
        then=match.then,
        undo=match.undo,
        hints=opened.hints,
        listed=opened.listed,
        round=len(match.played),
        starter=current.starter,
        turns=current.moves,
        to_move=current.to_move if playing else None,
        winner=current.winner,
        forfeit=_forfeit(current),
        legal=legal(match.game, current.position) if playing else (),
        playable=members(current.position.playable),
        last=current.position.last,
        redoable=len(match.undone),
        score=match.score,
        results=tuple(played.winner for played in match.played if played.winner),
        offer=responses.OfferOut(kind=room.offer.kind, by=room.offer.by) if room.offer else None,
    )


def _forfeit(played: Round) -> responses.ForfeitOut | None:
    return responses.ForfeitOut(**asdict(played.forfeit)) if played.forfeit else None


def event_view(event: RoomEvent) -> responses.EventOut:
    """Return an event as it is sent."""
    return event_to_json(event)


def waiting_view(opened: StoredMatch) -> responses.WaitingOut:
    """Return an open match as it is listed."""
    match, joined = opened.room.match, opened.room.joined
    return responses.WaitingOut(
        id=opened.id,
        game=game_view(match.game),
        host=match.name(1 if joined[0] else 2),
        rounds=match.rounds,
        starts="host" if joined[match.first - 1] else "you",
        created=opened.created,
    )


def game_view(game: Game) -> responses.GameOut:
    """Return a game as it is sent."""
    book = game.book
    return responses.GameOut(
        key=book.key,
        title=book.title,
        board=game.board,
        span=game.span,
        note=game.note,
        wrong_number=book.wrong_number,
    )


def legal(game: Game, position: Position) -> tuple[int, ...]:
    """Return the legal moves, or none if there are too many to list."""
    moves = game.moves(position)
    if isinstance(moves, ProperDivisors) and len(moves) > MOST_DIVISORS:
        return ()
    return tuple(moves)


def board_view(game: Game, start: Position) -> responses.BoardOut:
    """Return the numbers of a board and the pairs that are tied."""
    if isinstance(game, PoolGame):
        numbers = members(start.playable | (1 << start.last if start.last else 0))
        return responses.BoardOut(pool=True, numbers=numbers, ties=_ties(game, numbers))
    numbers = legal(game, start)
    drawn = numbers if len(numbers) <= MOST_TIES else ()
    ties = [(a, b) for a in drawn for b in drawn if a < b and b % a == 0]
    return responses.BoardOut(pool=False, numbers=numbers, ties=ties)


@lru_cache(maxsize=64)
def _ties(game: PoolGame, numbers: tuple[int, ...]) -> list[tuple[int, int]]:
    if len(numbers) > MOST_TIES:
        return []
    tied = {a: game.ties(a) for a in numbers}
    return [
        (a, b) for a in numbers for b in numbers if a < b and (has(tied[a], b) or has(tied[b], a))
    ]


def round_view(match: Match, number: int) -> responses.RoundOut:
    """Return a round turn by turn: what was legal, what was taken, and what that ruled out."""
    played = match.played[number - 1]
    position, turns = match.start, []
    for turn, move in enumerate(played.moves, 1):
        after = match.game.after(position, move)
        gone = [n for n in members(position.playable & ~after.playable) if n != move]
        turns.append(
            responses.TurnOut(
                seat=played.mover(turn), number=move, legal=legal(match.game, position), gone=gone
            )
        )
        position = after
    return responses.RoundOut(
        round=number,
        starter=played.starter,
        turns=turns,
        legal=legal(match.game, position) if played.winner is None else (),
        winner=played.winner,
        forfeit=_forfeit(played),
    )
