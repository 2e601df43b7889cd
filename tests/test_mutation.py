"""``scripts/mutate``: which mutants there are, which tests they meet, and which were judged."""

import ast
from pathlib import Path

import pytest

from mutation.__main__ import PACKAGES, ROOT, SOURCE
from mutation.judged import judged_equivalent
from mutation.mutants import MutantsOfFile
from mutation.stages import stages


def diffs(folder: Path, source: str) -> set[str]:
    """Return what the mutants of a program change."""
    (folder / "program.py").write_text(source)
    return {mutant.diff for mutant in MutantsOfFile(folder, "program.py")}


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("x = a < b", ["x = a <= b", "x = a >= b"]),
        ("x = a == b", ["x = a != b"]),
        ("x = a is not b", ["x = a is b"]),
        ("x = a in b", ["x = a not in b"]),
        ("x = a + b", ["x = a - b"]),
        ("x = a & ~b", ["x = a | ~b", "x = a & b"]),
        ("x = a and b", ["x = a or b", "x = a", "x = b"]),
        ("x = not a", ["x = a"]),
        ("x = f(3)", ["x = f(4)", "x = f(2)"]),
        ("x = f(True)", ["x = f(False)"]),
        ("x = f('word')", ["x = f('')"]),
        ("x = a if b else c", ["x = c if b else a"]),
        ("x = min(a)", ["x = max(a)"]),
        ("x = a[b:c]", ["x = a[:c]", "x = a[b:]"]),
        ("x = [a for a in b if c]", ["x = [a for a in b]"]),
        ("f()", ["pass"]),
        ("raise error", ["pass"]),
        ("x += a", ["x -= a", "pass"]),
        ("a.b = c", ["pass"]),
    ],
)
def test_a_line_has_exactly_the_expected_mutants(
    tmp_path: Path, line: str, changed: list[str]
) -> None:
    assert diffs(tmp_path, f"{line}\n") == {f"- {line}\n+ {mutant}" for mutant in changed}


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring."""\n',
        "x: Literal['a', 'b'] | None\n",
        "@cache\ndef f(x: int = a) -> 'tuple[int]': ...\n",
        "x = f('a sentence for people')\n",
        "x = f(f'a sentence about {x}')\n",
        "if TYPE_CHECKING:\n    from a import b\n",
        "Kind = int | str\n",
        "x = isinstance(a, int | str)\n",
        "log.warning('word', 3)\n",
    ],
)
def test_types_decorators_and_sentences_are_left_alone(tmp_path: Path, source: str) -> None:
    assert diffs(tmp_path, source) == set()


def test_branches_loops_and_results_have_mutants(tmp_path: Path) -> None:
    source = """
def is_small(a, b) -> bool:
    for x in a:
        if x:
            continue
        else:
            return x
    try:
        f = b
    except ValueError:
        return f
    while b:
        break
    return x
"""
    assert diffs(tmp_path, source) >= {
        "- for x in a:\n+ for x in ():",
        "- if x:\n+ if True:",
        "- if x:\n+ if False:",
        "- if x:\n+ if not x:",
        "- continue\n+ break",
        "- break\n+ continue",
        "- return x\n+ return not x",
        "- return f\n+ raise",
        "- while b:\n+ while False:",
    }


def test_a_mutant_leaves_no_trace_in_the_next_one(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("x = a < b\ny = c + 1\n")
    mutants = MutantsOfFile(tmp_path, "program.py")
    first, last = mutants[0].source, mutants[len(mutants) - 1].source
    assert (first, last) == ("x = a <= b\ny = c + 1", "x = a < b\ny = c + 0")
    assert mutants[0].source == first


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.thorough
def test_every_package_has_mutants_that_are_programs(package: str) -> None:
    paths = sorted((SOURCE / package).rglob("*.py"))
    files = [MutantsOfFile(SOURCE, str(path.relative_to(SOURCE))) for path in paths]
    assert sum(map(len, files)) > 400
    for file in files:
        for number in range(0, len(file), 40):
            ast.parse(file[number].source)
            assert file[number].diff


def test_a_mutant_meets_its_nearest_tests_first() -> None:
    near, own, others = (stage.tests for stage in stages(ROOT, "play/decide.py", own_only=False))
    assert near == ("tests/play/test_decide.py",)
    assert "tests/play/test_match.py" in own
    assert "tests/rules/test_books.py" in others
    assert not {path for path in others if path.startswith(("tests/web/", "tests/play/"))}
    assert [stage.tests for stage in stages(ROOT, "play/decide.py", own_only=True)] == [near, own]
    without_mirror = stages(ROOT, "rules/relation.py", own_only=True)
    near, own = (stage.tests for stage in without_mirror)
    assert {*near, *own} == {*without_mirror[0].among} == {*without_mirror[1].among}
    assert "tests/rules/test_numbers.py" in near
    assert "tests/rules/test_code.py" in own
    assert "tests/rules/test_books.py" in own


@pytest.mark.thorough
def test_every_mutant_that_was_judged_still_exists() -> None:
    judged = judged_equivalent()
    files = {file: MutantsOfFile(SOURCE, file) for file, _ in judged}
    for file, mutants in files.items():
        listed = {diff for name, diff in judged if name == file}
        assert not listed - {mutant.diff for mutant in mutants}, f"{file} has changed"
