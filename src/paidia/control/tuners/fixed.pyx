# distutils: extra_compile_args = -O1
"""Fixed: the same values in every simulation, for every role (P_BASE, OFFLINE and SUB-OPT are of this kind).

Parameters that are not named keep what the search itself has set.
"""

import math

import msgspec

from paidia.control import CONTROLLERS
from paidia.control.combinations cimport MAX_PARAMETERS
from paidia.control.tuner import columns_of
from paidia.core.control cimport Controller
from paidia.core.errors import BadInput


class FixedSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The value of each parameter that is to be set."""

    values: dict[str, float] = {}


cdef class Fixed(Controller):
    """Writes its values and learns nothing."""

    Settings = FixedSettings
    cdef readonly object settings
    cdef int n
    cdef int n_roles
    cdef int columns[MAX_PARAMETERS]
    cdef double values[MAX_PARAMETERS]

    def __init__(self, settings):
        if len(settings.values) > MAX_PARAMETERS:
            raise BadInput(f"at most {MAX_PARAMETERS} parameters can be set")
        for name, value in settings.values.items():
            if math.isnan(value):
                raise BadInput(f"parameter {name} cannot be 'nan'")
        self.settings = settings

    def begin_game(self, int n_roles, list names, seed):
        """Find the columns of the parameters."""
        self.n = len(self.settings.values)
        self.n_roles = n_roles
        for i, column in enumerate(columns_of(list(self.settings.values), names)):
            self.columns[i] = column
            self.values[i] = self.settings.values[names[column]]

    cdef void begin_simulation(self, double* vectors, int width) noexcept nogil:
        cdef int r, i
        for r in range(self.n_roles):
            for i in range(self.n):
                vectors[r * width + self.columns[i]] = self.values[i]


CONTROLLERS.add("fixed", Fixed)
