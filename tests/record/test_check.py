"""A record is legal to its end, or is refused with the reason and its line."""

import pytest

from divisorduel import RecordError, read_records

UNFINISHED = '[Game "chain"]\n[Board "2-8"]\n\n1. 8 *\n'
FINISHED = '[Game "divider"]\n[Board "2-3"]\n\n1. 2 2. 3 0-1\n'


def with_tags(text: str, *tags: str) -> str:
    return text.replace("\n\n", "".join(f"\n[{tag}]" for tag in tags) + "\n\n")


def refused(text: str) -> tuple[int, str]:
    with pytest.raises(RecordError) as caught:
        read_records(text)
    error = caught.value
    return error.line, str(error).removeprefix(f"Line {error.line}: ")


@pytest.mark.parametrize(
    "text",
    [
        UNFINISHED,
        FINISHED,
        with_tags(UNFINISHED, 'Result "*"'),
        with_tags(FINISHED, 'Result "0-1"', 'Termination "no move"'),
        with_tags(FINISHED.replace("0-1", "1-0"), 'First "2"'),
        with_tags(UNFINISHED.replace("*", "1-0"), 'Termination "forfeit"'),
        with_tags(UNFINISHED.replace("*", "0-1"), 'Termination "forfeit"'),
        with_tags(UNFINISHED, 'Player1 "Ann"', 'Player2 "Bob"', 'Kind1 "human"', 'Kind2 "10"'),
        with_tags(UNFINISHED, 'Kind1 "bot"', 'Kind2 "bot:my-engine_2.0"'),
        with_tags(UNFINISHED.replace("*", "1-0"), 'Kind2 "bot"', 'Termination "fault long-line"'),
        with_tags(UNFINISHED, 'Then "loser"', 'Undo "yes"', 'First "1"'),
        with_tags(UNFINISHED, 'Undo "no"', 'Start "chain 2-8 2-8 -"'),
    ],
)
def test_a_record_may_have_every_tag_with_every_value_that_fits(text: str) -> None:
    assert len(read_records(text)) == 1


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (with_tags(UNFINISHED, 'Player1 "Bob"', 'Player2 "Bob"'), 4, "different names"),
        (with_tags(UNFINISHED, 'Player1 "Player 2"', 'Event "x"'), 3, "different names"),
        (with_tags(UNFINISHED, 'Event "x"', 'Player1 " "'), 4, "is not a name"),
        (with_tags(UNFINISHED, 'Event "x"', 'First "0"'), 4, "First must be one of 1, 2."),
        (with_tags(UNFINISHED, 'Start "chain 2-9 2-9 -"'), 3, "a different game or board"),
        (with_tags(UNFINISHED, 'Start "juniper 2-8 2-8 -"'), 3, "a different game or board"),
        (with_tags(UNFINISHED, 'Result "1-0"'), 5, "the tag Result says 1-0"),
        (with_tags(UNFINISHED, 'Termination "forfeit"'), 5, "tag Termination says forfeit"),
        (with_tags(UNFINISHED, 'Termination "no move"'), 5, "tag Termination says no move"),
        (UNFINISHED.replace("*", "1-0"), 4, "moves are left and no player forfeited"),
        (
            with_tags(UNFINISHED.replace("*", "1-0"), 'Termination "no move"'),
            5,
            "moves are left and no player forfeited",
        ),
        (
            with_tags(UNFINISHED.replace("*", "1-0"), 'Termination "wrong number 9"'),
            5,
            "9 is not a number that forfeits this game.",
        ),
        (
            with_tags(FINISHED, 'Termination "wrong number 9"'),
            5,
            "no move was left, but the tag Termination says wrong number 9.",
        ),
        (FINISHED.replace("0-1", "1-0"), 4, "Player 1 has no move left and loses"),
        (
            with_tags(FINISHED, 'First "2"', 'Player1 "Ann"', 'Player2 "Bob"'),
            7,
            "Bob has no move left and loses, but the result is 0-1.",
        ),
        (
            UNFINISHED.replace("8 *", "8\n2. 6 *"),
            5,
            "the move on turn 2 is illegal: 6 neither divides 8",
        ),
        (
            UNFINISHED.replace("8 *", "8\n2. 4 (2. 6) *"),
            5,
            "the move on turn 2 is illegal: 6 neither",
        ),
        (UNFINISHED.replace("8 *", "8 2. 4 (2. 2\n3. 4 4. 8) *"), 5, "8 was taken on turn 1."),
        (
            UNFINISHED.replace("8 *", "8 2. 4 (2. 2 3. 6)\n3. 8 *"),
            5,
            "the move on turn 3 is illegal: 8 was taken on turn 1.",
        ),
    ],
)
def test_what_is_wrong_is_reported_with_its_line(text: str, line: int, reason: str) -> None:
    found_line, found = refused(text)
    assert reason in found
    assert found_line == line


def test_a_number_that_is_ruled_out_is_explained_with_the_player_who_ruled_it_out() -> None:
    text = (
        '[Game "antichain"]\n[Board "2-9"]\n[Player1 "Ann"]\n[Player2 "Bob"]\n\n1. 5 2. 4 3. 8 *\n'
    )
    assert "Bob" in refused(text)[1]
    assert "Ann" in refused(text.replace("3. 8", "3. 9 4. 3"))[1]
    variation = text.replace("3. 8", "3. 9 (3. 3 4. 7 5. 9) 4. 7 5. 6")
    assert refused(variation)[1].startswith(
        "the move on turn 5 is illegal: 9 is a multiple of 3, which Ann"
    )


@pytest.mark.parametrize(
    ("board", "termination", "winner"),
    [
        ("16", "wrong number 3", 1),
        ("16", "wrong number 1", 1),
        ("16", f"wrong number {'9' * 200}", 1),
        ("16", "forfeit", 1),
    ],
)
def test_a_wrong_number_forfeits_descent(board: str, termination: str, winner: int) -> None:
    text = f'[Game "descent"]\n[Board "{board}"]\n[Termination "{termination}"]\n\n1. 8 1-0\n'
    [record] = read_records(text)
    assert record.winner == winner
    assert (record.wrong_number is None) == (termination == "forfeit")


def test_a_wrong_number_does_not_win_for_the_player_who_chose_it() -> None:
    text = '[Game "descent"]\n[Board "16"]\n[Termination "wrong number 3"]\n\n1. 8 0-1\n'
    assert refused(text)[1] == "Player 2 took 3 and lost, but the result is 0-1."


@pytest.mark.parametrize(
    "how", ["wrong number", "wrong number x", f"wrong number {'9' * 201}", "?"]
)
def test_any_other_termination_does_not_count_as_a_forfeit(how: str) -> None:
    text = f'[Game "descent"]\n[Board "16"]\n[Termination "{how}"]\n\n1. 8 1-0\n'
    assert "moves are left and no player forfeited" in refused(text)[1]


@pytest.mark.parametrize("kind", ["bot:", "bot:a b", "bots", "robot", f"bot:{'x' * 41}"])
def test_a_kind_that_is_not_a_player_is_refused(kind: str) -> None:
    line, reason = refused(with_tags(UNFINISHED, f'Kind2 "{kind}"'))
    assert line == 3
    assert reason.startswith("Kind2 must be one of human, random,")
    assert reason.endswith("perfect, bot.")


def test_only_an_engine_can_lose_by_a_fault() -> None:
    won = with_tags(UNFINISHED.replace("*", "1-0"), 'Kind1 "bot"', 'Termination "fault late"')
    assert refused(won)[1] == "only an engine (a player of the kind bot) can lose through a fault."


def test_a_fault_that_is_not_a_word_is_refused() -> None:
    won = with_tags(UNFINISHED.replace("*", "1-0"), 'Kind2 "bot"', 'Termination "fault <b>"')
    assert "no player forfeited" in refused(won)[1]
