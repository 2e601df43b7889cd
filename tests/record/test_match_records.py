"""The rounds in a file form one match, or the file is refused."""

from dataclasses import replace
from typing import Any

import pytest

from divisorduel import (
    Heading,
    Match,
    Position,
    RecordError,
    decide,
    game,
    match_to_records,
    read_records,
    records_to_match,
    write_code,
    write_records,
)
from divisorduel.play.commands import Command, Forfeit, Rematch, Take, Undo
from divisorduel.play.decide import fail
from divisorduel.play.match import MOST_ROUNDS
from divisorduel.record import match_records, reader
from divisorduel.record.match_records import round_to_record, words_in_records
from divisorduel.rules.pool_game import PoolGame
from divisorduel.terminal.plain.replay_view import frames


def saved(*moves: int, undone: int = 0) -> str:
    match = Match.of(game("divider", to=3), rounds=3, names=("Ann", "Bob"))
    commands: list[Command] = [*map(Take, moves), *[Undo()] * undone]
    for command in commands:
        match = decide(match, match.current.to_move, command).match
    return write_records(match_to_records(match, Heading("m", "2026-11-15")))


def refusal(text: str) -> str:
    with pytest.raises(RecordError) as caught:
        records_to_match(read_records(text))
    assert caught.value.line > 0
    return str(caught.value)


def test_each_round_is_a_separate_record() -> None:
    records = read_records(saved(2, 3, 2))
    assert [record.tag("Round") for record in records] == ["1", "2"]
    assert [record.first for record in records] == [1, 2]
    assert [record.result for record in records] == ["0-1", "*"]


@pytest.mark.parametrize(
    "agreed",
    [
        {},
        {"kinds": ("human", "5")},
        {"kinds": ("perfect", "random")},
        {"then": "same"},
        {"then": "loser"},
        {"undo": False},
        {"first": 2},
        {"start": Position.of([3])},
    ],
)
def test_what_was_agreed_on_is_read_back(agreed: dict[str, Any]) -> None:
    match = Match.of(game("divider", to=3), rounds=3, names=("Ann", "Bob"), **agreed)
    text = write_records(match_to_records(match, Heading("m", "2026-11-15")))
    assert records_to_match(read_records(text)) == match


def test_the_rounds_of_a_rematch_are_told_apart_from_those_agreed_on_at_first() -> None:
    match = Match.of(game("divider", to=3))
    commands: list[Command] = [Take(2), Take(3), Rematch(), Take(2)]
    for command in commands:
        match = decide(match, match.current.to_move, command).match
    text = write_records(match_to_records(match, Heading("m", "2026-11-15")))
    assert '[Series "1"]' in text
    read = records_to_match(read_records(text))
    assert (read.rounds, read.series) == (2, 1)
    assert read == replace(match, version=0)


@pytest.mark.parametrize(
    ("change", "to"),
    [
        ('[Game "divider"]', '[Game "antichain"]'),
        ('[Board "2-3"]', '[Board "2-3,any"]'),
        ('[Match "m"]', '[Match "n"]'),
        ('[Rounds "3"]', '[Rounds "4"]'),
        ('[Rounds "3"]', '[Rounds "3"]\n[Series "1"]'),
        ('[Then "alternate"]', '[Then "same"]'),
        ('[Then "alternate"]', '[Then "alternate"]\n[Undo "no"]'),
        ('[Player1 "Ann"]', '[Player1 "Cat"]'),
        ('[Player2 "Bob"]', '[Player2 "Cat"]'),
        ('[Player2 "Bob"]', '[Player2 "Bob"]\n[Kind1 "5"]'),
        ('[Player2 "Bob"]', '[Player2 "Bob"]\n[Kind2 "5"]'),
        ('[Match "m"]', '[Match "m"]\n[Start "divider 2-3 2-3 -"]'),
    ],
)
def test_rounds_that_differ_in_what_was_agreed_on_are_not_one_match(change: str, to: str) -> None:
    one, two = saved(2, 3, 2).split("\n\n[Game")
    second = f"[Game{two}"
    assert change in second
    name = to.split("[")[-1].split()[0]
    assert f"its tag {name} differs from round 1." in refusal(
        f"{one}\n\n{second.replace(change, to)}"
    )


def test_moves_that_were_taken_back_are_saved() -> None:
    match = records_to_match(read_records(saved(2, 3, 2, undone=2)))
    assert match.current.moves == (2,)
    assert match.undone == (2, 3)


def test_only_the_last_round_has_moves_that_were_taken_back() -> None:
    first, second = read_records(saved(2, 3, 2, 3, undone=1))
    assert first.tag("Undone", "none") == "none"
    assert second.tag("Undone", "none") == "3"
    assert all(record.tag("Undone", "none") == "none" for record in read_records(saved(2, 3, 2)))


@pytest.mark.parametrize(
    ("key", "board", "commands"),
    [
        ("divider", {"to": 3}, [Take(2), Take(3)]),
        ("divider", {"to": 3}, [Take(2), Forfeit()]),
        ("divider", {"to": 3}, [Forfeit()]),
        ("descent", {"number": 12}, [Take(5)]),
        ("descent", {"number": 12}, [Take(6), Take(4)]),
    ],
)
@pytest.mark.parametrize("rounds", [1, 2])
def test_a_finished_match_is_read_back_however_its_rounds_ended(
    key: str, board: dict[str, int], commands: list[Command], rounds: int
) -> None:
    match = Match.of(game(key, **board), rounds=rounds)
    for command in commands * rounds:
        match = decide(match, match.current.to_move, command).match
    assert match.over
    text = write_records(match_to_records(match, Heading("m", "2026-11-15")))
    assert records_to_match(read_records(text)) == replace(match, version=0)


@pytest.mark.parametrize(
    ("change", "to", "reason"),
    [
        ('[Round "2"]', '[Round "3"]', "round 2 of the match is expected here"),
        ('[First "2"]', '[First "1"]', "does not follow"),
        ('[Then "alternate"]', '[Then "never"]', "Then must be one of"),
        ('[Rounds "3"]', '[Rounds "x"]', "'x' is not valid. Use a whole number"),
        ('[Rounds "3"]', '[Rounds "0"]', "between 1 and 1,000"),
        ('[Rounds "3"]', '[Rounds "99999"]', "between 1 and 1,000"),
        ('[Player1 "Ann"]', '[Player1 "Bob"]', "different names"),
        ('[Player1 "Ann"]', '[Player1 ""]', "not a name"),
    ],
)
def test_rounds_that_do_not_form_a_match_are_refused(change: str, to: str, reason: str) -> None:
    text = saved(2, 3, 2)
    assert change in text
    assert reason in refusal(text.replace(change, to))


@pytest.mark.parametrize("rounds", [1, MOST_ROUNDS])
def test_a_match_with_as_many_rounds_as_allowed_is_read_back(rounds: int) -> None:
    match = Match.of(game("divider", to=3), rounds=rounds)
    text = write_records(match_to_records(match, Heading("m", "2026-11-15")))
    assert records_to_match(read_records(text)) == match


@pytest.mark.parametrize("second_starter", [1, 2])
@pytest.mark.parametrize(
    ("rounds", "first_round"),
    [
        (1, "1. 2 2. 3 0-1"),  # the match is over
        (3, "1. 2 *"),  # the first round is not
    ],
)
def test_a_round_that_comes_too_early_or_too_late_is_refused(
    rounds: int, first_round: str, second_starter: int
) -> None:
    agreed = f'[Game "divider"]\n[Board "2-3"]\n[Rounds "{rounds}"]'
    one = f'{agreed}\n[Round "1"]\n[First "1"]\n\n{first_round}\n'
    two = f'{agreed}\n[Round "2"]\n[First "{second_starter}"]\n\n1. 3 *\n'
    assert "round 2 does not follow" in refusal(f"{one}\n{two}")


def test_a_round_that_does_not_follow_the_one_before_is_refused_at_its_first_line() -> None:
    text = saved(2, 3, 2).replace('[First "2"]', '[First "1"]')
    with pytest.raises(RecordError) as caught:
        records_to_match(read_records(text))
    first_of_second = text.splitlines().index('[Game "divider"]', 1) + 1
    assert caught.value.line == first_of_second > 1


def test_nothing_can_be_redone_after_a_forfeit() -> None:
    match = Match.of(game("divider", to=3))
    match = decide(match, 1, Forfeit()).match
    text = write_records(match_to_records(match, Heading("m", "2026-11-15")))
    result = '[Result "0-1"]'
    assert result in text
    assert refusal(text.replace(result, f'{result}\n[Undone "2"]'))


def test_a_file_cut_off_between_two_rounds_is_refused() -> None:
    first_round = saved(2, 3, 2).split("\n\n[Game")[0] + "\n"
    assert "ends after round 1 of 3" in refusal(first_round)


def test_games_from_two_matches_are_refused() -> None:
    one, two = saved(2, 3, 2).split("\n\n[Game")
    other = two.replace('[Match "m"]', '[Match "n"]')
    assert "its tag Match differs" in refusal(f"{one}\n\n[Game{other}")


@pytest.mark.parametrize("undone", ["9", "2 2", "x", "2"])
def test_undone_moves_that_cannot_be_redone_are_refused(undone: str) -> None:
    text = saved(2, 3, 2, undone=2)
    assert '[Undone "2 3"]' in text
    assert refusal(text.replace('[Undone "2 3"]', f'[Undone "{undone}"]'))


@pytest.mark.parametrize(
    "names",
    [("A", "A\u200d"), ("\u3164", "B"), ("A" + "\u0301" * 39, "B"), ("Zo\u00eb", "Zoe\u0308")],
)
def test_a_match_with_names_that_are_no_longer_allowed_is_read(names: tuple[str, str]) -> None:
    tags = "".join(f'[Player{seat} "{name}"]\n' for seat, name in enumerate(names, 1))
    records = read_records(f'[Game "chain"]\n[Board "2-50"]\n{tags}\n1. 8 2. 4 *\n')
    match = records_to_match(records)
    assert match.names == names
    again = read_records(write_records(match_to_records(match, Heading("m", ""))))
    assert records_to_match(again) == match
    assert len([*frames(records[0])]) == 4


def test_the_fault_of_an_engine_is_read_back() -> None:
    match = Match.of(game("divider", to=3), kinds=("human", "bot"), rounds=2)
    match = fail(decide(match, 1, Take(2)).match, "illegal").match
    text = write_records(match_to_records(match, Heading("m", "2026-11-15")))
    assert '[Kind2 "bot"]' in text
    assert '[Termination "fault illegal"]' in text
    read = records_to_match(read_records(text))
    assert replace(read, version=match.version) == match


HEADING = Heading("m", "2026-11-15")


def match_of_rounds(rounds: int, *, every: int = 1, undone: int = 0) -> Match:
    """Return a match whose board starts with one in `every` numbers, with a move in each round."""
    board = game("antichain", from_=51, to=100)
    start = Position.of(range(51, 101, every))
    match = Match.of(board, start=start, rounds=MOST_ROUNDS, kinds=("human", "random"))
    commands: list[Command] = [Take(51), Forfeit()] * (rounds - 1)
    for command in (*commands, *map(Take, start.numbers[:undone]), *[Undo()] * undone):
        match = decide(match, match.current.to_move, command).match
    return match


@pytest.mark.parametrize("every", [1, 2])
def test_a_round_on_its_own_is_written_as_in_the_whole_match(every: int) -> None:
    match = match_of_rounds(4, every=every, undone=2)
    alone = [round_to_record(match, HEADING, number) for number in (1, 2, 3, 4)]
    assert (*alone,) == match_to_records(match, HEADING)


@pytest.mark.parametrize("every", [1, 2])
@pytest.mark.parametrize("rounds", [1, 30])
@pytest.mark.parametrize("undone", [0, 20])
def test_the_words_in_records_are_counted_with_the_start_of_every_round(
    every: int, rounds: int, undone: int
) -> None:
    match = match_of_rounds(rounds, every=every, undone=undone)
    records = match_to_records(match, HEADING)
    least = sum(
        len(record.tags)
        + len(record.moves)
        + record.tag("Start").count(",")
        + len(record.tag("Undone").split())
        for record in records
    )
    assert least <= words_in_records(match) < 3 * least + 100


def test_the_code_of_the_start_is_made_once_for_all_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[str]()

    def note(*given: Any) -> str:
        made.append(write_code(*given))
        return made[-1]

    match = match_of_rounds(30, every=2)
    monkeypatch.setattr(match_records, "write_code", note)
    records = match_to_records(match, HEADING)
    assert made == [records[-1].tag("Start")]


def test_moves_to_redo_are_checked_without_a_list_of_all_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    undone = " ".join(map(str, range(9_999_999, 9_999_949, -1)))
    text = f'[Game "antichain"]\n[Board "2-10000000"]\n[Undone "{undone}"]\n\n*\n'
    [record] = read_records(text)
    monkeypatch.setattr(PoolGame, "moves", None)
    assert records_to_match([record]).undone[0] == 9_999_999


def test_boards_that_fill_the_memory_together_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = '[Game "chain"]\n[Board "2-9"]\n[Start "chain 2-9 8 -"]\n\n*\n'
    monkeypatch.setattr(reader, "MOST_BITS", 18)
    assert len(read_records(game * 2)) == 2
    with pytest.raises(RecordError, match="Line 13: these boards are too large for one file"):
        read_records(game * 3)
