"""What environments of all kinds share: spaces of actions that know what is legal, observations, rewards, pictures."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from paidia.core.errors import BadInput, IllegalMove
from paidia.core.model import Rules, Situation

__all__ = ["RENDER_MODES", "LegalMoves", "Mask", "box", "observation_space", "observed", "picture", "reward_of"]

Mask = NDArray[np.int8]

RENDER_MODES = ["ansi", "rgb_array", "svg"]


class LegalMoves(gym.spaces.Discrete):
    """Moves by number; `sample` draws a legal one, as the mask of the environment has it just now."""

    def __init__(self, n: int, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(n, seed=seed)
        self.mask: Mask = np.ones(n, np.int8)

    def sample(self, mask: Mask | None = None, probability: Any = None) -> np.int64:
        """A random move: among those of `mask`, else of those that are legal now."""
        if mask is None and probability is None and self.mask.any():
            mask = self.mask
        return super().sample(mask=mask, probability=probability)

    def check(self, action: Any, what: str, name: Any = str) -> int:
        """The number of a legal move; an error that says which are legal otherwise."""
        if isinstance(action, np.ndarray) and action.shape == ():
            action = action.item()
        if isinstance(action, bool) or not isinstance(action, int | np.integer) or not 0 <= action < self.n:
            raise IllegalMove(f"{what}: an action is a number from 0 to {self.n - 1}, not {action!r}")
        if not self.mask[action]:
            legal = np.flatnonzero(self.mask)
            shown = ", ".join(f"{move} ({name(int(move))})" for move in legal[:8]) + (", ..." if len(legal) > 8 else "")
            raise IllegalMove(f"{what}: {action} ({name(int(action))}) is not legal here; legal are {shown}")
        return int(action)


def box(most: int, shape: tuple[int, ...]) -> gym.spaces.Space[NDArray[np.uint8]]:
    """Arrays of bytes from 0 to `most`."""
    space: Any = gym.spaces.Box(0, most, shape, np.uint8)
    return space  # type: ignore[no-any-return]


def observation_space(game: Rules) -> gym.spaces.Space[NDArray[np.uint8]]:
    """What `observed` gives: planes of a board, fluents of a rule sheet, cells by types of a video game."""
    if game.observation_shape is None:
        raise BadInput(f"{game.id} does not show itself as numbers, so it is no environment")
    most = 255 if game.observation_shape == (1024,) else 1  # the text of a game in Python
    return box(most, game.observation_shape)


def observed(state: Situation) -> NDArray[np.uint8]:
    """What can be seen of a state, in a new array."""
    out = np.empty(state.game.observation_shape or (), np.uint8)
    state.observe(out)
    return out


def reward_of(state: Situation, role: int) -> float:
    """What the end is worth to a role: 1 for a goal of 100, -1 for a goal of 0."""
    return 2.0 * float(state.values[role]) - 1.0


def picture(state: Situation, mode: str | None) -> Any:
    """A state as text, as SVG, or as an array of colours; None without a mode."""
    if mode is None:
        return None
    if mode == "ansi":
        return state.draw() + "\n"
    if mode == "svg":
        return state._repr_svg_()
    from paidia.connect.raster import pixels

    return pixels(state)
