"""Video games as Gymnasium environments."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from paidia.connect.gymnasium import ArcadeEnv, register  # noqa: E402
from paidia.core.errors import BadInput  # noqa: E402
from paidia.games.vgdl import WORLD  # noqa: E402


@pytest.fixture(autouse=True)
def registered() -> list[str]:
    return register()


def make(name: str, **settings: Any) -> ArcadeEnv:
    env = gymnasium.make(f"paidia/{name}-v0", **settings).unwrapped
    assert isinstance(env, ArcadeEnv)
    return env


def test_gymnasium_finds_a_game_by_the_name_of_the_module() -> None:
    env = gymnasium.make("paidia.connect.gymnasium:paidia/vine-v0", level="2").unwrapped
    assert isinstance(env, ArcadeEnv) and env.game.level == "2"


def test_every_game_is_registered_once(registered: list[str]) -> None:
    assert registered == [f"paidia/{name}-v0" for name in WORLD.ids()] == register()


@pytest.mark.parametrize("name", ["vine", "petri", "rainmaker", "alchemist", "comet"])
@pytest.mark.parametrize("observation", ["bits", "ids"])
def test_the_checker_of_gymnasium_is_content(name: str, observation: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*[Bb]ox observation.*")  # bits are no picture and need not look like one
        check_env(make(name, observation=observation, render_mode="rgb_array"))


def test_a_seed_fixes_a_game() -> None:
    def run(seed: int) -> list[tuple[bytes, float]]:
        env = make("petri")
        seen = [(env.reset(seed=seed)[0].tobytes(), 0.0)]
        for tick in range(60):
            observation, reward, over, _, _ = env.step(tick % len(env.actions))
            seen.append((observation.tobytes(), reward))
            if over:
                break
        return seen

    assert run(3) == run(3) != run(4)


def test_rewards_add_up_to_the_score_and_the_end_is_told() -> None:
    env = make("vine", level="1")
    env.reset(seed=0)
    total, over, info = 0.0, False, {}
    chance = np.random.default_rng(1)
    while not over:
        _, reward, over, truncated, info = env.step(chance.integers(len(env.actions)))
        total += reward
        assert not truncated
    assert total == info["score"] and info["winner"] in (0, 1)


def test_cloned_situations_come_back_with_their_future() -> None:
    env = make("petri", level="2")
    env.reset(seed=5)
    for _ in range(7):
        env.step(1)
    saved = env.clone()

    def future() -> list[bytes]:
        return [env.step(tick % 5)[0].tobytes() for tick in range(25)]

    first = future()
    env.restore(saved)
    assert future() == first
    assert env.restore(saved).tobytes() != first[-1]


def test_observations_show_the_level() -> None:
    env = make("boilers")
    grid, _ = env.reset(seed=0)
    at = {name: [tuple(cell) for cell in np.argwhere(grid[:, :, i])] for i, name in enumerate(env.types)}
    assert at["avatar"] == [(2, 2)] and at["coal"] == [(2, 4)] and at["furnace"] == [(2, 6)] and at["floor"] == []
    ids, _ = make("boilers", observation="ids").reset(seed=0)
    assert ids[2, 2] == 1 + env.types.index("avatar") and ids[0, 0] == 1 + env.types.index("wall") and ids[1, 1] == 0
    text = make("boilers", render_mode="ansi")
    text.reset(seed=0)
    assert text.render().splitlines()[2] == "w a c fw"


def test_half_a_cell_shows_in_both() -> None:
    env = make("comet")
    env.reset(seed=0)
    for _ in range(2):
        grid, *_ = env.step(0)
    assert grid[0, :, env.types.index("avatar")].tolist()[:3] == [1, 1, 0]


def test_mistakes_are_told() -> None:
    with pytest.raises(BadInput, match="bits or ids"):
        ArcadeEnv("vgdl:vine", observation="pixels")
    with pytest.raises(BadInput, match="render_mode"):
        ArcadeEnv("vgdl:vine", render_mode="human")
    with pytest.raises(BadInput, match="no level"):
        ArcadeEnv("vgdl:vine", level=9)
