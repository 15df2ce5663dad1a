"""The words of VGDL: every sprite class, effect and termination with its parameters, their types and
defaults.

This is a table and nothing else: `description.py` checks words against it, `tables.py` turns them into
numbers for the engine. The place of a name in its table is its code in the kernels (`layout.pxd` lists the
same names in the same order; a test compares the two).
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = [
    "ACTIONS",
    "COLOURS",
    "COMMON",
    "DIRECTIONS",
    "EFFECTS",
    "EFFECT_COMMON",
    "SPRITE_CLASSES",
    "TERMINATIONS",
    "Dir",
    "EffectClass",
    "SpriteClass",
    "attributes_of",
    "is_a",
]

ACTIONS = ("NIL", "UP", "LEFT", "DOWN", "RIGHT", "USE")
MOVES = ("LEFT", "RIGHT", "DOWN", "UP")
SHOTS = ("USE", *MOVES)


@dataclass(frozen=True, slots=True)
class Dir:
    """A direction constant of the language."""

    x: float
    y: float


DIRECTIONS = {
    "UP": Dir(0, -1),
    "DOWN": Dir(0, 1),
    "LEFT": Dir(-1, 0),
    "RIGHT": Dir(1, 0),
    "NONE": Dir(0, 0),
    "NIL": Dir(-1, -1),
}
DIRECTIONS |= {"D" + name: direction for name, direction in DIRECTIONS.items()}

# A colour name given where a text is expected is dropped, so the names have to be known.
COLOURS = frozenset(
    {
        "GREEN",
        "BLUE",
        "RED",
        "GRAY",
        "WHITE",
        "BROWN",
        "BLACK",
        "ORANGE",
        "YELLOW",
        "PINK",
        "GOLD",
        "PURPLE",
        "LIGHTRED",
        "LIGHTORANGE",
        "LIGHTBLUE",
        "LIGHTGREEN",
        "LIGHTYELLOW",
        "LIGHTGRAY",
        "LIGHTPINK",
        "DARKGRAY",
        "DARKBLUE",
        "DARKGREEN",
        "DARKRED",
    }
)

# Types of parameters: int, real, float (takes integers only), bool, text, dir, and names of sprites: type
# (one), types (a comma list). What does not fit its parameter is dropped and the default stays.
COMMON: dict[str, tuple[str, object]] = {
    "speed": ("real", 0.0),
    "cooldown": ("int", 0),
    "orientation": ("dir", Dir(0, 0)),
    "is_oriented": ("bool", False),
    "rotateInPlace": ("bool", False),
    "is_static": ("bool", False),
    "only_active": ("bool", False),
    "stationary": ("bool", False),
    "physicstype": ("int", 0),
    "mass": ("real", 1.0),
    "gravity": ("real", 0.0),
    "friction": ("real", 0.0),
    "max_speed": ("real", -1.0),
    "jump_strength": ("real", 0.0),
    "solid": ("bool", False),
    "portal": ("bool", False),
    "hidden": ("text", ""),
    "healthPoints": ("int", 0),
    "maxHealthPoints": ("int", 0),
    "limitHealthPoints": ("int", 1000),
    "timeToLive": ("int", -1),
    "wMult": ("real", 1.0),
    "hMult": ("real", 1.0),
}

# Parameters that change only how a sprite looks, or that are read elsewhere.
DRAWING = frozenset(
    {
        "img",
        "orientedImg",
        "color",
        "shrinkfactor",
        "frameRate",
        "autotiling",
        "randomtiling",
        "draw_arrow",
        "invisible",
        "singleton",
    }
)


@dataclass(frozen=True, slots=True)
class SpriteClass:
    """A class of sprites: what it changes in its parent and the parameters it adds."""

    parent: str = ""
    defaults: dict[str, object] = field(default_factory=dict)
    parameters: dict[str, tuple[str, object]] = field(default_factory=dict)
    oriented: bool | None = None
    npc: bool = False
    actions: tuple[str, ...] = ()


_STYPE: dict[str, tuple[str, object]] = {"stype": ("type", "")}
_ORIENTED: dict[str, object] = {"orientation": Dir(1, 0), "rotateInPlace": True}
_SHOOT: dict[str, tuple[str, object]] = {"stype": ("types", ""), "ammo": ("types", "")}
_ALTERNATE: dict[str, tuple[str, object]] = {
    "cons": ("int", 0),
    "stype1": ("types", ""),
    "stype2": ("types", ""),
    "epsilon": ("real", 0.0),
    "randomTarget": ("bool", False),
}
_BOMBER: dict[str, object] = {"is_static": False, "orientation": Dir(1, 0)}
_AIMED: dict[str, tuple[str, object]] = {"angle_diff": ("real", 0.15)}

SPRITE_CLASSES: dict[str, SpriteClass] = {
    # avatars
    "MovingAvatar": SpriteClass(defaults={"speed": 1.0}, actions=MOVES),
    "HorizontalAvatar": SpriteClass("MovingAvatar", actions=("LEFT", "RIGHT")),
    "VerticalAvatar": SpriteClass("MovingAvatar", actions=("UP", "DOWN")),
    "NullAvatar": SpriteClass("HorizontalAvatar", actions=("NIL",)),
    "FlakAvatar": SpriteClass(
        "HorizontalAvatar",
        actions=("USE", "LEFT", "RIGHT"),
        parameters={
            "stype": ("type", ""),
            "ammo": ("type", ""),
            "ammoCost": ("int", 1),
            "minAmmo": ("int", -1),
        },
    ),
    "OrientedAvatar": SpriteClass("MovingAvatar", defaults=_ORIENTED, oriented=True),
    "ShootAvatar": SpriteClass("OrientedAvatar", parameters=_SHOOT, actions=SHOTS),
    "ShootOnlyAvatar": SpriteClass("ShootAvatar", actions=("LEFT", "UP", "RIGHT", "DOWN", "USE")),
    "OngoingAvatar": SpriteClass("OrientedAvatar"),
    "OngoingTurningAvatar": SpriteClass("OrientedAvatar", parameters={"spawnBehind": ("type", "")}),
    "OngoingShootAvatar": SpriteClass("ShootAvatar"),
    "MissileAvatar": SpriteClass("OrientedAvatar"),
    "PlatformerAvatar": SpriteClass(
        "MovingAvatar",
        defaults={"jump_strength": 10.0, "max_speed": 30.0},
        actions=("LEFT", "RIGHT", "USE"),
        parameters={"ground_speedup_factor": ("real", 1.0), "air_slowdown_factor": ("real", 2.0)},
    ),
    "BirdAvatar": SpriteClass("OrientedAvatar", defaults={"jump_strength": 10.0}, actions=("USE",)),
    "AimedAvatar": SpriteClass(
        "ShootAvatar",
        defaults={"speed": 0.0, "stationary": True},
        parameters=_AIMED,
        actions=("USE", "DOWN", "UP"),
    ),
    "CarAvatar": SpriteClass("OrientedAvatar", defaults={"speed": 0.0}, parameters=_AIMED),
    "SpaceshipAvatar": SpriteClass(
        "ShootAvatar",
        defaults={"speed": 5.0},
        parameters={"angle_diff": ("real", 0.3)},
        actions=("USE", "LEFT", "RIGHT", "UP"),
    ),
    "LanderAvatar": SpriteClass(
        "OrientedAvatar",
        defaults={"speed": 5.0},
        parameters={"angle_diff": ("real", 0.3)},
        actions=("LEFT", "RIGHT", "UP"),
    ),
    "WizardAvatar": SpriteClass(
        "PlatformerAvatar",
        parameters={"stype": ("types", "")},
        actions=("LEFT", "RIGHT", "USE", "UP"),
    ),
    # things
    "Immovable": SpriteClass(defaults={"is_static": True}),
    "Door": SpriteClass("Immovable", defaults={"portal": True}),
    "Passive": SpriteClass(),
    "Resource": SpriteClass(
        "Passive",
        parameters={"value": ("int", 1), "limit": ("int", 2), "resource_name": ("text", "")},
    ),
    "ResourcePack": SpriteClass("Resource", defaults={"is_static": True}),
    "Conveyor": SpriteClass(defaults={"is_static": True}, parameters={"strength": ("real", 1.0)}, oriented=True),
    "Flicker": SpriteClass(parameters={"limit": ("int", 1)}),
    "OrientedFlicker": SpriteClass("Flicker", defaults={"speed": 0.0}, oriented=True),
    "Spreader": SpriteClass("Flicker", parameters={"spreadprob": ("real", 1.0), **_STYPE}),
    "Missile": SpriteClass(defaults={"speed": 1.0}, oriented=True),
    "RandomMissile": SpriteClass("Missile", defaults={"orientation": Dir(-1, -1)}),
    "ErraticMissile": SpriteClass("Missile", parameters={"prob": ("real", 0.0)}),
    "RandomNPC": SpriteClass(defaults={"speed": 1.0}, parameters={"cons": ("int", 0)}, npc=True),
    "Chaser": SpriteClass(
        "RandomNPC",
        parameters={**_STYPE, "fleeing": ("bool", False), "maxDistance": ("float", -1)},
    ),
    "Fleeing": SpriteClass("Chaser", defaults={"fleeing": True}),
    "LOSChaser": SpriteClass("Chaser"),
    "AlternateChaser": SpriteClass("RandomNPC", parameters=_ALTERNATE),
    "RandomAltChaser": SpriteClass("AlternateChaser"),
    "PathAltChaser": SpriteClass("AlternateChaser"),
    "RandomPathAltChaser": SpriteClass("AlternateChaser"),
    "PathChaser": SpriteClass("Chaser"),
    "RandomInertial": SpriteClass("RandomNPC", defaults={"physicstype": 1}, oriented=True),
    "Walker": SpriteClass(
        defaults={"speed": 5.0, "max_speed": 5.0},
        parameters={"airsteering": ("bool", False)},
        oriented=True,
    ),
    "WalkerJumper": SpriteClass(
        "Walker",
        defaults={"jump_strength": 10.0},
        parameters={"probability": ("real", 0.1)},
    ),
    "SpawnPoint": SpriteClass(
        defaults={"is_static": True, "cooldown": 1},
        parameters={
            **_STYPE,
            "prob": ("real", 1.0),
            "total": ("int", 0),
            "spawnorientation": ("dir", Dir(0, 0)),
        },
    ),
    "Bomber": SpriteClass("SpawnPoint", defaults=_BOMBER, oriented=True, npc=True),
    "RandomBomber": SpriteClass("SpawnPoint", defaults={**_BOMBER, "speed": 1.0}, oriented=True, npc=True),
    "BomberRandomMissile": SpriteClass(
        "SpawnPoint",
        defaults=_BOMBER,
        parameters={"stypeMissile": ("types", "")},
        oriented=True,
        npc=True,
    ),
    "SpawnPointMultiSprite": SpriteClass(
        "SpawnPoint",
        defaults={"orientation": Dir(1, 0)},
        parameters={"stypes": ("types", "")},
        oriented=True,
        npc=True,
    ),
    "Portal": SpriteClass(defaults={"is_static": True, "portal": True}, parameters=_STYPE),
}


@dataclass(frozen=True, slots=True)
class EffectClass:
    """An effect: its own parameters, and what it may write (besides killing) in its two sprites.

    `writes` names the sprites whose own fields can change: "1", "2", or "12"; types named by `writes_types`
    parameters change as well. Sprites that nothing writes and nothing moves need no record of their own in
    the engine.
    """

    parameters: dict[str, tuple[str, object]] = field(default_factory=dict)
    writes: str = ""
    writes_types: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()  # names of sprites that must exist


EFFECT_COMMON: dict[str, tuple[str, object]] = {
    "scoreChange": ("text", "0"),
    "repeat": ("int", 1),
    "timer": ("int", -1),
    "nextExecution": ("int", -1),
    "repeating": ("bool", False),
}
_SECOND: dict[str, tuple[str, object]] = {"killSecond": ("bool", False)}
_TRANSFORM: dict[str, tuple[str, object]] = {**_STYPE, **_SECOND, "forceOrientation": ("bool", False)}
_HELD: dict[str, tuple[str, object]] = {"resource": ("type", ""), "limit": ("int", 0)}
_PROB: dict[str, tuple[str, object]] = {"prob": ("real", 1.0)}
_PIXEL: dict[str, tuple[str, object]] = {"pixelPerfect": ("bool", False)}
_BESIDE: dict[str, tuple[str, object]] = {**_STYPE, **_PROB, "stepBack": ("bool", False)}
_POINTS: dict[str, tuple[str, object]] = {"value": ("int", 1), **_SECOND}
_SLOW: dict[str, tuple[str, object]] = {"limspeed": ("real", 1.0)}

EFFECTS: dict[str, EffectClass] = {
    "killSprite": EffectClass(),
    "killBoth": EffectClass(),
    "killAll": EffectClass(_STYPE, needs=("stype",)),
    "killIfHasLess": EffectClass(_HELD, needs=("resource",)),
    "killIfHasMore": EffectClass(_HELD, needs=("resource",)),
    "killIfOtherHasMore": EffectClass({**_HELD, "subtract": ("bool", False)}, writes="2", needs=("resource",)),
    "killIfFromAbove": EffectClass(),
    "killIfFrontal": EffectClass(),
    "killIfNotFrontal": EffectClass(),
    "killIfAlive": EffectClass(),
    "stepBack": EffectClass(_PIXEL),
    "undoAll": EffectClass({"notStype": ("types", "")}),
    "bounceForward": EffectClass(writes="1"),
    "pullWithIt": EffectClass(_PIXEL, writes="1"),
    "reverseDirection": EffectClass(writes="1"),
    "flipDirection": EffectClass(writes="1"),
    "turnAround": EffectClass(writes="1"),
    "attractGaze": EffectClass({"align": ("bool", False), **_PROB}, writes="1"),
    "align": EffectClass({"orient": ("bool", True)}, writes="1"),
    "wrapAround": EffectClass({"offset": ("real", 0.0)}, writes="1"),
    "teleportToExit": EffectClass(writes="1"),
    "transformTo": EffectClass(_TRANSFORM, needs=("stype",)),
    "transformToAll": EffectClass({**_TRANSFORM, "stypeTo": ("type", "")}, needs=("stype", "stypeTo")),
    "transformToSingleton": EffectClass(
        {**_STYPE, "stype_other": ("type", ""), "takeOrientation": ("bool", False)},
        needs=("stype", "stype_other"),
    ),
    "transformIfCount": EffectClass(
        {
            **_TRANSFORM,
            "stypeCount": ("type", ""),
            "estype": ("type", ""),
            "geq": ("int", 0),
            "leq": ("int", 10000),
        },
        needs=("stype", "stypeCount"),
    ),
    "transformToRandomChild": EffectClass(_TRANSFORM, needs=("stype",)),
    "spawn": EffectClass({**_STYPE, **_PROB}, needs=("stype",)),
    "spawnIfHasMore": EffectClass(
        {**_STYPE, **_HELD, **_PROB, "spend": ("int", 0)},
        writes="1",
        needs=("stype", "resource"),
    ),
    "spawnIfHasLess": EffectClass({**_STYPE, **_HELD, **_PROB}, needs=("stype", "resource")),
    "spawnBehind": EffectClass({**_STYPE, **_PROB}, needs=("stype",)),
    "spawnAbove": EffectClass(_BESIDE, needs=("stype",)),
    "spawnBelow": EffectClass(_BESIDE, needs=("stype",)),
    "spawnLeft": EffectClass(_BESIDE, needs=("stype",)),
    "spawnRight": EffectClass(_BESIDE, needs=("stype",)),
    "spawnIfCounterSubTypes": EffectClass(
        {
            **_STYPE,
            "estype": ("type", ""),
            "stypeCount": ("type", ""),
            "subTypesNum": ("int", -1),
            "limit": ("int", 0),
        },
        needs=("stype", "stypeCount"),
    ),
    "cloneSprite": EffectClass(),
    "collectResource": EffectClass({"killResource": ("bool", True)}, writes="2"),
    "collectResourceIfHeld": EffectClass(
        {"heldResource": ("type", ""), "value": ("int", 1), "killResource": ("bool", True)},
        writes="2",
        needs=("heldResource",),
    ),
    "changeResource": EffectClass(
        {"resource": ("type", ""), "value": ("int", 1), "killResource": ("bool", False)},
        writes="1",
        needs=("resource",),
    ),
    "subtractHealthPoints": EffectClass(
        {
            "value": ("int", 1),
            "limit": ("int", 0),
            "scoreChangeIfKilled": ("text", "0"),
            "stype": ("type", ""),
        },
        writes="1",
        writes_types=("stype",),
    ),
    "addHealthPoints": EffectClass(_POINTS, writes="1"),
    "addHealthPointsToMax": EffectClass(_POINTS, writes="1"),
    "increaseSpeedToAll": EffectClass({**_STYPE, "value": ("real", 0.1)}, writes_types=("stype",), needs=("stype",)),
    "decreaseSpeedToAll": EffectClass({**_STYPE, "value": ("real", 0.1)}, writes_types=("stype",), needs=("stype",)),
    "setSpeedForAll": EffectClass({**_STYPE, "value": ("real", 0.0)}, writes_types=("stype",), needs=("stype",)),
    "halfSpeed": EffectClass(writes="1"),
    "shieldFrom": EffectClass({**_STYPE, "ftype": ("text", "")}, needs=("stype",)),
    "updateSpawnType": EffectClass(
        {**_STYPE, "spawnPoint": ("type", "")},
        writes_types=("spawnPoint",),
        needs=("stype", "spawnPoint"),
    ),
    "removeScore": EffectClass({**_STYPE, **_SECOND}),
    "addTimer": EffectClass({"ftype": ("text", "")}),
    "wallStop": EffectClass(writes="1"),
    "wallBounce": EffectClass(writes="12"),
    "wallReverse": EffectClass(writes="12"),
    "bounceDirection": EffectClass({"maxBounceAngleDeg": ("real", 60.0)}, writes="1"),
    "killIfSlow": EffectClass(_SLOW),
    "killIfFast": EffectClass(_SLOW),
    "killIfNotUpright": EffectClass(),
    "waterPhysics": EffectClass(writes="1"),
}

_COUNTER: dict[str, tuple[str, object]] = {
    "limit": ("int", 0),
    "win": ("text", ""),
    "count_score": ("bool", False),
}
_THREE: dict[str, tuple[str, object]] = {
    **_COUNTER,
    "stype1": ("type", ""),
    "stype2": ("type", ""),
    "stype3": ("type", ""),
    "min": ("bool", False),
}

TERMINATIONS: dict[str, dict[str, tuple[str, object]]] = {
    "SpriteCounter": {**_COUNTER, **_STYPE},
    "SpriteCounterMore": {**_COUNTER, **_STYPE},
    "MultiSpriteCounter": _THREE,
    "MultiSpriteCounterSubTypes": {**_COUNTER, "stype1": ("type", ""), "subTypesNum": ("int", -1)},
    "StopCounter": _THREE,
    "Timeout": _COUNTER,
}


def lineage(name: str) -> list[str]:
    """A sprite class and its parents, the class itself last."""
    chain = [name]
    while SPRITE_CLASSES[chain[0]].parent:
        chain.insert(0, SPRITE_CLASSES[chain[0]].parent)
    return chain


def is_a(name: str, ancestor: str) -> bool:
    """Whether sprite class `name` is `ancestor` or derived from it."""
    return ancestor in lineage(name)


def attributes_of(name: str) -> dict[str, tuple[str, object]]:
    """Every parameter a sprite class accepts, with its type and default in that class."""
    found = dict(COMMON)
    for cls in (SPRITE_CLASSES[link] for link in lineage(name)):
        found |= cls.parameters
        for key, value in cls.defaults.items():
            found[key] = (found[key][0], value)
    return found
