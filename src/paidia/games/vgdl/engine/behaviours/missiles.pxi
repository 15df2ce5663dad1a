# Sprites that fly straight on.

sprite_class(NULL, SpriteClass("Missile", "flies straight on", defaults={"speed": 1.0}, oriented=True, record=True))


cdef void fly_somewhere(Sim* g, Sprite* s, const Type* t) noexcept nogil:
    cdef int direction
    if s.ox == -1 and s.oy == -1:
        direction = draw_int(g, 4)
        s.ox = step_x(direction)
        s.oy = step_y(direction)
    drift(g, s)


sprite_class(fly_somewhere, SpriteClass(
    "RandomMissile", "a Missile whose direction is drawn at random", "Missile",
    defaults={"orientation": Dir(-1, -1)}, chance=True,
))
sprite_class(NULL, SpriteClass("ErraticMissile", "a Missile", "Missile", parameters={"prob": ("chance", 0.0)}))
