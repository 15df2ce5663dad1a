"""States as search uses them: independent copies, seeds that decide, right indexes, walls for nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.core.errors import BadInput
from paidia.games.vgdl.compile.loading import game_from_files, game_from_text
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.library import LIBRARY, levels_of

Build = Callable[..., VgdlState]

# Many sprites of all sorts: made, killed, transformed, pushed, leaving the world, holding resources, on
# timers.
CROWD = """BasicGame square_size=10
  SpriteSet
    floor > Immovable hidden=True
    gem > Resource limit=9
    nest > SpawnPoint stype=bug cooldown=3
    bug > RandomNPC speed=0.5
    fly > Missile orientation=RIGHT speed=0.7
    box > Passive
    egg > Flicker limit=4
    ghost > Chaser stype=avatar cooldown=2
    avatar > ShootAvatar stype=fly rotateInPlace=False
  InteractionSet
    bug wall > stepBack
    ghost bug > transformTo stype=egg
    bug fly > killBoth scoreChange=1
    box avatar ghost > bounceForward
    box wall box > undoAll
    gem avatar > collectResource scoreChange=1
    avatar wall EOS > stepBack
    avatar TIME > spawn timer=5 repeating=True stype=egg
    avatar egg > addTimer timer=4 ftype=transformToAll stype=egg stypeTo=bug
  LevelMapping
    . > floor
    g > floor gem
    n > floor nest
    b > floor bug
    x > floor box
    h > floor ghost
  TerminationSet
    Timeout limit=300 win=True
"""
CROWD_LEVEL = "wwwwwwwwww\nwA..g..n.w\nw.x.b....w\nw..xx..h.w\nw.g...b..w\nw.......nw\nwwwwwwwwww"


@pytest.fixture(scope="module")
def crowd() -> VgdlGame:
    return game_from_text(CROWD, CROWD_LEVEL)


def facts(state: VgdlState) -> tuple[object, ...]:
    return (
        state.sprites(),
        state.score,
        state.tick,
        state.winner,
        state.avatar(),
        state.events(),
        state.checksum(),
        state.key,
        state.last_action,
    )


actions = st.lists(st.sampled_from(["NIL", "UP", "LEFT", "DOWN", "RIGHT", "USE"]), max_size=60)


@settings(max_examples=60, deadline=None)
@given(actions, actions, st.integers(0, 2**63))
def test_copies_are_independent_and_the_seed_decides(crowd: VgdlGame, first: list[str], then: list[str], seed: int) -> None:
    state = crowd.initial_state(seed)
    for action in first:
        state.advance(action)
    assert state.check_index()
    before = facts(state)
    copy = state.copy()
    assert facts(copy) == before
    for action in then:
        copy.advance(action)
    assert facts(state) == before
    for action in then:
        state.advance(action)
    assert facts(state) == facts(copy)
    assert state.check_index() and copy.check_index()
    again = crowd.initial_state(seed)
    for action in [*first, *then]:
        again.advance(action)
    assert facts(again) == facts(state)


def test_different_seeds_differ(crowd: VgdlGame) -> None:
    keys = set()
    for seed in range(20):
        state = crowd.initial_state(seed)
        state.random_run(1, 50)
        keys.add(state.checksum())
    assert len(keys) > 15


def test_a_copy_with_a_new_seed_has_another_future(crowd: VgdlGame) -> None:
    state, other = crowd.initial_state(1), crowd.initial_state(1)
    other.seed(2)
    for _ in range(50):
        state.advance("NIL")
        other.advance("NIL")
    assert state.checksum() != other.checksum()


def test_both_generators_give_the_same_game_on_average() -> None:
    means = []
    for reference_generator in (True, False):
        game = game_from_text(CROWD, CROWD_LEVEL, reference_generator=reference_generator)
        total = 0
        for seed in range(400):
            state = game.initial_state(seed)
            state.random_run(seed, 60)
            total += state.counts()[game.types.index("bug")]
        means.append(total / 400)
    assert abs(means[0] - means[1]) < 1.5 and 40 < means[0] < 50


def test_the_reference_generator() -> None:
    """Known values: seed 1 makes these choices among four directions (java.util.Random, the framework's own)."""

    def bits(state: int, k: int) -> tuple[int, int]:
        state = (state * 0x5DEECE66D + 0xB) % 2**48
        return state, state >> (48 - k)

    rules = "BasicGame square_size=10\n  SpriteSet\n    r > RandomNPC\n  LevelMapping\n    r > r\n"
    rules += "  TerminationSet\n    Timeout limit=99\n"
    state = game_from_text(rules, "A" + " " * 40 + "\n" + "r".rjust(20)).initial_state(1)
    s = (1 ^ 0x5DEECE66D) % 2**48
    x, y = 190, 10
    for _ in range(50):
        s, b = bits(s, 31)
        direction = (4 * b) >> 31
        x += (0, -10, 0, 10)[direction]
        y += (-10, 0, 10, 0)[direction]
        state.advance("NIL")
        assert state.group(2)[0][1:3] == (x, y)


def test_states_grow_when_sprites_are_made() -> None:
    """The block grows with its sprites, up to the language's limit of 10000."""
    rules = CROWD.replace("box wall box > undoAll", "egg avatar > cloneSprite").replace("limit=4", "limit=99")
    rules = rules.replace("    avatar egg > addTimer timer=4 ftype=transformToAll stype=egg stypeTo=bug\n", "")
    state = game_from_text(rules, CROWD_LEVEL.replace("h", ".")).initial_state(3)
    copy = state.copy()
    for _ in range(16):  # the eggs on the avatar double in every tick
        state.advance("NIL")
    n = len(state.sprites())
    assert 10_000 <= n <= 10_001 and state.check_index()
    copy.copy_from(state)
    assert facts(copy) == facts(state) and copy.check_index()


def test_states_of_other_games_are_refused(crowd: VgdlGame) -> None:
    other = game_from_text(CROWD, CROWD_LEVEL).initial_state()
    with pytest.raises(BadInput, match="different games"):
        crowd.initial_state().copy_from(other)
    with pytest.raises(BadInput, match="no action"):
        crowd.initial_state().advance("JUMP")
    with pytest.raises(BadInput, match="sprite types"):
        crowd.initial_state().count(99)


def test_walls_take_a_bit_each() -> None:
    """A level twice as large, all of it walls, adds one bit and two bytes of index per cell to a copy, no
    record.
    """
    small = game_from_text(CROWD, CROWD_LEVEL).initial_state()
    rows = [row + "w" * 10 for row in CROWD_LEVEL.split("\n")]
    large = game_from_text(CROWD, "\n".join(rows)).initial_state()
    assert large.size - small.size <= 9 * 10 * 2 + 16


def test_events_do_not_slow_copies_down(crowd: VgdlGame) -> None:
    rules = CROWD.replace("limit=300", "limit=1500")
    state = game_from_text(rules, "wwww\nwA.w\nwwww").initial_state()
    size = state.size
    for _ in range(600):
        state.advance("LEFT")
    assert len(state.events()) == 600 and state.size <= size + 400  # the newest are in the block, the rest is shared
    copy = state.copy()
    del state
    assert [event[0] for event in copy.events()] == list(range(600))


def test_many_events_in_one_tick_are_kept_in_order() -> None:
    names = [f"t{i}" for i in range(40)]
    sprites = "".join(f"    {name} > Immovable\n" for name in reversed(names))
    rules = "".join(f"    avatar {name} > stepBack\n" for name in names)
    text = (
        f"BasicGame square_size=10\n  SpriteSet\n{sprites}  InteractionSet\n{rules}  LevelMapping\n"
        f"    s > {' '.join(names)}\n  TerminationSet\n    Timeout limit=9\n"
    )
    state = game_from_text(text.replace("stepBack", "shieldFrom stype=t0 ftype=stepBack"), "As").initial_state()
    for action in ("RIGHT", "NIL", "NIL"):
        state.advance(action)
    found = state.events()
    assert len(found) == 120 and found == sorted(found, key=lambda event: (event[0], -event[3], event[2], event[1]))


def test_equal_events_of_a_tick_are_entered_once(build: Build) -> None:
    state = build("avatar > MovingAvatar\nc > Immovable", "c avatar > killSprite\navatar c > stepBack", "Ac")
    state.play("RIGHT")
    assert [event[:4] for event in state.events()] == [(0, 1, 2, 0)]
    assert state.events()[0][4:6] == (10, 0)  # where the avatar was after the first of the two


@pytest.mark.parametrize("level", range(5))
def test_the_library_game_can_be_played(level: int) -> None:
    rules = LIBRARY / "fireflies" / "fireflies.txt"
    game = game_from_files(str(rules), str(levels_of(rules)[level]))
    winners = set()
    for seed in range(30):
        state = game.initial_state(seed)
        state.random_run(seed, 3000)
        assert state.terminal and state.check_index()
        winners.add(state.winner)
    assert 0 in winners


def test_all_reference_games_keep_their_indexes(reference: Path) -> None:
    for rules in sorted((reference / "gvgai" / "games").glob("*.txt"))[::17]:
        if "_lvl" in rules.name:
            continue
        game = game_from_files(str(rules), str(levels_of(rules)[3]), as_reference=True)
        for seed in range(3):
            state = game.initial_state(seed)
            while not state.terminal and state.tick < 300:
                state.random_run(seed + state.tick, 20)
                assert state.check_index(), rules.name
