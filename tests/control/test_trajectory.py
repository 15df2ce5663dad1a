"""What can be seen of a controller's work."""

import csv

import msgspec
import numpy as np
import pytest

from paidia.control import make_controller
from paidia.control.trajectory import Trajectory, read_trajectory
from paidia.core.errors import BadInput
from paidia.report.drawing.parameters import draw_parameters, write_parameters
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
            trial.reward([v[3] for v in vectors])  # the larger epsilon, the better
    return trial.controller, np.array(chosen)


@pytest.mark.parametrize("kind", ["sim-rnd", *LEARNERS])
def test_counts_are_those_of_the_vectors(kind):
    controller, chosen = played(kind)
    record = controller.trajectory(most_used=10_000)
    for role in range(2):
        for t, turn in enumerate(record.roles[role].turns):
            part = chosen[250 * t : 250 * (t + 1), role]
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


def test_a_turn_that_is_searched_twice_has_one_record():
    """The start clock and the first move are both turn 0."""
    trial = TunerTrial(make_controller({"kind": "ntbea", "parameters": FOUR}), n_roles=2, seed=3)
    for turn in (0, 0, 2):
        trial.begin_turn(turn)
        for _ in range(10):
            trial.choose()
            trial.reward([0, 1])
    record = trial.controller.trajectory()
    assert [(t.turn, t.simulations) for t in record.roles[1].turns] == [(0, 20), (2, 10)]


@pytest.mark.parametrize("kind", ["sim-rnd", "ntbea"])
def test_picture(kind, tmp_path):
    controller, _ = played(kind)
    record = msgspec.to_builtins(controller.trajectory())
    draw_parameters(record, tmp_path / "a.png", roles=["white", "black"], title="it")
    assert (tmp_path / "a.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    draw_parameters(record, tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert text.count("<image") >= 8, "one field of shares for each parameter and role"


def test_picture_errors(tmp_path):
    controller, _ = played("sim-rnd", turns=1)
    record = msgspec.to_builtins(controller.trajectory())
    with pytest.raises(BadInput, match="cannot write"):
        draw_parameters(record, tmp_path / "none" / "a.png")
    with pytest.raises(BadInput, match="cannot write"):
        draw_parameters(record, tmp_path / "a.xyz")
    for role in record["roles"]:
        role["turns"] = []
    with pytest.raises(BadInput, match="no turns"):
        draw_parameters(record, tmp_path / "a.png")


def test_a_table_accounts_for_every_simulation(tmp_path):
    controller, _ = played("ntbea")
    record = msgspec.to_builtins(controller.trajectory())
    write_parameters([("uct", None), ("ntbea-4", record)], tmp_path / "a.csv", roles=["white", "black"])
    with (tmp_path / "a.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {(row["seat"], row["agent"]) for row in rows} == {("2", "ntbea-4")}
    for role in ("white", "black"):
        for turn in range(4):
            for name in FOUR:
                part = [r for r in rows if (r["role"], r["turn"], r["parameter"]) == (role, str(turn), name)]
                assert sum(int(r["samples"]) for r in part) == 250 == int(part[0]["simulations"])
                assert sum(int(r["best"]) for r in part) == 1


def test_pictures_of_several_seats_have_their_numbers(tmp_path):
    controller, _ = played("ntbea")
    record = msgspec.to_builtins(controller.trajectory())
    files = write_parameters([("a", record), ("b", None), ("c", record)], tmp_path / "p.svg")
    assert [f.name for f in files] == ["p-1.svg", "p-3.svg"]
    assert all(f.read_text().startswith("<?xml") for f in files)
    with pytest.raises(BadInput, match="no agent of this match"):
        write_parameters([("a", None)], tmp_path / "p.svg")
    with pytest.raises(BadInput, match=r"\.csv, not as 'p\.txt'"):
        write_parameters([("a", record)], tmp_path / "p.txt")


@pytest.mark.parametrize(
    "damage",
    [
        lambda r: r.pop("controller"),
        lambda r: r["roles"][0]["turns"][0]["samples"].pop(),
        lambda r: r["roles"][0]["turns"][0]["samples"][1].append(3),
        lambda r: r["roles"][1]["turns"][0]["best"].append("7"),
        lambda r: r["roles"][1]["turns"][0]["best"].__setitem__(0, "nothing"),
        lambda r: r["roles"][1].__setitem__("turns", "many"),
    ],
)
def test_a_trajectory_that_contradicts_itself_is_refused(damage):
    controller, _ = played("ntbea", turns=1)
    record = msgspec.to_builtins(controller.trajectory())
    assert read_trajectory(record) == controller.trajectory()
    damage(record)
    with pytest.raises(BadInput, match="not a trajectory"):
        read_trajectory(record)
