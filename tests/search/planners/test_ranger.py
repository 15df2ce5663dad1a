"""The ranger: what it learns of health, stores and what can vanish, and that each of its parts does what it is for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.slow_planner import SlowProvisions
from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.games import load_as
from paidia.games.vgdl import WORLD
from paidia.games.vgdl.compile.loading import game_from_text
from paidia.players.registry import load_agent
from paidia.search.planners.foraging.forager import Forager, ForagerSettings
from paidia.search.planners.foraging.olets import Olets
from paidia.search.planners.foraging.ranger import Provisions, Ranger, RangerSettings

GAMES = sorted(WORLD.ids())
OFF = RangerSettings(provisions=0.0, care=0.0, far=0.0, scouts=0, flight=0, vanish=0.0, restless=0, breach=0)


def play(search: Olets, *, seed: int = 0, simulations: int = 40) -> tuple[int, float]:
    """A whole game; who won, and the score."""
    state = search.game.initial_state(seed)
    search.begin_game(seed)
    search.think_ahead(state, Budget(simulations=10 * simulations))
    while not state.terminal:
        state.play(search.search(state.clone(), Budget(simulations=simulations), step=state.tick).move or 0)
    return state.winner, state.score


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 1000))
def test_provisions_equal_the_oracle(name: str, seed: int) -> None:
    game = load_as(ArcadeGame, f"vgdl:{name}")
    fast, slow = Provisions(game), SlowProvisions(game)
    state = game.initial_state(seed)
    for run in range(5):
        expected, found = slow.map_of(state), fast.map_of(state)
        assert [pytest.approx(row, abs=1e-9) for row in expected] == found
        assert fast.needy == pytest.approx(slow.need)
        here = state.copy()
        here.seed(seed + run)
        for step in range(12):
            before = here.copy()
            here.random_run(seed * 100 + run * 20 + step, 1)
            if before.terminal or here.avatar() is None:
                break
            fast.observe(before, here)
            slow.observe(before, here)
        assert fast.wishes() == pytest.approx([slow.wish(type) for type in range(len(game.types))])
        state.random_run(seed + run, 2)
        if state.terminal or not state.alive:
            break


@pytest.mark.parametrize("name", ["fireflies", "museum"])
def test_with_everything_off_it_is_the_forager(name: str) -> None:
    state = load_as(ArcadeGame, f"vgdl:{name}").initial_state(0)
    trees = []
    for search in (Forager(state.game, ForagerSettings()), Ranger(state.game, OFF)):
        search.begin_game(1)
        search.search(state, Budget(simulations=100))
        trees.append(search.tree())
    assert trees[0] == trees[1]


DIVER = """
BasicGame square_size=10
  SpriteSet
    sky > Immovable
    sea > Immovable hidden=True
    pearl > Immovable
    reef > SpawnPoint stype=pearl prob=0.2
    avatar > MovingAvatar healthPoints=4 limitHealthPoints=8
  InteractionSet
    avatar TIME > subtractHealthPoints timer=8 repeating=True
    avatar EOS > stepBack
    avatar sky > addHealthPoints value=1
    pearl avatar > killSprite scoreChange=1
  LevelMapping
    s > sky
    . > sea
    p > reef
    A > sea avatar
  TerminationSet
    SpriteCounter stype=avatar win=False
    Timeout limit=100 win=True
"""
SEA = "\n".join(["s" * 9, *["." * 9] * 8, "....A....", ".p.p.p.p."])


def test_it_comes_up_for_air() -> None:
    """Pearls lie at the bottom; whoever only collects them drowns after 32 ticks."""
    game = game_from_text(DIVER, SEA, rules_file="diver.txt")
    assert [play(Ranger(game), seed=seed)[0] for seed in (1, 2)] == [1, 1]
    assert [play(Forager(game), seed=seed)[0] for seed in (1, 2)] == [0, 0]


GUNNER = """
BasicGame square_size=10
  SpriteSet
    floor > Immovable hidden=True
    bolt > Missile
    avatar > ShootAvatar stype=bolt
    lamp > Immovable
    pit > Immovable
    wall > Immovable
  InteractionSet
    avatar pit wall > stepBack
    bolt wall > killSprite
    lamp bolt > killBoth scoreChange=1
  LevelMapping
    . > floor
    p > pit
    l > lamp
  TerminationSet
    SpriteCounter stype=lamp win=True
    Timeout limit=12 win=False
"""


def test_it_waits_for_its_shots() -> None:
    """A lamp at the other side of a ditch, further away than a tree of 40 simulations is deep."""
    game = game_from_text(GUNNER, "wwwwwwwwwwwwww\nwApppppppppplw\nwwwwwwwwwwwwww", rules_file="gunner.txt")
    search = Ranger(game)
    search.begin_game(1)
    state = game.initial_state(0)
    state.play(4)  # turn to the right
    rows = {row.move: row.mean for row in search.search(state, Budget(simulations=60)).moves}
    assert rows[5] > max(value for move, value in rows.items() if move != 5) and rows[5] > 100  # the shot wins
    blind = Ranger(game, RangerSettings(flight=0))
    blind.begin_game(1)
    assert max(row.mean for row in blind.search(state, Budget(simulations=60)).moves) < 100


CANDLES = """
BasicGame square_size=10
  SpriteSet
    floor > Immovable hidden=True
    candle > Immovable
    avatar > MovingAvatar
    moth > RandomNPC
    wall > Immovable
  InteractionSet
    avatar wall > stepBack
    moth wall > stepBack
    candle avatar > killSprite
  LevelMapping
    . > floor
    c > candle
    m > moth
  TerminationSet
    SpriteCounter stype=candle win=True
    Timeout limit=100 win=False
"""
EMPTY = ["w..............w"] * 3
HALL = "\n".join(["w" * 16, "wc............cw", *EMPTY, "w......A......mw", *EMPTY, "wc............cw", "w" * 16])


def test_it_clears_away_what_can_vanish() -> None:
    """Four candles in the corners, no points for any of them."""
    game = game_from_text(CANDLES, HALL, rules_file="candles.txt")
    assert play(Ranger(game, RangerSettings(idle=5)), simulations=60)[0] == 1
    assert play(Ranger(game, RangerSettings(vanish=0.0)), simulations=60)[0] == 0


# Ants go straight for the sugar, and earth is in their way. Who digs loses points, and wins once all ants have eaten.
ANTS = """
BasicGame square_size=10
  SpriteSet
    floor > Immovable hidden=True
    spade > Flicker limit=1 singleton=True
    sugar > Immovable
    avatar > ShootAvatar stype=spade
    ant > Chaser stype=sugar cooldown=2
    earth > Immovable
  InteractionSet
    avatar earth EOS > stepBack
    ant earth EOS > stepBack
    earth spade > killSprite scoreChange=-1
    ant sugar > killSprite scoreChange=2
  LevelMapping
    . > floor
    s > sugar
    a > ant
    w > earth
  TerminationSet
    SpriteCounter stype=ant win=True
    Timeout limit=400 win=False
"""
NEST = "wwwwwwwwwwwwww\nwA...........w\nw.........wwww\nwa..w.....w.sw\nwwwwwwwwwwwwww"


def test_it_clears_the_way_for_others_at_a_loss() -> None:
    game = game_from_text(ANTS, NEST, rules_file="ants.txt")
    won, score = play(Ranger(game, RangerSettings(idle=10, breach=20)), simulations=60)
    assert won == 1 and score < 2
    assert play(Ranger(game, RangerSettings(idle=10, breach=0)), simulations=60)[0] == 0


def test_scouts_meet_what_a_tree_does_not_reach() -> None:
    game = game_from_text(DIVER, SEA, rules_file="diver.txt")
    sky = game.types.index("sky")
    learned = []
    for scouts in (4, 0):
        search = Ranger(game, RangerSettings(scouts=scouts))
        search.begin_game(1)
        for step in range(3):
            search.search(game.initial_state(0), Budget(simulations=60), step=step)
        learned.append(search.meetings()[sky])
    assert learned[0] > 0 == learned[1]


def test_what_is_far_away_counts() -> None:
    game = game_from_text(CANDLES, "w" * 40 + "\nwA" + "." * 36 + "cw\n" + "w" * 40, rules_file="candles.txt")
    state = game.initial_state(0)
    near, far = Provisions(game), Provisions(game)
    for each, least in ((near, 0.0), (far, 1.0)):
        each.least = least
        here = state.copy()
        for _ in range(37):  # once there, it is known
            before = here.copy()
            here.play(4)
            each.observe(before, here)
    a, b = near.map_of(state)[1], far.map_of(state)[1]
    assert 0 < a[7] < 0.7 and b[7] == pytest.approx(1.0)


def test_settings_and_the_preset() -> None:
    with pytest.raises(BadInput, match="far lies between 0 and 1"):
        Ranger(load_as(ArcadeGame, "vgdl:vault"), RangerSettings(far=2.0))
    with pytest.raises(BadInput, match="0 or more"):
        Ranger(load_as(ArcadeGame, "vgdl:vault"), RangerSettings(scouts=-1))
    preset, own = load_agent("hybrid-ranger").planner, RangerSettings()
    parts = ("provisions", "care", "far", "scouts", "flight", "vanish", "restless", "breach")
    assert all(preset[name] == getattr(own, name) for name in parts)
