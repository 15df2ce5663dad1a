"""How long a search may think: a number of simulations or of forward-model calls (science), or a time in seconds (play)."""

from __future__ import annotations

import msgspec

from paidia.core.errors import BadInput

__all__ = ["Budget"]


class Budget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A limit on one search; it ends when either limit is reached, and at least one must be set.

    Attributes:
        simulations: Number of simulations; 0 means no such limit. Results are then reproducible bit for bit.
        seconds: Wall-clock time; 0 means no such limit.
        calls: Joint moves played on copies, all simulations together: a search begins no simulation after so many; 0 means no
            such limit. What compares agents whose simulations differ in length.
    """

    simulations: int = 0
    seconds: float = 0.0
    calls: int = 0

    def __post_init__(self) -> None:
        if self.simulations < 0 or not 0 <= self.seconds < float("inf"):
            raise BadInput(f"a budget cannot be negative or endless: {self.simulations} simulations, {self.seconds} s")
        if self.calls < 0:
            raise BadInput(f"a budget cannot be negative: {self.calls} forward-model calls")
        for limit, of in ((self.simulations, "simulations"), (self.calls, "forward-model calls")):
            if limit >= 2**63:
                raise BadInput(f"a budget of {limit:,} {of} is more than a search can count")
        if not self.simulations and not self.seconds and not self.calls:
            raise BadInput("a budget of 0 leaves no time to search; give --sims N or --time SECONDS above 0")

    def __str__(self) -> str:
        parts = []
        if self.simulations:
            parts.append(f"{self.simulations:,} simulations")
        if self.calls:
            parts.append(f"{self.calls:,} forward-model calls")
        if self.seconds:
            parts.append(f"{self.seconds:g} s")
        return " or ".join(parts)
