"""What every effect does to the sprites it is run on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paidia.games.vgdl.engine.game import VgdlState

Build = Callable[..., VgdlState]
Where = Callable[[VgdlState, str], list[tuple[int, int]]]

PLAYER = "avatar > MovingAvatar healthPoints=5 limitHealthPoints=8\n"


def run(state: VgdlState, *actions: str) -> VgdlState:
    for action in actions:
        state.play(action)
    return state


def held(state: VgdlState) -> dict[str, int]:
    avatar = state.avatar()
    assert avatar is not None
    return {state.game.types[type_]: n for type_, n in avatar[5].items()}


def health(state: VgdlState) -> tuple[int, int, int]:
    avatar = state.avatar()
    assert avatar is not None
    return avatar[4]


# ---------------------------------------------------------------------------- killing


def test_kill_sprite_and_score(build: Build, where: Where) -> None:
    state = build(PLAYER + "c > Immovable", "c avatar > killSprite scoreChange=3", "Ac")
    run(state, "RIGHT")
    assert (where(state, "c"), state.score, state.alive) == ([], 3.0, True)


def test_a_killed_avatar_is_only_disabled(build: Build, where: Where) -> None:
    state = build(
        PLAYER + "c > Immovable\nd > Immovable",
        "avatar c > killSprite\nd avatar > killSprite scoreChange=1",
        "Ac",
    )
    run(state, "RIGHT")
    assert not state.alive and where(state, "avatar") == [(10, 0)] and state.counts()[1] == 0
    run(state, "RIGHT")
    assert where(state, "avatar") == [(10, 0)] and state.tick == 2


def test_kill_both_and_kill_all(build: Build, where: Where) -> None:
    state = build(PLAYER + "b > Passive\nc > Immovable", "b c > killBoth\nb avatar > bounceForward", "Abcc")
    run(state, "RIGHT")  # pushed after the pair b c has had its turn
    assert len(where(state, "b")) == 1
    run(state, "NIL")
    assert where(state, "b") == [] and where(state, "c") == [(30, 0)]
    state = build(PLAYER + "b > Passive\nc > Immovable", "avatar b > killAll stype=c", "Abccc")
    assert where(run(state, "RIGHT"), "c") == []


@pytest.mark.parametrize(
    ("rule", "kills", "score"),
    [
        ("avatar d > killIfHasLess resource=gem limit=0", False, 0),
        ("avatar d > killIfHasLess resource=gem limit=1", True, 7),
        ("avatar d > killIfHasMore resource=gem limit=1", True, 7),
        ("avatar d > killIfHasMore resource=gem limit=2", False, 0),
    ],
)
def test_kill_by_what_the_first_holds(build: Build, rule: str, kills: bool, score: int) -> None:
    sprites = PLAYER + "gem > Resource limit=3\nd > Immovable"
    state = build(sprites, "gem avatar > collectResource\n" + rule + " scoreChange=7", "Agd")
    run(state, "RIGHT", "RIGHT")
    assert (state.alive, state.score, held(state)) == (not kills, score, {"gem": 1})


@pytest.mark.parametrize(("subtract", "left"), [("", 2), (" subtract=True", 0)])
def test_kill_if_other_has_more(build: Build, where: Where, subtract: str, left: int) -> None:
    sprites = PLAYER + "gem > Resource limit=3\nd > Door"
    rules = "gem avatar > collectResource\nd avatar > killIfOtherHasMore resource=gem limit=2" + subtract
    state = build(sprites, rules, "Agdgd")
    run(state, "RIGHT", "RIGHT")
    assert len(where(state, "d")) == 2  # one is not enough
    run(state, "RIGHT", "RIGHT")
    assert where(state, "d") == [(20, 0)] and held(state) == {"gem": left}


def test_kill_if_from_above(build: Build) -> None:
    sprites = PLAYER + "r > Missile orientation=DOWN speed=1\nq > Missile orientation=RIGHT speed=1"
    rules = "avatar r q > killIfFromAbove"
    assert not run(build(sprites, rules, "r\nA"), "NIL", "NIL").alive
    assert run(build(sprites, rules, "qA"), "NIL", "NIL").alive


@pytest.mark.parametrize(("rule", "alive"), [("killIfFrontal", False), ("killIfNotFrontal", True)])
def test_kill_if_frontal(build: Build, rule: str, alive: bool) -> None:
    sprites = PLAYER + "q > Missile orientation=RIGHT speed=1"
    state = build(sprites, f"avatar q > {rule}", "q   A")
    run(state, "NIL", "LEFT", "LEFT")
    assert state.alive == alive


def test_kill_if_alive(build: Build) -> None:
    sprites = PLAYER + "e > Immovable"
    assert not run(build(sprites, "avatar e > killIfAlive", "Ae"), "RIGHT").alive
    assert run(build(sprites, "e avatar > killSprite\navatar e > killIfAlive", "Ae"), "RIGHT").alive


# ---------------------------------------------------------------------------- moving


def test_step_back_pixel_perfect_stands_flush(build: Build, where: Where) -> None:
    sprites = "avatar > MovingAvatar speed=0.7\nwall > Immovable"
    assert where(run(build(sprites, "avatar wall > stepBack", "A w"), "RIGHT", "RIGHT"), "avatar") == [(7, 0)]
    state = build(sprites, "avatar wall > stepBack pixelPerfect=True", "A w")
    assert where(run(state, "RIGHT", "RIGHT"), "avatar") == [(10, 0)]


def test_undo_all_takes_everything_back_but_what_it_spares(build: Build, where: Where) -> None:
    sprites = PLAYER + "m > Missile orientation=RIGHT\nn > Missile orientation=RIGHT\nwall > Immovable"
    state = build(sprites, "avatar wall > undoAll notStype=n", "Aw   \nm    \nn    ")
    run(state, "NIL", "RIGHT")
    assert (where(state, "avatar"), where(state, "m"), where(state, "n")) == ([(0, 0)], [(0, 10)], [(10, 20)])


def test_boxes_are_pushed(build: Build, where: Where) -> None:
    state = build(PLAYER + "b > Passive", "b avatar > bounceForward", "A b  \n     ")
    run(state, "RIGHT", "RIGHT")
    assert (where(state, "avatar"), where(state, "b")) == ([(20, 0)], [(30, 0)])
    run(state, "DOWN")
    assert where(state, "b") == [(30, 0)]


def test_pull_with_it_works_once_a_tick(build: Build, where: Where) -> None:
    raft = "avatar > MovingAvatar\nr > Missile orientation=RIGHT speed=0.3"
    rules = "avatar r > pullWithIt\navatar r > pullWithIt"
    state = build(raft, rules, "A     \nr     ")
    run(state, "NIL", "DOWN")  # on board; who has moved in a tick is not pulled in it
    assert (where(state, "avatar"), where(state, "r")) == ([(0, 10)], [(3, 10)])
    ways = [(where(run(state, "NIL"), "avatar")[0][0], where(state, "r")[0][0]) for _ in range(3)]
    assert ways == [(3, 6), (6, 9), (9, 12)]


def test_directions_turn(build: Build, where: Where) -> None:
    sprites = PLAYER + "m > Missile orientation=RIGHT speed=1\nwall > Immovable"
    state = build(sprites, "m wall > reverseDirection\nm wall > stepBack", "A    \nm w  ")
    xs = [where(run(state, "NIL"), "m")[0][0] for _ in range(5)]
    assert xs == [0, 10, 10, 0, -10]
    state = build(sprites, "m wall > flipDirection\nm wall > stepBack", "A    \n m w \n     ")
    seen = {tuple(where(run(state.copy(), "NIL", "NIL", "NIL", "NIL"), "m"))}
    for seed in range(30):
        other = state.copy()
        other.seed(seed * 10**12)  # the first draws of neighbouring seeds are alike
        seen.add(tuple(where(run(other, "NIL", "NIL", "NIL", "NIL"), "m")))
    assert len(seen) == 4


def test_turn_around_steps_down_twice(build: Build, where: Where) -> None:
    state = build(PLAYER + "m > Missile orientation=RIGHT speed=1", "m EOS > turnAround", "A \nm \n  \n  ")
    run(state, "NIL", "NIL", "NIL")
    assert where(state, "m") == [(10, 30)]
    assert where(run(state, "NIL"), "m") == [(0, 30)]


def test_attract_gaze_and_align(build: Build, where: Where) -> None:
    sprites = PLAYER + "m > Missile orientation=RIGHT speed=0.4\nc > Immovable orientation=DOWN"
    state = build(sprites, "m c > attractGaze align=True", "A   \nmc  \n    ")
    run(state, "NIL", "NIL")
    assert where(state, "m") == [(10, 10)]
    assert where(run(state, "NIL"), "m") == [(10, 14)]
    state = build(sprites, "m c > align orient=False", "A   \nmc  \n    ")
    assert where(run(state, "NIL", "NIL", "NIL"), "m") == [(10, 10)]


def test_wrap_around(build: Build, where: Where) -> None:
    state = build(PLAYER + "m > Missile orientation=LEFT speed=1", "m EOS > wrapAround", "A  \nm  ")
    run(state, "NIL", "NIL")
    assert where(state, "m") == [(20, 10)]


def test_portals_lead_to_an_exit(build: Build, where: Where) -> None:
    sprites = PLAYER + "p > Portal stype=x\nx > Immovable"
    state = build(sprites, "avatar p > teleportToExit scoreChange=2", "Ap  x", "p > p\nx > x")
    run(state, "RIGHT")
    assert (where(state, "avatar"), state.score) == ([(40, 0)], 2)
    state = build(sprites, "avatar p > teleportToExit", "Ap   ", "p > p")
    assert not run(state, "RIGHT").alive  # no exit


# ---------------------------------------------------------------------------- transforming


def test_transform_to_keeps_what_was_held(build: Build, where: Where) -> None:
    sprites = (
        "avatar > OrientedAvatar healthPoints=4 rotateInPlace=False\n"
        "  poor > orientation=RIGHT\n  rich > orientation=RIGHT\n"
        "gem > Resource\nk > Immovable"
    )
    rules = "gem avatar > collectResource\npoor k > transformTo stype=rich scoreChange=1 killSecond=True"
    state = build(sprites, rules, "pgk \n    ", "p > poor\ng > gem\nk > k")
    run(state, "RIGHT", "RIGHT")
    avatar = state.avatar()
    assert avatar is not None and state.game.types[avatar[3]] == "rich"
    assert (held(state), avatar[4][0], state.score, where(state, "k"), state.alive) == (
        {"gem": 1},
        4,
        1,
        [],
        True,
    )
    run(state, "DOWN")
    assert where(state, "rich") == [(20, 10)] and where(state, "poor") == []


def test_an_avatar_that_becomes_a_thing_is_dead(build: Build, where: Where) -> None:
    state = build(PLAYER + "k > Immovable\ns > Immovable", "avatar k > transformTo stype=s", "Ak")
    run(state, "RIGHT")
    assert not state.alive and where(state, "s") == [(10, 0)]


def test_transform_to_all(build: Build, where: Where) -> None:
    sprites = PLAYER + "k > Immovable\nb > Missile orientation=UP\nc > Immovable"
    state = build(sprites, "avatar k > transformToAll stype=b stypeTo=c", "Ak b b")
    run(state, "RIGHT")
    assert where(state, "b") == [] and where(state, "c") == [(30, 0), (50, 0)]
    state = build(sprites, "avatar k > transformToAll stype=c stypeTo=b", "Ak c c")
    assert len(where(run(state, "RIGHT"), "b")) == 2


def test_transform_to_singleton(build: Build, where: Where) -> None:
    sprites = "avatar > ShootAvatar stype=m\nm > Missile singleton=True\np > Immovable\nwall > Immovable"
    rules = "wall m > transformToSingleton stype=p stype_other=wall takeOrientation=True\nm wall > killSprite"
    state = build(sprites, rules, "wA w\n    ", "p > p")
    run(state, "USE", "NIL", "NIL")
    assert where(state, "p") == [(30, 0)] and len(where(state, "wall")) == 1
    run(state, "LEFT", "USE", "NIL", "NIL")
    assert where(state, "p") == [(0, 0)] and where(state, "wall") == [(30, 0)]


@pytest.mark.parametrize(("geq", "became", "score"), [(2, "b", 5), (3, "e", 0)])
def test_transform_if_count(build: Build, where: Where, geq: int, became: str, score: int) -> None:
    sprites = PLAYER + "k > Immovable\nc > Immovable\nb > Immovable\ne > Immovable"
    rule = f"k avatar > transformIfCount stype=b estype=e stypeCount=c geq={geq} scoreChange=5"
    state = build(sprites, rule, "Ak cc")
    run(state, "RIGHT")
    assert where(state, became) == [(10, 0)] and state.score == score


def test_transform_to_random_child(build: Build, where: Where) -> None:
    sprites = PLAYER + "k > Immovable\ng >\n  b > Passive\n  c > Passive\n  d > Passive"
    seen = set()
    for seed in range(40):
        state = build(sprites, "k avatar > transformToRandomChild stype=g", "Ak", "k > k", seed=seed)
        run(state, "RIGHT")
        seen.add("".join(name for name in "bcd" if where(state, name)))
    assert seen == {"b", "c", "d"}


# ---------------------------------------------------------------------------- spawning


def test_spawn_and_clone(build: Build, where: Where) -> None:
    sprites = PLAYER + "k > Immovable\ns > Passive"
    state = build(sprites, "k avatar > spawn stype=s scoreChange=1", "Ak")
    assert where(run(state, "RIGHT", "NIL"), "s") == [(10, 0)] * 2 and state.score == 2
    state = build(sprites, "k avatar > spawn stype=s prob=0 scoreChange=1", "Ak")
    assert where(run(state, "RIGHT"), "s") == [] and state.score == 1  # the score does not ask
    state = build(sprites, "k avatar > cloneSprite", "Ak")
    assert len(where(run(state, "RIGHT", "NIL"), "k")) == 4


def test_spawn_by_what_is_held(build: Build, where: Where) -> None:
    sprites = PLAYER + "gem > Resource limit=3\nk > Immovable\ns > Passive\nt > Passive"
    rules = (
        "gem avatar > collectResource\n"
        "avatar k > spawnIfHasMore resource=gem stype=s limit=2 spend=2 scoreChange=9\n"
        "avatar k > spawnIfHasLess resource=gem stype=t limit=0"
    )
    state = build(sprites, rules, "kAggk")
    run(state, "LEFT")
    assert (where(state, "s"), where(state, "t"), state.score) == ([], [(0, 0)], 0)
    run(state, "RIGHT", "RIGHT", "RIGHT", "RIGHT")
    assert (where(state, "s"), held(state), state.score) == ([(40, 0)], {"gem": 0}, 9)


@pytest.mark.parametrize(
    ("effect", "place"),
    [
        ("spawnAbove", (10, 0)),
        ("spawnBelow", (10, 20)),
        ("spawnLeft", (0, 10)),
        ("spawnRight", (20, 10)),
        ("spawnBehind", (0, 10)),
    ],
)
def test_spawn_beside(build: Build, where: Where, effect: str, place: tuple[int, int]) -> None:
    state = build(PLAYER + "k > Immovable\ns > Passive", f"k avatar > {effect} stype=s", "   \nAk \n   ")
    assert where(run(state, "RIGHT"), "s") == [place]


def test_spawn_beside_where_it_was(build: Build, where: Where) -> None:
    state = build(PLAYER + "k > Immovable\ns > Passive", "k avatar > spawnRight stype=s stepBack=True", "Ak ")
    assert where(run(state, "RIGHT"), "s") == [(10, 0)]
    assert len(where(run(state, "NIL"), "s")) == 1  # it did not leave its cell


# ---------------------------------------------------------------------------- resources and health


def test_collecting_up_to_the_limit(build: Build, where: Where) -> None:
    state = build(PLAYER + "gem > Resource limit=3 value=2", "gem avatar > collectResource scoreChange=1", "Aggg")
    run(state, "RIGHT", "RIGHT", "RIGHT")
    assert (held(state), state.score, where(state, "gem")) == ({"gem": 3}, 2, [(30, 0)])


def test_collecting_only_with_another_resource(build: Build, where: Where) -> None:
    sprites = PLAYER + "gem > Resource\nkey > Resource"
    rules = "key avatar > collectResource\ngem avatar > collectResourceIfHeld heldResource=key scoreChange=1"
    state = build(sprites, rules, "gAkg")
    run(state, "LEFT")
    assert held(state) == {} and len(where(state, "gem")) == 2
    run(state, "RIGHT", "RIGHT", "RIGHT")
    assert held(state) == {"key": 1, "gem": 1} and state.score == 1


def test_changing_resources(build: Build, where: Where) -> None:
    sprites = PLAYER + "gem > Resource limit=3\nk > Immovable\nl > Immovable"
    rules = (
        "avatar k > changeResource resource=gem value=2 killResource=True scoreChange=1\n"
        "avatar l > changeResource resource=gem value=-5 scoreChange=1"
    )
    state = build(sprites, rules, "Akkl")
    run(state, "RIGHT", "RIGHT")
    assert (held(state), where(state, "k"), state.score) == ({"gem": 2}, [(20, 0)], 1)  # 4 would be too many
    run(state, "RIGHT")
    assert (held(state), state.score) == ({"gem": 0}, 2)


def test_health(build: Build, where: Where) -> None:
    sprites = PLAYER + "h > Immovable\np > Immovable\nq > Immovable"
    rules = (
        "avatar h > subtractHealthPoints value=3 scoreChange=1 scoreChangeIfKilled=-9\n"
        "avatar p > addHealthPoints value=2 killSecond=True\navatar q > addHealthPointsToMax value=20"
    )
    state = build(sprites, rules, "App hh")
    run(state, "RIGHT", "RIGHT")
    assert health(state) == (7, 7, 8) and where(state, "p") == [(20, 0)]  # 9 would be above the limit
    run(state, "RIGHT", "RIGHT")
    assert health(state) == (4, 7, 8) and state.score == 1
    run(state, "RIGHT")
    assert health(state)[0] == 1 and state.alive and state.score == 2
    run(state, "NIL")
    assert health(state)[0] == -2 and not state.alive and state.score == -7
    state = build(sprites, rules, "Aq")
    assert health(run(state, "RIGHT")) == (8, 8, 8)


def test_health_of_another_type(build: Build) -> None:
    state = build(
        PLAYER + "k > Immovable\nb > Passive",
        "b k > subtractHealthPoints stype=avatar value=2",
        "A bk",
        "b > b k\nk > k",
    )
    assert health(run(state, "NIL")) == (3, 5, 8)


# ---------------------------------------------------------------------------- speed, shields, timers, score


def test_speeds(build: Build, where: Where) -> None:
    sprites = PLAYER + "k > Immovable\nm > Missile orientation=RIGHT speed=0.5"
    for effect, step in (
        ("setSpeedForAll stype=m value=1", 10),
        ("increaseSpeedToAll stype=m value=0.3", 8),
        ("decreaseSpeedToAll stype=m value=0.2", 3),
        ("decreaseSpeedToAll stype=m value=2.0", 0),
    ):
        state = build(sprites, f"avatar k > {effect}", "Ak   \nm    ")
        run(state, "RIGHT", "LEFT")
        x = where(state, "m")[0][0]
        assert where(run(state, "NIL"), "m")[0][0] - x == step, effect
    state = build(sprites, "m k > halfSpeed", "A    \n  mk ", "m > m k\nk > k")
    run(state, "NIL", "NIL")
    assert where(state, "m") == [(22, 10)]


def test_a_shield_wards_off_one_effect(build: Build) -> None:
    sprites = PLAYER + "s > Immovable\nf > Immovable"
    rules = "avatar s > shieldFrom stype=f ftype=killSprite\navatar f > killSprite"
    assert run(build(sprites, rules, "Af", "f > f s\n"), "RIGHT").alive
    state = build(sprites, rules, "Aff", "f > f s\n")
    assert run(state, "RIGHT", "RIGHT").alive
    assert not run(build(sprites, rules, "Af", "f > f\ns > s"), "RIGHT").alive


def test_timers_and_time_effects(build: Build, where: Where) -> None:
    sprites = PLAYER + "k > Immovable\nb > Immovable\nc > Immovable"
    rule = "avatar k > addTimer timer=2 ftype=transformToAll stype=b stypeTo=c scoreChange=1\n"
    rule += "k avatar > killSprite"
    state = build(sprites, rule, "Ak b")
    run(state, "RIGHT", "NIL")
    assert len(where(state, "b")) == 1 and state.score == 1
    run(state, "NIL")
    assert where(state, "c") == [(30, 0)] and state.score == 2
    state = build(sprites, "avatar TIME > subtractHealthPoints timer=3 repeating=True", "A")
    assert [health(run(state, "NIL"))[0] for _ in range(8)] == [4, 4, 4, 3, 3, 3, 2, 2]
    state = build(sprites, "b TIME > transformTo stype=c timer=2 nextExecution=2", "Ab")
    assert [len(where(run(state, "NIL"), "c")) for _ in range(4)] == [0, 0, 1, 1]


def test_a_timer_may_be_longer_than_any_game(build: Build) -> None:
    rules = "avatar TIME > subtractHealthPoints timer=2147483647 repeating=True"
    state = build(PLAYER, rules, "A")
    assert [health(run(state, "NIL"))[0] for _ in range(3)] == [4, 4, 4]


def test_score_can_be_taken_away(build: Build, where: Where) -> None:
    sprites = PLAYER + "c > Immovable\nr > Immovable"
    state = build(sprites, "c avatar > killSprite scoreChange=5\navatar r > removeScore killSecond=True", "Acr")
    assert run(state, "RIGHT").score == 5
    assert run(state, "RIGHT").score == 0 and where(state, "r") == []


def test_spawn_types_can_be_changed(build: Build, where: Where) -> None:
    sprites = PLAYER + "k > Immovable\ns > SpawnPoint stype=b\nb > Passive\nc > Passive"
    state = build(sprites, "avatar k > updateSpawnType stype=c spawnPoint=s", "Ak s")
    run(state, "RIGHT", "NIL")
    assert len(where(state, "b")) == 1 and len(where(state, "c")) == 1


def test_repeat_runs_an_effect_several_times(build: Build) -> None:
    state = build(PLAYER + "k > Immovable", "avatar k > subtractHealthPoints repeat=3", "Ak")
    assert health(run(state, "RIGHT"))[0] == 2


def test_every_edge_line_of_a_type_runs_all_of_them(build: Build) -> None:
    """A type with two EOS lines is visited twice, and both effects run each time."""
    rules = "avatar EOS > subtractHealthPoints\navatar EOS > subtractHealthPoints"
    assert health(run(build(PLAYER, rules, "A "), "UP"))[0] == 1


def test_pairs_are_grouped_by_their_first_appearance(build: Build, where: Where) -> None:
    sprites = PLAYER + "k > Immovable\nl > Immovable"
    rules = "avatar k > subtractHealthPoints value=1\nl avatar > killAll stype=k\navatar k > transformTo stype=l"
    state = build(sprites, rules, "Ak", "k > k l")
    run(state, "RIGHT")
    # the third line runs right after the first, before the second: the avatar has become an l
    assert not state.alive and len(where(state, "l")) == 2


@pytest.mark.parametrize(("speed", "alive"), [(0.3, True), (3.0, False)])
def test_kill_if_fast(build: Build, speed: float, alive: bool) -> None:
    sprites = PLAYER + f"p > Missile physicstype=CONT orientation=RIGHT speed={speed}\nk > Immovable"
    state = build(sprites, "p k > killIfFast limspeed=1.0", "A   \np k ", "p > p k\nk > k")
    run(state, "NIL")
    assert (state.counts()[2] == 1) == alive
