"""Everything public can be imported from the package itself."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import divisorduel


def printed_by(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    return done.stdout.decode()


def test_every_public_name_can_be_imported() -> None:
    assert {"game", "solve", "make_table", "review", "hint", "verify"} <= {*divisorduel.__all__}
    for name in divisorduel.__all__:
        found = getattr(divisorduel, name)
        assert getattr(found, "__name__", name) == name
        assert found is getattr(divisorduel, name)


def test_type_checkers_see_the_same_names() -> None:
    stub = ast.parse(Path(divisorduel.__file__).with_suffix(".pyi").read_text())
    imports = [line for line in stub.body if isinstance(line, ast.ImportFrom)]
    seen = {alias.asname: line.module for line in imports for alias in line.names}
    assert sorted(map(str, seen)) == divisorduel.__all__
    for name, module in seen.items():
        assert getattr(divisorduel, str(name)) is getattr(import_module(str(module)), str(name))


def test_importing_the_package_imports_nothing_else() -> None:
    script = "import divisorduel, sys; print([n for n in sys.modules if 'divisorduel.' in n])"
    assert printed_by(script) == "[]\n"


def test_the_function_solve_is_not_hidden_by_the_package_solve() -> None:
    script = (
        "import divisorduel.solve.verdict\n"
        "from divisorduel import game, solve\n"
        "print(solve(game('antichain')).winning_moves)"
    )
    assert printed_by(script) == "(50,)\n"
