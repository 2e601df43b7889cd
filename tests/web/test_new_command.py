"""A new command with an event and a refusal of its own needs five files, as CONTRIBUTING.md says.

A copy of the program gets the command `Nudge`. Everything else follows automatically.
"""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import divisorduel
from tests.web.browser import NewPage, browser, new_page
from tests.web.clients import Server, joined_match
from tests.web.databases import sqlite_in

__all__ = ["browser", "new_page"]

COMMAND = '''@dataclass(frozen=True, slots=True)
class Nudge(_Command):
    """Ask the opponent to hurry."""

    when_over = False

    def consequences(self, match: Match, seat: Seat) -> Consequences:
        own = seat == match.current.to_move
        return Refusal("your-own-turn") if own else [events.Nudged(seat)]


'''
EVENT = '''@dataclass(frozen=True, slots=True)
class Nudged(_Event):
    """A player asked the opponent to hurry."""

    by: Seat

    def apply(self, match: "Match") -> "Match":
        return match


'''
BUTTON = 'button("nudge", () => matchView.commands.command("nudge")),\n      '
NOTICE = 'nudged: (_, { by, isYours }) => (isYours ? "" : `${by} asks you to hurry.`),\n    '
ADDED = {
    "play/commands.py": {"Command = ": COMMAND, "Take | Forfeit": "Nudge | "},
    "play/events.py": {"Event = (": EVENT, "NumberTaken\n    |": "Nudged\n    | "},
    "words/refusals.py": {'"undo-disabled"': '"your-own-turn": "It is your turn.",\n    '},
    "web/static/components/actions.js": {
        'button("callOff"': BUTTON,
        "callOff: view": "nudge: playing && plays && view.apart,\n      ",
    },
    "web/static/words/words.js": {
        "joined: ({": NOTICE,
        'callOff: "': 'nudge: "Hurry up",\n    ',
    },
}
"""What is added to each file, and before what."""


class ChangedServer(Server):
    """A server that runs a copy of the program."""

    def _env(self) -> dict[str, str]:
        env = super()._env()
        return {**env, "PYTHONPATH": f"{self._folder}{os.pathsep}{env['PYTHONPATH']}"}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server that knows the new command."""
    folder = tmp_path_factory.mktemp("changed")
    program = folder / "divisorduel"
    shutil.copytree(Path(divisorduel.__file__).parent, program)
    for name, added in ADDED.items():
        text = (program / name).read_text()
        for place, new in added.items():
            assert text.count(place) == 1, (name, place)
            text = text.replace(place, new + place)
        (program / name).write_text(text)
    with ChangedServer(sqlite_in(folder), folder) as server:
        yield server


def test_the_guide_lists_the_five_files_of_a_new_command() -> None:
    guide = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()
    [files] = re.findall(
        r"\*\*A command that players send.*?five files:\n(.*?)\n\n[^1]", guide, re.DOTALL
    )
    assert re.findall(r"^\d\. `([^`]+)`", files, re.MULTILINE) == [*ADDED]


def test_a_new_command_is_decided_sent_stored_and_documented(web: Server) -> None:
    with joined_match(web.url) as match:
        refused = match.one.do("nudge", 409)
        assert (refused["code"], refused["reason"]) == ("your-own-turn", "It is your turn.")
        with match.one.listen() as one, match.two.listen() as two:
            done = two.answer(two.ask("nudge"))
            assert done["type"] == "done"
            assert one.hear("step")["events"] == [{"type": "nudged", "by": 2}]
        assert match.two.do("nudge")["events"] == [{"type": "nudged", "by": 2}]
        web.kill()
        web.restart()
        assert match.one.see()["version"] == done["version"] + 1
        match.one.take(8)
        assert match.two.see()["turns"] == [8]
        schema = match.one.http.get("/openapi.json").text
        assert '"nudge"' in schema
        assert '"NudgedEvent"' in schema


@pytest.mark.thorough
def test_the_page_offers_a_new_command_and_announces_its_event(
    web: Server, new_page: NewPage
) -> None:
    with joined_match(web.url) as match:
        one, two = (new_page(f"#/match/{match.id}/{match.keys[seat]}") for seat in "12")
        two.get_by_role("button", name="Hurry up").click()
        expect(one.locator(".notice")).to_contain_text("Bob asks you to hurry.")
        one.get_by_role("button", name="Hurry up").click()
        expect(one.get_by_role("alert")).to_contain_text("It is your turn.")
