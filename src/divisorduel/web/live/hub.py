"""The hub: the matches that are played or watched through this process.

A command is decided, then written, and only then broadcast. Other processes may serve the same
matches from the same database: the hub is notified when they write, and catches up.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from sqlalchemy.exc import SQLAlchemyError

from divisorduel.play.commands import Claim, Command, Join, Take
from divisorduel.play.decide import STALE, Decision, decide, expire
from divisorduel.play.events import Closed, Event, Forfeited, Joined, Seat
from divisorduel.play.match import Match, other
from divisorduel.rules.refusal import Refusal
from divisorduel.store.rooms import Rooms, Step, StoredMatch, UnreadableMatch, record_of
from divisorduel.web.background import Background
from divisorduel.web.live.batch_writer import BatchWriter
from divisorduel.web.live.clocks import Clocks
from divisorduel.web.live.computer_players import ComputerPlayers, decide_choice
from divisorduel.web.live.live_match import Listener, LiveMatch
from divisorduel.web.live.lobby import Lobby
from divisorduel.web.live.match_cache import MatchCache
from divisorduel.web.live.presence import PresenceTracker
from divisorduel.web.server_settings import ServerSettings
from divisorduel.web.solving.fair_queue import ServerBusy

MOST_STEPS = 20_000
"""How many commands a match may have. Loading a match replays them all."""
STEPS_AT_A_TIME = 50
"""How many steps of other processes are published before other clients get a turn."""

log = logging.getLogger("divisorduel")


@dataclass(frozen=True, slots=True)
class CommandResult(Decision):
    """The outcome of a command."""

    asks: bool = False
    """Whether the command will be carried out if the player confirms it."""


MoveMade = Callable[[Decision | Exception, str | None], None]
"""Takes the outcome of a move, or what went wrong, and the step for the author of the move."""


class Hub:
    """Carries out what players and computer players do, and tells everyone who follows a match."""

    def __init__(
        self,
        rooms: Rooms,
        background: Background,
        settings: ServerSettings,
        clocks: Clocks,
        computers: ComputerPlayers,
    ) -> None:
        self._rooms, self._background = rooms, background
        self._settings, self._clocks = settings, clocks
        self._computers = computers
        self._writer = BatchWriter(rooms)
        self.presence = PresenceTracker(rooms, self._writer, settings.claim_after, clocks)
        self.lobby = Lobby(rooms, background, clocks)
        self.matches = MatchCache(rooms, background, self.presence)
        self._tasks: set[asyncio.Task[None]] = set()

    # --- finding and making matches

    async def create(
        self, stored: StoredMatch, hashes: dict[str, int], address: str = ""
    ) -> LiveMatch:
        """Store a new match and return it."""
        # Moves wait for the writer, so the record is written elsewhere.
        write, is_long = partial(record_of, stored), len(stored.match.played) > 1
        record = await self._background.run(write, address=address, long=is_long)
        await self._writer.run(lambda: self._rooms.insert(stored, hashes, record))
        live = self.matches.add(LiveMatch(stored, address=address))
        self.presence.begin(live)
        self.lobby.note(live)
        self.lobby.read_again()
        self._start_computer(live)
        return live

    async def find(self, match_id: str, address: str = "") -> LiveMatch | None:
        """Return a match as it is now, or None if there is no match with that id.

        If it must be loaded, that is done for a client at this address. Raises `UnreadableMatch`.
        """
        live = self.matches.get(match_id)
        if live is None:
            live = await self.matches.load(match_id, address)
            if live is None:
                return None
        elif self._rooms.shared:
            await self._share_catching_up(live)
        self._start_computer(live)  # an earlier attempt may have failed
        return self.matches.add(live)

    def _forget(self, live: LiveMatch) -> None:
        """Disconnect everyone from a match that can no longer be read."""
        self.matches.remove(live)
        for listener in list(live.listeners):
            listener.dismiss()

    async def authorize(
        self, match_id: str, hashed: str, address: str = ""
    ) -> tuple[LiveMatch, int] | None:
        """Return a match and the seats that a key opens, as bits; None if the key is invalid.

        Raises `UnreadableMatch`.
        """
        # Only the holder of a key makes the server load a match.
        if self.matches.get(match_id) is None and await self.seats_of(match_id, hashed) is None:
            return None
        live = await self.find(match_id, address)
        while live is not None:
            joined = live.match.joined
            seats = await self.seats_of(match_id, hashed)
            if seats is None:
                return None
            if live.match.joined == joined:  # a player who joins replaces the key
                live.address = address if seats and address else live.address
                if seats:
                    self.lobby.note(live)
                return live, seats
        return None

    async def seats_of(self, match_id: str, hashed: str) -> int | None:
        """Return the seats that a key opens, as bits: 0 for spectators, None if it is invalid."""
        return await asyncio.to_thread(self._rooms.seats_of, match_id, hashed)

    # --- commands

    async def submit(
        self,
        live: LiveMatch,
        seat: Seat,
        command: Command,
        version: int,
        *,
        sure: bool = True,
        new_key: tuple[str, int] | None = None,
    ) -> CommandResult:
        """Carry out a player's command; it is on disk when this returns.

        Unless the player is `sure`, a wrong number that would forfeit the game is refused, and the
        result asks for confirmation.
        """
        had_joined = live.match.joined[seat - 1]
        async with live.lock:
            if version > live.match.version:
                await self._catch_up(live)  # the player has seen what another process wrote
            if live.match.joined[seat - 1] != had_joined:
                return CommandResult(live.match, refusal=STALE)  # the key has been replaced
            decision = decide(live.match, seat, command, version)
            refusal = decision.refusal or await self._objection(live, seat, command)
            if refusal is not None:
                outcome = CommandResult(live.match, refusal=refusal)
            elif not sure and (refusal := _wrong_number(decision)):
                outcome = CommandResult(live.match, refusal=refusal, asks=True)
            else:
                outcome = await self._commit(live, decision, new_key)
        if outcome.applied and isinstance(command, Join):
            self.presence.joined(live, seat)
        self._start_computer(live)
        return outcome

    def start_move(
        self,
        live: LiveMatch,
        seat: Seat,
        move: Take,
        version: int,
        author: Listener,
        then: MoveMade,
        *,
        sure: bool,
    ) -> bool:
        """Begin to do what `submit` does for a move, but without a task.

        Return False, and do nothing, if the match is busy or the move is refused. Otherwise `then`
        is called when the move is on disk and everyone but the author has been told.
        """
        if version != live.match.version or version >= MOST_STEPS or live.lock.is_held:
            return False
        try:
            decision = decide(live.match, seat, move, version)
        except Exception:  # a faulty rule book; `submit` reports it
            return False
        if decision.refusal is not None or not (sure or _wrong_number(decision) is None):
            return False
        live.lock.acquire_now()
        step = self._step(live, decision)
        self._writer.add(step, partial(self._finish_move, live, decision, author, then))
        return True

    def _finish_move(
        self,
        live: LiveMatch,
        decision: Decision,
        author: Listener,
        then: MoveMade,
        written: bool | Exception,
    ) -> None:
        if written is False:
            self._start(self._lose_move(live, then))
            return
        outcome: Decision | Exception = written if isinstance(written, Exception) else decision
        message = None
        if outcome is decision:
            try:
                message = self._publish(live, decision.applied, author)
            except Exception as error:
                outcome = error
        live.lock.release()
        self._start_computer(live)
        then(outcome, message)

    async def _lose_move(self, live: LiveMatch, then: MoveMade) -> None:
        """Catch up with another process, which was faster than the author of a move."""
        outcome: Decision | Exception
        try:
            await self._catch_up(live)
            outcome = Decision(live.match, refusal=STALE)
        except Exception as error:
            outcome = error
        finally:
            live.lock.release()
        then(outcome, None)

    async def _objection(self, live: LiveMatch, seat: Seat, command: Command) -> Refusal | None:
        """Return why this server refuses a command that the match allows."""
        if live.match.version >= MOST_STEPS:
            return Refusal("too-many-steps")
        away = other(seat)
        if isinstance(command, Claim) and not await self.presence.has_stayed_away(live, away):
            seconds = f"{self._settings.claim_after:g}"
            return Refusal("claim-too-early", {"name": live.match.name(away), "seconds": seconds})
        return None

    async def _commit(
        self, live: LiveMatch, decision: Decision, new_key: tuple[str, int] | None = None
    ) -> CommandResult:
        """Write what was decided, then broadcast it."""
        if not await self._writer.write(self._step(live, decision, new_key)):
            await self._catch_up(live)
            return CommandResult(live.match, refusal=STALE)
        before = live.match
        self._publish(live, decision.applied)
        return CommandResult(before, decision.applied)

    def _step(
        self, live: LiveMatch, decision: Decision, new_key: tuple[str, int] | None = None
    ) -> Step:
        """Return what was decided, as it is written."""
        before, after = live.match.state, decision.match.state
        state = after if after != before else None
        now, version = self._clocks.wall(), decision.match.version
        return Step(live.id, version, decision.events, now, state, new_key)

    def _publish(
        self,
        live: LiveMatch,
        applied: tuple[tuple[Event, Match], ...],
        author: Listener | None = None,
    ) -> str | None:
        """Broadcast what is on disk to everyone but the author. Return the message."""
        message = live.advance(applied, author)
        rare = [event for event, _ in applied if isinstance(event, Joined | Closed)]
        if rare:
            self.lobby.read_again()
            # A player who joins gets a new key; the old one is no longer valid.
            joined = sum(event.seat for event in rare if isinstance(event, Joined))
            for listener in [one for one in live.listeners if one.seats & joined]:
                live.discard(listener)
                listener.dismiss()
        return message

    # --- computer players

    def _start_computer(self, live: LiveMatch) -> None:
        if self._is_computers_turn(live) and live.thinking is None:
            live.thinking = self._start(self._think(live))

    def _is_computers_turn(self, live: LiveMatch) -> bool:
        return self._computers.can_move(live.match) and live.match.version < MOST_STEPS

    async def _think(self, live: LiveMatch) -> None:
        try:
            while self._is_computers_turn(live):
                match = live.match
                chosen = await self._computers.choose(live)
                async with live.lock:
                    decision = decide_choice(live.match, match, chosen)
                    if decision.refusal is None:
                        await self._commit(live, decision)
        except (SQLAlchemyError, UnreadableMatch, ServerBusy):
            log.warning("A computer's move could not be made. Trying again later.")
        finally:
            live.thinking = None

    # --- other processes, and regular tasks

    async def resync(self, match_ids: Iterable[str]) -> None:
        """Catch up with changes by other processes, in matches that are followed here."""
        for match_id in match_ids:
            with suppress(UnreadableMatch):  # it was reported, and the others can be read
                await self._resync(match_id)

    async def _resync(self, match_id: str) -> None:
        if live := self.matches.get(match_id):
            if live.lock.is_held:  # the others do not wait for its commands
                self._start(self._resync_later(match_id))
            else:
                await self._resync_live(live)
        elif self.matches.is_loading(match_id):  # nor for that
            self._start(self._resync_later(match_id))

    async def _resync_later(self, match_id: str) -> None:
        """Catch up with a match that is busy, or may have been read before it changed."""
        with suppress(UnreadableMatch, SQLAlchemyError):  # both are reported
            if live := await self.matches.loaded(match_id):
                await self._resync_live(live)

    async def _resync_live(self, live: LiveMatch) -> None:
        if live.listeners:
            await self._share_catching_up(live)
            await self.presence.sync(live)
            self._start_computer(live)

    async def resync_all(self) -> None:
        """Catch up with all matches, after notifications may have been lost."""
        self.presence.reset()
        await self.resync([live.id for live in self.matches.all()])

    async def _share_catching_up(self, live: LiveMatch) -> None:
        """Catch up once for all who ask before it begins, so that commands wait only once."""
        if live.catching_up is None:
            live.catching_up = self._start(self._catch_up_once(live))
        await asyncio.shield(live.catching_up)

    async def _catch_up_once(self, live: LiveMatch) -> None:
        async with live.lock:
            live.catching_up = None
            await self._catch_up(live)

    async def _catch_up(self, live: LiveMatch) -> None:
        read = partial(self._rooms.steps_after, live.id, live.match.version)
        try:
            steps = await asyncio.to_thread(read)
        except UnreadableMatch:
            self._forget(live)
            raise
        for number, events in enumerate(steps, 1):
            self._publish(live, tuple(live.match.replay(events)))
            if number % STEPS_AT_A_TIME == 0:
                await asyncio.sleep(0)

    async def refresh(self) -> None:
        """Renew the presence of connected players, and make overdue computer moves.

        A move can be overdue because its process was killed or could not write.
        """
        lives = self.matches.all()
        self.lobby.refresh(lives)
        await self.presence.refresh(lives)
        for live in lives:
            if live.listeners:
                self._start_computer(live)

    async def close_expired(self) -> None:
        """Close the unfinished matches in which nothing has happened for a long time."""
        before = self._clocks.wall() - self._settings.expire_after
        for match_id in await asyncio.to_thread(self._rooms.unfinished_before, before, 100):
            try:
                await self._close_expired(match_id)
            except UnreadableMatch:  # it was reported, and set aside
                continue
            except SQLAlchemyError:
                raise
            except Exception:
                log.exception("Match %s could not be closed.", match_id)

    async def _close_expired(self, match_id: str) -> None:
        if live := await self.find(match_id):
            async with live.lock:
                if (decision := expire(live.match)).applied:
                    await self._commit(live, decision)

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Do something in a task of its own, until the hub stops."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def stop(self) -> None:
        """Write that all players have left, and stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.presence.disconnect_all(self.matches.all())
        await self._writer.close()


def _wrong_number(decision: Decision) -> Refusal | None:
    """Return what is wrong with a number that would forfeit the game."""
    first = decision.applied[0][0]
    if isinstance(first, Forfeited) and first.wrong_number is not None:
        return decision.before.move_refusal(first.wrong_number)
    return None
