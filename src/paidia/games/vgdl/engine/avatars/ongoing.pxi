# Avatars that never stop.

cdef void look_along(Sprite* s, int action) noexcept nogil:
    if action != NIL and action != USE:
        s.ox = action_x(action)
        s.oy = action_y(action)


cdef void steer_ongoing(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    look_along(s, action)
    drift(g, s)


avatar_class(steer_ongoing, SpriteClass("OngoingAvatar", "goes on in the direction last chosen", "OrientedAvatar"))


cdef void steer_ongoing_turns(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    if s.ox * action_x(action) + s.oy * action_y(action) == 0:     # no turning back
        look_along(s, action)
    drift(g, s)
    if abs(s.x - s.lx) >= t.w or abs(s.y - s.ly) >= t.h:
        add(g, t.given.spawnBehind, s.lx, s.ly, False)


avatar_class(steer_ongoing_turns, SpriteClass(
    "OngoingTurningAvatar", "goes on, turns but not back, and leaves a `spawnBehind` in every cell", "OrientedAvatar",
    parameters={"spawnBehind": ("type", "")},
))


cdef void steer_ongoing_shooter(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    steer_ongoing(g, s, t, action)
    if action == USE:
        use_weapon(g, s)


avatar_class(steer_ongoing_shooter, SpriteClass("OngoingShootAvatar", "goes on and shoots", "ShootAvatar"))


cdef void steer_missile(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    drift(g, s)


avatar_class(steer_missile, SpriteClass("MissileAvatar", "flies straight on, whatever is chosen", "OrientedAvatar"))
