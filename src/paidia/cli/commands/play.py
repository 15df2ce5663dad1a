"""`paidia play`: one match."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paidia.cli import arcade, keys
from paidia.cli.arcade import VideoScreen
from paidia.cli.budget import read_budget
from paidia.cli.human import HumanPlayer, Resumed
from paidia.cli.match_view import lines_watcher, proven_words, show_result, watcher
from paidia.cli.output import note, print_json
from paidia.cli.recorded import load_rules, show_again, signature_for, write_match_parameters
from paidia.cli.recorded import repeat as repeat_match
from paidia.cli.seats import HUMAN, make_players, seat_settings, with_threads
from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.files import write_file
from paidia.core.model import Rules
from paidia.core.player import Decision, Player
from paidia.match.clocks import TICK, Clocks, clocks_for
from paidia.match.details import Notebook
from paidia.match.record import Watch
from paidia.match.referee import play_match
from paidia.match.result import MatchResult
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import Value
from paidia.report.drawing.parameters import check_suffix


def run(
    game: str | None = None,
    *,
    agents: str | None = None,
    sims: int | None = None,
    time: float | None = None,
    start_time: float | None = None,
    disqualify: bool = False,
    seed: int = 0,
    level: str | None = None,
    set: Annotated[list[str] | None, Parameter(negative=())] = None,
    threads: int = 1,
    record: Path | None = None,
    repeat: Path | None = None,
    watch: bool = False,
    frames: Path | None = None,
    parameters: Path | None = None,
    lenient: bool = False,
    trust: bool = False,
    json: bool = False,
) -> None:
    """Play one match and show who won.

    Args:
        game: Id of a game (see `paidia games`; a size may follow: breakthrough@6x5), or the path of a rule file. With
            `--record FILE` and no agents, the match in FILE is shown again (it may be one that `paidia host` wrote).
        agents: One agent per role, separated by commas (see `paidia agents`), or paths of TOML files. `human` is you: you are
            asked for moves, or play a video game by keys.
        sims: Simulations per move: reproducible.
        time: Seconds per move, or per tick of a video game (0.04 if neither this nor --sims is given; 0.12 for `human`).
        start_time: Seconds to think before the first move; 0, or 1 in a video game, if not given.
        disqualify: Video games, as in the competition: an answer after the tick's clock is not played, and one that takes a
            quarter longer (50 ms of 40) loses the match. Otherwise overruns are only counted.
        seed: Same seed and simulations, same match.
        level: Level of a video game: its number, or the path of a level file.
        set: Change a setting of all agents, KEY=VALUE, or of one seat, SEAT:KEY=VALUE (the first seat is 1). Repeatable.
        threads: Threads that search together, of every agent that searches a tree (`--set threads=N` for one seat: 1:threads=N).
            With `--set parallel=root` and --sims matches stay reproducible.
        record: Write the match to this JSON file, with all that is needed to repeat it.
        repeat: Play the match in this file once more, with its own players, seed and budget, and say whether it is the same;
            exits with 1 if it is not.
        watch: Show the board after every move, or the video game as it is played, with the agent's thoughts beside it.
        frames: Draw every tick of a video game: FILE.gif, or a folder for PNG files (SVG where Pillow is not installed).
        parameters: What the agents did with their search parameters, turn by turn: a picture (FILE.svg, .png or .pdf) or a
            table (FILE.csv). With `--record FILE` and no agents, that of the match in FILE.
        lenient: A video game whose description has a line with an unknown word: play it as the GVGAI framework does, without that
            line and all below it, and say so.
        trust: A record that is shown or repeated may run what it names: commands of engines, Python files, addresses of players.
        json: Print one JSON document.
    """
    if start_time is not None and not 0 <= start_time < 86400:
        raise BadInput(f"--start-time must be from 0 to a day, not {start_time}")
    if repeat is not None:
        if agents is not None or set or sims is not None or time is not None or threads != 1:
            raise BadInput(
                "--repeat takes players, settings and budget from the record: leave --agents, --set, --sims, --time "
                "and --threads out"
            )
        if not repeat_match(game, repeat, lenient=lenient, trust=trust, json=json):
            raise SystemExit(1)
        return
    if game is None and record is None:
        raise BadInput("which game? `paidia games` lists them")
    if agents is None and record is None:
        raise BadInput("who plays? give --agents A,B (see `paidia agents`)")
    if parameters is not None:
        check_suffix(parameters)
    if agents is None:
        assert record is not None
        show_again(game, record, level=level, frames=frames, parameters=parameters, lenient=lenient, trust=trust)
        return
    if game is None:
        raise BadInput("which game? `paidia games` lists them")
    rules = load_rules(game, level=level, lenient=lenient)
    names = [name.strip() for name in agents.split(",")]
    clocks = _clocks(rules, game, names, sims, time, start_time, disqualify, frames)
    settings = seat_settings(set or [], rules.n_roles)
    if threads != 1:
        settings = with_threads(names, settings, threads)
    match = _Match(rules, make_players(names, rules, settings, tick=time), clocks, seed, settings)
    result = match.play(live=watch and not json, silent=json, frames=frames, details=json or record is not None, spec=game)
    if record is not None:
        write_file(record, result.record.to_json())
    if parameters is not None:
        write_match_parameters(result.record, parameters)
    if json:
        print_json(_document(result))
    elif isinstance(rules, ArcadeGame):
        arcade.show_result(result)
    else:
        show_result(rules, result, match.notebook.proven)


def _clocks(
    rules: Rules, game: str, names: list[str], sims: int | None, time: float | None, start_time: float | None, disqualify: bool,
    frames: Path | None,
) -> Clocks:  # fmt: skip
    video = isinstance(rules, ArcadeGame)
    if frames is not None and not video:
        raise BadInput(f"--frames draws video games, and {game} is none")
    if disqualify and not video:
        raise BadInput(f"--disqualify is for video games, and {game} is none")
    budget = read_budget(sims, time)
    budgets: list[Budget | None] = [budget]
    if video and HUMAN in names:
        if disqualify:
            raise BadInput("--disqualify is for agents: a person has all the time of a tick, and uses it")
        if names.count(HUMAN) > 1:
            raise BadInput("there is one keyboard: one `human` in a video game")
        others = budget if sims is not None else Budget(seconds=TICK)
        budgets = [None if name == HUMAN else others for name in names]  # the person keeps the pace
    elif video and budget is None:
        budgets = [Budget(seconds=TICK)]
    if disqualify and budget is not None and budget.simulations:
        raise BadInput("--disqualify looks at the clock: it needs a time per tick (--time 0.04), not --sims")
    return clocks_for(rules, *budgets, start=None if start_time is None else [start_time], disqualify=disqualify)


class _Match:
    """The match that was asked for, with what is shown of it."""

    def __init__(self, rules: Rules, players: list[Player], clocks: Clocks, seed: int, settings: list[dict[str, Value]]) -> None:
        self.rules, self.players, self.clocks, self.seed, self.settings = rules, players, clocks, seed, settings
        self.notebook = Notebook(rules.n_roles)

    def play(self, *, live: bool, silent: bool, frames: Path | None, details: bool, spec: str) -> MatchResult:
        """Play it, with a person's undo as often as it comes."""
        with ExitStack() as stack:
            if isinstance(self.rules, ArcadeGame):
                result = self._play_video(stack, live=live, frames=frames)
            else:
                people = [player for player in self.players if isinstance(player, HumanPlayer)]
                watch = lines_watcher(self.rules) if people else watcher(self.rules, live)
                result = self._once(self.players, None if silent else watch)
                while (back := next((p.takes_back for p in people if p.takes_back is not None), None)) is not None:
                    note(f"taken back to move {back + 1}")
                    result = self._once(self._resumed(result, back), None if silent else _after(back, watch))
        if not details:
            return result
        definitions = [player.definition if isinstance(player, AgentPlayer) else None for player in self.players]
        parts = signature_for(spec, definitions)
        return self.notebook.complete(result, self.players, self.clocks, settings=self.settings, signature=parts)

    def _play_video(self, stack: ExitStack, *, live: bool, frames: Path | None) -> MatchResult:
        person = next((player for player in self.players if isinstance(player, keys.KeyPlayer)), None)
        if person is not None:
            stack.enter_context(keys.unbuffered_keys())
            note(keys.HELP)
        screen = stack.enter_context(VideoScreen(self.rules, live=live or person is not None, frames=frames))
        if person is not None:
            person.show, screen.paced = screen.show, False

        def think(role: int, decision: Decision) -> None:
            screen.think(role, decision)
            self.notebook.think(role, decision)

        return self._once(self.players, screen.watch, think)

    def _once(
        self, players: list[Player], watch: Watch | None, think: Callable[[int, Decision], None] | None = None
    ) -> MatchResult:
        if think is None:
            self.notebook = Notebook(self.rules.n_roles)
            think = self._announced if watch is not None else self.notebook.think
        return play_match(self.rules, players, seed=self.seed, clocks=self.clocks, watch=watch, thoughts=think)

    def _announced(self, role: int, decision: Decision) -> None:
        """Takes a thought down, and says what is proven when that is new."""
        before = self.notebook.proven[role]
        self.notebook.think(role, decision)
        told = self.notebook.proven[role]
        if told is not None and before is None:
            note(proven_words(self.rules.roles[role], told.value))

    def _resumed(self, result: MatchResult, kept: int) -> list[Player]:
        moves = result.record.moves[:kept]
        ids = [
            [None if step[role] is None else self.rules.move_id(role, str(step[role])) for step in moves]
            for role in range(self.rules.n_roles)
        ]
        return [Resumed(player, ids[role]) for role, player in enumerate(self.players)]


def _after(kept: int, watch: Watch) -> Watch:
    """Shows only what comes after the moves that are known already."""

    def show(state: object, step: int, joint: list[int | None]) -> None:
        if step > kept:
            watch(state, step, joint)  # type: ignore[arg-type]

    return show


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
        "budget": record.budget,
        "moves": record.moves,
        "simulations": record.simulations,
        "goals": record.goals,
        **(video if record.score is not None else {}),
        "ending": record.ending,
        "fault": record.fault,
        "message": record.message,
        "overruns": record.overruns,
        "sims_per_second": [round(rate, 1) for rate in result.sims_per_second],
        "version": record.version,
        "details": record.details,
    }
