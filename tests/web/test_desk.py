"""The children by themselves: the same match as `paidia play`, outlines and comparisons against slow oracles, records."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import paidia
from paidia.core.errors import BadInput
from paidia.web.desk.differ import compare
from paidia.web.desk.look import Outline, SearchLook, principal_line, root_rows
from paidia.web.desk.records import open_record
from paidia.web.desk.seats import read_agent, read_budget


def _desk(
    tmp_path: Path, *letters: dict[str, Any], until: str, folders: tuple[str, ...] = (), errors: int = 1
) -> Iterator[dict[str, Any]]:
    """What a child says to some letters, until it has said something, or so many errors."""
    child = subprocess.Popen(
        [sys.executable, "-m", "paidia.web.desk", "2000000000", "600", str(tmp_path), *folders],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdin is not None and child.stdout is not None
    try:
        for letter in letters:
            child.stdin.write(json.dumps(letter).encode() + b"\n")
        child.stdin.flush()
        for line in child.stdout:
            said = json.loads(line[1:])
            yield said
            errors -= "error" in said
            if until in said or not errors:
                return
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()


@pytest.mark.parametrize(
    ("game", "agents"), [("connect4", ["grave", "p-nmc"]), ("gdl:tron", ["uct", "mast"]), ("vgdl:ferry", ["sample-mcts"])]
)
def test_a_match_is_the_one_that_paidia_play_plays(tmp_path: Path, game: str, agents: list[str]) -> None:
    seats = [{"agent": agent, "sims": 60} for agent in agents]
    opened = {"do": "open", "kind": "table", "game": game, "level": "0" if "vgdl" in game else None, "seats": seats, "seed": 11}
    said = list(_desk(tmp_path, opened, until="over"))
    over = said[-1]["over"]
    expected = paidia.play(paidia.load(game, level="0" if "vgdl" in game else None), agents, sims=60, seed=11).record
    assert over["goals"] == expected.goals and over["steps"] == len(expected.moves)
    shown = {s["position"]["step"]: s["position"]["names"] for s in said if "position" in s}
    shown |= {s["frame"]["step"]: s["frame"]["names"] for s in said if "frame" in s}
    for step, names in shown.items():
        assert step == 0 or names == expected.moves[step - 1]


def test_a_forced_move_shows_no_table_of_an_earlier_search(tmp_path: Path) -> None:
    seats = [{"agent": "uct", "sims": 200}, {"agent": "uct", "sims": 200}]
    said = _desk(tmp_path, {"do": "open", "kind": "table", "game": "tic-tac-toe", "seats": seats, "seed": 2}, until="over")
    decisions = [letter["decision"] for letter in said if "decision" in letter]
    forced = [decision for decision in decisions if decision["step"] == 8]
    assert forced and all(decision["forced"] and "rows" not in decision for decision in forced)
    assert all(decision["rows"] and not decision["forced"] for decision in decisions if decision["step"] < 8)


def test_undo_takes_the_agents_back_as_well(tmp_path: Path) -> None:
    seats = [{"agent": "human"}, {"agent": "uct", "sims": 40}]
    letters = [
        {"do": "open", "kind": "table", "game": "connect4", "seats": seats},
        {"do": "move", "role": 0, "move": "d"},
    ]
    said = _desk(tmp_path, *letters, until="nothing")
    steps = []
    for letter in said:
        if "position" in letter:
            steps.append(letter["position"]["step"])
            if steps[-1] == 2:
                break
    assert steps == [0, 1, 2]


def test_a_record_of_the_page_is_one_of_play(tmp_path: Path) -> None:
    seats = [{"agent": "uct", "sims": 30}, {"agent": "random"}]
    opened = {"do": "open", "kind": "table", "game": "tic-tac-toe", "seats": seats, "seed": 4}
    said = list(_desk(tmp_path, opened, {"do": "record"}, until="record"))
    record = paidia.match.record.MatchRecord.from_json(said[-1]["record"].encode())
    assert record.game == "tic-tac-toe" and record.seed == 4 and record.agents == ["uct", "random"]


@pytest.mark.parametrize(("game", "agents"), [("connect4@4x5", ["grave", "ntbea-2"]), ("gdl:tron", ["uct", "mast"])])
def test_a_match_of_the_page_can_be_played_once_more(tmp_path: Path, run: Any, game: str, agents: list[str]) -> None:
    seats = [{"agent": agent, "sims": 12, "settings": "C=0.5"} for agent in agents]
    opened = {"do": "open", "kind": "table", "game": game, "seats": seats, "seed": 5}
    said = list(_desk(tmp_path, opened, {"do": "record", "comments": {"2": "well", "1": " "}}, until="record"))
    file = tmp_path / "match.json"
    file.write_text(said[-1]["record"])
    record = paidia.match.record.MatchRecord.from_json(file.read_bytes())
    assert record.comments == {"2": "well"} and record.details is not None
    assert [plain and plain["parameters"]["C"] for plain in record.details.definitions] == [0.5, 0.5]
    assert record.details.roots and record.details.signature
    code, out, err = run("play", "--repeat", file)
    assert code == 0 and "the same match" in out + err, out + err


def test_comments_are_kept_in_the_file_of_a_record(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    match = paidia.play("tic-tac-toe", ["uct", "random"], sims=10, seed=1).record
    (folder / "match.json").write_bytes(match.to_json())
    assert b"comments" not in match.to_json()
    opened = {"do": "open", "kind": "table", "file": "0/match.json"}
    for comments, expected in (({"0": "the start", "3": "ah"}, {"0": "the start", "3": "ah"}), ({"3": ""}, {})):
        said = list(_desk(tmp_path, opened, {"do": "keep", "comments": comments}, until="kept", folders=(str(folder),)))
        assert said[-1]["kept"] == "match.json"
        kept = paidia.match.record.MatchRecord.from_json((folder / "match.json").read_bytes())
        assert kept.comments == expected and kept.moves == match.moves
    assert open_record({"file": "0/match.json"}, [folder], tmp_path).about["comments"] == {}
    assert sorted(file.name for file in folder.iterdir()) == ["match.json"]
    refused = {"steps 0 to": {"99": "x"}, "texts by step": [1], "at most": {"1": "x" * 10_001}}
    letters = [{"do": "keep", "comments": wrong} for wrong in refused.values()]
    errors: list[str] = []
    for letter in _desk(tmp_path, opened, *letters, until="kept", folders=(str(folder),), errors=len(letters)):
        errors += [letter["error"]] if "error" in letter else []
    assert all(words in error for words, error in zip(refused, errors, strict=True))
    unsaved = {"do": "open", "kind": "table", "record": match.to_json().decode()}
    assert "save this match" in list(_desk(tmp_path, unsaved, {"do": "keep"}, until="kept"))[-1]["error"]


def test_a_store_that_grows_elsewhere_is_shown_as_it_grows(tmp_path: Path, run: Any) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    plan = 'games = ["tic-tac-toe"]\nagents = ["uct"]\nopponents = ["random"]\nsims = 5\nmatches = {}\n'

    def play(matches: int) -> None:
        (folder / "plan.toml").write_text(plan.format(matches))
        assert run("run", folder / "plan.toml", "--workers", 1, "--quiet")[0] == 0

    play(2)
    letters = [{"do": "open", "kind": "lab"}, {"do": "store", "file": "0/plan.sqlite"}]
    sizes = []
    for said in _desk(tmp_path, *letters, until="progress", folders=(str(folder),)):
        if "store" in said:
            sizes.append(said["store"]["groups"][0]["n"])
            if len(sizes) == 1:
                play(4)
    assert sizes[0] == 2 and sizes[-1] == 4 == said["progress"]["done"] and said["progress"]["elsewhere"]


def _look(game: str, agent: str, sims: int, seed: int = 0) -> SearchLook:
    from paidia.core.budget import Budget
    from paidia.players.build import build_search

    state = paidia.load(game).initial_state()
    search = build_search(paidia.agent(agent).definition, state.game)
    search.begin_game(seed)
    result = search.search(state, Budget(simulations=sims), role=state.mover or 0)
    return SearchLook(search, state, state.mover or 0, result, f"{agent} {seed}")


@pytest.mark.parametrize(("game", "agent"), [("tic-tac-toe", "uct"), ("connect4", "grave"), ("gdl:breakthrough", "mast")])
def test_the_outline_holds_every_node_once_in_reading_order(game: str, agent: str) -> None:
    look = _look(game, agent, 1500)
    arrays = look.tree.arrays()
    nodes, edges = arrays["nodes"], arrays["edges"]
    root = look.tree.root(look.state)
    outline = look.outline
    assert isinstance(outline, Outline) and outline.order[0] == root
    reached, todo = {root}, [root]
    while todo:  # the oracle: what can be reached at all
        node = todo.pop()
        first, n = int(nodes[node]["first"]), int(nodes[node]["n_edges"])
        for edge in edges[first : first + n] if first >= 0 else []:
            if edge["child"] >= 0 and int(edge["child"]) not in reached:
                reached.add(int(edge["child"]))
                todo.append(int(edge["child"]))
    assert sorted(outline.order.tolist()) == sorted(reached)
    for index, node in enumerate(outline.order.tolist()):
        assert outline.rank[node] == index
        parent = int(outline.parent[node])
        if node == root:
            continue
        edge = edges[outline.via[node]]
        assert edge["child"] == node and outline.depth[node] == outline.depth[parent] + 1
        assert outline.rank[parent] < index < outline.rank[parent] + outline.size[parent]
    closed = int(outline.order[1])
    shown = outline.rows(least=0, deepest=-1, closed=[closed])
    assert len(shown) == len(outline.order) - outline.size[closed] + 1
    few = outline.rows(least=10, deepest=2, closed=[])
    assert set(few.tolist()) == {n for n in reached if outline.visits[n] >= 10 and outline.depth[n] <= 2}


@pytest.mark.parametrize("game", ["connect4", "gdl:tron"])
def test_positions_of_nodes_are_those_of_the_tree(game: str) -> None:
    look = _look(game, "uct", 800)
    assert len(look.outline.order) == look.result.nodes  # where all move at once, too: joint moves are played
    keys = look.tree.arrays()["nodes"]["key"]
    for node in look.outline.order[:200].tolist():
        state, moves = look.position(node)
        assert state.key == int(keys[node]) and len(moves) == look.outline.depth[node]
    with pytest.raises(BadInput, match="no such node"):
        look.position(10**9)


def test_where_all_move_at_once_joint_moves_lead_on() -> None:
    look, other = _look("gdl:tron", "uct", 600), _look("gdl:tron", "grave", 600)
    line = principal_line(look.search, look.state)
    assert len(line) > 2 and " | " in line[0]["move"]
    rows = look.window({"n": 3})["rows"]
    assert rows[1][2] == line[0]["move"] and rows[1][4] == line[0]["visits"]
    found = compare(look, other, [])
    for role in (-1, 0, 1):
        assert sum(row["a"]["share"] for row in found["rows"] if row["role"] == role and "a" in row) == pytest.approx(1)
    assert found["joint"] and 0 < found["distance"] <= 1
    deeper = compare(look, other, [line[0]["move"]])
    assert deeper["reached"][0] and deeper["rows"]
    assert compare(look, other, ["no | such"])["reached"] == [False, False]
    both = _look("vgdl2:furrows", "uct", 200)
    assert len(both.outline.order) == both.result.nodes and both.window({"n": 2})["rows"][1][2] == "a joint move"


def test_the_root_table_has_amaf_where_the_search_keeps_it_and_looking_changes_nothing() -> None:
    import signal

    from paidia.core.budget import Budget
    from paidia.players.build import build_search
    from paidia.search.frame.outcome import root_table

    plain = _look("connect4", "grave", 4000)
    assert all(0 <= row["amaf"] <= 1 for row in plain.summary()["rows"] if row["visits"])
    assert not any("amaf" in row for row in _look("connect4", "uct", 100).summary()["rows"])
    state = paidia.load("connect4").initial_state()
    search = build_search(paidia.agent("grave").definition, state.game)
    search.begin_game(0)
    seen: list[Any] = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(root_rows(search, state, 0)))
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        watched = search.search(state, Budget(simulations=4000), role=0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen and watched.moves == plain.result.moves
    chosen = root_table(plain.search, 0, plain.result.moves)  # what the final move is chosen by
    rows = {row["move"]: row["amaf"] for row in plain.summary()["rows"]}
    assert rows == {plain.state.game.move_name(0, move): mean for move, mean in zip(chosen.moves, chosen.amaf, strict=True)}


def test_the_principal_line_is_playable_and_most_visited() -> None:
    look = _look("connect4", "uct", 2000)
    line = principal_line(look.search, look.state)
    assert len(line) > 2 and line[0]["visits"] == max(row.visits for row in look.result.moves)
    state = look.state.clone()
    for step in line:
        state.play(state.game.move_id(step["role"], step["move"]))


def test_equal_searches_do_not_differ_and_others_do() -> None:
    one, same, other = _look("connect4", "uct", 500), _look("connect4", "uct", 500), _look("connect4", "uct", 500, seed=1)
    assert compare(one, same, [])["distance"] == 0.0
    found = compare(one, other, [])
    assert 0.0 < found["distance"] <= 1.0
    assert sum(row["a"]["visits"] for row in found["rows"]) == sum(row.visits for row in one.result.moves)
    deeper = compare(one, other, [one.result and found["rows"][0]["move"]])
    assert deeper["reached"] == [True, True] and deeper["rows"]


def test_records_of_hosts_open_once_the_game_is_named(tmp_path: Path) -> None:
    host = {
        "matchId": "m", "moves": [["(mark 1 1)", "noop"], ["noop", "( mark 2 2 )"]], "goalValues": [50, 50],
        "playerNamesFromHost": ["a", "b"], "isCompleted": True,
    }  # fmt: skip
    with pytest.raises(BadInput, match="choose the game"):
        open_record({"record": json.dumps(host)}, [], tmp_path)
    opened = open_record({"record": json.dumps(host), "game": "gdl:tic-tac-toe"}, [], tmp_path)
    assert opened.moves == [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]] and opened.about["goals"] == [0.5, 0.5]
    for broken in ("", "[]", "{}", "nonsense"):
        with pytest.raises(BadInput):
            open_record({"record": broken}, [], tmp_path)


def test_agents_and_budgets_from_the_page_are_checked() -> None:
    name, definition = read_agent({"agent": "grave", "settings": "C=0.7, playout.decay=0.5"})
    assert name == "grave" and definition.parameters["C"] == 0.7
    for plain in ({"agent": "nobody"}, {"agent": "x.toml"}, {"agent": "uct", "settings": "C"}, {"definition": {"kind": 3}}):
        with pytest.raises(Exception, match=r"agent|KEY=VALUE|by id"):
            read_agent(plain)
    assert read_budget({}) is None
    for plain in ({"sims": "x"}, {"sims": -1}, {"time": 10**6}, {"sims": 10**12}):
        with pytest.raises(BadInput):
            read_budget(plain)
