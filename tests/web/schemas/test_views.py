"""What is sent has a limit, whatever was played."""

from divisorduel import Match, game
from divisorduel.play.events import NumberTaken
from divisorduel.web.schemas.views import MOST_LISTED, round_view


def played(**board: int) -> Match:
    """Take all numbers of a board on which none divides another."""
    match = Match.of(game("antichain", **board))
    for number in range(board["from_"], board["to"] + 1):
        match = match.after(NumberTaken(number))
    return match


def test_a_round_lists_the_legal_moves_of_every_turn() -> None:
    seen = round_view(played(from_=101, to=200), 1)
    assert [len(turn.legal) for turn in seen.turns] == list(range(100, 0, -1))


def test_a_long_round_on_a_large_board_is_sent_without_most_of_its_legal_moves() -> None:
    seen = round_view(played(from_=1001, to=2000), 1)
    listed = [len(turn.legal) for turn in seen.turns]
    assert MOST_LISTED <= sum(listed) < MOST_LISTED + 1000
    assert listed[0] == 1000
    assert listed[-1] == 0
    assert [turn.number for turn in seen.turns] == list(range(1001, 2001))
    assert len(seen.model_dump_json()) < 1_000_000
