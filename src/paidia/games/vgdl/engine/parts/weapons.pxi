# What avatars shoot with.

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
    shot.flags |= SHOT


cdef void use_weapon(Sim* g, Sprite* s) noexcept nogil:
    cdef const Type* t = type_of(g, s)
    cdef int weapon
    for weapon in range(t.n_stypes):
        if has_ammo(t, s, weapon):
            shoot(g, s, weapon)
            return
