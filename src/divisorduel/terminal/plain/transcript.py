"""The words of a match, line by line: what each event looks like in plain text.

The rule books' own words come from the books; what they are silent about is said here.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from divisorduel.play.events import (
    Event,
    Forfeited,
    MoveUndone,
    NumberTaken,
    Refused,
    RoundBegan,
    RoundsAdded,
    Seat,
)
from divisorduel.play.match import Match, other
from divisorduel.rules.numbers import bit_set
from divisorduel.terminal.number_format import number_list, set_list
from divisorduel.terminal.terminal import Style


class Styled(NamedTuple):
    """A text to show, how, and by how much its further lines are indented."""

    text: str
    style: Style = ""
    indent: int = 0


class _Words(dict[str, object]):
    """The words of a template, each found when it is asked for: some are long to find."""

    def __init__(self, match: Match, seat: Seat) -> None:
        super().__init__()
        self._match = match
        self._seat = seat

    def __missing__(self, name: str) -> str:
        match, current = self._match, self._match.current
        loser = other(current.winner) if current.winner else self._seat
        found: dict[str, Callable[[], str]] = {
            "player": lambda: match.name(self._seat),
            "winner": lambda: match.name(other(loser)),
            "loser": lambda: match.name(loser),
            "number": lambda: str(current.moves[-1]),
            "last": lambda: str(current.position.last),
            "pool": lambda: match.game.span,
            "playable": lambda: set_list(current.position.playable),
            "untaken": lambda: set_list(match.start.playable & ~bit_set(current.moves)),
            "options": lambda: number_list(match.game.moves(current.position)),
            "mine": lambda: number_list(current.taken_by(self._seat)),
            "theirs": lambda: number_list(current.taken_by(other(self._seat))),
            "taken": lambda: number_list(current.moves),
        }
        return found[name]()


def fill(template: str, match: Match, seat: Seat | None = None) -> str:
    """Fill in a template for a player, by default the one to move."""
    return template.format_map(_Words(match, seat or match.current.to_move))


def begin_round(match: Match, number: int) -> Iterator[Styled]:
    """Yield what is shown at the start of a round."""
    wording = match.game.book.wording
    gap = "\n" if number > 1 or wording.welcome else ""
    if match.series > 1:
        yield Styled(f"{gap}Round {number} of {match.rounds}\n", "heading")
    elif number > 1 and not (wording.board or wording.first_turn).startswith("\n"):
        yield Styled(gap)
    yield Styled(fill(wording.board, match))
    if match.game.note:
        yield Styled(f"{match.game.note}\n")
    yield from turn(match)


def take_up(match: Match) -> Iterator[Styled]:
    """Yield what is shown when play goes on from a position that was not just reached."""
    yield Styled(fill(match.game.book.wording.reminder, match))
    if match.game.note and not match.current.moves:
        yield Styled(f"{match.game.note}\n")
    yield from turn(match)


def turn(match: Match) -> Iterator[Styled]:
    """Yield what is shown before a prompt, or in place of it when the round is over."""
    wording, current = match.game.book.wording, match.current
    if current.winner is None:
        yield Styled(fill(wording.first_turn if _is_free(match) else wording.turn, match))
        return
    *lines, last = fill(wording.stuck, match).splitlines(keepends=True)
    yield Styled("".join(lines))
    yield Styled(last, "win")
    yield from score(match)


def _is_free(match: Match) -> bool:
    return not match.current.moves and match.current.position.last is None


def prompt(match: Match) -> str:
    """Return the rule book's prompt."""
    return fill(match.game.book.wording.prompt, match)


def show(event: Event, match: Match) -> Iterator[Styled]:
    """Yield what is shown of an event, given the match after it."""
    match event:
        case NumberTaken():
            mover = other(match.current.to_move)
            yield Styled(fill(match.game.book.wording.accepted, match, mover))
            yield from turn(match)
        case MoveUndone(number):
            yield Styled(f"{number} is taken back.\n")
            yield from take_up(match)
        case Forfeited(_, _, reason):
            yield Styled(f"{reason}\n" if reason else "", "reason")
            yield Styled(fill(match.game.book.wording.forfeit, match), "win")
            yield from score(match)
        case RoundBegan():
            yield from begin_round(match, len(match.played))
        case RoundsAdded():
            pass
        case Refused(reason):
            yield Styled(f"{reason}\n", "reason")


def score(match: Match) -> Iterator[Styled]:
    """Yield the score of a match that has more than one round."""
    finished = sum(match.score)
    if match.rounds == 1 or not finished:
        return
    one, two = match.names
    wins = f"{one}: {match.score[0]}, {two}: {match.score[1]}"
    if match.series == 1:
        yield Styled(f"Games won: {wins}.\n")
        return
    yield Styled(f"Score after round {finished} of {match.rounds}: {wins}.\n")
    if match.over:
        high, low = max(match.score), min(match.score)
        leader = match.names[match.score.index(high)]
        level = f"The match ends level, {high} to {low}.\n"
        yield Styled(
            level if high == low else f"{leader} wins the match, {high} to {low}.\n", "win"
        )


def summary(match: Match) -> str:
    """Return a match in a few words: the board, the players, and how far it has come."""
    one, two = match.names
    round_ = f", round {len(match.played)} of {match.rounds}" if match.rounds > 1 else ""
    turn_ = f", turn {len(match.current.moves) + 1}"
    return f"{match.game.book.key} {match.game.board}, {one} against {two}{round_}{turn_}"


def moves(match: Match) -> Iterator[Styled]:
    """Yield the answer to ``moves``."""
    over = match.current.winner is not None
    template = match.game.book.wording.options
    yield Styled("No moves: the game is over.\n" if over else fill(template, match))


def history(match: Match) -> Iterator[Styled]:
    """Yield the answer to ``history``: the numbers taken, and then turn by turn what went."""
    yield Styled(fill(match.game.book.wording.log, match))
    position = match.start
    for number, (move, name) in enumerate(match.taken, 1):
        after = match.game.after(position, move)
        gone = position.playable & ~after.playable & ~bit_set([move] if position.playable else [])
        also = match.game.book.wording.also.format(gone=set_list(gone)) if gone else ""
        yield Styled(f"Turn {number}: {name} took {move}{also}.\n")
        position = after
    if match.current.forfeit:
        yield Styled(f"{match.name(match.current.forfeit.by)} forfeited.\n")
    yield from score(match)
