"""`--sims` and `--time` as a budget."""

from __future__ import annotations

from paidia.core.budget import Budget
from paidia.core.errors import BadInput

__all__ = ["read_budget"]


def read_budget(sims: int | None, time: float | None) -> Budget | None:
    """The budget that the two flags name, None if neither is given."""
    if sims is not None and time is not None:
        raise BadInput("give either --sims or --time, not both")
    if sims is not None:
        if sims <= 0:
            raise BadInput(f"--sims must be above 0, not {sims}")
        return Budget(simulations=sims)
    if time is not None:
        if not 0 < time < 86400:
            raise BadInput(f"--time must be above 0 and below a day, not {time}")
        return Budget(seconds=time)
    return None
