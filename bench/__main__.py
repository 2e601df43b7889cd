"""Run the benchmarks and print the results as a table."""

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
from bench.history import list_of_ten_thousand_games, statistics_of_ten_thousand_games
from bench.nimbers import (
    antichain_against_python,
    divider_against_python,
    large_boards_on_one_core,
    nimbers_in_64_mib,
    two_threads_against_one,
)
from bench.page import first_load_of_the_page
from bench.random_games import ten_thousand_games
from bench.solvers import (
    antichain_against_plain_search,
    default_boards_from_a_cold_start,
    divider_against_plain_search,
    later_moves_in_play,
)
from bench.startup import (
    full_screen_against_textual,
    help_against_python,
    script_against_command,
)
from bench.strength import perfect_never_loses_a_won_game
from bench.timing import Result

BENCHMARKS = (
    help_against_python,
    script_against_command,
    full_screen_against_textual,
    ten_thousand_games,
    list_of_ten_thousand_games,
    statistics_of_ten_thousand_games,
    default_boards_from_a_cold_start,
    later_moves_in_play,
    chain_against_lemon,
    chain_against_networkx_and_rustworkx,
    chain_of_ten_million,
    chain_scaling,
    antichain_against_plain_search,
    divider_against_plain_search,
    antichain_against_python,
    divider_against_python,
    large_boards_on_one_core,
    two_threads_against_one,
    nimbers_in_64_mib,
    kernel_against_python,
    perfect_never_loses_a_won_game,
    first_load_of_the_page,
)

HEAD = """\
# Benchmarks

Written by `scripts/bench --keep`. Ratios compare two programs measured in the same run.

"""


def main() -> None:
    """Run the benchmarks named on the command line, by default all."""
    names = [benchmark.__name__ for benchmark in BENCHMARKS]
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(names)}")
    parser.add_argument("--keep", action="store_true", help="write the table to bench/RESULTS.md")
    options = parser.parse_args()
    if unknown := set(options.names) - set(names):
        parser.error(f"unknown benchmark: {', '.join(sorted(unknown))}")
    lines = ["| benchmark | result | target | met |", "|---|---|---|---|"]
    print(*lines, sep="\n")
    for benchmark in BENCHMARKS:
        if not options.names or benchmark.__name__ in options.names:
            lines.append(row(benchmark()))
            print(lines[-1], flush=True)
    if options.keep:
        machine = f"\nPython {platform.python_version()}, {platform.machine()}.\n"
        table = "\n".join(lines)
        Path(__file__).with_name("RESULTS.md").write_text(f"{HEAD}{table}\n{machine}")


def row(result: Result) -> str:
    """Format a result as a row of the table."""
    met = "yes" if result.met else "**no**"
    return f"| {result.benchmark} | {result.measured} | {result.target} | {met} |"


if __name__ == "__main__":
    main()
