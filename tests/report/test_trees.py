"""Shapes of search trees against a slow walk, and the picture of a whole match."""

import csv
import itertools
from pathlib import Path

import numpy as np
import pytest

from paidia.cli.main import main
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.experiment.cells import Cell
from paidia.experiment.expand import expand
from paidia.experiment.plan import Plan
from paidia.experiment.studies.trees import Growth, average_shapes, grow_trees
from paidia.games import load
from paidia.players.registry import make_player
from paidia.players.search_player import SearchPlayer
from paidia.report.drawing.trees import draw_growth, layout
from paidia.search.mcts import Mcts
from paidia.search.nodes.shape import load_tree, top_of, tree_shape


def searched(game: str, agent: str, sims: int) -> tuple[SearchPlayer, int]:
    rules = load(game)
    player = make_player(agent)
    assert isinstance(player, SearchPlayer)
    state = rules.initial_state()
    player.begin(rules, 0, state=state, seed=3, budget=None)
    player.act(state, step=0, budget=Budget(simulations=sims))
    assert player.search is not None
    return player, player.search.tree.root(state)


@pytest.mark.parametrize("game", ["tic-tac-toe", "breakthrough@5x4", "connect4"])
@pytest.mark.parametrize("agent", ["uct", "grave"])
@pytest.mark.parametrize("sims", [1, 2, 30, 700])
def test_shape_equals_a_slow_walk(game: str, agent: str, sims: int) -> None:
    player, root = searched(game, agent, sims)
    assert player.search is not None
    arrays = player.search.tree.arrays()
    distance = {root: 0}
    queue = [root]
    for node in queue:
        record = arrays["nodes"][node]
        for edge in range(record["first"], record["first"] + record["n_edges"]) if record["first"] >= 0 else ():
            child = int(arrays["edges"][edge]["child"])
            if arrays["edges"][edge]["visits"] > 0 and child >= 0 and child not in distance:
                distance[child] = distance[node] + 1
                queue.append(child)
    tried, legal = [], []
    for node in distance:
        record = arrays["nodes"][node]
        own = range(record["first"], record["first"] + record["n_edges"]) if record["first"] >= 0 else ()
        count = sum(arrays["edges"][edge]["visits"] > 0 for edge in own)
        if count:
            tried.append(count)
            legal.append(len(own))
    shape = tree_shape(arrays, root)
    assert shape.positions == len(distance) == sum(shape.by_depth)
    assert shape.depth == max(distance.values())
    assert shape.by_depth == [list(distance.values()).count(d) for d in range(shape.depth + 1)]
    assert shape.branching == pytest.approx(np.mean(tried) if tried else 0.0)
    assert shape.legal == pytest.approx(np.mean(legal) if legal else 0.0)


def test_a_saved_tree_has_the_same_shape(tmp_path: Path) -> None:
    player, root = searched("connect4", "uct", 300)
    assert player.search is not None
    player.search.tree.save(tmp_path / "tree.npz")
    assert tree_shape(load_tree(tmp_path / "tree.npz"), root) == tree_shape(player.search.tree.arrays(), root)
    with pytest.raises(BadInput, match="not in the tree"):
        tree_shape(load_tree(tmp_path / "tree.npz"), -1)
    (tmp_path / "text.npz").write_text("no tree")
    with pytest.raises(BadInput, match="is not a saved tree"):
        load_tree(tmp_path / "text.npz")


@pytest.mark.parametrize("game", ["gdl:tron", "gdl:battle"])
def test_shape_with_simultaneous_moves(game: str) -> None:
    """Against every joint move that was tried, played again one by one and looked up by its key."""
    player, root = searched(game, "uct", 150)
    assert isinstance(player.search, Mcts)
    arrays = player.search.tree.arrays()
    nodes, edges = arrays["nodes"], arrays["edges"]
    index = {int(key): node for node, key in enumerate(nodes["key"])}
    distance, branching, legal = {root: 0}, [], []
    queue = [(root, player.search.game.initial_state())]
    for node, state in queue:
        tried: dict[int, list[int]] = {}
        for edge in (
            range(nodes[node]["first"], nodes[node]["first"] + nodes[node]["n_edges"]) if nodes[node]["first"] >= 0 else ()
        ):
            if edges[edge]["visits"] > 0:
                tried.setdefault(int(edges[edge]["role"]), []).append(int(edges[edge]["move"]))
        found = 0
        for joint in itertools.product(*tried.values()) if tried else ():
            after = state.clone()
            moves = dict(zip(tried, joint, strict=True))
            after.play([moves.get(role) for role in range(2)])
            child = index.get(after.key)
            if child is not None:
                found += 1
                if child not in distance:
                    distance[child] = distance[node] + 1
                    queue.append((child, after))
        if found:
            branching.append(found)
            legal.append(np.prod([len(state.legal(role)) for role in range(2) if state.legal(role)]))
    shape = tree_shape(arrays, root, state=player.search.game.initial_state())
    assert len(distance) > 100
    assert (shape.positions, shape.depth) == (len(distance), max(distance.values()))
    assert shape.branching == pytest.approx(np.mean(branching)) and shape.legal == pytest.approx(np.mean(legal))
    with pytest.raises(BadInput, match="simultaneous moves"):
        tree_shape(arrays, root)


def test_shape_of_sequences(tmp_path: Path) -> None:
    """Video games: a node hangs at the one whose move leads to it."""
    cell = self_play("vgdl:orchard", "mcts-thesis", 40)
    match, growth, tree = grow_trees(cell, 0, turns=3, draw=0)
    arrays = tree.arrays()
    assert tree.sequences
    children: dict[int, set[int]] = {}
    for node, more in enumerate(arrays["node_more"]):
        children.setdefault(int(more["parent"]), set()).add(node)
    distance, queue = {0: 0}, [0]
    for node in queue:
        for child in children.get(node, ()):
            distance[child] = distance[node] + 1
            queue.append(child)
    shape = match.roles[0][-1].shape
    assert (shape.positions, shape.depth) == (len(distance), max(distance.values()))
    by_edges = [sum(e["visits"] > 0 for e in arrays["edges"][n["first"] : n["first"] + n["n_edges"]]) for n in arrays["nodes"]]
    assert shape.branching == pytest.approx(np.mean([count for count in by_edges if count]))
    assert [each.turn for each in match.roles[0]] == [0, 1, 2]
    assert set(growth.turn.values()) == {0, 1, 2}
    assert all(growth.depth[key] == growth.depth[above] + 1 for key, above in growth.parent.items())
    tree.save(tmp_path / "ticks.npz")
    assert tree_shape(load_tree(tmp_path / "ticks.npz"), top_of(load_tree(tmp_path / "ticks.npz"))) == shape


def self_play(game: str, agent: str, sims: int) -> Cell:
    return expand(Plan(games=[game], agents=[agent], sims=sims), alone=True)[0]


@pytest.mark.parametrize(("agent", "trees"), [("p-base", 2), ("uct", 1)])
def test_turns_and_matches_are_counted_once(agent: str, trees: int) -> None:
    """Who ponders has a tree in every turn, for each role: turns are turns of the game, matches are matches."""
    cell = self_play("tic-tac-toe", agent, 30)
    played = [grow_trees(cell, number, turns=4)[0] for number in range(3)]
    averages = average_shapes(played)
    assert [(a.turn, a.matches, a.trees) for a in averages] == [(turn, 3, 3 * trees) for turn in range(4)]
    for role in range(2):
        own = average_shapes(played, role=role)
        assert [a.turn for a in own] == (list(range(4)) if trees == 2 else [role, role + 2])
        assert all((a.matches, a.trees) == (3, 3) for a in own)
    depths = [s.depth for match in played for shapes in match.roles for s in shapes if s.turn == 1]
    assert averages[1].depth == pytest.approx(np.mean(depths))


def test_two_players_trees_are_not_drawn_as_one() -> None:
    """Each role's picture holds what its own player has seen, and not what only the other one has."""
    cell = self_play("tic-tac-toe", "p-base", 15)
    first, second = (grow_trees(cell, 0, turns=3, draw=role) for role in range(2))
    assert first[0] == second[0]  # the same match
    assert first[1] is not None and second[1] is not None
    assert set(first[1].turn) != set(second[1].turn)
    for match, growth, _ in (first, second):
        role = 0 if growth is first[1] else 1
        # every node of the last tree is in the picture, and no more nodes than all trees of this player had
        assert len(growth.turn) <= sum(s.shape.positions for s in match.roles[role])
        assert len(growth.turn) >= match.roles[role][-1].shape.positions


def test_depth_is_that_of_the_deepest_simulation() -> None:
    """One simulation more, one tree deeper by one move at most; the first finds the root alone."""
    last = 0
    for sims in range(1, 40):
        match, _, _ = grow_trees(self_play("tic-tac-toe", "uct", sims), 0, turns=1)
        (told,) = match.roles[0]
        assert told.depth <= last + 1 and told.depth >= told.shape.depth
        last = max(last, told.depth)
        if sims == 1:
            assert told.depth == 0
    assert last >= 2


def test_growth_of_a_match(tmp_path: Path) -> None:
    """Every position hangs one turn below its parent, and has the first turn in which it was seen."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'paidia[report]'")
    rules = load("tic-tac-toe")
    player = make_player("uct")
    assert isinstance(player, SearchPlayer)
    growth = Growth()
    state = rules.initial_state()
    player.begin(rules, 0, state=state, seed=1, budget=None)
    seen: dict[tuple[int, int], int] = {}
    for step in range(3):
        role = state.mover
        player._role = role
        move = player.act(state.clone(), step=step, budget=Budget(simulations=200)).move
        assert player.search is not None
        arrays = player.search.tree.arrays()
        root = player.search.tree.root(state)
        growth.add(arrays, root, step=step)
        for key in arrays["nodes"]["key"].tolist():
            seen.setdefault((0, key), step)
        state.play([move if r == role else None for r in range(2)])
    assert growth.turn == {key: turn for key, turn in seen.items() if key in growth.turn}
    assert len(growth.turn) > 200
    assert all(growth.depth[key] == growth.depth[above] + 1 for key, above in growth.parent.items())
    place = layout(growth)
    assert set(place) == set(growth.turn)
    for depth in set(growth.depth.values()):
        places = [place[key] for key in place if growth.depth[key] == depth]
        assert len(set(places)) == len(places)  # nobody stands on another
    draw_growth(growth, tmp_path / "match.svg", title="three turns")
    assert (tmp_path / "match.svg").stat().st_size > 1000
    with pytest.raises(BadInput, match="cannot write the picture"):
        draw_growth(growth, tmp_path / "match.bogus", title="three turns")


def test_a_plan_of_agents_and_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Figures over turns for all agents and games of one plan."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'paidia[report]'")
    plan = tmp_path / "p.toml"
    plan.write_text('games = ["tic-tac-toe", "gdl:tron"]\nagents = ["uct", "p-base"]\nsims = 20\nmatches = 2\n')
    main(["tree", str(plan), "--turns", "3", "--workers", "1", "-o", str(tmp_path / "out")])
    with (tmp_path / "out" / "turns.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 2 * 2 * 3
    assert {(row["game"], row["agent"]) for row in rows} == set(itertools.product(("tic-tac-toe", "gdl:tron"), ("uct", "p-base")))
    assert all(row["matches"] == "2" for row in rows)
    written = {file.name for file in (tmp_path / "out").glob("*.svg")}
    assert {"depth-tic-tac-toe.svg", "branching-gdl-tron.svg", "tree-gdl-tron-p-base.svg"} < written and len(written) == 8
    text = (tmp_path / "out" / "depth-tic-tac-toe.svg").read_text()
    assert "maximum depth" in text or text.count("<path") > 10
    capsys.readouterr()
    for arguments, complaint in (
        (["tree", str(plan), "--agent", "uct"], "the plan says that"),
        (["tree", "tic-tac-toe", "--sims", "5"], "who searches"),
        (["tree", "tic-tac-toe", "--agent", "uct"], "how long may it search"),
        (["tree", "tic-tac-toe", "--agent", "random", "--sims", "5"], "builds no tree"),
        (["tree", "vgdl:orchard", "--agent", "rhea", "--sims", "5"], "builds no tree"),
        (["tree", "tic-tac-toe", "--agent", "uct", "--sims", "5", "--role", "2"], "has roles 0 to 1"),
    ):
        with pytest.raises(SystemExit) as exit:
            main(arguments)
        assert exit.value.code == 2
        assert complaint in " ".join(capsys.readouterr().err.split())


def test_saved_trees_in_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'paidia[report]'")
    player, root = searched("connect4", "uct", 200)
    assert player.search is not None
    player.search.tree.save(tmp_path / "first.npz")
    assert top_of(load_tree(tmp_path / "first.npz")) == root
    plan = tmp_path / "p.toml"
    plan.write_text('games = ["hex@3"]\nagents = ["random"]\nopponents = [{ id = "random", name = "other" }]\nmatches = 2\n')
    main(["run", str(plan), "--quiet", "--workers", "1"])
    main(["report", str(tmp_path / "p.sqlite"), "-o", str(tmp_path / "out"), "--tree", str(tmp_path / "first.npz")])
    shape = tree_shape(player.search.tree.arrays(), root)
    line = (tmp_path / "out" / "trees.csv").read_text().splitlines()[1]
    assert line == f"first,{shape.positions},{shape.depth},{shape.branching:.10g},{shape.legal:.10g}"
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert ">first<" in page and "positions side by side" in page and "first: its top" in page
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["report", str(tmp_path / "p.sqlite"), "-o", str(tmp_path / "out"), "--tree", str(plan)])
    assert "is not a saved tree" in " ".join(capsys.readouterr().err.split())
