"""`paidia tree`: a search tree, measured, saved and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paidia.cli.budget import read_budget
from paidia.cli.output import print_json, table
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.core.seeds import spawn
from paidia.games import load
from paidia.players.mcts_player import MctsPlayer
from paidia.players.registry import make_player, parse_settings
from paidia.report.trees import Growth


def run(
    game: str,
    *,
    agent: str,
    sims: int | None = None,
    time: float | None = None,
    turns: int = 1,
    seed: int = 0,
    set: Annotated[list[str] | None, Parameter(negative=())] = None,
    output: Annotated[Path | None, Parameter(name=["-o", "--output"])] = None,
    json: bool = False,
) -> None:
    """Search, and show how deep and wide the tree is; save it (.npz) or draw it (.svg, .png, .pdf).

    Args:
        game: Id of a game, or the path of a rule file.
        agent: Who searches; it plays all roles.
        sims: Simulations per move.
        time: Seconds per move.
        turns: Moves to search and play; 0 plays to the end of the game.
        seed: Same seed and simulations, same trees.
        set: Change a setting of the agent, KEY=VALUE. Repeatable.
        output: Where to save the last tree (.npz), or to draw all of them.
        json: Print one JSON document.
    """
    rules = load(game)
    budget = read_budget(sims, time)
    if budget is None:
        raise BadInput("how long may it search? give --sims N or --time SECONDS")
    growth, last = _play(rules, agent, budget, parse_settings(set or []), turns, seed)
    if output is not None:
        if output.suffix == ".npz":
            assert last.search is not None
            last.search.tree.save(output)
        else:
            growth.draw(output, title=f"{rules.id}, {agent}, {budget} per move")
    if json:
        print_json([{"turn": turn, "shape": shape} for turn, shape in growth.shapes])
        return
    table(
        f"{rules.id}, {agent}, {budget} per move, seed {seed}",
        [">turn", ">positions", ">maximum depth", ">tried moves", ">legal moves"],
        [[str(turn), f"{s.positions:,}", str(s.depth), f"{s.branching:.2f}", f"{s.legal:.2f}"] for turn, s in growth.shapes],
    )


def _play(
    rules: Game, agent: str, budget: Budget, settings: dict[str, bool | int | float | str], turns: int, seed: int
) -> tuple[Growth, MctsPlayer]:
    players = []
    for role in range(rules.n_roles):
        player = make_player(agent, budget=budget, settings=settings)
        if not isinstance(player, MctsPlayer):
            raise BadInput(f"agent {agent} builds no tree")
        player.begin(rules, role, seed=spawn(seed, role), start_clock=0.0)
        players.append(player)
    growth = Growth()
    state = rules.initial_state()
    step, searched = 0, players[0]
    while not state.terminal and (turns == 0 or len(growth.shapes) < turns):
        joint = []
        for player in players:
            decision = player.act(state.clone(), step)
            joint.append(decision.move)
            if decision.simulations and player.search is not None:
                searched = player
                growth.add(player.search.tree.arrays(), player.search.tree.root(state), step=step)
        state.play(joint)
        step += 1
    if not growth.shapes:
        raise BadInput(f"{rules.id} ended before there was anything to search")
    return growth, searched
