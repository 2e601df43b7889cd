"""Positions and legal moves as NumPy arrays, for learning frameworks."""

import numpy as np
from numpy.typing import NDArray

from divisorduel.bots.action_space import PLANES, ActionSpace
from divisorduel.rules.position import Position

Flags = NDArray[np.int8]


def observation(space: ActionSpace, position: Position) -> Flags:
    """Return a position as rows of flags: the playable numbers, the others, the last one taken.

    Both players see the same, and the rows determine the position.
    """
    flags = np.zeros((PLANES, len(space)), np.int8)
    for row, places in enumerate(space.planes(position)):
        flags[row, places] = 1
    return flags


def action_mask(space: ActionSpace, position: Position) -> Flags:
    """Return a flag for each action: whether it is a legal move."""
    flags = np.zeros(len(space), np.int8)
    flags[space.legal(position)] = 1
    return flags
