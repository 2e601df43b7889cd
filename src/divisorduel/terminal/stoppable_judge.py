"""A judge whose thinking can be watched and stopped, from another thread or a signal handler."""

from divisorduel.play.players import SECONDS, Judge
from divisorduel.solve.budget import Budget


class StoppableJudge(Judge):
    """Solves positions until it is stopped; then it answers at once, with what it has found.

    A stopped judge stays stopped, and may have cached verdicts that are not proven: use a new one.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        super().__init__(seconds)
        self.positions = 0
        """How many positions the current search has seen, for a progress line."""
        self.stopped = False
        self._budget: Budget | None = None

    def budget(self) -> Budget:
        """Return the budget for one position, which `stop` ends."""
        self._budget = budget = Budget(self.seconds, on_progress=self._count)
        if self.stopped:
            budget.stop()
        return budget

    def stop(self) -> None:
        """End the current search soon, and every later one at once."""
        self.stopped = True
        if self._budget is not None:
            self._budget.stop()

    def _count(self, positions: int) -> None:
        self.positions = positions
