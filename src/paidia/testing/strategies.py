"""`check_strategy`: what every strategy of a search phase must obey, whatever it computes.

It builds searches around the strategy, plays some games with them and looks at the trees. It cannot know
whether a formula is right; what it finds are broken promises: illegal moves, a seed that does not decide
everything, statistics that do not add up, memory of an earlier game, options that are not documented or not
refused.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.game import Game
from paidia.core.model import Rules, Situation
from paidia.games import load_as
from paidia.search.backup.base import Backup
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.evaluation.base import Evaluation
from paidia.search.final_move.base import FinalMove, RootTable
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.frame.parameters import Parameters
from paidia.search.frame.result import SearchResult
from paidia.search.mcts import STATISTICS, Mcts
from paidia.search.playout.base import Playout
from paidia.search.playout.uniform import Uniform
from paidia.search.pruning.base import Pruning
from paidia.search.repair.base import Repair
from paidia.search.root.base import RootStrategy
from paidia.search.selection.base import Selection
from paidia.search.selection.ucb1 import Ucb1
from paidia.testing.small_games import Together, Watched

__all__ = ["check_strategy"]

PHASES: dict[str, type[Any]] = {
    "selection": Selection, "playout": Playout, "backup": Backup, "final_move": FinalMove, "evaluation": Evaluation,
    "pruning": Pruning, "repair": Repair, "root": RootStrategy,
}  # fmt: skip
DEFAULTS: dict[str, Callable[[], Any]] = {
    "selection": Ucb1, "playout": Uniform, "backup": MonteCarlo, "final_move": MostVisits,
}  # fmt: skip
MOST_NODES = 100  # nodes of a tree that are compared with the rules


def check_strategy(
    make: Callable[..., Any],
    *,
    games: Sequence[Rules] | None = None,
    parameters: Parameters | None = None,
    simulations: int = 60,
    seed: int = 1,
) -> None:
    """Check a strategy; what breaks the contract raises an AssertionError that says what and where.

    Args:
        make: The class of the strategy, or a function without arguments that makes one; every search gets
            its own.
        games: What to search; a few small games if left out: turn-taking, simultaneous, of one role, one that tells its facts
            (GDL), and a video game. Those that the strategy says it cannot play are left out; one at least must remain.
        parameters: The search parameters; the defaults if left out.
        simulations: Of each search.
        seed: Of the searches.
    """
    if games is None:
        small, middle, watched = (load_as(Game, id) for id in ("tic-tac-toe", "breakthrough@5x4", "connect4@4x4"))
        abstract = [small, middle, Watched(watched), Together(1), Together(2), Together(3)]
        games = [*abstract, load_as(Game, "gdl:tic-tac-toe"), load_as(ArcadeGame, "vgdl:museum")]
    check = _Check(make, parameters or Parameters(), simulations, seed)
    check.declaration()
    refusals = {game.id: check.refusal(game) for game in games}
    check.expect(not all(refusals.values()), f"it plays none of the games: {refusals}")
    for game in games:
        if not refusals[game.id]:
            check.in_game(game)


class _Check:
    """One check in progress."""

    def __init__(self, make: Callable[..., Any], parameters: Parameters, simulations: int, seed: int) -> None:
        self.make, self.parameters, self.simulations, self.seed = make, parameters, simulations, seed
        self.place = ""

    def fail(self, what: str) -> NoReturn:
        raise AssertionError(f"{self.name}{self.place}: {what}")

    def expect(self, holds: bool, what: str) -> None:
        if not holds:
            self.fail(what)

    # ------------------------------------------------------------ the strategy itself

    def declaration(self) -> None:
        self.name = getattr(self.make, "__name__", str(self.make))
        self.expect(callable(self.make), "give the class or a function: each search needs its own strategy")
        strategy = self.make()
        phases = [phase for phase, kind in PHASES.items() if isinstance(strategy, kind)]
        bases = ", ".join(kind.__name__ for kind in PHASES.values())
        self.expect(len(phases) == 1, f"a strategy derives from one of {bases}")
        self.phase, self.kind = phases[0], type(strategy)
        self.name = self.kind.__name__
        self.expect(bool(self.kind.__doc__), "the class has no docstring")
        options = self.kind.options
        text = all(isinstance(option, str) for option in options)
        self.expect(isinstance(options, tuple) and text, f"options is a tuple of names, not {options!r}")
        documented = "\n".join(kind.__doc__ or "" for kind in self.kind.__mro__[:-1])
        for option in options:
            self.expect(f"{option}:" in documented, f"option {option!r} is not documented ('{option}: ...')")
        try:
            self.kind(no_such_option=1)
        except TypeError:
            pass
        else:
            self.fail("an unknown option is accepted in silence")
        if self.phase == "final_move":
            self.final_moves(strategy)
        else:
            unknown = set(strategy.needs) - set(STATISTICS)
            self.expect(not unknown, f"it needs statistics that nobody keeps: {', '.join(sorted(unknown))}")

    def final_moves(self, strategy: FinalMove) -> None:
        """A choice among any statistics is one of the moves, and only ties leave something to chance."""
        draw = random.Random(self.seed)
        for n in (1, 2, 5, 40):
            for most in (0, 1, 100):
                visits = np.array([draw.randint(0, most) for _ in range(n)], dtype=np.int32)
                means = np.array([draw.random() * bool(count) for count in visits])
                for chance in (0.0, 0.5, 1 - 2**-53):
                    before = visits.copy(), means.copy()
                    table, draws = _root_table(visits, means), _SameDraw(chance)
                    chosen = strategy.choose_at(table, draws)
                    inside = chosen is not None and 0 <= chosen < n
                    self.expect(inside, f"choose() gave {chosen}; there are {n} moves")
                    self.expect(chosen == strategy.choose_at(table, draws), "choose() gave two answers")
                    same = all(np.array_equal(a, b) for a, b in zip(before, (visits, means), strict=True))
                    self.expect(same, "choose() changed the statistics")

    # ------------------------------------------------------------ searches

    def build(self, game: Rules, **settings: Any) -> Mcts:
        makers = {**DEFAULTS, self.phase: self.make}
        strategies: dict[str, Any] = {phase: maker() for phase, maker in makers.items()}
        for several in {"pruning", "root"} & strategies.keys():
            strategies[several] = [strategies[several]]
        return Mcts(game, **strategies, parameters=self.parameters, **settings)

    def refusal(self, game: Rules) -> str:
        """Why the strategy cannot play a game, as it says itself."""
        strategy = self.make()
        reason: str = "" if isinstance(strategy, FinalMove) else strategy.cannot_play(game)
        return reason

    def in_game(self, game: Rules) -> None:
        for reuse in (True, False):
            self.place = f" in {game.id}{'' if reuse else ', tree not kept'}"
            first = self.play(self.build(game, reuse=reuse), self.seed)
            search = self.build(game, reuse=reuse)
            self.expect(self.play(search, self.seed) == first, "the same seed gives another tree")
            self.play(search, self.seed + 1, most=2)
            again = self.play(search, self.seed)
            message = "the same seed gives another tree after another game: something was not forgotten"
            self.expect(again == first, message)
        self.place = f" in {game.id}, max_depth 1"
        self.play(self.build(game, max_depth=1), self.seed)
        self.place = f" in {game.id}, one simulation"
        self.play(self.build(game), self.seed, simulations=1)

    def play(self, search: Mcts, seed: int, *, most: int = 6, simulations: int = 0) -> list[Any]:
        """Search through the first steps of a game; returns all that the searches found."""
        game, found = search.game, []
        self.unbounded = search.evaluation is not None and not search.evaluation.bounded
        budget = Budget(simulations=simulations or self.simulations)
        state = game.initial_state()
        draw = random.Random(self.seed)  # who is not searched for moves alike in every game
        search.begin_game(seed)
        for step in range(most):
            if state.terminal:
                break
            joint: list[int | None] = []
            for role in range(game.n_roles):
                legal = state.legal(role)
                joint.append(draw.choice(legal) if legal else None)
                if not legal or (step + role) % 2:  # where all move at once, they take turns in searching
                    continue
                kept = search.tree.n_nodes if search.reuse else 0
                key, view = state.key, [state.legal(r) for r in range(game.n_roles)]
                result = self.searched(search, state, budget, role, step)
                unchanged = state.key == key and [state.legal(r) for r in range(game.n_roles)] == view
                self.expect(unchanged, "the search changed the state it was given")
                self.result(result, legal, budget)
                most_nodes = kept + result.simulations * (1 if self.phase != "repair" else 1 + game.max_legal)
                if search.tree.sequences:  # they start with the root, and with what was prepared there
                    most_nodes += 1 + len(legal)
                few = result.nodes <= most_nodes
                self.expect(few, f"{result.nodes} nodes, but at most {most_nodes} could be made")
                self.tree(search, state)
                sizes = result.nodes, result.steps, result.depth
                found.append((result.move, result.moves, sizes, snapshot(search)))
                joint[role] = result.move
            state.play(joint)
        return found

    def searched(self, search: Mcts, state: Situation, budget: Budget, role: int, step: int) -> SearchResult:
        try:
            return search.search(state, budget, role=role, step=step)
        except Exception as error:
            what = f"step {step}: {type(error).__name__}: {error}"
            raise AssertionError(f"{self.name}{self.place}: {what}") from error

    def result(self, result: SearchResult, legal: list[int], budget: Budget) -> None:
        self.expect(result.move in legal, f"move {result.move!r} is not one of {legal}")
        listed = [row.move for row in result.moves]
        self.expect(listed == legal, "the result lists other moves than the legal ones")
        bounded = self.unbounded or all(0 <= row.mean <= 1 + 1e-9 for row in result.moves)
        self.expect(bounded, f"means lie in [0, 1]: {result.moves}")
        done, most = result.simulations, budget.simulations
        self.expect(done == most, f"{done} simulations with a budget of {most}")

    # ------------------------------------------------------------ trees

    def tree(self, search: Mcts, state: Situation) -> None:
        arrays = search.tree.arrays()
        nodes, edges = arrays["nodes"], arrays["edges"]
        keys = [int(key) for key in nodes["key"]]
        self.expect(len(set(keys)) == len(keys), "two nodes have one position")
        sums, visits = edges["sum"], edges["visits"]
        self.expect(bool((visits >= 0).all()), "an edge has a negative number of visits")
        bounded = self.unbounded or bool(((sums >= -1e-9) & (sums <= visits + 1e-9)).all())
        self.expect(bounded, "the sum of an edge's results lies outside [0, visits]")
        if "squares" in arrays:
            bounded = self.unbounded or bool((arrays["squares"] <= sums + 1e-9).all())
            self.expect(bounded, "squares of results in [0, 1] exceed the results")
        for node in nodes[nodes["first"] >= 0]:
            own = edges[node["first"] : node["first"] + node["n_edges"]]
            for role in set(own["role"].tolist()):
                total = int(own["visits"][own["role"] == role].sum())
                n = int(node["visits"])
                # Strategies that look aside count what they see at a move, not at its node.
                right = total == n if self.phase not in ("root", "repair") else total >= n
                self.expect(right, f"a node has {n} visits, the moves of a role {total}")
        if not search.game.chance:
            self.children(search, state)

    def children(self, search: Mcts, state: Situation) -> None:
        """From the root on, edges are the legal moves, and lead to the positions that the rules say."""
        arrays = search.tree.arrays()
        nodes, edges = arrays["nodes"], arrays["edges"]
        start = 0 if search.tree.sequences else search.tree.root(state)
        self.expect(start >= 0, "the searched position is not in the tree")
        waiting, seen = [(start, state.clone())], {start}
        while waiting and len(seen) <= MOST_NODES:
            at, here = waiting.pop(0)
            node = nodes[at]
            if not search.tree.sequences:
                same = int(node["key"]) == here.key
                self.expect(same, "a child's key is not that of the position its move leads to")
                right = bool(node["terminal"]) == here.terminal
                self.expect(right, "a node is wrong about the end of the game")
            if node["first"] < 0:
                continue
            own = edges[node["first"] : node["first"] + node["n_edges"]]
            for role in range(search.game.n_roles):
                moves = own["move"][own["role"] == role].tolist()
                legal = here.legal(role)
                # A sequence that no simulation has selected in knows only what was played there.
                right = moves == legal or (search.tree.sequences and set(moves) <= set(legal))
                self.expect(right, f"a node has edges {moves}, the moves are {legal}")
            for edge in own[own["child"] >= 0]:
                if (child := int(edge["child"])) not in seen:
                    seen.add(child)
                    there = here.clone()
                    there.play(int(edge["move"]))
                    waiting.append((child, there))


class _SameDraw:
    """A generator that always draws alike."""

    def __init__(self, chance: float) -> None:
        self.chance = chance

    def random(self) -> float:
        return self.chance

    def below(self, n: int) -> int:
        return int(self.chance * n)


def _root_table(visits: npt.NDArray[np.int32], means: npt.NDArray[np.float64]) -> RootTable:
    """A root of which visits and means are known, and nothing else."""
    n = len(visits)
    nothing, all_of_them, none_of_them = np.zeros(n), np.ones(n, dtype=bool), np.zeros(n, dtype=bool)
    return RootTable(
        visits=visits,
        means=means,
        node_visits=int(visits.sum()),
        K=0.0,
        amaf=np.full(n, np.nan),
        low=nothing,
        high=np.ones(n),
        open=all_of_them,
        moves=np.arange(n, dtype=np.int32),
        known=all_of_them,
        unsafe=none_of_them,
        stale=none_of_them,
        pruning=False,
        qualities=means,
        estimates=nothing,
    )


def snapshot(search: Mcts) -> tuple[Any, ...]:
    """All that a tree holds (but for handles into other tables), as plain data."""
    arrays = search.tree.arrays()
    nodes = arrays["nodes"][["key", "first", "visits", "stamp", "n_edges", "mover", "terminal"]].tolist()
    squares = arrays["squares"].tolist() if "squares" in arrays else None
    return nodes, arrays["edges"].tolist(), squares
