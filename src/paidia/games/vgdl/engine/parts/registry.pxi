# The units of the engine: effects, sprite classes, terminations. Each declares its word beside its C function with one of the
# calls below; the number of a unit is its place in the list of those that have been declared, and means nothing else.

cdef enum:
    MOST_UNITS = 512

cdef effect_t RUN[MOST_UNITS]           # by code of an effect
cdef end_t ENDS[MOST_UNITS]             # by code of a termination
cdef update_t UPDATE[MOST_UNITS]        # by code of a sprite class; NULL: as its parent
cdef steer_t STEER[MOST_UNITS]

EFFECT_CODE = {}
_END_CODE = {}
_CLASS_CODE = {}


cdef int enter(word, dict words, dict codes, fields) except -1:
    """Enter a word in its list; returns its code."""
    cdef int code = len(codes)
    if word.name in words or code == MOST_UNITS:
        raise ValueError(f"the VGDL word {word.name} is declared twice, or there are too many words")
    if fields is not None and len(own_parameters(word)) > N_OWN:
        raise ValueError(f"{word.name} has more parameters of its own than there is room for (N_OWN in engine/layout.pxd)")
    words[word.name] = word
    codes[word.name] = code
    return code


def own_parameters(word):
    """The parameters that no field of the struct `Effect` is named after: the effect finds them in `e.own`, in this order."""
    fields = blank_effect()
    return [key for key, (kind, _) in word.parameters.items() if key not in fields and kind != "text"]


cdef object effect(effect_t run, word):
    """An effect: what `run` does with two sprites, of which those in `word.sprites` are there."""
    RUN[enter(word, EFFECTS, EFFECT_CODE, blank_effect())] = run


cdef object sprite_class(update_t update, word):
    """A class of sprites and what each does in its turn; NULL: what its parent does, without one it drifts and ages."""
    UPDATE[enter(word, SPRITE_CLASSES, _CLASS_CODE, None)] = update


cdef object avatar_class(steer_t steer, word):
    """A class of avatars and what it does with an action; NULL: what its parent does."""
    STEER[enter(word, SPRITE_CLASSES, _CLASS_CODE, None)] = steer


cdef object termination(end_t holds, word):
    """A termination and when it holds."""
    ENDS[enter(word, TERMINATIONS, _END_CODE, None)] = holds


cdef object bind_class(Type* t, str name):
    """Give a type the functions of its class."""
    t.update = NULL
    t.steer = NULL
    while name:
        if t.update == NULL:
            t.update = UPDATE[<int>_CLASS_CODE[name]]
        if t.steer == NULL:
            t.steer = STEER[<int>_CLASS_CODE[name]]
        name = SPRITE_CLASSES[name].parent
    if t.update == NULL:
        t.update = drift_and_age


# -------------------------------------------------------------------- rows for the tables

cdef object blank_effect():
    cdef Effect blank
    memset(&blank, 0, sizeof(Effect))
    return blank


def effect_row(str name):
    """The fields of the struct `Effect` for an effect, without parameters."""
    word = EFFECTS[name]
    row = blank_effect()
    row["code"] = EFFECT_CODE[name]
    row["traits"] = (
        (ON_FIRST if "1" in word.sprites else 0) | (ON_SECOND if "2" in word.sprites else 0)
        | (TOGETHER if word.together else 0) | (MOVES_ALL if word.moves_all else 0)
    )
    row["first_time"] = row["delegate"] = -1
    return row


def end_row(str name):
    """The fields of the struct `End` for a termination, without parameters."""
    cdef End blank
    memset(&blank, 0, sizeof(End))
    word = TERMINATIONS[name]
    cdef dict row = blank
    row["code"], row["every_tick"], row["asked_again"] = _END_CODE[name], word.every_tick, word.asked_again
    return row


def given_row():
    """The fields of the struct `Given`: the parameters that behaviours read."""
    cdef Given blank
    memset(&blank, 0, sizeof(Given))
    return blank


def behaves(str name):
    """Whether sprites of a class do more in their turn than drift and age."""
    cdef Type t
    bind_class(&t, name)
    return t.update != drift_and_age
