"""A match of a server as a value: made from what the server sends, and moved on by its events."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from divisorduel.client.client_error import ClientError, not_a_server
from divisorduel.client.server_messages import SentMatch
from divisorduel.play.events import (
    Event,
    Joined,
    MoveUndone,
    NumberTaken,
    RoundBegan,
    Seat,
)  # fmt: skip
from divisorduel.play.match import Match, Round, check_names, other
from divisorduel.record.event_json import event_from_json
from divisorduel.rules.catalogue import rule_book
from divisorduel.rules.errors import DuelError
from divisorduel.rules.game import Game
from divisorduel.rules.position import Position

Steps = tuple[tuple[Event, Match], ...]
"""Events, each with the match after it."""


class OutOfStep(Exception):  # not an error: the client asks for the whole match
    """Events do not follow from the match that the client has."""


def game_of(sent: SentMatch, server: str) -> Game:
    """Return the game that is played. Raises `ClientError` if its rule book is not installed."""
    try:
        return rule_book(sent.game.key).on_board(sent.game.board)
    except DuelError:
        raise ClientError(
            f"{server} plays {sent.game.title} ({sent.game.key} {sent.game.board}), "
            "which is not installed here. Open the link in a browser.",
            "game-unknown",
        ) from None


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
            match = match.after(sent.forfeit)
        if sent.offer is not None:
            match = match.after(sent.offer)
        return _closed(match, sent)
    except (DuelError, OutOfStep, IndexError):
        raise not_a_server(server) from None


def _closed(match: Match, sent: SentMatch) -> Match:
    if sent.state == "off" or sent.state == "expired":
        return replace(match, closed=sent.state)
    return match


def _earlier(sent: SentMatch, start: Position) -> Iterator[Round]:
    """Yield the rounds before the current one: who started them, and who won them."""
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
    if len(sent.results) < sent.round - 1:
        raise IndexError


def follow(match: Match, sent: Sequence[dict[str, Any]], version: int) -> Steps:
    """Return a server's events as values, each with the match after it. Raises `OutOfStep`."""
    if version != match.version + 1:
        raise OutOfStep
    steps: list[tuple[Event, Match]] = []
    match = match.at_next_version()
    for data in sent:
        try:
            event = event_from_json(data)
        except (KeyError, TypeError):  # an event of a newer server
            raise OutOfStep from None
        match = _after(match, event)
        steps.append((event, match))
    return tuple(steps)


def _after(match: Match, event: Event) -> Match:
    """Return the match after an event. Raises `OutOfStep` if it cannot happen in this match."""
    current = match.current
    if isinstance(event, NumberTaken):
        is_legal = match.game.refusal(current.position, event.number) is None
        if current.winner is not None or not is_legal:
            raise OutOfStep
    if isinstance(event, MoveUndone) and not any(played.moves for played in match.played[-2:]):
        raise OutOfStep  # it undoes a move of an earlier round, which is not known
    return match.after(event)


def events_between(before: Match, after: Match) -> Steps:
    """Return what happened while the client was away; nothing if that cannot be told."""
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
    match, steps = before, list[tuple[Event, Match]]()
    for event in events:
        match = match.after(event)
        steps.append((event, match))
    return (*steps[:-1], (steps[-1][0], after)) if steps else ()
