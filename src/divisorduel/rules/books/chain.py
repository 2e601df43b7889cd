"""Divisibility Duel: each number is a factor or a multiple of the last one."""

from divisorduel.rules.book import Book, Example, Guide, Wording
from divisorduel.rules.pool_game import ChainGame
from divisorduel.rules.relation import DIVISIBILITY

_LIST = """
Available Numbers:
{playable:none}

{player}, it's your turn.
"""


class Chain(ChainGame):
    """Take a factor or a multiple of the last number taken."""

    book = Book(
        key="chain",
        title="Divisibility Duel",
        nickname="Follow the chain",
        first_board={"opening": "even"},
        board="2 to 50",
        move="take a factor or multiple of the last number taken",
        wording=Wording(
            welcome="Welcome to Divisibility Duel!\n",
            first_turn=_LIST,
            turn=_LIST + "Valid options are factors or multiples of {last}:\n{options:none}\n\n",
            prompt="Enter your chosen number: ",
            accepted="\nYou selected {number}.\n",
            stuck=_LIST + "No valid moves available.\n{winner} wins the game!\n",
            options="Valid options: {options:none}\n",
            log="Selected: {taken:none}\n",
        ),
        guide=Guide(
            rules="""
            The numbers from 2 to 50 are on the table. The first player selects any one of them.

            From then on, select a factor or a multiple of the number selected just before. A
            selected number never comes back.

            If you cannot move on your turn, you lose. You may also give up (forfeit).""",
            own_board="""
            The numbers of your board are on the table. The first player selects one of them.""",
            tips="""
            A prime above half the board, such as 29 or 47 on the board 2 to 50, has no factor or
            multiple on the board: open with one and your opponent is stuck at once. For a longer
            game, agree to open with an even number.

            Keep track of numbers that have just one factor or multiple left, such as 46 and 23 once
            2 is gone: taking one of the two forces the other.

            Try to pair up all the numbers left, including the last one taken, so that one number of
            each pair divides the other. If you can, and it is your turn, you win: always take the
            partner of the last number.""",
            example=Example(
                moves=(10, 5, 15, 30, 6, 12, 2, 46, 23),
                remarks={
                    1: "You may start with any number, unless you agreed on a rule for it.",
                    2: "5 is a factor of 10; 2, 20, 30, 40 and 50 are also allowed.",
                    4: "30 is a multiple of 15.",
                    9: "46 is gone, and 23 has no other factor or multiple here.",
                },
            ),
        ),
    )
    relation = DIVISIBILITY
    lowest = 1
