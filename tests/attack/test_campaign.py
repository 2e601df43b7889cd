"""What runs the campaigns: it finds them, counts what they try, and describes each failure."""

import time
from pathlib import Path

import pytest

from attack import __main__ as command_line
from attack.campaign import FOLDER, Context, names, run


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Return the context of a campaign that does not exist, in its short form."""
    return Context("none", 7, tmp_path, time.monotonic() + 60, full=False)


def test_every_file_in_the_folder_is_a_campaign_with_a_purpose_and_a_short_form() -> None:
    found = names()
    assert set(found) >= {"kills", "races", "faults", "soak"}
    for name, purpose in found.items():
        assert purpose.endswith("."), name
        file = FOLDER / f"{name}.py"
        source = (file if file.exists() else FOLDER / name / "__init__.py").read_text()
        assert "\ndef run(context: Context) -> None:\n" in source
        assert (Path(__file__).parent / f"test_{name}.py").exists()


def test_an_attempt_that_fails_is_described_so_that_it_can_be_repeated(context: Context) -> None:
    with context.attempt("pull the plug", number=3) as attempt:
        raise AssertionError("the light went out")
    with context.attempt("pull the plug", number=4) as second:  # type: ignore[unreachable]
        pass
    assert (attempt.failed, second.failed) == (True, False)
    assert context.tried == 2
    [failure] = context.failures
    assert str(failure).startswith("none: pull the plug (number=3)\n  the light went out [")
    assert str(failure).endswith("Repeat: scripts/attack none --seed 7")


def test_a_campaign_that_crashes_has_failed(context: Context) -> None:
    run(context)
    assert "the campaign crashed" in str(context.failures)


def test_randomness_depends_on_the_seed_and_the_parameters_alone(context: Context) -> None:
    assert context.rng("a", 1).random() == context.rng("a", 1).random()
    assert context.rng("a", 1).random() != context.rng("a", 2).random()


def test_a_loop_ends_when_the_time_is_up(context: Context) -> None:
    assert list(context.times(full=1_000, short=3)) == [0, 1, 2]
    context.deadline = 0
    assert list(context.times(full=1_000, short=3)) == []
    assert context.notes == ["Time ran out after 0 of 3."]


def test_the_command_prints_a_table_and_its_exit_status_says_whether_anything_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def attack(context: Context) -> None:
        context.count(5)
        if context.campaign == "races":
            context.report("race", "both won", number=2)

    monkeypatch.setattr(command_line, "run", attack)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["attack", "kills"])
    assert command_line.main() == 0
    assert "| kills | 5 | 0 | " in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["attack", "kills", "races", "--seed", "9"])
    assert command_line.main() == 1
    shown = capsys.readouterr().out
    assert "| races | 5 | 1 | " in shown
    assert "races: race (number=2)\n  both won\n  Repeat: scripts/attack races --seed 9" in shown
    assert [path.name[:18] for path in tmp_path.iterdir()] == ["duel-attack-races-"]


def test_an_unknown_campaign_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["attack", "nonsense"])
    with pytest.raises(SystemExit):
        command_line.main()
    assert "unknown campaign: nonsense" in capsys.readouterr().err
