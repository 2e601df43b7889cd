"""Hints and reasons in English."""

from collections import Counter
from collections.abc import Mapping

from divisorduel.coach.hints import Hint
from divisorduel.coach.reasons import Reason

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
    wins, moves = at["wins"], at["moves"]
    if wins == moves:
        return "Both of your moves win" if moves == 2 else f"All {moves} of your moves win"
    if not wins:
        return f"{'Neither' if moves == 2 else 'None'} of your {moves} moves wins"
    return f"{wins} of your {moves} moves {'wins' if wins == 1 else 'win'}"


def _pairs(reason: Reason) -> str:
    answers = reason.answers
    found = [f"{a}-{b}" for at, (a, b) in enumerate(answers) if (b, a) not in answers[:at]]
    pairs = listing(found, more=reason.more)
    if reason.move is None:
        return f"Whatever you take, your opponent can answer with its partner: {pairs}."
    return (
        f"Whatever your opponent takes, answer with its partner: {pairs}. This works to the end: "
        "every number your opponent can take has a partner."
    )


def _parts(reason: Reason) -> str:
    """Say what the parts that the loser faces are worth, and why they cancel out.

    What a part is worth is its nimber: one move can make it any smaller number, and a move that
    makes it larger can be answered by a move that brings it back.
    """
    count = Counter(reason.nimbers)
    if count.total() == 1:
        return f"What is left is worth 0: the player to move loses. {_answers(reason)}"
    parts = [
        f"{n} parts worth {nimber} each" if n > 1 else f"1 part worth {nimber}"
        for nimber, n in sorted(count.items(), reverse=True)
    ]
    found = "You face" if reason.move is None else "That leaves"
    larger = " A part worth more can be lowered to any smaller value in one move."
    return (
        f"{found} {listing(parts)}. A move in one part never changes another part. "
        f"In a part worth 0, the player who moves first loses.{larger if any(count) else ''} "
        f"{_balance(reason, count)} {_answers(reason)}"
    )


def _balance(reason: Reason, count: Counter[int]) -> str:
    """Say why the parts cancel out, given how often each nimber occurs.

    Equal nimbers cancel in pairs; a nimber without a twin cancels as a sum of powers of two.
    """
    loser, winner = ("you", "your opponent") if reason.move is None else ("your opponent", "you")
    s = "" if loser == "you" else "s"
    unpaired = [nimber for nimber, n in sorted(count.items()) if nimber and n % 2]
    if unpaired:
        sums = [
            f"a part worth {n} counts as {_powers_of_two(n)}" for n in unpaired if n.bit_count() > 1
        ]
        return (
            f"Equal values cancel out, and {listing(sums)}: whatever {loser} take{s}, "
            f"{winner} can make the values cancel out again."
        )
    if any(count):
        return (
            f"Two parts worth the same cancel out: whatever {loser} take{s} from one of them, "
            f"{winner} can make them equal again."
        )
    return f"Whatever {loser} take{s}, {winner} can answer in the same part."


def _powers_of_two(number: int) -> str:
    bits = reversed(range(number.bit_length()))
    return " + ".join(str(1 << bit) for bit in bits if number >> bit & 1)


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
