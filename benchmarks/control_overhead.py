"""What a controller costs: nanoseconds per choice and update for two roles together.

A simulation of breakthrough takes about 8 microseconds; the last column is the share of that.

    python benchmarks/control_overhead.py [--simulations N] [--parameters 2|4|6] [KIND ...]
"""

from __future__ import annotations

import argparse

from paidia.control import CONTROLLERS, make_controller
from paidia.testing.tuner_trial import TunerTrial

PARAMETERS = ["K", "ref", "C", "epsilon", "VO", "T"]
SLOW = {"cma-es": 100}       # its generations run in Python: fewer simulations tell enough


def table(kind: str, parameters: int) -> dict[str, object]:
    if kind == "fixed":
        return {"kind": kind, "values": dict.fromkeys(PARAMETERS[:parameters], 0.5)}
    return {"kind": kind, "parameters": PARAMETERS[:parameters],
            "set": "continuous" if kind == "cma-es" else "original"}


def nanoseconds(kind: str, parameters: int, simulations: int, repeat: int = 7) -> float:
    """Best of several games; the loop's own cost (two draws and comparisons) is included."""
    simulations //= SLOW.get(kind, 1)
    best = float("inf")
    for seed in range(repeat):
        controller = make_controller(table(kind, parameters))
        trial = TunerTrial(controller, n_roles=2, seed=seed, names=PARAMETERS[:parameters])
        best = min(best, trial.seconds(simulations, seed=seed + 100))
    return best / simulations * 1e9


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=list(CONTROLLERS), metavar="KIND")
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--parameters", type=int, choices=range(1, 7), default=4)
    arguments = parser.parse_args()
    for kind in arguments.kinds:
        ns = nanoseconds(kind, arguments.parameters, arguments.simulations)
        print(f"{kind:10s} {ns:9.0f} ns   {ns / 80:6.2f} % of 8 microseconds")


if __name__ == "__main__":
    main()
