"""A match in the terminal: a line per move while it is played, then the board and a table."""

from __future__ import annotations

import time

from paidia.cli.output import console, progress_console, table
from paidia.core.model import Rules, Situation
from paidia.match.record import Watch, replay
from paidia.match.result import MatchResult

__all__ = ["show_result", "watcher"]


def watcher(game: Rules, boards: bool) -> Watch:
    """What a match calls after each step: draws the board, or writes a progress line."""
    began = time.monotonic()

    def watch(state: Situation, step: int, joint: list[int | None]) -> None:
        played = ", ".join(
            f"{game.roles[role]} {game.move_name(role, move)}" for role, move in enumerate(joint) if move is not None
        )
        if boards:
            console.print(f"[bold]{step}.[/bold] {played}", highlight=False)
            console.print(state.draw(), highlight=False, markup=False)
        else:
            line = f"move {step}: {played}  ({time.monotonic() - began:.1f} s)"
            progress_console.print(f"{line:<70}", end="\r" if progress_console.is_terminal else "\n", highlight=False)

    return watch


def show_result(game: Rules, result: MatchResult) -> None:
    """The last board, and a table of who played, who won and how fast."""
    record = result.record
    console.print(replay(record, game).draw(), highlight=False, markup=False)
    table(
        f"{record.game}, {len(record.moves)} moves, {record.budget} per move, seed {record.seed}",
        ["role", "agent", ">goal", ">sims/s", ">slowest move", ">overruns"],
        [
            [role, agent, f"{goal:.2f}", f"{rate:,.0f}", f"{slow:.2f} s", str(over)]
            for role, agent, goal, rate, slow, over in zip(
                record.roles,
                record.agents,
                record.goals,
                result.sims_per_second,
                result.slowest,
                record.overruns,
                strict=True,
            )
        ],
    )
    if record.ending != "terminal":
        who = f" by {record.roles[record.fault]} ({record.agents[record.fault]})" if record.fault is not None else ""
        console.print(f"ended early: {record.ending}{who} {record.message}", markup=False)
