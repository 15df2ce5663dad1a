"""The kit passes on every preset agent, and every promise it checks can be broken and is then named."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from paidia.core.budget import Budget
from paidia.core.game import Game, State
from paidia.core.player import Decision, Player
from paidia.games import load, load_as
from paidia.players.registry import agent_ids, load_agent, make_player
from paidia.testing import check_player

#: Learning a policy first takes long; a few playouts show the same behaviour.
QUICK: dict[str, dict[str, Any]] = {"ppafm-learned": {"playout.learned": 50}}

ABSTRACT = [id for id in agent_ids() if load_agent(id).world in ("abstract", "any")]


@pytest.mark.parametrize("id", ABSTRACT)
def test_every_preset_keeps_the_contract(id: str) -> None:
    # who needs facts, or a game of one role without chance
    home = dict.fromkeys(("nmcs", "nrpa", "constrained", "explorer"), "gdl:eight-puzzle")
    home |= dict.fromkeys(("past", "fast", "cut-solver", "waves", "waves-uniform"), "gdl:tic-tac-toe")
    games = [load_as(Game, home[id])] if id in home else None
    check_player(lambda: make_player(id, settings=QUICK.get(id)), games=games)


def test_pondering_and_a_kept_tree_keep_it() -> None:
    check_player(lambda: make_player("grave", settings={"ponder": True, "reuse": True}))


class Good(Player):
    """Draws its moves."""

    name = "good"

    def begin(self, game: Game, role: int, *, state: State, seed: int, budget: Budget | None) -> None:
        self.game, self.role = game, role
        self.random = random.Random(seed)

    def act(self, state: State, *, step: int, budget: Budget) -> Decision:
        legal = state.legal(self.role)
        move = self.random.choice(legal) if legal else None
        return Decision(move, simulations=budget.simulations, value=0.5)


def test_a_player_in_python_keeps_it() -> None:
    check_player(Good)


class Nameless(Good):
    name = ""


class Illegal(Good):
    def act(self, state: State, *, step: int, budget: Budget) -> Decision:
        return Decision(self.game.n_moves)


class Float(Good):
    def act(self, state: State, *, step: int, budget: Budget) -> Decision:
        legal = state.legal(self.role)
        return Decision(float(legal[0]) if legal else None)  # type: ignore[arg-type]


class Passes(Good):
    def act(self, state: State, *, step: int, budget: Budget) -> Decision:
        return Decision(None)


class Bare(Good):
    def act(self, state: State, *, step: int, budget: Budget) -> Decision:
        legal = state.legal(self.role)
        return legal[0] if legal else None  # type: ignore[return-value]


class TriesOut(Good):
    def act(self, state: State, *, step: int, budget: Budget) -> Decision:
        decision = super().act(state, step=step, budget=budget)
        if decision.move is not None and state.mover is not None:
            state.play(decision.move)
        return decision


class Unseeded(Good):
    def begin(self, game: Game, role: int, *, state: State, seed: int, budget: Budget | None) -> None:
        super().begin(game, role, state=state, seed=seed, budget=budget)
        self.random = random.Random()


class Remembers(Good):
    def begin(self, game: Game, role: int, *, state: State, seed: int, budget: Budget | None) -> None:
        self.game, self.role = game, role
        self.random = getattr(self, "random", random.Random(seed))


class OnlyOnce(Good):
    def begin(self, game: Game, role: int, *, state: State, seed: int, budget: Budget | None) -> None:
        if hasattr(self, "game"):
            raise RuntimeError("not again")
        super().begin(game, role, state=state, seed=seed, budget=budget)


class OnlyFirst(Good):
    def act(self, state: State, *, step: int, budget: Budget) -> Decision:
        if self.role:
            raise RuntimeError("I always play first")
        return super().act(state, step=step, budget=budget)


class NoGoodbye(Good):
    def end(self, goals: list[float], *, score: float | None = None) -> None:
        raise RuntimeError("not over yet")


class Thinks(Good):
    def act(self, state: State, *, step: int, budget: Budget) -> Decision:
        return Decision(super().act(state, step=step, budget=budget).move, simulations=budget.simulations + 1)


class Boasts(Good):
    def act(self, state: State, *, step: int, budget: Budget) -> Decision:
        return Decision(super().act(state, step=step, budget=budget).move, simulations="many")  # type: ignore[arg-type]


class Certain(Good):
    def act(self, state: State, *, step: int, budget: Budget) -> Decision:
        return Decision(super().act(state, step=step, budget=budget).move, value=100.0)


class Slow(Good):
    def act(self, state: State, *, step: int, budget: Budget) -> Decision:
        time.sleep(3 * budget.seconds)
        return super().act(state, step=step, budget=budget)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (Nameless, "its name is ''"),
        (Illegal, "good as x in tic-tac-toe, step 0: move 9 is not legal"),
        (Float, "is not legal"),
        (Passes, "no move, although 9 are legal"),
        (Bare, "instead of a Decision"),
        (TriesOut, "changed the state"),
        (Unseeded, "the same seed gave other moves"),
        (Remembers, "it did not forget all"),
        (OnlyOnce, r"begin\(\) raised RuntimeError: not again"),
        (OnlyFirst, r"act\(\) raised RuntimeError: I always play first"),
        (NoGoodbye, r"end\(\) raised RuntimeError: not over yet"),
        (Thinks, "31 simulations with a budget of 30"),
        (Boasts, "'many' is no number"),
        (Certain, r"100.0, outside \[0, 1\]"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_broken_player_is_found(make: Callable[[], Player], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_player(make, seconds=0)


def test_a_slow_player_is_found() -> None:
    with pytest.raises(AssertionError, match=r"with 0.05 s: a move took 0.\d\d s"):
        check_player(Slow, games=[load("tic-tac-toe")], seconds=0.05, margin=0.05)


def test_a_player_that_cannot_be_repeated_is_spared_that_check() -> None:
    check_player(Unseeded, repeatable=False)
