# The rows of `tables.py` become the C tables of `layout.pxd`, and the level becomes the first block.

from paidia.games.vgdl.engine.layout cimport Rules, Sim

cdef object fill_rules(Rules* r, list memory, tables)
cdef object build_start(Sim* g, const Rules* r, tables)
