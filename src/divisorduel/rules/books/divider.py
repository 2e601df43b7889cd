"""Divider Duel: removing a number also removes its multiples."""

from dataclasses import dataclass

from divisorduel.rules.book import Book, Example, Guide, Wording
from divisorduel.rules.pool_game import RemovalGame
from divisorduel.rules.relation import MULTIPLES
from divisorduel.rules.traits import UPSET


@dataclass(frozen=True, kw_only=True, repr=False)
class Divider(RemovalGame):
    """Take any number left; its multiples vanish with it."""

    book = Book(
        key="divider",
        title="Divider Duel",
        nickname="Multiples vanish",
        board="2 to 9",
        move="take any number left; its multiples vanish with it",
        wording=Wording(
            board="Shared List: [{playable}]\n",
            first_turn="\n{player}, it's your turn.\n",
            turn="\n{player}, it's your turn.\n",
            prompt="Enter the number you wish to remove: ",
            accepted="""
You removed {number}.
Numbers divisible by {number} have been removed.
Updated Shared List: [{playable}]
""",
            stuck="\n{winner} wins the game!\n",
            options="You may remove: {options:none}\n",
            reminder="Shared List: [{playable}]\n",
            also=", which also removed {gone}",
            log="Chosen: {taken:none}\n",
        ),
        guide=Guide(
            rules="""
            The numbers from 2 to 9 form a shared list. On your turn, remove any one of them; every
            multiple of it that is still in the list goes with it.

            You must move if a number is left: you cannot pass. Removed numbers never come back.

            The player who removes the last number wins. Play as many rounds as you like and count
            the wins.""",
            own_board="""
            The numbers of your board form a shared list. On your turn, remove one of them; every
            multiple of it that is still in the list goes with it.""",
            tips="""
            Small numbers sweep away many others, large ones only themselves. Count the turns that
            are left, not the numbers.

            Two numbers without a divisor or multiple left, such as 5 and 7, are one turn each: they
            cancel each other out.

            On the board 2 to 9 exactly one first move wins: 4, which takes 8 with it.""",
            example=Example(
                moves=(5, 3, 2, 7),
                remarks={
                    1: "5 has no multiple in the list.",
                    2: "6 and 9 go with 3.",
                    3: "4 and 8 go with 2.",
                    4: "7 was the last number.",
                },
            ),
        ),
    )
    relation = MULTIPLES
    trait = UPSET

    to: int = 9
