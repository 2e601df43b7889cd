"""What the full screen says about a match: what happened, whose turn it is, what a tile is."""

from typing import Literal, NamedTuple

from divisorduel.play.decide import Decision
from divisorduel.play.events import Event, Forfeited, MoveUndone, NumberTaken, RoundBegan
from divisorduel.play.match import Match, other
from divisorduel.terminal.fullscreen.tiles import Tile
from divisorduel.words.refusals import forfeit_reason, refusal_text

Tone = Literal["", "reason", "notice", "win"]


class Said(NamedTuple):
    """A sentence, and whether it is neutral, a refusal, a notice that stays, or good news."""

    text: str
    tone: Tone = ""


def title(match: Match, *, is_short: bool = False) -> str:
    """Name the game, the board and the round."""
    book = match.game.book
    name = f"{book.title} ({book.nickname})" if book.nickname else book.title
    if is_short:
        name = book.nickname or book.title
    round_ = f" · round {len(match.played)} of {match.rounds}" if match.rounds > 1 else ""
    return f"{name} · {match.game.span}{round_}"


BEFORE_THE_FIRST = "Before the first turn."


def happened(decision: Decision) -> Said:
    """Say what a command did, then whose turn it is."""
    if decision.refusal is not None:
        return Said(refusal_text(decision.refusal, decision.before), "reason")
    told = [_event(event, after) for event, after in decision.applied]
    tone: Tone = "win" if any(after.current.winner for _, after in decision.applied) else ""
    return Said(" ".join(filter(None, (*told, turn(decision.match)))), tone)


def _event(event: Event, match: Match) -> str:
    loser = match.current.to_move
    match event:
        case NumberTaken(number):
            said = f"{match.name(other(loser))} took {number}."
            if match.current.winner is None or match.over:
                return said
            return f"{said} {_stuck(match)}"
        case MoveUndone(number):
            return f"{number} was taken back."
        case Forfeited(by):
            said = forfeit_reason(match) or f"{match.name(by)} gives up."
            return said if match.over else f"{said} {_won(match)}"
        case RoundBegan():
            return f"Round {len(match.played)} of {match.rounds} begins."
    return ""


def _stuck(match: Match) -> str:
    return f"{match.name(match.current.to_move)} cannot move: {_won(match)}"


def _won(match: Match) -> str:
    return f"{match.name(match.current.winner or 1)} wins!"


def turn(match: Match) -> str:
    """Say whose turn it is, or how the match ended."""
    current = match.current
    if match.over:
        one, two = match.score
        if match.series > 1 and one == two:
            return f"The match is a draw, {one} to {two}."
        if match.series > 1:
            leader = match.names[0 if one > two else 1]
            return f"{leader} wins the match, {max(one, two)} to {min(one, two)}."
        return _won(match) if current.forfeit else _stuck(match)
    name = match.name(current.to_move)
    if match.is_computer(current.to_move):
        return f"{name}'s turn."
    count = match.game.number_of_moves(current.position)
    return f"{name}, it's your turn: {_one_of(count)}."


def _one_of(count: int) -> str:
    return "only one number can be taken" if count == 1 else f"{count} numbers can be taken"


def about(tile: Tile, match: Match) -> str:
    """Say what the tile under the cursor is."""
    if match.current.winner is None and tile.state == "takeable":
        return f"{tile.number}: press Enter to take it."
    if tile.highlight == "last" and tile.state == "ruled-out":
        if tile.number == match.game.start().last:
            return f"{tile.number} is the starting number."
        return f"{tile.number} was the last number taken before the start."
    refusal = match.move_refusal(tile.number)
    return refusal_text(refusal, match) if refusal else ""
