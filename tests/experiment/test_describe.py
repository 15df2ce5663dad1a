"""What `paidia describe` and `paidia bench --lanes` say, against the scalar kernel and known numbers."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

import paidia
from paidia.cli.main import main
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.experiment.studies.describe import describe
from paidia.games import load_as
from paidia.games.gdl.lanes.compile import circuit


@pytest.mark.parametrize("spec", ["gdl:tic-tac-toe", "tic-tac-toe"])
def test_random_tic_tac_toe_is_known(spec: str) -> None:
    """Of all random games the first role wins 0.584920.., the second 0.288095.., and 0.126984.. are drawn (exact counts)."""
    n = 40_000
    found = describe(load_as(Game, spec), n, seed=3)
    assert found.play.games == n and (found.play.shortest, found.play.longest) == (5, 9)
    won, drawn = 737 / 1260, 16 / 126
    assert abs(found.play.goals[0].mean - (won + drawn / 2)) < 5 * 0.5 / math.sqrt(n)
    shares = dict(found.play.goals[0].values)
    assert abs(shares[1.0] / n - won) < 5 * 0.5 / math.sqrt(n) and abs(shares[0.5] / n - drawn) < 5 * 0.4 / math.sqrt(n)
    assert found.advantage is not None
    assert found.advantage[0] == pytest.approx(found.play.goals[0].mean - found.play.goals[1].mean)
    assert found.by == ("lanes" if spec.startswith("gdl") else "states")


def test_lanes_and_states_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same sheet in lanes and, where its circuit is too large, in states: same length, branching and goals."""
    game, n = load_as(Game, "gdl:connect4"), 20_000
    lanes = describe(game, n, seed=1).play
    monkeypatch.setattr(circuit, "MOST_NODES", 100)
    other = describe(game, n, seed=2)
    assert other.by == "states" and "100 gates" in other.reason
    error = math.hypot(lanes.length_deviation, other.play.length_deviation) / math.sqrt(n)
    assert abs(lanes.length - other.play.length) < 5 * error
    assert abs(lanes.goals[0].mean - other.play.goals[0].mean) < 5 * 0.5 * math.sqrt(2 / n)


def test_branching_is_the_mean_of_the_mover_s_choices() -> None:
    state = paidia.load("connect4").initial_state()
    chance, counts = np.random.default_rng(1), []
    for _ in range(1500):
        here = state.copy()
        while not here.terminal:
            legal = here.legal(here.mover)
            counts.append(len(legal))
            here.play(int(chance.choice(legal)))
    for spec in ("connect4", "gdl:connect4"):
        assert describe(load_as(Game, spec), 5000).play.branching == pytest.approx(np.mean(counts), abs=0.06)


def test_the_same_seed_gives_the_same_numbers() -> None:
    game = load_as(Game, "gdl:tic-tac-toe")
    first, again, other = (describe(game, 5000, seed=seed, threads=threads).play for seed, threads in ((1, 1), (1, 2), (2, 1)))
    assert first == again != other


@pytest.mark.parametrize("playouts", [0, -3])
def test_how_many_playouts(playouts: int) -> None:
    with pytest.raises(BadInput, match="playouts are 1 to"):
        describe(load_as(Game, "tic-tac-toe"), playouts)


def test_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    main(["describe", "gdl:tic-tac-toe", "--playouts", "3000", "--json"])
    assert json.loads(capsys.readouterr().out)["play"]["games"] == 3000
    main(["describe", "gdl:tic-tac-toe", "--playouts", "3000"])
    shown = capsys.readouterr().out
    assert "first role's advantage" in shown and "±" not in shown
    assert len(re.findall(r"(?:goal of|advantage) .*[0-9] \([-+]?[0-9.]+ to [-+]?[0-9.]+\)", shown)) == 3
    main(["describe", "tic-tac-toe", "--playouts", "4"])
    assert "(" not in capsys.readouterr().out.partition("goal of")[2].partition("played by")[0]  # too few for an interval
    main(["bench", "gdl:tic-tac-toe", "--lanes", "--seconds", "0.02", "--json"])
    [row] = json.loads(capsys.readouterr().out)
    assert row["lanes_per_s"] > row["scalar_per_s"] > 0
    with pytest.raises(SystemExit) as stop:
        main(["bench", "connect4", "--lanes"])
    assert stop.value.code == 2 and "lanes are for rule sheets" in capsys.readouterr().err
