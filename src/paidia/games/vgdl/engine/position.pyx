# distutils: extra_compile_args = -O1
"""A situation of a video game as text, and back: everything that decides how it goes on, and its history.

The text is one line of JSON, an object with these entries (those in brackets are left out where they have their usual value):

    tick, score, random     completed ticks, the score, and the two numbers of the generator
    sprites                 [type, number, x, y, ...] for each sprite that has a record, by type and then age; x and y are pixels
    next, count             number of the next sprite, and of sprites as the limit on them counts
    [gone]                  fixtures (walls and the like, numbered by type and then age) that are no longer there
    [avatar]                number of the sprite that is played, null if there is none
    [winner, ended]         1 won, 0 lost, -1 open; whether the game is over
    [action, may_end]       last action; whether counters may end the game
    [asked, scored]         whether terminations have to be asked; which lines of effects have scored
    [timers]                [tick, effect, alone] of effects that wait for their time, in the order in which they come
    [events]                the history: [tick, active, passive, from avatar, x, y, active number, passive number]

In a game for two players score, avatar, winner and action are lists with an entry for each.

A sprite goes on with its place a tick ago, direction, speed, rest, two counters of its class, life time, health, most health,
flags (1 new, 2 disabled, 8 shot by the avatar, 16 directed) and, where the rules need them, resources and what physics and
hunting remember.
"""

import json
import math

from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t

from paidia.core.machine.memory cimport calloc
from paidia.games.vgdl.engine.game cimport VgdlGame, VgdlState
from paidia.games.vgdl.engine.kernel cimport add, allocate, insert_timer, release
from paidia.games.vgdl.engine.layout cimport (
    ABSENT, DISABLED, FAR, FIRST_TICK, INLINE_EVENTS, K_AVATAR, MAX_PLAYERS, MAX_SLOTS, MAX_TICKS, NONE_REF, ORIENTED, SHOT,
    Chunk, Event, Extra, Rules, Sim, Sprite, at, extra, fixture_alive, resources,
)

from paidia.core.errors import BadInput

cdef enum:
    KEPT_FLAGS = FIRST_TICK | DISABLED | SHOT | ORIENTED
    LONGEST_TEXT = 20_000_000
    BIG = 1 << 30           # no number of a position is larger

# ------------------------------------------------------------------------ writing


def write_position(VgdlState state not None):
    """The text of a situation."""
    cdef Sim* g = &state.sim
    cdef const Rules* r = g.rules
    cdef int type, slot, i
    sprites, timers = [], []
    for type in range(r.n_types):
        slot = g.groups[type].head
        while slot >= 0:
            sprites.append(sprite_row(g, at(g, slot)))
            slot = at(g, slot).next
    slot = g.h.timers
    while slot >= 0:
        timers.append([at(g, slot).lastmove, at(g, slot).a, at(g, slot).b])
        slot = at(g, slot).next
    usual = {
        "gone": [i for i in range(r.n_fixtures) if not fixture_alive(g, i)],
        "avatar": each(r, [at(g, g.h.avatar[i]).id if g.h.avatar[i] >= 0 else None for i in range(r.n_players)]),
        "winner": each(r, [g.h.winner[i] for i in range(r.n_players)]), "ended": bool(g.h.ended),
        "action": each(r, [g.h.last_action[i] for i in range(r.n_players)]), "may_end": bool(g.h.may_end),
        "asked": bool(g.h.counts_changed),
        "scored": [i for i in range(r.n_flag_words * 64) if g.score_flags[i >> 6] >> (i & 63) & 1],
        "timers": timers, "events": [list(event) for event in state.events()],
    }
    entries = {
        "tick": g.h.tick, "score": each(r, [g.h.score[i] for i in range(r.n_players)]), "random": [g.h.rng, g.h.side_rng],
        "sprites": sprites, "next": g.h.next_id, "count": g.h.n_sprites,
    }
    entries.update({name: value for name, value in usual.items() if not is_usual(value, USUAL[name])})
    return json.dumps(entries, separators=(",", ":"))


USUAL = {
    "gone": [], "avatar": None, "winner": -1, "ended": False, "action": 0, "may_end": True, "asked": False, "scored": [],
    "timers": [], "events": [],
}


cdef object each(const Rules* r, list values):
    """What every player has; alone, where there is one."""
    return values if r.n_players > 1 else values[0]


def is_usual(value, usual):
    """Whether an entry can be left out: of two players, if both have what is usual."""
    return value == usual or (type(value) is list and not isinstance(usual, list) and all(one == usual for one in value))


cdef list of_each(const Rules* r, value):
    """An entry of every player, as a list."""
    if r.n_players == 1 or type(value) is not list:
        return [value] * r.n_players
    if len(value) != r.n_players:
        raise Wrong(f"{value!r} has no entry for each of {r.n_players} players")
    return value


cdef list sprite_row(Sim* g, Sprite* s):
    cdef int k
    row = [
        s.type, s.id, s.x, s.y, s.lx, s.ly, s.ox, s.oy, s.speed, s.lastmove, s.a, s.b, s.ttl, s.health, s.max_health,
        s.flags & KEPT_FLAGS,
    ]
    if g.rules.n_resources:
        row.append([resources(s)[k] if resources(s)[k] != ABSENT else None for k in range(g.rules.n_resources)])
    if g.rules.has_extra:
        row.append(extra_row(g, extra(g, s)))
    return row


cdef list extra_row(Sim* g, Extra* e):
    cdef int k
    target = None
    if e.target >= 0:       # one that is gone has left its place to somebody else
        target = ["sprite", e.target_id]
    elif e.target != NONE_REF:
        target = ["fixture", ~e.target]
    return [
        e.gravity, e.rotation, e.on_ground, e.last_shot, e.stype,
        [[e.swap_from[k], e.swap_to[k]] for k in range(e.n_swaps)], target, e.target_x, e.target_y, e.known, e.known_x, e.known_y,
    ]


# ------------------------------------------------------------------------ reading

class Wrong(Exception):
    """What is wrong with a text."""


def whole(value, least, most, what):
    """A whole number in a range."""
    if type(value) is not int or not least <= value <= most:
        raise Wrong(f"{what} is a number from {least} to {most}, not {value!r}")
    return value


def real(value, what):
    """A finite number."""
    if type(value) not in (int, float) or not math.isfinite(value):
        raise Wrong(f"{what} is a number, not {value!r}")
    return float(value)


def rows_of(value, length, what):
    """A list of lists of one length."""
    if type(value) is not list or not all(type(row) is list and len(row) == length for row in value):
        raise Wrong(f"{what} are lists of {length} entries")
    return value


def read_position(VgdlGame game not None, str text):
    """The situation that a text describes; `BadInput` says what is wrong with it."""
    cdef VgdlState state = VgdlState(game)
    try:
        if len(text) > LONGEST_TEXT:
            raise Wrong("the text is too long")
        try:
            entries = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Wrong(f"a position is an object of JSON: {error}") from None
        if type(entries) is not dict:
            raise Wrong("a position is an object of JSON")
        needed = {"tick", "score", "random", "sprites", "next", "count"}
        if needed - entries.keys() or entries.keys() - needed - USUAL.keys():
            wrong = sorted((needed - entries.keys()) | (entries.keys() - needed - USUAL.keys()))
            raise Wrong(f"entries that are missing, or that no position has: {', '.join(wrong)}")
        fill(state, {**USUAL, **entries})
    except Wrong as error:
        raise BadInput(f"{game.id}: not a position: {error}") from None
    return state


cdef object fill(VgdlState state, entries):
    cdef Sim* g = &state.sim
    cdef const Rules* r = g.rules
    cdef int i, slot
    width = 16 + (r.n_resources > 0) + r.has_extra
    sprites = rows_of(entries["sprites"], width, "sprites")
    timers = rows_of(entries["timers"], 3, "timers")
    if len(sprites) + len(timers) + r.spare > MAX_SLOTS:
        raise Wrong("there are too many sprites")
    release(g)
    if not allocate(g, len(sprites) + len(timers) + r.spare):
        raise MemoryError
    g.h.free_head = g.h.timers = -1
    for i in range(MAX_PLAYERS):
        g.h.avatar[i] = g.h.winner[i] = -1
        g.h.score[i] = g.h.last_action[i] = 0
    g.h.fast_rng = not (<VgdlGame>state.game).reference_generator
    for i in range(r.n_types):
        g.groups[i].head = g.groups[i].tail = -1
    for i in range(r.n_cells):
        g.cells[i] = -1
    fill_fixtures(g, entries["gone"])
    slots = fill_sprites(g, sprites, whole(entries["next"], 0, BIG, "the number of the next sprite"))
    g.h.next_id = entries["next"]
    g.h.n_sprites = whole(entries["count"], 0, BIG, "the count of sprites")
    if r.has_extra:
        for row in sprites:
            fill_extra(g, extra(g, at(g, slots[row[1]])), row[width - 1], slots)
    for i, avatar in enumerate(of_each(r, entries["avatar"])):
        if avatar is not None:
            slot = slots.get(whole(avatar, 0, BIG, "the avatar"), -1)
            if slot < 0 or not r.types[at(g, slot).type].flags & K_AVATAR:
                raise Wrong("the avatar is not among the sprites, or no avatar")
            g.h.avatar[i] = slot
    for tick, effect, alone in reversed(timers):        # each goes before those of its tick
        insert_timer(
            g, whole(effect, 0, r.n_effects - 1, "an effect"), whole(tick, -BIG, BIG, "a tick"), whole(alone, 0, 1, "alone"),
        )
    fill_events(g, rows_of(entries["events"], 8, "events"))
    if type_list(entries["scored"]):
        for i in entries["scored"]:
            whole(i, 0, r.n_flag_words * 64 - 1, "a line of effects")
            g.score_flags[i >> 6] |= (<uint64_t>1) << (i & 63)
    random = entries["random"]
    if type_list(random) and len(random) == 2:
        most = (1 << 64) - 1 if g.h.fast_rng else (1 << 48) - 1
        g.h.rng, g.h.side_rng = whole(random[0], 0, most, "the generator"), whole(random[1], 0, (1 << 64) - 1, "the generator")
    else:
        raise Wrong("the generator has two numbers")
    g.h.tick = whole(entries["tick"], 0, MAX_TICKS + 1, "the tick")
    for i in range(r.n_players):
        g.h.score[i] = real(of_each(r, entries["score"])[i], "the score")
        g.h.winner[i] = whole(of_each(r, entries["winner"])[i], -1, 1, "the winner")
        g.h.last_action[i] = whole(of_each(r, entries["action"])[i], 0, 5, "the last action")
    for name in ("ended", "may_end", "asked"):
        if entries[name] not in (True, False):
            raise Wrong(f"{name} is true or false")
    g.h.ended, g.h.may_end, g.h.counts_changed = entries["ended"], entries["may_end"], entries["asked"]


def type_list(value):
    if type(value) is not list:
        raise Wrong(f"{value!r} is no list")
    return True


cdef object fill_fixtures(Sim* g, gone):
    cdef const Rules* r = g.rules
    cdef int i
    type_list(gone)
    missing = {whole(index, 0, r.n_fixtures - 1, "a fixture") for index in gone}
    for i in range(r.n_fixtures):
        if i not in missing:
            g.alive[i >> 6] |= (<uint64_t>1) << (i & 63)
            g.groups[r.fixture_type[i]].fixtures += 1
            g.h.fixed |= r.types[r.fixture_type[i]].bit


cdef object fill_sprites(Sim* g, rows, next_id):
    """Make the sprites; returns their slots by number."""
    cdef const Rules* r = g.rules
    cdef Sprite* s
    cdef int k, slot
    cdef int16_t type
    slots = {}
    before = (-1, -1)
    for row in rows:
        type, id = whole(row[0], 0, r.n_types - 1, "a type"), whole(row[1], 0, next_id - 1, "a sprite's number")
        if (type, id) <= before or id in slots:
            raise Wrong(f"sprites stand by type and then by number, each once; {row[:2]} does not")
        before = (type, id)
        g.h.next_id = id
        slot = add(
            g, type, whole(row[2], -FAR, FAR, "a place"), whole(row[3], -FAR, FAR, "a place"), True,
        )
        if slot < 0:
            raise Wrong(f"there can be no sprites of type {type}")
        slots[id] = slot
        s = at(g, slot)
        s.lx, s.ly = whole(row[4], -FAR, FAR, "a place"), whole(row[5], -FAR, FAR, "a place")
        s.ox, s.oy, s.speed = real(row[6], "a direction"), real(row[7], "a direction"), real(row[8], "a speed")
        s.lastmove, s.a, s.b, s.ttl, s.health, s.max_health = [whole(value, -BIG, BIG, "a counter") for value in row[9:15]]
        s.flags = <uint16_t>((s.flags & ~KEPT_FLAGS) | (<int>whole(row[15], 0, KEPT_FLAGS, "flags") & KEPT_FLAGS))
        if r.n_resources:
            held = row[16]
            if type_list(held) and len(held) != r.n_resources:
                raise Wrong(f"a sprite holds {r.n_resources} resources")
            for k in range(r.n_resources):
                resources(s)[k] = ABSENT if held[k] is None else whole(held[k], -BIG, BIG, "a resource")
    return slots


cdef object fill_extra(Sim* g, Extra* e, row, slots):
    cdef const Rules* r = g.rules
    cdef int k
    if type_list(row) and len(row) != 12:
        raise Wrong("what physics and hunting remember has 12 entries")
    e.gravity, e.rotation = real(row[0], "gravity"), real(row[1], "a rotation")
    e.on_ground, e.last_shot = whole(row[2], 0, 1, "on the ground"), whole(row[3], -BIG, BIG, "a tick")
    e.stype = whole(row[4], -1, r.n_types - 1, "a type")
    swaps = rows_of(row[5], 2, "swaps")
    if len(swaps) > 4:
        raise Wrong("there are at most 4 swaps")
    e.n_swaps = len(swaps)
    for k, (old, new) in enumerate(swaps):
        e.swap_from[k], e.swap_to[k] = whole(old, -1, r.n_types - 1, "a type"), whole(new, -1, r.n_types - 1, "a type")
    e.target = NONE_REF
    if row[6] is not None:
        kind, number = rows_of([row[6]], 2, "targets")[0]
        if kind == "fixture":
            e.target = ~<int32_t>whole(number, 0, r.n_fixtures - 1, "a fixture")
            e.target_id = r.fixture_id[~e.target]
        else:       # where the target is gone, a slot that nobody has
            e.target_id = whole(number, 0, BIG, "a sprite's number")
            e.target = slots.get(number, MAX_SLOTS)
    e.target_x, e.target_y = whole(row[7], -FAR, FAR, "a place"), whole(row[8], -FAR, FAR, "a place")
    e.known = whole(row[9], 0, 1, "known")
    e.known_x, e.known_y = whole(row[10], -FAR, FAR, "a place"), whole(row[11], -FAR, FAR, "a place")


cdef object fill_events(Sim* g, rows):
    """The history, oldest first: whole chunks, and the rest in the block."""
    cdef const Rules* r = g.rules
    cdef Event event
    cdef Chunk* chunk
    cdef int n = len(rows), whole_chunks = max(n - 1, 0) // INLINE_EVENTS, i
    for i, row in enumerate(rows):
        event.tick = whole(row[0], 0, MAX_TICKS + 1, "a tick")
        event.active, event.passive = whole(row[1], 0, r.n_types - 1, "a type"), whole(row[2], 0, r.n_types - 1, "a type")
        event.from_avatar = whole(row[3], 0, 1, "from the avatar")
        event.x, event.y = whole(row[4], -2 * FAR, 2 * FAR, "a place"), whole(row[5], -2 * FAR, 2 * FAR, "a place")
        event.active_id, event.passive_id = whole(row[6], -1, BIG, "a number"), whole(row[7], -1, BIG, "a number")
        if i < whole_chunks * INLINE_EVENTS:
            if i % INLINE_EVENTS == 0:
                chunk = <Chunk*>calloc(1, sizeof(Chunk))
                if chunk == NULL:
                    raise MemoryError
                chunk.older, chunk.references = g.h.chunk, 1
                g.h.chunk = chunk
            g.h.chunk.events[g.h.chunk.n] = event
            g.h.chunk.n += 1
        else:
            g.h.events[g.h.n_inline] = event
            g.h.n_inline += 1
        g.h.n_events += 1
