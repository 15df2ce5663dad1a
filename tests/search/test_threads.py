"""Threads in one search: what they leave in a shared tree, that trees of their own are reproducible, limits, and refusals."""

from __future__ import annotations

import json
import signal
import threading
import time
from functools import cache
from typing import Any

import numpy as np
import pytest

import paidia
from oracles.small_games import CountdownGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import State
from paidia.core.model import Rules
from paidia.games import load
from paidia.games.gdl.interpreter.interpreter import load as interpret
from paidia.games.gdl.language.rules import parse_sheet
from paidia.players.build import build_search
from paidia.players.definition import change
from paidia.players.registry import load_agent, make_player
from paidia.search.final_move.base import RootTable
from paidia.search.frame.result import RootMove, SearchResult
from paidia.search.mcts import Mcts
from paidia.search.threads.team import run_threads
from paidia.search.threads.together import cannot_share, joined_rows, joined_table, share_of

TREE = ["uct", "ucb1-tuned", "mast", "nst", "grave", "hrave", "cadia-style", "pool-rave", "lgrf-2", "ppaf", "progressive-history"]
ROOT = ["ntbea-4", "p-nmc", "sim-rnd-4"]


def searching(agent: str, game: str | Rules = "breakthrough@5x6", seed: int = 1, **settings: Any) -> Mcts:
    definition = load_agent(agent)
    for name, value in {"threads": 2, **settings}.items():
        definition = change(definition, name, value)
    search = build_search(definition, load(game) if isinstance(game, str) else game)
    assert isinstance(search, Mcts)
    search.begin_game(seed)
    return search


def think(search: Mcts, simulations: int, state: Any = None, step: int = 0) -> SearchResult:
    here = search.game.initial_state() if state is None else state
    return search.search(here, Budget(simulations=simulations), role=here.mover or 0, step=step)


def assert_adds_up(search: Mcts) -> None:
    """Every node once, every visit of a node one of its moves, every result in [0, 1]."""
    arrays = search.tree.arrays()
    nodes, edges = arrays["nodes"][arrays["nodes"]["stamp"] >= 0], arrays["edges"]
    assert len(np.unique(nodes["key"])) == len(nodes)
    assert ((edges["child"] >= -1) & (edges["child"] < len(arrays["nodes"]))).all()
    visits = np.concatenate(([0], np.cumsum(edges["visits"].astype(np.int64))))
    open_ = nodes["first"] >= 0
    inner = nodes[open_ & (nodes["mover"] >= 0)]
    assert (inner["first"] + inner["n_edges"].astype(np.int64) <= len(edges)).all()
    assert (visits[inner["first"] + inner["n_edges"]] - visits[inner["first"]] == inner["visits"]).all()
    assert (edges["sum"] >= -1e-9).all() and (edges["sum"] <= edges["visits"] + 1e-9).all()
    assert (nodes["visits"][~open_] == 0).all()
    for start, n in zip(nodes["first"][open_].tolist(), nodes["n_edges"][open_].tolist(), strict=True):
        moves = list(zip(edges["role"][start : start + n].tolist(), edges["move"][start : start + n].tolist(), strict=True))
        assert len(set(moves)) == n, "no move twice"


# ---------------------------------------------------------------- in one tree


@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize("agent", TREE)
def test_every_simulation_is_counted_once(agent: str, threads: int) -> None:
    search = searching(agent, threads=threads)
    assert search.shares and len(search.helpers) == threads - 1
    state = search.game.initial_state()
    for step in range(3):
        result = think(search, 700, state, step)
        assert result.simulations == 700
        assert result.move in state.legal(state.mover)
        assert_adds_up(search)
        if step == 0:
            assert sum(row.visits for row in result.moves) == 699  # the first simulation made the root
        state.play([result.move if role == state.mover else None for role in range(2)])


@pytest.mark.parametrize("game", ["gdl:connect4", "gdl:chinese-checkers-3", "gdl:tron"])
@pytest.mark.parametrize("agent", ["uct", "grave"])
def test_rule_sheets_and_simultaneous_moves(agent: str, game: str) -> None:
    search = searching(agent, game)
    result = think(search, 400)
    assert result.simulations == 400
    assert_adds_up(search)


@cache
def value_of(game: str) -> dict[int, float]:
    """The value of every position of a game of two for role 0."""
    known: dict[int, float] = {}

    def value(state: State) -> float:
        if state.key not in known:
            below = [value(after(state, move)) for move in (() if state.terminal else state.legal(state.mover))]
            known[state.key] = state.goals[0] if state.terminal else max(below) if state.mover == 0 else min(below)
        return known[state.key]

    value(load(game).initial_state())
    return known


def after(state: State, move: int) -> State:
    copy = state.clone()
    copy.play([move if role == state.mover else None for role in range(2)])
    return copy


@pytest.mark.parametrize("threads", [2, 4])
def test_what_threads_prove_is_true(threads: int) -> None:
    search = searching("cadia-style", "tic-tac-toe", threads=threads)
    for seed in range(3):
        search.begin_game(seed)
        think(search, 3000)
        arrays = search.tree.arrays()
        closed = 0
        for node, ((low0, high0), (low1, high1)) in zip(arrays["nodes"], arrays["bounds"], strict=True):
            if node["stamp"] < 0:  # taken by a thread and not used
                continue
            true = value_of("tic-tac-toe")[int(node["key"])]
            assert low0 <= true <= high0 and low1 <= 1 - true <= high1
            closed += not node["terminal"] and low0 == high0
        assert closed > 40, "they prove something"


def test_a_move_that_is_being_tried_looks_lost() -> None:
    """With as many threads as moves and one simulation each, no move is tried twice before every one has been."""
    search = searching("uct", "tic-tac-toe", threads=9)
    think(search, 2)
    search.begin_game(1)
    result = think(search, 10)
    assert sorted(row.visits for row in result.moves) == [1] * 9


@pytest.mark.parametrize("agent", ["uct", "grave", "nst", "cadia-style"])
def test_arrays_grow_while_all_wait(agent: str) -> None:
    """From the smallest sizes to many times as much, with more threads than cores."""
    search = searching(agent, "connect4", threads=6)
    result = think(search, 30_000)
    assert result.simulations == 30_000 and search.tree.n_nodes > 8_000
    assert "full" not in result.notes
    assert_adds_up(search)


@pytest.mark.parametrize("agent", ["uct", "grave", "nst"])
def test_a_full_tree_stops_growing_and_threads_go_on(agent: str) -> None:
    search = searching(agent, "breakthrough", memory=1, threads=3)
    result = think(search, 20_000)
    used, limit = search.tree.memory
    assert used <= limit <= 2**20
    assert result.simulations == 20_000 and "stopped growing" in result.notes["full"]
    assert_adds_up(search)
    search.begin_game(2)
    think(search, 300)
    assert not search.tree.full


def test_one_thread_is_the_search_of_before() -> None:
    plain, one = searching("grave", threads=1), searching("grave")
    one.recruit([])
    one.begin_game(1)
    for step in range(2):
        a, b = think(plain, 500, step=step), think(one, 500, step=step)
        assert (a.move, a.moves, a.nodes) == (b.move, b.moves, b.nodes)
    assert plain.tree.arrays()["edges"].tobytes() == one.tree.arrays()["edges"].tobytes()


def test_after_threads_one_goes_on_in_the_same_tree() -> None:
    """Statistics that fade do so once, not once for each thread."""
    search = searching("mast")
    state = search.game.initial_state()
    think(search, 500, state)
    assert search.actions is not None
    before = search.actions.table()[0].sum()
    state.play([think(search, 500, state).move, None])
    state.play([None, state.legal(1)[0]])
    total = search.actions.table()[0].sum()
    think(search, 1, state, 2)
    left = search.actions.table()[0].sum()
    assert before > 0 and left < 0.05 * total + 200, "twice by a fifth, and one simulation"


# ---------------------------------------------------------------- each from the root


@pytest.mark.parametrize("agent", ["uct", "grave", "cadia-style", *ROOT])
def test_trees_of_their_own_are_reproducible(agent: str) -> None:
    found = []
    for _ in range(2):
        search = searching(agent, parallel="root" if agent not in ROOT else "", threads=3)
        assert not search.shares and "trees of their own" in search.notes()["threads"]
        state = search.game.initial_state()
        told = []
        for step in range(3):
            result = think(search, 401, state, step)
            assert result.simulations == 401
            told.append((result.move, result.moves, result.nodes, result.depth, result.steps))
            state.play([result.move if role == state.mover else None for role in range(2)])
        found.append(told)
    assert found[0] == found[1]
    other = searching(agent, parallel="root", threads=3, seed=2)
    assert think(other, 401).moves != found[0][0][1]


def test_what_they_found_is_added_up() -> None:
    search = searching("uct", parallel="root", threads=4)
    result = think(search, 1002)
    own = [member.tree.arrays()["nodes"]["visits"].max() for member in (search, *search.helpers)]
    assert own == [250, 250, 249, 249]  # 251, 251, 250, 250 simulations, of which the first made the root
    assert sum(row.visits for row in result.moves) == 998
    assert result.nodes == sum(member.tree.n_nodes for member in (search, *search.helpers))


def test_fewer_simulations_than_threads() -> None:
    for parallel in ("root", "tree"):
        search = searching("uct", parallel=parallel, threads=8)
        result = think(search, 3)
        assert result.simulations == 3 and result.move is not None


@pytest.mark.parametrize("agent", ["maastcts2", "mcts-thesis", "sample-mcts", "uct"])
def test_video_games_have_trees_of_their_own(agent: str) -> None:
    search = searching(agent, "vgdl:vault")
    assert not search.shares
    for step in range(2):
        result = think(search, 120, step=step)
        assert result.simulations == 120 and result.move is not None


def test_rows_and_tables_are_joined_by_move() -> None:
    rows = joined_rows(
        [[RootMove(3, 10, 0.5), RootMove(5, 0, 0.0)], [RootMove(5, 4, 1.0), RootMove(3, 30, 0.9, True), RootMove(8, 0, 0.0)]]
    )
    assert [(row.move, row.visits, round(row.mean, 6), row.pruned) for row in rows] == [
        (3, 40, 0.8, False), (5, 4, 1.0, False), (8, 0, 0.0, False),
    ]  # fmt: skip
    table = joined_table([root([3, 5], [10, 0], [0.5, 0.0], low=[0.0, 0.5]), root([5, 3], [4, 30], [1.0, 0.9], high=[0.75, 0.5])])
    assert table.moves.tolist() == [3, 5] and table.visits.tolist() == [40, 4]
    assert np.allclose(table.means, [0.8, 1.0])
    assert table.low.tolist() == [0.0, 0.5] and table.high.tolist() == [0.5, 0.75]
    assert table.open.tolist() == [False, True], "one proves a half for 5, the other that 3 brings no more"
    assert np.isnan(table.amaf).all() and table.node_visits == 44


def root(moves: list[int], visits: list[int], means: list[float], **columns: list[float]) -> RootTable:
    n = len(moves)
    return RootTable(
        visits=np.array(visits, dtype=np.int32), means=np.array(means), node_visits=sum(visits), K=0.0, amaf=np.full(n, np.nan),
        low=np.array(columns.get("low", [0.0] * n)), high=np.array(columns.get("high", [1.0] * n)), open=np.ones(n, dtype=bool),
        moves=np.array(moves, dtype=np.int32), known=np.ones(n, dtype=bool), unsafe=np.zeros(n, dtype=bool),
        stale=np.zeros(n, dtype=bool), pruning=False, qualities=np.array(means), estimates=np.zeros(n),
    )  # fmt: skip


def test_a_budget_is_divided() -> None:
    shares = [share_of(Budget(simulations=10, calls=7), i, 4) for i in range(4)]
    assert [share.simulations for share in shares if share] == [3, 3, 2, 2] and shares[0] is not None and shares[0].calls == 2
    assert share_of(Budget(simulations=2), 2, 4) is None
    assert share_of(Budget(seconds=1.5), 3, 4) == Budget(seconds=1.5)


# ---------------------------------------------------------------- ends


@pytest.mark.parametrize("parallel", ["tree", "root"])
def test_threads_stop_when_they_are_asked(parallel: str) -> None:
    player = make_player("uct", settings={"threads": 3, "parallel": parallel})
    game = load("connect4")
    state = game.initial_state()
    player.begin(game, 0, state=state, seed=1, budget=None)
    done = threading.Event()

    def ask() -> None:  # until it is heard: the search may not have begun
        while not done.wait(0.05):
            player.stop()

    asking = threading.Thread(target=ask)
    asking.start()
    decision = player.act(state.clone(), step=0, budget=Budget(seconds=600.0))
    done.set()
    asking.join()
    assert decision.move is not None
    assert not [thread for thread in threading.enumerate() if thread.name == "paidia-search"]


@pytest.mark.parametrize("parallel", ["tree", "root"])
def test_a_signal_ends_all_threads(parallel: str) -> None:
    class Enough(Exception):
        pass

    def ring(*_: object) -> None:
        search.root_moves(0)
        search.tree.arrays()
        if search.so_far().simulations == 0:  # not yet begun
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            return
        raise Enough

    search = searching("uct", "connect4", parallel=parallel, threads=3)
    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Enough):
            search.search(search.game.initial_state(), Budget(seconds=600.0))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not [thread for thread in threading.enumerate() if thread.name == "paidia-search"]
    assert think(search, 50).simulations == 50


SLOW = """(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 0) (n 0) (d 1) (d 2) (d 3) (d 4) (d 5)
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= (legal ?r (go ?x)) (role ?r) (d ?x))
(<= (w ?a ?b ?c ?e ?f ?g) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g) (distinct ?a ?b) (true (n ?x)))
(<= terminal (true (n 9)) (w ?a ?b ?c ?d ?e ?f)) (<= (goal ?r 50) (role ?r))"""


@pytest.mark.parametrize("parallel", ["tree", "root"])
def test_an_alarm_rings_for_every_thread(parallel: str) -> None:
    """In the middle of endless simulations of an interpreted game; what was cut short leaves no visits."""
    player = make_player("uct", settings={"threads": 2, "parallel": parallel, "max_depth": 100_000})
    game = interpret(parse_sheet(SLOW), "slow")
    state = game.initial_state()
    player.begin(game, 0, state=state, seed=1, budget=None)
    began = time.monotonic()
    decision = player.act(state, step=0, budget=Budget(seconds=0.2))
    assert decision.move is not None and time.monotonic() - began < 20
    if parallel == "tree":
        search = player.search  # type: ignore[attr-defined]
        assert_adds_up(search)
        assert search.tree.arrays()["nodes"]["visits"].max(initial=0) <= max(0, decision.simulations)


def test_what_goes_wrong_in_a_thread_is_raised() -> None:
    done = []

    def fail() -> None:
        raise ValueError("no")

    def stop(failed: bool) -> None:
        done.append(failed)

    with pytest.raises(ValueError, match="no"):
        run_threads(lambda: done.append(True), [lambda: time.sleep(0.03), fail], stop)
    assert done[0] is True
    with pytest.raises(ValueError, match="no"):
        run_threads(fail, [lambda: time.sleep(0.03)], stop)
    assert done[-1] is True


# ---------------------------------------------------------------- who can, and how one says so


def test_which_searches_share_a_tree() -> None:
    assert cannot_share(searching("uct", threads=1)) == ""
    assert "sequences" in cannot_share(searching("uct", "vgdl:vault", threads=1))
    assert "order" in cannot_share(searching("ntbea-4", threads=1))
    assert "bounds" in cannot_share(searching("uct", evaluation="plain", threads=1))
    with pytest.raises(BadInput, match="parallel = root"):
        searching("ntbea-4", parallel="tree")


def test_what_is_written_in_python_is_refused() -> None:
    with pytest.raises(BadInput, match="written in Python"):
        searching("uct", CountdownGame(2))


@pytest.mark.parametrize(
    "settings", [{"threads": 0}, {"threads": -1}, {"threads": 257}, {"threads": 1.5}, {"threads": "two"}, {"parallel": "leaf"}]
)
def test_bad_values_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=next(iter(settings))):
        searching("uct", **settings)


def test_paidia_search_takes_threads() -> None:
    state = load("connect4").initial_state()
    result = paidia.search(state, "uct", sims=300, threads=2)
    assert result.simulations == 300 and result.notes["threads"] == "2 in one tree"
    same = [paidia.search(state, paidia.agent("uct", parallel="root"), sims=300, threads=2, seed=5) for _ in range(2)]
    assert same[0].moves == same[1].moves


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--agents", "uct,uct", "--threads", "0"), "threads"),
        (("--agents", "uct,uct", "--threads", "1000"), "threads"),
        (("--agents", "uct,uct", "--threads", "many"), "threads"),
        (("--agents", "random,random", "--threads", "2"), "search a tree"),
        (("--agents", "uct,uct", "--set", "parallel=leaf"), "parallel"),
        (("--agents", "ntbea-4,uct", "--threads", "2", "--set", "parallel=tree"), "parallel = root"),
    ],
)
def test_the_command_line_refuses_what_cannot_be(run: Any, arguments: tuple[str, ...], named: str) -> None:
    code, _, told = run("play", "connect4@4x4", "--sims", "10", *arguments)
    assert code == 2 and named in told


def test_matches_with_threads(run: Any) -> None:
    match = ("play", "connect4@4x4", "--agents", "uct,random", "--sims", "60", "--threads", "2", "--set", "parallel=root")
    found = [run(*match, "--json") for _ in range(2)]
    assert [code for code, _, _ in found] == [0, 0]
    assert json.loads(found[0][1])["moves"] == json.loads(found[1][1])["moves"]
    assert run("play", "vgdl:vault", "--agents", "maastcts2", "--sims", "20", "--threads", "2", "--level", "0")[0] == 0


def test_an_agent_in_a_file_says_how_many_threads(tmp_path: Any) -> None:
    (tmp_path / "two.toml").write_text('base = "grave"\nsummary = "two threads"\n[search]\nthreads = 2\nparallel = "root"\n')
    search = build_search(load_agent(str(tmp_path / "two.toml")), load("connect4@4x4"))
    assert isinstance(search, Mcts) and len(search.helpers) == 1 and not search.shares
    (tmp_path / "none.toml").write_text('base = "grave"\n[search]\nthreads = 0\n')
    with pytest.raises(paidia.PaidiaError, match="threads"):
        load_agent(str(tmp_path / "none.toml"))
