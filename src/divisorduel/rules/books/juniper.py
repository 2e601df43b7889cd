"""Juniper Green, the classroom game: a chain of factors and multiples with an even start.

Invented by Richard Porteous at Juniper Green School near Edinburgh and made popular by Ian Stewart
in Scientific American (March 1997).
"""

from dataclasses import dataclass

from divisorduel.rules.book import Book, Example, Guide, Wording
from divisorduel.rules.pool_game import ChainGame, Opening
from divisorduel.rules.relation import DIVISIBILITY

_LIST = """
Numbers left: {playable:none}

{player}, it's your turn.
"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Juniper(ChainGame):
    """Take a factor or a multiple of the last number taken; the first one must be even."""

    book = Book(
        key="juniper",
        title="Juniper Green",
        nickname="The classroom classic",
        board="1 to 100, first number even",
        move="take a factor or multiple of the last number taken",
        wording=Wording(
            welcome="Welcome to Juniper Green!\n",
            first_turn=_LIST,
            turn=_LIST + "Choose a factor or a multiple of {last}.\n",
            prompt="Your number: ",
            accepted="{player} chose {number}.\n",
            stuck=_LIST + "There is no factor or multiple of {last} left.\n{winner} wins!\n",
            forfeit="{loser} forfeits. {winner} wins!\n",
            options="You may choose: {options:none}\n",
            log="Chosen: {taken:none}\n",
        ),
        guide=Guide(
            rules="""
            The numbers from 1 to 100 are on the table. The first player chooses an even one.

            From then on, choose a factor or a multiple of the number chosen just before. Each
            number can be chosen only once.

            If you cannot move on your turn, you lose.""",
            own_board="""
            The numbers of your board are on the table. The first player chooses one of them.""",
            tips="""
            Beware of large primes. A prime above half the board has only one factor or multiple on
            the board, the number 1: the player who has to answer it must choose 1, and another
            large prime then wins on the spot.

            This is why the first number must be even: an odd start could be such a prime.

            Choosing 1 hands your opponent that win as long as a large prime is left.""",
            example=Example(
                moves=(8, 4, 16, 2, 10, 5, 20, 1, 19),
                board={"to": 20},
                remarks={
                    1: "The first number must be even, unless you agreed otherwise.",
                    8: "1 is the only factor or multiple of 20 that is left.",
                    9: "19 is a prime above half the board, and 1 is gone.",
                },
            ),
        ),
    )
    relation = DIVISIBILITY
    lowest = 1

    from_: int = 1
    to: int = 100
    opening: Opening = "even"
