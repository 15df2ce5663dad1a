"""Ranger: a forager that looks after itself, scouts, and waits for its shots.

Eight things are added to the `forager`, each of which can be switched off by its setting:

    provisions   touching a sprite may restore health or fill a store. What each type gave is learned beside the score, and makes
                 the type worth going to the more the less is left:

                     weight(type) += 4 * need * min(1, mean health gained) + min(1, mean units gained) / (2 + 2 * units held)
                     need = provisions * max( max(0, 1 - 2 * health / most)^2, 2 - health / (loss * way) within [0, 1] )

                 most: the most it ever had; loss: units of health lost per tick of the game, once two are; way: width + height
                 of the level, ticks that it may take to get anywhere. Who would be dead in that time is in full need. The map
                 counts 1 + 20 * need * min(10, largest change of the score seen) times, so that who is short of breath lets
                 points go, but does not run into death
    care         a simulation that ends with more health than the root has is better by
                 care * log2 of the quotient of (1 + health)
    far          the map counts at least so much, however far away all that is worth going to is
    scouts       every n-th simulation teaches the map only: it walks on from the root for up to 40 ticks, keeping its direction
                 for a while, and so meets what a tree of a few moves never gets to. So does the start clock, where a scout counts
                 for ten simulations
    flight       what the avatar has shot and is still in the air when a simulation ends flies on for so many ticks at most, the
                 avatar waiting; points that it wins count, whatever becomes of the avatar meanwhile. Once 48 flights of a tick
                 have won nothing only every eighth is followed, until one does
    vanish       many games are won when the last sprite of a type is gone, and say nothing of it before. After `idle` ticks
                 without a higher score, types of which there are 20 at most, that the avatar (or its shots) can make fewer of,
                 and that nothing makes more of, are goals: a simulation that ends with fewer of them is better by
                 vanish * sum of the shares that are gone (at most one), and  weight(type) += vanish / count^2
    restless     who thinks long may wait for ever: what flees keeps its distance in every line that is looked at. After
                 `idle` ticks without a higher score every second stretch of 50 ticks is played with so many simulations a tick
                 at most, which goes straight for what is near
    breach       what the avatar never thinks of may happen once the way is clear, of others too. After `breach` ticks without a
                 higher score all types that can vanish count, however many there are: a simulation that ends with `gone` of them
                 fewer is better by  vanish * (1 - 2^-gone),  weight(type) += vanish,  and points that it lost do not count

A design of this project, no paper's.
"""

from libc.math cimport INFINITY, exp2, log2
from libc.stdint cimport int64_t
from libc.stdlib cimport free
from libc.string cimport memset

from paidia.core.arcade cimport FROM_AVATAR, NIL, ArcadeGame, ArcadeState, Avatar, Collision, Seen
from paidia.core.machine.memory cimport calloc
from paidia.core.machine.rng cimport rng_below
from paidia.core.model cimport LOST, WON, move_t, play_alone
from paidia.search.evaluation.base cimport score_of
from paidia.search.frame.scale cimport on_scale, widen
from paidia.search.planners.foraging.forager cimport PULL, Forager
from paidia.search.planners.foraging.interest cimport Interest, units_held
from paidia.search.planners.foraging.olets cimport Olets

from paidia.core.errors import BadInput
from paidia.search.planners.foraging.forager import ForagerSettings
from paidia.search.registry import SEARCHES

cdef enum:
    NEWEST = 8          # collisions looked at in one step
    SCOUTED = 40        # ticks of a scout
    STEADY = 8          # ticks at most that it keeps its direction
    FEW = 20            # sprites of a type that should vanish
    IN_VAIN = 48        # flights without points
    STEADILY = 2        # units lost before losses count as steady
    STRETCH = 50        # ticks of thinking less

ctypedef struct Given:
    # What meeting a type of sprite gave.
    double n
    double health
    double units
    bint fewer          # meeting or shooting one has made them fewer
    bint more           # in the game there have been more of them than in the tick before
    int count           # in the root


class RangerSettings(ForagerSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Those of the forager, and what is added; 0 switches each of them off.

    `scouts`: every so many simulations one scouts. `flight`: ticks that shots are followed. `idle` and `breach`: ticks without a
    higher score.
    """

    provisions: float = 1.0
    care: float = 1.0
    far: float = 1.0
    scouts: int = 32
    flight: int = 16
    vanish: float = 0.5
    restless: int = 400
    breach: int = 300
    idle: int = 100


cdef class Provisions(Interest):
    """A map that knows what restores health and fills stores."""

    cdef Given* given               # by type
    cdef double need, factor
    cdef double vanish              # how much it counts now that there are fewer of a type, 0 unless the avatar is idle
    cdef bint breach                # whether it does now, however many there are
    cdef int health, lost           # in the root of the last map; units lost in this game so far
    cdef int held, held_before      # units: in the root, before the present step of a simulation

    def __cinit__(self, ArcadeGame game not None):
        self.given = <Given*>calloc(max(1, self.n_types), sizeof(Given))
        if self.given == NULL:
            raise MemoryError
        self.factor = 1.0

    def __dealloc__(self):
        free(self.given)

    def observe(self, ArcadeState before not None, ArcadeState after not None):
        """Learn from a step, as a simulation does."""
        self.held_before = units_held(before, self.n_types)
        Interest.observe(self, before, after)

    def wishes(self):
        """What health and stores add to the weight of each type, as the last map was drawn."""
        return [self.wish(type) for type in range(self.n_types)]

    def meetings(self):
        """How often the avatar met each type in simulations."""
        return [self.given[type].n for type in range(self.n_types)]

    @property
    def needy(self):
        """How much the avatar of the last map's root is in need of health, from 0 to 1."""
        return self.need

    cdef void forget(self) noexcept nogil:
        Interest.forget(self)
        if self.given != NULL:
            memset(self.given, 0, self.n_types * sizeof(Given))
        self.health = self.lost = 0

    cdef void learn(self, ArcadeState state, const Avatar* before, double score, int n_collisions) noexcept nogil:
        cdef Collision new[NEWEST]
        cdef Avatar after
        cdef int i, n = state.c_n_collisions() - n_collisions, units
        Interest.learn(self, state, before, score, n_collisions)
        if n <= 0:
            return
        units = units_held(state, self.n_types)
        n = state.c_collisions(min(n, <int>NEWEST), new)
        state.c_avatar(&after)
        for i in range(n):
            if state.c_count(new[i].passive) < self.given[new[i].passive].count:
                self.given[new[i].passive].fewer = True
            if not new[i].from_avatar:
                self.given[new[i].passive].n += 1.0
                self.given[new[i].passive].units += units - self.held_before
                if after.type == before.type:
                    self.given[new[i].passive].health += after.health - before.health
        self.held_before = units

    cdef void draw(self, ArcadeState root) noexcept nogil:
        cdef Avatar avatar
        cdef double short
        cdef int type, count
        for type in range(self.n_types):
            count = root.c_count(type)
            self.given[type].more = self.given[type].more or (root.c_tick() > 0 and count > self.given[type].count)
            self.given[type].count = count
        root.c_avatar(&avatar)
        self.held = units_held(root, self.n_types)
        short = 1.0 - 2.0 * avatar.health / max(1, avatar.max_health)
        short = short * short if short > 0.0 and avatar.max_health > 0 else 0.0
        self.lost += max(0, self.health - avatar.health)
        self.health = avatar.health
        if self.lost >= STEADILY:
            short = max(short, min(1.0, 2.0 - <double>avatar.health * root.c_tick() / self.lost / (self.width + self.height)))
        self.need = self.factor * short
        Interest.draw(self, root)

    cdef double wish(self, int type) noexcept nogil:
        cdef const Given* got = &self.given[type]
        cdef double weight = 0.0
        if got.n > 0.0 and self.factor > 0.0:
            weight = 4.0 * self.need * max(0.0, min(1.0, got.health / got.n))
            weight += max(0.0, min(1.0, got.units / got.n)) / (2.0 + 2.0 * self.held)
        if self.vanish > 0.0 and self.unwanted(got):
            weight += self.vanish if self.breach else self.vanish / (<double>got.count * got.count)
        return weight

    cdef double urgency(self) noexcept nogil:
        return 1.0 + 20.0 * self.need * min(10.0, self.largest)

    cdef bint unwanted(self, const Given* got) noexcept nogil:
        """Whether the last sprite of a type should go."""
        return got.fewer and not got.more and 0 < got.count and (self.breach or got.count <= FEW)

    cdef double vanished(self, ArcadeState state) noexcept nogil:
        """How much of what should vanish is gone, 1 at most."""
        cdef double share = 0.0
        cdef int type, gone = 0
        for type in range(self.n_types):
            if self.unwanted(&self.given[type]):
                gone += self.given[type].count - state.c_count(type)
                share += 1.0 - <double>state.c_count(type) / self.given[type].count
        return 1.0 - exp2(-max(0, gone)) if self.breach else max(0.0, min(1.0, share))


cdef class Ranger(Forager):
    """A forager that looks after itself."""

    Settings = RangerSettings

    cdef Provisions provisions
    cdef ArcadeState later          # where shots fly on
    cdef double care, vanish
    cdef int idle, restless, breach, scouts, flight, n_types
    cdef int64_t n_simulated
    cdef int root_health
    cdef int flights, hits          # in this tick: how often shots were followed, and won points
    cdef double highest             # score of this game
    cdef int waited                 # ticks since then

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        s = self.settings
        if min(s.provisions, s.care, s.scouts, s.flight, s.vanish, s.restless, s.breach, s.idle) < 0 or not 0 <= s.far <= 1:
            raise BadInput(
                "far lies between 0 and 1; provisions, care, scouts, flight, vanish, restless, breach and idle are 0 or more"
            )
        self.care, self.scouts, self.flight, self.vanish, self.idle = s.care, s.scouts, s.flight, s.vanish, s.idle
        self.restless, self.breach = s.restless, s.breach
        self.n_types = len(game.types)
        self.later = self.new_state()

    def reset(self):
        """Nothing is known of a new game."""
        Forager.reset(self)
        self.interest = self.provisions = Provisions(self.game)
        self.provisions.factor, self.provisions.least = self.settings.provisions, self.settings.far
        self.n_simulated = 0
        self.waited, self.highest = 0, -INFINITY

    def meetings(self):
        """How often the avatar met each type in simulations of this game."""
        return self.provisions.meetings()

    cdef move_t decide(self) noexcept nogil:
        cdef Avatar avatar
        (<ArcadeState>self.root).c_avatar(&avatar)
        self.root_health = avatar.health
        self.flights = self.hits = 0
        self.waited += 1
        if (<ArcadeState>self.root).c_score() > self.highest:
            self.highest, self.waited = (<ArcadeState>self.root).c_score(), 0
        self.provisions.breach = self.breach > 0 and self.waited >= self.breach
        self.provisions.vanish = self.vanish if self.waited >= self.idle or self.provisions.breach else 0.0
        if self.restless > 0 and self.waited >= self.idle and (self.waited - self.idle) // STRETCH % 2 == 0:
            if self.clock.limit == 0 or self.clock.limit > self.restless:
                self.clock.limit = self.restless
        return Forager.decide(self)

    cdef void prepare(self) noexcept nogil:
        if self.scouts == 0 or self.list_options(self.root) == 0:
            return
        self.root_score = score_of(self.root, 0)
        self.interest.draw(<ArcadeState>self.root)
        while (self.clock.limit == 0 or 10 * self.clock.done < self.clock.limit) and self.next_simulation():
            self.scout()

    cdef void stepped(self, move_t action, int depth) noexcept nogil:
        if depth == 1:
            self.provisions.held_before = units_held(<ArcadeState>self.root, self.n_types)
        Forager.stepped(self, action, depth)

    cdef void simulate(self) noexcept nogil:
        self.n_simulated += 1
        if self.scouts > 0 and self.n_simulated % self.scouts == 0:
            self.scout()
        else:
            Olets.simulate(self)

    cdef void scout(self) noexcept nogil:
        """A walk that only the map learns from."""
        cdef const move_t* actions = NULL
        cdef move_t action = NIL
        cdef int n, depth = 0, keep = 0
        cdef double score
        self.branch(self.state, self.root)
        while depth < SCOUTED:
            n = self.state.c_legal(0, &actions)
            if n == 0:
                break
            if keep == 0:
                action = actions[rng_below(&self.rng, n)]
                keep = 1 + <int>rng_below(&self.rng, STEADY)
            keep -= 1
            play_alone(self.state, action)
            self.steps += 1
            depth += 1
            self.stepped(action, depth)
        score = self.gain_of(self.state)
        widen(&self.bounds, score)
        self.end_simulation(score if self.controller.raw else on_scale(&self.bounds, score))

    cdef double bonus(self) noexcept nogil:
        cdef Avatar avatar
        cdef double value
        if self.state.c_terminal():
            return 0.0
        value = self.vector[PULL] * self.provisions.urgency() * self.interest.at(<ArcadeState>self.state)
        if self.care > 0.0 and self.root_health > 0:
            (<ArcadeState>self.state).c_avatar(&avatar)
            value += self.care * log2((1.0 + max(0, avatar.health)) / (1.0 + self.root_health))
        if self.provisions.vanish > 0.0:
            value += self.vanish * self.provisions.vanished(<ArcadeState>self.state)
        if self.provisions.breach:
            value += max(0.0, self.root_score - (<ArcadeState>self.state).c_score())
        if self.flight > 0:
            value += self.flown()
        return value

    cdef double flown(self) noexcept nogil:
        """Points that shots in the air still win."""
        cdef Seen shot
        cdef int _
        cdef double start, score
        if self.hits == 0 and self.flights >= IN_VAIN and self.n_simulated % 8 != 0:
            return 0.0
        if (<ArcadeState>self.state).c_seen(1 << FROM_AVATAR, &shot, 1) == 0:
            return 0.0
        self.flights += 1
        self.later.c_copy(self.state)
        start = score = self.later.c_score()
        for _ in range(self.flight):
            play_alone(self.later, NIL)
            self.steps += 1
            if self.later.c_winner(0) == LOST:
                break
            score = self.later.c_score()
            if self.later.c_winner(0) == WON:
                self.hits += 1
                return max(0.0, score - start) + self.terminal
            if self.later.c_terminal() or self.later.c_seen(1 << FROM_AVATAR, &shot, 1) == 0:
                break
        self.hits += score > start
        return max(0.0, score - start)


SEARCHES.add("ranger", Ranger)
