"""The rule books as environments of Gymnasium: one agent against a player of ours.

``env("chain", opponent="perfect", to=20)`` is the chain game on the board 2 to 20. Once this
module is imported, ``gymnasium.make("divisorduel/Solo-v0", key="chain", to=20)`` also makes one.
"""

from random import Random
from typing import Any

from divisorduel.bots.action_space import PLANES, action_space
from divisorduel.play.events import Seat
from divisorduel.play.players import PLAYERS, Judge, UnknownPlayer
from divisorduel.rules.catalogue import game
from divisorduel.rules.errors import MissingExtra, one_of
from divisorduel.words.board_rules import position_text

try:
    import gymnasium
    import numpy as np
    from gymnasium.spaces import Box, Discrete

    from divisorduel.bots.arrays import Flags, action_mask, observation
except ImportError:
    raise MissingExtra("The adapter for Gymnasium", "pettingzoo") from None


ID = "divisorduel/Solo-v0"
"""The name of the environment in Gymnasium's registry."""


def env(
    key: str,
    opponent: str = "perfect",
    *,
    seat: Seat | None = 1,
    render_mode: str | None = None,
    **board: int | str,
) -> "SoloEnv":
    """Return the environment of a game, given its rule book and board.

    The agent moves first in seat 1 and second in seat 2; with None, each game draws the seat.
    Raises `BoardError` or `UnknownPlayer`.
    """
    return SoloEnv(key, opponent, seat=seat, render_mode=render_mode, **board)


class SoloEnv(gymnasium.Env[Flags, int]):
    """A game against a computer player. A win is worth 1, a loss -1.

    An action is the place of a number on the board. The info has the mask of the legal actions; an
    illegal action loses the game. If the opponent's first move ends the game, the mask is empty,
    and the next action, whatever it is, loses.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  # Gymnasium declares it

    def __init__(
        self,
        key: str,
        opponent: str = "perfect",
        *,
        seat: Seat | None = 1,
        render_mode: str | None = None,
        **board: int | str,
    ) -> None:
        if opponent not in PLAYERS:
            raise UnknownPlayer(f"Unknown player {opponent!r}. Choose {one_of(PLAYERS)}.")
        self.space = action_space(game(key, **board))
        self.seat = seat
        self.render_mode = render_mode
        self.observation_space = Box(0, 1, (PLANES, len(self.space)), np.int8)
        self.action_space = Discrete(len(self.space))  # type: ignore[assignment]  # ints of NumPy
        self._opponent = PLAYERS[opponent](Judge())

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Flags, dict[str, Any]]:
        """Begin a new game; the opponent moves if it has the first move."""
        super().reset(seed=seed)
        self._rng = Random(int(self.np_random.integers(2**63)))  # noqa: S311  # a game
        self.position = self.space.game.start()
        if (self.seat or self._rng.choice((1, 2))) == 2:
            self._answer()
        return observation(self.space, self.position), self._info()

    def step(self, action: int) -> tuple[Flags, float, bool, bool, dict[str, Any]]:
        """Take a number, and let the opponent answer."""
        rules = self.space.game
        if int(action) not in self.space.legal(self.position):
            return self._after(-1.0)
        self.position = rules.after(self.position, self.space.numbers[int(action)])
        if rules.is_over(self.position):
            return self._after(1.0)
        self._answer()
        return self._after(-1.0 if rules.is_over(self.position) else 0.0)

    def render(self) -> str | None:
        """Return the position in words, if the render mode is ``ansi``."""
        return position_text(self.space.game, self.position) if self.render_mode else None

    def _answer(self) -> None:
        move = self._opponent.choose(self.space.game, self.position, self._rng)
        self.position = self.space.game.after(self.position, move)

    def _after(self, reward: float) -> tuple[Flags, float, bool, bool, dict[str, Any]]:
        seen = observation(self.space, self.position)
        return seen, reward, reward != 0, False, self._info()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": action_mask(self.space, self.position)}


gymnasium.register(ID, f"{__name__}:{SoloEnv.__name__}")
