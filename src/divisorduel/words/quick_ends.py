"""Says that a game can end at once, and what gives a longer one."""

from divisorduel.coach.quick_end import QuickEnd


def quick_end_text(found: QuickEnd, starter: str = "The player who starts") -> str:
    """Say that the first move can end the game."""
    if found.is_certain:
        return f"On this board every first move ends the game: {_inside(starter)} wins."
    if found.game.book.easy_win:
        return " ".join(found.game.book.easy_win.split())
    return f"On this board {_inside(starter)} can win with the first move."


def longer_text(found: QuickEnd) -> str:
    """Say which rule or which board gives a longer game; empty if none is known."""
    if found.longer is None:
        return ""
    if found.longer.note and found.longer.span == found.game.span:
        note = found.longer.note.rstrip(".")
        return f"For a longer game, add a rule: {note[:1].lower()}{note[1:]}."
    return f"For a longer game, try {found.longer.span}."


def _inside(starter: str) -> str:
    return starter[:1].lower() + starter[1:] if starter.startswith("The ") else starter
