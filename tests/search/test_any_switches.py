"""What holds for every tree of sequences in video games, whatever is switched on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.arcade_levels import level
from oracles.sequences import Nodes, sample_search, thesis_search, tree_nodes
from oracles.thesis_settings import MctsSettings
from paidia.core.arcade import ACTIONS, ArcadeGame
from paidia.core.budget import Budget
from paidia.games import catalogue, load_as
from paidia.games.vgdl.engine.game import VgdlGame
from paidia.match.referee import play_match
from paidia.players.registry import agent_ids, load_agent, make_player
from paidia.players.search_player import SearchPlayer
from paidia.search.mcts import Mcts

GAMES = [info.id for info in catalogue() if info.world == "vgdl"]
AGENTS = [
    id for id in agent_ids() if load_agent(id).world == "vgdl" and load_agent(id).kind == "search" and not load_agent(id).planner
]
NOT_NOVEL, TESTED = 2, 4


def play(settings: dict[str, Any], id: str, *, seed: int, simulations: int, ticks: int, start: bool = True) -> list[int]:
    game = load_as(ArcadeGame, id)
    search = thesis_search(game, MctsSettings(**settings))
    state = game.initial_state(seed)
    budget = Budget(simulations=simulations)
    search.begin_game(seed)
    if start:
        search.think_ahead(state, Budget(simulations=3 * simulations))
    actions: list[int] = []
    while not state.terminal and len(actions) < ticks:
        actions.append(search.search(state, budget, step=len(actions)).move or 0)
        assert actions[-1] == 0 or ACTIONS[actions[-1]] in state.actions
        check_tree(search)
        state.play(actions[-1])
    return actions


def check_tree(search: Mcts) -> None:
    low, high = search.extremes
    for path, (visits, total, highest, _, _) in tree_nodes(search).items():
        assert visits >= 0
        if visits > 0:
            assert low - 1e-6 <= total / visits <= high + 1e-6
            if highest is not None:
                assert total / visits <= highest + 1e-6 and highest <= high
        assert all(1 <= action <= 5 for action in path)


switches = st.fixed_dictionaries(
    {name: st.booleans() for name in ("bfti", "la", "nbp", "ph", "nst", "tr", "kbe", "dgd", "tr_bfti", "kbe_always")}
    | {"td": st.sampled_from(["off", "td", "tdir", "tdms", "tdkbe"])}
    | {"gamma": st.sampled_from([0.0, 0.6, 1.0]), "decay": st.sampled_from([0.0, 0.6, 1.0])}
    | {"C": st.sampled_from([0.0, 0.6, 2.0]), "W": st.sampled_from([0.0, 1.0, 8.0])}
    | {"n": st.integers(1, 4), "k": st.sampled_from([1, 7]), "depth": st.sampled_from([1, 4, 10])}
    | {"td_lambda": st.sampled_from([0.0, 0.8, 1.0]), "bfti_states": st.sampled_from([1, 3])}
)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(GAMES), switches, st.integers(0, 1000), st.sampled_from([1, 4, 40]), st.booleans())
def test_any_switches_play_any_game_and_the_same_seed_plays_the_same(
    id: str, chosen: dict[str, Any], seed: int, simulations: int, start: bool
) -> None:
    if chosen["td"] == "tdkbe":
        chosen["kbe"] = True
    first, second = (play(chosen, id, seed=seed, simulations=simulations, ticks=6, start=start) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("id", GAMES)
def test_all_switches_play_every_game(id: str) -> None:
    on = dict.fromkeys(("bfti", "la", "nbp", "ph", "nst", "tr", "kbe", "dgd"), True)
    play({**on, "td": "tdir"}, id, seed=2, simulations=40, ticks=25)


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_plays_and_repeats_itself(agent: str) -> None:
    def actions(seed: int) -> list[str]:
        game, budget = load_as(ArcadeGame, "vgdl:fireflies"), Budget(simulations=12)
        record = play_match(game, [make_player(agent)], seed=seed, budget=budget, max_steps=25).record
        assert record.ending in ("terminal", "tick limit"), record.message
        assert {n for (n,) in record.simulations} == {12}
        return [action for (action,) in record.moves]

    assert actions(3) == actions(3) != actions(4)


# ------------------------------------------------------------------------ counting


def children(nodes: Nodes, path: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [(*path, action) for action in range(1, 6) if (*path, action) in nodes]


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 1000), st.integers(1, 200), st.integers(1, 12))
def test_the_sample_agent_adds_one_node_per_simulation(id: str, seed: int, simulations: int, D: int) -> None:
    game = load_as(ArcadeGame, id)
    search = sample_search(game, D=D)
    search.begin_game(seed)
    search.search(game.initial_state(seed), Budget(simulations=simulations))
    nodes = tree_nodes(search)
    assert nodes[()][0] == simulations == sum(nodes[child][0] for child in children(nodes, ()))
    assert len(nodes) <= simulations + 1 and max(map(len, nodes)) <= D
    for path, node in nodes.items():
        if path:  # the first visit made the node
            assert sum(nodes[child][0] for child in children(nodes, path)) <= node[0] - 1
        totals = [nodes[child][1] for child in children(nodes, path)]
        assert node[2] >= max((nodes[child][2] for child in children(nodes, path)), default=node[2])
        assert len(totals) <= 5


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 1000), st.integers(1, 100), st.integers(1, 12))
def test_the_thesis_agent_adds_whole_playouts(id: str, seed: int, simulations: int, depth: int) -> None:
    game = load_as(ArcadeGame, id)
    search = thesis_search(game, MctsSettings(depth=depth))
    search.begin_game(seed)
    result = search.search(game.initial_state(seed), Budget(simulations=simulations))
    nodes = tree_nodes(search)
    assert nodes[()][0] == simulations
    assert len(nodes) - 1 <= result.steps
    for path, node in nodes.items():
        assert sum(nodes[child][0] for child in children(nodes, path)) <= node[0]


# ------------------------------------------------------------------------ pruning


@pytest.mark.parametrize("id", ["vgdl:museum", "vgdl:boilers", "vgdl:orchard"])
def test_a_pruned_action_is_never_selected_while_its_parent_looks_safe(id: str) -> None:
    game = load_as(ArcadeGame, id)
    state = game.initial_state(1)

    def after(simulations: int) -> tuple[Nodes, tuple[float, float]]:
        search = thesis_search(game, MctsSettings(nbp=True))
        search.begin_game(1)
        search.search(state, Budget(simulations=simulations))
        return tree_nodes(search), search.extremes

    seen = 0
    nodes, (low, high) = after(60)
    for simulations in range(61, 120):
        following, extremes = after(simulations)
        for path, node in nodes.items():
            marked = [child for child in children(nodes, path) if nodes[child][4] & NOT_NOVEL]
            mean = (node[1] / node[0] - low) / (high - low) if high > low else 0.5
            if not node[4] & TESTED or mean < 0.5 or len(marked) == len(children(nodes, path)):
                continue
            seen += len(marked)
            for child in marked:
                assert following[child][0] == nodes[child][0], (simulations, child)
        nodes, (low, high) = following, extremes
    assert seen > 0


# ------------------------------------------------------------------------ memory


def test_memory_does_not_grow_with_the_length_of_a_match() -> None:
    game: VgdlGame = level("""
        wwwwwwwwwwwwwwwww
        w...............w
        w...r...A...c...w
        w...............w
        wwwwwwwwwwwwwwwww
    """)
    on = dict.fromkeys(("bfti", "la", "nbp", "ph", "nst", "tr", "kbe", "dgd"), True)
    search = thesis_search(game, MctsSettings(**on))  # type: ignore[arg-type]
    state = game.initial_state(1)
    search.begin_game(1)
    sizes = []
    while not state.terminal:
        state.play(search.search(state, Budget(simulations=30), step=state.tick).move or 0)
        assert search.ngrams is not None
        sizes.append(search.tree.n_nodes + search.tree.n_edges + len(search.ngrams))
    assert len(sizes) >= 1000
    assert max(sizes[500:]) <= 1.2 * max(sizes[:500])


# ------------------------------------------------------------------------ parameters while it plays


@pytest.mark.parametrize(
    ("agent", "parameters"),
    [("sa-mcts-nmc", ["K", "D"]), ("sa-mcts-ea", ["K", "D"]), ("maastcts2-ntbea-5", ["C", "W", "epsilon", "n", "nmin"])],
)
def test_the_record_tells_what_the_controller_did(agent: str, parameters: list[str]) -> None:
    player = make_player(agent)
    result = play_match(load_as(ArcadeGame, "vgdl:fireflies"), [player], seed=1, budget=Budget(simulations=20), max_steps=10)
    told = player.trajectory()
    assert told is not None
    assert [parameter["name"] for parameter in told["parameters"]] == parameters
    turns = told["roles"][0]["turns"]
    started = 0 if agent.startswith("sa-") else 25 * 20  # the sample agent does not use the time before the game
    assert sum(turn["simulations"] for turn in turns) == result.simulations[0] + started
    assert max(sum(count > 0 for count in counts) for turn in turns for counts in turn["samples"]) > 1


def test_who_has_no_controller_has_nothing_to_tell() -> None:
    assert make_player("maastcts2").trajectory() is None


def test_the_depth_of_each_simulation_is_the_controllers() -> None:
    player = make_player("sa-mcts-nmc", settings={"D": 9, "control.values": {"D": [1.0]}})  # type: ignore[dict-item]
    play_match(load_as(ArcadeGame, "vgdl:fireflies"), [player], seed=1, budget=Budget(simulations=400), max_steps=1)
    assert isinstance(player, SearchPlayer) and isinstance(player.search, Mcts)
    assert max(map(len, tree_nodes(player.search))) == 1
