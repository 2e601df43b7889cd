"""Measures the ladder of the levels, and writes docs/levels.md."""

from pathlib import Path
from random import Random

from bench.strength import default_board, win_rate
from divisorduel import Game, game, keys
from divisorduel.play.players import MISTAKES, GreedyPlayer, LevelPlayer, RandomPlayer

GAMES = 1_000
SHORT = 4.0
"""Where games between the best levels are shorter than this, steps cannot be felt."""

BOARDS: dict[str, dict[str, int | str]] = {
    "evens": {},
    "antichain": {},
    "chain": {"opening": "even"},
    "divider": {"to": 20},
    "juniper": {},
}
"""The boards on which the levels are compared: the default ones, or one whose games last longer."""

HEAD = f"""\
# The levels of the computer

Written by `scripts/ladder`. Level 1 to 10 play perfectly but for a chance of a mistake: the
greediest losing move there is, as a person might make it.

| level | {" | ".join(map(str, MISTAKES))} |
|---|{"---|" * len(MISTAKES)}
| chance of a mistake | {" | ".join(f"{chance:.0%}" for chance in MISTAKES.values())} |

How often a level beats the level below it ({GAMES:,} games a pair, each starting every other game;
the second number is the 95 % error):

"""


def row(g: Game) -> str:
    """Play the ladder of a board, and return it as a row."""
    cells = []
    for level in range(2, 11):
        rng = Random(level)
        rate, error = win_rate(g, LevelPlayer(level), LevelPlayer(level - 1), GAMES, rng)
        cells.append(f"{rate:.0%} ± {error:.0%}")
    top, error = win_rate(g, LevelPlayer(10), LevelPlayer(1), GAMES, Random(0))
    return f"| `{g.book.key} {g.board}` | {' | '.join(cells)} | {top:.0%} ± {error:.0%} |"


def length(g: Game) -> float:
    """Return how long games between strong players are on average."""
    strong, rng, moves = LevelPlayer(8), Random(0), 0
    for _ in range(100):
        position = g.start()
        while not g.is_over(position):
            position = g.play(position, strong.choose(g, position, rng))
            moves += 1
    return moves / 100


def main() -> None:
    """Measure all games, and say which are too short."""
    lines = [
        f"| board | {' | '.join(f'{level} : {level - 1}' for level in range(2, 11))} | 10 : 1 |",
        "|---|" + "---|" * 10,
    ]
    for key, board in BOARDS.items():
        lines.append(row(game(key, **board)))
        print(lines[-1], flush=True)
    short = [
        f"`{key}` on its default board ({length(default_board(key)):.1f} moves)"
        for key in keys()
        if length(default_board(key)) < SHORT
    ]
    note = (
        f"\nGames of strong players that last fewer than {SHORT:.0f} moves are too short for the "
        f"steps to be felt: {', '.join(short)}. `duel fair GAME` lists starts that last longer.\n"
    )
    g = default_board("antichain")
    first = LevelPlayer(1)
    against = {
        "random": win_rate(g, first, RandomPlayer(), GAMES, Random(1))[0],
        "greedy": win_rate(g, first, GreedyPlayer(), GAMES, Random(1))[0],
    }
    note += (
        "\nLevel 1 is for beginners, and easier to beat than chance: at `antichain 2-50` it wins "
        f"{against['random']:.0%} against `random` and {against['greedy']:.0%} against `greedy`.\n"
    )
    note += "\nWhere the error reaches down to 50 %, these games do not show that step.\n"
    print(note)
    page = Path(__file__).parents[1] / "docs" / "levels.md"
    page.write_text(HEAD + "\n".join(lines) + "\n" + note)


if __name__ == "__main__":
    main()
