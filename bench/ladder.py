"""Measure how often each level beats the one below it, and write docs/levels.md."""

from pathlib import Path
from random import Random

from bench.strength import default_board, win_rate
from divisorduel import Game, game, keys
from divisorduel.play.players import MISTAKES, GreedyPlayer, LevelPlayer, RandomPlayer

GAMES = 1_000
SHORT = 4.0
"""If strong players need fewer moves than this, games are too short to tell levels apart."""

BOARDS: dict[str, dict[str, int | str]] = {
    "evens": {},
    "antichain": {},
    "chain": {"opening": "even"},
    "divider": {"to": 20},
    "juniper": {},
}
"""The boards to compare the levels on: the default board, or one with longer games."""

HEAD = f"""\
# Computer levels

Levels 1 to 10 play perfectly except for a fixed chance of a mistake on each move. A mistake is
the greediest losing move, as a person might play it. `scripts/ladder` measures the levels and
writes this page.

| level | {" | ".join(map(str, MISTAKES))} |
|---|{"---|" * len(MISTAKES)}
| chance of a mistake | {" | ".join(f"{chance:.0%}" for chance in MISTAKES.values())} |

How often a level beats the one below it, with the 95% confidence interval. Each pair played
{GAMES:,} games and took turns to start.

"""


def row(g: Game) -> str:
    """Measure all levels on a board and return the results as a row."""
    cells = []
    for level in range(2, 11):
        rng = Random(level)
        rate, error = win_rate(g, LevelPlayer(level), LevelPlayer(level - 1), GAMES, rng)
        cells.append(f"{rate:.0%} ± {error:.0%}")
    top, error = win_rate(g, LevelPlayer(10), LevelPlayer(1), GAMES, Random(0))
    return f"| `{g.book.key} {g.board}` | {' | '.join(cells)} | {top:.0%} ± {error:.0%} |"


def length(g: Game) -> float:
    """Return the average number of moves in games between strong players."""
    strong, rng, moves = LevelPlayer(8), Random(0), 0
    for _ in range(100):
        position = g.start()
        while not g.is_over(position):
            position = g.play(position, strong.choose(g, position, rng))
            moves += 1
    return moves / 100


def main() -> None:
    """Measure all boards and write the page."""
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
        f"\nGames of fewer than {SHORT:.0f} moves are too short to tell the levels apart. The "
        f"average between strong players is lower for: {', '.join(short)}. `duel fair GAME` lists "
        "starting positions with longer games.\n"
    )
    g = default_board("antichain")
    first = LevelPlayer(1)
    against = {
        "random": win_rate(g, first, RandomPlayer(), GAMES, Random(1))[0],
        "greedy": win_rate(g, first, GreedyPlayer(), GAMES, Random(1))[0],
    }
    note += (
        "\nLevel 1 is for beginners and weaker than random play: on `antichain 2-50` it wins "
        f"{against['random']:.0%} of its games against `random` and {against['greedy']:.0%} "
        "against `greedy`.\n"
    )
    note += "\nWhere the interval includes 50%, these games do not show a difference.\n"
    print(note)
    page = Path(__file__).parents[1] / "docs" / "levels.md"
    page.write_text(HEAD + "\n".join(lines) + "\n" + note)


if __name__ == "__main__":
    main()
