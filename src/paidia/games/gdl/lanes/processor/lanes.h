/* Lanes on the processor: the operations of a lane program over blocks of lanes, and the loop that plays games with them.

   kernel.h is included once for each kind of machine word and block size; which of them runs is decided when a program is
   loaded. All of them make the same planes, bit for bit. */
#ifndef PAIDIA_LANES_H
#define PAIDIA_LANES_H
#include "paidia/games/gdl/lanes/operations.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LANES_MULTIPLIER 4294883355u   /* of the random planes; see program.py */

typedef struct {
    int32_t op, to, a, b, c, d;     /* planes, as bytes from the first; `d` is the second that an operation writes */
} LanesOp;

typedef void (*LanesCode)(void* planes);

typedef struct {
    const LanesOp* ops;             /* interpreted, unless `code` is there */
    int32_t n_ops;
    LanesCode code;
} LanesRoutine;

typedef struct {
    LanesRoutine look, move, goals; /* the two parts of a step, and goals for themselves */
    int32_t n_fluents, n_random;
    int32_t over;                   /* planes of a step: `over`, .. */
    int32_t counts, n_counts;       /* .. the bits of how many moves are legal .. */
    int32_t goals_at, n_goals;      /* .. and goals; -1: only the routine `goals` has them, behind its fluents */
    const int32_t* count_weight;    /* by plane of the counts: 1, 2, 4, .. */
    const int32_t* goal_role;
    const double* goal_value;
    const uint8_t* initial;
    int32_t n_roles;
    int32_t step_planes, goal_planes;
} LanesGame;

typedef struct {
    int64_t games, steps, cut;      /* games to their end; joint moves in them; games that were stopped */
    int64_t shortest, longest;
    double square;                  /* sum of squared lengths */
    int64_t decisions, legal;       /* states with choices of moves in which somebody moved; legal moves in them */
    int64_t* goal_count;            /* by goal: how often it was its role's only one */
    double* goal_sum;               /* by role: where it had several, the sum of their means */
    double* goal_square;            /* and of their squares */
    double* goal_best;              /* how many of those were 1 */
} LanesTally;

/* One block of lanes plays `quota[lane]` games in each; `state` are the generators of its 32-lane words. */
typedef int (*LanesPlay)(const LanesGame* game, const uint64_t* state, const int32_t* quota, int64_t limit, LanesTally* tally);
typedef void (*LanesRun)(const LanesRoutine* routine, void* planes);
typedef void (*LanesDraw)(uint64_t* state, void* planes, int n_random);

typedef struct {
    const char* name;
    int32_t lanes;                  /* of a block */
    LanesPlay play;
    LanesRun run;
    LanesDraw draw;
} LanesWidth;

#if defined(__GNUC__)
#define LANES_ALIGN 64

typedef uint64_t lanes_plain;
#define V lanes_plain
#define VBYTES 8
#define TARGET
#define MULTIPLY(x) (((x) & 0xFFFFFFFFu) * (uint64_t)LANES_MULTIPLIER)
#define W 4
#define NAME(x) x##_plain
#include "paidia/games/gdl/lanes/processor/kernel.h"
#undef V
#undef VBYTES
#undef TARGET
#undef MULTIPLY

#ifdef __x86_64__
#include <immintrin.h>
typedef uint64_t lanes_256 __attribute__((vector_size(32)));
#define V lanes_256
#define VBYTES 32
#define TARGET __attribute__((target("avx2")))
#define MULTIPLY(x) ((V)_mm256_mul_epu32((__m256i)(x), _mm256_set1_epi64x(LANES_MULTIPLIER)))
#define W 1
#define NAME(x) x##_avx2_1
#include "paidia/games/gdl/lanes/processor/kernel.h"
#define W 2
#define NAME(x) x##_avx2_2
#include "paidia/games/gdl/lanes/processor/kernel.h"
#define W 4
#define NAME(x) x##_avx2_4
#include "paidia/games/gdl/lanes/processor/kernel.h"
#undef V
#undef VBYTES
#undef TARGET
#undef MULTIPLY

typedef uint64_t lanes_512 __attribute__((vector_size(64)));
#define V lanes_512
#define VBYTES 64
#define TARGET __attribute__((target("avx512f")))
#define MULTIPLY(x) ((V)_mm512_mul_epu32((__m512i)(x), _mm512_set1_epi64(LANES_MULTIPLIER)))
#define W 1
#define NAME(x) x##_avx512_1
#include "paidia/games/gdl/lanes/processor/kernel.h"
#define W 2
#define NAME(x) x##_avx512_2
#include "paidia/games/gdl/lanes/processor/kernel.h"
#undef V
#undef VBYTES
#undef TARGET
#undef MULTIPLY
#endif

/* The widths that this machine has, the widest words last. */
static int lanes_widths(LanesWidth* out) {
    int n = 0;
    out[n++] = (LanesWidth){"plain", 256, play_plain, run_plain, draw_plain};
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) {
        out[n++] = (LanesWidth){"avx2", 256, play_avx2_1, run_avx2_1, draw_avx2_1};
        out[n++] = (LanesWidth){"avx2", 512, play_avx2_2, run_avx2_2, draw_avx2_2};
        out[n++] = (LanesWidth){"avx2", 1024, play_avx2_4, run_avx2_4, draw_avx2_4};
    }
    if (__builtin_cpu_supports("avx512f")) {
        out[n++] = (LanesWidth){"avx512", 512, play_avx512_1, run_avx512_1, draw_avx512_1};
        out[n++] = (LanesWidth){"avx512", 1024, play_avx512_2, run_avx512_2, draw_avx512_2};
    }
#endif
    return n;
}
#else
static int lanes_widths(LanesWidth* out) { (void)out; return 0; }
#endif
#endif
