"""Hints and reasons in English."""

from collections.abc import Mapping

from divisorduel.coach.hints import Hint
from divisorduel.coach.reasons import Reason
from divisorduel.words.listing import listing
from divisorduel.words.parts import MOST_SHOWN, answers_text, parts_text

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
        "You can win. Look for a move that leaves parts which cancel out, for example two parts "
        "that are alike. A part is a group of numbers: a move in one part never changes another "
        "part."
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
            count = f"{at['answers'] - at['wins']} of the {at['answers']} answers"
            return f"Try {at['move']}: {count} would let you win."
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
    """Say which number answers which."""
    answers = reason.answers
    found = [f"{a} with {b}" for at, (a, b) in enumerate(answers) if (b, a) not in answers[:at]]
    if not found:
        return answers_text(reason)
    loser, winner = ("you", "your opponent") if reason.move is None else ("your opponent", "you")
    s, other_s = ("", "s") if reason.move is None else ("s", "")
    taken, partner = answers[0]
    if len(found) == 1 and not reason.more:
        both = f" or {partner}, and {winner} take{other_s} the other one"
        one = f", and {winner} take{other_s} its partner, {partner}"
        first = f"{loser} can take only {taken}{one if len(answers) == 1 else both}."
    else:
        is_long = reason.more or len(found) > MOST_SHOWN
        first = (
            f"every number {loser} can take has a partner: "
            f"{listing(found[:MOST_SHOWN], more=is_long)}. If {loser} take{s} {taken}, {winner} "
            f"take{other_s} {partner}."
        )
    first = f"{first[0].upper()}{first[1:]}" if reason.move is None else f"Then {first}"
    has = "has" if reason.move is None else "have"
    return (
        f"{first} And so on to the end: {winner} always {has} an answer, and {loser} "
        f"run{s} out of moves first."
    )
