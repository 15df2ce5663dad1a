# Boards as planes of bytes: one for the pieces of each role, and one that is all ones when the second role is to move.

from libc.stdint cimport uint8_t

from paidia.core.bits cimport Bits, test

cdef enum:
    N_PLANES = 3


cdef inline int check_planes(uint8_t[:, :, ::1] out, int rows, int columns) except -1:
    """Refuse an array of another shape."""
    if out.shape[0] != rows or out.shape[1] != columns or out.shape[2] != N_PLANES:
        raise ValueError(f"the planes of this board are an array of {rows} x {columns} x {N_PLANES} bytes")
    return 0


cdef inline int fill_planes(uint8_t[:, :, ::1] out, int rows, int columns, const Bits* pieces, int mover) except -1:
    """Write the sets of cells of the two roles; cell row * columns + column is out[row, column]."""
    cdef int row, column, cell = 0
    check_planes(out, rows, columns)
    for row in range(rows):
        for column in range(columns):
            out[row, column, 0] = test(&pieces[0], cell)
            out[row, column, 1] = test(&pieces[1], cell)
            out[row, column, 2] = mover
            cell += 1
    return 0
