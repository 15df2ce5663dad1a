/* The kernel for one kind of word; see lanes.h. A plane is W words of type V, VBYTES long each. No include guard: lanes.h
   includes it several times. */

#define WORDS64 (W * VBYTES / 8)        /* 64-lane words of a plane */
#define LANES (64 * WORDS64)
#define PLANE(i) ((V*)planes + (size_t)(i) * W)
#define EACH for (int w = 0; w < W; w++)

TARGET static void NAME(run)(const LanesRoutine* routine, void* planes) {
    static const void* const label[] = {
        [LANES_AND] = &&op_and, [LANES_ANDNOT] = &&op_andnot, [LANES_OR] = &&op_or, [LANES_XOR] = &&op_xor,
        [LANES_XOR3] = &&op_xor3, [LANES_MAJORITY] = &&op_majority, [LANES_MAJORITY_NOT] = &&op_majority_not,
        [LANES_SELECT] = &&op_select, [LANES_SELECT_NOT] = &&op_select_not, [LANES_NOT] = &&op_not, [LANES_ZERO] = &&op_zero,
        [LANES_OUT] = &&op_copy, [LANES_OUT_NOT] = &&op_copy_not, [LANES_MARK] = &&op_mark, [LANES_LOOP] = &&op_loop,
        [LANES_GROW] = &&op_grow, [LANES_GROW_NOT] = &&op_grow_not, [LANES_END] = &&op_end, [LANES_ADD] = &&op_add,
        [LANES_ADD_NOT] = &&op_add_not, [LANES_STOP] = &&op_stop};
    const LanesOp* at = routine->ops;
    const LanesOp* begin = at;
    const LanesOp* end;
    V changed[W];
#define AT(offset) ((V*)((char*)planes + (offset)))
    /* A run of equal operations: a row with the operation and the number of rows that follow. */
#define RUN(...) for (end = at + at->to, at++; at <= end; at++) { \
        V *to = AT(at->to); const V *a = AT(at->a), *b = AT(at->b), *c = AT(at->c); \
        (void)b; (void)c; EACH { __VA_ARGS__; } } goto *label[at->op]
    if (routine->code) {
        routine->code(planes);
        return;
    }
    EACH changed[w] = (V){0};
    goto *label[at->op];
op_and: RUN(to[w] = a[w] & b[w]);
op_andnot: RUN(to[w] = ~a[w] & b[w]);
op_or: RUN(to[w] = a[w] | b[w]);
op_xor: RUN(to[w] = a[w] ^ b[w]);
op_xor3: RUN(to[w] = a[w] ^ b[w] ^ c[w]);
op_majority: RUN(to[w] = (a[w] & b[w]) | (c[w] & (a[w] | b[w])));
op_majority_not: RUN(to[w] = (b[w] & c[w]) | (~a[w] & (b[w] | c[w])));
op_select: RUN(to[w] = (a[w] & b[w]) | (~a[w] & c[w]));
op_select_not: RUN(to[w] = (~b[w] & a[w]) | (~a[w] & c[w]));
op_not: RUN(to[w] = ~a[w]);
op_zero: RUN((void)a; to[w] = (V){0});
op_copy: RUN(to[w] = a[w]);
op_copy_not: RUN(to[w] = ~a[w]);
op_grow: RUN(V more = to[w] | a[w]; changed[w] |= more ^ to[w]; to[w] = more);
op_grow_not: RUN(V more = to[w] | ~a[w]; changed[w] |= more ^ to[w]; to[w] = more);
    /* Sum and carry of three bits; in the second form a is denied for the carry. */
op_add: RUN(V* carry = AT(at->d); V x = a[w], y = b[w], z = c[w], either = x ^ y;
            to[w] = either ^ z; carry[w] = (x & y) | (either & z));
op_add_not: RUN(V* carry = AT(at->d); V x = a[w], y = b[w], z = c[w], either = y ^ z;
                to[w] = either ^ x; carry[w] = (y & z) | (~x & either));
op_loop:
    begin = at;
    EACH changed[w] = (V){0};
    at++;
    goto *label[at->op];
op_end: {
    const uint64_t* bits = (const uint64_t*)changed;
    uint64_t any = 0;
    for (int i = 0; i < WORDS64; i++) any |= bits[i];
    if (any) {
        at = begin;
        EACH changed[w] = (V){0};
    }
    at++;
    goto *label[at->op];
}
op_mark:
op_stop:
    return;
#undef AT
#undef RUN
}

/* The next random planes. Generators of even 32-lane words stand in one vector, those of odd ones in the next, so that their
   outputs fit together by shifting. */
TARGET static void NAME(draw)(uint64_t* state, void* planes, int n) {
    V* generator = (V*)state;
    for (int i = 0; i < n; i++) {
        V* to = PLANE(i);
        EACH {
            V even = generator[2 * w], odd = generator[2 * w + 1];
            V low = (even ^ (even >> 32)) & 0xFFFFFFFFu, high = (odd ^ (odd >> 32)) << 32;
            to[w] = low | high;
            generator[2 * w] = MULTIPLY(even) + (even >> 32);
            generator[2 * w + 1] = MULTIPLY(odd) + (odd >> 32);
        }
    }
}

/* Generators in the order of their words -> the order of `draw`. */
static void NAME(deal)(const uint64_t* state, uint64_t* dealt) {
    const int per = VBYTES / 8;         /* 64-lane words of a vector */
    for (int i = 0; i < WORDS64; i++) {
        const int w = i / per, k = i % per;
        dealt[2 * w * per + k] = state[2 * i];
        dealt[(2 * w + 1) * per + k] = state[2 * i + 1];
    }
}

/* Count the goals of some lanes, from what was put aside: the goals themselves, or the fluents they follow from. */
static void NAME(tally_goals)(const LanesGame* game, char* pool, const uint64_t* who, LanesTally* tally) {
    uint64_t once[WORDS64], twice[WORDS64];
    const uint64_t* goals = (const uint64_t*)pool;
    if (game->goals_at < 0) {
        NAME(run)(&game->goals, pool);
        goals += (size_t)game->n_fluents * WORDS64;
    }
    int g = 0;
    while (g < game->n_goals) {
        const int role = game->goal_role[g], first = g;
        uint64_t several = 0;
        memset(once, 0, sizeof once);
        memset(twice, 0, sizeof twice);
        for (; g < game->n_goals && game->goal_role[g] == role; g++)
            for (int i = 0; i < WORDS64; i++) {
                const uint64_t bits = goals[g * WORDS64 + i] & who[i];
                twice[i] |= once[i] & bits;
                once[i] |= bits;
            }
        for (int i = 0; i < WORDS64; i++) several |= twice[i];
        for (int h = first; h < g; h++) {
            int64_t n = 0;
            for (int i = 0; i < WORDS64; i++) n += __builtin_popcountll(goals[h * WORDS64 + i] & who[i] & ~twice[i]);
            tally->goal_count[h] += n;
        }
        if (several)        /* the rules should not say so, but some do: the mean counts */
            for (int lane = 0; lane < LANES; lane++)
                if (twice[lane >> 6] >> (lane & 63) & 1) {
                    double sum = 0;
                    int n = 0;
                    for (int h = first; h < g; h++)
                        if (goals[h * WORDS64 + (lane >> 6)] >> (lane & 63) & 1) {
                            sum += game->goal_value[h];
                            n++;
                        }
                    tally->goal_sum[role] += sum / n;
                    tally->goal_square[role] += sum / n * (sum / n);
                    tally->goal_best[role] += sum / n >= 1;
                }
    }
}

TARGET static int NAME(play)(
    const LanesGame* game, const uint64_t* state, const int32_t* quota, int64_t limit, LanesTally* tally) {
    const size_t bytes = (size_t)W * VBYTES;
    char* planes = (char*)aligned_alloc(LANES_ALIGN, (game->step_planes * bytes + 63) & ~(size_t)63);
    char* pool = (char*)aligned_alloc(LANES_ALIGN, (game->goal_planes * bytes + 63) & ~(size_t)63);
    uint64_t* dealt = (uint64_t*)aligned_alloc(LANES_ALIGN, 2 * bytes < 64 ? 64 : 2 * bytes);
    int64_t* begun = (int64_t*)calloc(LANES, sizeof(int64_t));
    int32_t* played = (int32_t*)calloc(LANES, sizeof(int32_t));
    uint64_t active[WORDS64] __attribute__((aligned(64))), pooled[WORDS64] __attribute__((aligned(64)));
    uint64_t ended[WORDS64] __attribute__((aligned(64)));
    int64_t step = 0, n_active = 0;
    uint64_t square = 0;
    const int words = WORDS64;
    const int n_aside = game->goals_at >= 0 ? game->n_goals : game->n_fluents;
    const char* aside;
    if (!planes || !pool || !dealt || !begun || !played) {
        free(planes); free(pool); free(dealt); free(begun); free(played);
        return -1;
    }
    memset(planes, 0, game->step_planes * bytes);
    aside = game->goals_at >= 0 ? planes + game->goals_at * bytes : planes;
    memset(pool, 0, game->goal_planes * bytes);
    memset(active, 0, sizeof active);
    memset(pooled, 0, sizeof pooled);
    for (int i = 0; i < game->n_fluents; i++)
        if (game->initial[i]) memset(planes + i * bytes, 0xFF, bytes);
    NAME(deal)(state, dealt);
    for (int lane = 0; lane < LANES; lane++)
        if (quota[lane] > 0) {
            active[lane >> 6] |= 1ull << (lane & 63);
            n_active++;
        }
    for (; n_active; step++) {
        const uint64_t* over = (const uint64_t*)(planes + game->over * bytes);
        uint64_t any = 0;
        NAME(draw)(dealt, planes + game->n_fluents * bytes, game->n_random);
        NAME(run)(&game->look, planes);
        int64_t going = 0;
        for (int i = 0; i < words; i++) {
            ended[i] = over[i] & active[i];
            any |= ended[i];
            going += __builtin_popcountll(active[i] & ~over[i]);
        }
        tally->steps += going;
        tally->decisions += going;
        for (int k = 0; k < game->n_counts; k++) {
            const uint64_t* count = (const uint64_t*)(planes + (game->counts + k) * bytes);
            int64_t n = 0;
            for (int i = 0; i < words; i++) n += __builtin_popcountll(count[i] & active[i] & ~over[i]);
            tally->legal += n * game->count_weight[k];
        }
        if (any) {
            /* What goals follow from is put aside, and goals are counted when a lane would have to be put aside twice. */
            uint64_t again = 0;
            for (int i = 0; i < words; i++) again |= pooled[i] & ended[i];
            if (again) {
                NAME(tally_goals)(game, pool, pooled, tally);
                memset(pooled, 0, sizeof pooled);
            }
            for (int i = 0; i < n_aside; i++) {
                V* to = (V*)(pool + i * bytes);
                const V *from = (const V*)(aside + i * bytes), *mask = (const V*)ended;
                EACH to[w] = (to[w] & ~mask[w]) | (from[w] & mask[w]);
            }
            for (int i = 0; i < words; i++) pooled[i] |= ended[i];
            for (int i = 0; i < words; i++) {
                uint64_t bits = ended[i];
                while (bits) {
                    const int lane = 64 * i + __builtin_ctzll(bits);
                    const int64_t length = step - begun[lane];
                    bits &= bits - 1;
                    tally->games++;
                    square += (uint64_t)length * (uint64_t)length;
                    if (length < tally->shortest) tally->shortest = length;
                    if (length > tally->longest) tally->longest = length;
                    begun[lane] = step + 1;
                    if (++played[lane] == quota[lane]) {
                        active[i] &= ~(1ull << (lane & 63));
                        n_active--;
                    }
                }
            }
        }
        NAME(run)(&game->move, planes);
        if ((step & 1023) == 1023)      /* games that do not end are stopped, sooner or later */
            for (int lane = 0; lane < LANES; lane++)
                if (step - begun[lane] >= limit && active[lane >> 6] >> (lane & 63) & 1) {
                    tally->cut++;
                    tally->steps -= step + 1 - begun[lane];
                    begun[lane] = step + 1;
                    for (int i = 0; i < game->n_fluents; i++) {
                        uint64_t* word = (uint64_t*)(planes + i * bytes) + (lane >> 6);
                        *word = (*word & ~(1ull << (lane & 63))) | (uint64_t)game->initial[i] << (lane & 63);
                    }
                    if (++played[lane] == quota[lane]) {
                        active[lane >> 6] &= ~(1ull << (lane & 63));
                        n_active--;
                    }
                }
    }
    NAME(tally_goals)(game, pool, pooled, tally);
    tally->square += (double)square;
    free(planes); free(pool); free(dealt); free(begun); free(played);
    return 0;
}

#undef WORDS64
#undef LANES
#undef PLANE
#undef EACH
#undef W
#undef NAME
