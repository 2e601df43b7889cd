"""Makes a table: what is known already, what is left to do, and how it comes together."""

from collections import defaultdict
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import replace

from divisorduel.lab.executors.executor import Executor
from divisorduel.lab.rows import Row, combined
from divisorduel.lab.series import Series
from divisorduel.lab.tasks import Failure, Limits, Piece, tasks_of


class TableBuilder:
    """A table that is being made: the pieces that are known, and why others are not."""

    def __init__(
        self,
        boards: Series,
        known: Mapping[Piece, Row],
        keep: Callable[[Piece, Row], None] | None = None,
    ) -> None:
        """Begin with what is known; `keep` is called with every other piece once it is proven."""
        self.boards = boards
        self.failures: dict[int, str] = {}
        """The boards that were not solved, with the reasons."""
        self._keep = keep
        self._solved: dict[int, Row] = {}
        self._after: dict[int, dict[int, Row]] = defaultdict(dict)
        self._counts: dict[int, int] = {}
        self._known = frozenset(known)
        for piece, row in known.items():
            self._add(piece, row)

    @property
    def done(self) -> int:
        """How many boards are solved."""
        return len(self._solved)

    @property
    def first_moves(self) -> int:
        """How many first moves are answered of boards that are not solved yet."""
        return sum(map(len, self._after.values()))

    @property
    def rows(self) -> tuple[Row, ...]:
        """All the rows, with question marks in those that are not known."""
        return tuple(self._solved.get(n) or Row(n=n, outcome="?") for n in self.boards.numbers)

    def go_on(
        self, place: Executor, limits: Limits, *, split: bool = False, together: bool = False
    ) -> Generator[Piece, None, None]:
        """Do what is left to do, and yield every piece that is done.

        If that is done together, positions and seconds are left out: what a row would take alone is
        not known.
        """
        done = self._known | {(n, None) for n in self._solved}
        tasks = tasks_of(self.boards, done, limits, split=split, together=together)
        with closing(place.run(tasks)) as answers:
            for task, answer in answers:
                if isinstance(answer, Failure):
                    self.failures.setdefault(task.n, answer.reason)
                    yield task.piece
                    continue
                if together:
                    answer = replace(answer, positions=None, seconds=None)
                self._take(task.piece, answer)
                yield task.piece

    def _take(self, piece: Piece, row: Row) -> None:
        """Take the answer to a task."""
        if not row.is_proven:
            self.failures.setdefault(piece[0], "not proven in time")
            return
        if self._keep is not None:
            self._keep(piece, row)
        self._add(piece, row)

    def _add(self, piece: Piece, row: Row) -> None:
        """Add a piece, and put its board together if that was the last of its first moves."""
        n, move = piece
        if move is None:
            self._solved[n] = row
        elif n not in self._solved:
            self._after[n][move] = row
            if len(self._after[n]) == self._first_moves(n):
                self._solved[n] = combined(n, self._after[n])
        if n in self._solved:
            self._after.pop(n, None)

    def _first_moves(self, n: int) -> int:
        """Return how many first moves a board has."""
        if n not in self._counts:
            game = self.boards.game(n)
            self._counts[n] = game.number_of_moves(game.start())
        return self._counts[n]
