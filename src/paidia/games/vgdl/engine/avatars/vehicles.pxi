# Avatars that steer by turning (continuous physics).

cdef double steer_wheel(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    """Drift and turn; where it points now."""
    drift_freely(g, s)
    if action == LEFT:
        extra(g, s).rotation -= t.given.angle_diff
    elif action == RIGHT:
        extra(g, s).rotation += t.given.angle_diff
    return extra(g, s).rotation


cdef void steer_car(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    cdef double heading = steer_wheel(g, s, t, action)
    if action == UP:
        extra(g, s).on_ground = 0
    elif action == DOWN:
        extra(g, s).on_ground = 1       # reverse gear
    if extra(g, s).on_ground:
        heading += M_PI
    active_force(g, s, cos(heading), sin(heading), 5)


avatar_class(steer_car, SpriteClass(
    "CarAvatar", "drives on, forwards or backwards, and turns by `angle_diff`", "OrientedAvatar",
    defaults={"speed": 0.0}, parameters={"angle_diff": ("real", 0.15)}, extra=True,
))


cdef double thrust(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    cdef double heading = steer_wheel(g, s, t, action)
    if action == UP:
        active_force(g, s, cos(heading), sin(heading), s.speed)
    return heading


cdef void steer_lander(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    thrust(g, s, t, action)


avatar_class(steer_lander, SpriteClass(
    "LanderAvatar", "turns by `angle_diff` and fires its engine", "OrientedAvatar",
    defaults={"speed": 5.0}, parameters={"angle_diff": ("real", 0.3)}, actions=("LEFT", "RIGHT", "UP"), extra=True,
))


cdef void steer_spaceship(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    cdef double heading = thrust(g, s, t, action)
    cdef int slot
    if action == USE and t.n_stypes:
        slot = add(
            g, t.stypes[0], truncated(s.x + cos(heading) * t.w), truncated(s.y + sin(heading) * t.h), False,
        )
        if slot >= 0:
            at(g, slot).flags |= SHOT
            at(g, slot).ox = cos(heading)
            at(g, slot).oy = sin(heading)


avatar_class(steer_spaceship, SpriteClass(
    "SpaceshipAvatar", "turns by `angle_diff`, fires its engine, and shoots a `stype`", "ShootAvatar",
    defaults={"speed": 5.0}, parameters={"angle_diff": ("real", 0.3)}, actions=("USE", "LEFT", "RIGHT", "UP"), extra=True,
))
