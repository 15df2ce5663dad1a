# Avatars that fall and jump (continuous physics).

cdef void jump(Sim* g, Sprite* s) noexcept nogil:
    cdef const Type* t = type_of(g, s)
    s.oy = 0
    active_force(g, s, 0, -t.given.jump_strength, s.speed)
    s.lastmove = t.cooldown
    shift(g, s, 0, -1, 5)


cdef void run_and_jump(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    cdef double dx = action_x(action), slowdown = t.given.air_slowdown_factor
    drift_freely(g, s)
    if dx != 0:
        if extra(g, s).on_ground:
            active_force(g, s, dx * t.given.ground_speedup_factor, 0, s.speed)
        else:
            active_force(g, s, dx / (slowdown if slowdown != 0 else 1.0), 0, s.speed)
    if action == USE and extra(g, s).on_ground:
        jump(g, s)


cdef void steer_platformer(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    run_and_jump(g, s, t, action)
    extra(g, s).on_ground = 0


avatar_class(steer_platformer, SpriteClass(
    "PlatformerAvatar", "runs on the ground and jumps", "MovingAvatar",
    defaults={"jump_strength": 10.0, "max_speed": 30.0}, actions=("LEFT", "RIGHT", "USE"),
    parameters={"ground_speedup_factor": ("real", 1.0), "air_slowdown_factor": ("real", 2.0)},
    stands=True, extra=True,
))


cdef void build_block(Sim* g, Sprite* s) noexcept nogil:
    """WizardAvatar: a block in front of it, at most every five ticks."""
    cdef const Type* t = type_of(g, s)
    cdef int i, slot
    cdef double side = -1.2 if s.ox < 0 else 1.2
    if g.h.tick - extra(g, s).last_shot < 5:
        return
    extra(g, s).last_shot = g.h.tick
    for i in range(t.n_stypes):
        slot = add(g, t.stypes[i], truncated(s.x + side * t.w), s.y, False)
        if slot >= 0:
            at(g, slot).flags |= SHOT


cdef void steer_wizard(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    run_and_jump(g, s, t, action)
    if action == UP:
        build_block(g, s)
    extra(g, s).on_ground = 0


avatar_class(steer_wizard, SpriteClass(
    "WizardAvatar", "a PlatformerAvatar that makes a `stype` in front of it, at most every five ticks", "PlatformerAvatar",
    parameters={"stype": ("types", "")}, actions=("LEFT", "RIGHT", "USE", "UP"),
))


cdef void steer_bird(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    drift_freely(g, s)
    if action == USE:
        s.oy = 0
        active_force(g, s, 0, -t.given.jump_strength, s.speed)
    active_force(g, s, 1 if fabs(s.ox) < 0.5 else 0, 0, s.speed)


avatar_class(steer_bird, SpriteClass(
    "BirdAvatar", "flies on and beats its wings", "OrientedAvatar",
    defaults={"jump_strength": 10.0}, actions=("USE",), extra=True,
))
