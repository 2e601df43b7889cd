"""A match on a server as a value: made from what the server sends, advanced by its events."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from divisorduel.client.client_error import ClientError, not_a_server
from divisorduel.client.server_messages import LARGEST_NUMBER, SentMatch, read_event
from divisorduel.play.events import (
    Event,
    Joined,
    NumberTaken,
    RoundBegan,
    RoundsAdded,
    Seat,
)  # fmt: skip
from divisorduel.play.match import MOST_ROUNDS, Match, Round, check_names, other
from divisorduel.rules.catalogue import rule_book
from divisorduel.rules.errors import DuelError
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position

AppliedEvents = tuple[tuple[Event, Match], ...]
"""Events, each with the match after it."""
MOST_NUMBERS = 1_000
"""The most numbers on the board of a server."""
HIGHEST = 100_000
"""The largest number on the board of a server, unless the game has just one number."""


class OutOfStep(Exception):  # not an error: the client asks for the whole match
    """Events do not follow from the match that the client has."""


def game_of(sent: SentMatch, server: str) -> Game:
    """Return the game that is played.

    Raises `ClientError` if its rule book is not installed, or if no server has such a board.
    """
    try:
        game = rule_book(sent.game.key).on_board(sent.game.board)
    except DuelError:
        raise ClientError(
            f"{server} plays {sent.game.title} ({sent.game.key} {sent.game.board}), "
            "which is not installed here. Open the link in a browser.",
            "game-unknown",
        ) from None
    is_large = game.pool and (game.size > HIGHEST or game.pool.bit_count() > MOST_NUMBERS)
    if is_large or (game.start().last or 0) > LARGEST_NUMBER:
        raise not_a_server(server)
    return game


def match_of(sent: SentMatch, game: Game, start: Position, server: str) -> Match:
    """Return a match as a value. The moves of its earlier rounds are not known.

    Raises `ClientError` if it does not follow the rules.
    """
    try:
        match = Match(
            game=game,
            start=start,
            names=check_names(sent.names, stored=True),
            kinds=sent.kinds,
            then=sent.then,
            rounds=sent.rounds,
            series=sent.series,
            undo=sent.undo,
            apart=sent.apart,
            joined=sent.joined,
            played=tuple(_earlier(sent, start)),
            version=sent.version,
        )
        match = match.after(RoundBegan(sent.starter))
        for number in sent.turns:
            match = _after(match, NumberTaken(number))
        if sent.forfeit is not None:
            match = _after(match, sent.forfeit)
        if sent.offer is not None:
            match = match.after(sent.offer)
        return _closed(match, sent)
    except (DuelError, OutOfStep):
        raise not_a_server(server) from None


def _closed(match: Match, sent: SentMatch) -> Match:
    if sent.state == "off" or sent.state == "expired":
        return replace(match, closed=sent.state)
    return match


def _earlier(sent: SentMatch, start: Position) -> Iterator[Round]:
    """Yield the rounds before the current one: who started them, and who won them."""
    if len(sent.results) < sent.round - 1:
        raise OutOfStep
    starter = sent.starter
    starters: list[Seat] = []
    for number in range(sent.round - 1, 0, -1):
        if sent.then == "alternate":
            starter = other(starter)
        elif sent.then == "loser":
            starter = other(sent.results[number - 2]) if number > 1 else 1
        starters.append(starter)
    for first, winner in zip(reversed(starters), sent.results, strict=False):
        yield Round(first, start, winner=winner)


def follow(match: Match, sent: Sequence[dict[str, Any]], version: int) -> AppliedEvents:
    """Return a server's events as values, each with the match after it.

    Raises `OutOfStep`, and `ValueError` for what is not an event.
    """
    if version != match.version + 1:
        raise OutOfStep
    applied: list[tuple[Event, Match]] = []
    match = match.at_next_version()
    for data in sent:
        event = read_event(data)
        if event is None:
            raise OutOfStep
        match = _after(match, event)
        applied.append((event, match))
    return tuple(applied)


def _after(match: Match, event: Event) -> Match:
    """Return the match after an event. Raises `OutOfStep` if it cannot happen in this match."""
    if not match.can_happen(event):  # for example, it undoes a move of an earlier round
        raise OutOfStep
    after = match.after(event)
    match event:
        case RoundsAdded(rounds) if not match.over or rounds < 1 or after.rounds > MOST_ROUNDS:
            raise OutOfStep
        case Joined():
            try:
                check_names(after.names, stored=True)
            except DuelError:
                raise OutOfStep from None
    return after


def events_between(before: Match, after: Match) -> AppliedEvents:
    """Return what happened while the client was away; nothing if that is not known."""
    done, now = before.current, after.current
    is_same_round = len(before.played) == len(after.played) and done.starter == now.starter
    if not is_same_round or now.moves[: len(done.moves)] != done.moves:
        return ()
    events: list[Event] = [
        Joined(seat, after.name(seat))
        for seat in (1, 2)
        if after.joined[seat - 1] and not before.joined[seat - 1]
    ]
    events += [NumberTaken(number) for number in now.moves[len(done.moves) :]]
    if now.forfeit is not None and done.forfeit is None:
        events.append(now.forfeit)
    match, applied = before, list[tuple[Event, Match]]()
    for event in events:
        match = match.after(event)
        applied.append((event, match))
    return (*applied[:-1], (applied[-1][0], after)) if applied else ()
