"""What can be seen of a controller's work."""

import msgspec
import numpy as np
import pytest

from paidia.control import make_controller
from paidia.control.trajectory import Trajectory
from paidia.core.errors import BadInput
from paidia.report.parameters import draw_parameters
from paidia.testing.tuner_trial import TunerTrial

FOUR = ["K", "ref", "C", "epsilon"]
LEARNERS = ["mab", "he", "nmc", "local-nmc", "lsi", "ea", "ntbea"]


def played(kind, *, turns=4, each=250, **constants):
    trial = TunerTrial(make_controller({"kind": kind, "parameters": FOUR, **constants}), n_roles=2, seed=3)
    chosen = []
    for turn in range(turns):
        trial.begin_turn(turn)
        for _ in range(each):
            vectors = trial.choose()
            chosen.append(vectors)
            trial.reward([v[3] for v in vectors])       # the larger epsilon, the better
    return trial.controller, np.array(chosen)


@pytest.mark.parametrize("kind", ["sim-rnd", *LEARNERS])
def test_counts_are_those_of_the_vectors(kind):
    controller, chosen = played(kind)
    record = controller.trajectory(most_used=10_000)
    for role in range(2):
        for t, turn in enumerate(record.roles[role].turns):
            part = chosen[250 * t:250 * (t + 1), role]
            assert turn.simulations == 250
            for i in (2, 3):
                labels = record.parameters[i].values
                assert turn.samples[i] == [int(np.sum(part[:, i] == float(v))) for v in labels]
            assert turn.samples[0][0] == np.sum(part[:, 0] == 0) == turn.samples[1][0], "K = 0, ref unset"
            assert np.isclose(np.sum(turn.shares()[3]), 1)
        used, times = np.unique(chosen[:, role], axis=0, return_counts=True)
        assert sorted(c.samples for c in record.roles[role].most_used) == sorted(times.tolist())
        most = record.roles[role].most_used[0]
        assert most.samples == times.max()
        assert [0.0 if v == "unset" else float(v) for v in most.values] in used[times == times.max()].tolist()
        assert controller.combination_samples(role).sum() == len(chosen)


@pytest.mark.parametrize("kind", LEARNERS)
def test_the_best_combination_is_a_good_one(kind):
    """The reward is epsilon: after the game the best combination has a high one."""
    constants = {"samples": 900, "candidates": 50} if kind == "lsi" else {}
    controller, _ = played(kind, each=500, **constants)
    for role in controller.trajectory().roles:
        assert float(role.turns[-1].best[3]) >= 0.8


def test_nothing_learned_has_no_best():
    controller, _ = played("sim-rnd")
    assert all(turn.best == [] for turn in controller.trajectory().roles[0].turns)
    controller, _ = played("lsi")
    assert controller.trajectory().roles[0].turns[0].best == []


def test_states_are_counted_per_state():
    trial = TunerTrial(make_controller({"kind": "state-rnd", "parameters": FOUR}), n_roles=2, seed=3)
    trial.begin_turn(0)
    trial.choose()
    for _ in range(9):
        trial.fresh(1)
    trial.reward([0, 1])
    record = trial.controller.trajectory()
    assert [sum(r.turns[0].samples[0]) for r in record.roles] == [1, 10]
    assert record.roles[0].most_used == []
    with pytest.raises(BadInput, match="not counted"):
        trial.controller.combination_samples(0)


def test_real_parameters_are_recorded_in_intervals():
    trial = TunerTrial(make_controller({"kind": "cma-es", "parameters": ["K", "C"]}), seed=3)
    trial.begin_turn(0)
    chosen = []
    for _ in range(60):
        chosen.append(trial.choose()[0])
        trial.reward([0.5])
    record = trial.controller.trajectory()
    assert record.parameters[0].values[0] == "50"
    counts, _ = np.histogram([v[0] for v in chosen], bins=20, range=(0, 2000))
    assert record.roles[0].turns[0].samples[0] == counts.tolist()


def test_json_keeps_everything():
    controller, _ = played("ntbea")
    record = controller.trajectory()
    assert "inf" in record.parameters[0].values
    assert msgspec.json.decode(msgspec.json.encode(record), type=Trajectory) == record


@pytest.mark.parametrize("kind", ["sim-rnd", "ntbea"])
def test_picture(kind, tmp_path):
    controller, _ = played(kind)
    record = msgspec.to_builtins(controller.trajectory())
    draw_parameters(record, tmp_path / "a.png", role=1, role_name="black")
    assert (tmp_path / "a.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    draw_parameters(record, tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert text.count("<image") >= 4, "one field of shares for each parameter"


def test_picture_errors(tmp_path):
    controller, _ = played("sim-rnd", turns=1)
    record = msgspec.to_builtins(controller.trajectory())
    with pytest.raises(BadInput, match="no role 2"):
        draw_parameters(record, tmp_path / "a.png", role=2)
    with pytest.raises(BadInput, match="cannot write"):
        draw_parameters(record, tmp_path / "none" / "a.png")
    with pytest.raises(BadInput, match="cannot write"):
        draw_parameters(record, tmp_path / "a.xyz")
    record["roles"][0]["turns"] = []
    with pytest.raises(BadInput, match="no turns"):
        draw_parameters(record, tmp_path / "a.png")
