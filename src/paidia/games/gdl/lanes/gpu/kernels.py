"""CUDA code that serves all games: planes to arrays, rewards, and the kernel that reads programs as tables."""

from __future__ import annotations

from typing import Any

from paidia.games.gdl.lanes.portable import MULTIPLIER, Op

__all__ = ["COMMON", "HEADER", "common"]

HEADER = r"""
typedef unsigned int u32;
typedef unsigned long long u64;
#define LUT(f, a, b, c, table) asm("lop3.b32 %0, %1, %2, %3, " #table ";" : "=r"(f) : "r"(a), "r"(b), "r"(c))
/* x' = low half * multiplier + high half; the output is low ^ high. As PTX: written in C it takes compilers minutes. */
#define DRAW(r, x) asm("{\n\t.reg .u32 low, high;\n\t.reg .u64 wide;\n\tmov.b64 {low, high}, %0;\n\txor.b32 %1, low, high;\n\t" \
    "cvt.u64.u32 wide, high;\n\tmad.wide.u32 %0, low, MULTIPLIER, wide;\n\t}" : "+l"(x), "=r"(r))
#define ALL 0xFFFFFFFFu
""".replace("MULTIPLIER", str(MULTIPLIER))

#: Planes to arrays, for all games. `first` is a plane; a warp takes 32 words of it, a thread the lane of each in turn.
COMMON = (
    HEADER
    + r"""
template <typename T> __device__ void spread(const u32* planes, u32 words, u32 first, u32 n, T* out) {
    const u32 base = blockIdx.x * 32;
    for (u32 j = blockIdx.y; j < n; j += gridDim.y) {
        const u32 mine = planes[(u64)(first + j) * words + base + threadIdx.x];
        for (u32 k = 0; k < 32; k++) {
            const u32 word = __shfl_sync(ALL, mine, k);
            out[((u64)(base + k) * 32 + threadIdx.x) * n + j] = (T)(word >> threadIdx.x & 1);
        }
    }
}
extern "C" __global__ void spread_bool(const u32* planes, u32 words, u32 first, u32 n, unsigned char* out) {
    spread(planes, words, first, n, out);
}
extern "C" __global__ void spread_float(const u32* planes, u32 words, u32 first, u32 n, float* out) {
    spread(planes, words, first, n, out);
}
extern "C" __global__ void spread_packed(const u32* planes, u32 words, u32 first, u32 n, unsigned char* out) {
    const u32 base = blockIdx.x * 32, bytes = (n + 7) / 8;
    for (u32 byte = blockIdx.y; byte < bytes; byte += gridDim.y) {
        u32 mine[8];
        for (u32 i = 0; i < 8; i++)
            mine[i] = byte * 8 + i < n ? planes[(u64)(first + byte * 8 + i) * words + base + threadIdx.x] : 0;
        for (u32 k = 0; k < 32; k++) {
            u32 found = 0;
            for (u32 i = 0; i < 8; i++) found |= (__shfl_sync(ALL, mine[i], k) >> threadIdx.x & 1) << i;
            out[((u64)(base + k) * 32 + threadIdx.x) * bytes + byte] = found;
        }
    }
}

/* Rewards of all roles where the game is over, else 0: the mean of the goals that hold. */
extern "C" __global__ void rewards(
    const u32* planes, u32 words, u32 over, u32 first, u32 n_goals, const int* role, const float* value, u32 n_roles, float* out,
    unsigned char* ended) {
    const u32 base = blockIdx.x * 32, mine = planes[(u64)over * words + base + threadIdx.x];
    const bool any = __any_sync(ALL, mine);
    for (u32 k = 0; k < 32; k++) {
        const u32 word = __shfl_sync(ALL, mine, k);
        const u64 lane = (u64)(base + k) * 32 + threadIdx.x;
        ended[lane] = word >> threadIdx.x & 1;
        for (u32 r = 0; r < n_roles; r++) out[lane * n_roles + r] = 0;
    }
    if (!any) return;
    for (u32 k = 0; k < 32; k++) {
        const u32 word = __shfl_sync(ALL, mine, k);
        if (!word) continue;
        const u64 lane = (u64)(base + k) * 32 + threadIdx.x;
        if (!(word >> threadIdx.x & 1)) continue;
        for (u32 r = 0; r < n_roles; r++) {
            float sum = 0;
            int n = 0;
            for (u32 g = 0; g < n_goals; g++)
                if (role[g] == r && planes[(u64)(first + g) * words + base + k] >> threadIdx.x & 1) { sum += value[g]; n++; }
            if (n) out[lane * n_roles + r] = sum / n;
        }
    }
}

/* The table form: operations from memory, planes in memory. */
enum { OPERATIONS };
struct Row { int op, to, a, b, c, d; };
#define P(i) planes[(u64)(i) * words + word]
#define RUN(...) for (const Row* end = at + at->to + 1, *r = at + 1; r < end; r++) { __VA_ARGS__; } at += at->to + 1; break
__device__ void run_table(const Row* at, u32* planes, u32 words, u32 word) {
    const Row* begin = at;
    u32 changed = 0;
    while (true) switch (at->op) {
        case AND: RUN(P(r->to) = P(r->a) & P(r->b));
        case ANDNOT: RUN(P(r->to) = ~P(r->a) & P(r->b));
        case OR: RUN(P(r->to) = P(r->a) | P(r->b));
        case XOR: RUN(P(r->to) = P(r->a) ^ P(r->b));
        case XOR3: RUN(P(r->to) = P(r->a) ^ P(r->b) ^ P(r->c));
        case MAJORITY: RUN(const u32 x = P(r->a), y = P(r->b), z = P(r->c); P(r->to) = (x & y) | (z & (x | y)));
        case MAJORITY_NOT: RUN(const u32 x = ~P(r->a), y = P(r->b), z = P(r->c); P(r->to) = (x & y) | (z & (x | y)));
        case SELECT: RUN(const u32 x = P(r->a), y = P(r->b), z = P(r->c); P(r->to) = (x & y) | (~x & z));
        case SELECT_NOT: RUN(const u32 x = P(r->a), y = P(r->b), z = P(r->c); P(r->to) = (x & ~y) | (~x & z));
        case NOT: RUN(P(r->to) = ~P(r->a));
        case ZERO: RUN(P(r->to) = 0);
        case OUT: RUN(P(r->to) = P(r->a));
        case OUT_NOT: RUN(P(r->to) = ~P(r->a));
        case LOOP: begin = at; changed = 0; at++; break;
        case GROW: RUN(const u32 old = P(r->to); const u32 more = old | P(r->a); changed |= more ^ old; P(r->to) = more);
        case GROW_NOT: RUN(const u32 old = P(r->to); const u32 more = old | ~P(r->a); changed |= more ^ old; P(r->to) = more);
        case END: if (__any_sync(ALL, changed)) { at = begin; changed = 0; } at++; break;
        case ADD: RUN(const u32 x = P(r->a), y = P(r->b), z = P(r->c); P(r->to) = x ^ y ^ z; P(r->d) = (x & y) | (z & (x | y)));
        case ADD_NOT:
            RUN(const u32 x = P(r->a), y = P(r->b), z = P(r->c); P(r->to) = x ^ y ^ z; P(r->d) = (y & z) | (~x & (y | z)));
        default: return;
    }
}
extern "C" __global__ void table_refill(
    u64* rngs, u32 words, int steps, int quota_bits, u64* counts, double* several, u32* planes, const Row* look, const Row* move,
    const Row* goals, u32 n_fluents, u32 n_random, u32 over, u32 goals_at, u32 n_goals, const int* role, const double* value,
    const unsigned char* initial) {
    const u32 word = blockIdx.x * blockDim.x + threadIdx.x;
    u64 rng = rngs[word], moves = 0;
    u32 active = ALL, c[6] = {0, 0, 0, 0, 0, 0}, games = 0;
    for (u32 i = 0; i < n_fluents; i++) P(i) = initial[i] ? ALL : 0;
    for (int step = 0; step < steps; step++) {
        for (u32 i = 0; i < n_random; i++) { u32 x; DRAW(x, rng); P(n_fluents + i) = x; }
        run_table(look, planes, words, word);
        const u32 out = P(over), ended = out & active;
        games += __popc(ended);
        moves += __popc(active & ~out);
        if (__any_sync(ALL, ended)) {
            if (goals) run_table(goals, planes, words, word);
            for (u32 g = 0; g < n_goals;) {
                const int mine = role[g];
                const u32 first = g;
                u32 once = 0, twice = 0;
                for (; g < n_goals && role[g] == mine; g++) { const u32 x = P(goals_at + g); twice |= once & x; once |= x; }
                twice &= ended;
                for (u32 h = first; h < g; h++) {
                    const u32 n = __popc(P(goals_at + h) & ended & ~twice);
                    if (n) atomicAdd(counts + 2 + h, (u64)n);
                }
                while (twice) {
                    const u32 bit = twice & -twice;
                    double sum = 0;
                    int n = 0;
                    twice ^= bit;
                    for (u32 h = first; h < g; h++) if (P(goals_at + h) & bit) { sum += value[h]; n++; }
                    atomicAdd(several + mine, sum / n);
                }
            }
        }
        if (quota_bits >= 0) {
            u32 carry = ended;
            for (int k = 0; k < quota_bits; k++) { const u32 t = c[k] & carry; c[k] ^= carry; carry = t; }
            active &= ~carry;
            if (!__any_sync(ALL, active)) break;
        }
        run_table(move, planes, words, word);
    }
    rngs[word] = rng;
    atomicAdd(counts, (u64)games);
    atomicAdd(counts + 1, moves);
}
""".replace("OPERATIONS", ", ".join(f"{op.name} = {op.value}" for op in Op))
)


def common(cupy: Any, _kept: dict[str, Any] = {}) -> Any:  # noqa: B006 (compiled once)
    """The kernels that serve all games."""
    if "module" not in _kept:
        _kept["module"] = cupy.RawModule(code=COMMON, backend="nvrtc", options=("-std=c++14",))
    return _kept["module"]
