"""A match in the terminal: a line per move while it is played, then the board and a table."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rich.text import Text

from paidia.cli.output import as_text, console, note, say, status, table
from paidia.core.model import Rules, Situation
from paidia.match.record import MatchRecord, Proven, Watch, replay
from paidia.match.result import MatchResult

__all__ = ["lines_watcher", "played", "proven_words", "show_ending", "show_result", "status_watcher", "watcher", "winner_words"]


def played(game: Rules, joint: list[int | None]) -> str:
    """A joint move in words."""
    return ", ".join(f"{game.roles[role]} {game.move_name(role, move)}" for role, move in enumerate(joint) if move is not None)


def watcher(game: Rules, boards: bool) -> Watch:
    """What a match calls after each step: draws the board, or writes a progress line."""

    def watch(state: Situation, step: int, joint: list[int | None]) -> None:
        console.print(Text(f"{step}. ", style="bold").append(Text(as_text(played(game, joint)), style="not bold")))
        console.print(state.draw())

    return watch if boards else status_watcher(game)


def status_watcher(game: Rules) -> Watch:
    """Shows the last move and the time since the beginning, in a line that goes away."""
    began = time.monotonic()

    def watch(state: Situation, step: int, joint: list[int | None]) -> None:
        status(f"move {step}: {played(game, joint)}  ({time.monotonic() - began:.1f} s)")

    return watch


def lines_watcher(game: Rules) -> Watch:
    """Writes every move in a line that stays, for a person who has to answer it."""

    def watch(state: Situation, step: int, joint: list[int | None]) -> None:
        note(f"{step}. {played(game, joint)}")

    return watch


def proven_words(role: str, value: float) -> str:
    """What a player announces."""
    told = {1.0: "win", 0.5: "draw", 0.0: "loss"}.get(value, f"{100 * value:g} of 100")
    return f"{role}: proven {told}"


def show_result(game: Rules, result: MatchResult, proven: Sequence[Proven | None] = ()) -> None:
    """The last board, a table of who played, who won and how fast, and what players had proven (if not told, by the record)."""
    record = result.record
    proven = proven or (record.details.proven if record.details else ())
    console.print(replay(record, game).draw())
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
    for role, told in zip(record.roles, proven, strict=False):
        if told is not None:
            say(f"{proven_words(role, told.value)} from move {told.step + 1} on")
    show_ending(record)


def show_ending(record: MatchRecord) -> None:
    """Who won, in words, and why where it did not end by the rules."""
    say(winner_words(record), style="bold")
    if record.ending not in ("terminal", "resigned"):
        who = f" by {record.roles[record.fault]} ({record.agents[record.fault]})" if record.fault is not None else ""
        say(f"ended early: {record.ending}{who} {record.message}".rstrip())


def winner_words(record: MatchRecord) -> str:
    """The result as a sentence."""
    if record.score is not None:
        each = [
            f"{agent} {'won' if goal == 1.0 else 'lost'} with score {score:g}"
            for agent, goal, score in zip(record.agents, record.goals, record.reported_scores, strict=True)
        ]
        return f"{' and '.join(each)} after {len(record.moves):,} ticks"
    if len(record.goals) == 1:
        return f"{record.agents[0]} reached {100 * record.goals[0]:.0f} of 100 points"
    best = max(record.goals)
    ahead = [role for role, goal in enumerate(record.goals) if goal == best]
    names = [f"{record.roles[role]} ({record.agents[role]})" for role in ahead]
    if len(ahead) == 1:
        return f"{names[0]} wins"
    if len(ahead) == len(record.goals):
        return "a draw" if best not in (0.0, 1.0) else "all win" if best else "nobody wins"
    return f"{' and '.join(names)} share the win"
