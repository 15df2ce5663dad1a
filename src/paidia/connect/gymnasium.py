"""Gymnasium: every video game of the library as an environment `paidia/NAME-v0`.

    import gymnasium
    env = gymnasium.make("paidia.connect.gymnasium:paidia/vine-v0", level="2")

The words before the colon make Gymnasium import this module, which registers the games; after any import of it the id alone
will do.

An action is a number: 0 is NIL, the others are the actions of the avatar's class in its order (`env.unwrapped.actions` has the
names). Where rules turn the avatar into another one without the action, it counts as NIL, as in the game.

An observation is an array of bytes of shape (height, width, types): 1 where a visible sprite of the type covers a part of
the cell. The last axis is in the order of `env.unwrapped.types`; hidden sprites and what has left the level are not shown. With
`observation="ids"` it is an array (height, width) with 1 + the type of the sprite on top of each cell, 0 where there is none.

The reward is the change of the score. `terminated` means won or lost by the rules, `truncated` never comes from here: the
games have a limit of ticks of their own. `info` has the score, the winner (1, 0, -1 open) and the tick.
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.envs.registration import register as register_env
from gymnasium.envs.registration import registry
from numpy.typing import NDArray

from paidia.core.arcade import ArcadeGame, ArcadeState
from paidia.core.errors import BadInput
from paidia.games import load_as
from paidia.games.vgdl import WORLD
from paidia.games.vgdl.engine.game import VgdlState
from paidia.games.vgdl.views.looks import looks_of

__all__ = ["ArcadeEnv", "register"]

Observation = NDArray[np.uint8]


class ArcadeEnv(gym.Env[Observation, np.int64]):
    """One video game on one level."""

    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 12}  # noqa: RUF012 (the name is Gymnasium's)

    def __init__(self, game: str, *, level: str | int = "0", observation: str = "bits", render_mode: str | None = None) -> None:
        if observation not in ("bits", "ids"):
            raise BadInput(f"an observation is made of bits or ids, not {observation!r}")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise BadInput(f"render_mode is one of {', '.join(self.metadata['render_modes'])}, not {render_mode!r}")
        self.game: ArcadeGame = load_as(ArcadeGame, game, level=str(level))
        if self.game.n_roles != 1:
            raise BadInput(f"{game} is a game for two players: paidia.connect.two_player has it")
        self.types = self.game.types
        self.actions = ("NIL", *(name for name in self.game.initial_state().actions if name != "NIL"))
        self.render_mode = render_mode
        self._bits = observation == "bits"
        shape = (self.game.height, self.game.width)
        if self._bits:
            self.observation_space = gym.spaces.Box(0, 1, (*shape, len(self.types)), np.uint8)
        else:
            self.observation_space = gym.spaces.Box(0, len(self.types), shape, np.uint8)
        self.action_space = gym.spaces.Discrete(len(self.actions))
        self._state: ArcadeState = self.game.initial_state()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Start the level anew; chance follows from the seed."""
        super().reset(seed=seed)
        self._state = self.game.initial_state(int(self.np_random.integers(2**63)))
        return self._observe(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play one tick."""
        before = self._state.score
        self._state.play(self.actions[int(action)])
        return self._observe(), float(self._state.score - before), self._state.over, False, self._info()

    def clone(self) -> ArcadeState:
        """The whole situation, chance included, to come back to with `restore`."""
        return self._state.copy()

    def restore(self, state: ArcadeState) -> Observation:
        """Go back to a situation that `clone` returned, as often as wanted."""
        self._state.copy_from(state)
        return self._observe()

    def render(self) -> Any:
        """The state as an RGB array, or as text."""
        assert isinstance(self._state, VgdlState)
        if self.render_mode == "rgb_array":
            from paidia.report.drawing.frames import image

            return np.asarray(image(self._state, looks_of(self._state.game)))
        if self.render_mode == "ansi":
            ids = self._ids()
            return "\n".join("".join(" " if id == 0 else self.types[id - 1][0] for id in row) for row in ids) + "\n"
        return None

    def _observe(self) -> Observation:
        return self._grid() if self._bits else self._ids()

    def _grid(self) -> Observation:
        block, height, width = self.game.block, self.game.height, self.game.width
        grid = np.zeros((height, width, len(self.types)), np.uint8)
        for _, type_, _, x, y in self._state.seen():
            left, top = max(x // block, 0), max(y // block, 0)
            right, bottom = -(-(x + block) // block), -(-(y + block) // block)
            if right > 0 and bottom > 0:
                grid[top:bottom, left:right, type_] = 1
        return grid

    def _ids(self) -> Observation:
        """The sprite on top: avatars above all, then the later type."""
        grid = self._grid()
        ids = (grid * np.arange(1, len(self.types) + 1, dtype=np.uint8)).max(axis=2)
        for _, type_, _, _, _ in self._state.seen(1):
            ids[grid[:, :, type_] == 1] = type_ + 1
        return np.asarray(ids, np.uint8)

    def _info(self) -> dict[str, Any]:
        return {"score": self._state.score, "winner": self._state.winner, "tick": self._state.tick}


def register() -> list[str]:
    """Tell Gymnasium about every game of the library; games are loaded only when one is made. Returns the ids."""
    ids = []
    for name in WORLD.ids():
        id = f"paidia/{name}-v0"
        if id not in registry:
            register_env(
                id,
                entry_point="paidia.connect.gymnasium:ArcadeEnv",
                kwargs={"game": f"vgdl:{name}"},
                nondeterministic=False,
                order_enforce=True,
            )
        ids.append(id)
    return ids


register()
