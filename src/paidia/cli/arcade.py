"""A video game in the terminal: played, watched in colour, recorded, shown again."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from rich.live import Live
from rich.text import Text

from paidia.cli.output import console, print_json, table
from paidia.cli.thoughts import Thoughts, beside, panel, read_thoughts, thoughts_line
from paidia.core.arcade import ArcadeState
from paidia.core.arcade_player import ArcadeDecision
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.games import load_arcade
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.views.looks import Look, looks_of, visible
from paidia.match.arcade import (
    COMPETITION,
    NO_CLOCKS,
    ArcadeClocks,
    ArcadeRecord,
    ArcadeResult,
    play_arcade,
    replay_arcade,
)
from paidia.players.registry import make_arcade_player, parse_settings
from paidia.report.parameters import write_parameters

__all__ = ["play_video_game", "show_video_game", "terminal_frame"]

#: Ticks per second when a game is watched.
RATE = 12.0
GLYPHS = {"figure": "☻ ", "diamond": "◆ ", "arch": "∩ ", "arrow": "▸ ", "creature": "☗ ", "star": "✶ ", "box": "▣ "}

Watch = Callable[[ArcadeState, str], None]


def play_video_game(
    spec: str,
    agents: str,
    *,
    budget: Budget | None,
    start_time: float | None,
    disqualify: bool,
    seed: int,
    level: str | None,
    settings: list[str],
    record: Path | None,
    watch: bool,
    frames: Path | None,
    parameters: Path | None,
    json: bool,
) -> None:
    """Play one video game with one agent and say how it ended."""
    game = load_arcade(spec, level=level)
    names = [name.strip() for name in agents.split(",")]
    if len(names) != 1:
        raise BadInput(f"{game.id} is a video game for one player: give one agent, not {len(names)}")
    budget = budget or Budget(seconds=COMPETITION.tick)
    clocks = NO_CLOCKS
    if budget.seconds:
        start = COMPETITION.start if start_time is None else start_time
        clocks = ArcadeClocks(start, budget.seconds, disqualify=disqualify)
    elif disqualify:
        raise BadInput("--disqualify looks at the clock: it needs a time per tick (--time 0.04), not --sims")
    told = Budget(seconds=clocks.thinking) if disqualify else budget
    player = make_arcade_player(names[0], budget=told, settings=parse_settings(settings))
    with _Screen(game, watch and not json, frames) as screen:
        result = play_arcade(
            game, player, seed=seed, clocks=clocks, budget=str(budget), watch=screen.watch, thoughts=screen.think
        )
    if record is not None:
        try:
            record.write_bytes(result.record.to_json())
        except OSError as error:
            raise BadInput(f"cannot write {record}: {error}") from None
    if parameters is not None:
        write_parameters([(result.record.agent, result.record.trajectory)], parameters)
    if json:
        print_json(_document(result))
    else:
        _show_result(result)


def show_video_game(spec: str, record: Path, *, level: str | None, frames: Path | None, parameters: Path | None) -> None:
    """Show a recorded game again, at a steady rate."""
    try:
        data = record.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {record}: {error}") from None
    match = ArcadeRecord.from_json(data, file=str(record))
    game = load_arcade(spec, level=match.level if level is None else level)
    replay_arcade(match, game)  # all of it fits the rules, or we do not start
    with _Screen(game, True, frames) as screen:
        replay_arcade(match, game, watch=screen.watch)
    if parameters is not None:
        write_parameters([(match.agent, match.trajectory)], parameters)
    console.print(f"{_outcome(match.winner)} with score {match.score:g}, {len(match.actions)} ticks", markup=False)


class _Screen:
    """Where the ticks of a game go: the terminal at a steady rate, files of frames, both or nowhere."""

    def __init__(self, game: object, live: bool, frames: Path | None) -> None:
        if not isinstance(game, VgdlGame):
            raise BadInput("only games in VGDL can be drawn")
        self.looks = looks_of(game) if live or frames else []
        self.live = Live(console=console, auto_refresh=False) if live and console.is_terminal else None
        self.lines = live and not console.is_terminal  # a line for each tick, and the last picture
        self.thoughts: Thoughts | None = None
        self.last: Text | None = None
        self.film = None
        if frames is not None:
            from paidia.report.frames import Film

            self.film = Film(game, frames)
            self.film.add(game.initial_state())
        self.due = time.monotonic()

    def __enter__(self) -> _Screen:
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

    def think(self, decision: ArcadeDecision) -> None:
        """What the agent thought before the tick that `watch` shows next."""
        if self.live is not None or self.lines:
            self.thoughts = read_thoughts(decision)

    def watch(self, state: ArcadeState, action: str) -> None:
        assert isinstance(state, VgdlState)
        thoughts, self.thoughts = self.thoughts, None
        if self.film is not None:
            self.film.add(state)
        if self.lines:
            self.last = terminal_frame(state, self.looks, letters=True)
            line = f"tick {state.tick}  score {state.score:g}  {action}  {thoughts_line(thoughts) if thoughts else ''}".rstrip()
            console.print(line, markup=False, highlight=False, soft_wrap=True)
        if self.live is None:
            return
        self.due = max(self.due + 1 / RATE, time.monotonic() - 1 / RATE)
        time.sleep(max(0.0, self.due - time.monotonic()))
        text = terminal_frame(state, self.looks, letters=console.color_system is None)
        text.append(f"tick {state.tick}  score {state.score:g}  {action}\n")
        shown = beside(text, panel(thoughts, action, height=console.height), console) if thoughts else text
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


def _document(result: ArcadeResult) -> dict[str, object]:
    record = result.record
    return {
        "game": record.game,
        "level": record.level,
        "agents": [record.agent],
        "seed": record.seed,
        "moves": [[action] for action in record.actions],
        "goals": [float(record.winner)],
        "score": record.score,
        "winner": record.winner,
        "ticks": len(record.actions),
        "ending": record.ending,
        "message": record.message,
        "overruns": [record.overruns],
        "sims_per_second": [round(result.sims_per_second, 1)],
    }


def _outcome(winner: int) -> str:
    return "won" if winner else "lost"


def _show_result(result: ArcadeResult) -> None:
    record = result.record
    table(
        f"{record.game}, level {record.level}, {record.budget} per tick, seed {record.seed}",
        ["agent", "result", ">score", ">ticks", ">sims/s", ">slowest tick", ">overruns"],
        [
            [
                record.agent,
                _outcome(record.winner),
                f"{record.score:g}",
                str(len(record.actions)),
                f"{result.sims_per_second:,.0f}",
                f"{result.slowest * 1000:.1f} ms",
                str(record.overruns),
            ]
        ],
    )
    if record.ending != "terminal":
        console.print(f"ended early: {record.ending} {record.message}", markup=False)
