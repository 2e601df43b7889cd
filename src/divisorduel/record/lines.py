"""The lines of a record: the moves that were played, and each variation from the first move on."""

from collections.abc import Iterator

from divisorduel.record.model import Line, Record


def lines_of(record: Record) -> Iterator[tuple[int, ...]]:
    """Yield the moves of a checked record, then those of its variations in the order they appear.

    Each line begins at the start of the record.
    """
    return _lines(record.line, ())


def _lines(line: Line, before: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    moves = tuple(ply.move for ply in line.plies)
    yield before + moves
    for at, ply in enumerate(line.plies):
        for note in ply.notes:
            if isinstance(note, Line):
                yield from _lines(note, before + moves[:at])
