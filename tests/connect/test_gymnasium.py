"""Video games as Gymnasium environments."""

from __future__ import annotations

import threading
import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from paidia.connect.gymnasium import ArcadeEnv, ArcadeVectorEnv, RoleEnv, register  # noqa: E402
from paidia.core.errors import BadInput, IllegalMove  # noqa: E402
from paidia.games.boards import BOARDS  # noqa: E402
from paidia.games.gdl import LIBRARY  # noqa: E402
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
    names = [*BOARDS.ids(), *(f"gdl-{name}" for name in LIBRARY.ids()), *WORLD.ids()]
    assert registered == [f"paidia/{name}-v0" for name in names] == register()
    assert len(set(registered)) == len(registered)


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
    assert text.render().splitlines()[2] == "# @ c f#"


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


def test_an_action_out_of_range_is_refused_by_name() -> None:
    env = make("vine")
    env.reset(seed=0)
    for wrong in (99, -1, "UP"):
        with pytest.raises(IllegalMove, match="0 NIL"):
            env.step(wrong)


@pytest.mark.parametrize("observation", ["bits", "ids"])
@pytest.mark.parametrize("name", ["vine", "comet", "museum", "skater", "rockets"])
def test_observations_are_those_of_the_sprites(name: str, observation: str) -> None:
    """The kernel against sprites drawn one by one."""
    env = make(name, observation=observation)
    chance = np.random.default_rng(7)
    seen, _ = env.reset(seed=7)
    for _ in range(80):
        expected = drawn(env._state)
        if observation == "ids":
            bits = expected
            expected = (bits * np.arange(1, bits.shape[2] + 1, dtype=np.uint8)).max(axis=2)
            for _, kind, *_ in env._state.seen(1):
                expected[bits[:, :, kind] == 1] = kind + 1
        assert (seen == expected).all()
        seen, _, over, _, _ = env.step(chance.integers(len(env.actions)))
        if over:
            seen, _ = env.reset()


def drawn(state: Any) -> np.ndarray:
    block, height, width = state.game.block, state.game.height, state.game.width
    grid = np.zeros((height, width, len(state.game.types)), np.uint8)
    for _, kind, _, x, y in state.seen():
        left, top = max(x // block, 0), max(y // block, 0)
        right, bottom = -(-(x + block) // block), -(-(y + block) // block)
        if right > 0 and bottom > 0:
            grid[top:bottom, left:right, kind] = 1
    return grid


@pytest.mark.parametrize("observation", ["bits", "ids"])
@pytest.mark.parametrize("name", ["vine", "petri", "museum"])
def test_lanes_play_as_single_games_do(name: str, observation: str) -> None:
    """A lane and a state that is played alone, action by action, over several games."""
    lanes = gymnasium.make_vec(f"paidia/{name}-v0", 5, vectorization_mode="vector_entry_point", observation=observation)
    assert isinstance(lanes, ArcadeVectorEnv)
    alone = make(name, observation=observation)
    chance = np.random.default_rng(3)
    seen, _ = lanes.reset(seed=11)
    states = [lanes.lanes.state(i) for i in range(5)]
    ended = np.zeros(5, bool)
    for _ in range(300):
        actions = chance.integers(len(lanes.actions), size=5)
        for i in range(5):
            assert (alone.restore(states[i]) == seen[i]).all()
        seen, rewards, over, truncated, info = lanes.step(actions)
        assert not truncated.any()
        for i in range(5):
            if ended[i]:
                states[i] = lanes.lanes.state(i)
                assert info["tick"][i] == 0 and rewards[i] == 0 and not over[i]
                continue
            alone.restore(states[i])
            _, reward, end, _, facts = alone.step(actions[i])
            assert (reward, end) == (rewards[i], over[i])
            assert facts == {key: info[key][i] for key in ("score", "winner", "tick")}
            states[i] = alone.clone()
            assert states[i] == lanes.lanes.state(i)
        ended = over


def test_lanes_follow_their_seeds_and_refuse_nonsense() -> None:
    def run(seed: int) -> bytes:
        env = ArcadeVectorEnv(4, "vgdl:petri")
        env.reset(seed=seed)
        env.lanes.random_steps(200, seed)
        return env.lanes.observations.tobytes()

    assert run(1) == run(1) != run(2)
    env = ArcadeVectorEnv(3, "vgdl:petri", copy=False)
    env.reset(seed=[1, 2, None])
    with pytest.raises(BadInput, match="3 lanes"):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(BadInput, match="NIL"):
        env.step(np.array([0, 0, 17]))
    with pytest.raises(BadInput, match="lanes"):
        ArcadeVectorEnv(0, "vgdl:petri")
    before = env.lanes.state(1)
    env.lanes.random_steps(5, 1)
    env.lanes.put(1, before)
    assert env.lanes.state(1) == before and env.step(np.zeros(3, np.int64))[0] is env.lanes.observations


def test_lanes_are_for_one_thread_at_a_time() -> None:
    """Another is told so; the first goes on as if nothing had been."""
    lanes = ArcadeVectorEnv(4, "vgdl:petri").lanes
    over, told = threading.Event(), set[str]()

    def work() -> None:
        while not over.is_set():
            try:
                lanes.random_steps(200)
            except BadInput as error:
                told.add(str(error))
                over.set()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    over.wait(20)
    over.set()
    for thread in threads:
        thread.join()
    assert told == {"these lanes are busy: another thread steps them; make lanes for each thread"}
    assert lanes.random_steps(1) == 4


@pytest.mark.parametrize(
    "id", ["connect4", "breakthrough", "hex", "gdl-tic-tac-toe", "gdl-tron", "gdl-eight-puzzle", "gdl-chinese-checkers-3"]
)
def test_the_checker_is_content_with_boards_and_sheets(id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*[Bb]ox observation.*")
        check_env(gymnasium.make(f"paidia/{id}-v0", render_mode="rgb_array", illegal="lose").unwrapped)


def test_a_role_is_played_to_the_end_against_an_agent() -> None:
    env = RoleEnv("connect4", role="yellow", opponents="uct", sims=40)
    results = []
    for seed in range(3):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            assert info["action_mask"].sum() == len(info["legal"]) > 0
            _, reward, over, truncated, info = env.step(env.action_space.sample())
            assert not truncated and (over or reward == 0)
        results.append(reward)
    assert set(results) <= {-1.0, 0.0, 1.0} and -1.0 in results


def test_an_illegal_move_is_refused_with_the_legal_ones() -> None:
    env = gymnasium.make("paidia/connect4-v0", size="4x5").unwrapped
    env.reset(seed=0)
    for _ in range(2):
        env.restore(env.game.from_text("5/x4/o4/x4 red -"))
        env.step(0)
    with pytest.raises(IllegalMove, match=r"0 \(a\) is not legal here; legal are 1 \(b\)"):
        env.restore(env.game.from_text("x4/o4/x4/o4 red -"))
        env.step(0)
    with pytest.raises(IllegalMove, match="from 0 to 4"):
        env.step(5)
    env.illegal = "lose"
    assert env.step(0)[1:4] == (-1.0, True, False)
    with pytest.raises(BadInput, match="roles red, yellow"):
        RoleEnv("connect4", role="green")


def test_the_same_seed_gives_the_same_match() -> None:
    def run(seed: int) -> list[bytes]:
        env = RoleEnv("breakthrough@6x5", sims=20)
        env.reset(seed=seed)
        env.action_space.seed(seed)
        return [env.step(env.action_space.sample())[0].tobytes() for _ in range(4)]

    assert run(4) == run(4) != run(5)


def test_lanes_are_fast() -> None:
    """A loose bound that a slow machine meets as well; `docs/environments.md` has the measured rates."""
    import time

    env = ArcadeVectorEnv(64, "vgdl:boilers")
    began = time.process_time()
    steps = env.lanes.random_steps(2000, 1)
    assert steps / (time.process_time() - began) > 300_000
