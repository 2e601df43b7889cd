"""What is said before a game that can end at once."""

from divisorduel import Game, game
from divisorduel.coach.quick_end import quick_end
from divisorduel.words.quick_ends import longer_text, quick_end_text


def said(board: Game, starter: str = "Ann") -> str:
    found = quick_end(board)
    assert found is not None
    return f"{quick_end_text(found, starter)} {longer_text(found)}".strip()


def test_a_rule_that_makes_the_game_longer_is_named() -> None:
    assert said(game("chain")) == (
        "On this board Ann can win with the first move. "
        "For a longer game, add a rule: the first number must be even."
    )


def test_another_number_is_suggested_if_every_move_ends_the_game() -> None:
    assert said(game("descent", number=6)) == (
        "On this board every first move ends the game: Ann wins. "
        "For a longer game, try the number 720."
    )


def test_the_rule_book_explains_a_game_that_is_always_an_easy_win() -> None:
    assert said(game("descent", number=720)).startswith("Moving to a prime wins at once")


def test_without_a_name_the_sentence_speaks_of_the_player_who_starts() -> None:
    found = quick_end(game("divider", to=2))
    assert found is not None
    assert quick_end_text(found).endswith("ends the game: the player who starts wins.")
    assert longer_text(found) == ""
