"""Many games of one kind, stepped together: the one face of vector environments. Numpy and nothing of paidia but its errors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from paidia.core.errors import BadInput

__all__ = ["FORMS", "Vector", "mixed"]

#: What an observation may be made of: bytes 0 and 1 as truth values, floats 0 and 1, or eight facts in a byte.
FORMS = ("bool", "float", "packed")

GOLDEN = 0x9E3779B97F4A7C15


def mixed(z: Any) -> Any:
    """A number from 64 random bits for each of an array's (SplitMix64), in place."""
    kind = z.dtype.type
    z ^= z >> kind(30)
    z *= kind(0xBF58476D1CE4E5B9)
    z ^= z >> kind(27)
    z *= kind(0x94D049BB133111EB)
    z ^= z >> kind(31)
    return z


class Vector(ABC):
    """Lanes of one game: lane i is an independent match, and a match that ends is followed by the next one at once.

    Arrays live on the `device` and have `__dlpack__`: `torch.from_dlpack(vector.legal_mask)` copies nothing. They are written
    to again by the next step.

    Attributes:
        lanes: How many.
        device: "cpu" or "cuda".
        roles: Names of the roles.
        actions: By action of a step: how many moves it chooses from. One action where the roles take turns (that of the role
            to move), else one for each role.
        observation_shape: Of one lane.
        rewards: (lanes, roles) float32, of the last step. In board games and rule sheets: the goal, 0 to 1, where a match has
            ended, else 0. In video games: the change of the score.
        terminated: (lanes,) bool: whether a match has ended with the last step; the lane shows the start of the next one.
        illegal: (lanes,) bool: whether the last action was not legal; the first legal move was played then.
    """

    lanes: int
    device: str
    roles: tuple[str, ...]
    actions: tuple[int, ...]
    observation_shape: tuple[int, ...]
    rewards: Any
    terminated: Any
    illegal: Any
    #: The module whose arrays are used: numpy, or CuPy.
    arrays: Any = np

    _seed = 0
    _draws = 0
    _own: Any = None

    def reset(self, seed: int = 0) -> None:
        """Start all lanes anew. The seed is that of `sample` and of chance in the rules: lane i with the same seed and actions
        plays the same matches with any number of lanes, on every device."""
        self._seed, self._draws, self._own = seed & (2**64 - 1), 0, None
        self._begin()

    @abstractmethod
    def _begin(self) -> None:
        """Start all lanes anew."""

    @abstractmethod
    def step(self, actions: Any) -> tuple[Any, Any]:
        """Play in every lane.

        Args:
            actions: (lanes,) or (lanes, actions): numbers of moves.

        Returns:
            rewards, terminated.
        """

    @property
    @abstractmethod
    def legal_mask(self) -> Any:
        """(lanes, moves of all actions) bool: what is legal now."""

    @abstractmethod
    def observation(self, form: str = "bool") -> Any:
        """What can be seen in each lane; `form` is one of `FORMS`."""

    @property
    @abstractmethod
    def current_role(self) -> Any:
        """(lanes,) int32: the role to move, -1 where all move at once."""

    def action_name(self, role: int, action: int) -> str:
        """What a move is called in the rules."""
        raise NotImplementedError

    def random(self) -> Any:
        """(lanes,) uint64: the next random number of every lane."""
        xp = self.arrays
        if self._own is None:
            self._own = mixed(xp.arange(1, self.lanes + 1, dtype=xp.uint64) * xp.uint64(GOLDEN) + xp.uint64(self._seed))
        self._draws += 1
        return mixed(self._own + xp.uint64(self._draws * GOLDEN & (2**64 - 1)))

    def sample(self) -> Any:
        """(lanes, actions) int32: a uniformly random legal move for every action."""
        xp, mask = self.arrays, self.legal_mask
        out = xp.zeros((self.lanes, len(self.actions)), xp.int32)
        at = 0
        for number, n in enumerate(self.actions):
            mine = xp.cumsum(mask[:, at : at + n], axis=1, dtype=xp.int32)
            rank = (self.random() >> xp.uint64(32)) * mine[:, -1].astype(xp.uint64) >> xp.uint64(32)
            out[:, number] = (mine > rank.astype(xp.int32)[:, None]).argmax(axis=1)
            at += n
        return out

    def _checked(self, actions: Any, kind: Any = np.int32) -> Any:
        """The actions as an array (lanes, actions) of this device."""
        xp = self.arrays
        if not isinstance(actions, xp.ndarray):
            actions = xp.from_dlpack(actions) if hasattr(actions, "__dlpack__") else xp.asarray(actions)
        wanted = (self.lanes, len(self.actions))
        if actions.shape not in (wanted, wanted[:1]) or (len(self.actions) > 1 and actions.ndim == 1):
            raise BadInput(f"actions are {wanted} numbers, one for each lane and choice, not {actions.shape}")
        if actions.dtype.kind not in "iu":
            raise BadInput(f"actions are whole numbers, not {actions.dtype}")
        if actions.dtype.itemsize > np.dtype(kind).itemsize or actions.dtype.kind == "u":  # 2^32 is not to become 0
            actions = xp.clip(actions, -1 if actions.dtype.kind == "i" else 0, np.iinfo(kind).max)
        return xp.ascontiguousarray(actions.reshape(wanted), dtype=kind)

    @staticmethod
    def _form(form: str) -> str:
        if form not in FORMS:
            raise BadInput(f"an observation is {', '.join(FORMS)}, not {form!r}")
        return form
