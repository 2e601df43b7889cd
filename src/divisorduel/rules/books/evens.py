"""Divisor Duel on the even numbers: each number divides the last one or is a multiple of it."""

from dataclasses import dataclass

from divisorduel.rules.book import Book, Example, Guide, Wording
from divisorduel.rules.errors import BoardError
from divisorduel.rules.pool_game import ChainGame
from divisorduel.rules.relation import DIVISIBILITY

_LIST = """
Available Numbers: {playable:none}

{player}, it's your turn.
"""

_ANSWER = """\
Last number removed: {last}
Valid choices are multiples or divisors of {last}.

"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Evens(ChainGame):
    """Remove a divisor or a multiple of the last number removed; all numbers are even."""

    book = Book(
        key="evens",
        title="Divisor Duel",
        nickname="A chain of evens",
        board="even numbers 2 to 20",
        move="take a divisor or multiple of the last number taken",
        wording=Wording(
            welcome="Welcome to Divisor Duel!\n",
            first_turn=_LIST,
            turn=_LIST + _ANSWER,
            prompt="Select a number to remove: ",
            accepted="You removed {number}.\n",
            stuck=_LIST
            + _ANSWER
            + "No valid moves available.\n{loser} cannot make a valid move. {winner} wins!\n",
            forfeit="{loser} forfeits. {winner} wins!\n",
            options="Valid choices: {options:none}\n",
            log="Removed Numbers: {taken:none}\n",
        ),
        guide=Guide(
            rules="""
            The even numbers from 2 to 20 are on the table. The first player removes any one of
            them.

            From then on, remove a number that divides the last number removed, or is a multiple of
            it. A removed number never comes back.

            If you cannot move on your turn, you lose, even if numbers are left.""",
            own_board="""
            The numbers of your board are on the table. The first player removes one of them.""",
            tips="""
            Leaving few answers is not enough: one answer that wins is all your opponent needs.

            On the board 2 to 20, think in pairs: 2 and 14, 4 and 12, 6 and 18, 8 and 16, 10 and 20.
            They use up the whole board, and in each pair, one number divides the other. The second
            player can answer every number with its partner and so never runs out of moves: on this
            board the second player can always win.

            If you must start, hope that your opponent does not know the pairs.""",
            example=Example(
                moves=(12, 6, 18, 2, 4, 8, 16),
                remarks={
                    2: "6 divides 12. (18 is not allowed: it is not a multiple of 12.)",
                    3: "18 is a multiple of 6.",
                    7: "16 has no divisor or multiple left: 2, 4 and 8 are gone, and 32 is not on "
                    "the board.",
                },
            ),
        ),
    )
    relation = DIVISIBILITY

    to: int = 20
    step: int = 2

    def __post_init__(self) -> None:
        """Check that all numbers are even. Raises `BoardError`."""
        super().__post_init__()
        if self.from_ % 2 or self.step % 2:
            raise BoardError(
                "evens is played with even numbers: the smallest number and the step must be even."
            )

    @property
    def span(self) -> str:
        """The board in words."""
        return f"even numbers {self.from_} to {self.to}" if self.step == 2 else super().span
