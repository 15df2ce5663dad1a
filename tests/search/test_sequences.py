"""Trees of sequences against slow ones, decision for decision: every node of every tick's tree is equal."""

from __future__ import annotations

import pytest

from oracles.sequences import as_kept, sample_search, thesis_search, tree_nodes
from oracles.slow_open_loop import Node, SlowMcts, SlowSample, worth
from oracles.thesis_settings import MctsSettings
from paidia.control import make_controller
from paidia.core.arcade import ACTIONS, ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.seeds import spawn
from paidia.games import catalogue, load_as
from paidia.games.vgdl.engine.game import VgdlGame
from paidia.players.build import build_search
from paidia.players.definition import change
from paidia.players.registry import load_agent, make_player
from paidia.search.mcts import Mcts
from paidia.testing.tuner_trial import TunerTrial


def vgdl(id: str) -> VgdlGame:
    game = load_as(ArcadeGame, id)
    assert isinstance(game, VgdlGame)
    return game


#: shooting with NPCs; losses everywhere; pushing without chance; one axis
GAMES = ["vgdl:fireflies", "vgdl:archipelago", "vgdl:boilers", "vgdl:salvo"]


def compare(
    game: VgdlGame, settings: MctsSettings, *, later: int = 0, ticks: int = 4, simulations: int = 60, seed: int = 3
) -> None:
    """Play some ticks with both, from the start or so many random ticks later (fewer where the game is over by then)."""
    state = game.initial_state(5)
    state.random_run(1, later)
    while state.terminal:
        later -= 1
        state = game.initial_state(5)
        state.random_run(1, later)
    fast = thesis_search(game, settings)
    slow = SlowMcts(game, state, seed, settings)
    fast.begin_game(seed)
    fast.think_ahead(state, Budget(simulations=simulations))
    slow.prepare(state, simulations)
    for step in range(ticks):
        expected = slow.choose(state, simulations)
        result = fast.search(state, Budget(simulations=simulations), step=step)
        assert tree_nodes(fast) == as_kept(fast, slow.root.flat())
        assert fast.extremes == (slow.low, slow.high)
        assert ACTIONS[result.move or 0] == expected
        if settings.kbe is True:
            assert result.notes["weights"] == slow.knowledge.weights()
        state.play(expected)
        if state.terminal:
            break


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("K", "D"), [(1.4, 10), (2**0.5, 10), (0.6, 1), (0.0, 3), (2.0, 15)])
def test_the_sample_agent_equals_the_oracle(game: str, K: float, D: int) -> None:
    rules = vgdl(game)
    state = rules.initial_state(5)
    fast = sample_search(rules, K=K, D=D)
    slow = SlowSample(rules, state, 3)
    fast.begin_game(3)
    fast.think_ahead(state, Budget(simulations=100))
    for step in range(3):
        expected = slow.choose(state, 150, K=K, D=D)
        result = fast.search(state, Budget(simulations=150), step=step)
        assert {path: node[:3] for path, node in tree_nodes(fast).items()} == {
            path: node[:3] for path, node in slow.root.flat().items()
        }
        assert ACTIONS[result.move or 0] == expected
        state.play(expected)


@pytest.mark.parametrize("game", ["vgdl:archipelago", "vgdl:salvo"])
@pytest.mark.parametrize("reward", ["raw", "scaled"])
@pytest.mark.parametrize("tuner", ["nmc", "ea", "ntbea"])
def test_tuners_of_the_sample_agent_get_equation_2(game: str, reward: str, tuner: str) -> None:
    """As it is, which the presets of 003 say, or on the scale of all values of the game."""
    rules = vgdl(game)
    state = rules.initial_state(5)
    agent = load_agent(f"sa-mcts-{tuner}")
    assert agent.control["reward"] == "raw"
    fast = build_search(change(agent, "control.reward", reward), rules)
    slow = SlowSample(rules, state, 3)
    fast.begin_game(3)
    trial = TunerTrial(make_controller(agent.control), seed=spawn(3, 1))
    slow.widen(worth(state))
    for step in range(2):
        slow.root = Node(None)
        trial.begin_turn(step)
        for _ in range(120):
            ((K, D),) = trial.choose()
            value = slow.simulate(state, K, int(D))
            slow.widen(value)
            trial.reward([value if reward == "raw" else slow.norm(value)])
        result = fast.search(state, Budget(simulations=120), step=step)
        expected = {path: node[:3] for path, node in slow.root.flat().items()}
        assert isinstance(fast, Mcts)
        assert {path: node[:3] for path, node in tree_nodes(fast).items()} == expected
        action = slow.final_action()
        assert ACTIONS[result.move or 0] == action
        state.play(action)
        slow.widen(worth(state))


SINGLE = [
    {},
    {"bfti": True},
    {"la": True},
    {"nbp": True},
    {"ph": True},
    {"nst": True, "k": 2},
    {"tr": True},
    {"kbe": True},
    {"kbe": True, "kbe_always": True},
    {"kbe": True, "kbe_reward": "value"},
    {"kbe": True, "kbe_reward": "ends"},
    {"kbe": True, "kbe_resources": 0.2},
    {"kbe": True, "kbe_danger": 0.4},
    {"kbe": True, "kbe_traversable": True},
    {"kbe": "earlier"},
    {"kbe": "earlier", "kbe_rare": True},
    {"nbp": True, "nbp_ended": "tested"},
    {"nbp": True, "nbp_ended": "novel", "nbp_parents": "unchanged"},
    {"dgd": True},
    {"td": "td"},
    {"td": "tdir"},
    {"td": "tdms"},
    {"td": "tdkbe", "kbe": True},
    {"td": "td", "td_local": True},
    {"td": "tdir", "td_local": True, "td_lambda": 0.5, "bfti": True, "tr": True},
    {"td_local": True, "la": True},
]
ALL = {"bfti": True, "la": True, "nbp": True, "ph": True, "nst": True, "tr": True, "kbe": True, "dgd": True}
TOGETHER = [
    ALL,
    {**ALL, "td": "td"},
    {**ALL, "kbe_reward": "ends", "nbp_parents": "unchanged"},
    {**ALL, "kbe_reward": "value", "nbp_ended": "tested"},
    {**ALL, "kbe_resources": 0.1, "kbe_danger": 0.3, "kbe_traversable": True},
    {**ALL, "kbe": "earlier"},
    {**ALL, "td": "tdir", "td_lambda": 0.5},
    {**ALL, "td": "tdms", "tr_bfti": False},
    {**ALL, "td": "tdkbe", "kbe_always": True},
    {"tr": True, "nbp": True, "gamma": 0.0},
    {"tr": True, "bfti": True, "tr_bfti": False, "gamma": 1.0},
    {"ph": True, "nst": True, "k": 1, "n": 4, "epsilon": 0.1, "W": 4.0, "decay": 0.9},
    {"bfti": True, "nbp": True, "bfti_states": 1, "depth": 3, "C": 1.2},
    {"la": True, "td": "tdir", "nst": True, "tr": True},
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("switches", [*SINGLE, *TOGETHER], ids=str)
def test_every_enhancement_equals_the_oracle(game: str, switches: dict[str, object]) -> None:
    compare(vgdl(game), MctsSettings(**switches))  # type: ignore[arg-type]


@pytest.mark.parametrize("later", [0, 40])
@pytest.mark.parametrize("game", [info.id for info in catalogue() if info.world == "vgdl"])
def test_all_enhancements_equal_the_oracle_in_every_game(game: str, later: int) -> None:
    settings = MctsSettings(**ALL, td="td" if later else "off", k=2)  # type: ignore[arg-type]
    compare(vgdl(game), settings, later=later, ticks=2)


def test_more_states_than_may_wait_equal_the_oracle() -> None:
    compare(vgdl("vgdl:museum"), MctsSettings(nbp=True, bfti=True, C=2.0), simulations=400, ticks=1)


@pytest.mark.parametrize("game", ["vgdl:archipelago", "vgdl:museum", "vgdl:ashfall", "vgdl:parade"])
@pytest.mark.parametrize("simulations", [1, 3, 7])
def test_very_few_simulations_equal_the_oracle(game: str, simulations: int) -> None:
    for seed in range(8):
        compare(vgdl(game), MctsSettings(nbp=True, la=True, tr=True), ticks=8, simulations=simulations, seed=seed)
        compare(vgdl(game), MctsSettings(nbp=True, bfti=True), ticks=8, simulations=simulations, seed=seed)


@pytest.mark.parametrize("agent", ["sample-mcts", "mcts-thesis", "uct", "iw-1", "olets"])
@pytest.mark.parametrize("calls", [1, 37, 400])
def test_a_budget_of_forward_model_calls(agent: str, calls: int) -> None:
    """The last simulation begins before they are used up, and is played to its end; the tree is that of as many simulations."""
    game = vgdl("vgdl:fireflies")
    state = game.initial_state(1)
    found = []
    for budget in (Budget(calls=calls), None):
        search = build_search(load_agent(agent), game)
        search.begin_game(2)
        found.append(search.search(state, budget or Budget(simulations=found[0].simulations)))
    assert found[0].steps >= calls and found[0].moves == found[1].moves and found[0].steps == found[1].steps
    if found[0].simulations > 1:
        search.begin_game(2)
        assert search.search(state, Budget(simulations=found[0].simulations - 1)).steps < calls


def test_an_agent_may_have_fewer_calls_than_its_budget_allows() -> None:
    game = vgdl("vgdl:fireflies")
    player = make_player("sample-mcts", settings={"calls": 50})
    player.begin(game, 0, state=game.initial_state(1), seed=1, budget=None)
    decision = player.act(game.initial_state(1), step=0, budget=Budget(simulations=1000))
    assert decision.notes is not None and 50 <= decision.notes["steps"] < 60 and decision.simulations < 20
    with pytest.raises(BadInput, match="calls is a number"):
        make_player("sample-mcts", settings={"calls": -1})
