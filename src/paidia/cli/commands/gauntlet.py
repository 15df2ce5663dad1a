"""`paidia gauntlet`: how strong an agent is."""

from __future__ import annotations

import datetime
import shlex
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter

from paidia.cli.output import note, print_json, progress_console, say, table
from paidia.cli.results import end_run
from paidia.core.errors import BadInput
from paidia.experiment.budgets import budget_words
from paidia.experiment.expand import find_agent
from paidia.experiment.gauntlet.suite import Suite, load_suite, suite_ids, suite_plan
from paidia.experiment.gauntlet.trial import run_trial
from paidia.experiment.plan import AgentEntry, Plan
from paidia.experiment.run.backends import make_backend
from paidia.experiment.run.progress import make_progress
from paidia.players.registry import parse_settings
from paidia.report.strength import commit_of, entries_of, save_entries, strength_tables


def run(
    agent: str | None = None,
    *,
    suite: str = "boards",
    part: Literal["development", "validation"] = "development",
    opponents: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
    games: Annotated[list[str] | None, Parameter(consume_multiple=True, negative=())] = None,
    set: Annotated[list[str] | None, Parameter(negative=())] = None,
    ablate: Annotated[list[str] | None, Parameter(negative=())] = None,
    sims: int | None = None,
    time: float | None = None,
    start_time: float | None = None,
    start_moves: int | None = None,
    rounds: int | None = None,
    workers: int | None = None,
    backend: str = "local",
    store: Path | None = None,
    seconds: float | None = None,
    play: bool = True,
    save: Path | None = None,
    quiet: bool = False,
    json: bool = False,
) -> None:
    """Let an agent run a suite of games against opponents of known strength; without an agent the suites are listed.

    What the store has is not played again. The trial ends when a sequential test over the suite says that the agent is better
    than the first opponent, worse, or equal, or after the suite's rounds.

    Args:
        agent: Id of an agent, or path of an agent file.
        suite: Name of a suite, or path of its TOML file.
        part: `development`, or `validation`: games to look at once per decision.
        opponents: Instead of the suite's own: agents, `ggp:HOST:PORT`, `engine:COMMAND`, `bot:mcts`.
        games: Only these games of the part.
        set: KEY=VALUE of the agent, as in `paidia play`. Repeatable.
        ablate: A variant of the agent plays too: with `KEY=VALUE` changed, or with its switch `KEY` off; `all`: every switch.
        sims: Simulations per move for all, instead of the suite's budget.
        time: Seconds per move for all, instead of the suite's budget.
        start_time: Seconds before the first move.
        start_moves: With simulations: what the time before the first move is worth in moves.
        rounds: At most so many.
        workers: Matches at a time; the number of cores if left out.
        backend: `local` or `ray`.
        store: SQLite file for the results; gauntlet-SUITE.sqlite if left out.
        seconds: Stop cleanly after so long; the same command goes on later.
        play: With --no-play the store is shown as it is.
        save: Page to which the result is added, with the commit; its data go beside it (.csv).
        quiet: Show no progress.
        json: Print one JSON document.
    """
    if agent is None:
        _list(json)
        return
    if workers is not None and not 1 <= workers <= 10_000:
        raise BadInput(f"--workers must be 1 or more, not {workers}")
    wanted = _changed(load_suite(suite), sims, time, start_time, start_moves, rounds)
    entries = _variants(agent, set or [], ablate or [])
    plan, missing = suite_plan(wanted, entries, part, opponents=opponents or (), games=games or ())
    if missing:
        note(f"left out, not there: {', '.join(missing)}")
    path = store or Path(f"gauntlet-{wanted.name}.sqlite")
    engine, size = make_backend(backend, workers)
    trial = run_trial(
        plan,
        wanted,
        path,
        backend=engine,
        workers=size,
        seconds=seconds,
        progress=lambda: make_progress(progress_console, quiet=quiet),
        play=play,
    )
    names = [entry.name for entry in entries]
    if save is not None:
        typed = _command(
            agent,
            suite,
            part,
            {"opponents": opponents, "games": games, "set": set, "ablate": ablate},
            {"sims": sims, "time": time, "start-time": start_time, "start-moves": start_moves, "rounds": rounds},
        )
        lines = entries_of(
            trial,
            names,
            part=part,
            budget=_budget(plan),
            date=datetime.date.today().isoformat(),
            commit=commit_of(Path(__file__).parent),
            command=typed,
        )
        save_entries(save, lines)
    if json:
        print_json({"store": str(path), "missing": missing, "trial": trial})
        if play:
            end_run(trial)
        return
    for each in strength_tables(trial, names):
        table(each.title, each.columns, each.rows)
    more = "" if trial.reason in ("decided", "all rounds") else "; the same command goes on"
    say(f"{trial.rounds} of {wanted.rounds} rounds in {path} ({trial.reason}{more}); test: {trial.verdict}")
    if play:
        end_run(trial)


def _budget(plan: Plan) -> str:
    """What everybody may use, in words."""
    words = budget_words(plan)
    if plan.start_moves:
        return f"{words}, {plan.start_moves:,} times that before the first move"
    return f"{words}, {plan.start_time:g} s before the first move" if plan.time and plan.start_time else words


def _list(json: bool) -> None:
    suites = [load_suite(id) for id in suite_ids()]
    if json:
        print_json(suites)
        return
    rows = [
        [each.name, str(len(each.games.development)), str(len(each.games.validation)), ", ".join(each.opponents), each.summary]
        for each in suites
    ]
    table("suites", ["suite", ">development", ">validation", "opponents", "summary"], rows)


def _changed(
    suite: Suite, sims: int | None, time: float | None, start_time: float | None, start_moves: int | None, rounds: int | None
) -> Suite:
    if sims is not None and time is not None:
        raise BadInput("give either --sims or --time, not both")
    for name, value in (("--sims", sims), ("--time", time), ("--rounds", rounds)):
        if value is not None and not 0 < value < 10**12:
            raise BadInput(f"{name} must be above 0, not {value}")
    if start_time is not None and not 0 <= start_time < 86400:
        raise BadInput(f"--start-time must be from 0 to a day in seconds, not {start_time}")
    if sims is not None or time is not None:
        suite = msgspec.structs.replace(suite, sims=sims or 0, time=time or 0.0)
    if start_moves is not None:
        if not 0 <= start_moves <= 100_000:
            raise BadInput(f"--start-moves must be from 0 to 100,000, not {start_moves}")
        suite = msgspec.structs.replace(suite, start_moves=start_moves)
    if rounds is not None:
        suite = msgspec.structs.replace(suite, rounds=rounds, least=min(suite.least, rounds))
    return suite if start_time is None else msgspec.structs.replace(suite, start_time=start_time)


def _variants(agent: str, settings: list[str], ablate: list[str]) -> list[AgentEntry]:
    """The agent, and what is left of it without one of its parts each."""
    own = parse_settings(settings)
    label = agent if not settings else f"{agent} {' '.join(settings)}"
    entries = [AgentEntry(id=agent, name=label, settings=dict(own))]
    switches = find_agent(entries[0], Path()).switches
    wanted = list(dict.fromkeys(name for word in ablate for name in (sorted(switches) if word == "all" else [word])))
    if "all" in ablate and not switches:
        raise BadInput(f"{agent} has no switches to ablate; write --ablate KEY=VALUE")
    for word in wanted:
        change = parse_settings([word if "=" in word else f"{word}=false"])
        entry = AgentEntry(
            id=agent, name=f"{label} without {word}" if "=" not in word else f"{label} {word}", settings={**own, **change}
        )
        find_agent(entry, Path())
        entries.append(entry)
    return entries


def _command(
    agent: str,
    suite: str,
    part: str,
    words: dict[str, list[str] | None],
    numbers: dict[str, float | None],
) -> str:
    """The options that change the result, as they were typed."""
    typed = ["paidia", "gauntlet", agent, "--suite", suite, "--part", part]
    for name, values in words.items():
        for value in values or []:
            typed += [f"--{name}", value]
    for name, number in numbers.items():
        if number is not None:
            typed += [f"--{name}", f"{number:g}" if isinstance(number, float) else str(number)]
    return shlex.join(typed)
