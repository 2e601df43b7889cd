"""Makes a table: reuses the rows that are known, solves the others, and puts them together."""

from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path

from divisorduel.lab.checkpoint import Checkpoint
from divisorduel.lab.executors.executor import Executor, SerialExecutor
from divisorduel.lab.formats import (
    Column,
    Format,
    format_of,
    read_b_file,
    read_table,
    write_table,
)
from divisorduel.lab.series import Series
from divisorduel.lab.table import Row, Table, TableError
from divisorduel.lab.tasks import Failure, Limits, Piece, tasks_of
from divisorduel.rules.errors import BoardError
from divisorduel.store.atomic_file import StoreError, read_text, write_whole

NAMED = 10
"""How many unsolved boards a report names."""
ADVICE = "Choose another name, or use --force."


def make_table(
    series: Series,
    output: Path | None = None,
    *,
    column: Column | None = None,
    force: bool = False,
    known: Path | None = None,
    limits: Limits = Limits(),  # noqa: B008  # immutable
    executor: Executor | None = None,
    split: bool = False,
    together: bool = False,
    on_progress: Callable[["TableBuilder"], None] = lambda _: None,
) -> Table:
    """Solve a series of boards, and return the table.

    Rows that could not be proven within the limits have a question mark. With an `output`, each
    row is on disk as soon as it is known, and the next call with the same series continues from
    there. At the end the table is written to that file, in the format that its name implies; a
    b-file holds only the `column`. A file that holds anything other than part of the table is
    replaced only if `force` is set. The proven rows of a `known` table are not solved again.

    The executor does the work; without one, this process does. `split` solves each board first move
    by first move; `together` solves all boards as parts of the largest one, which leaves out the
    positions and seconds of each row. `on_progress` is called at the start and after each piece.

    Raises `StoreError` for files that cannot be used or must not be overwritten, and
    `ExecutorError`.
    """
    executor = executor or SerialExecutor()
    if together and (reason := series.why_not_together):
        raise BoardError(f"These boards cannot be solved together: {reason}.")
    form = "csv" if output is None else format_of(output)
    builder = TableBuilder(series)
    old = ""
    if known:
        builder.add_table(read_table(known), known)
    with ExitStack() as stack:
        if output is not None:
            checkpoint = stack.enter_context(Checkpoint(output, series, builder.version))
            if output.exists() and not force:
                if form == "b-file":
                    old = _replaceable_b_file(output, series, column)
                else:
                    builder.extend(output, form)
            builder.resume(checkpoint, executor.solvers)
        on_progress(builder)
        split = split or (executor.splits_boards and len(series.numbers) < executor.workers)
        pieces = builder.solve(executor, limits, split=split, together=together)
        for _ in stack.enter_context(closing(pieces)):
            on_progress(builder)
        table = builder.table
        if output is not None:
            content = write_table(table, form, column)
            if old:
                _check_extended(output, old, content)
            write_whole(output, content)
        if builder.checkpoint is not None and builder.is_complete:
            builder.checkpoint.path.unlink(missing_ok=True)
    return table


class TableBuilder:
    """A table that is being made: its rows so far, and the boards that could not be solved."""

    def __init__(self, series: Series) -> None:
        self.series = series
        self.version = version("divisorduel")
        self.checkpoint: Checkpoint | None = None
        self.failures: dict[int, str] = {}
        """The boards that could not be solved, with the reasons."""
        self._is_out_of_time = False
        self._solvers: set[str] = set()
        self._solved: dict[int, Row] = {}
        self._after: dict[int, dict[int, Row]] = defaultdict(dict)
        self._count_first_moves = cache(series.first_moves)

    @property
    def done(self) -> int:
        """How many boards are solved."""
        return len(self._solved)

    @property
    def is_complete(self) -> bool:
        """Whether all boards are solved."""
        return self.done == len(self.series.numbers)

    @property
    def first_moves_solved(self) -> int:
        """How many first moves are solved on boards that are not solved yet."""
        return sum(map(len, self._after.values()))

    @property
    def table(self) -> Table:
        """The table, with question marks in the rows that are not known."""
        rows = (self._solved.get(n) or Row(n=n, outcome="?") for n in self.series.numbers)
        return Table.of(self.series, self.version, ", ".join(sorted(self._solvers)), rows)

    def add_table(self, table: Table, path: Path) -> None:
        """Add the proven rows of these boards from another table. Raises `TableError`."""
        if not self.series.is_like(table.series):
            raise TableError(f"{path} is a table of other boards: {table.series.command}.")
        if table.version != self.version:
            raise TableError(
                f"{path} was made by version {table.version}, but this is version {self.version}."
            )
        for row in table.rows:
            if row.is_proven and row.n in self.series.numbers:
                self._add((row.n, None), row)
        self._solvers |= {*table.solvers.split(", ")}

    def extend(self, output: Path, form: Format) -> None:
        """Add the rows of a shorter table that this one will replace. Raises `StoreError`."""
        try:
            table = read_table(output)
            if write_table(table, form).splitlines() != read_text(output).splitlines():
                raise TableError(f"{output} already exists and was changed by hand.")
            self.add_table(table, output)
        except StoreError as error:
            raise TableError(f"{error} {ADVICE}") from None
        if not self.series.includes(table.series):
            raise TableError(f"{output} already exists, made by: {table.series.command}. {ADVICE}")

    def resume(self, checkpoint: Checkpoint, solvers: str) -> None:
        """Add the rows of a checkpoint, and save all further rows there. Raises `StoreError`."""
        for piece, row in checkpoint.open(solvers).items():
            self._add(piece, row)
        self._solvers |= checkpoint.solvers
        self.checkpoint = checkpoint

    def solve(
        self, executor: Executor, limits: Limits, *, split: bool = False, together: bool = False
    ) -> Generator[Piece, None, None]:
        """Solve what is left, and yield each piece that is done."""
        done = {(n, None) for n in self._solved} | {
            (n, move) for n, after in self._after.items() for move in after
        }
        tasks = tasks_of(self.series, done, limits, split=split, together=together)
        with closing(executor.run(tasks)) as answers:
            for task, answer in answers:
                if isinstance(answer, Failure):
                    self.failures.setdefault(task.n, answer.reason)
                elif not answer.is_proven:
                    self.failures.setdefault(task.n, "not proven in time")
                    self._is_out_of_time |= limits.seconds is not None
                else:
                    if together:  # the work for a single row is not known
                        answer = replace(answer, positions=None, seconds=None)
                    if self.checkpoint is not None:
                        self.checkpoint.add(task.piece, answer)
                    self._add(task.piece, answer)
                self._solvers |= {*executor.solvers.split(", ")}
                yield task.piece

    def report(self) -> Iterator[str]:
        """Yield sentences about which boards are missing, and how to continue."""
        for n, reason in sorted(self.failures.items())[:NAMED]:
            yield f"n = {n}: {reason}."
        if len(self.failures) > NAMED:
            yield f"… and {len(self.failures) - NAMED} more."
        moves = (
            f", and first moves of others: {self.first_moves_solved}"
            if self.first_moves_solved
            else ""
        )
        yield f"Boards solved: {self.done} of {len(self.series.numbers)}{moves}."
        if self.checkpoint is not None:
            saved = f"Progress is saved in {self.checkpoint.path}."
            advice = "Run the same command again to continue."
            if self._is_out_of_time:
                advice = "Run the command again with a longer --budget; solved boards are kept."
            yield f"{saved} {advice}"
        else:
            yield "With --output FILE, the same command can continue where it stopped."

    def _add(self, piece: Piece, row: Row) -> None:
        """Add a row; if it completes the first moves of a board, add the row of the board."""
        n, move = piece
        if move is None:
            self._solved[n] = row
        elif n not in self._solved:
            self._after[n][move] = row
            if len(self._after[n]) == self._count_first_moves(n):
                self._solved[n] = Row.combined(n, self._after[n])
        if n in self._solved:
            self._after.pop(n, None)


def _check_extended(path: Path, old: str, new: str) -> None:
    """Raise `TableError` if a b-file has values that the new one has not."""
    _, old_column, old_values = read_b_file(old)
    _, column, values = read_b_file(new)
    if not old_values.keys() <= values.keys():
        raise TableError(
            f"{path} has values that were not proven this time, so it is left as it is. "
            "Run the command again with a longer --budget; solved boards are kept."
        )
    if column == old_column and not old_values.items() <= values.items():
        raise TableError(f"{path} was changed by hand, so it is left as it is. {ADVICE}")


def _replaceable_b_file(path: Path, series: Series, column: Column | None) -> str:
    """Return the text of a b-file that the new one will extend.

    Raises `TableError` if the file holds something that the new b-file would not. Without a column,
    the new b-file holds the nimber, which implies the outcome, or the outcome.
    """
    try:
        text = read_text(path)
        old, old_column, _ = read_b_file(text)
    except (ValueError, LookupError):
        raise TableError(
            f"{path} already exists and is not a b-file of a table. {ADVICE}"
        ) from None
    if not series.includes(old) or old_column not in (column or "nimber", column or "outcome"):
        what = f"the {old_column} column of {old.command}"
        raise TableError(f"{path} already exists: {what}. {ADVICE}")
    return text
