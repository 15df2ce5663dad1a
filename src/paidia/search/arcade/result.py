"""What a search for one tick returns."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["ActionRow", "TickResult"]


class ActionRow(msgspec.Struct, frozen=True):
    """One action at the root.

    Attributes:
        action: Its name.
        visits: How often it was tried; a share of a visit is left where old statistics have faded.
        value: Its mean value, as the search compares actions.
        pruned: Left out of the choice.
    """

    action: str
    visits: float
    value: float
    pruned: bool = False


class TickResult(msgspec.Struct, frozen=True):
    """The action chosen and what it rests on.

    Attributes:
        action: Number of the action.
        simulations: How many were run in this tick.
        advances: Calls of the forward model in this tick.
        actions: The actions at the root.
        notes: What else a person may want to see (plain data).
    """

    action: int
    simulations: int
    advances: int
    actions: list[ActionRow]
    notes: dict[str, Any]
