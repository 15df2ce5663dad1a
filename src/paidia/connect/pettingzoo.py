"""PettingZoo: turn-taking games as AEC environments, simultaneous ones as Parallel environments.

    from paidia.connect.pettingzoo import aec_env, parallel_env
    env = aec_env("connect4")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

Agents are the roles of the game. An observation is a dictionary: `observation` are the planes of the board, the fluents of the
rule sheet, or the cells of the video game by types, the same for every agent; `action_mask` says which moves are legal. An action
is the number of a move; one that is not legal is refused. Rewards come at the end: 1 won, -1 lost, or between; of a video
game the change of its score in every step.

In a Parallel environment every agent acts in every step: where a role has nothing to do, its one legal action is the last one,
which stands for waiting. Any game can be played in parallel; a game in which roles act together can only be played so.
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from pettingzoo import AECEnv, ParallelEnv

from paidia.connect.spaces import RENDER_MODES, LegalMoves, Mask, observation_space, observed, picture, reward_of
from paidia.core.arcade import ArcadeGame, ArcadeState
from paidia.core.errors import BadInput, IllegalMove
from paidia.core.model import Rules, Situation
from paidia.games import load

__all__ = ["GameAEC", "GameParallel", "aec_env", "parallel_env"]

Info = dict[str, Any]


class _Table:
    """A game and the position it stands in: what both kinds of environments share."""

    def __init__(self, game: str | Rules, *, level: str | None, wait: bool, render_mode: str | None, max_steps: int) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadInput(f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        self.game: Rules = load(game, level=level) if isinstance(game, str) else game
        self.possible_agents = list(self.game.roles)
        self.agents = list(self.possible_agents)
        self.metadata = {
            "name": self.game.id,
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 12 if isinstance(self.game, ArcadeGame) else 2,
        }
        self.render_mode, self.max_steps, self.steps = render_mode, max_steps, 0
        self._moves = {name: LegalMoves(self.game.n_moves + wait) for name in self.game.roles}
        seen = gym.spaces.Dict(
            {
                "observation": observation_space(self.game),
                "action_mask": gym.spaces.Box(0, 1, (self.game.n_moves + wait,), np.int8),
            }
        )
        self._seen = dict.fromkeys(self.game.roles, seen)
        self._generator = np.random.default_rng()
        self._wait = wait
        self._position: Situation = self.game.initial_state()

    def observation_space(self, agent: str) -> gym.spaces.Space[Any]:
        """What an agent sees: `observation` and `action_mask`."""
        return self._seen[agent]

    def action_space(self, agent: str) -> gym.spaces.Space[Any]:
        """The moves of a role by number."""
        return self._moves[agent]

    def observe(self, agent: str) -> Info:
        """What an agent sees now."""
        return {"observation": observed(self._position), "action_mask": self._mask(agent)}

    def state(self) -> Any:
        """The whole position as numbers; `position` is the state itself."""
        return observed(self._position)

    @property
    def position(self) -> Situation:
        """The state of the game: to be copied, searched from, or set."""
        return self._position

    @position.setter
    def position(self, state: Situation) -> None:
        self._position.copy_from(state)
        self._show()

    def render(self) -> Any:
        """The position as text, SVG or an RGB array."""
        return picture(self._position, self.render_mode)

    def close(self) -> None:
        """Nothing is left open."""

    def _start(self, seed: int | None) -> None:
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        self.agents, self.steps = list(self.possible_agents), 0
        chance = int(self._generator.integers(2**63))
        self._position = self.game.initial_state()
        self._position.seed(chance)
        self._show()

    def _legal(self, role: int) -> list[int]:
        """The legal moves of a role; of a video game NIL is one, and it is for the avatar to have others."""
        legal = self._position.legal(role)
        return sorted({0, *legal}) if isinstance(self.game, ArcadeGame) and not self._position.terminal else legal

    def _mask(self, agent: str) -> Mask:
        mask = np.zeros(self.game.n_moves + self._wait, np.int8)
        legal = self._legal(self.possible_agents.index(agent))
        mask[legal] = 1
        if self._wait and not legal:
            mask[-1] = 1
        return mask

    def _show(self) -> None:
        for agent, moves in self._moves.items():
            moves.mask = self._mask(agent)

    def _checked(self, agent: str, action: Any) -> int:
        role = self.possible_agents.index(agent)

        def name(number: int) -> str:
            return "wait" if number == self.game.n_moves else self.game.move_name(role, number)

        return self._moves[agent].check(action, f"{self.game.id}, {agent}", name)

    def _play(self, joint: list[int | None]) -> dict[str, float]:
        """Play, and what each role gets for it."""
        state = self._position
        if isinstance(state, ArcadeState):
            gained = state.play_number(joint[0] or 0)
            rewards = dict.fromkeys(self.possible_agents, gained)
        else:
            state.play(joint)
            over = state.terminal
            rewards = {name: reward_of(state, role) if over else 0.0 for role, name in enumerate(self.possible_agents)}
        self.steps += 1
        self._show()
        return rewards


class GameAEC(_Table, AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game in which one role acts at a time. `aec_env` makes one."""

    def __init__(
        self, game: str | Rules, *, level: str | None = None, render_mode: str | None = None, max_steps: int = 100_000
    ) -> None:
        AECEnv.__init__(self)
        _Table.__init__(self, game, level=level, wait=False, render_mode=render_mode, max_steps=max_steps)
        self._who()

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:
        """Start a new game."""
        self._start(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {agent: {} for agent in self.agents}
        self.agent_selection = self._who()

    def step(self, action: Any) -> None:
        """Play the move of `agent_selection`."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = self._checked(agent, action)
        self._cumulative_rewards[agent] = 0.0
        joint: list[int | None] = [None] * self.game.n_roles
        joint[self.possible_agents.index(agent)] = move
        self.rewards = self._play(joint)
        if self._position.terminal:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.possible_agents[(self.possible_agents.index(agent) + 1) % len(self.possible_agents)]
        else:
            self.agent_selection = self._who()
            if self.steps >= self.max_steps:
                self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def _who(self) -> str:
        mover = self._position.mover
        if mover is None:
            raise BadInput(f"{self.game.id}: several roles act at once here; use parallel_env")
        return self.possible_agents[mover]


class GameParallel(_Table, ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A game in which any number of roles act at once. `parallel_env` makes one."""

    def __init__(
        self, game: str | Rules, *, level: str | None = None, render_mode: str | None = None, max_steps: int = 100_000
    ) -> None:
        _Table.__init__(self, game, level=level, wait=True, render_mode=render_mode, max_steps=max_steps)
        self.metadata["is_parallelizable"] = True

    def reset(self, seed: int | None = None, options: Info | None = None) -> tuple[dict[str, Info], dict[str, Info]]:
        """Start a new game."""
        self._start(seed)
        return {agent: self.observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Info], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        """Play a joint move: an action for each agent."""
        if not self.agents:
            raise IllegalMove(f"{self.game.id}: the game is over; reset it")
        if set(actions) != set(self.agents):
            needed, given = ", ".join(self.agents), ", ".join(actions)
            raise IllegalMove(f"{self.game.id}: an action for each of {needed} is needed, not for {given}")
        chosen = [self._checked(agent, actions[agent]) for agent in self.possible_agents]
        rewards = self._play([None if move == self.game.n_moves else move for move in chosen])
        over = self._position.terminal
        late = not over and self.steps >= self.max_steps
        seen = {agent: self.observe(agent) for agent in self.agents}
        told = [dict.fromkeys(self.agents, value) for value in (over, late)]
        infos: dict[str, Info] = {agent: {} for agent in self.agents}
        if over or late:
            self.agents = []
        return seen, rewards, told[0], told[1], infos


def aec_env(game: str | Rules, **settings: Any) -> GameAEC:
    """A turn-taking game; `level`, `render_mode` and `max_steps` may be given."""
    return GameAEC(game, **settings)


def parallel_env(game: str | Rules, **settings: Any) -> GameParallel:
    """A game whose roles act together (or any other); `level`, `render_mode` and `max_steps` may be given."""
    return GameParallel(game, **settings)
