"""What a controller did with the search parameters in a match: a picture, and a table as CSV.

Both take a trajectory as plain data, as a match record holds it (`control/trajectory.py`), so that a saved record can be
drawn anywhere. The picture shows for each role and parameter the share of every value, turn by turn, and what the
controller thought best. It needs the extra `report`.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from paidia.control.trajectory import RoleTrajectory, Trajectory, read_trajectory
from paidia.core.errors import BadInput
from paidia.core.files import replacing
from paidia.report.drawing.plots import drawing_style, short, title_lines

__all__ = ["check_suffix", "draw_parameters", "export_parameters", "write_parameters"]

PICTURES = (".svg", ".png", ".pdf")
COLUMNS = ("seat", "agent", "role", "turn", "simulations", "parameter", "value", "samples", "best")


def check_suffix(path: Path) -> None:
    """Refuse a file of a kind that cannot be written."""
    if path.suffix not in (*PICTURES, ".csv"):
        raise BadInput(f"parameters are drawn as {', '.join(PICTURES)} or exported as .csv, not as {path.name!r}")


def write_parameters(
    seats: Sequence[tuple[str, Mapping[str, Any] | None]], path: Path, *, roles: Sequence[str] = ()
) -> list[Path]:
    """Write what every seat of a match did: pictures, one for each seat that changes parameters, or one CSV file.

    Args:
        seats: Agent and trajectory of each seat.
        path: Where to write; .svg, .png, .pdf or .csv. With several pictures the seat's number is added to the name.
        roles: Names of the roles.

    Returns:
        The files written.
    """
    check_suffix(path)
    able = [number for number, (_, trajectory) in enumerate(seats) if trajectory is not None]
    if not able:
        raise BadInput("no agent of this match changes its search parameters; see `paidia agents` for those that do")
    if path.suffix == ".csv":
        export_parameters(seats, path, roles=roles)
        return [path]
    files = []
    for number in able:
        agent, trajectory = seats[number]
        assert trajectory is not None
        file = path if len(able) == 1 else path.with_name(f"{path.stem}-{number + 1}{path.suffix}")
        draw_parameters(trajectory, file, roles=roles, title=f"{agent} (seat {number + 1})")
        files.append(file)
    return files


def export_parameters(seats: Sequence[tuple[str, Mapping[str, Any] | None]], path: Path, *, roles: Sequence[str] = ()) -> None:
    """One row for each value of each parameter in each turn; `best` is 1 for the values of the best combination."""
    try:
        with replacing(path) as fresh, fresh.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            for number, (agent, plain) in enumerate(seats, start=1):
                if plain is None:
                    continue
                trajectory = read_trajectory(plain)
                for role in trajectory.roles:
                    name = _role_name(role, roles)
                    writer.writerows([number, agent, name, *row] for row in _rows(trajectory, role))
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error}") from None


def _rows(trajectory: Trajectory, role: RoleTrajectory) -> list[list[object]]:
    return [
        [turn.turn, turn.simulations, parameter.name, value, samples, int(bool(turn.best) and turn.best[i] == value)]
        for turn in role.turns
        for i, parameter in enumerate(trajectory.parameters)
        for value, samples in zip(parameter.values, turn.samples[i], strict=True)
    ]


def draw_parameters(trajectory: Mapping[str, Any], path: str | Path, *, roles: Sequence[str] = (), title: str = "") -> None:
    """Write a picture: a column for each role, a row for each parameter.

    Args:
        trajectory: The record: `controller`, `parameters` and `roles` as in control/trajectory.py.
        path: Where to write it; its suffix (.png, .svg, .pdf) sets the format.
        roles: Names of the roles.
        title: Whose parameters these are.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise BadInput("drawing needs matplotlib: pip install 'paidia[report]'") from None
    record = read_trajectory(trajectory)
    with drawing_style():
        _draw_all(record, path, roles, title, Figure, FigureCanvasAgg)


def _draw_all(record: Trajectory, path: str | Path, roles: Sequence[str], title: str, Figure: Any, FigureCanvasAgg: Any) -> None:
    if not any(role.turns for role in record.roles):
        raise BadInput("the record has no turns: nothing was searched yet")
    most = max(len(role.turns) for role in record.roles)
    size = len(record.roles) * max(4.5, min(12.0, 1 + 0.12 * most)) + 1, 0.9 + 1.9 * len(record.parameters)
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(len(record.parameters), len(record.roles), squeeze=False)
    image = None
    for column, role in enumerate(record.roles):
        grid[0][column].set_title(short(_role_name(role, roles)), fontsize=9)
        grid[-1][column].set_xlabel("turn (joint moves played before it)")
        for row, parameter in enumerate(record.parameters):
            image = _draw(grid[row][column], parameter.values, role, row)
        for row in range(len(record.parameters)):
            grid[row][0].set_ylabel(record.parameters[row].name)
    figure.suptitle(title_lines(f"{title or record.controller}: share of each value; white: best so far", size[0]))
    if image is not None:
        figure.colorbar(image, ax=figure.axes, label="share of the turn's draws")
    try:
        with replacing(Path(path)) as fresh:
            figure.savefig(fresh)
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot write the picture {path}: {error}") from None


def _draw(axes: Any, values: list[str], role: RoleTrajectory, row: int) -> Any:
    """One parameter of one role."""
    turns = role.turns
    shares = [turn.shares()[row] for turn in turns] or [[0.0] * len(values)]
    image = axes.imshow(
        list(zip(*shares, strict=True)),
        origin="lower",
        aspect="auto",
        cmap="viridis",
        vmin=0,
        vmax=1,
        extent=(-0.5, len(shares) - 0.5, -0.5, len(values) - 0.5),
        interpolation="nearest",
    )
    best = [(x, values.index(turn.best[row])) for x, turn in enumerate(turns) if turn.best]
    if best:
        axes.plot([x for x, _ in best], [y for _, y in best], "w.", markersize=4, label="best so far")
    axes.set_yticks(range(len(values)), values, fontsize=6)
    step = max(1, len(turns) // 12)
    axes.set_xticks(range(0, len(turns), step), [str(turn.turn) for turn in turns[::step]], fontsize=7)
    return image


def _role_name(role: RoleTrajectory, names: Sequence[str]) -> str:
    return names[role.role] if 0 <= role.role < len(names) else f"role {role.role}"
