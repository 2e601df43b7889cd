"""The mutants of a file: its source after one small change, and how to show it."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from mutation.operators import changes_of


@dataclass(frozen=True)
class Mutant:
    """A file after one small change."""

    file: str
    """Relative to the package, as in ``rules/numbers.py``."""
    line: int
    kind: str
    diff: str
    """The lines that differ, as the syntax tree is written: without comments, one per statement."""
    source: str


class MutantsOfFile(Sequence[Mutant]):
    """All mutants of a file; each is made when it is asked for."""

    def __init__(self, package: Path, file: str) -> None:
        self.file = file
        self._tree = ast.parse((package / file).read_text())
        self._source = ast.unparse(self._tree)
        self._changes = [*changes_of(self._tree)]

    def __len__(self) -> int:
        return len(self._changes)

    def line(self, number: int) -> int:
        """Return the line that a mutant changes."""
        return self._changes[number].line

    def __getitem__(self, number: int) -> Mutant:  # type: ignore[override]  # no slices
        change = self._changes[number]
        before = change.apply()
        try:
            source = ast.unparse(ast.fix_missing_locations(self._tree))
        finally:
            change.revert(before)
        diff = _difference(self._source, source)
        return Mutant(self.file, change.line, change.kind, diff, source)


def _difference(before: str, after: str) -> str:
    lines = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return "\n".join(f"{line[0]} {line[1:].strip()}" for line in changed)
