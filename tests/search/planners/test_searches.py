"""The width searches node for node against plain Python, and what they must achieve."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.slow_width import SlowWidth
from paidia.core.arcade import ACTIONS, ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.model import Rules
from paidia.games import load_as
from paidia.games.vgdl import WORLD
from paidia.games.vgdl.compile.loading import game_from_text
from paidia.games.vgdl.engine.game import VgdlState
from paidia.match.referee import play_match
from paidia.players.registry import make_player
from paidia.search.nodes.pool import KeySet, StatePool
from paidia.search.planners.foraging.olets import Olets
from paidia.search.planners.rhea import Rhea
from paidia.search.planners.widths.breadth_first import BreadthFirst, BreadthFirstSettings
from paidia.search.planners.widths.iterated_width import IteratedWidth, WidthSettings
from paidia.search.planners.widths.two_queues import TwoQueues, TwoQueuesSettings
from paidia.search.registry import SEARCHES
from paidia.testing.stopwatch import Stopwatch

GAMES = sorted(WORLD.ids())
AGENTS = ["iw-1", "iw-3-2", "iw-2", "2bfs", "bfs-safe"]


def fast_and_slow(game: Rules, kind: str, samples: int, seed: int) -> tuple[BreadthFirst, SlowWidth]:
    if kind == "bfs":
        return BreadthFirst(game, BreadthFirstSettings(samples=samples)), SlowWidth("bfs", samples=samples, seed=seed)
    if kind == "2bfs":
        return TwoQueues(game, TwoQueuesSettings(samples=samples)), SlowWidth("2bfs", samples=samples, seed=seed)
    width = float(kind)
    level = {1.0: 1, 1.5: 2, 2.0: 3}[width]
    return (
        IteratedWidth(game, WidthSettings(width=width, samples=samples)),
        SlowWidth("iw", level=level, samples=samples, seed=seed),
    )


@pytest.mark.parametrize("kind", ["bfs", "1", "1.5", "2", "2bfs"])
@pytest.mark.parametrize("game", ["fireflies", "vault", "orchard", "comet", "gokart", "henhouse"])
def test_every_node_equals_the_oracle(game: str, kind: str) -> None:
    state = load_as(ArcadeGame, f"vgdl:{game}").initial_state(5)
    for samples in (0, 3):
        fast, slow = fast_and_slow(state.game, kind, samples, seed=7)
        fast.begin_game(7)
        here = state.copy()
        for step in range(3):
            action = slow.choose(here, 120)
            result = fast.search(here, Budget(simulations=120), step=step)
            assert fast.kept() == slow.kept()
            assert result.simulations == result.steps == slow.done
            assert ACTIONS[result.move or 0] == ACTIONS[action]
            here.random_run(3, 2)
            if here.terminal:
                break


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(GAMES), st.sampled_from(["bfs", "1", "1.5", "2bfs"]), st.integers(0, 1000), st.integers(1, 120))
def test_any_game_and_budget_equals_the_oracle(game: str, kind: str, seed: int, budget: int) -> None:
    state = load_as(ArcadeGame, f"vgdl:{game}").initial_state(seed)
    state.random_run(seed, seed % 20)
    if state.terminal:
        return
    fast, slow = fast_and_slow(state.game, kind, 10, seed=seed)
    fast.begin_game(seed)
    result = fast.search(state, Budget(simulations=budget))
    assert (result.move or 0) == slow.choose(state, budget)
    assert fast.kept() == slow.kept()


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played(game: str, agent: str) -> None:
    def play() -> tuple[list[str], list[int]]:
        rules, budget = load_as(ArcadeGame, f"vgdl:{game}"), Budget(simulations=60)
        record = play_match(rules, [make_player(agent)], seed=2, budget=budget, max_steps=6).record
        assert record.ending in ("terminal", "tick limit")
        return [action for (action,) in record.moves], [n for (n,) in record.simulations]

    actions, simulations = play()
    assert play() == (actions, simulations)
    assert max(simulations) <= 60


def level_of(text: str, level: str) -> VgdlState:
    return game_from_text(text, level.strip("\n"), rules_file="game.txt").initial_state(0)


KEY_AND_DOOR = """
BasicGame square_size=10
  SpriteSet
    floor > Immovable hidden=True
    key > Immovable
    door > Immovable
    hero >
      avatar > MovingAvatar
      bearer > MovingAvatar
    wall > Immovable
  InteractionSet
    hero wall > stepBack
    avatar key > transformTo stype=bearer killSecond=True
    avatar door > stepBack
    door bearer > killSprite scoreChange=1
  LevelMapping
    . > floor
    k > key
    d > door
  TerminationSet
    SpriteCounter stype=door limit=0 win=True
    Timeout limit=60 win=False
"""
FAR_KEY = """
wwwwwwwwwwww
wd........Aw
wwwwwwwwww.w
wk.........w
wwwwwwwwwwww
"""


def won(agent: str, state: VgdlState, budget: int, seeds: int) -> int:
    return sum(
        play_match(state.game, [make_player(agent)], seed=seed, budget=Budget(simulations=budget)).record.goals == [1.0]
        for seed in range(seeds)
    )


def test_iw_1_finds_a_key_and_a_door_that_others_do_not() -> None:
    state = level_of(KEY_AND_DOOR, FAR_KEY)  # 11 steps to the key, 20 more to the door
    assert won("iw-1", state, 600, 5) == 5
    assert won("random", state, 600, 5) == 0
    assert won("one-step", state, 600, 5) == 0


CLIFF = """
BasicGame square_size=10
  SpriteSet
    floor > Immovable hidden=True
    pit > Immovable
    coin > Immovable
    avatar > MovingAvatar
    wall > Immovable
  InteractionSet
    avatar wall > stepBack
    avatar pit > killSprite
    coin avatar > killSprite scoreChange=1
  LevelMapping
    . > floor
    p > pit
    c > coin
  TerminationSet
    SpriteCounter stype=avatar win=False
    Timeout limit=40 win=True
"""


@pytest.mark.parametrize("agent", AGENTS)
def test_an_immediate_death_is_avoided(agent: str) -> None:
    state = level_of(CLIFF, "wwwww\nwpApw\nwp.pw\nwpppw\nwwwww")
    assert won(agent, state, 50, 3) == 3
    assert won("random", state, 50, 3) == 0


def test_an_unsafe_action_is_shown_as_pruned() -> None:
    state = level_of(CLIFF, "wwwww\nwpA.w\nwwwww")
    search = BreadthFirst(state.game)
    search.begin_game(0)
    result = search.search(state, Budget(simulations=200))
    assert {ACTIONS[row.move] for row in result.moves if row.pruned} == {"LEFT"}
    assert result.notes["losses"] == {"LEFT": 10, "RIGHT": 0, "DOWN": 0, "UP": 0}


def test_2bfs_goes_for_the_reward_first() -> None:
    """The reward queue follows the coins, so that the far end of their row is reached with fewer situations."""
    state = level_of(CLIFF, "w" * 16 + "\nw..............w\nwAccccccccccccc.w\nw..............w\n" + "w" * 17)

    def coins(search: BreadthFirst) -> float:
        search.begin_game(1)
        search.search(state, Budget(simulations=60))
        return max(value for *_, value in search.kept())

    assert coins(TwoQueues(state.game)) > coins(BreadthFirst(state.game)) + 2


def test_a_small_pool_narrows_the_search_and_grows_between_ticks() -> None:
    state = load_as(ArcadeGame, "vgdl:vault").initial_state(0)

    def kept(search: BreadthFirst, ticks: int) -> list[int]:
        search.begin_game(0)
        found = []
        for step in range(ticks):
            assert search.search(state, Budget(simulations=20_000), step=step).simulations == 20_000
            found.append(len(search.kept()))
        return found

    narrow, wide = (TwoQueues(state.game, TwoQueuesSettings(samples=0, max_states=size)) for size in (50, 16384))
    assert kept(narrow, 2)[1] < kept(wide, 1)[0]
    first, second, third = kept(wide, 3)
    assert first < second < third


def test_a_pool_with_room_does_not_grow() -> None:
    state = load_as(ArcadeGame, "vgdl:vault").initial_state(0)
    pool = StatePool(state.game, limit=20, start=8)
    pool.grow(state.game)
    assert (pool.size, pool.n_vacant, pool.limit) == (8, 8, 20)


def test_a_set_of_keys() -> None:
    keys, known = KeySet(slots=256), set()
    for number in range(150):
        key = (number % 100) * 0x9E3779B97F4A7C15 % 2**64
        assert keys.insert(key) == (key not in known)
        known.add(key)
    keys.clear()
    assert keys.insert(0)
    for number in range(300):  # a full set forgets nobody but takes no more
        keys.insert(number << 40)
    assert not keys.insert(0)
    assert keys.insert(299 << 40)


@pytest.mark.parametrize(
    ("search", "table", "message"),
    [
        ("iterated-width", {"width": 3.0}, "width must be 1, 1.5 or 2, not 3"),
        ("breadth-first", {"samples": -1}, "samples must be 0 or more, not -1"),
        ("2bfs", {"max_states": 0}, "max_states must lie between 1 and"),
    ],
)
def test_wrong_settings_are_named(search: str, table: dict[str, float], message: str) -> None:
    kind = SEARCHES[search]
    with pytest.raises(BadInput, match=message):
        kind(load_as(ArcadeGame, "vgdl:vault"), kind.Settings(**table))


def test_the_time_is_kept() -> None:
    state = load_as(ArcadeGame, "vgdl:fireflies").initial_state(0)
    game = state.game
    for search in (BreadthFirst(game), IteratedWidth(game, WidthSettings(width=2.0)), TwoQueues(game), Olets(game), Rhea(game)):
        search.begin_game(0)
        took, done = [], []
        while len(took) < 4 or (len(took) < 40 and max(done) <= 20):  # a busy machine may leave nothing of so short a time
            watch = Stopwatch()
            done.append(search.search(state, Budget(seconds=0.02)).simulations)
            took.append(watch.seconds)
        assert min(took) < 0.021
        assert max(done) > 20
