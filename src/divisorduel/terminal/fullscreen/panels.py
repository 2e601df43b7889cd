"""What is beside the board, as text in colours: players, moves, and who was winning when."""

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from divisorduel.play.events import Seat
from divisorduel.play.match import Match
from divisorduel.terminal.fullscreen.tiles import SIGNS

if TYPE_CHECKING:
    from divisorduel.coach.review import Review

PLAYER_COLOURS: dict[Seat, str] = {1: "#7fb2ff", 2: "#f5a95b"}
PLAYER_SIGNS: dict[Seat, str] = {1: SIGNS["taken-1"], 2: SIGNS["taken-2"]}
QUIET = "#8d97ad"
BAD = "#ff8f80"


ADVANTAGE_LEGEND = {
    f"{PLAYER_SIGNS[1]}{PLAYER_SIGNS[2]}": "who was winning before each move",
    "!": "the move was a mistake",
    "?": "the solver could not tell who was winning",
}
"""What the signs of the line "Who was winning" mean, for people."""


def players(match: Match, width: int) -> Text:
    """Return both players with their scores; an arrow points to the player to move."""
    lines = []
    for seat in (1, 2):
        is_next = not match.over and match.current.to_move == seat
        has_won = match.over and match.current.winner == seat
        pointer = "▶" if is_next else "★" if has_won else " "
        score = f" {match.score[seat - 1]}" if match.rounds > 1 or match.over else ""
        name = Text(match.name(seat))
        name.truncate(max(4, width - 4 - len(score)), overflow="ellipsis", pad=True)
        style = f"bold {PLAYER_COLOURS[seat]}" if is_next or has_won else PLAYER_COLOURS[seat]
        lines.append(Text(f"{pointer} {PLAYER_SIGNS[seat]} {name.plain}{score}", style))
    return Text("\n").join(lines)


def player_line(match: Match) -> Text:
    """Return both players in one line, for a narrow window."""
    found = []
    for seat in (1, 2):
        is_next = not match.over and match.current.to_move == seat
        score = f" {match.score[seat - 1]}" if match.rounds > 1 or match.over else ""
        name = Text(match.name(seat))
        name.truncate(13, overflow="ellipsis")
        text = f"{'▶' if is_next else ' '}{PLAYER_SIGNS[seat]} {name.plain}{score}"
        found.append(Text(text, f"{'bold ' if is_next else ''}{PLAYER_COLOURS[seat]}"))
    return Text("  ").join(found)


def moves(match: Match, width: int, shown: int | None = None) -> Text:
    """Return the moves of the round in columns; the turn that is shown is in reverse video."""
    current = match.current
    if not current.moves:
        return Text("No moves yet.", QUIET)
    turns, digits = len(str(len(current.moves))), max(len(str(n)) for n in current.moves)
    cell = turns + digits + 4
    in_a_row = 2 if width >= 2 * cell else 1
    text = Text()
    for turn, number in enumerate(current.moves, 1):
        seat = current.mover(turn)
        text.append(f"{turn:>{turns}} ", QUIET)
        style = f"{PLAYER_COLOURS[seat]}{' reverse bold' if turn == shown else ''}"
        text.append(f"{PLAYER_SIGNS[seat]}{number:>{digits}}", style)
        text.append("\n" if turn % in_a_row == 0 else "  ")
    text.rstrip()
    return text


def advantage(review: "Review | None", width: int) -> Text:
    """Return who was winning before each move, with an exclamation mark under each mistake.

    The last line says what the signs mean.
    """
    text = Text()
    if review is None or not review.judgements:
        return text
    text.append("Who was winning\n", QUIET)
    every = -(-len(review.judgements) // max(1, width))  # a long game shows every other turn
    judgements = review.judgements[::every]
    for judgement in judgements:
        seat = judgement.favours
        text.append("?" if seat is None else PLAYER_SIGNS[seat], _colour(seat))
    text.append("\n")
    text.append("".join("!" if judgement.mistake else " " for judgement in judgements), BAD)
    names = [f"{PLAYER_SIGNS[seat]} {review.record.names[seat - 1]}" for seat in (1, 2)]
    legend = f"{' '.join(names)} ! mistake"
    if cell_len(legend) > width:  # the names are in the list of players
        legend = f"{PLAYER_SIGNS[1]}{PLAYER_SIGNS[2]} as above, ! mistake"
    if any(judgement.favours is None for judgement in review.judgements):
        legend = f"{legend}, ? unknown"
    text.append(f"\n{legend}", QUIET)
    return text


def _colour(seat: Seat | None) -> str:
    return QUIET if seat is None else PLAYER_COLOURS[seat]
