"""The protocol of a campaign.

A campaign is a module or package in ``attack/campaigns`` with a one-line docstring, which is its
line in the help, and a function ``run(context: Context) -> None``. It may set ``MINUTES``, its
bound in the full form if ``--minutes`` does not set another.
"""

import ast
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random

from attack import campaigns

MINUTES = 30.0
"""How long a campaign may take unless it says otherwise."""
FOLDER = Path(campaigns.__path__[0])


@dataclass(frozen=True)
class Failure:
    """Something that should not have happened, with all that is needed to repeat it."""

    campaign: str
    what: str
    """What was tried, for example "kill a terminal"."""
    reason: str
    seed: int
    parameters: dict[str, object]

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        again = f"scripts/attack {self.campaign} --seed {self.seed}"
        return f"{self.campaign}: {self.what} ({given})\n  {self.reason}\n  Repeat: {again}"


@dataclass
class Attempt:
    """One try."""

    failed: bool = False


@dataclass
class Context:
    """What a campaign works with, and what it has found so far."""

    campaign: str
    seed: int
    scratch: Path
    """A folder for its files. It is kept if something fails."""
    deadline: float
    """When to stop, by `time.monotonic`."""
    full: bool = True
    """Whether this is the full form, not the short one of the thorough tests."""
    on_progress: Callable[["Context"], None] = lambda _: None
    tried: int = 0
    failures: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Figures to print at the end, and what could not be tried here."""
    _folders: int = 0

    @property
    def seconds_left(self) -> float:
        """How many seconds are left."""
        return max(0.0, self.deadline - time.monotonic())

    def scaled(self, full: int, short: int) -> int:
        """Return the number for the form that runs."""
        return full if self.full else short

    def times(self, full: int, short: int) -> Iterator[int]:
        """Yield 0, 1, 2, … up to the number for the form that runs, until the time is up."""
        for number in range(self.scaled(full, short)):
            if not self.seconds_left:
                self.note(f"Time ran out after {number} of {self.scaled(full, short)}.")
                return
            yield number

    def rng(self, *parameters: object) -> Random:
        """Return a source of randomness that depends on nothing but the seed and these."""
        return Random(" ".join(map(str, (self.campaign, self.seed, *parameters))))

    def folder(self, name: str = "") -> Path:
        """Make a new folder in the scratch folder."""
        self._folders += 1
        made = self.scratch / f"{self._folders}{name and '-'}{name}"
        made.mkdir(parents=True)
        return made

    @contextmanager
    def attempt(self, what: str, **parameters: object) -> Iterator["Attempt"]:
        """Count one try. An exception in the body is reported as a failure and goes no further."""
        self.tried += 1
        attempt = Attempt()
        try:
            yield attempt
        except Exception as error:
            attempt.failed = True
            self.report(what, _reason(error), **parameters)
        self.on_progress(self)

    def count(self, tried: int) -> None:
        """Count tries that were made without `attempt`."""
        self.tried += tried
        self.on_progress(self)

    def report(self, what: str, reason: str, **parameters: object) -> None:
        """Report a failure: what was tried, what went wrong, and how it can be repeated."""
        self.failures.append(Failure(self.campaign, what, reason, self.seed, parameters))
        self.on_progress(self)

    def note(self, text: str) -> None:
        """Note a figure, or what could not be tried here, for the report."""
        if text not in self.notes:
            self.notes.append(text)


def names() -> dict[str, str]:
    """Return the campaigns with their purposes. They are read, not imported."""
    found = {}
    for file in (*FOLDER.glob("*.py"), *FOLDER.glob("*/__init__.py")):
        name = file.parent.name if file.parent != FOLDER else file.stem
        if name != "__init__":
            found[name] = (ast.get_docstring(ast.parse(file.read_text())) or "").split("\n")[0]
    return dict(sorted(found.items()))


def minutes_of(name: str) -> float:
    """Return how long the full form of a campaign may take."""
    return float(getattr(import_module(f"attack.campaigns.{name}"), "MINUTES", MINUTES))


def run(context: Context) -> None:
    """Run a campaign. A campaign that crashes has failed."""
    try:
        import_module(f"attack.campaigns.{context.campaign}").run(context)
    except Exception as error:
        context.report("the campaign crashed", _reason(error))


def _reason(error: Exception) -> str:
    """Return what an exception says, and the line of the campaign that raised it."""
    last = traceback.extract_tb(error.__traceback__)[-4:]
    where = " < ".join(f"{Path(one.filename).name}:{one.lineno}" for one in reversed(last))
    text = str(error).strip() or traceback.format_exception_only(error)[-1].strip()
    name = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
    return f"{name}{text[:2000]} [{where}]"
