"""`paidia reproduce`: the papers' tables, and our cells beside theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from paidia.cli.output import note, print_json, progress_console, say, table
from paidia.cli.results import end_run, show_results
from paidia.core.errors import BadInput, UnknownName
from paidia.experiment.budgets import budget_words
from paidia.experiment.cells import Cell
from paidia.experiment.expand import expand
from paidia.experiment.plan import Plan
from paidia.experiment.run.agents import playable_cells
from paidia.experiment.run.backends import make_backend
from paidia.experiment.run.outcome import Backend
from paidia.experiment.run.progress import Progress, make_progress
from paidia.experiment.run.runner import run_plan
from paidia.experiment.signature.behaviour import behaviour_in
from paidia.experiment.store import Store
from paidia.experiment.store.recall import Recalled
from paidia.report.papers.claims import judge_claims, load_claims, own_values, printed_values
from paidia.report.papers.compare import AVERAGE, Comparison, compare_table, count_verdicts, side_of
from paidia.report.papers.deciding import probe, spend
from paidia.report.papers.figures import is_drawn, save_groups
from paidia.report.papers.forecasts import TableForecast, Task, forecast, forecast_claims, total, total_claims
from paidia.report.papers.ledgers import kept_lines, recall_into
from paidia.report.papers.measured import measured_numbers, save_measured
from paidia.report.papers.pages import write_pages
from paidia.report.papers.printed import Table, find_table, papers_folder, tables
from paidia.report.summary import group_cells, summarise
from paidia.report.text import short_comparison
from paidia.report.usage import usage_of

#: What to do about games that are not ours.
VIDEO_GAMES = "games of the GVGAI framework: `paidia games --add DIR`, or let PAIDIA_REFERENCE name a clone"


def run(
    *ids: str,
    scale: float = 1.0,
    sims: int | None = None,
    time: float | None = None,
    start_time: float | None = None,
    workers: int | None = None,
    backend: str = "local",
    store: Path | None = None,
    seconds: float | None = None,
    game: Annotated[list[str] | None, Parameter(negative=())] = None,
    agent: Annotated[list[str] | None, Parameter(negative=())] = None,
    opponent: Annotated[list[str] | None, Parameter(negative=())] = None,
    estimate: bool = False,
    until_decided: float | None = None,
    claims: bool = False,
    recall: bool = False,
    play: bool = True,
    save: bool = False,
    pages: Path | None = None,
    papers: Path | None = None,
    quiet: bool = False,
    json: bool = False,
) -> None:
    """List the papers' tables, or run one and put our cells beside the paper's: agree, disagree or undecided.

    Exits as `paidia run` does.

    Args:
        ids: Table, e.g. s002-t1; without one all tables are listed. With --estimate and --until-decided several, or all.
        scale: Share of the paper's matches to play; more can be added later to the same store.
        sims: Simulations per move, instead of the table's budget.
        time: Seconds per move, instead of the table's budget; cells get a verdict if it is the paper's clock.
        start_time: Seconds before the first move; with --time the paper's start clock if left out.
        workers: Matches at a time; the number of cores if left out.
        backend: `local` or `ray`.
        store: SQLite file for the results; TABLE.sqlite if left out. With several tables the folder of these files, or one file
            for all: cells that tables have in common are then played once.
        seconds: Stop cleanly after so long; the same command goes on later. With --estimate the seconds for each table.
        game: Play only the cells of this game, as the table names it. Repeatable.
        agent: Play only the cells of this agent. Repeatable.
        opponent: Play only the cells against this opponent. Repeatable.
        estimate: Play a match or two of every cell that has none, and say how long the verdicts take at this speed.
        until_decided: Play for so many hours, always where a verdict on a number or a claim is nearest, and say what is decided.
        claims: With --estimate and --until-decided: only what the papers' claims need.
        recall: Begin with the matches of these cells that are kept beside the papers' plans (matches.csv), and play what is
            missing. What other behaviour played is left out.
        play: With --no-play the store is compared as it is.
        save: Keep the result beside the paper's plans (measured.csv, runs.csv, figures.csv).
        pages: Write the pages about all papers, with their figures, from what was kept into this folder.
        papers: Folder with the papers' plans.
        quiet: Show no progress.
        json: Print one JSON document.
    """
    folder = papers_folder(papers)
    chosen = {"game": game or [], "agent": agent or [], "opponent": opponent or []}
    if estimate or until_decided is not None:
        changed = (sims, time, start_time, pages) != (None, None, None, None) or any(chosen.values())
        if save or not play or scale != 1.0 or changed:
            raise BadInput("--estimate and --until-decided play the tables with their own budgets: leave the other options out")
        tasks = _tasks(folder, ids, store)
        if recall:
            _recall(folder, tasks)
        engine, size = make_backend(backend, workers)
        probing = 20.0 if seconds is None else seconds
        _decide(tasks, engine, size, until_decided, probing, only_claims=claims, quiet=quiet, json=json)
        return
    if claims:
        raise BadInput("--claims says what --estimate and --until-decided are about: give one of them")
    if pages is not None:
        if ids:
            raise BadInput("--pages writes about all papers: leave the table out, or keep its result first, --save")
        papers_told = write_pages(tables(folder), pages)
        say(f"written: {pages / 'results.md'} and {len(papers_told)} pages in {pages / 'results'}")
        return
    if recall and not ids:
        raise BadInput("--recall is about a run: name a table, or give --estimate or --until-decided")
    if not ids:
        _list(tables(folder), json)
        return
    if len(ids) > 1:
        raise BadInput("one table at a time; several are run by --until-decided HOURS, and --estimate says what they take")
    (id,) = ids
    if not 0 < scale <= 1000:
        raise BadInput(f"--scale must be above 0, not {scale}")
    wanted = find_table(folder, id)
    plan = wanted.runnable()
    if plan is None:
        raise BadInput(f"{id} cannot run: {_status(wanted)}")
    absent = [*wanted.missing, *(f"agent {name} (not available)" for name in wanted.unavailable)]
    if absent:
        note(f"left out, not there: {', '.join(absent)}")
    plan = _changed(plan, scale, sims, time, start_time)
    folder_of, file = wanted.file.parent, str(wanted.file)
    cells = (playable_cells if play else expand)(plan, folder=folder_of, file=file)
    selected = _selected(cells, chosen)
    result = None
    path = store or Path(f"{id}.sqlite")
    if recall and wanted.paper.metric == "most_used":
        raise BadInput(f"{id} is about search parameters, of which matches that are kept say nothing: leave --recall out")
    if recall:
        _recall(folder, [Task(wanted, plan, selected, path)])
    if play:
        engine, size = make_backend(backend, workers)
        with Store(path, write=True) as results:
            result = run_plan(
                plan,
                results,
                backend=engine,
                folder=folder_of,
                file=file,
                cells=selected,
                workers=size,
                signature=behaviour_in,
                seconds=seconds,
                progress=make_progress(progress_console, quiet=quiet),
            )
    with Store(path) as results:
        groups = summarise(results, keys={cell.key for cell in cells})
        usage = usage_of(results, groups) if wanted.paper.metric == "most_used" else None
        comparisons = compare_table(wanted, groups, usage=usage)
        builds = results.builds()
    if save:
        words = f"paidia reproduce {id}{_options(scale, sims, time, start_time)}"
        save_measured(wanted, comparisons, budget=budget_words(plan), builds=builds, command=words)
        if is_drawn(id):
            save_groups(wanted.file.parent, id, groups)
    if any(chosen.values()):
        comparisons = [each for each in comparisons if _is_about(each, selected)]
        groups = [group for group in groups if set(group.cells) <= {cell.key for cell in selected}]
    if json:
        print_json({"table": id, "store": str(path), "missing": wanted.missing, "cells": comparisons})
    elif comparisons:
        _show(wanted, comparisons)
    else:  # a figure: nothing printed to compare with
        show_results(group_cells(groups), f"{wanted.id}: {wanted.paper.title}")
    if result is not None:
        end_run(result)


def _selected(cells: list[Cell], chosen: dict[str, list[str]]) -> list[Cell]:
    """The cells of the games, agents and opponents that were named; all of those that were not."""

    def names(cell: Cell) -> dict[str, str]:
        contenders = [contender.name for contender in cell.contenders]
        return {"game": cell.label, "agent": contenders[0], "opponent": contenders[1] if len(contenders) > 1 else ""}

    for kind, wanted in chosen.items():
        there = sorted({names(cell)[kind] for cell in cells} - {""})
        for name in wanted:
            if name not in there:
                raise UnknownName(f"{kind} of the table", name, there)
    found = [cell for cell in cells if all(not wanted or names(cell)[kind] in wanted for kind, wanted in chosen.items())]
    if not found:
        raise BadInput("the table has no such cell: " + ", ".join(f"--{k} {n}" for k, own in chosen.items() for n in own))
    return found


def _is_about(each: Comparison, cells: list[Cell]) -> bool:
    """Whether a number is about one of these cells alone."""
    if each.printed.game == AVERAGE:
        return False
    sides = ([contender.name for contender in cell.contenders] for cell in cells)
    pairs = [(cell.label, own[0], own[1] if len(own) > 1 else None) for cell, own in zip(cells, sides, strict=True)]
    return any(side_of(each.printed, *pair) is not None for pair in pairs)


def _tasks(folder: Path, ids: tuple[str, ...], store: Path | None) -> list[Task]:
    """The tables that can run, of those named or of all."""
    shared = store if store is not None and not store.is_dir() else None
    if shared is not None and shared.suffix != ".sqlite":
        raise BadInput(f"--store {store} is neither a folder, with a file for each table, nor one file (.sqlite) for all")
    found = []
    for wanted in [find_table(folder, id) for id in ids] or tables(folder):
        plan = wanted.runnable()
        if plan is None or not any(row.metric in ("win_pct", "score") for row in wanted.printed()):
            if ids:
                note(f"{wanted.id} left out: {_status(wanted) if plan is None else 'it has no numbers that get a verdict'}")
            continue
        path = shared or (store or Path()) / f"{wanted.id}.sqlite"
        found.append(Task(wanted, plan, playable_cells(plan, folder=wanted.file.parent, file=str(wanted.file)), path))
    return found


def _recall(folder: Path, tasks: list[Task]) -> None:
    """Let the stores of some tables begin with the matches that are kept, and say how many those are."""
    lines, found = kept_lines(folder), Recalled()
    for path in dict.fromkeys(task.path for task in tasks):
        found += recall_into(path, lines, plans=[(task.plan.name, task.cells) for task in tasks if task.path == path])
    words = [f"{found.entered:,} matches recalled"]
    words += [f"{found.known:,} were there"] if found.known else []
    words += [f"{found.other:,} left out, which other behaviour played"] if found.other else []
    note("; ".join(words))


def _decide(
    tasks: list[Task],
    engine: Backend,
    workers: int,
    hours: float | None,
    seconds: float,
    *,
    only_claims: bool,
    quiet: bool,
    json: bool,
) -> None:
    """Say what verdicts take, or play for hours where they are nearest."""
    if hours is not None and not 0 < hours <= 10_000:
        raise BadInput(f"--until-decided is a number of hours above 0, not {hours}")
    if not 0 < seconds <= 1e7:
        raise BadInput(f"--seconds must be above 0, not {seconds}")

    def progress() -> Progress:
        return make_progress(progress_console, quiet=quiet)

    tell = (lambda line: None) if quiet else note
    if only_claims:  # of tables about which nothing is claimed there is nothing to say
        claimed = {need.task for need in forecast_claims(tasks)}
        tasks = [task for i, task in enumerate(tasks) if i in claimed]
    reason = ""
    if hours is None:
        probe(tasks, seconds, backend=engine, workers=workers, progress=progress)
    else:
        reason = spend(
            tasks, 3600.0 * hours, backend=engine, workers=workers, progress=progress, tell=tell, only_claims=only_claims
        )
    needs = forecast_claims(tasks)
    of_claims = total_claims(tasks, needs)
    totals = [] if only_claims else [total(task.table.id, own) for task, own in zip(tasks, forecast(tasks), strict=True)]
    totals.sort(key=lambda each: each.seconds)
    if json:
        print_json({"workers": workers, "ended": reason, "tables": totals, "papers": of_claims, "claims": needs})
    else:
        if totals:
            _show_forecasts("table", "numbers", totals, workers)
        if of_claims:
            _show_forecasts("paper", "claims", of_claims, workers)
        if reason:
            say(f"{reason}; the same command goes on" if reason != "decided" else "everything that can be decided is")
    if reason == "interrupted":
        raise SystemExit(130)


def _show_forecasts(who: str, what: str, totals: list[TableForecast], workers: int) -> None:
    rows = [[each.id, *(f"{count:,}" for count in _counts(each)), _hours(each.seconds / workers)] for each in totals]
    sums = (f"{sum(column):,}" for column in zip(*(_counts(each) for each in totals), strict=True))
    rows.append(["all", *sums, _hours(sum(each.seconds for each in totals) / workers)])
    title = f"what verdicts on {what} take, {workers} matches at a time"
    table(title, [who, f">{what}", ">decided", ">never", ">matches missing", ">time"], rows)


def _counts(each: TableForecast) -> tuple[int, int, int, int]:
    return each.numbers, each.decided, each.hopeless, each.matches


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:,.1f} h" if seconds >= 3600 else f"{seconds / 60:,.1f} min" if seconds >= 60 else f"{seconds:.0f} s"


def _changed(plan: Plan, scale: float, sims: int | None, time: float | None, start_time: float | None) -> Plan:
    plan = msgspec.structs.replace(plan, matches=max(1, round(plan.matches * scale)))
    if start_time is not None and not 0 <= start_time < 86400:
        raise BadInput(f"--start-time must be from 0 to a day in seconds, not {start_time}")
    if sims is not None and time is not None:
        raise BadInput("give either --sims or --time, not both")
    start = plan.start_time
    if time is not None and plan.paper is not None and plan.paper.start_clock is not None:
        start = plan.paper.start_clock
    plan = msgspec.structs.replace(plan, start_time=start if start_time is None else start_time)
    if sims is None and time is None:
        return plan
    return msgspec.structs.replace(plan, sims=sims or [], time=time or [], budget_table=None)


def _options(scale: float, sims: int | None, time: float | None, start_time: float | None) -> str:
    """The options that change the result, as they were typed."""
    given = {"--scale": None if scale == 1.0 else scale, "--sims": sims, "--time": time, "--start-time": start_time}
    return "".join(f" {name} {value:g}" for name, value in given.items() if value is not None)


def _status(wanted: Table) -> str:
    """What can be run of a table, in words."""
    if wanted.paper.metric == "facts":
        return "nothing to run: a table of settings"
    absent = f"; not available: {', '.join(wanted.unavailable)}" if wanted.unavailable else ""
    if not wanted.missing:
        return f"ready{absent}"
    games = [name for name in wanted.missing if name.startswith("game ")]
    agents = [name for name in wanted.missing if not name.startswith("game ")]
    names = [f"{len(games)} games" if len(games) > 2 else ", ".join(games), ", ".join(agents[:4])]
    if len(agents) > 4:
        names.append(f"{len(agents) - 4} more agents")
    lacks = "partly: lacks " if wanted.runnable() else "not yet: needs "
    remedy = f" ({VIDEO_GAMES})" if any(name.startswith("game vgdl:") for name in games) else ""
    return lacks + ", ".join(filter(None, names)) + remedy + absent


def _list(found: list[Table], json: bool) -> None:
    measured: dict[str, str] = {}
    for folder in {t.file.parent for t in found}:
        for id, numbers in measured_numbers([t for t in found if t.file.parent == folder]).items():
            told = count_verdicts([each for each in numbers if each.ours is not None])
            measured[id] = ", ".join(f"{verdict}: {count}" for verdict, count in told.items())
    if json:
        print_json(
            [
                {
                    "id": t.id,
                    "title": t.paper.title,
                    "paper": t.paper.paper,
                    "settings": t.paper.settings,
                    "runnable": t.runnable() is not None,
                    "missing": t.missing,
                    "unavailable": t.unavailable,
                    "cells": len(t.printed()),
                    "measured": measured.get(t.id, ""),
                }
                for t in found
            ]
        )
        return
    rows = [[t.id, t.paper.title, str(len(t.printed())), _status(t), measured.get(t.id, "")] for t in found]
    table("", ["table", "what", ">cells", "state", "measured"], rows)


def _show_claims(wanted: Table, comparisons: list[Comparison]) -> None:
    """What the paper says of this table, and whether it holds."""
    claims, values = load_claims(wanted.file.parent), own_values(comparisons)
    printed = printed_values(wanted.printed())
    own = [judged for judged in judge_claims(claims, values, printed) if judged.claim.table == wanted.id] if claims else []
    if own:
        table("what the paper says of it", ["claim", "ours", "verdict"], [[j.claim.text, j.numbers, j.verdict] for j in own])


def _show(wanted: Table, comparisons: list[Comparison]) -> None:
    columns, rows, common = short_comparison(comparisons)
    table(f"{wanted.id}: {wanted.paper.title}{f' ({common})' if common else ''}", columns, rows)
    _show_claims(wanted, comparisons)
    counts = count_verdicts(comparisons)
    say(", ".join(f"{verdict}: {count}" for verdict, count in counts.items()))
