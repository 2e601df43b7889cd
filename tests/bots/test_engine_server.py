"""A built-in player speaks the engine protocol."""

from divisorduel.bots.engine_server import answers


def test_a_player_greets_then_moves_and_ignores_unknown_lines() -> None:
    go = "go divider 2-3 3 - ms 100"
    lines = ["duel 1", "hello", "", "newgame divider 2-3 2-3 -", go, "quit", go]
    assert [*answers("perfect", lines)] == [
        "bot perfect",
        "author Divisor Duel",
        "games antichain chain descent divider evens juniper",
        "option seed",
        "ok",
        "move 3",
    ]


def test_a_player_resigns_if_it_cannot_move() -> None:
    assert [*answers("greedy", ["go divider 2-3 - - ms 100"])] == ["resign"]
    [told] = answers("greedy", ["go nonsense ms 100"])
    assert told.startswith("say A position code has four parts")
    assert told.endswith("\nresign")


def test_the_seed_repeats_the_moves_of_a_game() -> None:
    asked = ["option seed 7", *["go antichain 2-50 2-50 - ms 100"] * 5]
    once = [*answers("random", asked)]
    assert once == [*answers("random", asked)]
    assert len({*once}) > 1
