"""Coprime Duel: each number has no factor in common with the last one."""

from dataclasses import dataclass
from math import gcd

from divisorduel import Book, ChainGame, Example, Guide, Relation, Wording

COPRIME = Relation(
    holds=lambda a, b: gcd(a, b) == 1,
    phrase=lambda a, b: f"{a} has no factor in common with {b}",
    negation=lambda a, b: f"{a} and {b} are both divisible by {gcd(a, b)}",
    caption="A line joins two numbers without a common factor.",
)

_TURN = "\nNumbers left: {playable:none}\n{player}, it's your turn.\n"

WORDING = Wording(
    welcome="Welcome to Coprime Duel!\n",
    first_turn=_TURN,
    turn=_TURN + "Take a number without a factor in common with {last}.\n",
    prompt="Your number: ",
    accepted="{player} took {number}.\n",
    stuck=_TURN + "Every number left has a factor in common with {last}.\n{winner} wins!\n",
)

GUIDE = Guide(
    rules="Take a number that has no factor in common with the last number taken.",
    tips="Multiples of 6 have few answers.",
    example=Example(moves=(6, 5, 4, 3, 2), board={"to": 6}),
)


@dataclass(frozen=True, kw_only=True, repr=False)
class Coprime(ChainGame):
    """Take a number that has no factor in common with the last number taken."""

    book = Book(
        key="coprime",
        title="Coprime Duel",
        board="2 to 12",
        move="take a number that has no factor in common with the last number taken",
        wording=WORDING,
        guide=GUIDE,
    )
    relation = COPRIME

    to: int = 12
