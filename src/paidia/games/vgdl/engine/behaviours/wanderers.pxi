# Sprites that go where chance takes them.

cdef void wander(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    drift(g, s)
    act(g, s, random_move(g, s))


sprite_class(wander, SpriteClass(
    "RandomNPC", "takes a random direction and keeps it for `cons` further steps",
    defaults={"speed": 1.0}, parameters={"cons": ("int", 0)}, npc=True, chance=True,
))


cdef void stray(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef int direction = draw_int(g, 4)
    drift_freely(g, s)
    active_force(g, s, step_x(direction), step_y(direction), s.speed)


sprite_class(stray, SpriteClass(
    "RandomInertial", "gets a push in a random direction in every tick (continuous physics)", "RandomNPC",
    defaults={"physicstype": 1}, oriented=True,
))
