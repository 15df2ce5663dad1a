"""Initial playout policies for PPAFM: learned once per position by PPAF playouts (Cazenave and Diemert 2017, section 4.3).

The paper learns with 100,000 playouts on each position with fewer than two moves played and keeps only the policy. Here a policy
is learned when its position first comes up, from a seed that depends on the position alone, so that every match finds the same.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from paidia.core.budget import Budget
from paidia.core.game import State
from paidia.players.definition import AgentDefinition
from paidia.search.mcts import Mcts
from paidia.search.playout.ppa import Ppa

__all__ = ["learned_weights"]

_CACHE: dict[tuple[str, str, int, int], npt.NDArray[np.float64]] = {}
_MOST = 512  # policies kept; a game has one more position with fewer than two moves than it has first moves


def learned_weights(definition: AgentDefinition, state: State, playouts: int) -> npt.NDArray[np.float64]:
    """The policy learned by `playouts` simulations of the agent's own search from `state`."""
    from paidia.players.build import build_search

    key = (state.game.id, msgspec.json.encode(definition).decode(), state.key, playouts)
    if key not in _CACHE:
        options = {**definition.search.options, "playout": {**definition.search.options.get("playout", {}), "learned": 0}}
        search = build_search(
            msgspec.structs.replace(definition, search=msgspec.structs.replace(definition.search, options=options, threads=1)),
            state.game,
        )
        search.begin_game(state.key)
        role = state.mover or 0
        search.search(state, Budget(simulations=playouts), role=role)
        if len(_CACHE) >= _MOST:
            _CACHE.pop(next(iter(_CACHE)))
        assert isinstance(search, Mcts) and isinstance(search.playout, Ppa)
        _CACHE[key] = search.playout.get_weights()
    return _CACHE[key]
