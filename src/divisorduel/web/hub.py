"""The hub: the matches that are being played or watched through this process.

A command is decided, written, and only then told to anybody. Other processes may serve the same
matches from the same database: what they write, this one hears of and shows.
"""

import asyncio
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Protocol

from divisorduel.play.commands import Take
from divisorduel.play.events import Refused, Seat
from divisorduel.play.match import Match, other
from divisorduel.play.players import GUESS, HUMAN, GreedyPlayer
from divisorduel.play.room import Claim, Closed, Joined, Room, RoomCommand, RoomEvent, decide
from divisorduel.play.session import MOVED_ON
from divisorduel.record.events import event_to_json
from divisorduel.rules.code import write_code
from divisorduel.store.rooms import Opened, Presence, Rooms, Step
from divisorduel.web.settings import Settings
from divisorduel.web.views import match_view
from divisorduel.web.workers import Busy, NoAnswer, Workers
from divisorduel.web.writer import Writer

LEASE = 30.0
"""How many seconds a player counts as there after the last sign."""
ROUND = 10.0
"""How many seconds pass between two looks at who is there."""
MOST_IDLE = 2_000
"""How many matches that nobody watches are kept at hand."""


class Listener(Protocol):
    """Somebody who is told what happens."""

    seats: int

    def tell(self, message: str) -> None:
        """Pass a message on; must not wait."""

    def dismiss(self) -> None:
        """Let them connect again, if their key still opens the match; must not wait."""


@dataclass(eq=False)
class Live:
    """A match at hand."""

    opened: Opened
    listeners: set[Listener] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    until: dict[Seat, float] = field(default_factory=dict)
    """Until when each player is there, or since when away, as far as other processes know."""
    shown: tuple[bool, bool] | None = None
    thinking: asyncio.Task[None] | None = None
    warned: bool = False
    _view: tuple[int, str] = (-1, "")

    @property
    def room(self) -> Room:
        """The room as it stands."""
        return self.opened.room

    @property
    def view(self) -> str:
        """The match as JSON; it is written once for everybody."""
        if self._view[0] != self.room.version:
            self._view = (self.room.version, dumps(match_view(self.opened)))
        return self._view[1]

    def tell(self, message: str) -> None:
        """Tell everybody."""
        for listener in self.listeners:
            listener.tell(message)

    def is_here(self, seat: Seat) -> bool:
        """Tell whether a player is connected to this very process."""
        return any(listener.seats & seat for listener in self.listeners)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a command: the events it caused, or why it was refused."""

    events: tuple[RoomEvent, ...] = ()
    refused: str = ""
    stale: bool = False
    asks: bool = False
    """Whether it would be carried out if its author were sure."""


def dumps(data: Any) -> str:
    """Write JSON in short."""
    return json.dumps(data, separators=(",", ":"))


class Hub:
    """The matches at hand, and the way to them."""

    def __init__(
        self,
        rooms: Rooms,
        workers: Workers,
        settings: Settings,
        clock: Callable[[], float],
        rng: Random,
    ) -> None:
        self._rooms = rooms
        self._writer = Writer(rooms)
        self._workers = workers
        self._settings = settings
        self._clock = clock
        self._rng = rng
        self._live: dict[str, Live] = {}
        self._opening: dict[str, asyncio.Task[Live | None]] = {}
        self._seen: set[tuple[str, Seat]] = set()
        self._thinking: set[asyncio.Task[None]] = set()

    # --- finding and making matches

    async def create(self, opened: Opened, hashes: dict[str, int]) -> Live:
        """Keep a new match and return it."""
        await self._writer.run(lambda: self._rooms.create(opened, hashes))
        self._forget_idle()
        live = Live(opened, until=dict.fromkeys(_BOTH, opened.created))
        self._live[opened.id] = live
        self._let_computer_move(live)
        return live

    async def find(self, match_id: str) -> Live | None:
        """Return a match, from the database if it is not at hand; None if there is none."""
        if live := self._live.get(match_id):
            return live
        if match_id not in self._opening:
            self._opening[match_id] = asyncio.create_task(self._open(match_id))
        return await asyncio.shield(self._opening[match_id])

    async def _open(self, match_id: str) -> Live | None:
        try:
            opened = await asyncio.to_thread(self._rooms.open, match_id)
            if opened is None:
                return None
            self._forget_idle()
            live = self._live[match_id] = Live(opened)
            await self._look_who_is_there([live])
            self._let_computer_move(live)
            return live
        finally:
            del self._opening[match_id]

    def _forget_idle(self) -> None:
        if len(self._live) < MOST_IDLE:
            return
        for match_id, live in list(self._live.items()):
            if not live.listeners and not live.lock.locked() and live.thinking is None:
                del self._live[match_id]

    async def seats_of(self, match_id: str, hashed: str) -> int | None:
        """Return the seats that a key opens, as bits; None if it opens nothing."""
        return await asyncio.to_thread(self._rooms.seats_of, match_id, hashed)

    async def waiting(self, most: int) -> list[Opened]:
        """Return the matches that anybody may join."""
        return await asyncio.to_thread(self._rooms.waiting, most, self._clock() - LEASE)

    # --- commands

    async def submit(
        self,
        live: Live,
        seat: Seat,
        command: RoomCommand,
        version: int,
        *,
        sure: bool = True,
        new_key: tuple[str, int] | None = None,
    ) -> Outcome:
        """Carry out a player's command; it is on disk when this returns."""
        async with live.lock:
            outcome = await self._decided(live, seat, command, version, sure=sure)
            if outcome.events:
                outcome = await self._take_step(live, outcome.events, new_key)
        self._let_computer_move(live)
        return outcome

    async def _decided(
        self, live: Live, seat: Seat, command: RoomCommand, version: int, *, sure: bool
    ) -> Outcome:
        room = live.room
        if isinstance(command, Claim):
            away = await self._away(live, other(seat))
            if away is None or away < self._settings.claim_after:
                return Outcome(refused=self._cannot_claim(room, seat))
        events = decide(room, seat, command, version)
        if isinstance(events[0], Refused):
            return Outcome(refused=events[0].reason, stale=version != room.version)
        if isinstance(command, Take) and not sure:
            reason = room.match.game.refusal(
                room.match.current.position, command.number, room.match.taken
            )
            if reason:
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
        self, live: Live, events: tuple[RoomEvent, ...], new_key: tuple[str, int] | None = None
    ) -> Outcome:
        after = live.room.after_step(events)
        step = Step(
            match_id=live.opened.id,
            version=after.version,
            events=events,
            at=self._clock(),
            state=after.state if after.state != live.room.state else None,
            new_key=new_key,
        )
        if not await self._writer.write(step):
            await self._catch_up(live)
            return Outcome(refused=MOVED_ON, stale=True)
        self._show(live, events)
        return Outcome(events)

    def _show(self, live: Live, events: tuple[RoomEvent, ...]) -> None:
        live.opened = replace(live.opened, room=live.room.after_step(events))
        if live.listeners:
            told = dumps([event_to_json(event) for event in events])
            live.tell(f'{{"type":"step","events":{told},"match":{live.view}}}')
        for event in events:
            if isinstance(event, Joined) and live.opened.listed:
                # Whoever joins from the list gets a key of their own, and the old one is void.
                for listener in live.listeners:
                    if listener.seats & event.seat:
                        listener.dismiss()

    # --- computer players

    def _let_computer_move(self, live: Live) -> None:
        if live.room.computer_to_move is not None and live.thinking is None:
            live.thinking = asyncio.create_task(self._think(live))
            self._thinking.add(live.thinking)
            live.thinking.add_done_callback(self._thinking.discard)

    async def _think(self, live: Live) -> None:
        try:
            while (kind := live.room.computer_to_move) is not None:
                match, version = live.room.match, live.room.version
                code = write_code(match.game, match.current.position)
                number = await self._choose(live, match, code, kind)
                async with live.lock:
                    seat = live.room.match.current.to_move
                    outcome = await self._decided(live, seat, Take(number), version, sure=True)
                    if outcome.events:
                        await self._take_step(live, outcome.events)
        finally:
            live.thinking = None

    async def _choose(self, live: Live, match: Match, code: str, kind: str) -> int:
        try:
            chosen = await self._workers.ask(
                "choose", code=code, kind=kind, seed=self._rng.getrandbits(32)
            )
        except (NoAnswer, Busy):
            number = GreedyPlayer().choose(match.game, match.current.position, self._rng)
            chosen = {"number": number, "guess": True}
        if chosen["guess"] and not live.warned:
            live.warned = True
            live.tell(dumps({"type": "notice", "text": GUESS.strip("()")}))
        return int(chosen["number"])

    async def ask(self, job: str, **arguments: str | float) -> Any:
        """Let a worker answer a question. Raises `Busy` and `NoAnswer`."""
        return await self._workers.ask(job, **arguments)

    # --- who is there

    async def enter(self, live: Live, listener: Listener) -> None:
        """Let somebody listen from now on."""
        new = [seat for seat in _seats(listener.seats) if not live.is_here(seat)]
        live.listeners.add(listener)
        self._note(live, new, self._clock() + LEASE, news=True)
        self._tell_presence(live)
        # The process that let a computer think about its move may have been killed meanwhile.
        self._let_computer_move(live)

    async def leave(self, live: Live, listener: Listener) -> None:
        """Let somebody go."""
        live.listeners.discard(listener)
        gone = [seat for seat in _seats(listener.seats) if not live.is_here(seat)]
        self._note(live, gone, self._clock(), news=True)
        self._tell_presence(live)

    def saw(self, live: Live, seats: int) -> None:
        """Note that a player has called, without a connection that stays."""
        for seat in _seats(seats):
            if not live.is_here(seat):
                live.until[seat] = self._clock() + LEASE
                self._seen.add((live.opened.id, seat))

    def _note(self, live: Live, seats: Iterable[Seat], until: float, *, news: bool) -> None:
        for seat in seats:
            live.until[seat] = until
            self._seen.discard((live.opened.id, seat))
            self._writer.note(Presence(live.opened.id, seat, until, news))

    def presence(self, live: Live) -> dict[str, Any]:
        """Return who is there, and for how long the others have been away."""
        now = self._clock()
        away = [self._since(live, seat, now) for seat in _BOTH]
        return {
            "present": [gone is None for gone in away],
            "away": [None if gone is None else round(gone, 1) for gone in away],
            "watchers": sum(1 for listener in live.listeners if not listener.seats),
            "claim_after": self._settings.claim_after,
        }

    def _since(self, live: Live, seat: Seat, now: float) -> float | None:
        """Return for how long somebody has been away, None if they are there."""
        if live.is_here(seat) or live.room.match.kinds[seat - 1] != HUMAN:
            return None
        until = live.until.get(seat, live.opened.created)
        return None if until > now else now - until

    async def _away(self, live: Live, seat: Seat) -> float | None:
        if not live.room.apart or live.is_here(seat):
            return None
        await self._look_who_is_there([live])
        return self._since(live, seat, self._clock())

    def _tell_presence(self, live: Live) -> None:
        presence = self.presence(live)
        live.shown = (presence["present"][0], presence["present"][1])
        live.tell(dumps({"type": "presence", "presence": presence}))

    async def _look_who_is_there(self, lives: list[Live]) -> None:
        ids = [live.opened.id for live in lives]
        found = await asyncio.to_thread(self._rooms.who_is_there, ids) if ids else {}
        for live in lives:
            for seat in _BOTH:
                one = (live.opened.id, seat)
                if one in found and one not in self._seen and not live.is_here(seat):
                    live.until[seat] = found[one]

    async def look_around(self) -> None:
        """Renew who is there, and tell those who wait for somebody whose time has run out."""
        until = self._clock() + LEASE
        watched = [live for live in self._live.values() if live.listeners]
        here = {(live.opened.id, s) for live in watched for s in _BOTH if live.is_here(s)}
        self._writer.note(*(Presence(i, s, until) for i, s in here | self._seen))
        self._seen.clear()
        alone = [live for live in watched if not (live.is_here(1) and live.is_here(2))]
        if self._rooms.shared:
            await self._look_who_is_there(alone)
        for live in alone:
            presence = self.presence(live)
            if tuple(presence["present"]) != live.shown:
                self._tell_presence(live)

    # --- the other processes, and time

    async def heard(self, match_id: str) -> None:
        """Look at a match that another process has changed."""
        live = self._live.get(match_id)
        if live is None and match_id in self._opening:  # it may have been read before the change
            live = await asyncio.shield(self._opening[match_id])
        if live is None:
            return
        async with live.lock:
            await self._catch_up(live)
        if live.listeners:
            before = dict(live.until)
            await self._look_who_is_there([live])
            if live.until != before:
                self._tell_presence(live)

    async def heard_nothing(self) -> None:
        """Look at all matches, after a time in which nothing could be heard."""
        for match_id in list(self._live):
            await self.heard(match_id)

    async def _catch_up(self, live: Live) -> None:
        version = live.room.version
        for events in await asyncio.to_thread(self._rooms.steps_after, live.opened.id, version):
            self._show(live, events)

    async def close_old(self) -> None:
        """Close the unfinished matches in which nothing has happened for long."""
        before = self._clock() - self._settings.expire_after
        for match_id in await asyncio.to_thread(self._rooms.unfinished_before, before, 100):
            live = await self.find(match_id)
            if live is None:
                continue
            async with live.lock:
                if live.room.state in ("waiting", "playing"):
                    await self._take_step(live, (Closed("expired"),))

    async def stop(self) -> None:
        """Write down that everybody has gone, and finish."""
        for task in list(self._thinking):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        now = self._clock()
        for live in self._live.values():
            self._note(live, [s for s in _BOTH if live.is_here(s)], now, news=True)
        await self._writer.close()


_BOTH: tuple[Seat, Seat] = (1, 2)


def _seats(bits: int) -> list[Seat]:
    return [seat for seat in _BOTH if bits & seat]
