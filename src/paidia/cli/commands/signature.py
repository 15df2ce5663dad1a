"""`paidia signature`: one number for how this version behaves."""

from __future__ import annotations

import paidia
from paidia.cli.output import print_json
from paidia.experiment.signature import signature


def run(*, json: bool = False) -> None:
    """Print the signature: a number that changes only when behaviour changes.

    A fixed-seed search over a fixed suite of games and agents: two results with the same signature were made by the same
    algorithms.

    Args:
        json: Print one JSON document.
    """
    value = signature()
    if json:
        print_json({"signature": value, "version": paidia.__version__})
    else:
        print(value)
