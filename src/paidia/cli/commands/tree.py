"""`paidia tree`: a search tree, measured, saved and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from paidia.cli.budget import read_budget
from paidia.cli.output import print_json, table
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.core.seeds import spawn
from paidia.games import load_as
from paidia.players.registry import make_player, parse_settings
from paidia.players.search_player import SearchPlayer
from paidia.report.drawing.top import draw_top, top_nodes
from paidia.report.drawing.trees import Growth, average_shapes
from paidia.report.tables import TextTable
from paidia.search.mcts import Mcts


def run(
    game: str,
    *,
    agent: str,
    sims: int | None = None,
    time: float | None = None,
    turns: int = 1,
    matches: int = 1,
    seed: int = 0,
    set: Annotated[list[str] | None, Parameter(negative=())] = None,
    output: Annotated[Path | None, Parameter(name=["-o", "--output"])] = None,
    json: bool = False,
) -> None:
    """Search, and show how deep and wide the tree is; save it (.npz, .csv) or draw it (.svg, .png, .pdf).

    Args:
        game: Id of a game, or the path of a rule file.
        agent: Who searches; it plays all roles.
        sims: Simulations per move.
        time: Seconds per move.
        turns: Moves to search and play; 0 plays to the end of the game.
        matches: Average over so many matches, with seeds from SEED on; late turns have fewer of them.
        seed: Same seed and simulations, same trees.
        set: Change a setting of the agent, KEY=VALUE. Repeatable.
        output: Where to save the last tree (.npz) or the numbers of all turns (.csv), or to draw: one turn as the moves that
            were searched most, with visits and values; several turns as the growth of the tree of the first match.
        json: Print one JSON document.
    """
    rules = load_as(Game, game)
    budget = read_budget(sims, time)
    if budget is None:
        raise BadInput("how long may it search? give --sims N or --time SECONDS")
    if matches < 1 or turns < 0:
        raise BadInput("--matches must be 1 or more, --turns 0 or more")
    settings = parse_settings(set or [])
    played = [_play(rules, agent, budget, settings, turns, seed + number) for number in range(matches)]
    averages = average_shapes([growth.shapes for growth, _ in played])
    title = f"{rules.id}, {agent}, {budget} per move"
    numbers = TextTable(
        "turns",
        f"{title}, seed {seed}" + (f" to {seed + matches - 1}" if matches > 1 else ""),
        [">turn", ">matches", ">positions", ">maximum depth", ">tried moves", ">legal moves"],
        [
            [str(a.turn), str(a.matches), f"{a.positions:.0f}", f"{a.depth:.1f}", f"{a.branching:.2f}", f"{a.legal:.2f}"]
            for a in averages
        ],
    )
    if output is not None:
        _save(output, numbers, *played[0], title, diagram=turns == matches == 1)
    if json:
        print_json(averages)
    else:
        table(numbers.title, numbers.columns, numbers.rows)


def _save(output: Path, numbers: TextTable, growth: Growth, player: SearchPlayer, title: str, *, diagram: bool) -> None:
    if output.suffix == ".csv":
        msgspec.structs.replace(numbers, name=output.stem).write_csv(output.parent)
    elif output.suffix == ".npz":
        assert isinstance(player.search, Mcts)
        player.search.tree.save(output)
    elif diagram:
        assert isinstance(player.search, Mcts)
        arrays, rules = player.search.tree.arrays(), player.search.game
        top = top_nodes(arrays, player.search.tree.root(rules.initial_state()), rules.move_name)
        draw_top(top, output, title=f"{title}: moves with visits and mean value")
    else:
        growth.draw(output, title=title)


def _play(
    rules: Game, agent: str, budget: Budget, settings: dict[str, bool | int | float | str], turns: int, seed: int
) -> tuple[Growth, SearchPlayer]:
    players = []
    for role in range(rules.n_roles):
        player = make_player(agent, settings=settings)
        if not isinstance(player, SearchPlayer):
            raise BadInput(f"agent {agent} builds no tree")
        reason = player.cannot_play(rules, budget)
        if reason is not None:
            raise BadInput(f"agent {agent} {reason}")
        if not isinstance(player.search, Mcts):
            raise BadInput(f"agent {agent} builds no tree")
        player.begin(rules, role, state=rules.initial_state(), seed=spawn(seed, role), budget=None)
        players.append(player)
    growth = Growth()
    state = rules.initial_state()
    step, searched = 0, players[0]
    while not state.terminal and (turns == 0 or len(growth.shapes) < turns):
        joint = []
        for player in players:
            decision = player.act(state.clone(), step=step, budget=budget)
            joint.append(decision.move)
            if decision.simulations and isinstance(player.search, Mcts):
                searched = player
                growth.add(player.search.tree.arrays(), player.search.tree.root(state), step=step)
        state.play(joint)
        step += 1
    if not growth.shapes:
        raise BadInput(f"{rules.id} ended before there was anything to search")
    return growth, searched
