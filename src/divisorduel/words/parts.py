"""Why a position that falls into parts is lost: the parts by name, and how they cancel out.

What a part is worth is its nimber. A part worth n is like a heap of n stones in the game of Nim:
one move can make it smaller by any amount, and a move that makes it larger can be answered by one
that brings it back. The player to move loses if the values cancel out, written as sums of powers of
two.
"""

from collections.abc import Iterable

from divisorduel.coach.reasons import Reason
from divisorduel.solve.solver import Part
from divisorduel.words.listing import listing, numbers_text, shortened

MOST_SHOWN = 6
"""The most answers in a sentence."""
EXAMPLES = 3
"""If there are more answers, this many are given as examples."""


def parts_text(reason: Reason) -> str:
    """Name the parts that the loser faces, and say why they cancel out."""
    parts = reason.parts
    if len(parts) == 1:
        return answers_text(reason)
    if all(len(part.numbers) == 1 for part in parts):
        return _separate(reason)
    those = "The numbers left fall into" if reason.move is None else "That leaves"
    return (
        f"{those} {len(parts)} parts: a move in one part never changes another part. "
        f"{_named(parts)} {_worth(parts)} {_balance(reason)} {answers_text(reason)}"
    )


def answers_text(reason: Reason) -> str:
    """Say how the winner answers the first moves of the loser, or some of them."""
    found = [f"{move} with {answer}" for move, answer in reason.answers]
    if not found:
        return "Every move loses." if reason.move is None else "Every answer to it loses."
    if reason.more or len(found) > MOST_SHOWN:
        examples = listing(found[:EXAMPLES])
        if reason.move is None:
            return f"For example, your opponent answers {examples}."
        return f"For example, answer {examples}."
    if reason.move is None:
        return f"Your opponent can answer {listing(found)}."
    return f"Answer {listing(found)}."


def _separate(reason: Reason) -> str:
    """Explain a position in which every number is a part on its own."""
    numbers = [part.numbers[0] for part in reason.parts]
    count = len(numbers)
    last = "your opponent takes" if reason.move is None else "you take"
    those = "The numbers" if reason.move is None else "Then"
    return (
        f"{those} {numbers_text(numbers)} are left, and taking one never removes another. So "
        f"exactly {count} turns are left. {count} is even: {last} the last number."
    )


def _named(parts: tuple[Part, ...]) -> str:
    """Name each part by a letter, its numbers and its worth; single numbers together."""
    said = [
        f"Part {letter(at)} is {numbers_text(part.numbers)}, worth {part.nimber}."
        for at, part in enumerate(parts)
        if len(part.numbers) > 1
    ]
    single = [part.numbers[0] for part in parts if len(part.numbers) == 1]
    if len(single) == 1:
        said.append(f"The number {single[0]} is a part on its own, worth 1.")
    elif single:
        said.append(f"The numbers {numbers_text(single)} are parts on their own, worth 1 each.")
    return " ".join(said)


def _worth(parts: tuple[Part, ...]) -> str:
    """Explain what the worth of a part means, with examples from this position."""
    most, said = max(part.nimber for part in parts), list[str]()
    if most == 1:
        said.append("A part worth 1 is like one stone: a move can take it.")
    elif most:
        said.append(
            f"A part worth {most} is like a heap of {most} stones: a move can take any number of "
            "them."
        )
    if most and any(part.nimber and len(part.numbers) > 1 for part in parts):
        said.append("Any other move in a part has an answer in the same part.")
    if not all(part.nimber for part in parts):
        empty = "is like no stone at all" if most else "is like an empty heap of stones"
        said.append(f"A part worth 0 {empty}: every move in it has an answer in the same part.")
    return " ".join(said)


def _balance(reason: Reason) -> str:
    """Say why the parts cancel out.

    Parts worth 1 are counted. Equal nimbers cancel in pairs; a nimber without a twin cancels as a
    sum of powers of two.
    """
    loser, winner = ("you", "your opponent") if reason.move is None else ("your opponent", "you")
    s, other_s = ("", "s") if reason.move is None else ("s", "")
    named = _names_by_worth(reason.parts)
    if not named:
        return f"So {winner} always answer{other_s} in the part that {loser} took from."
    if [*named] == [1]:
        return (
            f"There are {len(named[1])} stones, an even number: whenever {loser} take{s} one, "
            f"{winner} take{other_s} another one."
        )
    if all(len(names) % 2 == 0 for names in named.values()):
        said = [
            f"Parts {_all_of(names)} are worth the same, so they cancel out{_in_twos(names)}."
            for names in named.values()
        ]
        return (
            f"{' '.join(said)} Whenever {loser} change{s} one of two equal parts, {winner} "
            f"make{other_s} them equal again."
        )
    sums = [
        f"{names[0]} counts as {_powers_of_two(nimber)}"
        if len(names) == 1
        else f"{_all_of(names)} count as {_powers_of_two(nimber)} each"
        for nimber, names in named.items()
    ]
    powers = sorted({1 << bit for nimber in named for bit in _bits(nimber)}, reverse=True)
    each = listing([f"{power}s" for power in powers])
    evenly = listing([f"of {power}s" for power in powers])
    return (
        f"Split the heaps into {each}: {'; '.join(sums)}. There is an even number {evenly}, so "
        f"everything cancels out. Whatever {loser} take{s}, {winner} can make it cancel out again."
    )


def _names_by_worth(parts: tuple[Part, ...]) -> dict[int, list[str]]:
    """Return the names of the parts by what they are worth, without those worth 0."""
    named: dict[int, list[str]] = {}
    for at, part in enumerate(parts):
        if part.nimber:
            name = letter(at) if len(part.numbers) > 1 else str(part.numbers[0])
            named.setdefault(part.nimber, []).append(name)
    return dict(sorted(named.items(), reverse=True))


def _all_of(names: list[str]) -> str:
    return shortened(names, MOST_SHOWN)


def _in_twos(names: list[str]) -> str:
    return " two by two" if len(names) > 2 else ""


def _powers_of_two(number: int) -> str:
    return " + ".join(str(1 << bit) for bit in reversed([*_bits(number)]))


def _bits(number: int) -> Iterable[int]:
    return (bit for bit in range(number.bit_length()) if number >> bit & 1)


def letter(at: int) -> str:
    """Return the name of a part, as on the page: A to Z, then AA, AB and so on."""
    return chr(65 + at) if at < 26 else letter(at // 26 - 1) + letter(at % 26)
