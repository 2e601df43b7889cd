"""What holds for any command: versions, states of a match, and laws."""

import json
from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from divisorduel import Heading, Match, game, match_to_records, read_records, records_to_match
from divisorduel import write_records as write
from divisorduel.play.commands import (
    Accept,
    CallOff,
    Claim,
    Command,
    Decline,
    Forfeit,
    Join,
    Redo,
    Rematch,
    Take,
    Undo,
)
from divisorduel.play.decide import Decision, begin, decide, expire, fail
from divisorduel.play.events import (
    Ending,
    Event,
    Forfeited,
    MoveUndone,
    NumberTaken,
    RoundBegan,
    RoundsAdded,
    Seat,
)
from divisorduel.record.event_json import event_from_json, event_to_json
from divisorduel.rules.position import Position
from tests.conftest import ALL_KEYS, small_game
from tests.play.example_matches import (
    after,
    against_computer,
    apart,
    chain,
    code,
    events,
    played,
    waiting,
)

# --- versions


def test_a_command_made_for_another_version_is_refused() -> None:
    match = played(apart(), 8)
    for version in (match.version - 1, match.version + 1):
        refusal = decide(match, 2, Take(4), version).refusal
        assert refusal is not None
        assert refusal.code == "stale-version"
    assert decide(match, 2, Take(4), match.version).events == (NumberTaken(4),)


def test_every_accepted_command_increases_the_version_by_one() -> None:
    match = played(against_computer(), 8, 4)
    back = after(match, 1, Undo())
    assert [back.version, after(back, 1, Redo()).version] == [3, 4]


def test_a_refused_command_does_not_change_the_match() -> None:
    match = chain()
    assert decide(match, 1, Take(99)).match == match


# --- refusals of any command, and endings without a command


def test_a_match_waits_until_both_players_have_joined() -> None:
    match = waiting()
    assert match.state == "waiting"
    assert code(match, 1, Take(8)) == "waiting-for-players"
    match = after(match, 2, Join("Bob"))
    assert (match.state, match.names) == ("playing", ("Ann", "Bob"))
    assert events(match, 1, Take(8)) == (NumberTaken(8),)


def test_a_finished_game_cannot_be_played_forfeited_or_claimed() -> None:
    match = after(apart(), 1, Forfeit())
    assert match.state == "over"
    commands: tuple[Command, ...] = (Forfeit(), Claim(), Take(8))
    for command in commands:
        assert code(match, 2, command) == "match-over"


def test_an_unfinished_match_can_expire_and_a_finished_one_cannot() -> None:
    for match in (waiting(), apart(), chain()):
        assert expire(match).match.state == "expired"
        assert expire(match).match.version == match.version + 1
        assert expire(expire(match).match).refusal is not None
    assert expire(after(apart(), 1, Forfeit())).refusal is not None


# --- laws

commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(Take, st.integers(0, 80)),
    st.builds(Take, st.integers(2, 8)),
    st.builds(Take, st.integers(2, 8)),
    st.builds(Join, st.sampled_from(["", "Bob", "Player 1", "Player 2", "Player 2 2"])),
    st.sampled_from([Undo(), Accept(), Undo(), Accept(), Decline(), Rematch()]),
    st.sampled_from([Redo(), Forfeit(), Claim(), CallOff(), Take(10**100)]),
)


def _set_up(match: Match, seats: tuple[tuple[str, str], bool, tuple[bool, bool]]) -> Match:
    return replace(match, kinds=seats[0], apart=seats[1], joined=seats[2])


matches: st.SearchStrategy[Match] = st.builds(
    lambda key, first, then, rounds, undo, seats: _set_up(
        Match.of(small_game(key), first=first, then=then, rounds=rounds, undo=undo), seats
    ),
    st.sampled_from(ALL_KEYS),
    st.sampled_from([1, 2]),
    st.sampled_from(["alternate", "same", "loser"]),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from(
        [
            (("human", "human"), False, (True, True)),
            (("human", "human"), False, (True, True)),
            (("human", "human"), True, (True, True)),
            (("human", "human"), True, (True, False)),
            (("human", "human"), True, (False, False)),
            (("5", "human"), False, (True, True)),
            (("human", "5"), False, (True, False)),
        ]
    ),
)
sequences = st.lists(st.tuples(st.sampled_from([1, 2, 0, 0]), commands), max_size=40)
"""Seats and commands; seat 0 is the player to move."""

Sequence = list[tuple[int, Command]]


def decisions(match: Match, asked: Sequence) -> list[Decision]:
    """Return the decision on each command in turn."""
    made = [begin(match)]
    for given_seat, command in asked:
        match = made[-1].match
        seat: Seat = 1 if given_seat == 1 else 2 if given_seat == 2 else match.current.to_move
        made.append(decide(match, seat, command, match.version))
    return made


def is_legal(match: Match) -> bool:
    """Check a match by replaying every round with the rules alone."""
    for number, round_ in enumerate(match.played, 1):
        position = match.start
        for move in round_.moves:
            position = match.game.play(position, move)
        is_last = number == len(match.played)
        assert round_.position == (position if is_last else Position(0, position.last))
        over = match.game.is_over(position) or round_.forfeit is not None
        assert over == (round_.winner is not None)
        assert over or is_last
    return True


@given(matches, sequences)
def test_a_decision_is_a_refusal_or_events_that_lead_to_its_match(
    start: Match, asked: Sequence
) -> None:
    for decision in decisions(start, asked)[1:]:
        assert (decision.refusal is None) == (decision.events != ())
        if decision.refusal is not None:
            assert decision.match == decision.before
            continue
        match = replace(decision.before, version=decision.before.version + 1)
        for event, shown in decision.applied:
            match = match.after(event)
            assert match == shown
        assert match == decision.match
        written = json.dumps([event_to_json(event) for event in decision.events])
        stored = [event_from_json(data) for data in json.loads(written)]
        *_, (_, replayed) = decision.before.replay(stored)
        assert replayed == match


@given(matches, sequences)
def test_any_commands_leave_the_match_legal(start: Match, asked: Sequence) -> None:
    assert all(is_legal(decision.match) for decision in decisions(start, asked))


def test_only_the_player_to_move_takes_numbers() -> None:
    taken = refused = 0

    @example(chain(), [(1, Take(8)), (1, Take(4)), (2, Take(4))])
    @given(matches, sequences)
    def check(start: Match, asked: Sequence) -> None:
        nonlocal taken, refused
        for (seat, command), decision in zip(asked, decisions(start, asked)[1:], strict=True):
            before = decision.before
            if isinstance(command, Take) and decision.events:
                taken += 1
                assert seat in (0, before.current.to_move)
                assert before.state == "playing"
            elif isinstance(command, Take) and seat not in (0, before.current.to_move):
                refused += 1

    check()
    assert taken
    assert refused


def test_on_two_devices_nothing_is_taken_back_unless_both_agree() -> None:
    kinds_seen: set[type[Event]] = set()
    undone: Sequence = [(1, Take(8)), (1, Undo()), (2, Accept())]
    rematch: Sequence = [(1, Forfeit()), (1, Rematch()), (2, Rematch())]

    @example(apart(), undone + rematch)
    @given(matches, sequences)
    def check(start: Match, asked: Sequence) -> None:
        for (given_seat, _), decision in zip(asked, decisions(start, asked)[1:], strict=True):
            before, first = decision.before, (*decision.events, None)[0]
            if before.apart and isinstance(first, MoveUndone | RoundsAdded):
                kinds_seen.add(type(first))
                assert before.offer is not None
                assert before.offer.by != (given_seat or before.current.to_move)

    check()
    assert kinds_seen == {MoveUndone, RoundsAdded}


@given(matches, sequences)
def test_two_players_never_have_the_same_name(start: Match, asked: Sequence) -> None:
    for decision in decisions(start, asked):
        assert decision.match.names[0] != decision.match.names[1]


def test_a_round_begins_only_when_the_previous_one_is_won() -> None:
    begun = 0

    @example(chain(rounds=2), [(1, Forfeit())])
    @given(matches, sequences)
    def check(start: Match, asked: Sequence) -> None:
        nonlocal begun
        for decision in decisions(start, asked):
            match = decision.before
            for event, shown in decision.applied:
                if isinstance(event, RoundBegan):
                    begun += 1
                    assert match.current.winner is not None
                match = shown

    check()
    assert begun


@given(matches.filter(lambda match: match.undo and all(match.joined)), sequences)
def test_undo_is_the_inverse_of_a_move(start: Match, asked: Sequence) -> None:
    before = decisions(start, asked)[-1].match
    seat = before.current.to_move
    assume(before.state == "playing" and not before.apart)
    moved = after(before, seat, Take(before.game.moves(before.current.position)[0]))
    back = after(moved, seat, Undo())
    assert back.played == before.played
    again = after(back, seat, Redo())
    assert (again.played, again.undone) == (moved.played, moved.undone)


@given(matches, sequences)
def test_a_saved_match_is_restored_without_loss(start: Match, asked: Sequence) -> None:
    # A record does not distinguish a claim from other forfeits.
    asked = [(seat, command) for seat, command in asked if command != Claim()]
    match = decisions(start, asked)[-1].match
    records = match_to_records(match, Heading("name", "2026-11-15"))
    text = write(records)
    assert read_records(text) == records
    live = replace(match, apart=False, joined=(True, True), offer=None, closed=None, version=0)
    assert records_to_match(read_records(text)) == live


@pytest.mark.parametrize("why", ["off", "expired"])
@given(command=commands, seat=st.sampled_from([1, 2]))
def test_a_closed_match_refuses_every_command(why: Ending, command: Command, seat: Seat) -> None:
    match = replace(apart(), closed=why)
    assert match.state == why
    assert code(match, seat, command) == {"off": "called-off", "expired": "closed-expired"}[why]


def test_a_move_is_applied_once() -> None:
    match = played(chain(), 8)
    played_by_rules = type(match.game).after
    with patch.object(type(match.game), "after", autospec=True, side_effect=played_by_rules) as spy:
        decision = decide(match, 2, Take(4), match.version)
        assert decision.match.current.moves == (8, 4)
        assert [decision.match for _ in decision.applied] == [
            shown for _, shown in decision.applied
        ]
    assert spy.call_count == 1


def test_an_engine_that_fails_forfeits_the_round_and_the_match_continues() -> None:
    match = Match.of(game("chain", to=8), kinds=("bot", "human"), rounds=2)
    decision = fail(match, "late")
    assert decision.events == (Forfeited(1, fault="late"), RoundBegan(2))
    assert decision.match.version == match.version + 1
    assert decision.match.score == (0, 1)


def test_only_a_computer_player_can_fail() -> None:
    decision = fail(Match.of(game("chain", to=8)), "late")
    assert decision.refusal is not None
