"""What the documentation shows works as it stands."""

import re
from pathlib import Path

from paidia.core.budget import Budget
from paidia.experiment.expand import expand
from paidia.experiment.plan import Plan, parse_plan

PAGE = Path(__file__).parents[2] / "docs" / "experiments.md"


def test_plans_of_the_page() -> None:
    blocks = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 4
    whole, agent, arcade, stop = blocks
    assert len(whole.strip().splitlines()) <= 10
    assert len(expand(parse_plan(whole))) == 3
    (cell,) = expand(parse_plan('games = ["nogo"]\nopponents = ["uct"]\nsims = 10\n' + agent))
    assert cell.contenders[0].definition.search.options["selection"]["ties"] == "first"
    levels = expand(parse_plan(arcade))
    assert len(levels) == 2 * (5 + 5)  # two agents on all levels of two games
    assert levels[0].contenders[0].budget == Budget(seconds=0.04)
    assert parse_plan('games = ["nogo"]\nagents = ["grave"]\nopponents = ["uct"]\n' + stop).stop is not None


def test_every_key_of_a_plan_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    missing = [key for key in Plan.__struct_fields__ if f"`{key}`" not in text and key not in ("name", "paper")]
    assert not missing
