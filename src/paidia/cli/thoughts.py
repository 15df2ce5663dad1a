"""What an agent thought in a tick, beside the game: moves with visits and means, pruned ones, weights, parameters.

Agents tell it in the notes of their decision, as plain data of which every part may be missing:
`{"moves": [{"move", "visits", "mean", "pruned"}], "weights": {name: number}, "parameters": {name: value}, "deterministic",
"steps", "depth"}`. An agent of somebody else may put anything there; what is not understood is not shown.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec
from rich.console import Console, ConsoleRenderable, Group
from rich.table import Table
from rich.text import Text

from paidia.core.player import Decision

__all__ = ["Thoughts", "beside", "panel", "read_thoughts", "thoughts_line"]

WIDTH = 54  # columns of the panel
BAR = 12  # of them for the share of visits
MOST_MOVES = 12
MOST_WEIGHTS = 8
MOST_PARAMETERS = 8
LONGEST = 18  # characters of a name


class MoveThought(msgspec.Struct, frozen=True):
    """One move at the root."""

    move: str
    visits: float = 0.0
    mean: float | None = None
    pruned: bool = False


class Thoughts(msgspec.Struct, frozen=True):
    """What can be shown of a decision."""

    moves: list[MoveThought] = []
    weights: dict[str, float] = {}
    parameters: dict[str, str | float | bool] = {}
    deterministic: bool | None = None
    steps: int | None = None
    depth: float | None = None
    simulations: int = 0


def read_thoughts(decision: Decision) -> Thoughts:
    """The thoughts in a decision; each part that is not understood is left out."""
    found: dict[str, Any] = {"simulations": decision.simulations}
    notes = decision.notes if isinstance(decision.notes, dict) else {}
    for field in msgspec.structs.fields(Thoughts):
        if field.name in notes and field.name != "simulations":
            try:
                found[field.name] = msgspec.convert(notes[field.name], field.type)
            except msgspec.ValidationError:
                continue
    return Thoughts(**found)


def panel(thoughts: Thoughts, chosen: str, *, height: int = 40) -> ConsoleRenderable:
    """The thoughts as tables one below the other, `WIDTH` columns wide and at most about `height` lines high."""
    parts: list[ConsoleRenderable] = []
    if thoughts.moves:
        parts.append(_moves(thoughts.moves, chosen))
    left = height - len(thoughts.moves[:MOST_MOVES]) - 6
    if thoughts.weights and left > 2:
        parts.append(_weights(thoughts.weights, most=min(MOST_WEIGHTS, left - 1)))
        left -= 2 + min(MOST_WEIGHTS, len(thoughts.weights))
    if thoughts.parameters and left > 2:
        parts.append(_parameters(thoughts.parameters, most=min(MOST_PARAMETERS, left - 1)))
    parts.append(Text(_facts(thoughts), style="dim"))
    return Group(*parts)


def _moves(moves: list[MoveThought], chosen: str) -> Table:
    table = Table(box=None, pad_edge=False, width=WIDTH)
    for name, justify in (("", "left"), ("move", "left"), ("visits", "right"), ("", "left"), ("mean", "right")):
        table.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    total = sum(each.visits for each in moves if math.isfinite(each.visits)) or 1.0
    for each in moves[:MOST_MOVES]:
        style = "dim" if each.pruned else "bold" if each.move == chosen else ""
        share = each.visits / total if math.isfinite(each.visits) else 0.0
        bar = "pruned" if each.pruned else "█" * round(BAR * min(1.0, max(0.0, share)))
        mean = "" if each.mean is None else _number(each.mean)
        mark = ">" if each.move == chosen else " "
        table.add_row(*(Text(part, style=style) for part in (mark, each.move[:LONGEST], _number(each.visits), bar, mean)))
    return table


def _weights(weights: dict[str, float], *, most: int) -> Table:
    order = sorted(weights.items(), key=lambda item: -abs(item[1]) if math.isfinite(item[1]) else 0.0)
    return _names("weights", [(name, f"{value:+.3g}") for name, value in order], most)


def _parameters(parameters: dict[str, str | float | bool], *, most: int) -> Table:
    texts = [(name, value if isinstance(value, str) else f"{value:g}") for name, value in parameters.items()]
    return _names("parameters", texts, most)


def _names(title: str, rows: list[tuple[str, str]], most: int) -> Table:
    more = f" ({len(rows) - most} more)" if len(rows) > most else ""
    table = Table(box=None, pad_edge=False, width=WIDTH)
    table.add_column(title + more, no_wrap=True)
    table.add_column("", justify="right", no_wrap=True)
    for name, value in rows[:most]:
        table.add_row(Text(name[: 2 * LONGEST]), Text(value[:LONGEST]))
    return table


def _facts(thoughts: Thoughts) -> str:
    facts = [f"{thoughts.simulations:,} simulations"] if thoughts.simulations else []
    if thoughts.steps is not None:
        facts.append(f"{thoughts.steps:,} steps")
    if thoughts.depth is not None:
        facts.append(f"depth {thoughts.depth:g}")
    if thoughts.deterministic is not None:
        facts.append("deterministic" if thoughts.deterministic else "stochastic")
    return ", ".join(facts)


def thoughts_line(thoughts: Thoughts) -> str:
    """The thoughts in one line, for where there is no terminal."""
    moves = [
        f"{each.move} pruned"
        if each.pruned
        else f"{each.move} {_number(each.visits)}{'' if each.mean is None else f' ({_number(each.mean)})'}"
        for each in thoughts.moves[:MOST_MOVES]
    ]
    weights = sorted(thoughts.weights.items(), key=lambda item: -abs(item[1]))[:3]
    parts = [
        ", ".join(moves),
        " ".join(f"{name[:LONGEST]} {value:+.3g}" for name, value in weights),
        " ".join(f"{name}={value}" for name, value in list(thoughts.parameters.items())[:MOST_PARAMETERS]),
        _facts(thoughts),
    ]
    return "; ".join(part for part in parts if part).replace("\n", " ")


def beside(game: Text, thoughts: ConsoleRenderable, console: Console) -> ConsoleRenderable:
    """The game and the panel side by side where the terminal is wide enough, else one below the other."""
    width = max((len(line) for line in game.plain.split("\n")), default=0)
    if console.width < width + 3 + WIDTH:
        return Group(game, thoughts)
    grid = Table.grid(padding=(0, 3))
    grid.add_column(no_wrap=True, width=width)
    grid.add_column(width=WIDTH)
    grid.add_row(game, thoughts)
    return grid


def _number(value: float) -> str:
    if not math.isfinite(value):
        return f"{value}"
    if value == int(value) and abs(value) < 1e7:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 1e5 or abs(value) < 0.01 else f"{value:,.2f}"
