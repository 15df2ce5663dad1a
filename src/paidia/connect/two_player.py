"""PettingZoo: a video game for two players as a parallel environment.

    from paidia.connect.two_player import TwoPlayerEnv
    env = TwoPlayerEnv("vgdl2:furrows", level="2")
    observations, infos = env.reset(seed=1)
    observations, rewards, terminations, truncations, infos = env.step({"first": 1, "second": 0})

Both agents act in every tick. Actions, observations and rewards are those of `paidia.connect.gymnasium`, each agent with the
actions of its own avatar (`env.actions[agent]` has the names, 0 is NIL) and the change of its own score; both see the whole
level. Both leave when the game is over; an agent whose avatar has died before may send anything, it counts as NIL.
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from pettingzoo import ParallelEnv

from paidia.connect.gymnasium import ArcadeEnv, Observation
from paidia.core.arcade import ACTIONS, ArcadeGame, ArcadeState
from paidia.core.errors import BadInput
from paidia.games import load_as

__all__ = ["TwoPlayerEnv"]


class TwoPlayerEnv(ParallelEnv[str, Observation, int]):  # type: ignore[misc] # PettingZoo has no types
    """One video game for two on one level."""

    metadata = {"name": "paidia_two_player_v0", "render_modes": ["ansi"]}  # noqa: RUF012 (the name is PettingZoo's)

    # What is seen is the same as alone.
    _observe = ArcadeEnv._observe

    def __init__(self, game: str, *, level: str | int = "0", observation: str = "bits", render_mode: str | None = None) -> None:
        if observation not in ("bits", "ids"):
            raise BadInput(f"an observation is made of bits or ids, not {observation!r}")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise BadInput(f"render_mode is ansi, not {render_mode!r}")
        self.game: ArcadeGame = load_as(ArcadeGame, game, level=str(level))
        if self.game.n_roles != 2:
            raise BadInput(f"{game} is a game for one player: paidia.connect.gymnasium has it")
        self.types = self.game.types
        self.render_mode = render_mode
        self._bits = observation == "bits"
        self._state: ArcadeState = self.game.initial_state()
        self.possible_agents = list(self.game.roles)
        self.agents: list[str] = []
        self.actions = {
            agent: ("NIL", *(ACTIONS[move] for move in self._state.legal(role) if ACTIONS[move] != "NIL"))
            for role, agent in enumerate(self.possible_agents)
        }
        shape, most = (self.game.height, self.game.width), len(self.types)
        self._shape = (*shape, most) if self._bits else shape
        box = gym.spaces.Box(0, 1, (*shape, most), np.uint8) if self._bits else gym.spaces.Box(0, most, shape, np.uint8)
        self.observation_spaces = dict.fromkeys(self.possible_agents, box)
        self.action_spaces = {agent: gym.spaces.Discrete(len(names)) for agent, names in self.actions.items()}

    def observation_space(self, agent: str) -> gym.spaces.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gym.spaces.Space[Any]:
        """What an agent may do."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start the level anew; chance follows from the seed."""
        generator = np.random.default_rng(seed)
        self._state = self.game.initial_state(int(generator.integers(2**63)))
        self.agents = list(self.possible_agents)
        return self._views(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play one tick with an action of each agent; one that is missing counts as NIL."""
        before = self._state.scores
        self._state.play([self.actions[agent][int(actions.get(agent, 0))] for agent in self.possible_agents])
        changes = [now - then for now, then in zip(self._state.scores, before, strict=True)]
        rewards = dict(zip(self.possible_agents, changes, strict=True))
        ended = dict.fromkeys(self.possible_agents, self._state.terminal)
        if self._state.terminal:
            self.agents = []
        return self._views(), rewards, ended, dict.fromkeys(self.possible_agents, False), self._infos()

    def render(self) -> str | None:
        """The level as text, where that was asked for."""
        return self._state.draw() if self.render_mode == "ansi" else None

    def state(self) -> Observation:
        """The whole level, which both see."""
        return self._observe()

    def _views(self) -> dict[str, Observation]:
        seen = self._observe()
        return {agent: seen.copy() for agent in self.possible_agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        facts = zip(self.possible_agents, self._state.scores, self._state.winners, strict=True)
        return {agent: {"score": score, "winner": winner, "tick": self._state.tick} for agent, score, winner in facts}
