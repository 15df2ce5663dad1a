"""What a word of VGDL is: a sprite class, an effect or a termination, with its parameters.

The words themselves are declared beside the C functions that carry them out, in the folders of `engine`, and entered here
when the engine is loaded; `ontology` loads it and answers questions about them.

A parameter is its kind and its default. Kinds:

int, real, bool, text    as they say; what does not fit its parameter is dropped and the default stays
float                    a real that takes whole numbers only
chance                   a real, the probability of a draw
dir                      a direction such as UP
score                    a text: the change of the score
truth                    a text: True or False, or a comma list of them
type, types              the name of a sprite type, a comma list of names
resource                 the name of a sprite type of which sprites can hold some
effect                   the name of an effect
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = [
    "EFFECTS",
    "ENDING",
    "SPRITE_CLASSES",
    "TERMINATIONS",
    "Dir",
    "EffectClass",
    "Parameter",
    "SpriteClass",
    "TerminationClass",
]

Parameter = tuple[str, object]


@dataclass(frozen=True, slots=True)
class Dir:
    """A direction constant of the language."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class SpriteClass:
    """A class of sprites: what it changes in its parent and the parameters it adds. A trait that is None is the parent's."""

    name: str
    summary: str
    parent: str = ""
    defaults: dict[str, object] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    actions: tuple[str, ...] = ()  # of avatars
    oriented: bool | None = None
    npc: bool | None = None
    chance: bool | None = None  # what it does is drawn
    leads: bool | None = None  # teleportToExit goes to what it makes, chases or leads to
    spawns: bool | None = None  # updateSpawnType changes what it makes
    paths: bool | None = None  # goes along stored ways between cells
    stands: bool | None = None  # looks for solid ground under its feet
    extra: bool | None = None  # its sprites need the larger record (`Extra` in layout.pxd)
    record: bool | None = None  # has a record of its own even where nothing can move or change it


@dataclass(frozen=True, slots=True)
class EffectClass:
    """An effect: its own parameters, and what it may write (besides killing) in its two sprites.

    `writes` names the sprites whose own fields can change: "1", "2", or "12"; types named by `writes_types`
    parameters change as well. Sprites that nothing writes and nothing moves need no record of their own in
    the engine.
    """

    name: str
    summary: str
    parameters: dict[str, Parameter] = field(default_factory=dict)
    needs: tuple[str, ...] = ()  # parameters that must be given
    sprites: str = "1"  # which of its two sprites it needs; at the edge of the world and in TIME there is no second
    writes: str = ""
    writes_types: tuple[str, ...] = ()
    chance: bool = False  # what it does is drawn
    extra: bool = False  # sprites need the larger record
    together: bool = False  # runs once for all sprites that the first one meets
    moves_all: bool = False  # may move sprites that stand in neither place
    makes_family: bool = False  # makes sprites of the subtypes of its `stype`
    delays: bool = False  # runs the effect `ftype` at a later time
    orients: str = ""  # the parameter with which new sprites get a direction, whatever their class


@dataclass(frozen=True, slots=True)
class TerminationClass:
    """A condition under which the game ends."""

    name: str
    summary: str
    parameters: dict[str, Parameter] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    every_tick: bool = False  # asked in every tick, not only when sprites came or went
    asked_again: bool = False  # may release others that come before it, so it is asked in the next tick too


#: parameters of every termination
ENDING: dict[str, Parameter] = {"limit": ("int", 0), "win": ("truth", ""), "count_score": ("bool", False)}

SPRITE_CLASSES: dict[str, SpriteClass] = {}
EFFECTS: dict[str, EffectClass] = {}
TERMINATIONS: dict[str, TerminationClass] = {}
