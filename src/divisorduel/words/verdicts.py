"""Who wins a position, in English."""

from divisorduel.coach.analysis import Analysis


def verdict_text(analysis: Analysis) -> str:
    """Say who wins a position, how many moves win, and how that is proven."""
    verdict, moves = analysis.verdict, analysis.move_count
    if not moves:
        return "No move is left: the player to move loses."
    if verdict.winner is None:
        return (
            "This position is too large to solve in the time allowed, so no move is marked. Take "
            "numbers until fewer are left."
        )
    wins = len(verdict.winning_moves)
    if not verdict.proven:
        found = "one winning move" if wins == 1 else f"{wins} winning moves"
        return (
            f"The player to move wins: {found} found so far, proven by {verdict.method}. "
            "Time ran out before the other moves were judged."
        )
    result = f"loses: {_none(moves)}" if verdict.winner == 2 else f"wins: {_share(wins, moves)}"
    return f"The player to move {result}. Proven by {verdict.method}."


def _none(moves: int) -> str:
    if moves == 1:
        return "the only move loses"
    return "neither of the 2 moves wins" if moves == 2 else f"none of the {moves} moves wins"


def _share(wins: int, moves: int) -> str:
    if moves == 1:
        return "the only move wins"
    if wins == moves:
        return "both moves win" if moves == 2 else f"all {moves} moves win"
    return f"{wins} of the {moves} moves {'wins' if wins == 1 else 'win'}"
