"""A video game in the terminal: watched in colour, drawn to files, and how it ended."""

from __future__ import annotations

import time
from pathlib import Path

from rich.live import Live
from rich.text import Text

from paidia.cli.output import console, table
from paidia.cli.thoughts import Thoughts, beside, panel, read_thoughts, thoughts_line
from paidia.core.arcade import ACTIONS
from paidia.core.errors import BadInput
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.views.looks import Look, looks_of, visible
from paidia.match.record import MatchRecord
from paidia.match.result import MatchResult

__all__ = ["VideoScreen", "outcome", "show_result", "terminal_frame"]

#: Ticks per second when a game is watched.
RATE = 12.0
GLYPHS = {"figure": "☻ ", "diamond": "◆ ", "arch": "∩ ", "arrow": "▸ ", "creature": "☗ ", "star": "✶ ", "box": "▣ "}


class VideoScreen:
    """Where the ticks of a game go: the terminal at a steady rate, files of frames, both or nowhere."""

    def __init__(self, game: Rules, *, live: bool, frames: Path | None = None) -> None:
        if not isinstance(game, VgdlGame):
            raise BadInput("only games in VGDL can be drawn")
        self.looks = looks_of(game) if live or frames else []
        self.live = Live(console=console, auto_refresh=False) if live and console.is_terminal else None
        self.lines = live and not console.is_terminal  # a line for each tick, and the last picture
        self.thoughts: Thoughts | None = None
        self.last: Text | None = None
        self.film = None
        if frames is not None:
            from paidia.report.drawing.frames import Film

            self.film = Film(game, frames)
            self.film.add(game.initial_state())
        self.due = time.monotonic()

    def __enter__(self) -> VideoScreen:
        if self.live is not None:
            self.live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.live is not None:
            self.live.stop()
        if self.last is not None:
            console.print(self.last)
        if self.film is not None and error[0] is None:
            self.film.close()

    def think(self, role: int, decision: Decision) -> None:
        """What the (first) agent thought before the tick that `watch` shows next."""
        if role == 0 and (self.live is not None or self.lines):
            self.thoughts = read_thoughts(decision)

    def watch(self, state: Situation, step: int, joint: list[int | None]) -> None:
        """Show a tick."""
        assert isinstance(state, VgdlState)
        action = " ".join(ACTIONS[move or 0] for move in joint)
        score = " : ".join(f"{own:g}" for own in state.scores)
        thoughts, self.thoughts = self.thoughts, None
        if self.film is not None:
            self.film.add(state)
        if self.lines:
            self.last = terminal_frame(state, self.looks, letters=True)
            line = f"tick {state.tick}  score {score}  {action}  {thoughts_line(thoughts) if thoughts else ''}".rstrip()
            console.print(line, markup=False, highlight=False, soft_wrap=True)
        if self.live is None:
            return
        self.due = max(self.due + 1 / RATE, time.monotonic() - 1 / RATE)
        time.sleep(max(0.0, self.due - time.monotonic()))
        text = terminal_frame(state, self.looks, letters=console.color_system is None)
        text.append(f"tick {state.tick}  score {score}  {action}\n")
        shown = beside(text, panel(thoughts, ACTIONS[joint[0] or 0], height=console.height), console) if thoughts else text
        self.live.update(shown, refresh=True)


def terminal_frame(state: VgdlState, looks: list[Look | None], *, letters: bool = False) -> Text:
    """The game as coloured text, two characters for a cell: the background is its floor, a sign what stands on it.

    With `letters`, for terminals without colours, a square is shown by the first letter of its name.
    """
    game = state.game
    floor: dict[tuple[int, int], str] = {}
    signs: dict[tuple[int, int], tuple[str, str]] = {}
    for look, _, x, y in visible(state, looks):
        cell = ((x + game.block // 2) // game.block, (y + game.block // 2) // game.block)
        colour = f"rgb({look.colour[0]},{look.colour[1]},{look.colour[2]})"
        if look.shape == "square":
            floor[cell] = colour
            signs.pop(cell, None)
            if letters and not look.background:
                signs[cell] = (f"{look.name[0]} ", colour)
        else:
            signs[cell] = (GLYPHS[look.shape], colour)
    text = Text(no_wrap=True)
    for row in range(game.height):
        for column in range(game.width):
            sign, colour = signs.get((column, row), ("  ", "default"))
            behind = floor.get((column, row), "default")
            bright = "black" if colour == behind else colour
            text.append(sign, style=f"bold {bright} on {behind}")
        text.append("\n")
    return text


def outcome(record: MatchRecord) -> str:
    """How a video game ended, in a word for each player."""
    return ", ".join("won" if goal == 1.0 else "lost" for goal in record.goals)


def show_result(result: MatchResult) -> None:
    """A table of how it ended and how fast it went."""
    record = result.record
    table(
        f"{record.game}, level {record.level}, {record.budget} per tick, seed {record.seed}",
        ["agent", "result", ">score", ">ticks", ">sims/s", ">slowest tick", ">overruns"],
        [
            [
                agent,
                "won" if record.goals[role] == 1.0 else "lost",
                f"{record.reported_scores[role]:g}",
                str(len(record.moves)),
                f"{result.sims_per_second[role]:,.0f}",
                f"{result.slowest[role] * 1000:.1f} ms",
                str(record.overruns[role]),
            ]
            for role, agent in enumerate(record.agents)
        ],
    )
    if record.ending != "terminal":
        console.print(f"ended early: {record.ending} {record.message}", markup=False)
