"""Nested Monte-Carlo search and nested rollout policy adaptation against slow versions, playout for playout."""

from __future__ import annotations

import pytest

from oracles.small_games import CountdownGame
from oracles.splitmix import SplitMix
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game, State
from paidia.core.machine.maths import portable_exp
from paidia.core.seeds import spawn
from paidia.games import load
from paidia.search.planners.lines.nested_monte_carlo import NestedMonteCarlo, NestedMonteCarloSettings
from paidia.search.planners.lines.nested_rollout_policy import NestedRolloutPolicy, NestedRolloutPolicySettings
from paidia.testing import check_search

Line = tuple[float, list[int]]


class TimeUp(Exception):
    """No simulation left."""


class Slow:
    """What both share: a budget of playouts, and the best line so far."""

    def __init__(self, root: State, seed: int, simulations: int) -> None:
        self.root, self.rng, self.left = root, SplitMix(spawn(seed, 0)), simulations
        self.best: Line = (-1.0, [])
        self.visits: dict[int, int] = dict.fromkeys(root.legal(0), 0)

    def run(self) -> Line:
        try:
            while True:
                self.once()
        except TimeUp:
            return self.best

    def once(self) -> None:
        raise NotImplementedError

    def spend(self) -> None:
        if self.left == 0:
            raise TimeUp
        self.left -= 1

    def offer(self, line: Line) -> None:
        """A complete line from the root."""
        self.visits[line[1][0]] += 1
        if line[0] > self.best[0]:
            self.best = line


class SlowNested(Slow):
    """Cazenave 2009, figure 2."""

    level = 2

    def once(self) -> None:
        self.nest(self.root.clone(), self.level, [])

    def nest(self, state: State, level: int, before: list[int]) -> Line:
        """The best line from a state; `before` are the moves from the root to it."""
        if level == 0 or state.terminal:
            self.spend()
            moves = []
            while not state.terminal:
                legal = state.legal(0)
                moves.append(legal[self.rng.below(len(legal))] if len(legal) > 1 else legal[0])
                state.play(moves[-1])
            self.offer((state.goals[0], before + moves))
            return state.goals[0], moves
        best: Line = (-1.0, [])
        played: list[int] = []
        while not state.terminal:
            for move in state.legal(0):
                after = state.clone()
                after.play(move)
                value, rest = self.nest(after, level - 1, [*before, *played, move])
                if value > best[0]:
                    best = value, [*played, move, *rest]
            played.append(best[1][len(played)])
            state.play(played[-1])
        return best


class SlowPolicy(Slow):
    """Rosin 2011, algorithm 1 and the adaptation below it."""

    level, iterations, alpha = 2, 10, 1.0

    def once(self) -> None:
        """Of a search of the highest level the last of the best lines counts; of several searches the first."""
        line = self.nest(self.level, {})
        if line[0] > self.best[0]:
            self.best = line
        if self.left == 0:
            raise TimeUp

    def offer(self, line: Line) -> None:
        self.visits[line[1][0]] += 1

    def weights(self, state: State, policy: dict[int, float]) -> list[float]:
        return [portable_exp(policy.get(code, 0.0)) for code in state.codes(0)]

    def nest(self, level: int, policy: dict[int, float]) -> Line:
        if level == 0:
            self.left -= 1
            state, moves = self.root.clone(), []
            while not state.terminal:
                powers = self.weights(state, policy)
                rest = self.rng.double() * sum(powers)
                i = 0
                while i < len(powers) - 1 and rest >= powers[i]:
                    rest -= powers[i]
                    i += 1
                moves.append(state.legal(0)[i])
                state.play(moves[-1])
            self.offer((state.goals[0], moves))
            return state.goals[0], moves
        best: Line = (-1.0, [])
        for _ in range(self.iterations):
            if self.left == 0:
                break
            line = self.nest(level - 1, dict(policy))
            if line[0] >= best[0]:
                best = line
            policy = self.adapt(policy, best[1])
        return best

    def adapt(self, policy: dict[int, float], moves: list[int]) -> dict[int, float]:
        fresh, state = dict(policy), self.root.clone()
        for move in moves:
            powers = self.weights(state, policy)
            total = sum(powers)
            for legal, code, power in zip(state.legal(0), state.codes(0), powers, strict=True):
                fresh[code] = fresh.get(code, 0.0) - self.alpha * power / total
                if legal == move:
                    fresh[code] += self.alpha
            state.play(move)
        return fresh


def games() -> list[Game]:
    return [CountdownGame(1), load("gdl:eight-puzzle")]


@pytest.mark.parametrize("game", games(), ids=lambda g: g.id)
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("simulations", [1, 7, 60])
def test_nested_monte_carlo(game: Game, level: int, simulations: int) -> None:
    search = NestedMonteCarlo(game, NestedMonteCarloSettings(level=level))
    search.begin_game(4)
    result = search.search(game.initial_state(), Budget(simulations=simulations))
    slow = SlowNested(game.initial_state(), 4, simulations)
    slow.level = level
    value, moves = slow.run()
    assert result.simulations == simulations
    assert result.notes["line"] == [game.move_name(0, move) for move in moves]
    assert result.notes["worth"] == value and result.move == moves[0]
    assert {row.move: row.visits for row in result.moves} == slow.visits


@pytest.mark.parametrize("game", games(), ids=lambda g: g.id)
@pytest.mark.parametrize(("level", "iterations"), [(1, 20), (2, 5), (3, 3)])
@pytest.mark.parametrize("simulations", [1, 9, 50])
def test_nested_rollout_policy(game: Game, level: int, iterations: int, simulations: int) -> None:
    search = NestedRolloutPolicy(game, NestedRolloutPolicySettings(level=level, iterations=iterations, alpha=0.7))
    search.begin_game(6)
    result = search.search(game.initial_state(), Budget(simulations=simulations))
    slow = SlowPolicy(game.initial_state(), 6, simulations)
    slow.level, slow.iterations, slow.alpha = level, iterations, 0.7
    value, moves = slow.run()
    assert result.notes["line"] == [game.move_name(0, move) for move in moves]
    assert result.notes["worth"] == value
    assert {row.move: row.visits for row in result.moves} == slow.visits


@pytest.mark.parametrize("kind", [NestedMonteCarlo, NestedRolloutPolicy])
def test_a_line_is_played_to_its_end(kind: type[NestedMonteCarlo]) -> None:
    """What was found once is reached, however little the later searches find."""
    game = load("gdl:eight-puzzle")
    search = kind(game)
    search.begin_game(1)
    state = game.initial_state()
    result = search.search(state, Budget(simulations=400))
    worth = result.notes["worth"]
    step = 0
    while not state.terminal:
        state.play(result.move)
        step += 1
        if not state.terminal:
            result = search.search(state, Budget(simulations=1), step=step)
            assert result.notes["worth"] >= worth
    assert state.goals[0] >= worth


@pytest.mark.parametrize("kind", [NestedMonteCarlo, NestedRolloutPolicy])
def test_what_they_cannot_play_is_refused(kind: type[NestedMonteCarlo]) -> None:
    for game in ("tic-tac-toe", "vgdl:museum"):
        with pytest.raises(BadInput, match="it plays games"):
            kind(load(game))
    with pytest.raises(BadInput, match="level must lie"):
        kind(load("gdl:eight-puzzle"), kind.Settings(level=0))


@pytest.mark.parametrize("kind", [NestedMonteCarlo, NestedRolloutPolicy])
def test_they_keep_the_kit(kind: type[NestedMonteCarlo]) -> None:
    check_search(lambda game: kind(game), games=[load("gdl:eight-puzzle")])
