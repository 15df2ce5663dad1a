# Sprites that walk on the ground (continuous physics).

cdef void stroll(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef double side
    drift_freely(g, s)
    if t.given.airsteering or s.x == s.lx:
        side = 1 if s.ox > 0 else -1
        if s.ox == 0:
            side = 1 if draw_int(g, 2) else -1
        active_force(g, s, side, 0, t.given.max_speed)


cdef void patrol(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    stroll(g, s, t)
    if t.flags & K_CONT:
        extra(g, s).on_ground = 0


sprite_class(patrol, SpriteClass(
    "Walker", "walks until it is stopped, then on; with `airsteering` it is driven on in the air too",
    defaults={"speed": 5.0, "max_speed": 5.0}, parameters={"airsteering": ("bool", False)}, oriented=True, stands=True,
))


cdef void patrol_and_jump(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    stroll(g, s, t)
    if t.flags & K_CONT:
        if extra(g, s).on_ground and draw_real(g) < t.given.probability:
            active_force(g, s, 0, -t.given.jump_strength, s.speed)
        extra(g, s).on_ground = 0


sprite_class(patrol_and_jump, SpriteClass(
    "WalkerJumper", "a Walker that jumps with `probability`", "Walker",
    defaults={"jump_strength": 10.0}, parameters={"probability": ("chance", 0.1)}, chance=True,
))
