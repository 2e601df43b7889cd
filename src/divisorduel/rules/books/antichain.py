"""Divisor Duel, the antichain game: no number taken may divide another."""

from divisorduel.rules.book import Book, Example, Guide, Wording
from divisorduel.rules.pool_game import RemovalGame
from divisorduel.rules.relation import DIVISIBILITY
from divisorduel.rules.traits import INDEPENDENT

_TURN = """
{player}'s Turn
Available Numbers: {untaken:none}
Your Selections: [{mine}]
Opponent's Selections: [{theirs}]
"""


class Antichain(RemovalGame):
    """Take a number that neither divides nor is a multiple of any number taken so far."""

    book = Book(
        key="antichain",
        title="Divisor Duel",
        nickname="No factors, no multiples",
        board="2 to 50",
        move="take a number that neither divides nor is a multiple of any number taken so far",
        wording=Wording(
            board="Number Pool: {pool}\n",
            first_turn=_TURN,
            turn=_TURN,
            prompt="Enter your selection: ",
            accepted="",
            stuck=_TURN + "No valid moves available. You lose!\n{winner} Wins\n",
            forfeit="{loser} forfeits.\n{winner} Wins\n",
            options="Valid Choices: {options:none}\n",
            log="Selections: [{taken}]\n",
        ),
        guide=Guide(
            rules="""
            Take turns selecting numbers from the pool 2 to 50.

            You may not select a number that divides, or is a multiple of, any number selected so
            far, by you or by your opponent. So 5 rules out 10, 15, 20 and all its other multiples,
            and 12 rules out 2, 3, 4, 6, 24, 36 and 48.

            A number that is ruled out is still shown among the others, but you may not select it.

            If you cannot select any number on your turn, you lose.""",
            own_board="""
            Take turns selecting numbers from your board.""",
            tips="""
            What counts is whether an odd or an even number of turns is left, so look for moves that
            change that.

            A number with no divisor or multiple left in play, such as a prime above half the board,
            is a spare turn: it changes nothing else. Two spare turns cancel each other out.

            Primes are not always best. On the board 2 to 10 every prime loses as a first move; only
            6 wins.""",
            example=Example(
                moves=(7, 3, 5, 8),
                board={"to": 10},
                remarks={
                    2: "3 rules out 6 and 9.",
                    3: "5 rules out 10.",
                    4: "8 rules out 2 and 4: nothing is left to select.",
                },
            ),
        ),
    )
    relation = DIVISIBILITY
    trait = INDEPENDENT
