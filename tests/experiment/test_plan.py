"""Plans: what is wrong with one is said in one line, with the file and the nearest valid key."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paidia.core.errors import RuleError
from paidia.experiment.expand import expand
from paidia.experiment.plan import AgentEntry, Plan, parse_plan

GOOD = 'games = ["breakthrough@4x2"]\nagents = ["random"]\nopponents = [{ id = "random", name = "other" }]\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("games = [", "not valid TOML"),
        ('agents = ["uct"]', "games"),
        ('games = ["hex"]', "agents"),
        (GOOD + "matchs = 3", "did you mean 'matches'?"),
        (GOOD + "[stop]\nalpah = 0.1", "[stop] has no key 'alpah'; did you mean 'alpha'?"),
        ('games = ["hex"]\n[[agents]]\nid = "uct"\nsetings = {}', "did you mean 'settings'?"),
        (GOOD + "matches = 0", "matches must be"),
        (GOOD + 'matches = "many"', "matches"),
        (GOOD + "seed = -1", "seed must be"),
        (GOOD + "sims = 10\ntime = 1.0", "one budget"),
        (GOOD + "sims = 0", "budget of 0"),
        (GOOD + "sims = 99999999999999999999999999", "at most"),
        (GOOD + "seed = 99999999999999999999999999", "seed must be"),
        (GOOD + "start_time = nan", "start_time"),
        (GOOD.replace('name = "other"', 'name = "other", start_time = -1.0'), "start_time of an agent"),
        (GOOD + "match_limit = inf", "match_limit"),
        (GOOD + "[stop]\nalpha = 0.7", "error rates"),
        (GOOD + "[stop]\neffect = 0.5", "effect"),
        ('games = []\nagents = ["uct"]', "games is empty"),
    ],
)
def test_wrong_plans_are_named(text: str, expected: str) -> None:
    with pytest.raises(RuleError) as error:
        parse_plan(text, file="mine.toml")
    assert str(error.value).startswith("mine.toml: ")
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('games = ["brakthrough"]\nagents = ["random", "uct"]\nsims = 10', "did you mean 'breakthrough'"),
        ('games = ["hex"]\nagents = ["random", "utc"]\nsims = 10', "did you mean 'uct'"),
        ('games = ["hex"]\nagents = ["random"]', "has 2 roles: name opponents"),
        ('games = ["hex"]\nagents = ["random", "random"]\nsims = 10', "name opponents, or a second agent"),
        ('games = ["hex", "hex"]\nagents = ["random", "uct"]\nsims = 10', "cells occur twice"),
        (
            'games = ["hex"]\nagents = ["uct"]\nopponents = [{ id = "uct", settings = { C = 1 } }]\nsims = 1',
            "two different agents are called 'uct'",
        ),
        (
            'games = ["hex"]\nagents = ["random", { id = "uct", settings = { bogus = 1 } }]',
            "no setting 'bogus'",
        ),
        ('games = ["hex"]\nagents = ["random", "uct"]\nsims = -4', "budget cannot be negative"),
        (
            'games = ["hex"]\nagents = ["random", "uct"]\n[budget_table]\nfile = "../b.csv"',
            "outside the folder",
        ),
        ('games = ["hex"]\nagents = ["random", "uct"]\n[budget_table]\nfile = "none.csv"', "cannot read"),
        ('games = ["hex"]\nagents = ["random", "uct"]\n[budget_table]\nfile = "b.csv"', "no row for"),
        (
            'games = ["hex"]\nagents = ["random", "uct"]\n[budget_table]\nfile = "bad.csv"',
            "bad.csv:2: value is not",
        ),
        (
            'games = ["hex"]\nagents = ["random", "uct"]\n[budget_table]\nfile = "b.csv"\nvalue = "x"',
            "no column x",
        ),
    ],
)
def test_wrong_contents_are_named(text: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("game,value\nreversi,12\n")
    (tmp_path / "bad.csv").write_text("game,value\nhex,lots\n")
    with pytest.raises(RuleError) as error:
        expand(parse_plan(text), folder=tmp_path, file="mine.toml")
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


def test_command_exits_with_2_and_one_line(tmp_path: Path) -> None:
    for text in (
        GOOD + "matchs = 3",
        GOOD.replace("breakthrough", "brakthrough"),
        GOOD.replace('"random"]', '"uct"]'),
    ):
        plan = tmp_path / "plan.toml"
        plan.write_text(text)
        done = subprocess.run([sys.executable, "-m", "paidia", "run", str(plan)], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert "plan.toml" in done.stderr
        assert done.stdout == ""


def test_round_robin_settings_levels_and_budgets() -> None:
    plan = parse_plan(
        """
        games = ["breakthrough@4x2", "tic-tac-toe"]
        sims = [10, 20]
        [[agents]]
        id = "uct"
        settings = { selection.ties = "first", C = 0.7 }
        [[agents]]
        id = "uct"
        name = "plain"
        [[agents]]
        id = "mast"
        time = 0.5
        start_time = 2.0
        """
    )
    cells = expand(plan)
    assert len(cells) == 2 * 2 * 3
    pairs = {tuple(c.name for c in cell.contenders) for cell in cells}
    assert pairs == {("uct", "plain"), ("uct", "mast"), ("plain", "mast")}
    first = cells[0].contenders[0]
    assert first.definition.search.options["selection"]["ties"] == "first"
    assert first.definition.parameters["C"] == 0.7
    assert {cell.contenders[0].budget.simulations for cell in cells} == {10, 20}
    mast = [c for cell in cells for c in cell.contenders if c.name == "mast"]
    assert all(c.budget.seconds == 0.5 and c.budget.simulations == 0 and c.start_time == 2.0 for c in mast)


def test_budget_table_by_game_and_agent(tmp_path: Path) -> None:
    (tmp_path / "rates.csv").write_text(
        "table,game,who,rate\nt2,tic-tac-toe,A,100\nt2,tic-tac-toe,B,31\nt9,tic-tac-toe,A,7\nt2,hex,A,0.2\nt2,hex,B,50\n"
    )
    plan = parse_plan(
        """
        games = ["tic-tac-toe", "hex"]
        agents = [{ id = "uct", name = "A" }]
        opponents = [{ id = "uct", name = "B" }]
        [budget_table]
        file = "rates.csv"
        value = "rate"
        agent = "who"
        where = { table = "t2" }
        scale = 0.5
        """
    )
    cells = expand(plan, folder=tmp_path)
    assert [[c.budget.simulations for c in cell.contenders] for cell in cells] == [[50, 16], [1, 25]]


def test_key_depends_on_what_matters_alone() -> None:
    def key(**changes: object) -> str:
        settings = {
            "games": ["tic-tac-toe"], "agents": ["uct"], "opponents": ["random"], "sims": 10, **changes,
        }  # fmt: skip
        (cell,) = expand(Plan(**settings))
        return cell.key

    base = key()
    assert key(name="another", matches=7, retries=1, match_limit=2.0) == base
    changed = [
        key(seed=1), key(sims=11), key(games=["hex"]), key(start_time=1.0), key(opponents=["mast"]),
        key(max_steps=9),
        key(agents=[AgentEntry(id="uct", settings={"C": 0.5})]), key(sims=[], time=1.0),
    ]  # fmt: skip
    assert len({base, *changed}) == 1 + len(changed)


@given(st.integers(0, len(GOOD) - 1), st.integers(0, 6), st.text(alphabet='abgmst=[]{}"\n.,0-9 #é', max_size=8))
def test_any_text_is_a_plan_or_a_named_mistake(at: int, cut: int, paste: str) -> None:
    text = GOOD[:at] + paste + GOOD[at + cut :]
    try:
        plan = parse_plan(text, file="mine.toml")
        expand(plan)
    except RuleError as error:
        assert "mine.toml" in str(error) or "plan" in str(error)
