# Avatars with weapons.

cdef void drop_flak(Sim* g, Sprite* s) noexcept nogil:
    cdef const Type* t = type_of(g, s)
    cdef int slot, held
    cdef int32_t* stock = NULL
    if t.n_ammo > 0:
        if t.ammo[0] < 0:
            return
        stock = &resources(s)[t.ammo[0]]
        held = stock[0]
        if held == ABSENT or held <= (t.given.minAmmo if t.given.minAmmo > -1 else 0):
            return
    if t.n_stypes == 0:
        return
    slot = add(g, t.stypes[0], s.x, s.y, False)
    if slot < 0:
        return
    if stock != NULL:
        stock[0] -= t.given.ammoCost
    at(g, slot).flags |= SHOT


cdef void steer_flak(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    if take_step(g, s, t, action) == STILL and action == USE:
        drop_flak(g, s)


avatar_class(steer_flak, SpriteClass(
    "FlakAvatar", "moves left and right and makes a `stype`, for `ammoCost` of `ammo` while it has more than `minAmmo`",
    "HorizontalAvatar",
    actions=("USE", "LEFT", "RIGHT"),
    parameters={"stype": ("type", ""), "ammo": ("type", ""), "ammoCost": ("int", 1), "minAmmo": ("int", -1)},
))


cdef void steer_shooter(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    if take_step_and_look(g, s, t, action) == STILL and action == USE:
        use_weapon(g, s)


avatar_class(steer_shooter, SpriteClass(
    "ShootAvatar", "moves, and shoots the first `stype` for which it has the `ammo` of the same place in the list",
    "OrientedAvatar",
    parameters={"stype": ("types", ""), "ammo": ("types", "")}, actions=("USE", "LEFT", "RIGHT", "DOWN", "UP"),
))


cdef void steer_turret(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    """Left, up, right, down and use are five weapons."""
    cdef int weapon = 0 if action == LEFT else 1 if action == UP else 2 if action == RIGHT else 3 if action == DOWN else 4
    if action != NIL and weapon < t.n_stypes and has_ammo(t, s, weapon):
        shoot(g, s, weapon)


avatar_class(steer_turret, SpriteClass(
    "ShootOnlyAvatar", "stands, and has a weapon for each action", "ShootAvatar",
    actions=("LEFT", "UP", "RIGHT", "DOWN", "USE"),
))


cdef void steer_aim(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    if action == UP:
        turn(s, -t.given.angle_diff)
    elif action == DOWN:
        turn(s, t.given.angle_diff)
    elif action == USE:
        use_weapon(g, s)


avatar_class(steer_aim, SpriteClass(
    "AimedAvatar", "stands, turns its gun by `angle_diff` and shoots", "ShootAvatar",
    defaults={"speed": 0.0, "stationary": True}, parameters={"angle_diff": ("real", 0.15)}, actions=("USE", "DOWN", "UP"),
))


cdef void turn(Sprite* s, double angle) noexcept nogil:
    """Rotate the orientation."""
    cdef double x = s.ox, y = s.oy
    s.ox = x * cos(angle) - y * sin(angle)
    s.oy = x * sin(angle) + y * cos(angle)
