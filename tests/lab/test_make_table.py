"""Tables made with the library."""

from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from divisorduel import Limits, LocalExecutor, Series, TableBuilder, TableError, make_table
from divisorduel.lab.formats import as_csv, read_table
from divisorduel.rules.errors import BoardError
from tests.lab.test_table import table_of

BOARDS = Series("divider", 2, 9)
NIMBERS = [1, 0, 3, 2, 1, 0, 4, 5]


def test_a_table_is_the_same_whether_made_here_or_by_other_processes() -> None:
    table = make_table(BOARDS)
    assert [row.nimber for row in table.rows] == NIMBERS
    with LocalExecutor(2) as executor:
        assert make_table(BOARDS, executor=executor, split=True).sha256 == table.sha256
        assert make_table(BOARDS, executor=executor, together=True).sha256 == table.sha256


def test_progress_is_reported_from_the_start_to_the_end() -> None:
    seen: list[int] = []
    make_table(BOARDS, on_progress=lambda builder: seen.append(builder.done))
    assert seen == [*range(9)]


def test_rows_that_are_not_proven_have_a_question_mark() -> None:
    reports: list[str] = []

    def report(builder: TableBuilder) -> None:
        reports[:] = builder.report()

    table = make_table(Series("divider", 59, 60), limits=Limits(seconds=0), on_progress=report)
    assert {row.outcome for row in table.rows} == {"?"}
    assert reports[:3] == [
        "n = 59: not proven in time.",
        "n = 60: not proven in time.",
        "Boards solved: 0 of 2.",
    ]


def test_ctrl_c_loses_nothing(tmp_path: Path) -> None:
    output = tmp_path / "t.csv"

    def interrupt(builder: TableBuilder) -> None:
        if builder.done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_table(BOARDS, output, on_progress=interrupt)
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv.partial"]
    seen: list[int] = []
    table = make_table(BOARDS, output, on_progress=lambda builder: seen.append(builder.done))
    assert seen == [4, 5, 6, 7, 8]
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
    written = read_table(output)
    assert [row.nimber for row in written.rows] == NIMBERS
    assert written.sha256 == table.sha256


def test_boards_that_gain_nothing_are_not_solved_together() -> None:
    with pytest.raises(BoardError, match="cannot be solved together"):
        make_table(Series("chain", 2, 9), together=True)


def test_a_longer_table_continues_a_shorter_one_but_not_the_other_way_round(tmp_path: Path) -> None:
    here = version("divisorduel")
    table = replace(table_of("divider", "2..6"), version=here)
    path = tmp_path / "t.csv"
    path.write_text(as_csv(table))
    seen: list[int] = []
    made = make_table(BOARDS, path, on_progress=lambda builder: seen.append(builder.done))
    assert seen == [5, 6, 7, 8]
    assert "Python solvers" in made.solvers
    with pytest.raises(TableError, match="already exists, made by: duel table"):
        make_table(Series("divider", 2, 5), path)
    path.write_text(as_csv(replace(table, version="1.2.3")))
    with pytest.raises(TableError, match=rf"made by version 1\.2\.3, but this is version {here}"):
        make_table(BOARDS, path)
    path.write_text(as_csv(table).replace("4,first,3", "4,first,2"))
    with pytest.raises(TableError, match="its hash does not match"):
        make_table(BOARDS, path)
    path.write_text("my notes")
    with pytest.raises(TableError, match=r"is not a table.* Choose another name"):
        make_table(BOARDS, path)
    assert path.read_text() == "my notes"


def test_a_b_file_is_not_replaced_by_one_with_fewer_values(tmp_path: Path) -> None:
    path = tmp_path / "b.txt"
    make_table(Series("antichain", 2, 45), path)
    before = path.read_text()
    for last in (45, 46):
        with pytest.raises(TableError, match="has values that were not proven this time"):
            make_table(Series("antichain", 2, last), path, limits=Limits(seconds=0))
        assert path.read_text() == before


def test_a_b_file_of_outcomes_is_extended_by_one_of_nimbers(tmp_path: Path) -> None:
    path = tmp_path / "b.txt"
    make_table(Series("divider", 2, 8), path, column="outcome")
    make_table(BOARDS, path)
    assert path.read_text().endswith("\n8 4\n9 5\n")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("t.csv", "# version", "# my note\n# version"),
        ("t.csv", "\n4,first", "\n\n4,first"),
        ("t.json", '"version"', '"note": 1, "version"'),
        ("t.json", '{"n": 4', '{ "n": 4'),
        ("b.txt", "# version", "# my: note\n# version"),
        ("b.txt", "\n4 3\n", "\nmy note\n4 3\n"),
        ("b.txt", "\n4 3\n", "\n4 3 my note\n"),
        ("b.txt", "\n4 3\n", "\n4 2\n"),
    ],
)
def test_what_was_added_to_a_table_by_hand_is_kept(
    tmp_path: Path, name: str, old: str, new: str
) -> None:
    path = tmp_path / name
    make_table(BOARDS, path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(TableError, match=r"Choose another name, or use --force\."):
        make_table(BOARDS, path)
    assert path.read_text() == text.replace(old, new, 1)
    make_table(BOARDS, path, force=True)
    assert path.read_text() != text.replace(old, new, 1)
