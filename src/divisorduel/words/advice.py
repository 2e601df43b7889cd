"""Hints and reasons in English."""

from collections.abc import Mapping

from divisorduel.coach.hints import Hint
from divisorduel.coach.reasons import Reason
from divisorduel.words.listing import listing
from divisorduel.words.parts import answers_text, parts_text

GUESSING = (
    "This board is too large to solve in the time allowed, so the computer plays the move that "
    "looks best."
)
"""A remark on a computer player that should know the best move but does not."""


_SENTENCES = {
    "unproven": "This position is too large to solve in the time allowed.",
    "no-moves": "There is no move left.",
    "no-answer": "Take {move}: your opponent then has no move.",
    "prime": "Take {move}: it is a prime, so your opponent has no move.",
    "winning": "You can win this.",
    "losing": "You will lose if your opponent plays well.",
    "only-move-wins": "You have only one move, and it wins.",
    "only-move-loses": "You have only one move, and it loses.",
    "take": "Take {move}.",
}


_IDEAS = {
    "no-answer": "You can win at once: look for a move that leaves your opponent no move.",
    "prime": "You can win at once: a prime leaves your opponent no move.",
    "pairs": (
        "You can win. Look for a move after which every number your opponent can take has a "
        "partner for you to take."
    ),
    "parts": (
        "You can win. Look for a move that leaves parts which cancel out. A part is a group of "
        "numbers: a move in one part never changes another part."
    ),
    "answers": "You can win. Look for a move after which you have an answer to everything.",
}
"""What to look for, by the code of a reason whose plan is hidden."""
_ASK_ON = "Ask for hints until one names the move, then ask why again."


def hint_text(hint: Hint) -> str:
    """Return a hint as a sentence."""
    at = hint.params
    match hint.code:
        case "winning-moves":
            return f"{_share(at)}."
        case "winning-moves-so-far":
            return f"At least {_share(at)}."
        case "try" if at["wins"] == at["answers"]:
            return f"Try {at['move']}, though every answer beats you."
        case "try":
            verb = "beats" if at["wins"] == 1 else "beat"
            count = f"{at['wins']} of the {at['answers']} answers"
            return f"Try {at['move']}: only {count} {verb} you."
    return _SENTENCES[hint.code].format_map(at)


def reason_text(reason: Reason) -> str:
    """Explain who wins and how, to the player to move."""
    if reason.hidden:
        return f"{_IDEAS.get(reason.code, _IDEAS['answers'])} {_ASK_ON}"
    if reason.code in _SENTENCES:
        return _SENTENCES[reason.code].format(move=reason.move)
    lead = _SENTENCES["losing"] if reason.move is None else f"Take {reason.move}."
    say = {"pairs": _pairs, "parts": parts_text}.get(reason.code, answers_text)
    return f"{lead} {say(reason)}"


def _share(at: Mapping[str, int]) -> str:
    wins, moves = at["wins"], at["moves"]
    if wins == moves:
        return "Both of your moves win" if moves == 2 else f"All {moves} of your moves win"
    if not wins:
        return f"{'Neither' if moves == 2 else 'None'} of your {moves} moves wins"
    return f"{wins} of your {moves} moves {'wins' if wins == 1 else 'win'}"


def _pairs(reason: Reason) -> str:
    answers = reason.answers
    found = [f"{a}-{b}" for at, (a, b) in enumerate(answers) if (b, a) not in answers[:at]]
    if not found:
        return answers_text(reason)
    pairs, (taken, partner) = listing(found, more=reason.more), answers[0]
    if reason.move is None:
        return (
            f"Every number you can take has a partner: {pairs}. If you take {taken}, your opponent "
            f"takes {partner}. It is the same to the end: your opponent always has an answer, and "
            "you run out of moves first."
        )
    return (
        f"Then every number your opponent can take has a partner: {pairs}. If your opponent takes "
        f"{taken}, you take {partner}. It is the same to the end: you always have an answer, and "
        "your opponent runs out of moves first."
    )
