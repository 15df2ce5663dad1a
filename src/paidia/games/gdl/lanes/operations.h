/* What an operation of a lane program makes of a, b and c: one order for the schedule and the processors. What runs without us
 * (portable.py, and with it the GPU's table) writes the same order down as `Op`; tests/games/gdl/lanes compares the two. */
#ifndef PAIDIA_LANE_OPERATIONS_H
#define PAIDIA_LANE_OPERATIONS_H
enum {
    LANES_AND,
    LANES_ANDNOT,                   /* ~a & b */
    LANES_OR,
    LANES_XOR,
    LANES_XOR3,
    LANES_MAJORITY,                 /* at least two of a, b, c */
    LANES_MAJORITY_NOT,             /* at least two of ~a, b, c */
    LANES_SELECT,                   /* a ? b : c */
    LANES_SELECT_NOT,               /* a ? ~b : c */
    LANES_NOT,
    LANES_ZERO,
    LANES_OUT,                      /* plane b becomes a */
    LANES_OUT_NOT,                  /* plane b becomes ~a */
    LANES_MARK,                     /* end of part a */
    LANES_LOOP,                     /* what follows, up to END, is done until nothing changes */
    LANES_GROW,                     /* in a loop: the value becomes itself or a */
    LANES_GROW_NOT,
    LANES_END,
    LANES_ADD,                      /* of those who run a schedule: XOR3 into one plane, MAJORITY into another */
    LANES_ADD_NOT,
    LANES_STOP
};
#endif
