"""The catalogue finds our rule books and those of other packages."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from divisorduel import BoardError, check_game, game, rule_book, rule_book_keys
from divisorduel.rules import books, catalogue
from tests.conftest import Duel

JUNIPER = Path(books.__path__[0]) / "juniper.py"


def test_all_six_rule_books_are_found() -> None:
    assert {"antichain", "chain", "descent", "divider", "evens", "juniper"} <= set(rule_book_keys())


@pytest.mark.parametrize("key", rule_book_keys())
def test_a_rule_book_is_found_under_its_key(key: str) -> None:
    assert rule_book(key).book.key == key


@pytest.fixture
def fresh_catalogue() -> Iterator[None]:
    """Clear the caches of the catalogue, before the test and after it."""
    caches = (
        catalogue.rule_book_keys,
        catalogue.rule_book,
        catalogue._built_in,
        catalogue._installed,
    )
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.mark.usefixtures("fresh_catalogue")
def test_a_new_rule_book_is_one_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        JUNIPER.read_text().replace('key="juniper"', 'key="seventh"').replace("Juniper", "Seventh")
    )
    (tmp_path / "seventh.py").write_text(text)
    monkeypatch.setattr(books, "__path__", [*books.__path__, str(tmp_path)])
    assert "seventh" in rule_book_keys()
    check_game(game("seventh", to=20))
    sys.modules.pop(f"{books.__name__}.seventh", None)


def write_metadata(folder: Path, package: str, entry: str) -> None:
    """Write the metadata of an installed package with one entry point."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{catalogue.GROUP}]\n{entry}\n")


@pytest.mark.parametrize("is_archive", [False, True], ids=["folder", "archive"])
@pytest.mark.usefixtures("fresh_catalogue")
def test_a_rule_book_from_another_package_is_found_in_a_folder_and_in_an_archive(
    is_archive: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, module = tmp_path / "site", f"eighth_{is_archive}".lower()
    site.mkdir()
    text = JUNIPER.read_text().replace('key="juniper"', 'key="eighth"').replace("Juniper", "Eighth")
    (site / f"{module}.py").write_text(text)
    write_metadata(site, "outside", f"eighth = {module}:Eighth")
    if is_archive:
        site = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", site))
    monkeypatch.setattr(sys, "path", [str(site)])
    assert catalogue.problems() == ()
    assert rule_book("eighth").__name__ == "Eighth"
    sys.modules.pop(module)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("broken = no_such_module:Game", "No module named 'no_such_module'"),
        ("broken = outside_game:Nothing", "has no attribute 'Nothing'"),
        ("broken = outside_game:raises", "not a Game"),
        ("broken = pathlib:Path", "not a Game"),
        ("broken = divisorduel.rules.game:Game", "dataclass"),
        ("broken = divisorduel.rules.books.chain:Chain", "has a different key, 'chain'"),
        ("broken = outside_error:Game", "division by zero"),
        ("broken = outside_silence:Game", "cannot be used: ValueError"),
    ],
)
@pytest.mark.usefixtures("fresh_catalogue")
def test_a_broken_rule_book_says_why_and_breaks_nothing_else(
    entry: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "outside_game.py").write_text("raises = 1\n")
    (tmp_path / "outside_error.py").write_text("1 / 0\n")
    (tmp_path / "outside_silence.py").write_text("raise ValueError\n")
    write_metadata(tmp_path, "outside", entry)
    monkeypatch.syspath_prepend(tmp_path)
    assert "broken" not in rule_book_keys()
    assert "chain" in rule_book_keys()
    with pytest.raises(
        BoardError, match="Rule book 'broken' of outside cannot be used: "
    ) as caught:
        game("broken")
    assert reason in str(caught.value)
    assert catalogue.problems() == (str(caught.value),)


@pytest.mark.usefixtures("fresh_catalogue")
def test_a_built_in_rule_book_wins_over_another_with_the_same_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_metadata(tmp_path, "outside", "chain = divisorduel.rules.books.juniper:Juniper")
    monkeypatch.syspath_prepend(tmp_path)
    assert rule_book("chain").__name__ == "Chain"
    [problem] = catalogue.problems()
    reason = "another rule book already has this key."
    assert problem == f"Rule book 'chain' of outside cannot be used: {reason}"


def test_the_list_of_games_names_a_broken_rule_book(duel: Duel) -> None:
    site = duel.home / "site"
    site.mkdir()
    write_metadata(site, "outside", "broken = no_such_module:Game")
    done = duel.run("games", PYTHONPATH=str(site))
    assert done.returncode == 0
    assert "juniper" in done.stdout
    assert done.stderr == (
        "Rule book 'broken' of outside cannot be used: No module named 'no_such_module'\n"
    )
    asked = duel.run("play", "broken", PYTHONPATH=str(site))
    assert asked.returncode == 2
    assert "No module named 'no_such_module'" in asked.stderr


def test_built_in_games_are_found_without_reading_entry_points() -> None:
    code = "import sys; import divisorduel.cli.play; sys.exit('importlib.metadata' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    assert done.returncode == 0


def test_juniper_is_mentioned_only_in_its_own_file() -> None:
    package = Path(books.__path__[0]).parents[1]
    mentions = [
        path.name for path in package.rglob("*.py") if "juniper" in path.read_text().lower()
    ]
    assert mentions == ["juniper.py"]
