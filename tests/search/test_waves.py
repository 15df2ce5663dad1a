"""Simulations in waves: random games in lanes from many leaves at once, learned from later."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest

import paidia
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.games.gdl.lanes.compile.build import build_leaves
from paidia.games.gdl.lanes.processor.engine import Engine, widths
from paidia.games.gdl.lanes.processor.leaves import LaneLeaves
from paidia.players.registry import load_agent
from paidia.players.search_player import SearchPlayer
from paidia.search.mcts import Mcts

SHEETS = ("gdl:connect4", "gdl:breakthrough", "gdl:tic-tac-toe-3d", "gdl:quad", "gdl:battle", "gdl:chinese-checkers-3")

AGENT = """
summary = "waves"
[search]
selection = "bounded"
playout = "lanes"
backup = "cadia"
final_move = "proven-mean"
[search.options]
playout = {{ most = {most}, tau = {tau} }}
selection = {{ prior = {prior} }}
[parameters]
C = 0.4
"""


@pytest.fixture
def waves(tmp_path: Path) -> Any:
    def make(*, most: int = 64, tau: float = 0.0, prior: int = 0) -> str:
        path = tmp_path / f"waves-{most}-{tau}-{prior}.toml"
        path.write_text(AGENT.format(most=most, tau=tau, prior=prior))
        return str(path)

    return make


def seated(name: str, agent: str) -> tuple[SearchPlayer, Any]:
    """A player of a game that begins, and its position."""
    game = paidia.load(name)
    player = SearchPlayer("waves", load_agent(agent))
    assert player.cannot_play(game, Budget(seconds=1.0)) is None
    state = game.initial_state()
    player.begin(game, 0, state=state, seed=1, budget=None)
    return player, state


def walked(game: Any, plies: int, seed: int) -> Any:
    """A position after some random moves, not the end of the game."""
    chance = random.Random(seed)
    state = game.initial_state()
    for _ in range(plies):
        after = state.clone()
        after.play([chance.choice(after.legal(role)) if after.legal(role) else None for role in range(game.n_roles)])
        if after.terminal:
            break
        state = after
    return state


def random_goals(state: Any, games: int, seed: int) -> list[list[float]]:
    """By role: the goals of random games, one after the other, by the rules alone."""
    chance = random.Random(seed)
    found: list[list[float]] = [[] for _ in state.game.roles]
    for _ in range(games):
        now = state.clone()
        while not now.terminal:
            now.play([chance.choice(moves) if (moves := now.legal(role)) else None for role in range(state.game.n_roles)])
        for role, goal in enumerate(now.goals):
            found[role].append(goal)
    return found


@pytest.mark.parametrize("name", SHEETS)
def test_leaves_play_as_the_rules_do(name: str) -> None:
    game = paidia.load(name)
    states = [walked(game, plies, plies) for plies in (0, 3, 6)]
    leaves = game.leaves(4)
    means = leaves.means(states, seed=5)
    for state, mean in zip(states, means, strict=True):
        for role, goals in enumerate(random_goals(state, 200, 7)):
            average = sum(goals) / len(goals)
            variance = sum((goal - average) ** 2 for goal in goals) / len(goals) + 1e-3
            assert abs(mean[role] - average) < 5 * math.sqrt(variance / 200 + variance / 256), (state, role)


def test_few_positions_have_many_lanes() -> None:
    game = paidia.load("gdl:connect4")
    leaves, state = game.leaves(256), game.initial_state()
    alone, together = leaves.means([state], seed=1)[0][0], [goals[0] for goals in leaves.means([state] * 256, seed=1)]
    assert (alone * 2048) % 1 == 0  # a mean of 1024 games, with draws
    assert all((goal * 8) % 1 == 0 for goal in together)  # of four
    assert sum(together) / 256 == pytest.approx(alone, abs=1e-12)  # the same games in the same lanes


@pytest.mark.parametrize("tau", [0.0, 0.02])
def test_words_do_not_matter(tau: float) -> None:
    game = paidia.load("gdl:breakthrough")
    states = [walked(game, plies, plies) for plies in range(8)]
    program = build_leaves(game, guided=tau > 0.0)
    engines = [Engine(program, words=words, lanes=lanes) for words, lanes in widths() if lanes <= 1024]
    found = []
    for engine in engines:
        leaves = LaneLeaves(game, engine, 8, tau=tau)
        found.append([leaves.means(states, seed=seed) for seed in (3, 4, 5)])
    assert len(engines) > 1
    assert all(each == found[0] for each in found)


def test_guided_games_learn_what_wins() -> None:
    """Who guides, guides both; but positions are told apart better by players that are less blind."""
    game = paidia.load("gdl:breakthrough")
    blind, guided = game.leaves(1), game.leaves(1, 0.03)
    state = game.initial_state()
    first = guided.means([state], seed=0)
    for seed in range(1, 20):
        last = guided.means([state], seed=seed)
    assert first != last
    assert 0.0 < last[0][0] < 1.0
    assert abs(sum(last[0]) - 1.0) < 1e-9
    assert blind.means([state], seed=4) == blind.means([state], seed=4)  # nothing is learned


def test_limit_ends_games() -> None:
    game = paidia.load("gdl:connect4")
    assert game.leaves(1).means([game.initial_state()], seed=1, limit=0) == [list(game.initial_state().goals)]


def test_time_ends_games() -> None:
    game = paidia.load("gdl:checkers")
    state, leaves = game.initial_state(), game.leaves(4)
    assert leaves.means([state], seed=1, seconds=1e-9) is None
    assert leaves.means([state], seed=1, seconds=1000.0) == leaves.means([state], seed=1)


def test_leaves_refuse_what_they_cannot_play() -> None:
    game, other = paidia.load("gdl:connect4"), paidia.load("gdl:breakthrough")
    leaves = game.leaves(2)
    with pytest.raises(BadInput, match="another game"):
        leaves.means([other.initial_state()], seed=1)
    with pytest.raises(BadInput, match="room for 1 to 2"):
        leaves.means([], seed=1)
    with pytest.raises(BadInput, match="limit"):
        leaves.means([game.initial_state()], seed=1, limit=-1)
    with pytest.raises(BadInput, match="places"):
        game.leaves(3)
    assert paidia.load("connect4").leaves(4) is None


@pytest.mark.parametrize(("tau", "prior"), [(0.0, 0), (0.05, 2)])
@pytest.mark.parametrize("name", ["gdl:connect4", "gdl:breakthrough", "gdl:battle"])
def test_waves_leave_a_tree_like_any_other(name: str, tau: float, prior: int, waves: Any) -> None:
    """Every visit that was counted before its result has one in the end."""
    game = paidia.load(name)
    agent = waves(tau=tau, prior=prior)
    found = paidia.search(game.initial_state(), agent, sims=3000, seed=2)
    again = paidia.search(game.initial_state(), agent, sims=3000, seed=2)
    assert found.simulations == 3000
    assert [(move.move, move.visits, move.mean) for move in found.moves] == [
        (move.move, move.visits, move.mean) for move in again.moves
    ]
    assert 2990 <= sum(move.visits for move in found.moves) < 3000  # those that found the root without edges chose nothing
    assert all(0.0 <= move.mean <= 1.0 for move in found.moves)


def test_waves_find_what_there_is_to_find(waves: Any) -> None:
    game = paidia.load("gdl:tic-tac-toe")
    state = game.initial_state()
    found = paidia.search(state, waves(), sims=60_000, seed=1)
    assert found.moves[0].mean == pytest.approx(0.5, abs=0.1)
    board = paidia.load("gdl:connect4")
    state = board.initial_state()
    for column in (1, 2, 1, 2, 1, 2):  # red has three above each other
        role = state.mover
        drop = next(m for m in state.legal(role) if board.move_name(role, m) == f"(drop {column})")
        state.play([drop if r == role else None for r in range(2)])
    found = paidia.search(state, waves(), sims=500, seed=1)
    assert board.move_name(0, found.move) == "(drop 1)"


def test_waves_keep_the_clock(waves: Any) -> None:
    game = paidia.load("gdl:checkers")
    found = paidia.search(game.initial_state(), waves(most=1024), time=0.3)
    assert found.simulations > 16
    assert found.seconds < 3.0  # a wave of this sheet takes a few hundredths of a second


def test_what_time_cuts_short_leaves_no_trace(waves: Any) -> None:
    """A wave that is not over in time takes its visits back, wherever the clock strikes."""
    player, state = seated("gdl:checkers", waves(most=256, tau=0.02, prior=2))
    counted = 0
    for hundredths in range(1, 16):
        counted += player.act(state, step=0, budget=Budget(seconds=hundredths / 300)).simulations
        assert player.search is not None
        visits = sum(move.visits for move in player.search.root_moves(0))
        assert counted - 16 <= visits <= counted  # those of the first wave that found the root without edges chose nothing


def test_a_slow_wave_does_not_speak_for_those_that_follow(waves: Any) -> None:
    """Once a wave has taken long, because the tree grew say, there are waves again in the next search."""
    player, state = seated("gdl:connect4", waves(most=256))
    player.act(state, step=0, budget=Budget(seconds=0.2))
    search = player.search
    assert isinstance(search, Mcts)
    before, leaves = search.wave_seconds, search.playout.leaves
    leaves.learn_pace(60.0, 60.0)
    assert search.wave_seconds == pytest.approx(2 * before)  # at most twice what was known
    for _ in range(20):
        leaves.learn_pace(60.0, 60.0)
    assert search.wave_seconds > 1000 * before
    player.act(state, step=0, budget=Budget(seconds=0.5))
    assert search.wave_seconds < 0.1


def test_where_waves_stay_slow_they_are_tried_ever_more_seldom(waves: Any) -> None:
    player, state = seated("gdl:connect4", waves(most=256))
    search = player.search
    assert isinstance(search, Mcts)
    leaves = search.playout.leaves
    tried = []
    for number in range(24):
        known = search.wave_seconds
        player.act(state, step=0, budget=Budget(seconds=0.01))
        tried.append(number) if search.wave_seconds != known else None
        for _ in range(40):
            leaves.learn_pace(60.0, 60.0)
    assert tried == [0, 1, 3, 7, 15]


@pytest.mark.parametrize(
    ("game", "change"),
    [("connect4", {}), ("vgdl:museum", {}), ("gdl:connect4", {"tree": "sequences"}), ("gdl:connect4", {"evaluation": "learned"})],
)
def test_where_no_waves_can_be_playouts_come_one_by_one(game: str, change: dict[str, str], tmp_path: Path) -> None:
    lines = AGENT.format(most=64, tau=0.02, prior=2).splitlines()
    at = lines.index("[search]") + 1
    path = tmp_path / "agent.toml"
    path.write_text("\n".join([*lines[:at], *(f'{key} = "{value}"' for key, value in change.items()), *lines[at:]]))
    found = paidia.search(paidia.load(game).initial_state(), str(path), sims=200)
    assert found.simulations == 200
    assert sum(move.visits for move in found.moves) >= 190


@pytest.mark.parametrize("agent", ["waves", "waves-uniform"])
def test_nothing_is_taken_off_for_depth(agent: str) -> None:
    """Lanes do not say how long their games were: of a discount only the way to the leaf would be left. Without one, results
    of 0, 1/2 and 1 in so many lanes make sums of whole parts.
    """
    player, state = seated("gdl:connect4", agent)
    search = player.search
    assert isinstance(search, Mcts)
    search.search(state, Budget(simulations=2000), role=0, step=0)
    sums = search.tree.arrays()["edges"]["sum"] * 2 * 1024
    assert sums.size > 1000 and (abs(sums - sums.round()) < 1e-6).all()
