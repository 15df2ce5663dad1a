"""Plans of the papers that reproduce no printed table: they can be expanded, and are what the papers say."""

from pathlib import Path

import pytest

from paidia.experiment.expand import expand
from paidia.experiment.plan import load_plan

PAPERS = Path(__file__).parents[2] / "papers"


@pytest.mark.parametrize(("plan", "alone", "cells"), [("s000/lsi.toml", False, 14 * 12), ("s004/search-trees.toml", True, 12)])
def test_they_expand(plan: str, alone: bool, cells: int) -> None:
    file = PAPERS / plan
    found = expand(load_plan(file), folder=file.parent, alone=alone)
    assert len(found) == cells
    assert all(contender.budget is not None and contender.budget.simulations for cell in found for contender in cell.contenders)


def test_lsi_per_move_starts_anew_in_every_turn() -> None:
    file = PAPERS / "s000" / "lsi.toml"
    controls = {c.contenders[0].name: c.contenders[0].definition.control for c in expand(load_plan(file), folder=file.parent)}
    per_move = controls["P_LSI per move"]
    assert per_move is not None and per_move["per"] == "turn"
    assert len({str(control) for control in controls.values()}) == 12
