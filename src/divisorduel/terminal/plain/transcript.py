"""The lines of a match in plain text: what is shown of each event.

The rule books supply most of the lines. This module adds lines about what they do not mention, and
rewrites their lines for computer players.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from divisorduel.coach.hints import Hint
from divisorduel.play.events import Event, Forfeited, MoveUndone, NumberTaken, RoundBegan, Seat
from divisorduel.play.match import Match, other
from divisorduel.rules.numbers import bit_set, members
from divisorduel.terminal.number_format import LONG, number_list, set_list
from divisorduel.terminal.terminal import StyledText
from divisorduel.words.advice import hint_text
from divisorduel.words.listing import listing
from divisorduel.words.refusals import forfeit_reason

_THIRD_PERSON = (
    (r"\{player\}, it's your turn\.", "{player}'s turn."),
    (r"^You removed \{number\}\.", "{player} removes {number}."),
    (r"^You \w+ \{number\}\.", "{player} selects {number}."),
    (r"\bYou lose\b", "{player} loses"),
    (r"\bYour\b", "{player}'s"),
    (r"^(?:Choose|Enter|Pick|Remove|Select|Take)\b.*\n", ""),
)


@lru_cache
def _about_computer(template: str) -> str:
    """Rewrite a rule book's template so that it does not address the player as "you"."""
    for pattern, words in _THIRD_PERSON:
        template = re.sub(pattern, words, template, flags=re.MULTILINE)
    return template


class _Words(dict[str, object]):
    """The words for a template, each computed only when needed: some lists are long."""

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
    """Fill in a rule book's template for a player, by default the player to move."""
    seat = seat or match.current.to_move
    if match.is_computer(seat):
        template = _about_computer(template)
    return template.format_map(_Words(match, seat))


def opening(match: Match) -> Iterator[StyledText]:
    """Yield what is shown at the start of a match: the welcome and the first round."""
    yield StyledText(fill(match.game.book.wording.welcome, match), "heading")
    yield from begin_round(match, 1)


def begin_round(match: Match, number: int) -> Iterator[StyledText]:
    """Yield what is shown at the start of a round."""
    wording = match.game.book.wording
    gap = "\n" if number > 1 or wording.welcome else ""
    if match.series > 1:
        yield StyledText(f"{gap}Round {number} of {match.rounds}\n", "heading")
    elif number > 1 and not (wording.board or wording.first_turn).startswith("\n"):
        yield StyledText(gap)
    yield StyledText(fill(wording.board, match))
    if match.game.note:
        yield StyledText(f"{match.game.note}\n")
    yield from turn(match)


def resume_round(match: Match) -> Iterator[StyledText]:
    """Yield what is shown when play continues after an undo or from a saved match."""
    yield StyledText(fill(match.game.book.wording.reminder, match))
    if match.game.note and not match.current.moves:
        yield StyledText(f"{match.game.note}\n")
    yield from turn(match)


def board(match: Match) -> Iterator[StyledText]:
    """Yield the answer to ``board``: what was last shown of the round."""
    if match.current.forfeit:
        yield from show(match.current.forfeit, match)
    else:
        yield from resume_round(match)


def turn(match: Match) -> Iterator[StyledText]:
    """Yield what is shown before a prompt, or how the round ended if it is over."""
    wording, current = match.game.book.wording, match.current
    if current.winner is None:
        is_free = not current.moves and current.position.last is None
        yield StyledText(fill(wording.first_turn if is_free else wording.turn, match))
        return
    *lines, last = fill(wording.stuck, match).splitlines(keepends=True)
    yield StyledText("".join(lines))
    yield StyledText(last, "win")
    yield from score(match)


def prompt(match: Match) -> str:
    """Return the rule book's prompt."""
    return fill(match.game.book.wording.prompt, match)


def answered_prompt(match: Match, number: int) -> StyledText:
    """Return the prompt with a number typed after it; nothing for a computer player."""
    is_typed = not match.is_computer(match.current.to_move)
    return StyledText(f"{prompt(match)}{number}\n" if is_typed else "")


def show(event: Event, match: Match) -> Iterator[StyledText]:
    """Yield what is shown of an event, given the match after it."""
    match event:
        case NumberTaken():
            yield StyledText(_accepted(match))
            yield from turn(match)
        case MoveUndone(number):
            yield StyledText(f"{number} was taken back.\n")
            if not match.is_computer(match.current.to_move):  # its move is undone next
                yield from resume_round(match)
        case Forfeited():
            reason = forfeit_reason(match)
            yield StyledText(f"{reason}\n" if reason else "", "reason")
            yield StyledText(fill(match.game.book.wording.forfeit, match), "win")
            yield from score(match)
        case RoundBegan():
            yield from begin_round(match, len(match.played))


def _accepted(match: Match) -> str:
    mover = other(match.current.to_move)
    accepted = match.game.book.wording.accepted
    if match.is_computer(mover):
        accepted = accepted.lstrip("\n") or "{player} selects {number}.\n"
    return fill(accepted, match, mover)


def score(match: Match) -> Iterator[StyledText]:
    """Yield the score of a match that has more than one round."""
    finished = sum(match.score)
    if match.rounds == 1 or not finished:
        return
    one, two = match.names
    wins = f"{one}: {match.score[0]}, {two}: {match.score[1]}"
    if match.series == 1:
        yield StyledText(f"Games won: {wins}.\n")
        return
    yield StyledText(f"Score after round {finished} of {match.rounds}: {wins}.\n")
    if match.over:
        high, low = max(match.score), min(match.score)
        leader = match.names[match.score.index(high)]
        draw = f"The match is a draw, {high} to {low}.\n"
        yield StyledText(
            draw if high == low else f"{leader} wins the match, {high} to {low}.\n", "win"
        )


def standing(match: Match) -> StyledText:
    """Return the answer to ``score``: the rounds won, the round and whose turn it is."""
    one, two = match.names
    current = match.current
    won = f"Games won: {one}: {match.score[0]}, {two}: {match.score[1]}."
    round_ = f"Round {len(match.played)} of {match.rounds}, turn" if match.rounds > 1 else "Turn"
    mover = match.name(current.to_move)
    now = f"{round_} {len(current.moves) + 1}: {mover} moves next."
    return StyledText(f"{won} {'The game is over.' if match.over else now}\n")


def summary(match: Match) -> str:
    """Return a match in a few words: the board, the players, the round and the turn."""
    one, two = match.names
    round_ = f", round {len(match.played)} of {match.rounds}" if match.rounds > 1 else ""
    turn_ = f", turn {len(match.current.moves) + 1}"
    return f"{match.game.book.key} {match.game.board}, {one} against {two}{round_}{turn_}"


def moves(match: Match) -> StyledText:
    """Return the answer to ``moves``."""
    over = match.current.winner is not None
    template = match.game.book.wording.options
    return StyledText("No moves: the game is over.\n" if over else fill(template, match))


def hint_line(given: Hint) -> StyledText:
    """Return a hint, and what to type to learn more."""
    more = ' (Type "hint" again for more.)'
    if given.code == "try":
        more = ' (Type "why" to see why you are losing.)'
    elif given.move is not None:
        more = ' (Type "why" to see the reason.)'
    elif given.code in ("unproven", "no-moves"):
        more = ""
    return StyledText(f"{hint_text(given)}{more}\n", "prose")


def history(match: Match) -> Iterator[StyledText]:
    """Yield the answer to ``history``: the numbers taken, then each turn and what it removed."""
    yield StyledText(fill(match.game.book.wording.log, match))
    position = match.start
    for number, (move, name) in enumerate(match.taken(), 1):
        after = match.game.after(position, move)
        gone = position.playable & ~after.playable & ~bit_set([move] if position.playable else [])
        also = match.game.book.wording.also.format(gone=_listed(gone)) if gone else ""
        yield StyledText(f"Turn {number}: {name} took {move}{also}.\n")
        position = after
    if match.current.forfeit:
        yield StyledText(f"{match.name(match.current.forfeit.by)} forfeited.\n")
    yield from score(match)


def _listed(numbers: int) -> str:
    """Write a set of numbers as part of a sentence."""
    if numbers.bit_count() > LONG:
        return set_list(numbers)
    return listing([*map(str, members(numbers))])
