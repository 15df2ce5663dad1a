# Avatars that take steps.

cdef int take_step(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    """One step with an action; what `walk` says of it."""
    if t.flags & K_CONT:
        drift(g, s)
    return walk(g, s, action_x(action), action_y(action), s.speed)


cdef void steer_step(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    take_step(g, s, t, action)


avatar_class(steer_step, SpriteClass(
    "MovingAvatar", "takes steps in four directions", defaults={"speed": 1.0}, actions=("LEFT", "RIGHT", "DOWN", "UP"),
))
avatar_class(NULL, SpriteClass("HorizontalAvatar", "takes steps left and right", "MovingAvatar", actions=("LEFT", "RIGHT")))
avatar_class(NULL, SpriteClass("VerticalAvatar", "takes steps up and down", "MovingAvatar", actions=("UP", "DOWN")))
avatar_class(NULL, SpriteClass("NullAvatar", "can do nothing", "HorizontalAvatar", actions=("NIL",)))


cdef void face_movement(Sprite* s) noexcept nogil:
    """Look where the last step went."""
    cdef double dx = s.x - s.lx
    cdef double dy = s.y - s.ly
    normalised(&dx, &dy)
    s.ox = dx
    s.oy = dy


cdef int take_step_and_look(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    cdef int moved = take_step(g, s, t, action)
    if moved == MOVED and not t.flags & K_CONT:
        face_movement(s)
    return moved


cdef void steer_oriented(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil:
    take_step_and_look(g, s, t, action)


avatar_class(steer_oriented, SpriteClass(
    "OrientedAvatar", "takes steps and looks where it goes", "MovingAvatar",
    defaults={"orientation": Dir(1, 0), "rotateInPlace": True}, oriented=True,
))
