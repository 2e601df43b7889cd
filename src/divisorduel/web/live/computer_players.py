"""The computer players of a server: those built in, and the engines."""

import logging
from functools import partial
from random import Random

from divisorduel.play.commands import Command, Forfeit, Take
from divisorduel.play.decide import STALE, Decision, decide, fail
from divisorduel.play.match import Match
from divisorduel.play.players import HUMAN, GreedyPlayer, PlayerFault, PlayerResigned, is_bot
from divisorduel.rules.code import write_code
from divisorduel.rules.errors import DuelError
from divisorduel.web.background import Background
from divisorduel.web.bot_players import BotPlayers
from divisorduel.web.live.live_match import LiveMatch
from divisorduel.web.schemas.messages import NoticeMessage
from divisorduel.web.solving.solver_pool import CHOOSE, SECONDS_TO_WAIT, SolverPool
from divisorduel.words.advice import GUESSING

TWO_PEOPLE = (HUMAN, HUMAN)

log = logging.getLogger("divisorduel")


class ComputerPlayers:
    """Chooses what computer players do."""

    def __init__(
        self, solvers: SolverPool, background: Background, bots: BotPlayers, rng: Random
    ) -> None:
        self._solvers, self._background = solvers, background
        self._bots, self._rng = bots, rng

    def can_move(self, match: Match) -> bool:
        """Return whether it is the turn of a computer player that this server has.

        A match whose engine is missing waits for a server that has it.
        """
        if match.kinds == TWO_PEOPLE:
            return False
        kind = match.computer_to_move
        return kind is not None and (not is_bot(kind) or kind in self._bots.kinds)

    async def choose(self, live: LiveMatch) -> Command | PlayerFault:
        """Return what the computer player to move does, or how an engine has failed."""
        match = live.match
        kind = match.computer_to_move or ""
        if not is_bot(kind):
            return Take(await self._chosen_number(live, match, kind))
        game, position = match.game, match.current.position
        try:
            number, remarks = await self._bots.choose(
                kind, _queue_of(live), game, position, self._rng
            )
        except PlayerResigned:
            return Forfeit()
        except PlayerFault as fault:
            log.warning("The engine %s failed. %s %s", kind, fault, fault.last_words)
            return fault
        for remark in remarks:
            live.broadcast(NoticeMessage(text=remark).model_dump_json())
        return Take(number)

    async def _chosen_number(self, live: LiveMatch, match: Match, kind: str) -> int:
        game, position = match.game, match.current.position
        code, seed = write_code(game, position), self._rng.getrandbits(32)
        address = _queue_of(live)
        try:
            chosen = await self._solvers.run(
                address, CHOOSE, SECONDS_TO_WAIT, code=code, kind=kind, seed=seed
            )
        except DuelError:  # it takes too long, or the solvers are busy
            job = partial(GreedyPlayer().choose, game, position, self._rng)
            number = await self._background.run(job, address=address, long=False, computer=True)
            chosen = {"number": number, "guess": True}
        if chosen["guess"] and not live.warned:
            live.warned = True
            live.broadcast(NoticeMessage(text=GUESSING).model_dump_json())
        return int(chosen["number"])


def _queue_of(live: LiveMatch) -> str:
    """Return the address whose jobs a computer's move waits for."""
    return live.address or f"match {live.id}"


def decide_choice(now: Match, seen: Match, chosen: Command | PlayerFault) -> Decision:
    """Decide what a computer player's choice does, if the match is as it was when it chose."""
    if not isinstance(chosen, PlayerFault):
        return decide(now, seen.current.to_move, chosen, seen.version)
    return fail(now, chosen.fault) if now.version == seen.version else Decision(now, refusal=STALE)
