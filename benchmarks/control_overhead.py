"""What a controller costs: nanoseconds per choice and update for two roles together, and as a share of a simulation of
the off-line tuned agent from the first position of GDL connect 4, measured in the same run.

The loop around the controller (two random rewards) is measured with one that does nothing, and taken off.

    python benchmarks/control_overhead.py [--simulations N] [--parameters 2|4|6] [KIND ...]
"""

from __future__ import annotations

import argparse

from paidia.control import CONTROLLERS, make_controller
from paidia.core.control import Controller
from paidia.experiment.studies.benchmark import search_rate
from paidia.games import load
from paidia.testing.tuner_trial import TunerTrial

PARAMETERS = ["K", "ref", "C", "epsilon", "VO", "T"]
SLOW = {"cma-es": 100}  # its generations run in Python: fewer simulations tell enough


def table(kind: str, parameters: int) -> dict[str, object]:
    if kind == "fixed":
        return {"kind": kind, "values": dict.fromkeys(PARAMETERS[:parameters], 0.5)}
    if kind == "portfolio":
        return {"kind": kind, "members": [dict.fromkeys(PARAMETERS[:parameters], value) for value in (0.2, 0.4, 0.6, 0.8)]}
    return {"kind": kind, "parameters": PARAMETERS[:parameters], "set": "continuous" if kind == "cma-es" else "original"}


def nanoseconds(kind: str | None, parameters: int, simulations: int, repeat: int = 7) -> float:
    """Best of several games, with the cost of the loop."""
    simulations //= SLOW.get(kind or "", 1)
    best = float("inf")
    for seed in range(repeat):
        controller = Controller() if kind is None else make_controller(table(kind, parameters))
        trial = TunerTrial(controller, n_roles=2, seed=seed, names=PARAMETERS[:parameters])
        best = min(best, trial.seconds(simulations, seed=seed + 100))
    return best / simulations * 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=list(CONTROLLERS), metavar="KIND")
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--parameters", type=int, choices=range(1, 7), default=4)
    arguments = parser.parse_args()
    simulation = 1e9 / search_rate(load("gdl:connect4"), "p-base", 2.0)
    loop = nanoseconds(None, arguments.parameters, arguments.simulations)
    print(f"a simulation takes {simulation:,.0f} ns, the loop around a controller {loop:.0f} ns")
    for kind in arguments.kinds:
        ns = nanoseconds(kind, arguments.parameters, arguments.simulations) - loop
        print(f"{kind:10s} {ns:9.0f} ns   {100 * ns / simulation:6.2f} %")


if __name__ == "__main__":
    main()
