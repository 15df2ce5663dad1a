"""Video games for two as PettingZoo's parallel environments."""

from __future__ import annotations

import pytest

pytest.importorskip("pettingzoo")

import numpy as np
from pettingzoo.test import parallel_api_test

from paidia.connect.two_player import TwoPlayerEnv
from paidia.core.errors import BadInput
from paidia.games.vgdl2 import WORLD


@pytest.mark.parametrize("name", sorted(WORLD.ids()))
def test_the_kit_of_pettingzoo_is_content(name: str) -> None:
    parallel_api_test(TwoPlayerEnv(f"vgdl2:{name}", level="1"), num_cycles=120)


def test_rewards_are_changes_of_the_own_score_and_the_seed_decides() -> None:
    ends = []
    for _ in range(2):
        env = TwoPlayerEnv("vgdl2:vineyard", level=2, observation="ids")
        env.reset(seed=5)
        rng = np.random.default_rng(1)
        totals = dict.fromkeys(env.possible_agents, 0.0)
        seen: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.uint8]]] = {}
        infos: dict[str, dict[str, object]] = {}
        while env.agents:
            seen, rewards, _, _, infos = env.step({agent: int(rng.integers(5)) for agent in env.agents})
            totals = {agent: totals[agent] + rewards[agent] for agent in totals}
        assert totals == {agent: infos[agent]["score"] for agent in totals}
        ends.append((totals, seen["first"].tolist()))
    assert ends[0] == ends[1]


def test_a_game_for_one_is_refused() -> None:
    with pytest.raises(BadInput, match="for one player"):
        TwoPlayerEnv("vgdl:fireflies")
    with pytest.raises(BadInput, match="bits or ids"):
        TwoPlayerEnv("vgdl2:vineyard", observation="pixels")
