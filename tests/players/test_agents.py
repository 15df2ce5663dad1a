"""Agents as TOML files say them: presets, settings, bases, and every way to get one wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput, PaidiaError, RuleError, UnknownName
from paidia.games import load, load_as
from paidia.match.referee import play_match
from paidia.players.build import build_search
from paidia.players.definition import AgentDefinition, change
from paidia.players.registry import KINDS, agent_ids, load_agent, make_player, parse_settings
from paidia.players.search_player import SearchPlayer
from paidia.search.mcts import Mcts
from paidia.search.registry import SEARCHES

BUDGET = Budget(simulations=20)
Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes an agent file and gives its path."""

    def file(text: str, name: str = "mine.toml") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)

    return file


# ---------------------------------------------------------------- presets


@pytest.mark.parametrize("id", agent_ids())
def test_every_preset_says_what_it_is_and_where_it_comes_from(id: str) -> None:
    agent = load_agent(id)
    assert agent.summary and "\n" not in agent.summary and len(agent.summary) < 120
    assert agent.paper or id == "random"
    assert agent.world in ("abstract", "vgdl", "any")
    assert agent.kind in KINDS


@pytest.mark.parametrize("id", [id for id in agent_ids() if load_agent(id).kind == "search"])
def test_every_searching_preset_can_be_built(id: str) -> None:
    agent = load_agent(id)
    home = dict.fromkeys(("nmcs", "nrpa", "constrained", "explorer"), "gdl:eight-puzzle")
    home |= dict.fromkeys(("past", "fast", "cut-solver", "waves", "waves-uniform"), "gdl:tic-tac-toe")
    game = load_as(ArcadeGame, "vgdl:museum") if agent.world == "vgdl" else load(home.get(id, "breakthrough@5x4"))
    search = build_search(agent, game)
    assert search.game is game
    if agent.planner:
        kind = SEARCHES[agent.planner["kind"]]
        assert type(search) is kind and isinstance(search.settings, kind.Settings)
    else:
        assert isinstance(search, Mcts) and search.parameters == agent.search_parameters()


def test_the_presets_differ_as_they_should() -> None:
    assert load_agent("grave").search.selection == "grave"
    assert load_agent("grave").search_parameters().ref == 50
    assert load_agent("rave").search_parameters().ref == 0
    assert load_agent("hrave").search_parameters().ref == math.inf
    assert load_agent("hrave").search.playout == "mast"  # by way of grave
    assert load_agent("ppafm").search.options["playout"] == {"features": True, "memory": True}
    assert load_agent("uct").search.reuse is False


def test_a_searching_agent_needs_a_budget() -> None:
    with pytest.raises(BadInput, match="agent uct searches and needs a budget: give --sims"):
        play_match(load("tic-tac-toe"), [make_player("random"), make_player("uct")])
    assert make_player("random").name == "random"


def test_a_player_may_have_another_name() -> None:
    assert make_player("uct", name="Anna").name == "Anna"


@pytest.mark.parametrize(("id", "near"), [("gravee", "grave"), ("UCT", "uct"), ("ucb1-tune", "ucb1-tuned"), ("ppam", "ppafm")])
def test_an_unknown_agent_offers_the_nearest(id: str, near: str) -> None:
    with pytest.raises(UnknownName, match=f"unknown agent '{id}'; did you mean .*'{near}'"):
        make_player(id)


@pytest.mark.parametrize("id", ["", "../presets/uct", "/etc/passwd", "uct.tom", "presets/uct", "a\nb"])
def test_what_is_no_id_is_no_path_either(id: str) -> None:
    with pytest.raises(UnknownName):
        load_agent(id)


# ---------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("key", "value", "read", "expected"),
    [
        ("C", 0.9, lambda a: a.search_parameters().C, 0.9),
        ("ref", "inf", lambda a: a.search_parameters().ref, math.inf),
        ("K", 5, lambda a: a.search_parameters().K, 5.0),
        ("reuse", True, lambda a: a.search.reuse, True),
        ("keep_steps", 7, lambda a: a.search.keep_steps, 7),
        ("max_depth", 40, lambda a: a.search.max_depth, 40),
        ("selection", "grave", lambda a: a.search.selection, "grave"),
        ("playout", "nst", lambda a: a.search.playout, "nst"),
        ("backup", "monte-carlo", lambda a: a.search.backup, "monte-carlo"),
        ("final_move", "highest-mean", lambda a: a.search.final_move, "highest-mean"),
        ("selection.ties", "first", lambda a: a.search.options["selection"], {"ties": "first"}),
        ("playout.decay", 0.5, lambda a: a.search.options.get("playout"), {"decay": 0.5}),
        ("control.neighbours", 5, lambda a: a.control, {"neighbours": 5}),
        ("ponder", True, lambda a: a.ponder, True),
    ],
)
def test_every_kind_of_setting_can_be_changed(
    key: str, value: Any, read: Callable[[AgentDefinition], Any], expected: Any
) -> None:
    before = load_agent("uct")
    assert read(before) != expected if key != "backup" else True
    agent = change(before, key, value)
    assert read(agent) == expected
    assert before == load_agent("uct")  # the preset itself is as it was


def test_changing_one_option_keeps_the_others() -> None:
    agent = change(load_agent("ppafm"), "playout.adapt_tree", False)
    assert agent.search.options["playout"] == {"features": True, "memory": True, "adapt_tree": False}
    assert agent.search.options["final_move"] == {"ties": "first"}


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("epsilom", 0.1, "no setting 'epsilom'; did you mean 'epsilon'"),
        ("reus", True, "did you mean 'reuse'"),
        ("options", 1, "no setting 'options'"),
        ("playut.decay", 1, "did you mean 'playout.decay'"),
        ("xyzzy", 1, "known: C, K"),
        ("", 1, "known: C, K"),
        ("C", "abc", "C takes a number or inf"),
        ("C", True, "C takes a number"),
        ("C", -1.0, "C must be 0 or larger"),
        ("C", math.nan, "C must be 0 or larger"),
        ("epsilon", 2.0, "probability"),
        ("reuse", 3, "setting 'reuse': Expected `bool`"),
        ("keep_steps", "many", "setting 'keep_steps': Expected `int`"),
        ("keep_steps", -1, "keep_steps is a number of steps"),
        ("keep_steps", 10**12, "keep_steps is a number of steps"),
        ("max_depth", 0, "max_depth is a number of joint moves"),
        ("max_depth", 2**31 - 1, "max_depth is a number of joint moves"),
        ("max_depth", 10**30, "max_depth"),
        ("ponder", "sometimes", "setting 'ponder': Expected `bool`"),
        ("selection", "ucb", "unknown selection strategy 'ucb'; did you mean 'ucb1'"),
        ("playout", "masd", "unknown playout strategy 'masd'; did you mean 'mast'"),
        ("backup", "x", "unknown backup strategy 'x'"),
        ("final_move", "most-visit", "did you mean 'most-visits'"),
        ("selection.tie", "first", "'ucb1' has no option 'tie'; did you mean 'ties'"),
        ("selection.ties", "last", "'random', 'in-turn' or 'first'"),
        ("playout.decay", 0.5, "'uniform' has no option 'decay'; it has none"),
        ("control.kind", "magic", "control"),
    ],
)
def test_a_wrong_setting_is_told_before_the_match(key: str, value: Any, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        make_player("uct", settings={key: value})


@pytest.mark.parametrize(("key", "value"), [("learned", 10**12), ("learned", -1), ("features", "yes"), ("learned", 0.5)])
def test_a_wrong_option_of_ppa_is_told_too(key: str, value: Any) -> None:
    with pytest.raises(BadInput, match=r"agent ppa: .*'ppa'"):
        make_player("ppa", settings={f"playout.{key}": value})


def test_settings_are_read_from_text() -> None:
    texts = ["C=0.4", "reuse=False", "keep_steps=3", "ref=inf", "playout=nst", " K = 5 "]
    assert parse_settings(texts) == {
        "C": 0.4, "reuse": False, "keep_steps": 3, "ref": math.inf, "playout": "nst", "K": 5,
    }  # fmt: skip
    assert parse_settings(["selection.ties=first"]) == {"selection.ties": "first"}


@pytest.mark.parametrize("text", ["C", "C=", "=3", "", " = ", "C:3"])
def test_what_is_no_setting_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="written KEY=VALUE"):
        parse_settings([text])


# ---------------------------------------------------------------- a user's own files


def test_a_file_is_an_agent(write: Write) -> None:
    path = write('summary = "mine"\n[search]\nselection = "grave"\n[parameters]\nC = 0.1\nref = "inf"\n')
    player = make_player(path)
    assert isinstance(player, SearchPlayer)
    assert player.definition.search_parameters().C == 0.1
    result = play_match(load("tic-tac-toe"), [player, make_player("random")], budget=BUDGET)
    assert result.record.ending == "terminal"
    assert result.record.agents == [path, "random"]


def test_a_base_is_merged_table_by_table(write: Write) -> None:
    path = write('summary = "mine"\nbase = "grave"\n[parameters]\nC = 0.9\n[search.options]\nplayout = { decay = 0.5 }\n')
    mine, grave = load_agent(path), load_agent("grave")
    assert mine.summary == "mine"
    assert mine.search.selection == "grave" and mine.search.playout == "mast"
    assert mine.search_parameters() == grave.search_parameters().replace(C=0.9)
    assert mine.search.options["playout"] == {"decay": 0.5}
    assert mine.paper == grave.paper


def test_a_base_may_be_a_file_beside_it(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write('summary = "lower"\nbase = "../base.toml"\n', "deeper/mine.toml")
    write('summary = "base"\nbase = "uct"\n[parameters]\nC = 0.77\n', "base.toml")
    monkeypatch.chdir(tmp_path.parent)  # the path is meant from the file, not from where we are
    agent = load_agent(str(tmp_path / "deeper" / "mine.toml"))
    assert (agent.summary, agent.search_parameters().C, agent.search.reuse) == ("lower", 0.77, False)


def test_files_that_name_each_other_end_in_a_clear_error(write: Write) -> None:
    one = write('summary = "1"\nbase = "two.toml"', "one.toml")
    write('summary = "2"\nbase = "three.toml"', "two.toml")
    write('summary = "3"\nbase = "one.toml"', "three.toml")
    with pytest.raises(RuleError, match=r"one\.toml: agent files name each other as base in a circle"):
        load_agent(one)
    itself = write('summary = "1"\nbase = "./itself.toml"', "itself.toml")
    with pytest.raises(RuleError, match=r"itself\.toml: agent files name each other"):
        load_agent(itself)


def test_two_ways_to_one_base_are_no_circle(write: Write) -> None:
    write('summary = "base"\nbase = "uct"', "base.toml")
    for name in ("a.toml", "b.toml"):
        assert load_agent(write(f'summary = "{name}"\nbase = "base.toml"', name)).summary == name


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("summary = ", "not valid TOML"),
        ("[search", "not valid TOML"),
        ("summary = 'x'\nworld = = 3", "not valid TOML.*line 2"),
        ('summary = "a"\nsummary = "b"', "not valid TOML"),
        ("", "missing required field `summary`"),
        ("summary = 3", "Expected `str`, got `int` - at `\\$.summary`"),
        ('sumary = "x"', "an agent has no key 'sumary'; did you mean 'summary'"),
        ('summary = "x"\n[serch]\n', "an agent has no key 'serch'; did you mean 'search'"),
        ('summary = "x"\n[search]\nselect = "x"', r"\[search\] has no key 'select'; did you mean 'selection'"),
        ('summary = "x"\n[search]\nreuse = 1', "Expected `bool`"),
        ('summary = "x"\n[search]\nmax_depth = 0', "max_depth is a number of joint moves"),
        ('summary = "x"\n[search.options]\nplayout = 3', "Expected `object`"),
        ('summary = "x"\n[parameters]\nCC = 1.0', "no search parameter 'CC'"),
        ('summary = "x"\n[parameters]\nepsilon = 7.0', "epsilon is a probability"),
        ('summary = "x"\n[parameters]\nC = "big"', "C takes a number or inf"),
        ('summary = "x"\n[parameters]\nC = true', "Expected `float | str`, got `bool`"),
        ('summary = "x"\n[parameters]\nC = [1]', "Expected `float | str`"),
    ],
)
def test_a_mistake_in_a_file_names_the_file(write: Write, text: str, complaint: str) -> None:
    path = write(text)
    with pytest.raises(RuleError, match=complaint) as caught:
        load_agent(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('summary = "x"\nkind = "wizard"', "unknown kind of player 'wizard'"),
        ('summary = "x"\nbase = "uctt"', "unknown agent 'uctt'; did you mean 'uct'"),
        ('summary = "x"\nbase = 5', "unknown agent '5'"),
        ('summary = "x"\nbase = "nowhere.toml"', "cannot read the agent file .*nowhere.toml"),
        ('summary = "x"\n[search]\nselection = "x"', "mine.toml: unknown selection strategy 'x'"),
        ('summary = "x"\n[search.options.select]\nties = "first"', "not for 'select'"),
        ('summary = "x"\n[control]\nkind = "x"', "control"),
    ],
)
def test_other_mistakes_are_told_before_the_match(write: Write, text: str, complaint: str) -> None:
    with pytest.raises(PaidiaError, match=complaint):
        make_player(write(text))


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00summary")
    for path in (binary, tmp_path / "missing.toml", tmp_path):
        name = str(path) if path.suffix else f"{path}/.toml"
        with pytest.raises(BadInput, match="cannot read the agent file"):
            load_agent(name)


# ---------------------------------------------------------------- LSI with an estimated budget


def planned(*, budget: Budget, start_clock: float = 0.0, **control: object) -> tuple[float, object]:
    agent = load_agent("p-lsi")
    agent = msgspec.structs.replace(agent, control={**agent.control, **control})
    player = SearchPlayer("lsi", agent)
    game = load("connect4")
    state = game.initial_state()
    player.begin(game, 0, state=state, seed=3, budget=Budget(seconds=start_clock) if start_clock else None)
    assert player.search is not None
    before = player.search.controller.planned  # type: ignore[attr-defined]
    player.act(state, step=0, budget=budget)
    return before, player.search.controller.planned  # type: ignore[attr-defined]


def test_the_player_tells_lsi_how_many_simulations_to_expect() -> None:
    """Simulations per move * mean length of a simulated game * 3; a game of connect4 lasts about 21 moves."""
    before, after = planned(budget=Budget(simulations=400), estimate=True)
    assert before == 100_000
    assert isinstance(after, float) and 400 * 12 * 3 < after < 400 * 42 * 3
    assert planned(budget=Budget(simulations=400), estimate=True) == (before, after), "reproducible"
    assert planned(budget=Budget(simulations=400)) == (100_000, 100_000), "only where the settings ask for it"


def test_after_the_start_clock_the_estimate_is_by_speed() -> None:
    before, after = planned(budget=Budget(seconds=0.02), start_clock=0.1, estimate=True)
    assert before == 100_000 != after, "it needs the budget of a move, too"
    # from 1,000 to 10 million simulations per second, 0.02 s per move, games of 8 to 42 moves
    assert 1_000 * 0.02 * 8 * 3 < after < 10_000_000 * 0.02 * 42 * 3


def test_lsi_with_an_estimate_comes_to_its_decision_in_a_real_match() -> None:
    agent = load_agent("p-lsi")
    tables = {estimate: {**agent.control, "estimate": estimate, "factor": 0.5, "candidates": 50} for estimate in (False, True)}
    best = {}
    for estimate, control in tables.items():
        player = SearchPlayer("lsi", msgspec.structs.replace(agent, control=control))
        play_match(load("connect4"), [player, make_player("uct")], seed=2, budget=Budget(simulations=300))
        trajectory = player.trajectory()
        assert trajectory is not None
        best[estimate] = trajectory["roles"][0]["turns"][-1]["best"]
    assert best[True] and not best[False], "100,000 samples are too many for this match, the estimate is not"
