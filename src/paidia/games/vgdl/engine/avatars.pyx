"""What the controlled avatar does with an action: one branch per family of avatar classes."""

from libc.stdint cimport int32_t
from libc.stdlib cimport abs

from paidia.games.vgdl.engine.continuous cimport update_continuous_avatar
from paidia.games.vgdl.engine.layout cimport (
    A_DOWN, A_LEFT, A_RIGHT, A_UP, A_USE, ABSENT, AimedAvatar, DISABLED, FROM_AVATAR, FlakAvatar, K_CONT,
    MissileAvatar, OngoingAvatar, OngoingShootAvatar,
    OngoingTurningAvatar, ORIENTED, OrientedAvatar, PlatformerAvatar, ShootAvatar, ShootOnlyAvatar, Sim,
    Sprite, Type, at, resources, truncated, type_of,
)
from paidia.games.vgdl.engine.movement cimport MOVED, STILL, before_update, normalised
from paidia.games.vgdl.engine.sprites cimport add, room
from paidia.games.vgdl.engine.walking cimport drift, walk


cdef inline double action_x(int action) noexcept nogil:
    return (action == A_RIGHT) - (action == A_LEFT)


cdef inline double action_y(int action) noexcept nogil:
    return (action == A_DOWN) - (action == A_UP)


cdef void face_movement(Sprite* s) noexcept nogil:
    """Look where the last step went."""
    cdef double dx = s.x - s.lx
    cdef double dy = s.y - s.ly
    normalised(&dx, &dy)
    s.ox = dx
    s.oy = dy


cdef bint has_ammo(const Type* t, Sprite* s, int weapon) noexcept nogil:
    if t.n_ammo == 0 or weapon >= t.n_ammo:
        return True
    if t.ammo[weapon] < 0:
        return False
    return resources(s)[t.ammo[weapon]] > 0


cdef void shoot(Sim* g, Sprite* s, int weapon) noexcept nogil:
    """Fire one weapon along the orientation. A shot that may not exist costs nothing."""
    cdef const Type* t = type_of(g, s)
    cdef double dx = s.ox, dy = s.oy
    cdef int slot
    cdef Sprite* shot
    normalised(&dx, &dy)
    slot = add(g, t.stypes[weapon], truncated(s.x + dx * t.w), truncated(s.y + dy * t.h), False)
    if slot < 0:
        return
    shot = at(g, slot)
    if shot.flags & ORIENTED:
        shot.ox = dx
        shot.oy = dy
    if weapon < t.n_ammo and t.ammo[weapon] >= 0 and resources(s)[t.ammo[weapon]] > 0:
        resources(s)[t.ammo[weapon]] -= 1
    shot.flags |= FROM_AVATAR


cdef void use_weapon(Sim* g, Sprite* s) noexcept nogil:
    cdef const Type* t = type_of(g, s)
    cdef int weapon
    for weapon in range(t.n_stypes):
        if has_ammo(t, s, weapon):
            shoot(g, s, weapon)
            return


cdef void drop_flak(Sim* g, Sprite* s) noexcept nogil:
    cdef const Type* t = type_of(g, s)
    cdef int slot, held
    cdef int32_t* stock = NULL
    if t.n_ammo > 0:
        if t.ammo[0] < 0:
            return
        stock = &resources(s)[t.ammo[0]]
        held = stock[0]
        if held == ABSENT or held <= (t.min_ammo if t.min_ammo > -1 else 0):
            return
    if t.n_stypes == 0:
        return
    slot = add(g, t.stypes[0], s.x, s.y, False)
    if slot < 0:
        return
    if stock != NULL:
        stock[0] -= t.ammo_cost
    at(g, slot).flags |= FROM_AVATAR


cdef void update_avatar(Sim* g, int action) noexcept nogil:
    """Phase A of a tick."""
    cdef Sprite* s
    cdef const Type* t
    cdef double dx = action_x(action), dy = action_y(action)
    cdef bint pressed = dx != 0 or dy != 0
    cdef int moved, weapon
    if g.h.avatar < 0 or at(g, g.h.avatar).flags & DISABLED:
        return
    room(g)
    g.h.last_action = action
    s = at(g, g.h.avatar)
    t = type_of(g, s)
    before_update(s)
    if PlatformerAvatar <= t.cls:
        update_continuous_avatar(g, s, action, dx, dy)
        if t.cls == AimedAvatar and action == A_USE:
            use_weapon(g, s)
    elif t.cls == MissileAvatar:
        drift(g, s)
    elif t.cls == OngoingTurningAvatar:
        if pressed and s.ox * dx + s.oy * dy == 0:
            s.ox = dx
            s.oy = dy
        drift(g, s)
        if abs(s.x - s.lx) >= t.w or abs(s.y - s.ly) >= t.h:
            add(g, t.spawn_behind, s.lx, s.ly, False)
    elif t.cls == OngoingAvatar or t.cls == OngoingShootAvatar:
        if pressed:
            s.ox = dx
            s.oy = dy
        drift(g, s)
        if t.cls == OngoingShootAvatar and action == A_USE:
            use_weapon(g, s)
    elif t.cls == ShootOnlyAvatar:
        weapon = 0 if action == A_LEFT else 1 if action == A_UP else 2 if action == A_RIGHT else 3
        if action == A_USE:
            weapon = 4
        if (pressed or action == A_USE) and weapon < t.n_stypes and has_ammo(t, s, weapon):
            shoot(g, s, weapon)
    else:
        if t.flags & K_CONT:
            drift(g, s)
        moved = walk(g, s, dx, dy, s.speed)
        if t.cls == OrientedAvatar or t.cls == ShootAvatar:
            if moved == MOVED and not t.flags & K_CONT:
                face_movement(s)
            if t.cls == ShootAvatar and moved == STILL and action == A_USE:
                use_weapon(g, s)
        elif t.cls == FlakAvatar and moved == STILL and action == A_USE:
            drop_flak(g, s)
