"""The catalogue finds whatever lies in the folder of the rule books."""

import sys
from pathlib import Path

import pytest

from divisorduel import check_game, game, keys, rule_book
from divisorduel.rules import books, catalogue

SIXTH = Path(books.__path__[0]) / "juniper.py"


def test_the_five_rule_books_and_juniper_are_there() -> None:
    assert {"antichain", "chain", "descent", "divider", "evens", "juniper"} <= set(keys())


@pytest.mark.parametrize("key", keys())
def test_a_rule_book_is_found_under_its_key(key: str) -> None:
    assert rule_book(key).book.key == key


def test_a_new_rule_book_is_one_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = SIXTH.read_text().replace('key="juniper"', 'key="seventh"').replace("Juniper", "Seventh")
    (tmp_path / "seventh.py").write_text(text)
    monkeypatch.setattr(books, "__path__", [*books.__path__, str(tmp_path)])
    catalogue.keys.cache_clear()
    catalogue._built_in.cache_clear()
    try:
        assert "seventh" in keys()
        check_game(game("seventh", to=20))
    finally:
        monkeypatch.undo()
        catalogue.keys.cache_clear()
        catalogue._built_in.cache_clear()
        catalogue.rule_book.cache_clear()
        sys.modules.pop(f"{books.__name__}.seventh", None)


def test_only_its_own_file_knows_the_sixth_rule_book() -> None:
    package = Path(books.__path__[0]).parents[1]
    mentions = [
        path.name for path in package.rglob("*.py") if "juniper" in path.read_text().lower()
    ]
    assert mentions == ["juniper.py"]
