"""The hub: the matches that are being played or watched through this process.

A command is decided, written, and only then told to anybody. Other processes may serve the same
matches from the same database: what they write, this one hears of and shows.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from weakref import WeakValueDictionary

from sqlalchemy.exc import SQLAlchemyError

from divisorduel.play.commands import Take
from divisorduel.play.events import Forfeited, Refused, Seat
from divisorduel.play.match import Match, other
from divisorduel.play.players import GUESS, GreedyPlayer
from divisorduel.play.room import Claim, Closed, Join, Joined, Room, RoomCommand, RoomEvent, decide
from divisorduel.play.session import MOVED_ON
from divisorduel.rules.code import write_code
from divisorduel.rules.errors import DuelError
from divisorduel.store.rooms import Rooms, Step, StoredMatch
from divisorduel.web.live.batch_writer import BatchWriter
from divisorduel.web.live.live_match import LiveMatch
from divisorduel.web.live.presence import LEASE, PresenceTracker
from divisorduel.web.schemas.messages import NoticeMessage
from divisorduel.web.settings import Settings
from divisorduel.web.solving.solver_pool import LimitExceeded, SolverBusy, SolverPool

MOST_IDLE = 2_000
"""How many matches are kept at hand though nobody may need them."""
SECONDS_TO_WAIT = 4.0
"""How long a computer player waits for its turn to think; then it plays what looks good."""

log = logging.getLogger("divisorduel")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a command: the events it caused, or why it was refused."""

    events: tuple[RoomEvent, ...] = ()
    refused: str = ""
    asks: bool = False
    """Whether it would be carried out if its author were sure."""


class Hub:
    """The matches at hand, and the way to them."""

    def __init__(
        self,
        rooms: Rooms,
        players: SolverPool,
        settings: Settings,
        clock: Callable[[], float],
        rng: Random,
    ) -> None:
        self._rooms = rooms
        self._writer = BatchWriter(rooms)
        self._players = players
        self._settings = settings
        self._clock = clock
        self._rng = rng
        self.attendance = PresenceTracker(rooms, self._writer, settings.claim_after, clock)
        # Whoever uses a match holds it, and so keeps it here: there are never two of one match.
        self._live: WeakValueDictionary[str, LiveMatch] = WeakValueDictionary()
        self._recent: OrderedDict[str, LiveMatch] = OrderedDict()
        self._opening: dict[str, asyncio.Task[LiveMatch | None]] = {}
        self._thinking: set[asyncio.Task[None]] = set()

    # --- finding and making matches

    async def create(self, opened: StoredMatch, hashes: dict[str, int]) -> LiveMatch:
        """Keep a new match and return it."""
        await self._writer.run(lambda: self._rooms.create(opened, hashes))
        live = self._at_hand(LiveMatch(opened, until={1: opened.created, 2: opened.created}))
        self._let_computer_move(live)
        return live

    async def find(self, match_id: str) -> LiveMatch | None:
        """Return a match as it stands, None if there is none of that name."""
        live = self._live.get(match_id)
        if live is None:
            if match_id not in self._opening:
                self._opening[match_id] = asyncio.create_task(self._open(match_id))
            return await asyncio.shield(self._opening[match_id])
        if self._rooms.shared:
            async with live.lock:
                await self._catch_up(live)
        self._let_computer_move(live)  # it may have been hindered
        return self._at_hand(live)

    async def _open(self, match_id: str) -> LiveMatch | None:
        try:
            opened = await asyncio.to_thread(self._rooms.open, match_id)
            if opened is None:
                return None
            live = self._at_hand(LiveMatch(opened))
            await self.attendance.load(live)
            self._let_computer_move(live)
            return live
        finally:
            del self._opening[match_id]

    def _at_hand(self, live: LiveMatch) -> LiveMatch:
        self._live[live.id] = self._recent[live.id] = live
        self._recent.move_to_end(live.id)
        if len(self._recent) > MOST_IDLE:
            self._recent.popitem(last=False)
        return live

    async def let_in(self, match_id: str, hashed: str) -> tuple[LiveMatch, int] | None:
        """Return a match and the seats that a key opens, as bits; None if it opens nothing."""
        live = await self.find(match_id)
        while live is not None:
            joined = live.room.joined
            seats = await asyncio.to_thread(self._rooms.seats_of, match_id, hashed)
            if seats is None:
                return None
            if live.room.joined == joined:  # otherwise the key may be void since it was looked up
                return live, seats
        return None

    async def waiting(self, most: int) -> list[StoredMatch]:
        """Return the matches that anybody may join."""
        return await asyncio.to_thread(self._rooms.waiting, most, self._clock() - LEASE)

    # --- commands

    async def submit(
        self,
        live: LiveMatch,
        seat: Seat,
        command: RoomCommand,
        version: int,
        *,
        sure: bool = True,
        new_key: tuple[str, int] | None = None,
    ) -> Outcome:
        """Carry out a player's command; it is on disk when this returns."""
        sat = live.room.joined[seat - 1]
        async with live.lock:
            if version > live.room.version:
                await self._catch_up(live)  # they have seen what another process did
            if live.room.joined[seat - 1] != sat:
                return Outcome(refused=MOVED_ON)  # somebody has joined, and their key is void
            outcome = await self._decided(live, seat, command, version, sure=sure)
            if outcome.events:
                outcome = await self._take_step(live, outcome.events, new_key)
        if outcome.events and isinstance(command, Join):
            self.attendance.joined(live, seat)
        self._let_computer_move(live)
        return outcome

    async def _decided(
        self, live: LiveMatch, seat: Seat, command: RoomCommand, version: int, *, sure: bool
    ) -> Outcome:
        room = live.room
        if isinstance(command, Claim):
            away = await self.attendance.has_stayed_away(live, other(seat))
            if not away:
                return Outcome(refused=self._cannot_claim(room, seat))
        events = decide(room, seat, command, version)
        match events[0]:
            case Refused(reason):
                return Outcome(refused=reason)
            case Forfeited(_, number, reason) if number is not None and not sure:
                return Outcome(refused=reason, asks=True)
        return Outcome(events)

    def _cannot_claim(self, room: Room, seat: Seat) -> str:
        if not room.apart:
            return "There is nobody to wait for."
        name = room.match.name(other(seat))
        return (
            f"{name} has not been away for long enough: "
            f"a game can be claimed after {self._settings.claim_after:g} seconds."
        )

    async def _take_step(
        self, live: LiveMatch, events: tuple[RoomEvent, ...], new_key: tuple[str, int] | None = None
    ) -> Outcome:
        after = live.room.after_step(events)
        step = Step(
            match_id=live.id,
            version=after.version,
            events=events,
            at=self._clock(),
            state=after.state if after.state != live.room.state else None,
            new_key=new_key,
        )
        if not await self._writer.write(step):
            await self._catch_up(live)
            return Outcome(refused=MOVED_ON)
        self._show(live, events, after)
        return Outcome(events)

    def _show(self, live: LiveMatch, events: tuple[RoomEvent, ...], after: Room) -> None:
        live.show(events, after)
        # Whoever joins gets a key of their own; the one that led there is void.
        for seat in [event.seat for event in events if isinstance(event, Joined)]:
            for listener in [one for one in live.listeners if one.seats & seat]:
                live.listeners.discard(listener)
                listener.dismiss()

    # --- computer players

    def _let_computer_move(self, live: LiveMatch) -> None:
        if live.room.computer_to_move is not None and live.thinking is None:
            live.thinking = asyncio.create_task(self._think(live))
            self._thinking.add(live.thinking)
            live.thinking.add_done_callback(self._thinking.discard)

    async def _think(self, live: LiveMatch) -> None:
        try:
            while (kind := live.room.computer_to_move) is not None:
                match, version = live.room.match, live.room.version
                number = await self._choose(live, match, kind)
                async with live.lock:
                    seat = live.room.match.current.to_move
                    outcome = await self._decided(live, seat, Take(number), version, sure=True)
                    if outcome.events:
                        await self._take_step(live, outcome.events)
        except SQLAlchemyError:
            log.warning("A computer's move could not be kept; it is tried again.")
        finally:
            live.thinking = None

    async def _choose(self, live: LiveMatch, match: Match, kind: str) -> int:
        code = write_code(match.game, match.current.position)
        seed = self._rng.getrandbits(32)
        try:
            chosen = await self._players.run(
                "choose", SECONDS_TO_WAIT, code=code, kind=kind, seed=seed
            )
        except (LimitExceeded, SolverBusy):
            number = GreedyPlayer().choose(match.game, match.current.position, self._rng)
            chosen = {"number": number, "guess": True}
        if chosen["guess"] and not live.warned:
            live.warned = True
            live.tell(NoticeMessage(text=GUESS.strip("()")).model_dump_json())
        return int(chosen["number"])

    # --- the other processes, and time

    async def heard(self, match_ids: Iterable[str]) -> None:
        """Look at matches that another process has changed.

        Those that nobody listens to are looked at when somebody asks for them.
        """
        for match_id in match_ids:
            live = self._live.get(match_id)
            if live is None and match_id in self._opening:  # it may have been read before
                live = await asyncio.shield(self._opening[match_id])
            if live is not None and live.listeners:
                async with live.lock:
                    await self._catch_up(live)
                await self.attendance.sync(live)
                self._let_computer_move(live)

    async def heard_nothing(self) -> None:
        """Look at all matches, after a time in which nothing could be heard."""
        self.attendance.reset()
        await self.heard(list(self._live))

    async def _catch_up(self, live: LiveMatch) -> None:
        for events in await asyncio.to_thread(self._rooms.steps_after, live.id, live.room.version):
            self._show(live, events, live.room.after_step(events))

    async def look_around(self) -> None:
        """Do what is due now and then: see who is there, and let computers move that have not.

        A computer's move can be owed by a process that was killed, or by one that could not write.
        """
        lives = list(self._live.values())
        await self.attendance.refresh(lives)
        for live in lives:
            if live.listeners:
                self._let_computer_move(live)

    async def close_old(self) -> None:
        """Close the unfinished matches in which nothing has happened for long."""
        before = self._clock() - self._settings.expire_after
        for match_id in await asyncio.to_thread(self._rooms.unfinished_before, before, 100):
            try:
                await self._close(match_id)
            except DuelError:
                log.exception("The match %s cannot be read, and so not be closed.", match_id)

    async def _close(self, match_id: str) -> None:
        live = await self.find(match_id)
        if live is None:
            return
        async with live.lock:
            if live.room.state in ("waiting", "playing"):
                await self._take_step(live, (Closed("expired"),))

    async def stop(self) -> None:
        """Write down that everybody has gone, and finish."""
        for task in list(self._thinking):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self.attendance.disconnect_all(list(self._live.values()))
        await self._writer.close()
