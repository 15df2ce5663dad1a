"""Who sets the search parameters, and when: fixed values, randomizers and on-line tuners.

    controller = make_controller({"kind": "ntbea", "parameters": ["K", "ref", "C", "epsilon"]})

A search calls its controller before and after every simulation (`core/control.pxd`). Each role has its own,
independent strategy; a controller knows a parameter space and rewards, never the search.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from paidia.control.settings import ControlSettings
from paidia.control.space import Parameter, Space, Switch
from paidia.control.trajectory import Trajectory
from paidia.core.control import Controller
from paidia.core.errors import BadInput
from paidia.core.loading.registry import Registry
from paidia.core.loading.settings import read_settings

__all__ = ["CONTROLLERS", "ControlSettings", "ControllerKind", "Parameter", "Space", "Switch", "Trajectory", "make_controller"]


class ControllerKind(Protocol):
    """What is registered: a class of controllers that names the type of its settings."""

    Settings: type[Any]

    def __call__(self, settings: Any) -> Controller: ...


CONTROLLERS: Registry[ControllerKind] = Registry("controller", package="paidia.control.tuners", announced="paidia.tuners")


def make_controller(table: Mapping[str, Any]) -> Controller:
    """The controller that a `[control]` table describes: its `kind`, the parameters, the kind's constants."""
    if not isinstance(table.get("kind"), str):
        raise BadInput(f"[control] needs a kind, one of {', '.join(CONTROLLERS)}")
    kind = CONTROLLERS[table["kind"]]
    if not isinstance(getattr(kind, "Settings", None), type):
        raise BadInput(f"{table['kind']} is no controller: it has no Settings")
    rest = {key: value for key, value in table.items() if key != "kind"}
    return kind(read_settings(kind.Settings, rest, where=f"[control] kind = {table['kind']!r}"))
