# What selection, playout, backup and final-move strategies have in common.

from paidia.core.model cimport Rules, Situation
from paidia.core.control cimport Controller
from paidia.search.frame.simulation cimport Simulation
from paidia.search.statistics.actions cimport ActionTable
from paidia.search.statistics.amaf cimport AmafTables
from paidia.search.statistics.ngrams cimport NgramTable


# An option that is true or false; without it "no" would count as true.
cdef bint flag(str option, object value) except -1


cdef class Strategy:
    cdef Controller controller      # who sets the parameters; asked in every state if it is `per_state`
    cdef ActionTable actions        # shared statistics: there only if some strategy of the search needs them
    cdef NgramTable ngrams
    cdef AmafTables amaf
    cdef bint ahead                 # the time before the game is being used
    cdef bint bound                 # a search has it: its buffers fit that game, so it cannot serve another
    cdef bint failed                # a strategy written in Python raised; the search stops and re-raises `error`
    cdef object error

    cdef void fail(self, object error) noexcept

    # A simulation is over and its goals are known: learn from it. `root` is the state it started from.
    cdef void after_simulation(self, Situation root, Simulation* sim) noexcept nogil
