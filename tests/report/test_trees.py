"""Shapes of search trees against a slow walk, and the picture of a whole match."""

from pathlib import Path

import numpy as np
import pytest

from paidia.cli.main import main
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.games import load
from paidia.players.registry import make_player
from paidia.players.search_player import SearchPlayer
from paidia.report.drawing.trees import Growth, load_tree, top_of, tree_shape


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


def test_growth_of_a_match(tmp_path: Path) -> None:
    """Every position hangs one turn below its parent, and has the first turn in which it was seen."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'paidia[report]'")
    rules = load("tic-tac-toe")
    player = make_player("uct")
    assert isinstance(player, SearchPlayer)
    growth = Growth()
    state = rules.initial_state()
    player.begin(rules, 0, state=state, seed=1, budget=None)
    seen: dict[int, int] = {}
    for step in range(3):
        role = state.mover
        player._role = role
        move = player.act(state.clone(), step=step, budget=Budget(simulations=200)).move
        assert player.search is not None
        arrays = player.search.tree.arrays()
        root = player.search.tree.root(state)
        growth.add(arrays, root, step=step)
        for key in arrays["nodes"]["key"].tolist():
            seen.setdefault(key, step)
        state.play([move if r == role else None for r in range(2)])
    assert growth.turn == {key: turn for key, turn in seen.items() if key in growth.turn}
    assert len(growth.turn) > 200
    assert all(growth.depth[key] == growth.depth[above] + 1 for key, above in growth.parent.items())
    place = growth.layout()
    assert set(place) == set(growth.turn)
    for depth in set(growth.depth.values()):
        places = [place[key] for key in place if growth.depth[key] == depth]
        assert len(set(places)) == len(places)  # nobody stands on another
    growth.draw(tmp_path / "match.svg", title="three turns")
    assert (tmp_path / "match.svg").stat().st_size > 1000
    with pytest.raises(BadInput, match="cannot write the picture"):
        growth.draw(tmp_path / "match.bogus", title="three turns")


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
    assert ">first<" in page and "branches" in page
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["report", str(tmp_path / "p.sqlite"), "-o", str(tmp_path / "out"), "--tree", str(plan)])
    assert "is not a saved tree" in " ".join(capsys.readouterr().err.split())
