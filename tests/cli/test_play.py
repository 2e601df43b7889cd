"""The command as a filter: exit statuses, streams, line endings, locales."""

import subprocess
import sys
from pathlib import Path

import pytest

from divisorduel.solve.native.kernel import in_use
from tests.conftest import ALL_KEYS, Duel, thorough_except

WON = "43\n"
"""A whole game of chain: a prime above half the board."""


def test_a_finished_game_exits_with_0_and_prints_nothing_on_standard_error(duel: Duel) -> None:
    done = duel.run("play", "chain", typed=WON)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Player 1 wins the game!\n")


def test_quitting_is_clean_and_says_how_to_continue(duel: Duel) -> None:
    done = duel.run("play", "chain", typed="8\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("The game is saved. To continue: duel resume\n")


def test_input_that_ends_early_exits_with_3_and_says_how_to_continue(duel: Duel) -> None:
    done = duel.run("play", "chain", typed="8\n")
    assert done.returncode == 3
    assert "The game is saved. To continue: duel resume" in done.stderr


def test_a_last_line_without_a_newline_counts(duel: Duel) -> None:
    assert duel.run("play", "chain", typed="43").returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ["play"],
        ["play", "chess"],
        ["play", "chain", "--to", "1"],
        ["play", "chain", "--to", "99999999999"],
        ["play", "chain", "--to", "x"],
        ["play", "chain", "--to", "-5"],
        ["play", "chain", "--number", "16"],
        ["play", "descent", "--number", "1"],
        ["play", "descent", "--number", "1" + "0" * 50],
        ["play", "descent", "--number", "16", "--to", "9"],
        ["play", "descent", "--to", "9"],
        ["play", "chain", "--first", "3"],
        ["play", "chain", "--rounds", "0"],
        ["play", "chain", "--names", "A", "A"],
        ["play", "chain", "--names", "A"],
        ["play", "chain", "--opening", "odd"],
        ["rules", "chess"],
        ["dance"],
        ["--nonsense"],
    ],
)
def test_a_usage_error_exits_with_2_and_a_reason(duel: Duel, words: list[str]) -> None:
    done = duel.run(*words)
    assert done.returncode == 2
    assert "Error: " in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_misspelt_game_gets_a_suggestion(duel: Duel) -> None:
    assert "Did you mean chain?" in duel.run("play", "chian").stderr


@pytest.mark.parametrize(
    ("typed", "meant"), [("plya", "play"), ("Resum", "resume"), ("continue", "resume")]
)
def test_a_misspelt_command_gets_a_suggestion(duel: Duel, typed: str, meant: str) -> None:
    done = duel.run(typed)
    assert done.returncode == 2
    assert f"Unknown command '{typed}'. Did you mean {meant}?" in done.stderr


def test_a_computer_does_not_end_the_game_at_once_without_a_warning(
    duel: Duel,
) -> None:
    done = duel.run("play", "chain", "--p1", "perfect")
    assert done.stdout.startswith("On this board Perfect can win with the first move.")
    assert (
        "first move" not in duel.run("play", "chain", "--p1", "perfect", "--opening", "even").stdout
    )
    assert "first move" not in duel.run("play", "chain", typed=WON).stdout


def test_the_command_to_continue_is_quoted_for_the_shell(duel: Duel) -> None:
    done = duel.run("play", "chain", typed="8\nquit\n", DUEL_COMMAND="/my games/duel")
    assert done.stdout.endswith("To continue: '/my games/duel' resume\n")


def test_errors_in_play_go_to_standard_output(duel: Duel) -> None:
    done = duel.run("play", "chain", typed="99\nhello\n43\n")
    assert done.stderr == ""
    assert "99 is not on the board" in done.stdout


@pytest.mark.parametrize("key", thorough_except(ALL_KEYS, "chain", "descent"))
def test_windows_line_endings_do_not_matter(duel: Duel, key: str) -> None:
    board = ["--number", "16"] if key == "descent" else []
    typed = "8\n4\n"
    unix = duel.run("play", key, *board, typed=typed)
    windows = duel.run("play", key, *board, typed=typed.replace("\n", "\r\n"))
    assert unix.stdout == windows.stdout


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C.UTF-8"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp1252"},
        {"NO_COLOR": "1"},
        {"TERM": "dumb"},
    ],
)
def test_every_locale_works(duel: Duel, locale: dict[str, str]) -> None:
    done = duel.run(
        "play", "chain", "--names", "Zoë", "Łukasz", typed="é\n\xff\n43\n".encode(), **locale
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert "is neither a number you can take nor a command" in done.stdout


def test_bytes_that_are_not_text_are_answered_like_any_invalid_line(duel: Duel) -> None:
    done = duel.run("play", "chain", typed=b"\xff\xfe\x00\x1b[2J\n43\n")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout


def test_piped_output_is_not_coloured(duel: Duel) -> None:
    for words in (["play", "chain"], ["games"], ["rules", "chain"], ["--help"]):
        assert "\x1b" not in duel.run(*words, typed=WON).stdout


@pytest.mark.thorough
def test_running_the_module_is_the_same_as_running_the_command(duel: Duel) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "divisorduel", "play", "chain"],
        input=WON,
        env=duel.environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout == duel.run("play", "chain", typed=WON).stdout


@pytest.mark.thorough
def test_the_same_seed_draws_the_same_starter(duel: Duel) -> None:
    def starter(seed: int) -> str:
        words = ["play", "chain", "--first", "random", "--seed", seed, "--names", "Ann", "Bob"]
        return duel.run(*map(str, words), typed=WON).stdout.splitlines()[0]

    drawn = [starter(seed) for seed in range(8)]
    assert drawn == [starter(seed) for seed in range(8)]
    assert set(drawn) == {
        "Ann goes first (chosen at random).",
        "Bob goes first (chosen at random).",
    }


def test_the_players_can_choose_who_starts(duel: Duel) -> None:
    for first, starter in (("1", "Ann"), ("2", "Bob")):
        done = duel.run("play", "chain", "--first", first, "--names", "Ann", "Bob", typed=WON)
        assert f"\n{starter}, it's your turn.\nEnter your chosen number: 43\n" in done.stdout
        assert done.stdout.endswith(f"{starter} wins the game!\n")


def test_descent_takes_thirty_digits_without_delay(duel: Duel) -> None:
    number = (10**14 + 31) * (10**15 + 37)
    done = duel.run("play", "descent", "--number", str(number), typed=f"moves\n{10**14 + 31}\n")
    assert done.returncode == 0
    assert f"Proper divisors of {number}: {10**14 + 31}, {10**15 + 37}" in done.stdout


def test_a_step_and_an_opening_change_the_board(duel: Duel) -> None:
    done = duel.run(
        *["play", "chain", "--from", "3", "--to", "30", "--step", "3", "--opening", "even"],
        typed="9\n30\nquit\n",
    )
    assert "3, 6, 9, 12, 15, 18, 21, 24, 27, 30\n" in done.stdout
    assert "The first number must be even: 9 is odd." in done.stdout


def test_moves_are_final_if_undo_is_off(duel: Duel) -> None:
    done = duel.run("play", "chain", "--no-undo", typed="8\nundo\nquit\n")
    assert "Undo is turned off in this game." in done.stdout


def test_a_closed_pipe_causes_no_traceback(duel: Duel) -> None:
    script = f"yes 99 | head -100000 | '{sys.executable}' -m divisorduel play chain | head -1"
    done = subprocess.run(
        ["bash", "-c", script],
        env=duel.environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == "Welcome to Divisibility Duel!\n"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_can_complete_the_command(duel: Duel, shell: str) -> None:
    done = duel.run("completion", shell)
    assert done.returncode == 0
    assert "_DUEL_COMPLETE" in done.stdout


@pytest.mark.thorough
def test_completion_offers_commands_and_games(duel: Duel) -> None:
    def offered(line: str) -> list[str]:
        at = str(len(line.split()))
        asked = {"_DUEL_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": at}
        return duel.run(**asked).stdout.split()

    assert "plain,play" in offered("duel ")
    keys = ("antichain", "chain", "descent", "divider", "evens", "juniper")
    assert offered("duel play ") == [f"plain,{key}" for key in keys]


def test_the_version_is_that_of_the_package_and_names_the_solvers(duel: Duel) -> None:
    from importlib.metadata import version

    assert duel.run("--version").stdout == f"duel {version('divisorduel')} ({in_use()})\n"


def test_a_folder_that_cannot_be_written_does_not_stop_the_game(duel: Duel, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = duel.run("play", "chain", typed="8\n4\n2\nquit\n", XDG_DATA_HOME=str(blocked))
    assert done.returncode == 0
    assert done.stdout.count("the game is not saved") == 1


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-", ">/dev/full"])
def test_a_missing_or_full_stream_gives_no_traceback(duel: Duel, stream: str) -> None:
    script = f"echo 43 | '{sys.executable}' -m divisorduel play chain {stream}"
    done = subprocess.run(
        ["bash", "-c", script], env=duel.environment(), capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr


def test_a_control_character_in_a_record_does_not_reach_the_terminal(duel: Duel) -> None:
    record = '[Game "chain"]\n[Board "2-50"]\n[Date "\u202ex"]\n\n1. 8 {\u200fhi} *\n'
    (duel.home / "g.duel").write_text(record)
    shown = duel.run("replay", "g.duel").stdout
    assert shown.replace("\n", "").isprintable()
    assert "?hi" in shown


def test_the_board_is_shown_again_when_a_move_is_taken_back(duel: Duel) -> None:
    done = duel.run("play", "divider", typed="5\nundo\n")
    assert "5 was taken back.\nShared List: [2, 3, 4, 5, 6, 7, 8, 9]\n" in done.stdout
    duel.run("play", "divider", typed="5\n")
    assert "Shared List: [2, 3, 4, 6, 7, 8, 9]\n" in duel.run("resume").stdout


def test_setup_prompts_answer_help_and_rules(duel: Duel) -> None:
    done = duel.run("play", "descent", typed="help\nrules\nquit\n")
    assert 'Answer the question, or type "rules" or "quit".' in done.stdout
    assert "How to play" in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize(
    "words",
    [["--board", "2-x"], ["--board=2-30"], ["5-2"], ["30"], ["2..30"]],
    ids=lambda words: " ".join(words),
)
def test_a_board_in_another_form_is_answered_with_the_options(duel: Duel, words: list[str]) -> None:
    done = duel.run("play", "chain", *words)
    assert done.returncode == 2
    assert "To choose the board, use --from, --to, --step or --opening." in done.stderr


def test_descent_names_its_own_option(duel: Duel) -> None:
    assert "To choose the board, use --number." in duel.run("play", "descent", "16").stderr


def test_other_mistakes_get_no_advice_about_boards(duel: Duel) -> None:
    done = duel.run("play", "chain", "--rounds", "3", "--nosuch")
    assert (done.returncode, "the board" in done.stderr) == (2, False)


def test_an_empty_input_is_answered_without_the_menu(duel: Duel) -> None:
    done = duel.run(typed="")
    assert (done.returncode, done.stdout) == (3, "")
    assert "The input is empty. Give a command. For a list: duel --help" in done.stderr


LARGEST = f"bot:sh {Path(__file__).parents[2] / 'examples' / 'bots' / 'largest.sh'}"


def test_an_engine_plays_and_has_its_own_name(duel: Duel) -> None:
    done = duel.run("play", "divider", "--p1", LARGEST, "--p2", LARGEST)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Largest A removes 9.\n" in done.stdout
    assert '[Kind1 "bot"]' in duel.matches[0].read_text()


def test_a_match_with_an_engine_can_be_resumed_with_its_command(duel: Duel) -> None:
    assert duel.run("play", "divider", "--p2", LARGEST, typed="4\nquit\n").returncode == 0
    for words in ("resume", "resume 1"):
        refused = duel.run(*words.split())
        assert refused.returncode == 1
        assert refused.stderr == (
            "Error: Player 2 of this game is an engine. "
            f"To continue: duel {words} --p2 bot:COMMAND\n"
        )
    done = duel.run("resume", "--p2", LARGEST, typed="2\n")
    assert "Largest removes 7.\n" in done.stdout


def test_an_engine_that_cannot_be_started_is_an_error(duel: Duel) -> None:
    done = duel.run("play", "divider", "--p2", "bot:no-such-program")
    assert done.returncode == 1
    assert done.stderr == (
        "Error: The engine 'no-such-program' could not be used. "
        "'no-such-program' cannot be started: No such file or directory.\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("play", "divider", "--p2", "bot:true 0"),
        ("arena", "divider", "--player", "perfect", "--player", "bot:true 0"),
        ("serve", "--no-open", "--port", "0", "--bot", "idle=true 0"),
    ],
    ids=lambda words: words[0],
)
def test_an_error_names_the_engine_and_how_to_check_it(duel: Duel, words: tuple[str, ...]) -> None:
    done = duel.run(*words)
    assert done.returncode == 1
    assert done.stderr == (
        "Error: The engine 'true 0' could not be used. It ended with exit status 0. "
        "To check it: duel bot --check 'true 0'\n"
    )


def test_an_engine_that_does_not_play_the_game_is_refused_before_the_first_move(
    duel: Duel, tmp_path: Path
) -> None:
    engine = tmp_path / "engine.sh"
    engine.write_text("printf 'bot Choosy\\ngames divider antichain\\nok\\n'; cat > /dev/null")
    for words in (
        ["play", "chain", "--p2", f"bot:sh {engine}"],
        ["arena", "chain", "--player", "5", "--player", f"bot:sh {engine}"],
    ):
        done = duel.run(*words, typed="8\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert "Choosy does not play chain. Choose divider or antichain." in done.stderr


def test_an_unknown_player_is_a_mistake_in_the_command_line(duel: Duel) -> None:
    done = duel.run("play", "divider", "--p2", "bot:")
    assert done.returncode == 2
    assert "a level from 1 to 10 or bot:COMMAND" in " ".join(done.stderr.split())
