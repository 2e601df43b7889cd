"""A match in the terminal copes with any input: no error, no lost move, no illegal state."""

import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel import Heading, Match, game
from divisorduel.store.match_files import MatchFile, MatchFolder, read_match
from divisorduel.terminal.local_match import LocalMatch
from divisorduel.terminal.plain import transcript
from divisorduel.terminal.plain.input_parser import HELP
from divisorduel.terminal.plain.match_loop import PlainMatch
from divisorduel.terminal.terminal import Terminal
from tests.conftest import ALL_KEYS, small_game
from tests.play.test_decide import is_legal


class Played:
    """A match that was played by typing lines."""

    def __init__(
        self, match: Match, typed: str, folder: Path | None = None, **environ: str
    ) -> None:
        self.out, self.err = io.StringIO(), io.StringIO()
        terminal = Terminal(io.StringIO(typed), self.out, self.err, environ)
        heading = Heading("m", "2026-11-15")
        file = None if folder is None else MatchFile(MatchFolder(folder), "m", heading)
        self.plain = PlainMatch(terminal, LocalMatch(match, heading, file, seed=0))
        self.status = self.plain.play(transcript.begin_round(match, 1))

    @property
    def shown(self) -> str:
        return self.out.getvalue()


words = st.one_of(
    st.integers(0, 20).map(str),
    st.integers().map(str),
    st.sampled_from([*HELP, "r", "h", "?", "SAVE", "8.0", "1e3", "-3", "٣", "9" * 5000]),
    st.text(st.characters(exclude_characters="\n\r"), max_size=8),
    st.text(st.characters(exclude_characters="\n\r/"), max_size=8).map("save {}".format),
    st.sampled_from(["save a", "save ~nobody/x", "save /", "save .", f"save {'x' * 300}"]),
)


@pytest.fixture(autouse=True)
def _save_files_in_a_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@given(st.sampled_from(ALL_KEYS), st.integers(1, 2), st.lists(words, max_size=30))
def test_any_input_leaves_the_match_legal_and_never_raises(
    key: str, rounds: int, typed: list[str]
) -> None:
    played = Played(Match.of(small_game(key), rounds=rounds), "".join(f"{w}\n" for w in typed))
    assert played.status in (0, 3)
    assert is_legal(played.plain.match)
    assert (played.status == 3) == (played.err.getvalue() != "")


@given(st.sampled_from(ALL_KEYS), st.lists(words, max_size=12))
def test_the_output_contains_no_control_characters(key: str, typed: list[str]) -> None:
    played = Played(Match.of(small_game(key)), "".join(f"{word}\n" for word in typed))
    assert all(char.isprintable() for char in played.shown.replace("\n", ""))


@pytest.mark.parametrize(
    "junk", ["", "help", "hello", "-3", "8.0", "1e3", "+8", "٣", "\x07", "8 8"]
)
def test_input_that_is_not_a_number_never_forfeits_descent(junk: str) -> None:
    played = Played(Match.of(game("descent", number=16)), f"{junk}\n")
    assert played.plain.match.current.forfeit is None


@pytest.mark.parametrize("wrong", ["3", "1", "16", "0", " 7 ", "007", "9" * 5000])
def test_a_wrong_number_forfeits_descent_without_confirmation(wrong: str) -> None:
    played = Played(Match.of(game("descent", number=16)), f"{wrong}\n")
    assert played.status == 0
    assert "Player 1 forfeits the game.\nPlayer 2 wins the game!\n" in played.shown


def test_every_move_is_on_disk_before_it_is_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, tuple[int, ...]]] = []
    show = transcript.show

    def watch(event: object, match: Match) -> object:
        seen.append((str(event), read_match(tmp_path / "m.duel").match.current.moves))
        return show(event, match)  # type: ignore[arg-type]  # only passed on

    monkeypatch.setattr(transcript, "show", watch)
    Played(Match.of(game("chain")), "8\n4\n12\nundo\n", tmp_path)
    assert [moves for _, moves in seen] == [(8,), (8, 4), (8, 4, 12), (8, 4)]


def test_a_failing_disk_is_reported_once_and_the_game_continues(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    played = Played(Match.of(game("chain")), "8\n4\n12\n", tmp_path / "file" / "folder")
    assert played.shown.count("the game is not saved") == 1
    assert played.plain.match.current.moves == (8, 4, 12)
    assert "cannot be written" in played.err.getvalue()


def test_a_match_that_is_open_in_another_window_is_saved_separately(tmp_path: Path) -> None:
    (tmp_path / "m.duel").write_text("theirs")
    played = Played(Match.of(game("chain")), "8\n4\n", tmp_path)
    assert (tmp_path / "m.duel").read_text() == "theirs"
    [ours] = set(tmp_path.glob("*.duel")) - {tmp_path / "m.duel"}
    assert read_match(ours).match.current.moves == (8, 4)
    assert "saved separately" in played.shown


def test_a_wrong_number_gets_a_reason_and_another_prompt() -> None:
    played = Played(Match.of(game("chain")), "12\n14\n12\n60\n4\n")
    assert (
        "14 neither divides 12 nor is a multiple of it.\nEnter your chosen number:" in played.shown
    )
    assert "12 was taken on turn 1." in played.shown
    assert "60 is not on the board (2 to 50)." in played.shown
    assert played.plain.match.current.moves == (12, 4)


def test_history_lists_each_turn_and_what_it_removed() -> None:
    played = Played(Match.of(game("divider"), names=("Ann", "Bob")), "5\n3\nhistory\n")
    assert "Turn 1: Ann took 5.\nTurn 2: Bob took 3, which also removed 6 and 9.\n" in played.shown


def test_history_begins_with_the_log_of_removed_numbers() -> None:
    assert "Removed Numbers: none\n" in Played(Match.of(game("evens")), "history\n").shown
    played = Played(Match.of(game("evens")), "12\n6\nhistory\n")
    assert "Removed Numbers: 12, 6\nTurn 1: Player 1 took 12.\n" in played.shown


@pytest.mark.parametrize(
    ("key", "board", "typed", "line"),
    [
        ("evens", {}, "12\n", "Valid choices: 2, 4, 6\n"),
        ("antichain", {"to": 10}, "7\n3\n5\n", "Valid Choices: 2, 4, 8\n"),
        ("chain", {}, "15\n", "Valid options: 3, 5, 30, 45\n"),
        ("divider", {}, "2\n", "You may remove: 3, 5, 7, 9\n"),
        ("descent", {"number": 16}, "", "Proper divisors of 16: 2, 4, 8\n"),
        ("juniper", {"to": 6}, "", "You may choose: 2, 4, 6\n"),
    ],
)
def test_moves_lists_the_numbers_that_can_be_taken(
    key: str, board: dict[str, int], typed: str, line: str
) -> None:
    assert line in Played(Match.of(game(key, **board)), f"{typed}moves\n").shown


@pytest.mark.parametrize("key", sorted(set(ALL_KEYS) - {"descent"}))
def test_a_wrong_number_costs_nothing_but_another_prompt(key: str) -> None:
    match = Match.of(small_game(key))
    prompt = match.game.book.wording.prompt
    played = Played(match, "2\n2\n999\n")
    assert played.plain.match.current.moves == (2,)
    assert played.plain.match.current.to_move == 2
    assert played.shown.count(prompt) == 4


@pytest.mark.parametrize("key", ALL_KEYS)
def test_no_player_can_pass(key: str) -> None:
    played = Played(Match.of(small_game(key)), "pass\nskip\n\n")
    assert played.plain.match.current.moves == ()
    assert played.plain.match.current.to_move == 1


@pytest.mark.parametrize("key", ALL_KEYS)
def test_every_game_can_be_forfeited(key: str) -> None:
    played = Played(Match.of(small_game(key)), "forfeit\n")
    assert played.status == 0
    assert played.plain.match.current.winner == 2


def test_a_forfeit_through_a_pipe_must_be_typed_in_full() -> None:
    played = Played(Match.of(game("chain")), "f\n")
    assert 'To give up this game, type "forfeit" in full.' in played.shown
    assert played.plain.match.current.winner is None
    assert Played(Match.of(game("chain")), "forfeit\n").plain.match.current.winner == 2


@pytest.mark.parametrize("key", ALL_KEYS)
def test_board_shows_again_what_was_last_shown(key: str) -> None:
    move = "36" if key == "descent" else "2"
    shown = Played(Match.of(small_game(key)), f"{move}\nboard\n").shown
    before, _, after = shown.partition("board\n")
    shown_again = [line for line in after.splitlines()[:-1] if line]
    assert shown_again
    assert all(line in before for line in shown_again if not line.startswith("Shared List"))


def test_the_board_of_a_forfeited_game_says_who_won() -> None:
    played = Played(Match.of(game("chain"), rounds=2), "forfeit\nboard\n")
    assert "Available Numbers" in played.shown.partition("board\n")[2]


def test_score_says_who_has_won_how_often_and_who_moves_next() -> None:
    played = Played(Match.of(game("divider", to=3), rounds=3), "score\n2\n3\nscore\n2\nscore\n")
    assert "Games won: Player 1: 0, Player 2: 0. Round 1 of 3, turn 1: Player 1" in played.shown
    assert "Games won: Player 1: 0, Player 2: 1. Round 2 of 3, turn 1: Player 2" in played.shown
    assert "Round 2 of 3, turn 2: Player 1 moves next.\n" in played.shown
    single = Played(Match.of(game("chain")), "8\nscore\n").shown
    assert "Games won: Player 1: 0, Player 2: 0. Turn 2: Player 2 moves next.\n" in single


def test_the_score_of_a_match_is_kept_and_announced() -> None:
    played = Played(Match.of(game("divider", to=3), rounds=2, names=("Ann", "Bob")), "2\n3\n2\n3\n")
    assert "Round 1 of 2\n" in played.shown
    assert "Score after round 1 of 2: Ann: 0, Bob: 1.\n" in played.shown
    assert "The match is a draw, 1 to 1.\n" in played.shown


def test_lines_are_wrapped_to_the_width_of_the_terminal() -> None:
    played = Played(Match.of(game("chain")), "8\nhelp\nrules\n", COLUMNS="40")
    assert max(map(len, played.shown.splitlines())) <= 40
    assert ", ".join(map(str, range(2, 51))) in " ".join(played.shown.split())


def test_a_list_of_millions_is_cut_short_and_shows_its_length() -> None:
    number = 2**30 * 3**15 * 5**10 * 7**7 * 11**3 * 13**3 * 17 * 19 * 23
    played = Played(Match.of(game("descent", number=number)), "moves\n")
    assert "2, 3, 4, 5, 6, 7, 8, 9, 10, 11" in played.shown
    assert "... (5,586,942 numbers in all)" in played.shown


def test_a_hint_says_what_to_type_to_learn_more() -> None:
    shown = Played(Match.of(game("divider")), "hint\nhint\nhint\n").shown
    assert 'You can win this. (Type "hint" again for more.)' in shown
    assert shown.count("again for more") == 2
    assert shown.count('Take 4. (Type "why" to see the reason.)') == 1


def test_the_rules_are_shown_at_the_prompt() -> None:
    played = Played(Match.of(game("evens")), "rules\n")
    assert "How to play" in played.shown
    assert "Turn 7: Player 1 takes 16." in played.shown
    assert "Tips" in played.shown


# --- computer players


@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_computer_is_not_addressed_as_you(key: str) -> None:
    shown = Played(Match.of(small_game(key), kinds=("greedy", "random"), rounds=2), "").shown
    assert not re.search(r"\byou(r|rs)?\b", shown, re.IGNORECASE)
    assert not re.search(r"^(Enter|Select|Choose|Pick|Take|Remove)\b", shown, re.MULTILINE)
    assert re.search(r"^Player 1('s| selects| chose)", shown, re.MULTILINE)


@pytest.mark.parametrize("key", ALL_KEYS)
def test_a_person_playing_a_computer_sees_the_lines_of_the_rule_book(key: str) -> None:
    person = Played(Match.of(small_game(key)), "").shown
    assert Played(Match.of(small_game(key), kinds=("human", "random")), "").shown == person


def test_a_computers_turn_shows_its_lists_and_its_move() -> None:
    match = Match.of(game("chain", to=8), kinds=("human", "greedy"), names=("Ann", "Greedy"))
    assert (
        """
You selected 8.

Available Numbers:
2, 3, 4, 5, 6, 7

Greedy's turn.
Valid options are factors or multiples of 8:
2, 4

Greedy selects 4.

Available Numbers:
2, 3, 5, 6, 7

Ann, it's your turn.
"""
        in Played(match, "8\n").shown
    )


def test_undo_against_a_computer_shows_the_board_once() -> None:
    match = Match.of(game("divider"), kinds=("human", "greedy"), names=("Ann", "Greedy"))
    shown = Played(match, "8\nundo\n").shown
    taken_back = shown[shown.index("undo\n") :]
    assert taken_back.count("was taken back.\n") == 2
    assert taken_back.count("Shared List") == 1
    assert "Ann, it's your turn." in taken_back
    assert "Greedy" not in taken_back
