"""Records are read and written without loss, and wrong ones are refused with a reason."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel import Game, Line, Ply, Record, RecordError, Tag, game, read_records, write_records
from divisorduel.record.check import check_record
from divisorduel.record.model import DEEPEST
from divisorduel.record.writer import WIDTH
from divisorduel.rules.errors import BoardError

GAME = """\
[Game "chain"]
[Board "2-50"]
[Player1 "Ann"]
[Player2 "Bob \\"the \\\\ rook\\""]
[Result "1-0"]

{A short one.} 1. 8 2. 4 {Safe?} (2. 2 3. 46 {wins} 4. 23 (4. 2)) {Yes \\} no.} 3. 12
4. 6 5. 2 6. 46 7. 23 1-0
"""


def refused(text: str | bytes) -> RecordError:
    with pytest.raises(RecordError) as caught:
        read_records(text)
    return caught.value


def test_a_record_holds_tags_moves_comments_variations_and_a_result() -> None:
    [record] = read_records(GAME.replace(" (4. 2)", ""))
    assert record.names == ("Ann", 'Bob "the \\ rook"')
    assert record.moves == (8, 4, 12, 6, 2, 46, 23)
    assert record.line.intro == ("A short one.",)
    variation = Line((Ply(2), Ply(46, ("wins",)), Ply(23)))
    assert record.line.plies[1].notes == ("Safe?", variation, "Yes } no.")
    assert record.result == "1-0"
    assert record.winner == 1
    assert record.game == game("chain")
    assert record.game.is_over(list(record.positions())[-1])


def test_a_record_is_written_as_it_was_read() -> None:
    text = GAME.replace(" (4. 2)", "").replace("3. 12\n4. 6", "3. 12 4. 6")
    written = write_records(read_records(text))
    assert read_records(written) == read_records(text)
    assert write_records(read_records(written)) == written


def test_a_variation_is_checked_like_the_game_itself() -> None:
    error = refused(GAME)
    assert error.line == 7
    assert "the move on turn 4 is illegal: 2 was taken on turn 2." in str(error)


def test_a_file_can_hold_several_games() -> None:
    text = write_records([*read_records(MINIMAL), *read_records(MINIMAL)])
    assert len(read_records(text)) == 2


MINIMAL = '[Game "divider"]\n[Board "2-3"]\n\n1. 2 2. 3 0-1\n'


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no game"),
        ("hello", 1, "is not a move"),
        ("12 13 *", 1, "begins with its tags"),
        (b"\xff\xfe\x00", 1, "UTF-8"),
        (b'[Game "chain"]\n\xc3\x28', 2, "UTF-8"),
        (MINIMAL.replace("2-3", "2-3\x00"), 2, "not allowed in a record"),
        ("\n" + MINIMAL.replace("2-3", "2-3\x00"), 3, "not allowed in a record"),
        ('[Game "divider"]\n', 1, "ends before its moves"),
        (MINIMAL.replace(" 0-1", ""), 4, "ends before its result"),
        (MINIMAL.replace("3 0-1", ""), 4, "ends before its result"),
        (MINIMAL.replace("2. 3", "2. 0-1 3"), 4, "no move follows"),
        (MINIMAL.replace("1. 2", "2. 2"), 4, "turn 1 is expected"),
        (MINIMAL.replace("3 0-1", "3 {x 0-1"), 4, "no closing"),
        (MINIMAL.replace("3 0-1", "3 ( 0-1"), 4, "inside a variation"),
        (MINIMAL.replace("3 0-1", "3 ) 0-1"), 4, "no matching"),
        (MINIMAL.replace("3 0-1", "3 () 0-1"), 4, "has no move"),
        (MINIMAL.replace("1. 2", "(1. 3) 1. 2"), 4, "must follow the move"),
        (MINIMAL.replace("3 0-1", "x 0-1"), 4, "'x' is not a move"),
        (MINIMAL.replace("3 0-1", '3\n[Game "x"]'), 5, "the result is missing"),
        (MINIMAL.replace("[Board", "[Board "), 2, "not a tag"),
        (MINIMAL.replace("Board", "Bored"), 1, "tag Board is missing"),
        (MINIMAL.replace("Board", "Game"), 2, "twice"),
        (MINIMAL.replace("divider", "chess"), 2, "Unknown game"),
        (MINIMAL.replace("2-3", "3-2"), 2, "is empty"),
        (MINIMAL.replace("0-1", "1-0"), 4, "Player 1 has no move left and loses"),
        (MINIMAL.replace("0-1", "*"), 4, "has no move left"),
        (MINIMAL.replace(" 2. 3", ""), 4, "no player forfeited"),
        (MINIMAL.replace("\n\n", '\n[Result "*"]\n\n'), 5, "tag Result says"),
        (MINIMAL.replace("\n\n", '\n[Result "2-0"]\n\n'), 3, "Result must be one of"),
        (MINIMAL.replace("\n\n", '\n[First "3"]\n\n'), 3, "First must be one of"),
        (MINIMAL.replace("\n\n", '\n[Kind2 "11"]\n\n'), 3, "Kind2 must be one of"),
        (MINIMAL.replace("\n\n", '\n[Kind1 "11"]\n\n'), 3, "Kind1 must be one of"),
        (MINIMAL.replace("\n\n", '\n[Undo "never"]\n\n'), 3, "Undo must be one of yes, no"),
        (MINIMAL.replace("\n\n", '\n[Then "never"]\n\n'), 3, "Then must be one of"),
        (
            MINIMAL.replace("\n\n", '\n[Start "divider 2-9 2 -"]\n\n'),
            3,
            "a different game or board",
        ),
        (MINIMAL.replace("\n\n", '\n[Start "x"]\n\n'), 3, "four parts"),
        (MINIMAL.replace("\n\n", '\n[Termination "forfeit"]\n\n'), 5, "Termination says forfeit"),
        (
            MINIMAL.replace("2. 3", "2. 2"),
            4,
            "the move on turn 2 is illegal: 2 was taken on turn 1",
        ),
        (
            MINIMAL.replace("2. 3", "2. 9"),
            4,
            "the move on turn 2 is illegal: 9 is not on the board",
        ),
    ],
)
def test_a_damaged_record_is_refused_with_the_line_and_the_reason(
    text: str | bytes, line: int, reason: str
) -> None:
    error = refused(text)
    assert error.line == line
    assert re.search(re.escape(reason), str(error))


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (Record(()), "a record needs at least the tags Game and Board."),
        (Record((Tag("Game", "divider"),)), "the tag Board is missing."),
        (
            Record((Tag("Game", "divider"), Tag("Board", "2-3")), Line((Ply(9),))),
            "the move on turn 1 is illegal: 9 is not on the board (2 to 3).",
        ),
        (
            Record((Tag("Game", "divider"), Tag("Board", "2-3")), Line((Ply(2),)), "1-0"),
            "the result is 1-0, but moves are left and no player forfeited.",
        ),
    ],
)
def test_a_record_that_was_not_read_from_text_is_refused_without_a_line_number(
    record: Record, reason: str
) -> None:
    with pytest.raises(RecordError) as caught:
        check_record(record)
    assert (str(caught.value), caught.value.line) == (reason, 0)


def test_windows_line_endings_and_a_byte_order_mark_are_accepted() -> None:
    assert read_records(b"\xef\xbb\xbf" + MINIMAL.replace("\n", "\r\n").encode()) == read_records(
        MINIMAL
    )


def test_a_forfeit_is_recorded_with_its_kind() -> None:
    text = '[Game "descent"]\n[Board "16"]\n[Termination "wrong number 3"]\n\n1. 8 1-0\n'
    assert read_records(text)[0].winner == 1
    assert "not a number that forfeits" in str(refused(text.replace("number 3", "number 4")))
    chain = text.replace("descent", "chain").replace('"16"', '"2-16"')
    assert "not a number that forfeits" in str(refused(chain))


def test_variations_may_not_be_nested_too_deeply() -> None:
    text = MINIMAL.replace("2. 3 0-1", "2. 3 " + "(2. 3 " * 5000)
    assert "100 deep" in str(refused(text))


def nested(depth: int) -> Line:
    """Return a line of divider 2-3 with variations in variations."""
    variation: tuple[Line, ...] = ()
    for _ in range(depth):
        variation = (Line((Ply(3, variation),)),)
    return Line((Ply(2), Ply(3, variation)))


def test_variations_as_deep_as_allowed_are_written_and_read() -> None:
    record = Record((Tag("Game", "divider"), Tag("Board", "2-3")), nested(DEEPEST), "0-1")
    text = write_records([record])
    assert text.count("(") == DEEPEST
    assert read_records(text) == (record,)
    assert "nested more than 100 deep" in str(refused(text.replace(")", "(2. 3))", 1)))


def test_variations_deeper_than_allowed_are_not_written() -> None:
    with pytest.raises(RecordError, match="may be nested at most 100 deep"):
        write_records([Record((), nested(DEEPEST + 1))])


def body(*intro: str) -> str:
    """Return what is written below the tags of a game with one move."""
    return write_records([Record((Tag("Game", "x"),), Line((Ply(2),), intro))]).split("\n\n")[1]


def test_a_line_is_filled_to_its_width_and_no_further() -> None:
    full, over = "x" * (WIDTH - len("{} 1. 2 *")), "x" * (WIDTH + 1 - len("{} 1. 2 *"))
    assert body(full) == f"{{{full}}} 1. 2 *\n"
    assert body(over) == f"{{{over}}} 1. 2\n*\n"
    assert len(body(full)) == WIDTH + len("\n")


def test_a_line_has_at_most_80_characters() -> None:
    for length in range(60, 79):
        assert max(map(len, body("x" * length).splitlines())) <= 80
    [line] = body("x" * 71).splitlines()
    assert len(line) == 80


def test_a_long_word_at_the_start_has_no_empty_line_before_it() -> None:
    for length in (WIDTH - 2, WIDTH - 1, WIDTH, 3 * WIDTH):
        long = "x" * length
        assert body(long) == f"{{{long}}}\n1. 2 *\n"


def test_after_a_multi_line_comment_only_its_last_line_counts() -> None:
    first, last = "x" * WIDTH, "y" * (WIDTH - len("} 1. 2 *"))
    assert body(f"{first}\n{last}") == f"{{{first}\n{last}}} 1. 2 *\n"
    assert body(f"{first}\n{last}y") == f"{{{first}\n{last}y}} 1. 2\n*\n"
    assert body("a", f"{'x' * (WIDTH - 5)}\nb") == f"{{a}} {{{'x' * (WIDTH - 5)}\nb}} 1. 2 *\n"
    assert body("a", f"{'x' * (WIDTH - 4)}\nb") == f"{{a}}\n{{{'x' * (WIDTH - 4)}\nb}} 1. 2 *\n"


def test_a_record_can_start_from_a_given_position() -> None:
    text = '[Game "divider"]\n[Board "2-9"]\n[Start "divider 2-9 5,7 -"]\n\n1. 5 2. 7 0-1\n'
    [record] = read_records(text)
    assert record.start.numbers == (5, 7)


texts = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)
comments = st.lists(st.one_of(texts, st.sampled_from(["a\nb", "{", "}", "\\", " x "])), max_size=2)


@st.composite
def lines(draw: st.DrawFn, left: tuple[int, ...], depth: int = 0) -> Line:
    """Draw a line of divider on primes, where every order of the numbers is legal."""
    order = draw(st.permutations(left))
    if depth:
        order = order[: draw(st.integers(1, len(order)))]
    plies = []
    for at, move in enumerate(order):
        rest = tuple(order[at:]) if not depth else tuple(n for n in left if n not in order[:at])
        notes: list[str | Line] = [*draw(comments)]
        if depth < 2 and draw(st.booleans()):
            notes.append(draw(lines(rest, depth + 1)))
            notes += draw(comments)
        plies.append(Ply(move, tuple(notes)))
    return Line(tuple(plies), tuple(draw(comments)))


@given(lines((3, 5, 7)), st.dictionaries(st.sampled_from(["Event", "Site", "X1"]), texts))
def test_any_valid_record_is_read_back_unchanged(line: Line, extra: dict[str, str]) -> None:
    tags = (
        Tag("Game", "divider"),
        Tag("Board", "3-7:2"),
        *(Tag(name, value) for name, value in extra.items()),
    )
    record = Record(tags, line, "1-0")
    check_record(record)
    assert read_records(write_records([record])) == (record,)


@pytest.mark.parametrize(
    "record",
    [
        Record((Tag("Game", "a\nb"),)),
        Record((Tag("not a name", "x"),)),
        Record((Tag("Game", "\x00"),)),
        Record((), Line((), ("\x1b",))),
        Record((), Line((Ply(2, (Line(),)),))),
    ],
)
def test_an_invalid_record_is_not_written(record: Record) -> None:
    with pytest.raises(RecordError):
        write_records([record])


SHORT = '[Game "chain"]\n[Board "2-8"]\n\n8 *\n'


def test_more_games_than_the_limit_are_refused() -> None:
    assert len(read_records(SHORT * 3, most=3)) == 3
    with pytest.raises(RecordError, match=r"^Line 12: there are more than 2 games here\.$"):
        read_records(SHORT * 3, most=2)


def test_nothing_beyond_the_limit_is_read() -> None:
    with pytest.raises(RecordError, match="there are more than 1 games here"):
        read_records(SHORT * 2 + "nonsense", most=1)


def test_a_board_that_is_not_allowed_is_refused_before_a_move_is_played_on_it() -> None:
    def allowed(chosen: Game) -> None:
        if chosen.board != "2-8":
            raise BoardError("Only small boards, please.")

    illegal = '[Game "chain"]\n[Board "2-50"]\n\n8 9 *\n'
    assert len(read_records(SHORT, allowed=allowed)) == 1
    with pytest.raises(RecordError, match=r"^Line 6: Only small boards, please\.$"):
        read_records(SHORT + illegal, allowed=allowed)
    with pytest.raises(RecordError, match="Only small boards, please"):
        check_record(Record((Tag("Game", "chain"), Tag("Board", "2-50"))), allowed)
