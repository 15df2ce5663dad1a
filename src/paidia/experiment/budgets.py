"""The budgets of a plan: its own numbers, or a CSV table with a number for each game."""

from __future__ import annotations

import csv
from pathlib import Path

from paidia.core.budget import Budget
from paidia.core.errors import BadInput, RuleError
from paidia.experiment.plan import MOST_SIMULATIONS, AgentEntry, BudgetTable, GameEntry, Plan

__all__ = ["PaperBudgets", "agent_budget", "budget_words", "inside", "paper_budgets", "plan_budgets", "read_table"]

#: For a game and an agent, by their names in tables, the budgets of a move that are its paper's: simulations, seconds, and the
#: seconds before the first move (0 where simulations are counted).
PaperBudgets = dict[tuple[str, str], set[tuple[int, float, float]]]


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


def agent_budget(
    entry: AgentEntry, game: str, budget: Budget | None, table: dict[tuple[str, str], int] | None, file: str
) -> Budget | None:
    """The budget of an agent in a game: its own, or the table's, or the plan's."""
    name = entry.name or entry.id
    try:
        if entry.sims or entry.time:
            budget = Budget(simulations=entry.sims, seconds=entry.time)
        elif table is not None:
            own = table.get((game, entry.budget_of or name), table.get((game, "")))
            if own is None:
                raise RuleError(f"budget_table: no row for {entry.budget_of or name} in {game}", file=file)
            budget = Budget(simulations=own)
        if budget is not None and entry.scale != 1.0:
            simulations = min(MOST_SIMULATIONS, max(1, round(budget.simulations * entry.scale))) if budget.simulations else 0
            budget = Budget(simulations=simulations, seconds=budget.seconds * entry.scale)
    except BadInput as error:
        raise RuleError(f"agent {name}: {error}", file=file) from None
    return budget


def paper_budgets(plan: Plan, folder: Path, file: str) -> PaperBudgets:
    """Under which budgets a plan's cells are those of its paper: the plan's own, or the clock of the paper."""
    table = read_table(plan.budget_table, folder, file) if plan.budget_table else None
    entries = [AgentEntry(id=e) if isinstance(e, str) else e for e in [*plan.agents, *plan.opponents]]
    games = [GameEntry(id=e) if isinstance(e, str) else e for e in plan.games]
    budgets: PaperBudgets = {}
    for entry in (entry for entry in entries if entry.available):
        start = plan.start_time if entry.start_time is None else entry.start_time
        for game in games:
            if entry.games and not {game.id, game.name} & set(entry.games):
                continue
            own = budgets.setdefault((game.name or game.id, entry.name or entry.id), set())
            for given in plan_budgets(plan, file):
                budget = agent_budget(entry, game.id, given, table, file)
                if budget is not None:
                    own.add((budget.simulations, budget.seconds, 0.0 if budget.simulations else start))
            if plan.paper is not None and plan.paper.clock:
                before = start if plan.paper.start_clock is None else plan.paper.start_clock
                own.add((0, plan.paper.clock, before))
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
