"""What the README shows is what the program prints, and links have targets."""

import re
import subprocess
from pathlib import Path

import pytest

from divisorduel import rule_book
from tests.conftest import ALL_KEYS, Duel

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
SESSIONS = re.findall(r"```console\n\$ (.*?)\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.parametrize(("command", "shown"), SESSIONS)
def test_a_recorded_session_shows_what_the_command_prints(
    duel: Duel, command: str, shown: str
) -> None:
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env=duel.environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == shown
    assert done.returncode == 0


def test_there_is_a_recorded_session() -> None:
    assert SESSIONS


@pytest.mark.parametrize("key", ALL_KEYS)
def test_the_table_of_games_matches_the_rule_books(key: str) -> None:
    book = rule_book(key).book
    wrong = "**you lose the game**" if book.wrong_number == "forfeit" else "try again"
    assert f"| `{key}` | {book.title} | {book.board} | {book.move} | {wrong} |" in README


PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "data/README.md"]


@pytest.mark.parametrize("page", [*PAGES, *sorted(map(str, (ROOT / "docs").rglob("*.md")))])
def test_every_link_has_a_target(page: str) -> None:
    path = ROOT / page
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", path.read_text()):
        linked = path.parent / target if target else path
        assert linked.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", linked.read_text(), flags=re.MULTILINE)
            assert anchor in [re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings]
