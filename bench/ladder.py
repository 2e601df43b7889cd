"""Measure how often each level beats the one below it, and write docs/levels.md."""

from pathlib import Path
from random import Random

from bench.strength import default_board, win_rate
from divisorduel import Game, game, keys
from divisorduel.play.players import LEVELS, Judge, LevelPlayer, Player, RandomPlayer

GAMES = 1_000
SHORT = 4.0
"""If strong players need fewer moves than this, games are too short to tell levels apart."""

BOARDS: dict[str, dict[str, int | str]] = {
    "evens": {},
    "antichain": {},
    "chain": {"opening": "even"},
    "divider": {"to": 20},
    "juniper": {},
    "descent": {"number": 720720},
}
"""The boards to compare the levels on: the default board, or one with longer games."""


def _shown(name: str) -> str:
    return " | ".join(f"{getattr(skill, name):.0%}" for skill in LEVELS.values())


HEAD = f"""\
# Computer levels

Levels 1 to 10 play the perfect move with a chance that grows from level to level. Otherwise they
play like a person in a hurry. `scripts/ladder` measures the levels and writes this page.

| level | {" | ".join(map(str, LEVELS))} |
|---|{"---|" * len(LEVELS)}
| insight | {_shown("insight")} |
| attention | {_shown("attention")} |
| greed | {_shown("greed")} |

- **Insight** is the chance of the perfect move.
- **Attention** is the chance of noticing that a number ends the game at once. This is the
  chance for the smallest number considered; larger numbers are overlooked more often. A level
  takes a win that it notices. From level 2 on it also avoids a move if it notices that the opponent
  could win at once. It does not look further than that.
- **Greed** is the chance of comparing two moves and taking the one that leaves the opponent fewer
  answers. Otherwise the move is random.

Level 1 plays at random and takes some of its chances to win, so it cannot be weaker than `random`.

How often level 1 beats `random`, and how often each level beats the one below it, with the 95%
confidence interval. Each pair played {GAMES:,} games and took turns to start.

"""


def row(g: Game) -> str:
    """Measure all levels on a board and return the results as a row."""
    judge = Judge()
    levels = {level: LevelPlayer(level, judge) for level in LEVELS}
    pairs: list[tuple[Player, Player]] = [(levels[1], RandomPlayer())]
    pairs += [(levels[level], levels[level - 1]) for level in range(2, 11)]
    pairs += [(levels[10], levels[1])]
    cells = []
    for at, (one, two) in enumerate(pairs, 1):
        rate, error = win_rate(g, one, two, GAMES, Random(at))
        cells.append(f"{rate:.0%} ± {error:.0%}")
    return f"| `{g.book.key} {g.board}` | {' | '.join(cells)} |"


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
    steps = " | ".join(f"{level} : {level - 1}" for level in range(2, 11))
    lines = [f"| board | 1 : random | {steps} | 10 : 1 |", f"|---|{'---|' * 11}"]
    for key, board in BOARDS.items():
        lines.append(row(game(key, **board)))
        print(lines[-1], flush=True)
    lengths = {key: length(default_board(key)) for key in keys()}
    short = [
        f"`{key}` on its default board ({moves:.1f} moves)"
        for key, moves in lengths.items()
        if moves < SHORT
    ]
    note = (
        f"\nGames of fewer than {SHORT:.0f} moves are too short to tell the levels apart. Between "
        f"strong players, the average game is shorter than that on {', '.join(short)}. "
        "`duel fair GAME` lists starting positions with longer games.\n"
        "\nWhere the interval includes 50%, these games do not show a difference.\n"
    )
    print(note)
    page = Path(__file__).parents[1] / "docs" / "levels.md"
    page.write_text(HEAD + "\n".join(lines) + "\n" + note)


if __name__ == "__main__":
    main()
