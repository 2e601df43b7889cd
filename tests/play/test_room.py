"""Rooms: joining, offers, and laws that hold whatever is asked."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divisorduel import Match, Session
from divisorduel.play.commands import Forfeit, Redo, Rematch, Take, Undo
from divisorduel.play.events import Forfeited, MoveUndone, NumberTaken, Refused, RoundsAdded, Seat
from divisorduel.play.match import LONGEST_NAME, other
from divisorduel.play.room import (
    MOST_STEPS,
    Accept,
    CallOff,
    Claim,
    Closed,
    Decline,
    Declined,
    Ending,
    Join,
    Joined,
    Offered,
    Room,
    RoomCommand,
    RoomEvent,
    decide,
)
from divisorduel.play.session import MOVED_ON
from divisorduel.record.event_json import event_from_json, event_to_json
from tests.conftest import ALL_KEYS, small_game


def chain(**more: object) -> Match:
    return replace(Match.of(small_game("chain"), names=("Ann", "Player 2")), **more)  # type: ignore[arg-type]  # fields of a match


def apart() -> Room:
    """Return a room in which Ann and Bob play chain 2-8, each at home."""
    room = Room(match=chain(), apart=True, joined=(True, False))
    return after(room, 2, Join("Bob"))


def against_computer(starter: Seat = 1) -> Room:
    return Room(match=Match.of(small_game("chain"), kinds=("human", "5"), first=starter))


def asked(room: Room, seat: Seat, command: RoomCommand) -> tuple[RoomEvent, ...]:
    return decide(room, seat, command, room.version)


def after(room: Room, seat: Seat, command: RoomCommand) -> Room:
    """Return the room after a command that is carried out."""
    events = asked(room, seat, command)
    assert not isinstance(events[0], Refused), events
    return room.after_step(events)


def played(room: Room, *numbers: int) -> Room:
    for number in numbers:
        room = after(room, room.match.current.to_move, Take(number))
    return room


def reason(room: Room, seat: Seat, command: RoomCommand) -> str:
    """Return why a command is refused."""
    [event] = asked(room, seat, command)
    assert isinstance(event, Refused)
    return event.reason


def test_a_match_waits_until_both_have_joined() -> None:
    room = Room(match=chain(), apart=True, joined=(True, False))
    assert room.state == "waiting"
    assert reason(room, 1, Take(8)) == "The match begins when both players have joined."
    room = after(room, 2, Join("Bob"))
    assert (room.state, room.match.names) == ("playing", ("Ann", "Bob"))
    assert asked(room, 1, Take(8)) == (NumberTaken(8),)


def test_whoever_joins_without_a_name_is_called_as_their_seat() -> None:
    room = Room(match=chain(), apart=True, joined=(True, False))
    assert asked(room, 2, Join()) == (Joined(2, "Player 2"),)


def test_nobody_takes_a_seat_that_is_taken() -> None:
    assert reason(apart(), 2, Join("Eve")) == "Somebody sits there already."
    assert reason(apart(), 1, Join("Eve")) == "Somebody sits there already."


@pytest.mark.parametrize(
    ("host", "told_apart"),
    [
        ("Ann", "Ann 2"),
        ("Ann 2", "Ann 2 B"),
        ("Player 2", "Player 2 B"),
        ("x" * LONGEST_NAME, "x" * (LONGEST_NAME - 2) + " 2"),
        ("x" * (LONGEST_NAME - 2) + " 2", "x" * (LONGEST_NAME - 2) + " B"),
    ],
)
def test_two_players_of_one_name_are_told_apart(host: str, told_apart: str) -> None:
    room = Room(match=chain(names=(host, "somebody")), apart=True, joined=(True, False))
    assert asked(room, 2, Join(host)) == (Joined(2, told_apart),)


def test_nobody_moves_out_of_turn() -> None:
    assert reason(apart(), 2, Take(8)) == "It is not your turn."
    assert reason(played(apart(), 8), 1, Take(4)) == "It is not your turn."


def test_a_command_made_for_another_version_is_refused() -> None:
    room = played(apart(), 8)
    for version in (room.version - 1, room.version + 1):
        assert decide(room, 2, Take(4), version) == (Refused(MOVED_ON),)


@pytest.mark.parametrize("seat", [1, 2])
def test_whoever_forfeits_loses_though_it_is_not_their_turn(seat: Seat) -> None:
    for room in (apart(), played(apart(), 8)):
        assert asked(room, seat, Forfeit()) == (Forfeited(seat),)
        assert after(room, seat, Forfeit()).match.current.winner == other(seat)


@pytest.mark.parametrize("seat", [1, 2])
def test_whoever_claims_a_game_wins_it(seat: Seat) -> None:
    away = apart().match.name(other(seat))
    assert asked(apart(), seat, Claim()) == (Forfeited(other(seat), reason=f"{away} stayed away."),)
    after_it = after(apart(), seat, Claim()).match.current
    assert after_it.winner == seat
    assert after_it.forfeit == Forfeited(other(seat), reason=f"{away} stayed away.")


def test_a_match_that_has_become_too_long_takes_no_more_steps() -> None:
    commands: tuple[RoomCommand, ...] = (Take(8), Undo(), Forfeit(), Rematch())
    almost = replace(apart(), version=MOST_STEPS - 1)
    room = after(almost, 1, Take(8))
    for command in commands:
        told = "This has become a very long match. Start a new one!"
        assert reason(room, 2, command) == told
    alone = replace(played(against_computer(), 8), version=MOST_STEPS)
    assert alone.computer_to_move is None


def test_a_game_that_is_over_can_be_neither_given_up_nor_claimed_nor_played() -> None:
    room = after(apart(), 1, Forfeit())
    assert room.state == "over"
    commands: tuple[RoomCommand, ...] = (Forfeit(), Claim(), Take(8))
    for command in commands:
        assert reason(room, 2, command) == "The game is over."


def test_a_match_is_called_off_only_before_anybody_joins() -> None:
    waiting = Room(match=chain(), apart=True, joined=(True, False))
    assert asked(waiting, 1, CallOff()) == (Closed("off"),)
    assert after(waiting, 1, CallOff()).state == "off"
    assert reason(apart(), 1, CallOff()) == "Both players have joined: play on."


commands: st.SearchStrategy[RoomCommand] = st.one_of(
    st.builds(Take, st.integers(0, 80)),
    st.builds(Take, st.integers(2, 8)),
    st.builds(Take, st.integers(2, 8)),
    st.builds(Join, st.sampled_from(["", "Bob", "Player 1", "Player 2", "Player 2 2"])),
    st.sampled_from([Undo(), Accept(), Undo(), Accept(), Decline(), Rematch()]),
    st.sampled_from([Redo(), Forfeit(), Claim(), CallOff()]),
)


@pytest.mark.parametrize("why", ["off", "expired"])
@given(command=commands, seat=st.sampled_from([1, 2]))
def test_a_closed_room_refuses_everything(why: Ending, command: RoomCommand, seat: Seat) -> None:
    room = replace(apart(), closed=why)
    assert room.state == why
    assert reason(room, seat, command).startswith("This match was ")


def test_an_undo_is_offered_and_happens_when_it_is_accepted() -> None:
    room = played(apart(), 8, 4)
    assert asked(room, 2, Undo()) == (Offered("undo", 2),)
    room = after(room, 2, Undo())
    assert room.match.current.moves == (8, 4)
    assert reason(room, 2, Undo()) == "You have asked already."
    assert reason(room, 2, Accept()) == "There is nothing to accept."
    room = after(room, 1, Accept())
    assert (room.match.current.moves, room.offer) == ((8,), None)


def test_whoever_asks_to_undo_gets_back_to_their_own_move() -> None:
    room = after(played(apart(), 8, 4), 1, Undo())
    assert asked(room, 2, Accept()) == (MoveUndone(4), MoveUndone(8))


def test_who_has_not_moved_has_nothing_to_undo() -> None:
    assert reason(played(apart(), 8), 2, Undo()) == "There is no move of yours to undo."
    assert reason(apart(), 1, Undo()) == "There is no move to undo."


def test_an_offer_that_is_declined_is_gone_and_may_be_made_again() -> None:
    room = after(played(apart(), 8), 1, Undo())
    assert asked(room, 2, Decline()) == (Declined(2),)
    room = after(room, 2, Decline())
    assert (room.offer, room.match.current.moves) == (None, (8,))
    assert reason(room, 2, Accept()) == "There is nothing to accept."
    assert reason(room, 2, Decline()) == "There is nothing to decline."
    assert asked(room, 1, Undo()) == (Offered("undo", 1),)


def test_an_offer_can_be_taken_back_by_whoever_made_it() -> None:
    room = after(played(apart(), 8), 1, Undo())
    assert after(room, 1, Decline()).offer is None


def test_an_offer_lapses_when_somebody_moves() -> None:
    room = played(after(played(apart(), 8), 1, Undo()), 4)
    assert room.offer is None
    assert reason(room, 2, Accept()) == "There is nothing to accept."


def test_two_who_ask_for_the_same_both_want_it() -> None:
    over = after(played(apart(), 8), 1, Forfeit())
    room = after(over, 1, Rematch())
    assert room.offer == Offered("rematch", 1)
    assert isinstance(asked(room, 2, Rematch())[0], RoundsAdded)
    room = after(room, 2, Rematch())
    assert (room.state, room.match.rounds, room.offer) == ("playing", 2, None)


def test_an_offer_that_crosses_another_kind_of_offer_replaces_it() -> None:
    over = played(apart(), 8, 2, 6, 3)
    assert over.state == "over"
    room = after(after(over, 1, Rematch()), 2, Undo())
    assert room.offer == Offered("undo", 2)
    assert after(room, 1, Accept()).match.current.moves == (8, 2, 6)


def test_a_rematch_is_offered_only_after_the_match() -> None:
    assert reason(apart(), 1, Rematch()) == "The match is not over yet."


def test_a_rematch_that_is_accepted_begins() -> None:
    room = after(after(after(apart(), 1, Forfeit()), 2, Rematch()), 1, Accept())
    assert (len(room.match.played), room.match.current.starter) == (2, 2)


def test_no_move_is_made_again_by_people_apart() -> None:
    room = after(after(played(apart(), 8), 1, Undo()), 2, Accept())
    assert room.match.undone == (8,)
    told = "Moves are made again only where both players sit together."
    assert reason(room, 1, Redo()) == told


def test_against_a_computer_undo_takes_back_both_moves_and_redo_makes_both_again() -> None:
    room = played(against_computer(), 8, 4)
    back = after(room, 1, Undo())
    assert back.match.current.moves == ()
    assert after(back, 1, Redo()).match == room.match


def test_while_the_computer_thinks_undo_takes_back_one_move() -> None:
    room = played(against_computer(), 8)
    assert room.computer_to_move == "5"
    assert asked(room, 1, Undo()) == (MoveUndone(8),)


def test_the_computer_keeps_its_first_move() -> None:
    room = played(against_computer(starter=2), 8)
    assert reason(room, 1, Undo()) == "There is no move of yours to undo."


def test_beside_a_friend_undo_takes_back_one_move_at_once() -> None:
    room = played(Room(match=chain()), 8, 4)
    assert asked(room, 1, Undo()) == (MoveUndone(4),)
    assert asked(room, 2, Undo()) == (MoveUndone(4),)


def test_where_undo_was_not_agreed_it_is_not_even_offered() -> None:
    room = replace(played(apart(), 8), match=played(Room(match=chain(undo=False)), 8).match)
    assert reason(room, 1, Undo()) == "This match is played without undo."


rooms = st.builds(
    lambda key, first, then, rounds, undo, sitting: Room(
        match=Match.of(
            small_game(key), first=first, then=then, rounds=rounds, undo=undo, kinds=sitting[0]
        ),
        apart=sitting[1],
        joined=sitting[2],
    ),
    st.sampled_from(ALL_KEYS),
    st.sampled_from([1, 2]),
    st.sampled_from(["alternate", "same", "loser"]),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from(
        [
            (("human", "human"), False, (True, True)),
            (("human", "human"), True, (True, True)),
            (("human", "human"), True, (True, False)),
            (("human", "human"), True, (False, False)),
            (("5", "human"), False, (True, True)),
            (("human", "5"), False, (True, False)),
        ]
    ),
)
seated = st.tuples(st.sampled_from([1, 2]), commands)
sequences = st.lists(seated, max_size=40)


def begun(room: Room) -> Room:
    session = Session(room.match)
    session.begin()
    return replace(room, match=session.match)


@given(rooms, sequences)
def test_the_room_is_the_sum_of_its_events_as_they_are_kept(
    start: Room, asked_for: list[tuple[Seat, RoomCommand]]
) -> None:
    room = kept = begun(start)
    for seat, command in asked_for:
        events = decide(room, seat, command, room.version)
        assert events
        if isinstance(events[0], Refused):
            assert len(events) == 1
            continue
        assert not any(isinstance(event, Refused) for event in events)
        room = room.after_step(events)
        written = json.dumps([event_to_json(event) for event in events])
        kept = kept.after_step(tuple(event_from_json(data) for data in json.loads(written)))
        assert kept == room
        assert kept.version == room.version


@given(rooms, sequences)
def test_only_the_player_to_move_takes_numbers(
    start: Room, asked_for: list[tuple[Seat, RoomCommand]]
) -> None:
    room = begun(start)
    for seat, command in asked_for:
        events = decide(room, seat, command, room.version)
        if isinstance(events[0], NumberTaken) and isinstance(command, Take):
            assert seat == room.match.current.to_move
            assert room.state == "playing"
        if not isinstance(events[0], Refused):
            room = room.after_step(events)


@given(rooms, sequences)
def test_people_apart_take_nothing_back_unless_both_ask_for_it(
    start: Room, asked_for: list[tuple[Seat, RoomCommand]]
) -> None:
    room = begun(start)
    for seat, command in asked_for:
        events = decide(room, seat, command, room.version)
        if isinstance(events[0], MoveUndone | RoundsAdded) and room.apart:
            assert room.offer is not None
            assert room.offer.by == other(seat)
        if not isinstance(events[0], Refused):
            room = room.after_step(events)


@given(rooms, sequences)
def test_two_players_never_have_the_same_name(
    start: Room, asked_for: list[tuple[Seat, RoomCommand]]
) -> None:
    room = begun(start)
    for seat, command in asked_for:
        events = decide(room, seat, command, room.version)
        if not isinstance(events[0], Refused):
            room = room.after_step(events)
        assert room.match.names[0] != room.match.names[1]
