from collections.abc import Callable, Sequence

class Nimbers:
    def __new__(
        cls,
        smooth_takes_smooth: Sequence[int],
        smooth_takes_column: Sequence[int],
        column_takes_column: Sequence[int],
        column_takes_smooth: Sequence[int],
        memory: int,
        /,
    ) -> Nimbers: ...
    def nimber(
        self,
        smooth: int,
        patterns: Sequence[int],
        threads: int,
        most: int,
        tick: Callable[[int], None],
        /,
    ) -> tuple[int, int]: ...
