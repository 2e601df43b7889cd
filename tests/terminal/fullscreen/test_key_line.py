"""The keys in the last line: whole, the most important ones first."""

import pytest

from divisorduel.terminal.fullscreen.key_line import KeyLabel, KeyLine, fitting
from divisorduel.terminal.fullscreen.text_screen import TextScreen
from tests.terminal.fullscreen.user import User, match_of, play

LABELS = [
    KeyLabel("enter", "⏎", "Take", "choose"),
    KeyLabel("h", "h", "Hint", "hint"),
    KeyLabel("u", "u", "Undo", "undo"),
    KeyLabel("question_mark", "?", "Keys", "keys"),
    KeyLabel("q", "q", "Leave", "leave"),
]


@pytest.mark.parametrize(
    ("width", "keys"),
    [
        (35, "enter h u question_mark q"),
        (34, "enter h question_mark q"),
        (21, "enter question_mark q"),
        (20, "enter h question_mark"),
        (0, ""),
    ],
)
def test_keys_are_never_cut_off_and_the_most_important_ones_are_kept(width: int, keys: str) -> None:
    assert [label.key for label in fitting(LABELS, width)] == keys.split()


def test_a_click_on_a_key_presses_it() -> None:
    async def scenario(user: User) -> None:
        line = user.app.screen.query_one(KeyLine)
        last = user.lines()[-1]
        assert last.startswith("⏎ Take  h Hint")
        await user.pilot.click(line, offset=(last.index("? Keys") + 3, 0))
        assert user.is_on(TextScreen)

    play(match_of("chain", "2-50"), scenario)
