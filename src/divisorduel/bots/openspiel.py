"""The rule books as games of OpenSpiel. `register` makes them loadable by name.

A player's reward is 1 for a win and -1 for a loss. An action is the place of a number on the board.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, ClassVar

from divisorduel.bots.action_space import PLANES, ActionSpace, action_space
from divisorduel.rules.catalogue import game, parameters, rule_book, rule_book_keys
from divisorduel.rules.code import write_code
from divisorduel.rules.errors import MissingExtra

try:
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

    from divisorduel.bots.arrays import observation
except ImportError:
    raise MissingExtra("The adapter for OpenSpiel", "openspiel") from None

PREFIX = "divisorduel_"
"""The name of a game is this, followed by the key of its rule book."""


def register() -> None:
    """Register all rule books, so that ``pyspiel.load_game`` finds them.

    ``pyspiel.load_game("divisorduel_chain(to=20,opening=even)")`` is the chain game on the board 2
    to 20. Calling this again changes nothing. OpenSpiel wants a value for every parameter, so a
    rule book without a default board and without a first board is left out.
    """
    known = {*pyspiel.registered_names()}
    for key in rule_book_keys():
        is_complete = _defaults(key).keys() == parameters(key).keys()
        if is_complete and PREFIX + key not in known:
            # A class, not a function: OpenSpiel releases it after Python has ended, and dropping
            # the last reference to a function would then abort the process.
            kind = type(f"Duel_{key}", (DuelGame,), {"key": key, "__doc__": DuelGame.__doc__})
            pyspiel.register_game(_game_type(key), kind)


class DuelGame(pyspiel.Game):
    """A game of ours with its parameters filled in."""

    key: ClassVar[str]
    """The key of the rule book."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Make a game, given the parameters that differ from the defaults. Raises `BoardError`."""
        given = dict(params or {})
        self.space = action_space(game(self.key, **_board(self.key, given)))
        super().__init__(_game_type(self.key), _game_info(self.space), given)

    def new_initial_state(self, state: object = None) -> "DuelState":
        """Return the start of a game. A description of another state is not supported."""
        if state is not None:
            raise ValueError("A game begins at its start. Apply the actions that lead elsewhere.")
        return DuelState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an object that observes states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PositionObserver(self.space, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class DuelState(pyspiel.State):
    """A position, and who moves."""

    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        self.space = game.space
        self.position = self.space.game.start()
        self._mover = 0

    def current_player(self) -> int:
        """Return who moves."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self._mover

    def _legal_actions(self, player: int) -> list[int]:
        return self.space.legal(self.position)

    def _apply_action(self, action: int) -> None:
        self.position = self.space.game.play(self.position, self.space.numbers[action])
        self._mover = 1 - self._mover

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.space.numbers[action])

    def is_terminal(self) -> bool:
        """Tell whether the player to move has no move."""
        return self.space.game.is_over(self.position)

    def returns(self) -> list[float]:
        """Return what each player has won: nothing until the game is over."""
        if not self.is_terminal():
            return [0.0, 0.0]
        return [1.0, -1.0] if self._mover == 1 else [-1.0, 1.0]

    def __str__(self) -> str:
        """Return the position code."""
        return write_code(self.space.game, self.position)


class PositionObserver:
    """Observes a position as rows: the playable numbers, the others, and the last one taken."""

    def __init__(self, space: ActionSpace, params: object) -> None:
        if params:
            raise ValueError(f"An observation has no parameters; these were given: {params}")
        shape = (PLANES, len(space))
        self.tensor = np.zeros(PLANES * len(space), np.float32)
        self.dict = {"observation": np.reshape(self.tensor, shape)}

    def set_from(self, state: DuelState, player: int) -> None:
        """Write a state into the tensor; both players see the same."""
        self.dict["observation"][:] = observation(state.space, state.position)

    def string_from(self, state: DuelState, player: int) -> str:
        """Return the position code."""
        return str(state)


def _game_type(key: str) -> Any:
    book = rule_book(key).book
    kind = pyspiel.GameType
    return kind(
        short_name=PREFIX + key,
        long_name=f"{book.title}: {book.nickname}" if book.nickname else book.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={_sent(name): value for name, value in _defaults(key).items()},
    )


def _game_info(space: ActionSpace) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=len(space),
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=len(space),
    )


def _defaults(key: str) -> dict[str, int | str]:
    """Return the values of parameters: by default, or else on the board for a first game."""
    kind = rule_book(key)
    known: Any = fields(kind)  # type: ignore[arg-type]  # a dataclass
    defaults = {field.name: field.default for field in known if field.default is not MISSING}
    first = {name: value for name, value in kind.book.first_board.items() if name not in defaults}
    return {**defaults, **first}


def _board(key: str, given: Mapping[str, Any]) -> dict[str, int | str]:
    # OpenSpiel has refused unknown parameters.
    names = {_sent(name): name for name in parameters(key)}
    return {**_defaults(key), **{names[name]: value for name, value in given.items()}}


def _sent(parameter: str) -> str:
    """Return the name of a parameter in OpenSpiel; ``from`` is a keyword only in Python."""
    return parameter.rstrip("_")
