"""Put mutants of the program to the test, and list those that no test notices."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import TemporaryDirectory
from threading import Lock

from mutation.judged import judged_equivalent
from mutation.mutants import Mutant, MutantsOfFile
from mutation.scratch_copy import ScratchCopy, TestsFail
from mutation.stages import Tests, stages

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "divisorduel"
PACKAGES = ("rules", "solve", "play", "record", "store")
LEAST = 0.9
"""The share of mutants that the tests of each package must kill."""


@dataclass(frozen=True)
class Choice:
    """The mutants of a package that are tried, and how many there are."""

    package: str
    total: int
    mutants: list[Mutant]


@dataclass
class Tally:
    """What became of the mutants of a package."""

    killed: int = 0
    equivalent: int = 0
    survivors: int = 0

    @property
    def share(self) -> float:
        """The share of the mutants that were killed, without the equivalent ones."""
        return self.killed / ((self.killed + self.survivors) or 1)

    @property
    def is_enough(self) -> bool:
        """Whether enough mutants were killed."""
        return not self.survivors or self.share >= LEAST


class Trial:
    """Copies of the repository, each of which tries one mutant at a time."""

    def __init__(self, copies: Iterable[ScratchCopy], *, own_only: bool) -> None:
        self._copies = [*copies]
        self._free = SimpleQueue[ScratchCopy]()
        for copy in self._copies:
            self._free.put(copy)
        self._own_only = own_only
        self._seconds: dict[Tests, float] = {}
        self._measuring = Lock()

    def killer_of(self, mutant: Mutant) -> str | None:
        """Return what notices a mutant, None if nothing does. Raises `TestsFail`."""
        with self._copy() as copy:
            for tests, among in stages(copy.root, mutant.file, own_only=self._own_only):
                if killer := copy.killer_of(mutant, tests, self._limit(copy, among)):
                    return killer
        return None

    def stop(self) -> None:
        """End all tests that are running."""
        for copy in self._copies:
            copy.stop()

    def _limit(self, copy: ScratchCopy, tests: Tests) -> float:
        """Return how long some tests may take, after seeing that they pass without a mutant."""
        with self._measuring:
            if tests not in self._seconds:
                self._seconds[tests] = copy.seconds_for(tests)
        return 60 + 4 * self._seconds[tests]

    @contextmanager
    def _copy(self) -> Iterator[ScratchCopy]:
        copy = self._free.get()
        try:
            yield copy
        finally:
            self._free.put(copy)


def main() -> int:
    """Try mutants; return 0 if the tests of every package kill enough of them."""
    options = _parser().parse_args()
    choices = [_chosen(name, options) for name in options.names or PACKAGES]
    with TemporaryDirectory(prefix="duel-mutants-") as folder:
        Path(folder).chmod(0o755)  # the tests run PostgreSQL under another account
        folders = [Path(folder, str(number)) for number in range(options.jobs)]
        trial = Trial([ScratchCopy(ROOT, one) for one in folders], own_only=options.own)
        with ThreadPoolExecutor(options.jobs) as threads:
            try:
                tallies = [_tried(choice, trial, threads) for choice in choices]
            except (TestsFail, KeyboardInterrupt) as error:
                threads.shutdown(wait=False, cancel_futures=True)
                trial.stop()
                if isinstance(error, KeyboardInterrupt):
                    return 130
                print(f"{error}\nThe tests fail, but not because of a mutant. Fix that first.")
                return 2
    print("\n| package | mutants | tried | killed | equivalent | survived | killed of the rest |")
    print("|---|---|---|---|---|---|---|")
    for choice, tally in zip(choices, tallies, strict=True):
        print(
            f"| `{choice.package}` | {choice.total} | {len(choice.mutants)} | {tally.killed} "
            f"| {tally.equivalent} | {tally.survivors} | {tally.share:.0%} |"
        )
    return 0 if all(tally.is_enough for tally in tallies) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="PACKAGE",
        help=f"a package, a file or a line: rules, rules/code.py, rules/code.py:17; "
        f"by default {', '.join(PACKAGES)}",
    )
    parser.add_argument("--sample", type=int, default=40, help="mutants per package (40)")
    parser.add_argument("--all", action="store_true", help="try every mutant; takes many hours")
    parser.add_argument("--seed", default="1", help="seed of the sample (1)")
    parser.add_argument("--jobs", type=int, default=2, help="mutants tried at the same time (2)")
    parser.add_argument("--own", action="store_true", help="run only the tests of the package")
    return parser


def _chosen(name: str, options: argparse.Namespace) -> Choice:
    """Draw the mutants to try; the same seed draws the same ones from the same source."""
    path, _, line = name.partition(":")
    place = SOURCE / path
    paths = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    files = [MutantsOfFile(SOURCE, str(found.relative_to(SOURCE))) for found in paths]
    every = [
        (file, number)
        for file in files
        for number in range(len(file))
        if not line or file.line(number) == int(line)
    ]
    drawn = every
    if not options.all and not line and len(every) > options.sample:
        drawn = Random(f"{options.seed} {name}").sample(every, options.sample)
    return Choice(name, len(every), [file[number] for file, number in drawn])


def _tried(choice: Choice, trial: Trial, threads: ThreadPoolExecutor) -> Tally:
    """Try the mutants of a package, and print what becomes of each."""
    print(f"\n{choice.package}: {len(choice.mutants)} of {choice.total} mutants", flush=True)
    tally, equivalent = Tally(), judged_equivalent()
    to_try = [one for one in choice.mutants if (one.file, one.diff) not in equivalent]
    tally.equivalent = len(choice.mutants) - len(to_try)
    for mutant, killer in zip(to_try, threads.map(trial.killer_of, to_try), strict=True):
        where = f"{mutant.file}:{mutant.line} {mutant.kind}"
        if killer:
            tally.killed += 1
            print(f"killed    {where}: {killer}", flush=True)
        else:
            tally.survivors += 1
            print(f"SURVIVED  {where}\n```diff\n{mutant.file}\n{mutant.diff}\n```", flush=True)
    return tally


if __name__ == "__main__":
    sys.exit(main())
