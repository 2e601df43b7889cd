"""Hints and reasons in English."""

from collections import Counter
from collections.abc import Mapping

from divisorduel.coach.hints import Hint
from divisorduel.coach.reasons import Reason

GUESSING = (
    "This board is too large to solve in the time allowed, so the computer plays what looks good."
)
"""A remark on a computer player that should know the best move but does not."""


_SENTENCES = {
    "unproven": "This position is too large to solve in the time allowed.",
    "no-moves": "There is no move left.",
    "no-answer": "Take {move}: your opponent then has no move.",
    "prime": "Take {move}: it is a prime, so your opponent has no move.",
    "winning": "You can win this.",
    "losing": "You are losing if your opponent plays well.",
    "only-move-wins": "You have only one move, and it wins.",
    "only-move-loses": "You have only one move, and it loses.",
    "take": "Take {move}.",
}


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
    if reason.code in _SENTENCES:
        return _SENTENCES[reason.code].format(move=reason.move)
    say = {"pairs": _pairs, "parts": _parts}.get(reason.code, _answers)
    return f"{'' if reason.move is None else f'Take {reason.move}. '}{say(reason)}"


def _share(at: Mapping[str, int]) -> str:
    verb = "wins" if at["wins"] < 2 else "win"
    return f"{at['wins'] or 'None'} of your {at['moves']} moves {verb}"


def _pairs(reason: Reason) -> str:
    answers = reason.answers
    found = [f"{a}-{b}" for at, (a, b) in enumerate(answers) if (b, a) not in answers[:at]]
    pairs = listing(found, more=reason.more)
    if reason.move is None:
        return f"Whatever you take, your opponent can answer with its partner: {pairs}."
    return (
        f"Whatever your opponent takes, answer with its partner: {pairs}. This works to the end: "
        "every number your opponent can reach has a partner."
    )


def _parts(reason: Reason) -> str:
    """Say which parts the loser faces, and that their nimbers cancel."""
    count = Counter(reason.nimbers)
    if count.total() == 1:
        split = "What is left is a single part worth 0: the player to move in it loses."
    else:
        worth = [
            f"{n} worth {nimber}{' each' if n > 1 else ''}"
            for nimber, n in sorted(count.items(), reverse=True)
        ]
        values = f", {listing(worth)}" if len(count) > 1 else f" worth {max(count)} each"
        split = f"What is left splits into {count.total()} parts{values}. They cancel out."
    balance = " Whenever your opponent changes one part, you can restore the balance."
    return f"{split}{'' if reason.move is None else balance} {_answers(reason)}"


def _answers(reason: Reason) -> str:
    found = [f"{move} with {answer}" for move, answer in reason.answers]
    if not found:
        return "Every move loses." if reason.move is None else "Every answer to it loses."
    replies = listing(found, more=reason.more)
    if reason.move is None:
        return f"Every move loses: your opponent answers {replies}."
    return f"Answer {replies}."


def listing(words: list[str], last: str = "and", *, more: bool = False) -> str:
    """Return a list such as ``2, 3 and 4``, or ``2, 3, 4, and so on``."""
    if more:
        return ", ".join([*words, "and so on"])
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
