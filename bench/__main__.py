"""Runs the benchmarks and prints a table; with --keep it is kept in bench/RESULTS.md, too."""

import argparse
import platform
from pathlib import Path

from bench.agreement import kernel_against_python
from bench.chains import (
    chain_against_lemon,
    chain_against_networkx_and_rustworkx,
    chain_of_ten_million,
    chain_scaling,
)
from bench.nimbers import (
    antichain_against_python,
    divider_against_python,
    large_boards_on_one_core,
    nimbers_in_64_mib,
    threads_on_one_table,
)
from bench.page import first_load_of_the_page
from bench.random_games import ten_thousand_games
from bench.solvers import (
    antichain_against_plain_search,
    default_boards_from_a_cold_start,
    divider_against_plain_search,
    later_answers_in_play,
)
from bench.startup import help_against_python, script_against_command
from bench.strength import perfect_never_loses_a_won_game
from bench.timing import Result

BENCHMARKS = (
    help_against_python,
    script_against_command,
    ten_thousand_games,
    default_boards_from_a_cold_start,
    later_answers_in_play,
    chain_against_lemon,
    chain_against_networkx_and_rustworkx,
    chain_of_ten_million,
    chain_scaling,
    antichain_against_plain_search,
    divider_against_plain_search,
    antichain_against_python,
    divider_against_python,
    large_boards_on_one_core,
    threads_on_one_table,
    nimbers_in_64_mib,
    kernel_against_python,
    perfect_never_loses_a_won_game,
    first_load_of_the_page,
)

HEAD = """\
# Benchmarks

Written by `scripts/bench --keep`. Ratios compare two things measured in the same run.

"""


def main() -> None:
    """Measure whatever was asked for, by default everything."""
    names = [benchmark.__name__ for benchmark in BENCHMARKS]
    words = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    words.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(names)}")
    words.add_argument("--keep", action="store_true", help="write bench/RESULTS.md")
    asked = words.parse_args()
    if unknown := set(asked.names) - set(names):
        words.error(f"there is no benchmark called {', '.join(sorted(unknown))}")
    lines = ["| what | measured | aim | reached |", "|---|---|---|---|"]
    print(*lines, sep="\n")
    for benchmark in BENCHMARKS:
        if not asked.names or benchmark.__name__ in asked.names:
            lines.append(row(benchmark()))
            print(lines[-1], flush=True)
    if asked.keep:
        machine = f"\nPython {platform.python_version()}, {platform.machine()}.\n"
        table = "\n".join(lines)
        Path(__file__).with_name("RESULTS.md").write_text(f"{HEAD}{table}\n{machine}")


def row(result: Result) -> str:
    """Return a result as a row of the table."""
    reached = "yes" if result.reached else "**no**"
    return f"| {result.what} | {result.measured} | {result.aim} | {reached} |"


if __name__ == "__main__":
    main()
