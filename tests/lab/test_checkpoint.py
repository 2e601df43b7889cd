"""The checkpoint of a table."""

from pathlib import Path

import pytest

from divisorduel.lab.boards import Boards
from divisorduel.lab.checkpoint import Checkpoint, rows_at_hand
from divisorduel.lab.formats import as_csv
from divisorduel.lab.rows import Row
from divisorduel.lab.tables import TableError
from tests.lab.test_tables import table_of

BOARDS = Boards("divider", 2, 9)
ROW = Row(n=4, outcome="first", nimber=3, winning_moves=(4,))


def checkpoint(folder: Path, boards: Boards = BOARDS, version: str = "1") -> Checkpoint:
    return Checkpoint(folder / "t.csv", boards, version, "Python solvers")


def test_what_was_kept_is_there_again(tmp_path: Path) -> None:
    first = checkpoint(tmp_path)
    assert first.open() == {}
    first.keep((4, None), ROW)
    first.keep((4, 3), ROW)
    again = checkpoint(tmp_path)
    assert set(again.open()) == {(4, None), (4, 3)}
    assert again.open()[4, None] == ROW


def test_half_a_line_at_the_end_is_dropped_for_good(tmp_path: Path) -> None:
    first = checkpoint(tmp_path)
    first.open()
    first.keep((4, None), ROW)
    whole = first.path.read_bytes()
    for torn in (b"{", b'{"move": null, "n": 5, "outcome": "fir', b"\xff\xfe"):
        first.path.write_bytes(whole + torn)
        assert checkpoint(tmp_path).open() == {(4, None): ROW}
        assert first.path.read_bytes() == whole


def test_half_a_header_is_no_obstacle(tmp_path: Path) -> None:
    first = checkpoint(tmp_path)
    first.path.write_bytes(b'{"comm')
    assert first.open() == {}


@pytest.mark.parametrize(
    "other",
    [Boards("divider", 2, 10), Boards("chain", 2, 9), Boards("divider", 2, 9, (("from_", 3),))],
)
def test_one_of_another_command_is_refused_and_left_alone(tmp_path: Path, other: Boards) -> None:
    first = checkpoint(tmp_path, other)
    first.open()
    before = first.path.read_bytes()
    with pytest.raises(TableError, match=r"another command: duel table \w+ 2\.\.\d+"):
        checkpoint(tmp_path).open()
    assert first.path.read_bytes() == before


def test_one_of_another_version_is_refused(tmp_path: Path) -> None:
    checkpoint(tmp_path, version="0").open()
    with pytest.raises(TableError, match="version 0, and this is 1"):
        checkpoint(tmp_path).open()


def test_a_damaged_one_is_refused_with_a_remedy(tmp_path: Path) -> None:
    first = checkpoint(tmp_path)
    first.open()
    with first.path.open("a") as file:
        file.write("nonsense\n")
    with pytest.raises(TableError, match=r"damaged\. Remove it"):
        checkpoint(tmp_path).open()


def test_a_longer_table_goes_on_from_a_shorter_one_but_not_the_other_way(tmp_path: Path) -> None:
    table = table_of("divider", "2..6")
    path = tmp_path / "t.csv"
    path.write_text(as_csv(table))
    rows, solvers = rows_at_hand(path, BOARDS, "1.2.3")
    assert len(rows) == 5
    assert solvers == {"Python solvers"}
    with pytest.raises(TableError, match="is there already, made by: duel table"):
        rows_at_hand(path, Boards("divider", 2, 5), "1.2.3")
    with pytest.raises(TableError, match=r"made by version 1\.2\.3"):
        rows_at_hand(path, BOARDS, "2")
    path.write_text(as_csv(table).replace("4,first,3", "4,first,2"))
    with pytest.raises(TableError, match="have been changed"):
        rows_at_hand(path, BOARDS, "1.2.3")
    path.write_text("my notes")
    with pytest.raises(TableError, match=r"is no table .* Choose another name"):
        rows_at_hand(path, BOARDS, "1.2.3")
