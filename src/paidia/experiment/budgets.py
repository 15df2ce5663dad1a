"""The budgets of a plan: its own numbers, or a CSV table with a number for each game."""

from __future__ import annotations

import csv
from pathlib import Path

from paidia.core.budget import Budget
from paidia.core.errors import BadInput, RuleError
from paidia.experiment.plan import MOST_SIMULATIONS, BudgetTable, Plan

__all__ = ["budget_words", "inside", "plan_budgets", "read_table"]


def plan_budgets(plan: Plan, file: str) -> list[Budget | None]:
    """The budgets that the plan itself names."""
    try:
        if plan.sims:
            return [Budget(simulations=sims) for sims in ([plan.sims] if isinstance(plan.sims, int) else plan.sims)]
        if plan.time:
            seconds = plan.time if isinstance(plan.time, list) else [plan.time]
            return [Budget(seconds=each) for each in seconds]
    except BadInput as error:
        raise RuleError(str(error), file=file) from None
    return [None]


def read_table(table: BudgetTable, folder: Path, file: str) -> dict[tuple[str, str], int]:
    """Simulations by game and agent; the agent is "" where the file does not tell agents apart."""
    path = inside(folder, table.file, file)
    budgets: dict[tuple[str, str], int] = {}
    try:
        with path.open(newline="", encoding="utf-8") as lines:
            rows = csv.DictReader(lines)
            missing = {table.game, table.value, *table.where, *([table.agent] if table.agent else [])} - set(
                rows.fieldnames or []
            )
            if missing:
                raise RuleError(f"no column {', '.join(sorted(missing))}", file=str(path), line=1)
            for number, row in enumerate(rows, start=2):
                if all(row[column] == wanted for column, wanted in table.where.items()):
                    try:
                        who = row[table.agent] if table.agent else ""
                        budgets[row[table.game], who] = min(
                            MOST_SIMULATIONS, max(1, round(float(row[table.value]) * table.scale))
                        )
                    except (ValueError, OverflowError):
                        raise RuleError(
                            f"{table.value} is not a number: {row[table.value]!r}",
                            file=str(path),
                            line=number,
                        ) from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RuleError(f"cannot read the budgets: {error}", file=str(path)) from None
    return budgets


def inside(folder: Path, name: str, file: str) -> Path:
    """A file that a plan names, which has to lie in the plan's own folder."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise RuleError(f"{name!r} is outside the folder of the plan", file=file)
    return path


def budget_words(plan: Plan) -> str:
    """The budget of one move in words."""
    if plan.budget_table is not None:
        return f"simulations of {plan.budget_table.file}"
    if plan.sims:
        sims = [plan.sims] if isinstance(plan.sims, int) else plan.sims
        return f"{' and '.join(f'{each:,}' for each in sims)} simulations"
    seconds = plan.time if isinstance(plan.time, list) else [plan.time]
    return f"{' and '.join(f'{each:g}' for each in seconds)} s" if plan.time else "none"
