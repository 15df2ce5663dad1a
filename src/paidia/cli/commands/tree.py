"""`paidia tree`: search trees, measured turn by turn, saved and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from paidia.cli.budget import read_budget
from paidia.cli.output import print_json, say, status, table
from paidia.core.errors import BadInput
from paidia.core.files import replacing
from paidia.core.model import Rules
from paidia.experiment.cells import Cell
from paidia.experiment.expand import expand
from paidia.experiment.plan import AgentEntry, GameEntry, Plan, load_plan
from paidia.experiment.play import cell_game
from paidia.experiment.run.local import default_workers
from paidia.experiment.studies.trees import AverageShape, TreeMatch, average_shapes, check_trees, grow_trees, study
from paidia.players.registry import parse_settings
from paidia.report.drawing.top import draw_top, top_nodes
from paidia.report.drawing.trees import draw_growth, draw_turns
from paidia.report.tables import Cell as Column
from paidia.report.tables import Number, TextTable
from paidia.search.nodes.tree import Tree

COLUMNS = [">turn", ">matches", ">trees", ">positions", ">maximum depth", ">tried moves", ">legal moves"]


def run(
    game: str,
    *,
    agent: str | None = None,
    sims: int | None = None,
    time: float | None = None,
    turns: int | None = None,
    matches: int | None = None,
    level: str | None = None,
    role: int | None = None,
    seed: int | None = None,
    set: Annotated[list[str] | None, Parameter(negative=())] = None,
    workers: int | None = None,
    output: Annotated[Path | None, Parameter(name=["-o", "--output"])] = None,
    json: bool = False,
) -> None:
    """Search, and show how deep and wide the trees are; save one (.npz, .csv) or draw it (.svg, .png, .pdf).

    With the file of a plan the trees of all its agents in all its games are measured: numbers and figures go to the folder
    that `--output` names.

    Args:
        game: Id of a game, or the path of a rule file, or of a plan (.toml) with games, agents, budget and matches.
        agent: Who searches; it plays all roles.
        sims: Simulations per move.
        time: Seconds per move.
        turns: Turns to search and play, 1 if left out; 0, as with a plan, plays to the end of the game.
        matches: Average over so many matches; late turns have fewer of them.
        level: Level of a video game.
        role: Count the trees of this role only (roles are numbered from 0); the first role's tree is drawn if left out.
        seed: Same seed and simulations, same trees.
        set: Change a setting of the agent, KEY=VALUE. Repeatable.
        workers: With a plan: matches at a time; the number of cores if left out.
        output: Where to save the last tree (.npz) or the numbers of all turns (.csv), or to draw: one turn as the moves that
            were searched most, with visits and values; several turns as the growth of the tree of the first match.
        json: Print one JSON document.
    """
    if (matches is not None and matches < 1) or (turns is not None and turns < 0):
        raise BadInput("--matches must be 1 or more, --turns 0 or more")
    if role is not None and role < 0:
        raise BadInput(f"--role must be 0 or more, not {role}")
    if game.endswith(".toml"):
        given = {"--agent": agent, "--sims": sims, "--time": time, "--level": level, "--role": role, "--set": set}
        if named := [name for name, value in given.items() if value is not None]:
            raise BadInput(f"the plan says that: leave {', '.join(named)} out")
        _study(Path(game), matches, turns or 0, seed, workers, output, json=json)
        return
    if agent is None:
        raise BadInput("who searches? give --agent ID")
    budget = read_budget(sims, time)
    if budget is None:
        raise BadInput("how long may it search? give --sims N or --time SECONDS")
    plan = Plan(
        games=[GameEntry(id=game, levels=[] if level is None else [level])],
        agents=[AgentEntry(id=agent, settings=dict(parse_settings(set or [])))],
        sims=budget.simulations or [],
        time=budget.seconds or [],
        seed=seed or 0,
        name=game,
    )
    cell = expand(plan, file=game, alone=True)[0]  # the first level of a video game, if none is named
    if role is not None and role >= cell.n_roles:
        raise BadInput(f"{cell.game} has roles 0 to {cell.n_roles - 1}, not {role}")
    number, steps = matches or 1, 1 if turns is None else turns
    first, growth, tree = grow_trees(cell, 0, turns=steps, draw=role or 0)
    played = [first, *(grow_trees(cell, n, turns=steps)[0] for n in range(1, number))]
    averages = average_shapes(played, role=role)
    if not averages:
        raise BadInput(f"{cell.game} ended before there was anything to search")
    title = f"{cell.game}, {agent}, {budget} per move"
    numbers = TextTable("turns", f"{title}, seed {seed or 0}, {number} matches", COLUMNS, [_row(each) for each in averages])
    if output is not None and output.suffix == ".csv":
        msgspec.structs.replace(numbers, name=output.stem).write_csv(output.parent)
    elif output is not None and output.suffix == ".npz":
        assert isinstance(tree, Tree)
        with replacing(output) as fresh:
            tree.save(fresh)
    elif output is not None and steps == number == 1:
        assert isinstance(tree, Tree)
        _draw_top(tree, cell_game(cell), output, title)
    elif output is not None:
        assert growth is not None
        draw_growth(growth, output, title=title)
    if json:
        print_json(averages)
    else:
        table(numbers.title, numbers.columns, numbers.rows)


def _draw_top(tree: Tree, rules: Rules, output: Path, title: str) -> None:
    """The diagram of one turn, the first of the match."""
    root = 0 if tree.sequences else tree.root(rules.initial_state())
    top = top_nodes(tree.arrays(), root, rules.move_name)
    draw_top(top, output, title=f"{title}: moves with visits and mean value")


def _row(average: AverageShape) -> list[Column]:
    a = average
    counts = [Number(a.turn), Number(a.matches), Number(a.trees), Number(a.positions)]
    return [*counts, Number(a.depth, ".1f"), Number(a.branching, ".2f"), Number(a.legal, ".2f")]


def _study(
    file: Path, matches: int | None, turns: int, seed: int | None, workers: int | None, output: Path | None, *, json: bool
) -> None:
    """The trees of all agents of a plan in all its games."""
    plan = load_plan(file)
    if seed is not None:
        plan = msgspec.structs.replace(plan, seed=seed)
    cells = expand(plan, folder=file.parent, file=str(file), alone=True)
    check_trees(cells)
    number = matches or plan.matches
    folder = output or file.with_suffix("")
    played: dict[tuple[str, str], list[TreeMatch]] = {}
    size = default_workers() if workers is None else workers
    if not 1 <= size <= 10_000:
        raise BadInput(f"--workers must be 1 or more, not {size}")
    for done, (cell, match) in enumerate(study(cells, number, turns=turns, workers=size), start=1):
        played.setdefault((cell.label, cell.contenders[0].name), []).append(match)
        if done % max(1, number // 4) == 0:
            status(f"{done:,} of {len(cells) * number:,} matches")
    averages = {key: average_shapes(own) for key, own in played.items()}
    rows: list[list[Column]] = [[*key, *_row(each)] for key, own in averages.items() for each in own]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TextTable("turns", "Trees by turn", ["game", "agent", *COLUMNS], rows).write_csv(folder)
    except OSError as error:
        raise BadInput(f"cannot write to {folder}: {error}") from None
    names = _draw_study(cells, averages, turns, folder)
    if json:
        print_json([{"game": key[0], "agent": key[1], "turns": own} for key, own in averages.items()])
    else:
        table(plan.name, ["game", "agent", ">matches", ">turns", ">maximum depth", ">tried moves"], _overview(averages, number))
        say(f"written to {folder}: turns.csv, {', '.join(names)}")


def _draw_study(cells: list[Cell], averages: dict[tuple[str, str], list[AverageShape]], turns: int, folder: Path) -> list[str]:
    """Depth and branching over turns for each game with a line for each agent; the first match's tree for each of both."""
    names = []
    for game in dict.fromkeys(game for game, _ in averages):
        agents = {agent: own for (there, agent), own in averages.items() if there == game}
        plain = _plain(game)
        for number in ("depth", "branching"):
            names.append(f"{number}-{plain}.svg")
            draw_turns(agents, number, folder / names[-1], title=game)
    drawn = set()
    for cell in cells:
        agent = cell.contenders[0].name
        name = f"tree-{_plain(cell.label)}-{_plain(agent)}.svg"
        if name not in drawn:
            drawn.add(name)
            _, growth, _ = grow_trees(cell, 0, turns=turns, draw=0)
            assert growth is not None
            draw_growth(growth, folder / name, title=f"{cell.label}, {agent}")
            names.append(name)
    return names


def _overview(averages: dict[tuple[str, str], list[AverageShape]], matches: int) -> list[list[str]]:
    """Means over turns, each turn with the weight of the matches that reached it."""
    rows = []
    for (game, agent), own in averages.items():
        weight = sum(each.matches for each in own) or 1
        depth = sum(each.matches * each.depth for each in own) / weight
        branching = sum(each.matches * each.branching for each in own) / weight
        rows.append([game, agent, str(matches), str(len(own)), f"{depth:.1f}", f"{branching:.2f}"])
    return rows


def _plain(name: str) -> str:
    """A name that can be that of a file."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name)
