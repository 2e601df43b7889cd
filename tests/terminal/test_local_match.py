"""A match on this machine: what is saved where, whichever front end shows it."""

from pathlib import Path
from random import Random

import pytest

from divisorduel import DuelError, Game, Match, Position, game
from divisorduel.play.commands import Take
from divisorduel.play.players import Judge, Player, PlayerFault, PlayerResigned
from divisorduel.store.history import History
from divisorduel.store.match_files import (
    ChangedElsewhere,
    MatchFolder,
    SavedMatch,
    StoreError,
    data_folder,
    read_match,
)
from divisorduel.terminal.local_match import NOT_SAVED, SAVED_SEPARATELY, ChosenMove, LocalMatch


@pytest.fixture(autouse=True)
def _data_in_a_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def folder() -> MatchFolder:
    return MatchFolder(data_folder())


def all_saved() -> list[SavedMatch]:
    return [read_match(path) for path in folder().newest_first()]


@pytest.fixture
def saved() -> SavedMatch:
    """Return a match in the data folder in which 12 was taken."""
    LocalMatch.new(Match.of(game("chain", to=20))).submit(Take(12))
    [found] = all_saved()
    return found


def test_two_windows_on_one_match_become_two_matches_and_lose_no_move(saved: SavedMatch) -> None:
    one, two = (LocalMatch.resumed(folder(), read_match(saved.path)) for _ in range(2))
    assert one.submit(Take(6)).notices == ()
    assert two.submit(Take(4)).notices == (SAVED_SEPARATELY,)
    assert two.submit(Take(2)).notices == ()
    moves = {found.heading.match_id: found.match.current.moves for found in all_saved()}
    assert sorted(moves.values()) == [(12, 4, 2), (12, 6)]
    assert moves[one.heading.match_id] == (12, 6)
    assert moves[two.heading.match_id] == (12, 4, 2)


def test_a_match_that_was_changed_since_it_was_read_is_not_resumed(saved: SavedMatch) -> None:
    LocalMatch.resumed(folder(), saved).submit(Take(6))
    with pytest.raises(ChangedElsewhere):
        LocalMatch.resumed(folder(), saved)


def test_a_match_from_another_folder_is_continued_in_a_copy_of_its_own(
    saved: SavedMatch, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere.duel"
    saved.path.rename(elsewhere)
    before = elsewhere.read_bytes()
    local = LocalMatch.resumed(folder(), read_match(elsewhere))
    assert local.notices == (f"{elsewhere} is not changed; the game continues in a copy.",)
    local.submit(Take(6))
    [copy] = all_saved()
    assert copy.heading.match_id == local.heading.match_id != saved.heading.match_id
    assert elsewhere.read_bytes() == before
    assert local.save_as(str(elsewhere)) == f"Saved to {elsewhere}."  # nothing there is lost


def test_a_match_that_cannot_be_saved_is_continued_and_says_so_once(
    saved: SavedMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    local = LocalMatch.resumed(folder(), saved)
    [notice] = local.notices
    assert "No space left on device" in notice
    assert notice.endswith(NOT_SAVED)
    assert local.submit(Take(6)).notices == ()
    assert local.match.current.moves == (12, 6)
    assert local.farewell().startswith("The game could not be saved")
    assert saved.path.read_bytes() == saved.content


def test_a_new_match_has_no_file_before_its_first_move() -> None:
    local = LocalMatch.new(Match.of(game("chain", to=20)))
    assert all_saved() == []
    assert local.farewell() == "No move was made, so the game is not in your history."


def test_a_match_that_is_deleted_in_another_window_is_saved_separately(saved: SavedMatch) -> None:
    local = LocalMatch.resumed(folder(), saved)
    History.of_user().delete(History.of_user().entries()[0])
    assert all_saved() == []
    assert local.submit(Take(6)).notices == (SAVED_SEPARATELY,)
    assert [found.match.current.moves for found in all_saved()] == [(12, 6)]


class FakeBot(Player):
    """An engine that does what it is told: moves, resigns or fails."""

    def __init__(self, *acts: int | DuelError) -> None:
        self._acts = [*acts]

    def choose(self, game: Game, position: Position, rng: Random) -> int:
        act = self._acts.pop(0)
        if isinstance(act, DuelError):
            raise act
        return act

    def remarks(self) -> tuple[str, ...]:
        return ("Bot: hello",)


class ChoosyBot(FakeBot):
    """An engine that plays only one game."""

    def plays(self, key: str) -> bool:
        return key == "divider"


def bot_match() -> Match:
    return Match.of(game("chain", to=20), kinds=("human", "bot"), first=2)


@pytest.mark.parametrize(
    ("act", "choice"),
    [
        (12, ChosenMove(12, remarks=("Bot: hello",))),
        (PlayerResigned("It gives up."), ChosenMove(None, remarks=("Bot: hello", "It gives up."))),
        (
            PlayerFault("late", "It slept."),
            ChosenMove(None, fault="late", remarks=("Bot: hello", "It slept.")),
        ),
    ],
)
def test_an_engine_moves_gives_up_or_fails(act: int | DuelError, choice: ChosenMove) -> None:
    local = LocalMatch.new(bot_match(), bots={2: FakeBot(act)})
    assert local.choose(Judge()) == choice
    local.play(choice)
    assert local.match.current.winner == (None if choice.number else 1)
    [found] = all_saved()
    assert found.match.kinds == ("human", "bot")
    assert found.match.current == local.match.current


def test_a_match_with_an_engine_is_resumed_only_with_the_engine() -> None:
    LocalMatch.new(bot_match(), bots={2: FakeBot()}).submit(Take(12))
    [found] = all_saved()
    with pytest.raises(StoreError, match=r"resume --p2 bot:COMMAND"):
        LocalMatch.resumed(folder(), found)
    with pytest.raises(StoreError, match=r"This engine does not play chain\. Use another one"):
        LocalMatch.resumed(folder(), found, {2: ChoosyBot()})
    resumed = LocalMatch.resumed(folder(), found, {2: FakeBot(6)})
    assert resumed.match.current.moves == (12,)
