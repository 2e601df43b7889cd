"""The library has one level: everything public is imported from the package itself."""

import subprocess
import sys

import divisorduel


def printed_by(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    return done.stdout.decode()


def test_every_public_name_is_found_where_it_is_listed() -> None:
    assert {"game", "solve", "make_table", "review", "hint", "verify"} <= {*divisorduel.__all__}
    for name in divisorduel.__all__:
        found = getattr(divisorduel, name)
        assert getattr(found, "__name__", name) == name
        assert found is getattr(divisorduel, name)


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
