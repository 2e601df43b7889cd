"""Let the computer levels play each other on each game, and write docs/levels.md."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random

from bench import level_steps
from bench.strength import default_board
from divisorduel import Game, game, rule_book_keys
from divisorduel.bots.arena.openings import openings
from divisorduel.bots.arena.run import ArenaRun, one_by_one
from divisorduel.bots.arena.schedule import Contestant, Schedule
from divisorduel.bots.arena.standings import Standing, Standings, standings
from divisorduel.play.players import LEVELS, Judge, LevelPlayer

PAGE = Path(__file__).parents[1] / "docs" / "levels.md"
PAIRS = 50
PLAYERS = ("random", *map(str, LEVELS), "perfect")
SHORT = 4.0
"""If strong players need fewer moves than this, games are too short to tell levels apart."""

BOARDS: dict[str, dict[str, int | str]] = {
    "evens": {"to": 40},
    "antichain": {},
    "chain": {"opening": "even"},
    "divider": {"to": 20},
    "juniper": {},
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

Level 1 plays at random, but takes some of its chances to win at once, so in the long run it wins
at least as often as `random`. The difference is small: in the tournament below, its Elo may come
out lower by chance, within the interval. Each player meets decisions of its own there, so the
regret of level 1 may come out higher.
"""

STEPS = """
## From the start of the game

How often level 1 beats `random`, and how often each level beats the one below it, with the 95%
confidence interval. Each pair played {games:,} games and took turns to start. Where the interval
includes 50%, these games do not show a difference.

{steps}

{short}"""

ARENA = """
## In a tournament

On each board, each pair of players meets in an [arena](arena.md) with {pairs} openings, each played
twice with sides swapped: {games:,} games a board, with seed 0. `descent` has no
openings for a tournament, because moving to a prime always wins.

**Regret**: of the decisions in which a win could be kept or given away, the share in which it was
given away.

{regret}

**Elo**, relative to `random`, with half the width of its 95% interval.

{elo}
"""


def measured(g: Game, pairs: int) -> Standings:
    """Let all players meet on a board."""
    players = tuple(Contestant(kind, kind) for kind in PLAYERS)
    run = ArenaRun(Schedule(players, openings(g, pairs, Random(0), Judge())))
    for _ in run.play(one_by_one):
        pass
    return standings(run)


def table(found: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return a table with a row for each board and a column for each player."""
    head = [f"| board | {' | '.join(PLAYERS)} |", f"|---|{'---|' * len(PLAYERS)}"]
    return "\n".join([*head, *(f"| `{board}` | {' | '.join(cells)} |" for board, cells in found)])


def _regret(place: Standing) -> str:
    return "-" if place.regret is None else f"{place.regret:.0%}"


def _elo(place: Standing) -> str:
    rating = place.rating
    return f"{rating.elo:.0f} ± {(rating.high - rating.low) / 2:.0f}" if rating.elo else "0"


def length(g: Game) -> float:
    """Return the average number of moves in games between strong players."""
    strong, rng, moves = LevelPlayer(8), Random(0), 0
    for _ in range(100):
        position = g.start()
        while not g.is_over(position):
            position = g.play(position, strong.choose(g, position, rng))
            moves += 1
    return moves / 100


def short_games() -> str:
    """Return a note on the default boards whose games are short."""
    lengths = {key: length(default_board(key)) for key in rule_book_keys()}
    short = [f"`{key}` ({moves:.1f} moves)" for key, moves in lengths.items() if moves < SHORT]
    return (
        f"Games of fewer than {SHORT:.0f} moves are too short to tell the levels apart. Between "
        "strong players, the average game is that short on these default boards: "
        f"{', '.join(short)}. "
        "`duel fair GAME` lists starting positions with longer games.\n"
    )


def page(boards: Sequence[Game], pairs: int) -> str:
    """Measure the levels on some boards and return the page."""
    found = []
    for g in boards:
        places = measured(g, pairs).places
        found.append((f"{g.book.key} {g.board}", places))
        print(table([(found[-1][0], [*map(_regret, places)])]), flush=True)
    return (
        HEAD
        + STEPS.format(games=level_steps.GAMES, steps=_steps(), short=short_games())
        + ARENA.format(
            pairs=pairs,
            games=pairs * len(PLAYERS) * (len(PLAYERS) - 1),
            regret=table([(board, [*map(_regret, places)]) for board, places in found]),
            elo=table([(board, [*map(_elo, places)]) for board, places in found]),
        )
    )


def _steps() -> str:
    lines = []
    for line in level_steps.table():
        lines.append(line)
        print(line, flush=True)
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> None:
    """Measure the levels and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="games to play; all by default")
    parser.add_argument(
        "--pairs", type=int, default=PAIRS, help="openings for each pair of players"
    )
    parser.add_argument("--page", type=Path, default=PAGE, help="the file to write")
    chosen = parser.parse_args(words)
    boards = [game(key, **BOARDS[key]) for key in chosen.games or BOARDS]
    chosen.page.write_text(page(boards, chosen.pairs))


if __name__ == "__main__":
    main()
