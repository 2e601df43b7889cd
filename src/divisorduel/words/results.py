"""The history and the statistics in English: results, mistakes, shares, sparklines."""

from collections.abc import Sequence

from divisorduel.play.match import other
from divisorduel.store.history import HistoryEntry
from divisorduel.store.match_summary import MatchSummary

BARS = "▁▂▃▄▅▆▇█"
ASCII_BARS = "12345678"
"""For terminals that cannot show the bars."""
NOT_JUDGED, SOME_UNPROVEN = "?", "+"
MISTAKE_SIGNS = {
    SOME_UNPROVEN: "some moves could not be judged",
    NOT_JUDGED: "not judged yet; list your games again",
}
"""What the signs beside the number of mistakes mean."""
NO_SHARE = "."
"""In place of a bar, if there is nothing to show."""
WINNING_POSITIONS = (
    "A winning position is one in which you can win, whatever your opponent does. You keep it with "
    "a move after which you can still win."
)


def opponent(summary: MatchSummary) -> str:
    """Say which computer player a person played against, or else who played whom."""
    seat = summary.person
    if seat is None:
        return " against ".join(summary.names)
    return f"against {summary.names[other(seat) - 1]}"


def opponent_kind(kind: str) -> str:
    """Name a kind of computer player."""
    return f"level {kind}" if kind.isdigit() else kind


def board(summary: MatchSummary) -> str:
    """Name the board, and say whether the game began at a position that was set up."""
    return f"{summary.board} (set up)" if summary.has_own_start else summary.board


def result(summary: MatchSummary) -> str:
    """Say who won: "won" and "lost" for a person against a computer, a name otherwise."""
    one, two = summary.score
    if not summary.is_over:
        mine, theirs = (two, one) if summary.person == 2 else (one, two)
        return f"unfinished {mine}-{theirs}" if one + two else "unfinished"
    if one == two:
        return f"drawn {one}-{two}"
    winner = 0 if one > two else 1
    seat = summary.person
    if seat is None:
        score = f" {max(one, two)}-{min(one, two)}" if summary.rounds > 1 else ""
        return f"{summary.names[winner]} won{score}"
    mine, theirs = summary.score[seat - 1], summary.score[other(seat) - 1]
    score = f" {mine}-{theirs}" if summary.rounds > 1 else ""
    return f"{'won' if summary.is_won else 'lost'}{score}"


def mistakes(entry: HistoryEntry) -> str:
    """Count the person's mistakes, or those of both players; nothing before the match is over."""
    if not entry.summary.is_over:
        return ""
    tallies = [tally for tally in entry.tallies if tally is not None]
    if not entry.is_judged:
        return NOT_JUDGED
    seat = entry.summary.person
    counts = [sum(t.mistakes(s) for t in tallies) for s in ((1, 2) if seat is None else (seat,))]
    unproven = SOME_UNPROVEN if any(tally.unproven for tally in tallies) else ""
    return f"{', '.join(map(str, counts))}{unproven}"


def share(part: int, whole: int) -> str:
    """Say how many of how many, and the percentage."""
    return f"{part:,} of {whole:,} ({percent(part, whole)})" if whole else "there were none"


def percent(part: int, whole: int) -> str:
    """Return a percentage rounded to a whole number, or a dash for a share of nothing.

    100% means all, and 0% means none.
    """
    if not whole:
        return "-"
    rounded = (200 * part + whole) // (2 * whole)
    return f"{rounded if part in (0, whole) else min(max(rounded, 1), 99)}%"


def sparkline(shares: Sequence[float | None], bars: str = BARS) -> str:
    """Draw shares between 0 and 1 as bars; a dot where there is nothing to show."""
    return "".join(NO_SHARE if share is None else _bar(share, bars) for share in shares)


def sparkline_legend(games: int, shares: Sequence[float | None], bars: str = BARS) -> str:
    """Say how to read sparklines of `shares`, drawn from this number of games."""
    each = "a game"
    if games > len(shares):
        many = games >= 2 * len(shares)
        each = f"about {games / len(shares):,.0f} games" if many else "a game or two"
    nothing = f", and {NO_SHARE} means no winning position" if None in shares else ""
    ends = f"{bars[0]} is 0%, {bars[-1]} is 100%"
    sign = "digit" if bars == ASCII_BARS else "bar"
    return f"Each {sign} is {each}, the newest on the right: {ends}{nothing}."


def _bar(share: float, bars: str) -> str:
    return bars[min(int(share * len(bars)), len(bars) - 1)]
