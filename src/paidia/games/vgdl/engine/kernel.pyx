# distutils: extra_compile_args = -O3
"""The engine of all VGDL games, compiled as one module: what happens in a tick, on the tables of a game.

`parts` are the workings that every game needs, in the order in which they build on each other. The units of the language
are in the folders `effects`, `behaviours` and `avatars` (the sprite classes) and `terminations`: each declares its word, its
parameters and its C function in one place, and registers itself when this module is loaded. The build gathers the files of
such a folder in its `all.pxi`; a new unit is a new file, or a block in the file of its family.
"""

from libc.math cimport M_PI, atan2, cos, fabs, hypot, sin, sqrt  # no-cython-lint: the units use them
from libc.stdint cimport int8_t, int16_t, int32_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport abs, free, qsort
from libc.string cimport memcpy, memmove, memset

from paidia.core.arcade cimport DOWN, LEFT, NIL, RIGHT, UP, USE  # no-cython-lint: the units use them
from paidia.core.model cimport move_t
from paidia.core.machine.memory cimport malloc, realloc
from paidia.core.machine.rng cimport Rng, rng_below, rng_double, rng_next
from paidia.games.vgdl.engine.layout cimport *

from paidia.games.vgdl.language.words import (
    EFFECTS, ENDING, SPRITE_CLASSES, TERMINATIONS, Dir, EffectClass, SpriteClass, TerminationClass,  # no-cython-lint: the same
)

include "parts/registry.pxi"
include "parts/chance.pxi"
include "parts/history.pxi"
include "parts/memory.pxi"
include "parts/records.pxi"
include "parts/forces.pxi"
include "parts/movement.pxi"
include "parts/paths.pxi"
include "parts/hunting.pxi"
include "parts/weapons.pxi"
include "parts/execution.pxi"
include "parts/meetings.pxi"
include "parts/collisions.pxi"
include "parts/tick.pxi"

include "avatars/all.pxi"
include "behaviours/all.pxi"
include "effects/all.pxi"
include "terminations/all.pxi"
