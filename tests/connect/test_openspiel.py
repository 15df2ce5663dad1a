"""Games and players between paidia and OpenSpiel, both ways."""

from __future__ import annotations

import os
import pickle
import random
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import evaluate_bots, mcts, minimax  # noqa: E402

import paidia  # noqa: E402
from own_games import Nim  # noqa: E402
from paidia.connect.openspiel import AgentBot, BotPlayer, PaidiaState, spiel_game, spiel_state  # noqa: E402
from paidia.core.errors import BadInput, UnknownName  # noqa: E402
from paidia.core.model import Rules, Situation  # noqa: E402
from paidia.games.openspiel import OPENSPIEL  # noqa: E402
from paidia.games.openspiel.game import SpielGame  # noqa: E402
from paidia.testing import check_game  # noqa: E402

THERE = [
    "tic_tac_toe", "connect_four", "breakthrough", "hex(board_size=5)", "othello", "clobber", "checkers", "chess",
    "go(board_size=5)", "oware", "mancala", "nim", "pentago", "y(board_size=6)", "lines_of_action", "dots_and_boxes", "amazons",
    "ultimate_tic_tac_toe",
]  # fmt: skip
TOGETHER = ["oshi_zumo", "goofspiel", "markov_soccer"]
#: A thousand games take a minute in all: in the continuous integration.
COMPLETE = bool(os.environ.get("PAIDIA_COMPLETE"))
CHANCE = ["pig", "backgammon", "catch", "einstein_wurfelt_nicht"]


def joint_of(state: Situation, rng: random.Random) -> list[int | None]:
    return [rng.choice(moves) if (moves := state.legal(role)) else None for role in range(state.game.n_roles)]


# ---------------------------------------------------------------------------- paidia -> OpenSpiel -> paidia


@pytest.mark.longer
@pytest.mark.parametrize("game", ["connect4", "breakthrough@6x5", "hex@5", "gdl:tic-tac-toe", "gdl:tron", "nim"])
def test_there_and_back_a_game_is_the_same_along_a_thousand_games(game: str) -> None:
    rules: Rules = Nim() if game == "nim" else paidia.load(game)
    back = SpielGame(f"back:{game}", spiel_game(rules if game == "nim" else game))
    rng = random.Random(1)
    start, start_back = rules.initial_state(), back.initial_state()
    for _ in range(1000 if COMPLETE else 10):
        here, there = start.copy(), start_back.copy()
        while not here.terminal:
            assert not there.terminal and here.mover == there.mover
            for role in range(rules.n_roles):
                assert sorted(here.legal(role)) == there.legal(role)
            joint = joint_of(here, rng)
            here.play(joint)
            there.play(joint)
        assert there.terminal
        assert there.values == pytest.approx(here.values)
    assert [back.move_name(0, move) for move in start.legal(0)] == [rules.move_name(0, move) for move in start.legal(0)]


# ---------------------------------------------------------------------------- OpenSpiel -> paidia


@pytest.mark.parametrize("name", [*THERE, *TOGETHER])
def test_their_games_are_played_by_their_rules(name: str) -> None:
    """A game here beside the same one played there."""
    rules = paidia.load(f"openspiel:{name}")
    game = pyspiel.load_game(name)
    rng = random.Random(name)
    for _ in range(3):
        here, there = rules.initial_state(), game.new_initial_state()
        for _ in range(150):
            while there.is_chance_node():  # goofspiel draws its prizes: take what was drawn here
                there.apply_action(here.spiel.history()[len(there.history())])
            if there.is_terminal():
                break
            assert not here.terminal and (here.mover is None) == there.is_simultaneous_node()
            joint = joint_of(here, rng)
            for role in range(rules.n_roles):
                if here.mover in (None, role):
                    assert here.legal(role) == there.legal_actions(role)
            here.play(joint)
            if there.is_simultaneous_node():
                there.apply_actions([move if move is not None else 0 for move in joint])
            else:
                there.apply_action(joint[there.current_player()])
        assert here.terminal == there.is_terminal()
        if there.is_terminal():
            low, high = game.min_utility(), game.max_utility()
            assert here.values == pytest.approx([(value - low) / (high - low) for value in there.returns()])


@pytest.mark.longer
@pytest.mark.parametrize("name", ["tic_tac_toe", "oshi_zumo", "pig"])
def test_their_games_keep_our_contract(name: str) -> None:
    check_game(paidia.load(f"openspiel:{name}"), playouts=20 if COMPLETE else 5)


@pytest.mark.parametrize("name", CHANCE)
def test_chance_follows_the_seed(name: str) -> None:
    rules = paidia.load(f"openspiel:{name}")
    assert rules.chance

    def run(seed: int) -> tuple[str, list[float]]:
        state = rules.initial_state()
        state.seed(seed)
        state.random_playout(7, 300)
        return state.to_text(), state.values

    assert run(1) == run(1)
    assert len({run(seed)[0] for seed in range(6)}) > 1


@pytest.mark.parametrize("agent", ["uct", "grave", "mast", "nst", "ppa", "p-ea", "ntbea-2"])
@pytest.mark.parametrize("name", ["connect_four(rows=4,columns=4)", "oshi_zumo(coins=6)", "pig(winscore=15)"])
def test_our_agents_play_them(name: str, agent: str) -> None:
    result = paidia.play(f"openspiel:{name}", [agent, "random"], sims=15, seed=2, max_steps=40)
    assert len(result.goals) == 2 and not result.faults if hasattr(result, "faults") else True


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("kuhn_poker", "hides information"),
        ("mfg_garnet", "mean field"),
        ("stones_and_gems", "draws chance inside its moves"),
        ("hex(bord_size=4)", "did you mean board_size"),
    ],
)
def test_others_are_refused_with_the_reason(name: str, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        paidia.load(f"openspiel:{name}")


def test_a_wrong_name_is_told_and_the_prefix_is_needed() -> None:
    with pytest.raises(UnknownName, match="did you mean 'connect_four'"):
        paidia.load("openspiel:conect_four")
    with pytest.raises(UnknownName):
        paidia.load("connect_four")
    assert len(list(OPENSPIEL.playable())) >= 40


def test_their_states_are_values() -> None:
    for name in ("chess", "backgammon", "goofspiel"):
        state = paidia.load(f"openspiel:{name}").initial_state()
        state.seed(3)
        state.random_playout(1, 11)
        assert state.game.from_text(state.to_text()) == state
        again = pickle.loads(pickle.dumps(state))
        assert again == state and again.game is state.game
        state.random_playout(5, 9)
        again.random_playout(5, 9)
        assert again == state
        with pytest.raises(BadInput):
            state.game.from_text("99999999")
        with pytest.raises(BadInput):
            state.game.from_text("x")


# ---------------------------------------------------------------------------- our games there


@pytest.mark.parametrize(
    "game", ["connect4", "breakthrough@5", "hex@4", "go@4", "gdl:tron", "gdl:eight-puzzle", "vgdl:vine", "vgdl:petri"]
)
def test_their_test_of_random_games_is_content(game: str) -> None:
    pyspiel.random_sim_test(spiel_game(game), num_sims=2, serialize=True, verbose=False)


def test_our_games_load_by_name_and_show_tensors() -> None:
    game = pyspiel.load_game("paidia(game=connect4)")
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    state = game.new_initial_state()
    state.apply_action(3)
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    assert observer.tensor.sum() == 1 + 42 and "yellow" in observer.string_from(state, 0)
    assert state.action_to_string(0, 3) == "d"
    assert spiel_game("gdl:tron").get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    assert spiel_game("connect4", dynamics="simultaneous").get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    with pytest.raises(BadInput, match="dynamics"):
        spiel_game("connect4", dynamics="both")


def test_their_algorithms_run_on_our_games() -> None:
    value, _ = minimax.alpha_beta_search(spiel_game("tic-tac-toe"))
    assert value == 0
    game = spiel_game(Nim(7))
    chance = np.random.RandomState(1)
    first = mcts.MCTSBot(game, 2.0, 300, mcts.RandomRolloutEvaluator(4, chance), solve=True, random_state=chance)
    assert first.step(game.new_initial_state()) == 2  # seven matches: three taken leave four, which lose


# ---------------------------------------------------------------------------- players at the other's table


def test_their_bot_sits_at_our_table() -> None:
    for game in ("connect4", "openspiel:connect_four", Nim()):
        result = paidia.play(game, [BotPlayer.mcts(60), "random"], sims=1, seed=4)
        assert sum(result.goals) == 1

    def uniform(game: Any, player: int, seed: int) -> Any:
        return pyspiel.make_uniform_random_bot(player, seed)

    assert sum(paidia.play("connect4", [BotPlayer(uniform, "uniform"), "uct"], sims=50, seed=1).goals) == 1


def test_our_agent_sits_at_theirs() -> None:
    for game in (pyspiel.load_game("connect_four"), spiel_game("connect4")):
        wins = 0.0
        for seed in range(3):
            seats = [AgentBot(game, 0, "grave", sims=60, seed=seed), pyspiel.make_uniform_random_bot(1, seed)]
            wins += evaluate_bots.evaluate_bots(game.new_initial_state(), seats, np.random.RandomState(seed))[0]
        assert wins >= 1
    state = spiel_state(paidia.load("connect4").initial_state())
    assert isinstance(state, PaidiaState) and state.legal_actions() == list(range(7))
