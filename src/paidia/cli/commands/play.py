"""`paidia play`: one match."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paidia.cli import arcade
from paidia.cli.arcade import VideoScreen
from paidia.cli.budget import read_budget
from paidia.cli.match_view import show_result, watcher
from paidia.cli.output import console, print_json, progress_console
from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.model import Rules
from paidia.core.player import Player
from paidia.games import find, load, worlds
from paidia.games.vgdl.library import VgdlWorld
from paidia.match.clocks import TICK, clocks_for
from paidia.match.record import MatchRecord, replay
from paidia.match.referee import play_match
from paidia.match.result import MatchResult
from paidia.players.definition import Value
from paidia.players.registry import make_player, parse_settings
from paidia.report.drawing.parameters import check_suffix, write_parameters


def run(
    game: str,
    *,
    agents: str | None = None,
    sims: int | None = None,
    time: float | None = None,
    start_time: float | None = None,
    disqualify: bool = False,
    seed: int = 0,
    level: str | None = None,
    set: Annotated[list[str] | None, Parameter(negative=())] = None,
    record: Path | None = None,
    watch: bool = False,
    frames: Path | None = None,
    parameters: Path | None = None,
    lenient: bool = False,
    json: bool = False,
) -> None:
    """Play one match and show who won.

    Args:
        game: Id of a game (see `paidia games`; a size may follow: breakthrough@6x5), or the path of a rule file. With
            `--record FILE` and no agents, the match in FILE is shown again.
        agents: One agent per role, separated by commas (see `paidia agents`), or paths of TOML files. `human` asks you.
        sims: Simulations per move: reproducible.
        time: Seconds per move, or per tick of a video game (0.04 if neither this nor --sims is given).
        start_time: Seconds to think before the first move; 0, or 1 in a video game, if not given.
        disqualify: Video games, as in the competition: an answer after the tick's clock is not played, and one that takes a
            quarter longer (50 ms of 40) loses the match. Otherwise overruns are only counted.
        seed: Same seed and simulations, same match.
        level: Level of a video game: its number, or the path of a level file.
        set: Change a setting of all agents, KEY=VALUE, or of one seat, SEAT:KEY=VALUE (the first seat is 1). Repeatable.
        record: Write the match to this JSON file.
        watch: Show the board after every move, or the video game as it is played, with the agent's thoughts beside it.
        frames: Draw every tick of a video game: FILE.gif, or a folder for PNG files.
        parameters: What the agents did with their search parameters, turn by turn: a picture (FILE.svg, .png or .pdf) or a
            table (FILE.csv). With `--record FILE` and no agents, that of the match in FILE.
        lenient: A video game whose description has a line with an unknown word: play it as the GVGAI framework does, without that
            line and all below it, and say so.
        json: Print one JSON document.
    """
    if start_time is not None and not 0 <= start_time < 86400:
        raise BadInput(f"--start-time must be from 0 to a day, not {start_time}")
    if agents is None and record is None:
        raise BadInput("who plays? give --agents A,B (see `paidia agents`)")
    if parameters is not None:
        check_suffix(parameters)
    if agents is None:
        assert record is not None
        _show_again(game, record, level=level, frames=frames, parameters=parameters, lenient=lenient)
        return
    rules = _load_leniently(game, level) if lenient else load(game, level=level)
    video = isinstance(rules, ArcadeGame)
    if frames is not None and not video:
        raise BadInput(f"--frames draws video games, and {game} is none")
    if disqualify and not video:
        raise BadInput(f"--disqualify is for video games, and {game} is none")
    budget = read_budget(sims, time)
    if video and budget is None:
        budget = Budget(seconds=TICK)
    if disqualify and budget is not None and budget.simulations:
        raise BadInput("--disqualify looks at the clock: it needs a time per tick (--time 0.04), not --sims")
    players = _players(agents, rules, set or [])
    clocks = clocks_for(rules, budget, start=None if start_time is None else [start_time], disqualify=disqualify)
    if video:
        with VideoScreen(rules, live=watch and not json, frames=frames) as screen:
            result = play_match(rules, players, seed=seed, clocks=clocks, watch=screen.watch, thoughts=screen.think)
    else:
        result = play_match(rules, players, seed=seed, clocks=clocks, watch=None if json else watcher(rules, watch))
    if record is not None:
        _write(record, result.record.to_json())
    if parameters is not None:
        _write_parameters(result.record, parameters)
    if json:
        print_json(_document(result))
    elif video:
        arcade.show_result(result)
    else:
        show_result(rules, result)


def _load_leniently(game: str, level: str | None) -> Rules:
    found = find(game)
    world = worlds()[found.world]
    if not isinstance(world, VgdlWorld):
        raise BadInput(f"--lenient is for video games, and {game} is none")
    rules, mistake = world.load_leniently(found.name, level=level)
    if mistake is not None:
        line = f"remark: {mistake}; this line and all below it are left out, as the GVGAI framework does"
        progress_console.print(line, markup=False, highlight=False, soft_wrap=True)
    return rules


def _players(agents: str, rules: Rules, settings: list[str]) -> list[Player]:
    names = [name.strip() for name in agents.split(",")]
    n = rules.n_roles
    if len(names) != n:
        roles = f"{'one role' if n == 1 else f'{n} roles'} ({', '.join(rules.roles)})"
        raise BadInput(f"{rules.id} has {roles}: give {'one agent' if n == 1 else 'that many agents'}, not {len(names)}")
    everyone, seats = _settings(settings, n)
    return [_player(name, {**everyone, **seats[role]}) for role, name in enumerate(names)]


def _player(name: str, settings: dict[str, Value]) -> Player:
    if name == "human":
        from paidia.cli.human import HumanPlayer

        return HumanPlayer()
    return make_player(name, settings=settings)


def _settings(texts: list[str], n_roles: int) -> tuple[dict[str, Value], list[dict[str, Value]]]:
    everyone: list[str] = []
    seats: list[list[str]] = [[] for _ in range(n_roles)]
    for text in texts:
        seat, colon, rest = text.partition(":")
        if not colon:
            everyone.append(text)
        elif seat.isdecimal() and 1 <= int(seat) <= n_roles:
            seats[int(seat) - 1].append(rest)
        else:
            raise BadInput(f"--set {text!r}: the seat before the colon is a number from 1 to {n_roles}")
    return parse_settings(everyone), [parse_settings(own) for own in seats]


def _write(file: Path, data: bytes) -> None:
    try:
        file.write_bytes(data)
    except OSError as error:
        raise BadInput(f"cannot write {file}: {error}") from None


def _document(result: MatchResult) -> dict[str, object]:
    record = result.record
    scores, goals = record.reported_scores, [int(goal) for goal in record.goals]
    alone = len(goals) == 1
    video = {
        "level": record.level,
        "score": scores[0] if scores and alone else scores,
        "winner": goals[0] if alone else goals,
        "ticks": len(record.moves),
    }
    return {
        "game": record.game,
        "agents": record.agents,
        "seed": record.seed,
        "moves": record.moves,
        "goals": record.goals,
        **(video if record.score is not None else {}),
        "ending": record.ending,
        "fault": record.fault,
        "message": record.message,
        "overruns": record.overruns,
        "sims_per_second": [round(rate, 1) for rate in result.sims_per_second],
    }


def _write_parameters(record: MatchRecord, file: Path) -> None:
    trajectories = record.trajectories or [None] * len(record.agents)
    if len(trajectories) != len(record.agents):
        raise BadInput(f"the record has {len(trajectories)} trajectories for {len(record.agents)} agents")
    write_parameters(list(zip(record.agents, trajectories, strict=True)), file, roles=record.roles)


def _show_again(game: str, file: Path, *, level: str | None, frames: Path | None, parameters: Path | None, lenient: bool) -> None:
    try:
        record = MatchRecord.from_json(file.read_bytes(), file=str(file))
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error}") from None
    level = record.level if level is None else level
    rules = _load_leniently(game, level) if lenient else load(game, level=level)
    replay(record, rules)  # all of it fits the rules, or we do not start
    if isinstance(rules, ArcadeGame):
        with VideoScreen(rules, live=True, frames=frames) as screen:
            replay(record, rules, watch=screen.watch)
        scores = " and ".join(f"{score:g}" for score in record.reported_scores)
        said = f"{arcade.outcome(record)} with score {scores}, {len(record.moves)} ticks"
    elif frames is not None:
        raise BadInput(f"--frames draws video games, and {game} is none")
    else:
        replay(record, rules, watch=watcher(rules, True))
        said = f"goals: {dict(zip(record.roles, record.goals, strict=True))}"
    if parameters is not None:
        _write_parameters(record, parameters)
    console.print(said, markup=False)
