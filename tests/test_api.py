"""What `import paidia` offers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import paidia
from paidia.core.errors import BadInput


def test_every_name_is_there() -> None:
    for name in paidia.__all__:
        assert getattr(paidia, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'plai'"):
        paidia.plai  # noqa: B018


def test_a_match_in_each_world() -> None:
    board = paidia.play("tic-tac-toe", ["uct", paidia.agent("grave", C=0.3)], sims=50, seed=3)
    assert board.goals in ([1.0, 0.0], [0.0, 1.0], [0.5, 0.5])
    assert paidia.play("tic-tac-toe", ["uct", paidia.agent("grave", C=0.3)], sims=50, seed=3).record == board.record
    sheet = paidia.play(paidia.load("gdl:tron"), ["uct", "random"], sims=10, max_steps=4)
    assert len(sheet.record.moves) <= 4
    video = paidia.play(paidia.load("vgdl:vault", level=1), "ppaf", sims=20, max_steps=5)
    assert video.record.score is not None and len(video.record.moves) == 5
    assert "<table>" in board._repr_html_() and "uct" in board._repr_html_()


def test_a_search_tells_what_it_found() -> None:
    game = paidia.load("connect4")
    state = game.initial_state()
    found = paidia.search(state, "grave", sims=300, seed=2)
    again = paidia.search(state, "grave", sims=300, seed=2)
    assert (found.move, found.moves, found.simulations) == (again.move, again.moves, 300)
    assert f"<b>{game.move_name(0, found.move)}</b>" in found._repr_html_()
    with pytest.raises(BadInput, match="needs a budget"):
        paidia.search(state, "grave")
    with pytest.raises(BadInput, match="not both"):
        paidia.search(state, "grave", sims=1, time=1.0)


def test_states_draw_themselves() -> None:
    import xml.etree.ElementTree

    for id in ("hex@4", "gdl:connect4", "vgdl:museum"):
        picture = paidia.load(id).initial_state()._repr_svg_()
        xml.etree.ElementTree.fromstring(picture)
        assert picture.startswith("<svg")


def test_a_plan_runs_and_is_reported(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('games = ["tic-tac-toe"]\nagents = ["uct"]\nopponents = ["random"]\nsims = 10\nmatches = 2\n')
    store = paidia.run(plan, workers=1)
    assert store == tmp_path / "plan.sqlite"
    (row,) = paidia.report(store)
    assert row["game"] == "tic-tac-toe" and row["agent"] == "uct"


def test_importing_it_loads_next_to_nothing() -> None:
    code = "import sys, paidia; print(*sorted(m for m in sys.modules if m.startswith('paidia.')), 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    hook = ["paidia.core", "paidia.core.errors", "paidia.core.loading", "paidia.core.loading.kernels"]
    assert done.stdout.split() == [*hook, "False"]  # that which tells of kernels that are not compiled


def test_python_m_paidia_is_the_command_line() -> None:
    done = subprocess.run([sys.executable, "-m", "paidia", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == paidia.__version__
