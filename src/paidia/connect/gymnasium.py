"""Gymnasium: every game of paidia as an environment.

    import gymnasium
    env = gymnasium.make("paidia.connect.gymnasium:paidia/vine-v0", level="2")

The words before the colon make Gymnasium import this module, which registers the games; after any import of it the id alone
will do. Video games are `paidia/NAME-v0`, boards `paidia/NAME-v0` (a size may follow in `size="6x5"`), rule sheets
`paidia/gdl-NAME-v0`.

**Video games** (`ArcadeEnv`). An action is a number: 0 is NIL, the others are the actions of the avatar's class in its order
(`env.unwrapped.actions` has the names). Where rules turn the avatar into another one without the action, it counts as NIL, as in
the game. An observation is an array of bytes of shape (height, width, types): 1 where a visible sprite of the type covers a part
of the cell. The last axis is in the order of `env.unwrapped.types`; hidden sprites and what has left the level are not shown.
With `observation="ids"` it is an array (height, width) with 1 + the type of the sprite on top of each cell, or 0.
The reward is the change of the score. `terminated` means won or lost by the rules, `truncated` never comes from here: the games
have a limit of ticks of their own. `info` has the score, the winner (1, 0, -1 open) and the tick. `gymnasium.make_vec(id, n)`
gives a `ArcadeVectorEnv`: n games in one kernel.

**Boards and rule sheets** (`RoleEnv`). You play one role, agents of paidia or chance play the others. An action is the number of
a move; `info["action_mask"]` says which are legal, `env.action_space.sample()` draws a legal one, any other is refused (or, with
`illegal="lose"`, loses). An observation are the planes of the board or the fluents of the sheet. The reward comes at the end:
1 won, -1 lost, or between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.envs.registration import register as register_env
from gymnasium.envs.registration import registry
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from paidia.connect.spaces import RENDER_MODES, LegalMoves, box, observation_space, observed, picture, reward_of
from paidia.connect.vector import vector
from paidia.connect.video_lanes import VideoLanes
from paidia.core.arcade import ACTIONS, ArcadeGame, ArcadeState
from paidia.core.budget import Budget
from paidia.core.errors import BadInput, IllegalMove
from paidia.core.game import Game, State
from paidia.core.lanes.vector import Vector
from paidia.core.player import Player
from paidia.core.seeds import spawn
from paidia.games import load_as, worlds
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.players.registry import make_player

__all__ = ["ArcadeEnv", "ArcadeVectorEnv", "RoleEnv", "register"]

Observation = NDArray[np.uint8]


def _check_mode(mode: str | None) -> None:
    if mode is not None and mode not in RENDER_MODES:
        raise BadInput(f"render_mode is one of {', '.join(RENDER_MODES)}, not {mode!r}")


# ---------------------------------------------------------------------------- video games


class ArcadeEnv(gym.Env[Observation, np.int64]):
    """One video game on one level; `game` is an id or a game."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 12}  # noqa: RUF012 (the name is Gymnasium's)

    def __init__(
        self, game: str | ArcadeGame, *, level: str | int = "0", observation: str = "bits", render_mode: str | None = None
    ) -> None:
        self._bits = _is_bits(observation)
        _check_mode(render_mode)
        self.game: ArcadeGame = load_as(ArcadeGame, game, level=str(level)) if isinstance(game, str) else game
        if self.game.n_roles != 1:
            raise BadInput(f"{self.game.id} is a game for two players: paidia.connect.two_player has it")
        if not self._bits and not isinstance(self.game, VgdlGame):
            raise BadInput(f"{self.game.id} is written in Python and is shown in bits only")
        self.types = self.game.types
        self.actions = ("NIL", *(name for name in self.game.initial_state().actions if name != "NIL"))
        self._numbers = [ACTIONS.index(name) for name in self.actions]
        self.render_mode = render_mode
        self.observation_space = _video_space(self.game, self._bits)
        self.action_space = gym.spaces.Discrete(len(self.actions))
        self._shape = (self.game.height, self.game.width, len(self.types))[: 3 if self._bits else 2]
        self._state: ArcadeState = self.game.initial_state()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Start the level anew; chance follows from the seed."""
        super().reset(seed=seed)
        self._state = self.game.initial_state(int(self.np_random.integers(2**63)))
        return self._observe(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play one tick."""
        try:
            if action < 0:
                raise IndexError
            number = self._numbers[action]
        except (IndexError, TypeError):
            known = ", ".join(f"{i} {name}" for i, name in enumerate(self.actions))
            raise IllegalMove(f"{self.game.id}: {action!r} is no action; they are {known}") from None
        state = self._state
        reward = state.play_number(number)
        return self._observe(), reward, state.terminal, False, self._info()

    def clone(self) -> ArcadeState:
        """The whole situation, chance included, to come back to with `restore`."""
        return self._state.copy()

    def restore(self, state: ArcadeState) -> Observation:
        """Go back to a situation that `clone` returned, as often as wanted."""
        self._state.copy_from(state)
        return self._observe()

    def render(self) -> Any:
        """The state as an RGB array, as text, or as SVG."""
        return picture(self._state, self.render_mode)

    def _observe(self) -> Observation:
        out: Observation = np.empty(self._shape, np.uint8)
        if self._bits:
            self._state.observe(out)
        else:
            assert isinstance(self._state, VgdlState)
            self._state.observe_ids(out)
        return out

    def _info(self) -> dict[str, Any]:
        state = self._state
        return {"score": state.score, "winner": state.winner, "tick": state.tick}


def _is_bits(observation: str) -> bool:
    if observation not in ("bits", "ids"):
        raise BadInput(f"an observation is made of bits or ids, not {observation!r}")
    return observation == "bits"


def _video_space(game: ArcadeGame, bits: bool) -> gym.spaces.Space[Observation]:
    if bits:
        return observation_space(game)
    return box(len(game.types), (game.height, game.width))


class ArcadeVectorEnv(gym.vector.VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games of one kind in one kernel call; a lane that is over starts anew with the next step.

    With `copy=False` the arrays that `step` returns are overwritten by the next one. `lanes` is the kernel: its `random_steps`
    plays without coming back to Python, its `state` and `put` copy situations out of and into a lane.
    """

    def __init__(
        self,
        num_envs: int,
        game: str | VgdlGame,
        *,
        level: str | int = "0",
        observation: str = "bits",
        copy: bool = True,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
    ) -> None:
        _check_mode(render_mode)
        if max_episode_steps is not None:
            raise BadInput("the lanes of a video game have no limit of steps but that of the game itself")
        loaded = load_as(VgdlGame, game, level=str(level)) if isinstance(game, str) else game
        self.lanes = VideoLanes(loaded, num_envs, ids=not _is_bits(observation))
        self.num_envs, self.copy, self.render_mode = num_envs, copy, render_mode
        self.metadata = {"render_modes": RENDER_MODES, "render_fps": 12, "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.actions = self.lanes.actions
        self.single_observation_space = _video_space(loaded, not self.lanes.ids)
        self.single_action_space = gym.spaces.Discrete(len(self.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start all games anew, or those of `options["reset_mask"]`."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        drawn = [int(number) for number in self.np_random.integers(2**63, size=self.num_envs)]
        if seed is not None and not isinstance(seed, int):
            drawn = [given if given is not None else own for given, own in zip(seed, drawn, strict=True)]
        self.lanes.reset(drawn, (options or {}).get("reset_mask"))
        return self._out(self.lanes.observations), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One step in every lane."""
        self.lanes.step(actions)
        truncated = np.zeros(self.num_envs, np.bool_)
        lanes = self.lanes
        return self._out(lanes.observations), self._out(lanes.rewards), self._out(lanes.over), truncated, self._info()

    def render(self) -> tuple[Any, ...] | None:
        """A picture of each lane."""
        if self.render_mode is None:
            return None
        return tuple(picture(self.lanes.state(lane), self.render_mode) for lane in range(self.num_envs))

    def _out(self, array: Any) -> Any:
        return array.copy() if self.copy else array

    def _info(self) -> dict[str, Any]:
        lanes = self.lanes
        return {"score": self._out(lanes.scores), "winner": self._out(lanes.winners), "tick": self._out(lanes.ticks)}


# ---------------------------------------------------------------------------- boards and rule sheets


class RoleEnv(gym.Env[Observation, np.int64]):
    """One role of a board or a rule sheet; the others are played by agents.

    Args:
        game: An id, or a game.
        size: Of a board, as in `6x5`.
        role: The number or the name of your role.
        opponents: The agent that plays all other roles: an id of `paidia agents`, a path, or a function that makes a player.
        sims: Simulations per move of the opponents.
        max_steps: A match that lasts longer is truncated.
        illegal: What an illegal move does: `error`, or `lose`, which ends the match with a reward of -1.
        render_mode: `ansi`, `svg` or `rgb_array`.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 (the name is Gymnasium's)

    def __init__(
        self,
        game: str | Game,
        *,
        size: str | None = None,
        role: int | str = 0,
        opponents: Any = "random",
        sims: int = 100,
        max_steps: int = 10_000,
        illegal: str = "error",
        render_mode: str | None = None,
    ) -> None:
        _check_mode(render_mode)
        if illegal not in ("error", "lose"):
            raise BadInput(f"what an illegal move does is error or lose, not {illegal!r}")
        self.game: Game = load_as(Game, f"{game}@{size}" if size else game) if isinstance(game, str) else game
        roles = self.game.roles
        if role not in (*roles, *range(len(roles))):
            raise BadInput(f"{self.game.id} has the roles {', '.join(roles)}, not {role!r}")
        self.role = roles.index(role) if isinstance(role, str) else int(role)
        self.opponents, self.budget, self.max_steps = opponents, Budget(simulations=sims), max_steps
        self.illegal = illegal
        self.render_mode = render_mode
        self.observation_space = observation_space(self.game)
        self.action_space: LegalMoves = LegalMoves(self.game.n_moves)
        self._players: dict[int, Player] = {}
        self._state: State = self.game.initial_state()
        self._steps = 0
        self._info()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Start a new match; the opponents' chance follows from the seed."""
        super().reset(seed=seed)
        own = int(self.np_random.integers(2**63))
        self._state, self._steps = self.game.initial_state(), 0
        self._players = {}
        for other in range(self.game.n_roles):
            if other != self.role:
                player = make_player(self.opponents) if isinstance(self.opponents, str) else self.opponents()
                if (reason := player.cannot_play(self.game, self.budget)) is not None:
                    raise BadInput(f"{self.opponents} cannot play {self.game.id}: {reason}")
                player.begin(self.game, other, state=self._state.copy(), seed=spawn(own, other), budget=None)
                self._players[other] = player
        self._wait()
        return observed(self._state), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play a move, and then all moves until it is your turn again."""
        name = self.game.move_name
        try:
            move = self.action_space.check(action, self.game.id, lambda number: name(self.role, number))
        except IllegalMove:
            if self.illegal == "lose":
                return observed(self._state), -1.0, True, False, self._info()
            raise
        self._play(move)
        self._wait()
        over = self._state.terminal
        reward = reward_of(self._state, self.role) if over else 0.0
        return observed(self._state), reward, over, not over and self._steps >= self.max_steps, self._info()

    def clone(self) -> State:
        """The position, to come back to with `restore`."""
        return self._state.copy()

    def restore(self, state: State) -> Observation:
        """Go back to a position that `clone` returned."""
        self._state.copy_from(state)
        self._info()
        return observed(self._state)

    def render(self) -> Any:
        """The position as text, SVG or an RGB array."""
        return picture(self._state, self.render_mode)

    def _play(self, own: int | None) -> None:
        state = self._state
        joint: list[int | None] = [None] * self.game.n_roles
        joint[self.role] = own
        for role, player in self._players.items():
            if state.legal(role):
                joint[role] = player.act(state.copy(), step=self._steps, budget=self.budget).move
        state.play(joint)
        self._steps += 1

    def _wait(self) -> None:
        """The others play as long as there is nothing for you to do."""
        while not self._state.terminal and not self._state.legal(self.role) and self._steps < self.max_steps:
            self._play(None)

    def _info(self) -> dict[str, Any]:
        legal = self._state.legal(self.role)
        mask = np.zeros(self.game.n_moves, np.int8)
        mask[legal] = 1
        self.action_space.mask = mask
        return {"action_mask": mask, "legal": legal}


class LanesVectorEnv(gym.vector.VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """`paidia.vector` as a vector environment: all roles of a board or a rule sheet are played by whoever calls `step`.

    A reward is that of the role that has just moved (all roles' are in `info["rewards"]`, `info["role"]` is the role to move
    next); where all move at once it is the first role's. A match that has ended is followed by the next one in the same step.

    Args:
        num_envs: Lanes.
        game: An id, or a game.
        device: Where lanes run: "cpu", or "cuda" for rule sheets; arrays come back to the processor.
        threads: Of the processor; all cores if not given.
    """

    def __init__(
        self,
        num_envs: int,
        game: str | Game,
        *,
        device: str = "cpu",
        threads: int | None = None,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
    ) -> None:
        if render_mode is not None or max_episode_steps is not None:
            raise BadInput("lanes draw no pictures and have no limit of steps but that of the rules")
        self.lanes: Vector = vector(game, num_envs, device=device, threads=threads)
        self.num_envs = num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = box(1, self.lanes.observation_shape)
        actions = self.lanes.actions
        self.single_action_space = (
            gym.spaces.Discrete(actions[0]) if len(actions) == 1 else gym.spaces.MultiDiscrete(np.array(actions))
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start all matches anew."""
        if seed is not None and not isinstance(seed, int):
            raise BadInput("lanes have one seed for all: that of lane i follows from it")
        super().reset(seed=seed)
        self.lanes.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
        return self._seen(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play in every lane."""
        moved = np.maximum(_host(self.lanes.current_role), 0)
        rewards, over = (_host(array) for array in self.lanes.step(actions))
        mine = rewards[np.arange(self.num_envs), moved].astype(np.float64)
        info = self._info() | {"rewards": rewards.copy(), "illegal": _host(self.lanes.illegal).copy()}
        return self._seen(), mine, over.copy(), np.zeros(self.num_envs, np.bool_), info

    def _seen(self) -> Observation:
        return _host(self.lanes.observation()).view(np.uint8)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": _host(self.lanes.legal_mask).view(np.int8), "role": _host(self.lanes.current_role)}


def _host(array: Any) -> NDArray[Any]:
    """An array of a device, here."""
    return np.asarray(array if isinstance(array, np.ndarray) else array.get())


# ---------------------------------------------------------------------------- their ids


def register() -> list[str]:
    """Tell Gymnasium about every game of the library; games are loaded only when one is made. Returns the ids."""
    here = "paidia.connect.gymnasium"
    ids = []
    for world in worlds().values():
        if world.name == "vgdl2":  # two avatars: paidia.connect.two_player has them
            continue
        for name in world.ids():
            video = world.name == "vgdl"
            spec = name if world.name == "board" else f"{world.name}:{name}"
            id = f"paidia/{spec.replace(':', '-').removeprefix('vgdl-')}-v0"
            if id not in registry:
                register_env(
                    id,
                    entry_point=f"{here}:{'ArcadeEnv' if video else 'RoleEnv'}",
                    vector_entry_point=f"{here}:{'ArcadeVectorEnv' if video else 'LanesVectorEnv'}",
                    kwargs={"game": spec},
                    nondeterministic=False,
                    order_enforce=True,
                )
            ids.append(id)
    return ids


register()
