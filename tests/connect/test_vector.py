"""Vector environments: every lane is a match by the rules, on every back end and in every world."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paidia
from oracles.gdl_sheets import SHEETS, sheet_of
from paidia.connect.vector import NoGpu, StateVector, VideoVector
from paidia.core.errors import BadInput
from paidia.core.lanes.vector import Vector
from paidia.games.gdl.lanes.compile import circuit
from paidia.games.gdl.lanes.compile.build import build_program
from paidia.games.gdl.lanes.processor.vector import LaneVector
from paidia.games.gdl.load import load_game
from paidia.games.gdl.net.kernel import NetGame


def small(name: str) -> NetGame:
    game = load_game(sheet_of(name), name)
    assert isinstance(game, NetGame)
    return game


def joint_of(vector: Vector, role: int, actions: np.ndarray, state: Any) -> list[int | None]:
    """The joint move that a lane's actions mean in the scalar kernel."""
    if len(vector.actions) > 1 or len(vector.roles) == 1:
        return [int(action) for action in actions]
    return [int(actions[0]) if other == role else next(iter(state.legal(other)), None) for other in range(len(vector.roles))]


@pytest.mark.parametrize("name", SHEETS)
def test_lanes_are_matches_by_the_rules(name: str) -> None:
    """Legal moves, whose turn it is, fluents, rewards and ends of each lane are those of the scalar kernel."""
    game = small(name)
    vector = LaneVector(build_program(game), 70, threads=2)
    states = [game.initial_state() for _ in range(70)]
    vector.reset(3)
    ended = 0
    for _ in range(40):
        mask, role, seen = vector.legal_mask, vector.current_role, vector.observation()
        for lane, state in enumerate(states):
            assert (np.flatnonzero(seen[lane]) == state.atoms()).all()
            movers = range(len(vector.roles)) if len(vector.actions) > 1 else [role[lane]]
            at = 0
            for number, mover in enumerate(movers):
                assert list(np.flatnonzero(mask[lane, at : at + vector.actions[number]])) == sorted(state.legal(mover))
                at += vector.actions[number]
        actions = vector.sample()
        rewards, over = vector.step(actions)
        assert not vector.illegal.any()
        for lane, state in enumerate(states):
            state.play(joint_of(vector, int(role[lane]), actions[lane], state))
            assert over[lane] == state.terminal
            assert rewards[lane] == pytest.approx(state.goals if state.terminal else [0.0] * game.n_roles)
            if state.terminal:
                ended += 1
                states[lane] = game.initial_state()
    assert ended > 0


@pytest.mark.parametrize("name", ["tic-tac-toe", "push"])
def test_a_lane_does_not_depend_on_the_others(name: str) -> None:
    """Same seed, same lane, same match: with other numbers of lanes, of threads, and by the plain form of `sample`."""
    program = build_program(small(name))

    def played(lanes: int, threads: int, plain: bool) -> list[Any]:
        vector = LaneVector(program, lanes, threads=threads)
        vector.reset(17)
        found = []
        for _ in range(20):
            actions = Vector.sample(vector) if plain else vector.sample()
            rewards, over = vector.step(actions)
            found.append((actions[:33].tolist(), rewards[:33].tolist(), over[:33].tolist()))
        return found

    first = played(33, 1, plain=False)
    assert first == played(5000, 2, plain=False) == played(64, 1, plain=True)


def test_observations_have_three_forms() -> None:
    vector = LaneVector(build_program(small("tic-tac-toe")), 100)
    for _ in range(3):
        vector.step(vector.sample())
    seen = vector.observation()
    assert seen.dtype == np.bool_ and seen.shape == (100, *vector.observation_shape)
    assert (vector.observation("float") == seen).all() and vector.observation("float").dtype == np.float32
    assert (np.unpackbits(vector.observation("packed"), axis=1, bitorder="little")[:, : seen.shape[1]] == seen).all()
    assert np.shares_memory(np.from_dlpack(vector.rewards), vector.rewards)
    with pytest.raises(BadInput, match="bool, float, packed"):
        vector.observation("text")


def test_illegal_actions_are_told_and_become_the_first_legal_move() -> None:
    vector, twin = (LaneVector(build_program(small("tic-tac-toe")), 64) for _ in range(2))
    first = vector.sample()
    vector.step(first)
    twin.step(first)
    legal = vector.legal_mask
    wrong = np.arange(64) % 2 == 0
    vector.step(np.where(wrong, (~legal).argmax(axis=1), legal.argmax(axis=1)))
    twin.step(legal.argmax(axis=1))
    assert (vector.illegal == wrong).all() and not twin.illegal.any()
    assert (vector.observation() == twin.observation()).all()


@pytest.mark.parametrize(
    ("actions", "text"),
    [([0] * 7, "not \\(7,\\)"), ([0.5] * 8, "whole numbers"), ([99] * 8, "moves of action 0 are 0 to"), ([-1] * 8, "0 to")],
)
def test_bad_actions_are_refused(actions: list[Any], text: str) -> None:
    vector = LaneVector(build_program(small("tic-tac-toe")), 8)
    with pytest.raises(BadInput, match=text):
        vector.step(np.array(actions))


@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.uint32])
@pytest.mark.parametrize("spec", ["tic-tac-toe", "gdl:tic-tac-toe"])
def test_a_number_that_does_not_fit_is_no_other_one(spec: str, kind: Any) -> None:
    vector = paidia.vector(spec, 4)
    with pytest.raises(BadInput, match="0 to"):  # its last bits say 0
        vector.step(np.array([[np.iinfo(kind).max - np.iinfo(kind).max % 2**16]] * 4, kind))
    vector.step(np.array([[0]] * 4, kind))
    assert not vector.illegal.any()


def test_boards_have_the_same_face() -> None:
    vector = paidia.vector("connect4", 50)
    assert isinstance(vector, StateVector)
    states = [vector.game.initial_state() for _ in range(50)]
    vector.reset(5)
    ended = 0
    for _ in range(60):
        role, seen = vector.current_role, vector.observation()
        actions = vector.sample()[:, 0]
        for lane, state in enumerate(states):
            assert role[lane] == state.mover and list(np.flatnonzero(vector.legal_mask[lane])) == sorted(state.legal(state.mover))
            own = np.zeros(vector.observation_shape, np.uint8)
            state.observe(own)
            assert (seen[lane] == own).all()
        rewards, over = vector.step(actions)
        for lane, state in enumerate(states):
            state.play(int(actions[lane]))
            assert over[lane] == state.terminal and rewards[lane].tolist() == (state.goals if state.terminal else [0, 0])
            if state.terminal:
                ended += 1
                states[lane] = vector.game.initial_state()
    assert ended > 20
    vector.step(np.zeros(50, int))


def test_video_games_have_the_same_face() -> None:
    def played(lanes: int, threads: int) -> list[Any]:
        vector = paidia.vector("vgdl:museum", lanes, threads=threads)
        assert isinstance(vector, VideoVector) and vector.legal_mask.all()
        vector.reset(2)
        found = []
        for _ in range(300):
            rewards, over = vector.step(vector.sample())
            found.append((rewards[:64].tolist(), over[:64].tolist(), int(vector.observation()[:64].sum())))
        assert vector.observation("packed").dtype == np.uint8
        return found

    first = played(64, 1)
    assert any(any(over) for _, over, _ in first) and first == played(200, 2)


def test_without_a_gpu_the_processor_plays_and_one_line_says_so() -> None:
    try:
        import cupy  # noqa: F401
    except ImportError:
        with pytest.warns(NoGpu, match="CuPy is not installed") as told:
            vector = paidia.vector("gdl:tic-tac-toe", 64, device="cuda")
        assert vector.device == "cpu" and len(told) == 1 and "\n" not in str(told[0].message)
    with pytest.warns(NoGpu, match="only rule sheets"):
        paidia.vector("connect4", 64, device="cuda")
    with pytest.raises(BadInput, match="cpu or cuda"):
        paidia.vector("connect4", 64, device="tpu")


def test_a_circuit_that_grows_too_large_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(circuit, "MOST_NODES", 200)
    game = small("tic-tac-toe")
    with pytest.raises(BadInput, match="more than 200 gates"):
        build_program(game)
    with pytest.warns(UserWarning, match="states of the scalar kernel"):
        vector = paidia.vector(game, 40)
    assert isinstance(vector, StateVector)
    for _ in range(30):
        rewards, over = vector.step(vector.sample())
        assert not vector.illegal.any() and (rewards.sum(axis=1) > 0).tolist() == over.tolist()


def test_gymnasium_sees_the_same_matches() -> None:
    gym = pytest.importorskip("gymnasium")
    import paidia.connect.gymnasium

    env = gym.make_vec("paidia/gdl-tic-tac-toe-v0", num_envs=32, vectorization_mode="vector_entry_point")
    twin = paidia.vector("gdl:tic-tac-toe", 32)
    seen, info = env.reset(seed=4)
    twin.reset(4)
    assert env.observation_space.contains(seen) and (info["action_mask"] == twin.legal_mask).all()
    ended = 0
    for _ in range(25):
        role, actions = twin.current_role, twin.sample()[:, 0]
        assert (info["role"] == role).all() and env.action_space.contains(actions.astype(np.int64))
        seen, rewards, over, cut, info = env.step(actions)
        wanted, ends = twin.step(actions)
        assert (rewards == wanted[np.arange(32), role]).all() and (over == ends).all() and not cut.any()
        assert (seen == twin.observation()).all() and (info["rewards"] == wanted).all()
        ended += int(over.sum())
    assert ended > 32
    with pytest.raises(BadInput, match="one seed for all"):
        env.reset(seed=[1] * 32)
    env.close()
