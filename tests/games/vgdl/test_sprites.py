"""What every class of sprites and avatars does in a tick."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from paidia.games.vgdl.engine.game import VgdlState

Build = Callable[..., VgdlState]
Where = Callable[[VgdlState, str], list[tuple[int, int]]]


def run(state: VgdlState, *actions: str) -> VgdlState:
    for action in actions:
        state.play(action)
    return state


def facing(state: VgdlState) -> tuple[float, float]:
    avatar = state.avatar()
    assert avatar is not None
    return avatar[1]


# ---------------------------------------------------------------------------- avatars


@pytest.mark.parametrize(
    ("cls", "actions"),
    [
        ("MovingAvatar", "LEFT RIGHT DOWN UP"),
        ("HorizontalAvatar", "LEFT RIGHT"),
        ("VerticalAvatar", "UP DOWN"),
        ("NullAvatar", ""),
        ("FlakAvatar", "USE LEFT RIGHT"),
        ("OrientedAvatar", "LEFT RIGHT DOWN UP"),
        ("ShootAvatar", "USE LEFT RIGHT DOWN UP"),
        ("ShootOnlyAvatar", "LEFT UP RIGHT DOWN USE"),
        ("OngoingAvatar", "LEFT RIGHT DOWN UP"),
        ("OngoingTurningAvatar", "LEFT RIGHT DOWN UP"),
        ("OngoingShootAvatar", "USE LEFT RIGHT DOWN UP"),
        ("MissileAvatar", "LEFT RIGHT DOWN UP"),
        ("PlatformerAvatar", "LEFT RIGHT USE"),
        ("BirdAvatar", "USE"),
        ("AimedAvatar", "USE DOWN UP"),
    ],
)
def test_action_lists(build: Build, cls: str, actions: str) -> None:
    assert build(f"avatar > {cls}").actions == actions.split()


def test_a_moving_avatar_moves_and_unlisted_actions_do_nothing(build: Build, where: Where) -> None:
    state = build("avatar > MovingAvatar", level="   \n A \n   ")
    assert where(run(state, "UP"), "avatar") == [(10, 0)]
    assert where(run(state, "USE"), "avatar") == [(10, 0)]
    assert where(run(state, "LEFT", "DOWN"), "avatar") == [(0, 10)]
    assert facing(state) == (0, 0)
    flat = build("avatar > HorizontalAvatar", level="   \n A \n   ")
    assert where(run(flat, "UP"), "avatar") == [(10, 10)]
    flat.advance("UP")  # the forward model does not check
    assert where(flat, "avatar") == [(10, 0)]


def test_speed_and_cooldown(build: Build, where: Where) -> None:
    state = build("avatar > MovingAvatar speed=0.55 cooldown=2", level="A    ")
    assert where(run(state, "RIGHT"), "avatar") == [(0, 0)]
    assert where(run(state, "RIGHT"), "avatar") == [(5, 0)]
    assert where(run(state, "RIGHT"), "avatar") == [(5, 0)]


def test_an_oriented_avatar_turns_first(build: Build, where: Where) -> None:
    state = build("avatar > OrientedAvatar", level="A  \n   ")
    assert facing(state) == (1, 0)
    run(state, "DOWN")
    assert (where(state, "avatar"), facing(state)) == ([(0, 0)], (0, 1))
    assert where(run(state, "DOWN"), "avatar") == [(0, 10)]
    quick = build("avatar > OrientedAvatar rotateInPlace=False", level="A  \n   ")
    run(quick, "DOWN")
    assert (where(quick, "avatar"), facing(quick)) == ([(0, 10)], (0, 1))


def test_a_shot_flies_ahead_and_costs_ammunition(build: Build, where: Where) -> None:
    sprites = "avatar > ShootAvatar stype=arrow ammo=quiver\n"
    sprites += "arrow > Missile singleton=True\nquiver > Resource limit=5"
    state = build(
        sprites,
        "avatar quiver > changeResource resource=quiver value=2 killResource=True",
        "A  q ",
        "q > quiver",
    )
    run(state, "USE")
    assert where(state, "arrow") == []  # nothing to shoot with
    run(state, "RIGHT", "RIGHT", "RIGHT")
    assert state.avatar()[5] == {3: 2}  # type: ignore[index]
    run(state, "USE")
    assert where(state, "arrow") == [(40, 0)]  # first update: stays where it was made
    run(state, "USE")
    assert where(state, "arrow") == [(50, 0)]  # a second one may not exist, and costs nothing
    assert state.avatar()[5] == {3: 1}  # type: ignore[index]
    assert [seen[0] for seen in state.seen() if seen[1] == 2] == [5]  # from the avatar


def test_flak_is_dropped_in_place(build: Build, where: Where) -> None:
    state = build("avatar > FlakAvatar stype=bomb\nbomb > Missile orientation=UP", level="  \nA \n")
    run(state, "USE")
    assert where(state, "bomb") == [(0, 10)]
    assert where(run(state, "RIGHT"), "bomb") == [(0, 0)]


def test_ongoing_avatars_keep_moving(build: Build, where: Where) -> None:
    state = build("avatar > OngoingAvatar", level="A    \n     ")
    assert where(run(state, "NIL"), "avatar") == [(0, 0)]
    assert where(run(state, "NIL", "DOWN"), "avatar") == [(10, 10)]
    turning = build("avatar > OngoingTurningAvatar spawnBehind=trail\ntrail > Immovable", level="A    \n     ")
    run(turning, "NIL", "NIL", "LEFT")  # it cannot turn back
    assert where(turning, "avatar") == [(20, 0)] and where(turning, "trail") == [(0, 0), (10, 0)]
    missile = build("avatar > MissileAvatar orientation=RIGHT", level="A    \n     ")
    assert where(run(missile, "DOWN", "DOWN"), "avatar") == [(10, 0)]


def test_a_shoot_only_avatar_picks_a_weapon_by_action(build: Build, where: Where) -> None:
    state = build("avatar > ShootOnlyAvatar stype=b,c\nb > Passive\nc > Passive", level="A  ")
    run(state, "UP", "USE")
    assert where(state, "c") == [(10, 0)] and where(state, "b") == [] and where(state, "avatar") == [(0, 0)]
    assert where(run(state, "LEFT"), "b") == [(10, 0)]


def test_only_the_first_avatar_stays(build: Build, where: Where) -> None:
    state = build("avatar > MovingAvatar\nb > Passive", level="A A b")
    assert where(state, "avatar") == [(0, 0)]
    assert state.group(2)[0][0] == 2  # but the second one had a number


# ---------------------------------------------------------------------------- things


def test_missiles_wait_a_tick_and_then_fly(build: Build, where: Where) -> None:
    state = build("avatar > MovingAvatar\nm > Missile orientation=RIGHT speed=0.25\nn > Missile", level="A\nm\nn")
    xs = []
    for _ in range(4):
        run(state, "NIL")
        xs.append(where(state, "m")[0][0])
    assert xs == [0, 2, 4, 6]  # 2.5 pixels are cut to 2
    assert where(state, "n") == [(0, 20)]  # no orientation, no movement


def test_a_flicker_dies_in_its_update_number_limit_plus_two(build: Build, where: Where) -> None:
    state = build("avatar > MovingAvatar\nf > Flicker limit=3", level="Af")
    assert [len(where(run(state, "NIL"), "f")) for _ in range(6)] == [1, 1, 1, 1, 0, 0]


def test_time_to_live(build: Build, where: Where) -> None:
    state = build("avatar > MovingAvatar\np > Passive timeToLive=2", level="Ap")
    assert [len(where(run(state, "NIL"), "p")) for _ in range(4)] == [1, 1, 0, 0]


def test_a_spreader_spreads_on_its_second_update(build: Build, where: Where) -> None:
    sprites = "avatar > MovingAvatar\ns > Spreader limit=9 stype=t\nt > Immovable"
    state = build(sprites, level="A    \n  s  \n     ")
    assert where(run(state, "NIL"), "t") == []
    assert where(run(state, "NIL"), "t") == [(20, 0), (10, 10), (20, 20), (30, 10)]  # up, left, down, right


def test_spawn_points_follow_their_clock(build: Build, where: Where) -> None:
    sprites = "avatar > MovingAvatar\ns > SpawnPoint stype=m cooldown=3 total=2 orientation=LEFT\nm > Missile"
    state = build(sprites, level="A   s")
    born = []
    for _ in range(8):
        run(state, "NIL")
        born.append(len(where(state, "m")))
    assert born == [1, 1, 1, 2, 2, 2, 2, 2]
    assert where(state, "s") == []  # two were made, so it left
    assert where(state, "m")[0][0] < 40  # they took its orientation over


def test_bombers_move_and_spawn_where_they_were(build: Build, where: Where) -> None:
    state = build("avatar > MovingAvatar\nb > Bomber stype=p speed=1\np > Passive", level="A\nb     ")
    run(state, "NIL", "NIL", "NIL")
    assert where(state, "b") == [(20, 10)] and where(state, "p") == [(0, 10), (0, 10), (10, 10)]


def test_producers_of_several_kinds(build: Build, where: Where) -> None:
    sprites = "avatar > MovingAvatar\ns > SpawnPointMultiSprite stypes=p,q\np > Passive\nq > Passive"
    state = run(build(sprites, level="As"), "NIL")
    assert where(state, "p") == where(state, "q") == [(10, 0)]
    sprites = "avatar > MovingAvatar\nb > BomberRandomMissile stypeMissile=p,q\np > Passive\nq > Passive"
    state = run(build(sprites, level="Ab"), *["NIL"] * 40)
    n = len(where(state, "p"))
    assert 5 < n < 35 and n + len(where(state, "q")) == 40


def test_random_walkers(build: Build, where: Where) -> None:
    state = build("avatar > MovingAvatar\nr > RandomNPC cons=2", level="A" + " " * 9 + "\n" + "     r    \n" * 9)
    start = where(state, "r")
    assert where(run(state, "NIL", "NIL"), "r") == start  # the first `cons` moves are none
    before = where(run(state, "NIL"), "r")
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in zip(start, before, strict=True)}
    assert steps <= {(0, -10), (-10, 0), (0, 10), (10, 0)} and len(steps) > 1
    after = where(run(state, "NIL"), "r")
    assert all((c[0] - b[0], c[1] - b[1]) == (b[0] - a[0], b[1] - a[1]) for a, b, c in zip(start, before, after, strict=True))
    wild = build("avatar > MovingAvatar\nm > RandomMissile", level="A  \n m ")
    run(wild, "NIL", "NIL")
    assert where(wild, "m")[0] in [(10, 0), (0, 10), (10, 20), (20, 10)]


def test_random_bombers(build: Build, where: Where) -> None:
    state = build("avatar > MovingAvatar\nb > RandomBomber stype=p prob=0 speed=1\np > Passive", level="A  \n   \n  b")
    run(state, "NIL")
    assert where(state, "b")[0] in [(20, 10), (10, 20), (20, 30), (30, 20)] and where(state, "p") == []


def test_chasers_come_and_fleers_go(build: Build, where: Where) -> None:
    state = build("avatar > MovingAvatar\nc > Chaser stype=avatar", level="A   c")
    assert where(run(state, "NIL", "NIL"), "c") == [(20, 0)]
    state = build("avatar > MovingAvatar\nf > Fleeing stype=avatar", level=" Af   \n" + " " * 6)
    x, y = where(run(state, "NIL", "NIL", "NIL"), "f")[0]
    assert abs(x - 10) + abs(y) == 40


def test_a_chaser_sees_only_so_far(build: Build, where: Where) -> None:
    far = build("avatar > MovingAvatar\nc > Chaser stype=avatar maxDistance=20 cons=9", level="A   c")
    assert where(run(far, "NIL", "NIL"), "c") == [(40, 0)]  # too far: a random walker, still in its pause
    near = build("avatar > MovingAvatar\nc > Chaser stype=avatar maxDistance=40 cons=9", level="A   c")
    assert where(run(near, "NIL"), "c") == [(30, 0)]


def test_a_line_of_sight_chaser_is_blind_before_its_first_step(build: Build, where: Where) -> None:
    state = build("avatar > MovingAvatar\nc > LOSChaser stype=avatar cons=3", level="A   c")
    assert where(run(state, "NIL", "NIL", "NIL"), "c") == [(40, 0)]


def test_alternate_chasers_chase_the_first_list(build: Build, where: Where) -> None:
    state = build("avatar > MovingAvatar\nc > AlternateChaser stype1=avatar stype2=avatar", level="A   c")
    assert where(run(state, "NIL", "NIL"), "c") == [(20, 0)]
    state = build("avatar > MovingAvatar\nc > RandomAltChaser stype1=avatar stype2=avatar", level="A   c")
    assert where(run(state, "NIL", "NIL"), "c") == [(20, 0)]


@pytest.mark.parametrize("cls", ["PathChaser stype=avatar", "PathAltChaser stype1=avatar", "RandomPathAltChaser stype1=avatar"])
def test_path_chasers_go_around_walls(build: Build, where: Where, cls: str) -> None:
    level = "A w c\n  w  \n     "
    state = build(f"avatar > MovingAvatar\nc > {cls}\nwall > Immovable", "", level, settings="obs=wall")
    way = [where(run(state, "NIL"), "c")[0] for _ in range(8)]
    assert len(set(way)) == 8 and way[-1] == (0, 0)
    assert not {(20, 0), (20, 10)} & set(way)


def test_static_things_stay(build: Build, where: Where) -> None:
    sprites = "avatar > MovingAvatar\n" + "\n".join(
        f"{name[0].lower()} > {name}{' stype=i' if name == 'Portal' else ''}"
        for name in ("Immovable", "Door", "Resource", "Conveyor", "Portal")
    )
    state = build(sprites, level="Aidrcp")
    before = state.sprites()
    run(state, *["NIL"] * 5)
    assert state.sprites() == before
    assert sum(fixture for *_, fixture in before) == 5


def test_a_singleton_group_has_one_member(build: Build, where: Where) -> None:
    sprites = "avatar > ShootAvatar stype=b\ng > singleton=True\n  b > Passive\n  c > Passive"
    state = build(sprites, level="A   c", mapping="c > c")
    assert where(run(state, "USE"), "b") == []


# ---------------------------------------------------------------------------- continuous physics


def test_gravity_pulls_and_walls_stop(build: Build, where: Where) -> None:
    sprites = "avatar > MovingAvatar\np > Passive physicstype=CONT gravity=1\nwall > Immovable"
    level = "A p\n   \n   \n   \nwww"
    state = build(sprites, "p wall > wallStop", level)
    ys = []
    for _ in range(30):
        run(state, "NIL")
        ys.append(where(state, "p")[0][1])
    assert ys[0] == 0 and ys == sorted(ys) and ys[-1] == 30
    falls = [b - a for a, b in itertools.pairwise(ys) if b > a]
    assert falls[:4] == [1, 2, 3, 4]


def test_a_platformer_jumps_only_from_solid_ground(build: Build, where: Where) -> None:
    def jumps(solid: str) -> bool:
        sprites = f"avatar > PlatformerAvatar physicstype=CONT gravity=1\nground > Immovable {solid}"
        level = "   \n   \n   \n A \nggg"
        state = build(sprites, "avatar ground > wallStop", level)
        for _ in range(12):
            run(state, "USE")
            if where(state, "avatar")[0][1] < 30:
                return True
        return False

    assert jumps("solid=True") and not jumps("solid=False")


def test_a_ball_bounces_between_walls(build: Build, where: Where) -> None:
    sprites = "avatar > MovingAvatar\nb > Missile physicstype=CONT orientation=RIGHT speed=4\nwall > Immovable"
    state = build(sprites, "b wall > wallBounce", "A     \nw b  w")
    xs = []
    for _ in range(40):
        run(state, "NIL")
        xs.append(where(state, "b")[0][0])
    assert xs[:14] == [20, 24, 28, 32, 36, 40, 40, 36, 32, 28, 24, 20, 16, 12]
    assert min(xs) == 12 and max(xs) == 40  # it is put back before it turns, so it never rests in a wall
