"""The trees that an agent builds in whole matches, turn by turn (Sironi and Winands, the study on randomization, section 5.7).

The agent plays all roles of a game against itself, under the referee and with its clocks; each of its players has a tree of its
own. A turn is a step of the game: who also searches while others are to move has a tree in every one of them. Numbers of a turn
are averaged over the trees of all roles that searched in it, then over the matches that reached it (docs/readings.md#tree-shape).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

import msgspec
import numpy as np

from paidia.core.errors import BadInput
from paidia.core.hidden import hides
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.experiment.cells import Cell
from paidia.experiment.play import cell_clocks, cell_game
from paidia.experiment.run.processes import worker_pool
from paidia.match.referee import check_seats, play_match
from paidia.players.registry import player_of
from paidia.players.search_player import SearchPlayer
from paidia.search.mcts import Mcts
from paidia.search.nodes.shape import Arrays, TreeShape, find_links, shape_of

__all__ = ["AverageShape", "Growth", "TreeMatch", "TurnShape", "average_shapes", "check_trees", "grow_trees", "study"]


class TurnShape(msgspec.Struct, frozen=True):
    """One player's tree after its search in one turn.

    Attributes:
        turn: Step of the game.
        depth: Joint moves inside the tree in the deepest simulation of this search.
        shape: The tree as it stands.
    """

    turn: int
    depth: int
    shape: TreeShape


class AverageShape(msgspec.Struct, frozen=True):
    """The trees of one turn, averaged over the matches that reached it; `trees` is how many there were."""

    turn: int
    matches: int
    trees: int
    positions: float
    depth: float
    branching: float
    legal: float


class TreeMatch(msgspec.Struct, frozen=True):
    """What is kept of a match: the shapes of each role's trees."""

    roles: list[list[TurnShape]]


def average_shapes(matches: Sequence[TreeMatch], *, role: int | None = None) -> list[AverageShape]:
    """Maximum depth and branching by turn, as figures 6 and 7 of the study show them, of all roles or of one."""
    turns: dict[int, list[list[TurnShape]]] = {}
    for match in matches:
        roles = match.roles if role is None else match.roles[role : role + 1]
        own: dict[int, list[TurnShape]] = {}
        for shapes in roles:
            for each in shapes:
                own.setdefault(each.turn, []).append(each)
        for turn, trees in own.items():
            turns.setdefault(turn, []).append(trees)
    return [_average(turn, trees) for turn, trees in sorted(turns.items())]


def _average(turn: int, matches: list[list[TurnShape]]) -> AverageShape:
    return AverageShape(
        turn=turn,
        matches=len(matches),
        trees=sum(map(len, matches)),
        positions=fmean(fmean(tree.shape.positions for tree in trees) for trees in matches),
        depth=fmean(fmean(tree.depth for tree in trees) for trees in matches),
        branching=fmean(fmean(tree.shape.branching for tree in trees) for trees in matches),
        legal=fmean(fmean(tree.shape.legal for tree in trees) for trees in matches),
    )


class Growth:
    """One player's tree in a whole match: every node with the turn in which it was added, as figures 8 to 11 show it.

    A node is known by its position, or its sequence; sequences of a tree that was begun anew are others than those before.
    """

    def __init__(self, *, most: int = 20_000) -> None:
        self.most = most  # nodes that are drawn for each turn: the most visited; none where only shapes are wanted
        self.parent: dict[tuple[int, int], tuple[int, int]] = {}  # a node -> the one before it
        self.depth: dict[tuple[int, int], int] = {}
        self.turn: dict[tuple[int, int], int] = {}
        self.shapes: list[TurnShape] = []
        self._tree = 0  # how often a tree of sequences was begun anew

    def add(self, arrays: Arrays, root: int, *, step: int, depth: int | None = None, state: Situation | None = None) -> TurnShape:
        """The tree after the search of one turn; `depth` is that of the deepest simulation, of the tree if left out."""
        links = find_links(arrays, root, state=state)
        shape = shape_of(links)
        told = TurnShape(step, shape.depth if depth is None else depth, shape)
        self.shapes.append(told)
        if not self.most:
            return told
        keys, visits = arrays["nodes"]["key"], arrays["nodes"]["visits"]
        if "node_more" in arrays and self.depth.get((self._tree, int(keys[root]))) != step:
            self._tree += 1
        self._enter((self._tree, int(keys[root])), None, step, step)
        room = self.most
        for level, parents in zip(links.levels[1:], links.parents, strict=True):
            for i in np.argsort(-visits[level], kind="stable").tolist():
                above = (self._tree, int(keys[parents[i]]))
                if room > 0 and above in self.turn:
                    room -= self._enter((self._tree, int(keys[level[i]])), above, self.depth[above] + 1, step)
        if len(self.depth) > 50 * self.most:
            raise BadInput("the trees of this match are too large to draw; search with fewer simulations")
        return told

    def _enter(self, key: tuple[int, int], parent: tuple[int, int] | None, depth: int, step: int) -> bool:
        if key in self.turn:
            return False
        if parent is not None:
            self.parent[key] = parent
        self.depth[key] = depth
        self.turn[key] = step
        return True


class _Enough(Exception):
    """As many turns as are wanted."""


def grow_trees(cell: Cell, number: int, *, turns: int = 0, draw: int | None = None) -> tuple[TreeMatch, Growth | None, Any]:
    """Play a match of an agent with itself.

    Args:
        cell: Agent, game and budgets.
        number: Which match of the cell.
        turns: Stop after so many turns; at the end of the game if 0.
        draw: The role whose tree is to be drawn.

    Returns:
        The shapes of all trees; the growth of the one to draw; its last tree.
    """
    game, players = _seated(cell)
    contender = cell.contenders[0]
    watch = _Watch(game, players, turns, draw)
    clocks = cell_clocks(cell, game, [contender] * game.n_roles)
    try:
        result = play_match(
            game, players, seed=cell.match_seed(number), clocks=clocks, max_steps=cell.max_steps,
            watch=watch.played, thoughts=watch.asked,
        )  # fmt: skip
        if result.record.fault is not None:
            raise BadInput(f"agent {contender.name} in {game.id}: {result.record.ending}: {result.record.message}")
    except _Enough:
        pass
    tree = None
    if draw is not None:
        search = players[draw].search
        tree = search.tree if isinstance(search, Mcts) else None
    return TreeMatch([growth.shapes for growth in watch.growths]), None if draw is None else watch.growths[draw], tree


def _seated(cell: Cell) -> tuple[Rules, list[SearchPlayer]]:
    """A game, and a player with a tree for each role."""
    game, contender = cell_game(cell), cell.contenders[0]
    if hides(game):
        raise BadInput(f"{game.id} hides something from its roles: a player has a tree for each world that it samples, not one")
    players = [player_of(contender.definition, contender.name) for _ in range(game.n_roles)]
    trees = [player for player in players if isinstance(player, SearchPlayer) and not contender.definition.planner]
    if len(trees) < len(players):
        raise BadInput(f"agent {contender.name} builds no tree: take one that searches in a tree, such as uct or grave")
    return game, trees


def check_trees(cells: Sequence[Cell]) -> None:
    """Refuse agents that build no tree, or cannot play their game, before anything is searched."""
    for cell in cells:
        game, players = _seated(cell)
        contender = cell.contenders[0]
        check_seats(game, players, cell_clocks(cell, game, [contender] * game.n_roles))


class _Watch:
    """Looks at the trees after every answer."""

    def __init__(self, game: Rules, players: list[SearchPlayer], turns: int, draw: int | None) -> None:
        self.players, self.turns = players, turns
        self.state: Situation = game.initial_state()
        self.step = 0
        self.growths = [Growth(most=20_000 if role == draw else 0) for role in range(game.n_roles)]

    def asked(self, role: int, decision: Decision) -> None:
        """A player has searched."""
        search = self.players[role].search
        if not isinstance(search, Mcts):
            raise BadInput(f"agent {self.players[role].name} builds no tree")
        if not decision.simulations:
            return
        tree = search.tree
        root = 0 if tree.sequences else tree.root(self.state)
        depth = int((decision.notes or {})["depth"])
        self.growths[role].add(tree.arrays(), root, step=self.step, depth=depth, state=self.state)

    def played(self, state: Situation, steps: int, joint: Sequence[int | None]) -> None:
        """The game goes on."""
        self.state, self.step = state, steps
        if self.turns and steps >= self.turns:
            raise _Enough


def study(cells: Sequence[Cell], matches: int, *, turns: int = 0, workers: int = 1) -> Iterable[tuple[Cell, TreeMatch]]:
    """Play the matches of all cells, several at a time; they come in the order in which they are asked for."""
    jobs = [(cell, number, turns) for cell in cells for number in range(matches)]
    if workers <= 1:
        for cell, number, wanted in jobs:
            yield cell, grow_trees(cell, number, turns=wanted)[0]
        return
    with worker_pool(workers) as pool:
        for (cell, _, _), played in zip(jobs, pool.map(_job, jobs), strict=True):
            yield cell, played


def _job(job: tuple[Cell, int, int]) -> TreeMatch:
    cell, number, turns = job
    return grow_trees(cell, number, turns=turns)[0]
