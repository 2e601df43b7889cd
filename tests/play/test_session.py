"""The session: versions, and laws that hold whatever is asked of it."""

from hypothesis import assume, given
from hypothesis import strategies as st

from divisorduel import Heading, Match, Session, match_to_records, read_records, records_to_match
from divisorduel import write_records as write
from divisorduel.play.commands import Command, Forfeit, Redo, Rematch, Take, Undo
from divisorduel.play.events import NumberTaken, Refused, RoundBegan
from tests.conftest import ALL_KEYS, small_game

commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(Take, st.integers(0, 80)),
    st.builds(Take, st.integers(2, 8)),
    st.just(Undo()),
    st.just(Redo()),
    st.sampled_from([Forfeit(), Rematch(), Take(10**100)]),
)

matches = st.builds(
    lambda key, first, then, rounds, undo: Match.of(
        small_game(key), first=first, then=then, rounds=rounds, undo=undo
    ),
    st.sampled_from(ALL_KEYS),
    st.sampled_from([1, 2]),
    st.sampled_from(["alternate", "same", "loser"]),
    st.integers(1, 3),
    st.booleans(),
)


def test_a_command_made_for_an_older_version_is_refused() -> None:
    session = Session(Match.of(small_game("chain")))
    session.submit(Take(8), version=0)
    [event] = session.submit(Take(4), version=0)
    assert isinstance(event, Refused)
    assert session.match.current.moves == (8,)
    assert session.submit(Take(4), version=1) == (NumberTaken(4),)


def test_a_refused_command_leaves_the_version_alone() -> None:
    session = Session(Match.of(small_game("chain")))
    session.submit(Take(99))
    assert session.version == 0


def is_legal(match: Match) -> bool:
    """Replay every round with the rules alone."""
    for number, played in enumerate(match.played, 1):
        position = match.start
        for move in played.moves:
            position = match.game.play(position, move)
        assert position == played.position
        over = match.game.is_over(position) or played.forfeit is not None
        assert over == (played.winner is not None)
        assert over or number == len(match.played)
    return True


@given(matches, st.lists(commands, max_size=40))
def test_whatever_is_asked_the_match_stays_legal(match: Match, asked: list[Command]) -> None:
    session = Session(match)
    session.begin()
    for command in asked:
        session.submit(command)
        assert is_legal(session.match)


@given(matches, st.lists(commands, max_size=40))
def test_whoever_watches_the_events_sees_the_same_match(match: Match, asked: list[Command]) -> None:
    session, seen = Session(match), match
    for events in [session.begin(), *map(session.submit, asked)]:
        for event in events:
            seen = seen.after(event)
    assert seen == session.match


@given(matches, st.lists(commands, max_size=30))
def test_undo_is_the_inverse_of_a_move(match: Match, asked: list[Command]) -> None:
    session = Session(match)
    session.begin()
    for command in asked:
        session.submit(command)
    before = session.match
    assume(before.undo and not before.over)
    move = next(iter(before.game.moves(before.current.position)))
    session.submit(Take(move))
    after = session.match
    session.submit(Undo())
    assert session.match.played == before.played
    session.submit(Redo())
    assert session.match == after


@given(matches, st.lists(commands, max_size=40))
def test_a_saved_match_resumes_equal(match: Match, asked: list[Command]) -> None:
    session = Session(match)
    session.begin()
    for command in asked:
        session.submit(command)
    records = match_to_records(session.match, Heading("name", "2026-11-15"))
    text = write(records)
    assert read_records(text) == records
    assert records_to_match(read_records(text)) == session.match


@given(matches, st.lists(commands, max_size=40))
def test_rounds_begin_only_when_the_one_before_is_won(match: Match, asked: list[Command]) -> None:
    session = Session(match)
    session.begin()
    for command in asked:
        before = session.match
        for event in session.submit(command):
            if isinstance(event, RoundBegan):
                assert before.current.winner is not None
            before = before.after(event)
