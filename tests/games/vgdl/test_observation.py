"""What an agent is shown."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from paidia.core.errors import BadInput
from paidia.games.vgdl.engine.game import VgdlState
from paidia.games.vgdl.views.observation import Observation, StateObservation
from paidia.games.vgdl.views.timer import Timer

Build = Callable[..., VgdlState]

SPRITES = """avatar > ShootAvatar stype=shot healthPoints=3 rotateInPlace=False
floor > Immovable hidden=True
gem > Resource limit=4
door > Door
npc > RandomNPC stationary=True
rock > Immovable
ball > Passive
shot > Missile"""
MAPPING = "A > floor avatar\n. > floor\ng > gem\nd > door\nn > npc\nr > rock\nb > ball"
RULES = "gem avatar > collectResource scoreChange=1\nrock shot > killBoth\navatar rock > stepBack"


@pytest.fixture
def view(build: Build) -> StateObservation:
    return StateObservation(build(SPRITES, RULES, "A.gdnb\n.r..rr", MAPPING))


def places(lists: list[list[Observation]] | None) -> list[list[tuple[int, int]]] | None:
    return None if lists is None else [[seen.position for seen in one] for one in lists]


def test_the_game_and_the_avatar(view: StateObservation) -> None:
    assert (view.get_game_tick(), view.get_game_score(), view.get_game_winner()) == (0, 0.0, "NO_WINNER")
    assert view.get_available_actions() == ["USE", "LEFT", "RIGHT", "DOWN", "UP"]
    assert view.get_available_actions(include_nil=True)[-1] == "NIL"
    assert (view.get_world_dimension(), view.get_block_size()) == ((60, 20), 10)
    assert (view.get_avatar_position(), view.get_avatar_orientation(), view.get_avatar_speed()) == (
        (0, 0),
        (1, 0),
        1,
    )
    assert (view.get_avatar_type(), view.get_avatar_last_action(), view.is_avatar_alive()) == (1, "NIL", True)
    points = (
        view.get_avatar_health_points(),
        view.get_avatar_max_health_points(),
        view.get_avatar_limit_health_points(),
    )
    assert points == (3, 3, 1000)
    view.advance("RIGHT")
    view.advance("RIGHT")
    assert view.get_avatar_resources() == {3: 1} and view.get_game_score() == 1
    assert view.get_avatar_last_action() == "RIGHT"


def test_lists_by_category(view: StateObservation) -> None:
    assert places(view.get_npc_positions()) == [[(40, 0)]]
    assert places(view.get_immovable_positions()) == [[(10, 10), (40, 10), (50, 10)]]  # the floor is hidden
    assert places(view.get_movable_positions()) == [[(50, 0)]]
    assert places(view.get_resources_positions()) == [[(20, 0)]]
    assert places(view.get_portals_positions()) == [[(30, 0)]]
    assert view.get_from_avatar_sprites_positions() is None
    near = view.get_immovable_positions(reference=(50.0, 10.0))
    assert places(near) == [[(50, 10), (40, 10), (10, 10)]]
    assert near is not None and [seen.square_distance for seen in near[0]] == [0, 100, 1600]


def test_a_list_outlives_its_sprites_until_the_next_copy(view: StateObservation) -> None:
    view.advance("USE")
    assert places(view.get_from_avatar_sprites_positions()) == [[(10, 0)]]
    view.advance("RIGHT")
    view.advance("RIGHT")
    assert places(view.get_resources_positions()) == [[]]
    assert view.copy().get_resources_positions() is None


def test_the_grid_shows_what_touches_a_cell(view: StateObservation, build: Build) -> None:
    grid = view.get_observation_grid()
    assert (len(grid), len(grid[0])) == (6, 2)
    assert [seen.itype for seen in grid[0][0]] == [1] and grid[1][0] == []
    remembering = StateObservation(build(SPRITES, RULES, "A.gdnb\n.r..rr", MAPPING), grid_memory=True)
    assert [seen.itype for seen in remembering.get_observation_grid()[0][0]] == [1]
    remembering.advance("NIL")
    assert [seen.itype for seen in remembering.get_observation_grid()[0][0]] == [1, 2]  # hidden floor appears
    half = build("avatar > MovingAvatar\nm > Missile orientation=RIGHT speed=0.5", level="A  \nm  ")
    half.advance("NIL")
    half.advance("NIL")
    shown = StateObservation(half).get_observation_grid()
    assert [[len(cell) for cell in column] for column in shown] == [[1, 1], [0, 1], [0, 0]]


def test_events(view: StateObservation) -> None:
    for action in ("RIGHT", "DOWN"):
        view.advance(action)
    events = view.get_historic_events_history()
    assert [(e.tick, e.active_type, e.passive_type, e.from_avatar, e.position) for e in events] == [(1, 1, 6, False, (10, 0))]


def test_a_view_is_a_private_copy(build: Build) -> None:
    state = build(SPRITES, RULES, "A.gdnb\n.r..rr", MAPPING)
    view = StateObservation(state, seed=4)
    other = view.copy(seed=5)
    view.advance("RIGHT")
    assert (state.tick, view.get_game_tick(), other.get_game_tick()) == (0, 1, 0)


def test_after_the_end(build: Build) -> None:
    state = build(SPRITES, "avatar rock > killSprite", "A\nr", MAPPING, "SpriteCounter stype=avatar win=False")
    view = StateObservation(state)
    view.advance("DOWN")
    assert (view.is_game_over(), view.get_game_winner()) == (True, "PLAYER_LOSES")
    assert view.get_available_actions(True) == []
    assert (view.get_avatar_position(), view.get_avatar_speed()) == ((-1, -1), 0)
    assert view.get_avatar_type() == 1 and not view.is_avatar_alive()
    view.advance("UP")
    assert view.get_game_tick() == 1


def test_the_kernel_side_tells_the_same(build: Build) -> None:
    state = build(SPRITES, RULES, "A.gdnb\n.r..rr", MAPPING)
    assert state.draw() == str(state) == "@ gdnb\n r  rr"
    assert {(category, type_) for category, type_, *_ in state.seen()} == {
        (0, 1),
        (1, 3),
        (2, 4),
        (3, 5),
        (4, 6),
        (6, 7),
    }
    assert [seen[2:] for seen in state.seen(1 << 4)] == [(8, 10, 10), (11, 40, 10), (12, 50, 10)]
    for _ in range(2):
        state.advance("RIGHT")
    assert (state.resource(3), state.resource(1)) == (1, 0)
    assert state.draw() == "  @dnb\n r  rr"


def test_timer() -> None:
    timer = Timer(50)
    assert 0 <= timer.elapsed_millis() < 50 and not timer.exceeded_max_time()
    time.sleep(0.06)
    assert timer.exceeded_max_time() and timer.remaining_time_millis() < 0
    assert Timer(1000, cpu=True).remaining_time_millis() > 0
    with pytest.raises(BadInput):
        Timer(-1)
