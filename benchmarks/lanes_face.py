"""What a vector environment tells, in one number: the same on the processor and on a GPU."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np


def face(vector: Any, seed: int, host: Any, steps: int = 30) -> str:
    """A digest of all that a vector environment tells in some steps of random legal moves; `host` brings arrays to numpy."""
    found = hashlib.sha256()
    vector.reset(seed)
    for _ in range(steps):
        actions = vector.sample()
        rewards, over = vector.step(actions)
        told = [actions, rewards, over, vector.illegal, vector.legal_mask, vector.current_role]
        for array in (*told, *(vector.observation(form) for form in ("bool", "float", "packed"))):
            found.update(np.ascontiguousarray(host(array)).tobytes())
    return found.hexdigest()
