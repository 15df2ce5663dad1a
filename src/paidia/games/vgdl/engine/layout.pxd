# How a VGDL game lies in memory.
#
# `Rules` is everything that never changes during a game: it is shared by all states. A state is ONE block of
# memory:
#
#     Head | GroupState[n_types] | bits of living fixtures | score flags of effects | heads of cells | Sprites
#
# so that copying a state is one memcpy. Sprites that can neither move nor change (walls, floors, dirt) are
# *fixtures*: they stand in a table of the Rules and a state holds one bit for each, "still there". All others
# have a record, linked into the list of their type (in the order of creation, which is the order the language
# prescribes) and into the list of the cell of their top left corner. A sprite is named by a reference: a
# record by its slot (>= 0), a fixture by ~index (< 0).

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    NONE_REF = -2147483647      # no sprite (EOS and TIME effects have no second one)
    MAX_SLOTS = 32000
    MAX_SPRITES = 10000         # beyond this nothing is created
    MAX_PLAYERS = 2             # avatars that are played
    MAX_TICKS = 2000
    FAR = 1 << 24               # no coordinate goes beyond this
    ABSENT = -2147483647 - 1    # a resource the sprite never held
    N_OWN = 4                   # parameters that an effect may have for itself
    INLINE_EVENTS = 12          # events kept in the block; older ones are in shared chunks

cdef enum:      # flags of a sprite
    FIRST_TICK = 1      # has not been updated yet
    DISABLED = 2        # a killed avatar
    KILLED = 4          # leaves at the end of the tick
    SHOT = 8            # the avatar made it
    ORIENTED = 16
    FIXTURE = 32        # a temporary image of a fixture
    OFF_X = 64          # not flush with a column (row) of cells, so it touches two
    OFF_Y = 128

cdef enum:      # flags of a type
    K_AVATAR = 1
    K_RESOURCE = 2
    K_STATIC = 4
    K_STILL = 8         # no passive movement: is_static or only_active
    K_STATIONARY = 16
    K_ROTATE = 32       # rotateInPlace
    K_HIDDEN = 64
    K_CONT = 128        # continuous physics
    K_SOLID = 256
    K_INERT = 512       # its update does nothing but remember where it was
    K_STANDS = 1024     # looks for solid ground under its feet
    K_LEADS = 2048      # what it makes, chases or leads to is where teleportToExit goes
    K_SPAWNS = 4096     # updateSpawnType changes what it makes

cdef enum:      # traits of an effect
    ON_FIRST = 1        # does nothing without its first (second) sprite
    ON_SECOND = 2
    TOGETHER = 4        # runs once for all sprites that the first one meets
    MOVES_ALL = 8       # may move sprites that stand in neither place

cdef enum:      # which of its score changes an effect earned
    NO_SCORE, SCORE, SCORE_KILLED

# The units of the engine: what an effect does, a sprite in its turn, an avatar with an action, a termination.
ctypedef struct Sim
ctypedef struct Effect
ctypedef struct Type
ctypedef struct End
ctypedef struct Sprite
ctypedef int (*effect_t)(Sim* g, const Effect* e, Sprite* s1, Sprite* s2) noexcept nogil
ctypedef void (*update_t)(Sim* g, Sprite* s, const Type* t) noexcept nogil
ctypedef void (*steer_t)(Sim* g, Sprite* s, const Type* t, int action) noexcept nogil
ctypedef bint (*end_t)(Sim* g, const End* e) noexcept nogil


ctypedef struct Sprite:
    int32_t x
    int32_t y
    int32_t lx          # where it was when its update began
    int32_t ly
    double ox           # orientation
    double oy
    double speed
    uint64_t near       # filter bits of the fixtures in the cells it touches (may name some that are gone)
    int32_t id          # number of its creation
    int32_t slot
    int32_t lastmove
    int32_t a           # Flicker: age; NPC: count of repeated moves; SpawnPoint: how many it made
    int32_t b           # NPC: previous direction, 0 = none; SpawnPoint: tick of its first update + 1
    int32_t ttl
    int32_t health
    int32_t max_health
    int16_t next        # in the list of its type; -1 ends it. In the list of free slots while it is free
    int16_t prev
    int16_t cell_next   # in the list of its cell
    int16_t cell_prev
    int16_t column      # of its top left corner, in a grid with one more cell all around
    int16_t row
    uint16_t type
    uint16_t flags
    # followed by int32_t resources[n_resources] and, where the rules need it, one Extra


ctypedef struct Extra:
    double gravity
    double rotation
    int32_t on_ground           # stands on something solid; CarAvatar: drives backwards
    int32_t last_shot           # WizardAvatar: tick of the last block it made
    int32_t stype               # what a SpawnPoint makes; -1: what its type says
    int32_t n_swaps             # BomberRandomMissile: types in its list that were replaced
    int32_t swap_from[4]
    int32_t swap_to[4]
    int32_t target              # PathAltChaser: reference of the last target, NONE_REF if it never had one
    int32_t target_id
    int32_t target_x
    int32_t target_y
    int32_t known               # a last known position is stored
    int32_t known_x
    int32_t known_y


ctypedef struct GroupState:
    int16_t head
    int16_t tail
    int32_t records             # sprites of exactly this type with a record
    int32_t fixtures            # and without one


ctypedef struct Event:
    int32_t tick
    int16_t active
    int16_t passive
    int32_t from_avatar
    int32_t x
    int32_t y
    int32_t active_id
    int32_t passive_id


ctypedef struct Chunk:
    Chunk* older
    int32_t references
    int32_t n
    Event events[INLINE_EVENTS]


ctypedef struct Head:
    double score[MAX_PLAYERS]
    uint64_t rng                # the game's generator
    uint64_t side_rng           # for the one choice that the reference makes outside its generator
    uint64_t present            # filter bits of the types that have records
    uint64_t fixed              # filter bits of the types that have fixtures
    Chunk* chunk
    int32_t tick
    int32_t avatar[MAX_PLAYERS]     # slot of each player's avatar, or -1
    int32_t n_sprites           # as the limit on sprites counts them
    int32_t next_id
    int32_t used                # slots below this have been used
    int32_t n_free              # free slots below `used`
    int32_t free_head
    int32_t timers              # first pending time effect (a slot), -1 if none
    int32_t n_events
    int32_t n_inline
    int8_t fast_rng
    int8_t winner[MAX_PLAYERS]  # -1 while the game is open, 0 lost, 1 won
    int8_t ended
    int8_t last_action[MAX_PLAYERS]
    int8_t may_end              # StopCounter
    int8_t counts_changed       # since the terminations were last looked at
    Event events[INLINE_EVENTS]


ctypedef struct Vector:
    double x
    double y


ctypedef struct Given:
    # Parameters that behaviours read, by their names in the language. Numbers only: a dictionary becomes a Given by name.
    int ammoCost
    int cons
    int limit               # Flicker: life span; Resource: how many may be held
    int maxDistance
    int minAmmo
    int spawnBehind
    int total
    int value
    bint airsteering
    bint fleeing
    bint randomTarget
    double air_slowdown_factor
    double angle_diff
    double epsilon
    double friction
    double gravity
    double ground_speedup_factor
    double jump_strength
    double mass
    double max_speed
    double prob
    double probability
    double spreadprob
    Vector spawnorientation


ctypedef struct Type:
    int flags
    int cooldown
    int limit_health
    int w
    int h
    int resource            # column of the resource that this type is, -1 if none
    int resource_limit
    int category
    int n_family            # types(t), then those of its children: the order in which groups are visited
    int n_singles
    int n_stypes            # what it shoots, spawns, chases, leads to
    int n_ammo
    int n_actions
    int first_fixture       # its fixtures are a range of the table
    int n_fixtures
    uint64_t bit            # in the filters
    update_t update         # what its class does in a tick; NULL: the type has no class
    steer_t steer           # avatars: what it does with an action
    const int16_t* family
    const int16_t* singles      # itself and ancestors that may exist only once
    const int16_t* stypes
    const int16_t* ammo         # columns of resources
    const int16_t* rank         # of another type in this type's family + 1; 0 = not in it
    const int32_t* actions
    Given given
    Sprite image                # a new sprite of this type


ctypedef struct Effect:
    # Numbers only: a row of the tables becomes an Effect by the names of its fields.
    int code                # place of its function in the engine's list
    int traits
    int line                # effects written on one line share it: pullWithIt's memory, score flags
    int first_time          # tick of the first execution of a time effect
    int delegate            # addTimer: effect that runs later
    int resource_limit      # how much of `resource` a sprite may hold
    # Parameters, by their names in the language. Sprites are types; resources are columns; a list is its place in `Rules.lists`.
    int estype
    int ftype               # an effect's code
    int geq
    int heldResource
    int leq
    int limit
    int notStype            # a list
    int resource
    int scoreChange
    int scoreChange2        # of the second player
    int scoreChangeIfKilled
    int scoreChangeIfKilled2
    int spawnPoint
    int spend
    int stype
    int stypeCount
    int stypeTo
    int stype_other
    int subTypesNum
    int timer
    bint align
    bint forceOrientation
    bint killResource
    bint killSecond
    bint orient
    bint pixelPerfect
    bint repeating
    bint stepBack
    bint subtract
    bint takeOrientation
    double limspeed
    double offset
    double prob
    double value
    double own[N_OWN]       # parameters of one effect alone, in the order in which it declares them


ctypedef struct Rule:
    int first               # type, or -1
    int second
    int effect
    bint pairs_of_fixtures  # at the start some fixtures of the two types share a cell
    uint64_t first_bits
    uint64_t second_bits
    int n_first             # types of the families that can exist at all
    int n_second
    const int16_t* first_types
    const int16_t* second_types


ctypedef struct End:
    # Numbers only, as Effect.
    int code
    bint every_tick         # asked in every tick, not only when sprites came or went
    bint asked_again        # what it says may release others that come before it
    int counted             # a list: all types counted, with repetitions where families overlap
    int limit
    int subTypesNum
    bint count_score
    bint min
    bint win
    bint win2               # of the second player


ctypedef struct Rules:
    int n_players
    int n_types
    int n_resources
    int n_fixtures
    int n_effects
    int n_rules
    int n_edges
    int n_times
    int n_ends
    int n_updates
    int n_order
    int width
    int height
    int block
    int pixel_width
    int pixel_height
    int columns             # width + 2
    int spare               # slots that have to be free before an update or effect runs
    int max_w
    int max_h
    bint uniform            # every sprite is one block large
    bint has_extra
    bint has_paths
    bint has_ground         # some sprites look for solid ground under their feet
    uint64_t reciprocal     # of the block size, for the cell of a pixel
    uint64_t bits_reused    # filter bits that stand for several types
    # layout of the block
    int groups_at
    int alive_at
    int flags_at
    int cells_at
    int records_at
    int n_cells
    int n_words
    int n_flag_words
    int stride
    int extra_at
    Type* types
    Effect* effects
    Rule* rules             # pairs, in the order in which they are visited
    Rule* edges             # EOS: one per visit and effect
    int* times              # effects that start as time effects
    Rule* time_rules        # by effect: whose sprites it is run on
    End* ends
    int16_t* updates        # types in update order
    int16_t* order          # drawing order
    int16_t* lists          # lists of types, each how many and then which
    int16_t* resource_types  # type of each column of resources
    # fixtures, sorted by type and then by creation
    int32_t* fixture_x
    int32_t* fixture_y
    int32_t* fixture_id
    int16_t* fixture_type
    int32_t* cell_first     # range of `cell_fixtures` for each cell
    int32_t* cell_fixtures
    uint64_t* cell_bits
    int8_t* paths           # first step between two cells: 0 none, 1-4 a direction


ctypedef struct Shield:
    int first
    int second
    int code


ctypedef struct Pulled:
    int line
    int id


# A sprite that overlaps the one whose turn it is; the key is its place in the order of the lists.
ctypedef struct Hit:
    uint64_t key
    int32_t ref


# Memory of one state that is empty between two ticks and therefore never copied.
ctypedef struct Scratch:
    int32_t* kills
    int n_kills
    int cap_kills
    uint64_t* killed            # bits of the fixtures killed in this tick
    Hit* hits
    int n_hits
    int cap_hits
    int32_t* candidates
    int cap_candidates
    Shield* shields
    int n_shields
    int cap_shields
    Pulled* pulled
    int n_pulled
    int cap_pulled
    Sprite image1               # fixtures that an effect is being applied to
    Sprite image2


ctypedef struct Sim:
    const Rules* rules
    char* block
    int capacity                # slots that the block has room for
    Head* h
    GroupState* groups
    uint64_t* alive
    uint64_t* score_flags
    int16_t* cells
    char* records
    Scratch s


cdef inline Sprite* at(Sim* g, int slot) noexcept nogil:
    return <Sprite*>(g.records + <size_t>slot * g.rules.stride)


cdef inline int32_t* resources(Sprite* s) noexcept nogil:
    return <int32_t*>(<char*>s + sizeof(Sprite))


cdef inline Extra* extra(Sim* g, Sprite* s) noexcept nogil:
    return <Extra*>(<char*>s + g.rules.extra_at)


cdef inline const Type* type_of(Sim* g, const Sprite* s) noexcept nogil:
    return &g.rules.types[s.type]


cdef inline bint overlap(Sim* g, const Sprite* p, const Sprite* q) noexcept nogil:
    """Whether two rectangles share some area."""
    cdef int dx = p.x - q.x
    cdef int dy = p.y - q.y
    cdef int n = g.rules.block
    if g.rules.uniform:
        return -n < dx and dx < n and -n < dy and dy < n
    return (
        -dx < g.rules.types[p.type].w and dx < g.rules.types[q.type].w
        and -dy < g.rules.types[p.type].h and dy < g.rules.types[q.type].h
    )


cdef inline int player_of(Sim* g, const Sprite* s) noexcept nogil:
    """Whose avatar a sprite is, -1 if nobody's."""
    cdef int player
    if not s.flags & FIXTURE:
        for player in range(MAX_PLAYERS):
            if g.h.avatar[player] == s.slot:
                return player
    return -1


cdef inline void earn(Sim* g, const Effect* e) noexcept nogil:
    """Give the score of an effect."""
    g.h.score[0] += e.scoreChange
    g.h.score[1] += e.scoreChange2


cdef inline bint fixture_alive(Sim* g, int index) noexcept nogil:
    return (g.alive[index >> 6] >> (index & 63)) & 1


cdef inline int truncated(double value) noexcept nogil:
    """Toward zero, and never so large that sums of two overflow."""
    if value > FAR:
        return FAR
    if value < -FAR:
        return -FAR
    return <int>value


cdef inline int axis_cell(const Rules* r, int x, int n) noexcept nogil:
    """Column (row) of a pixel in the grid with a margin; everything outside is in the margin."""
    cdef int cell
    if x < 0:
        return 0
    cell = <int>((<uint64_t>x * r.reciprocal) >> 32) + 1
    return cell if cell <= n else n + 1
