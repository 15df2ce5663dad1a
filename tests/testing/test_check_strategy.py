"""The kit passes on every registered strategy; every promise it checks can be broken and is then named."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from paidia.core.game import State
from paidia.core.loading.registry import Registry
from paidia.games import load
from paidia.players.definition import PHASES
from paidia.search.final_move.base import FinalMove
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.frame.parameters import Parameters
from paidia.search.mcts import Mcts
from paidia.search.playout.base import PythonPlayout
from paidia.search.playout.mast import Mast
from paidia.search.playout.nst import Nst
from paidia.search.playout.ppa import Ppa
from paidia.search.selection.base import PythonSelection
from paidia.search.selection.grave import Grave
from paidia.search.selection.ucb1 import Ucb1
from paidia.testing import check_strategy, strategies
from paidia.testing.small_games import Watched

ALL = [(registry, name) for registry in PHASES.values() for name in registry]


@pytest.mark.parametrize(("registry", "name"), ALL, ids=lambda value: value if isinstance(value, str) else "")
def test_every_registered_strategy_keeps_it(registry: Registry[Callable[..., Any]], name: str) -> None:
    check_strategy(registry[name])


@pytest.mark.parametrize(
    "make",
    [
        lambda: Mast(gibbs=True),
        lambda: Mast(decay=1.0),
        lambda: Nst(decay=0.0),
        lambda: Ppa(features=False),
        lambda: Ppa(memory=True),
        lambda: Ppa(adapt_tree=False),
        lambda: Ucb1(ties="first"),
        lambda: Grave(ties="first"),
        lambda: MostVisits(ties="first"),
    ],
)
def test_every_option_keeps_it_too(make: Callable[[], Any]) -> None:
    check_strategy(make, simulations=30)


@pytest.mark.parametrize("change", [{"T": 20.0}, {"VO": 0.5}, {"fpu": 1.0}, {"kappa": 3.0}], ids=str)
@pytest.mark.parametrize("make", [Grave, Ppa])
def test_other_parameters_keep_it_too(make: Callable[[], Any], change: dict[str, float]) -> None:
    check_strategy(make, parameters=Parameters(**change), simulations=30)


# ---------------------------------------------------------------- in plain Python


class Greedy(PythonSelection):
    """The best mean, unvisited moves first."""

    def choose(self, role: int, moves: Any, visits: Any, means: Any, node_visits: int, exploration: float) -> int:
        return int(np.argmax(np.where(visits == 0, 2.0, means)))


class Halves(PythonPlayout):
    """A move of the first half."""

    def pick(self, state: State, role: int, moves: Sequence[int], random: float) -> int:
        return int(random * (len(moves) + 1) / 2)


class Median(FinalMove):
    """The move in the middle of the order by visits."""

    options = ()

    def __init__(self) -> None:
        super().__init__()

    def choose(self, visits: Any, means: Any, random: float) -> int:
        return int(np.argsort(visits, kind="stable")[len(visits) // 2])


@pytest.mark.parametrize("make", [Greedy, Halves, Median])
def test_strategies_in_python_keep_it(make: Callable[[], Any]) -> None:
    check_strategy(make)


# ---------------------------------------------------------------- broken on purpose


class OutOfRange(Halves):
    """One too far."""

    def pick(self, state: State, role: int, moves: Sequence[int], random: float) -> int:
        return len(moves)


class Raises(Halves):
    """Raises."""

    def pick(self, state: State, role: int, moves: Sequence[int], random: float) -> int:
        raise RuntimeError("the dog ate it")


class Unseeded(Halves):
    """Its own random numbers."""

    def pick(self, state: State, role: int, moves: Sequence[int], random_number: float) -> int:
        return random.randrange(len(moves))


class Remembers(Halves):
    """Does not forget the game before."""

    def __init__(self) -> None:
        super().__init__()
        self.picks = 0

    def pick(self, state: State, role: int, moves: Sequence[int], random: float) -> int:
        self.picks += 1
        return self.picks % len(moves)


class PlaysOn(Halves):
    """Changes the state that it is shown."""

    def pick(self, state: State, role: int, moves: Sequence[int], random: float) -> int:
        if state.mover is not None:
            state.play(moves[0])
        return 0


class TooFar(Greedy):
    """One too far."""

    def choose(self, *arguments: Any) -> int:
        return len(arguments[1])


class LastGame(Greedy):
    """Prefers what it chose last, in whatever game that was."""

    last = 0

    def choose(self, *arguments: Any) -> int:
        LastGame.last += 1
        return LastGame.last % len(arguments[1])


class Undocumented(Halves):
    """Has an option."""

    options = ("speed",)


class SwallowsOptions(Halves):
    """Takes anything."""

    def __init__(self, **anything: Any) -> None:
        super().__init__()


class NeedsTheMoon(Halves):
    """Needs what nobody keeps."""

    needs = ("moon",)


class Silent(Halves):
    pass


Silent.__doc__ = None


class ListOfOptions(Halves):
    """Options in a list."""

    options = ["ties"]  # type: ignore[assignment]  # noqa: RUF012


class NothingToChoose(Median):
    """Trips over moves without visits."""

    def choose(self, visits: Any, means: Any, random: float) -> int:
        return int(np.argmax(means)) if visits.any() else -1


class Sorts(Median):
    """Changes what it is shown."""

    def choose(self, visits: Any, means: Any, random: float) -> int:
        visits.sort()
        return 0


class OwnChance(Median):
    """Its own random numbers."""

    def choose(self, visits: Any, means: Any, chance: float) -> int:
        return random.randrange(len(visits))


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (OutOfRange, r"pick\(\) returned"),
        (Raises, "step 0: RuntimeError: the dog ate it"),
        (Unseeded, "the same seed gives another tree"),
        (Remembers, "something was not forgotten"),
        (TooFar, r"choose\(\) returned"),
        (LastGame, "the same seed gives another tree"),
        (Undocumented, "'speed' is not documented"),
        (SwallowsOptions, "accepted in silence"),
        (NeedsTheMoon, "nobody keeps: moon"),
        (Silent, "no docstring"),
        (ListOfOptions, "options is a tuple"),
        (NothingToChoose, r"choose\(\) gave -1"),
        (Sorts, "changed the statistics|two answers"),
        (OwnChance, "two answers"),
        (dict, "derives from one of Selection, Playout, Backup, FinalMove"),
        (Greedy(), "give the class"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_broken_strategy_is_found(make: Any, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_strategy(make)


def test_a_playout_that_changes_its_state_is_found() -> None:
    with pytest.raises(AssertionError, match="IllegalMove"):
        check_strategy(PlaysOn, games=[Watched(load("tic-tac-toe"))])


def corrupt(**fields: Any) -> Callable[[dict[str, Any]], None]:
    def change(arrays: dict[str, Any]) -> None:
        for place, function in fields.items():
            table, field = place.split("_")
            arrays[table][field][:] = function(arrays[table][field])

    return change


class ChangedTree:
    """A tree whose arrays are not what they should be."""

    def __init__(self, tree: Any, change: Callable[[dict[str, Any]], None]) -> None:
        self.tree, self.change = tree, change

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tree, name)

    def arrays(self) -> dict[str, Any]:
        arrays = {name: array.copy() for name, array in self.tree.arrays().items()}
        self.change(arrays)
        return arrays


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (corrupt(edges_visits=lambda v: v + 1), "visits, the moves of a role"),
        (corrupt(nodes_visits=lambda v: v + 1), "visits, the moves of a role"),
        (corrupt(edges_sum=lambda s: s + 1), r"outside \[0, visits\]"),
        (corrupt(edges_sum=lambda s: -s - 1), r"outside \[0, visits\]"),
        (corrupt(edges_child=lambda c: np.where(c >= 0, c[::-1].max(), c)), "a child's key is not"),
        (corrupt(edges_move=lambda m: m[::-1]), "a node has edges"),
        (corrupt(nodes_terminal=lambda t: 1 - t), "wrong about the end"),
        (corrupt(nodes_key=lambda k: k[0]), "two nodes have one position"),
    ],
)
def test_a_tree_that_does_not_add_up_is_found(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[dict[str, Any]], None], complaint: str
) -> None:
    class Corrupted(Mcts):
        @property
        def tree(self) -> Any:  # type: ignore[override]
            return ChangedTree(Mcts.tree.__get__(self), change)  # type: ignore[attr-defined]

    monkeypatch.setattr(strategies, "Mcts", Corrupted)
    with pytest.raises(AssertionError, match=complaint):
        check_strategy(Ucb1, games=[load("tic-tac-toe")])
