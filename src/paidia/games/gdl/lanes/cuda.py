"""Lane programs on a GPU: CUDA code from a program, and its runner.

One thread has one 32-lane word of every plane, in registers; a warp is 1024 lanes in step. Two forms:

* straight: the program's operations as code, compiled by NVRTC (or nvcc): the fast one, up to some thousand operations;
* table: one kernel that reads operations from memory: for programs whose code would be too large to compile or to be fetched.

This file, portable.py and core/lanes/vector.py need numpy and CuPy and no kernel of paidia: on a machine with a GPU they can be
loaded by path, together with a program that `LaneProgram.save` wrote (`portable.read_saved`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paidia.core.errors import BadInput
from paidia.core.lanes.vector import Vector

try:
    from paidia.games.gdl.lanes.portable import MULTIPLIER, Op, random_state
except ImportError:  # alone on a machine with a GPU, without paidia's kernels: portable.py was loaded by its path
    from portable import MULTIPLIER, Op, random_state  # type: ignore[import-not-found, no-redef]

__all__ = ["CudaLanes", "CudaVector", "cuda_source"]

#: Operations of a program that is still compiled as straight code.
MOST_STRAIGHT = 40_000

HEADER = r"""
typedef unsigned int u32;
typedef unsigned long long u64;
#define LUT(f, a, b, c, table) asm("lop3.b32 %0, %1, %2, %3, " #table ";" : "=r"(f) : "r"(a), "r"(b), "r"(c))
/* x' = low half * multiplier + high half; the output is low ^ high. As PTX: written in C it takes compilers minutes. */
#define DRAW(r, x) asm("{\n\t.reg .u32 low, high;\n\t.reg .u64 wide;\n\tmov.b64 {low, high}, %0;\n\txor.b32 %1, low, high;\n\t" \
    "cvt.u64.u32 wide, high;\n\tmad.wide.u32 %0, low, MULTIPLIER, wide;\n\t}" : "+l"(x), "=r"(r))
#define ALL 0xFFFFFFFFu
""".replace("MULTIPLIER", str(MULTIPLIER))


#: Operations of two inputs as expressions, and the truth tables of those of three.
TWO: dict[int, str] = {Op.AND: "{} & {}", Op.ANDNOT: "~{} & {}", Op.OR: "{} | {}", Op.XOR: "{} ^ {}"}
THREE: dict[int, str] = {Op.XOR3: "0x96", Op.MAJORITY: "0xE8", Op.MAJORITY_NOT: "0x8E", Op.SELECT: "0xCA", Op.SELECT_NOT: "0x3A"}


class Text:
    """Writes the rows of a routine as statements."""

    def __init__(self, routine: Any, *, n_fluents: int, n_random: int, value: str = "v", out: str = "o") -> None:
        self.routine = routine
        self.value = value
        self.out = out
        self.n_fluents = n_fluents
        self.n_random = n_random
        self.drawn = 0
        self.at = 0
        self.lines: list[str] = []

    def name(self, value: int) -> str:
        if value >= self.routine.n_inputs:
            return f"{self.value}{value}"
        if value < self.n_fluents:
            return f"f{value}"
        number = value - self.n_fluents
        if number < self.n_random:
            while self.drawn <= number:  # random words come in order, each when it is first needed
                self.lines.append(f"u32 r{self.drawn}; DRAW(r{self.drawn}, rng);")
                self.drawn += 1
            return f"r{number}"
        return f"i{value}"

    def plane(self, plane: int) -> str:
        return f"f{plane}" if plane < self.n_fluents else f"i{plane}" if plane < self.routine.n_inputs else f"{self.out}{plane}"

    def part(self) -> str:
        """The statements up to the next mark or to the end."""
        rows = self.routine.rows.tolist()
        self.lines = []
        while self.at < len(rows):
            op, value, i, j, k = rows[self.at]
            self.at += 1
            if op == Op.MARK:
                break
            self.lines.append(self.statement(op, value, i, j, k))
        return "\n".join(self.lines)

    def rest_of_random(self) -> str:
        """Draw what no operation needed, so that every step takes as many words."""
        self.lines = []
        if self.drawn < self.n_random:
            self.name(self.n_fluents + self.n_random - 1)
        self.drawn = 0
        return "\n".join(self.lines)

    def statement(self, op: int, value: int, i: int, j: int, k: int) -> str:
        name = f"{self.value}{value}"
        if op in (Op.OUT, Op.OUT_NOT):
            return f"{self.plane(j)} = {'~' if op == Op.OUT_NOT else ''}{self.name(i)};"
        if op == Op.ZERO:
            return f"const u32 {name} = 0;"
        a = self.name(i)
        if op == Op.NOT:
            return f"const u32 {name} = ~{a};"
        b = self.name(j)
        if op <= Op.XOR:
            return f"const u32 {name} = {TWO[op].format(a, b)};"
        return f"u32 {name}; LUT({name}, {a}, {b}, {self.name(k)}, {THREE[op]});"


def cuda_source(program: Any, *, blocks: int = 8, kernels: tuple[str, ...] = ("refill", "leaf", "play")) -> str:
    """The CUDA code of a program.

    Args:
        program: A `LaneProgram`, or what `read_saved` returns.
        blocks: Warps that a multiprocessor shall hold: more hide more waiting, and leave fewer registers for each.
        kernels: Which to write.
    """
    writers = {"refill": _refill, "leaf": _leaf, "play": _play}
    return HEADER + "".join(writers[name](program, blocks) for name in kernels)


def _fluents(program: Any, *, initial: bool) -> str:
    start = (f" = {'ALL' if x else '0'}" for x in program.initial) if initial else ("" for _ in program.initial)
    return "u32 " + ", ".join(f"f{i}{value}" for i, value in enumerate(start)) + ";"


def _outputs(routine: Any, out: str = "o") -> str:
    names = [f"{out}{plane}" for plane in range(routine.n_inputs, routine.n_planes)]
    return ("u32 " + ", ".join(names) + ";") if names else ""


def _tally(program: Any, first: int, out: str = "o") -> str:
    """Count goals of the lanes in `ended`; a role's goals that hold together are counted apart."""
    lines = []
    roles = sorted(set(program.goal_role))
    for role in roles:
        mine = [goal for goal, owner in enumerate(program.goal_role) if owner == role]
        names = [f"{out}{first + goal}" for goal in mine]
        lines.append("{ u32 once = 0, twice = 0;")
        lines += [f"twice |= once & {name}; once |= {name};" for name in names]
        lines.append("twice &= ended; single = ended & ~twice;")
        lines += [f"ADD(goal, {goal}, __popc({name} & single));" for goal, name in zip(mine, names, strict=True)]
        lines.append("while (twice) { const u32 bit = twice & -twice; twice ^= bit; double sum = 0; int n = 0;")
        lines += [
            f"if ({name} & bit) {{ sum += {program.goal_value[goal]!r}; n++; }}" for goal, name in zip(mine, names, strict=True)
        ]
        lines.append(f"atomicAdd(several + {role}, sum / n); }} }}")
    return "\n".join(lines)


def _refill(program: Any, blocks: int) -> str:
    """Plays games one after the other in every lane; planes after the last step go out if there is room for them."""
    n_goals = len(program.goal_role)
    text = Text(program.step, n_fluents=len(program.initial), n_random=program.n_random)
    look = text.part()
    move = text.part()
    rest = text.rest_of_random()
    over = f"o{len(program.initial) + program.n_random}"
    if program.goals_in_step:
        goals = (
            "if (ended) { u32 single;\n"
            + _tally(program, len(program.initial) + program.n_random + 1 + sum(program.counts))
            + "}"
        )
    else:
        code = Text(program.goals, n_fluents=len(program.initial), n_random=0, value="q", out="p").part()
        tally = _tally(program, len(program.initial), "p")
        goals = f"if (__any_sync(ALL, ended)) {{ u32 single;\n{_outputs(program.goals, 'p')}\n{code}\n{tally} }}"
    save = "\n".join(f"planes[(u64){i} * words + word] = f{i};" for i in range(len(program.initial)))
    counters = "\n".join(f"u32 g{goal} = 0;" for goal in range(n_goals)) if n_goals <= 8 else ""
    add = "#define ADD(x, k, n) g##k += n" if n_goals <= 8 else "#define ADD(x, k, n) atomicAdd(counts + 2 + k, (u64)(n))"
    finish = "\n".join(f"atomicAdd(counts + {2 + goal}, (u64)g{goal});" for goal in range(n_goals)) if n_goals <= 8 else ""
    return f"""
{add}
extern "C" __global__ void __launch_bounds__(32, {blocks}) refill(
    u64* rngs, u32 words, int steps, int quota_bits, u64* counts, double* several, u32* planes) {{
    const u32 word = blockIdx.x * 32 + threadIdx.x;
    u64 rng = rngs[word];
    {_fluents(program, initial=True)}
    u32 active = ALL, c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, games = 0;
    u64 moves = 0;
    {counters}
    for (int step = 0; step < steps; step++) {{
        {_outputs(program.step)}
        {look}
        const u32 ended = {over} & active;
        games += __popc(ended);
        moves += __popc(active & ~{over});
        {goals}
        if (quota_bits >= 0) {{
            u32 carry = ended, t;
            if (quota_bits > 0) {{ t = c0 & carry; c0 ^= carry; carry = t; }}
            if (quota_bits > 1) {{ t = c1 & carry; c1 ^= carry; carry = t; }}
            if (quota_bits > 2) {{ t = c2 & carry; c2 ^= carry; carry = t; }}
            if (quota_bits > 3) {{ t = c3 & carry; c3 ^= carry; carry = t; }}
            if (quota_bits > 4) {{ t = c4 & carry; c4 ^= carry; carry = t; }}
            if (quota_bits > 5) {{ t = c5 & carry; c5 ^= carry; carry = t; }}
            active &= ~carry;
            if (!__any_sync(ALL, active)) break;
        }}
        {move}
        {rest}
    }}
    rngs[word] = rng;
    atomicAdd(counts, (u64)games);
    atomicAdd(counts + 1, moves);
    {finish}
    if (planes) {{
        {save}
    }}
}}
#undef ADD
"""


def _leaf(program: Any, blocks: int) -> str:
    """Plays every lane to its end once, from states that are given word by word; counts goals."""
    n_goals = len(program.goal_role)
    text = Text(program.leaf, n_fluents=len(program.initial), n_random=program.n_random)
    look = text.part()
    move = text.part()
    rest = text.rest_of_random()
    over = f"o{len(program.initial) + program.n_random}"
    goals = Text(program.goals, n_fluents=len(program.initial), n_random=0).part()
    read = "\n".join(f"f{i} = planes[(u64){i} * n_states + from];" for i in range(len(program.initial)))
    write = "\n".join(f"atomicAdd(counts + {2 + goal}, (u64)__popc(o{len(program.initial) + goal}));" for goal in range(n_goals))
    by_word = "\n".join(
        f"by_word[(u64){goal} * words + word] = __popc(o{len(program.initial) + goal});" for goal in range(n_goals)
    )
    return f"""
extern "C" __global__ void __launch_bounds__(32, {blocks}) leaf(
    u64* rngs, u32 words, const u32* planes, u32 n_states, int steps, u64* counts, unsigned char* by_word) {{
    const u32 word = blockIdx.x * 32 + threadIdx.x, from = word % n_states;
    u64 rng = rngs[word], moves = 0;
    {_fluents(program, initial=False)}
    {read}
    for (int step = 0; step < steps; step++) {{
        {_outputs(program.leaf)}
        {look}
        moves += __popc(~{over});
        if (!__any_sync(ALL, ~{over})) break;
        {move}
        {rest}
    }}
    rngs[word] = rng;
    {_outputs(program.goals)}
    {goals}
    if (by_word) {{
        {by_word}
    }} else {{
        atomicAdd(counts, 32ull);
        atomicAdd(counts + 1, moves);
        {write}
    }}
}}
"""


def _play(program: Any, blocks: int) -> str:
    """One step of all lanes with actions from outside."""
    routine = program.play
    n_fluents, n_legal = len(program.initial), sum(program.actions)
    text = Text(routine, n_fluents=n_fluents, n_random=0)
    code = text.part()
    read = "\n".join(f"f{i} = planes[(u64){i} * words + word];" for i in range(n_fluents))
    read += "\n".join(f"u32 i{i} = planes[(u64){i} * words + word];" for i in range(n_fluents, n_fluents + n_legal))
    bits, at = [], n_fluents + n_legal
    for action, n in enumerate(program.actions):
        width = max(1, (n - 1).bit_length())
        declared = ", ".join(f"i{at + bit} = 0" for bit in range(width))
        votes = " ".join(
            f"{{ const u32 vote = __ballot_sync(ALL, said >> {bit} & 1); if (threadIdx.x == k) i{at + bit} = vote; }}"
            for bit in range(width)
        )
        bits.append(
            f"u32 {declared};\n#pragma unroll 4\nfor (u32 k = 0; k < 32; k++) {{ const u32 said = "
            f"actions[((u64)(word - threadIdx.x + k) * 32 + threadIdx.x) * {len(program.actions)} + {action}]; {votes} }}"
        )
        at += width
    write = "\n".join(
        f"planes[(u64){i} * words + word] = {'f' if i < n_fluents else 'i'}{i};" for i in range(n_fluents + n_legal)
    )
    write += "\n" + "\n".join(
        f"planes[(u64){n_fluents + n_legal + k} * words + word] = o{routine.n_inputs + k};"
        for k in range(routine.n_planes - routine.n_inputs)
    )
    return f"""
extern "C" __global__ void __launch_bounds__(32, {blocks}) play(u32* planes, u32 words, const ACTION* actions) {{
    const u32 word = blockIdx.x * 32 + threadIdx.x;
    {_fluents(program, initial=False)}
    {read}
    {chr(10).join(bits)}
    {_outputs(routine)}
    {code}
    {write}
}}
"""


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
struct Row { int op, to, a, b, c, d; };
#define P(i) planes[(u64)(i) * words + word]
#define RUN(...) for (const Row* end = at + at->to + 1, *r = at + 1; r < end; r++) { __VA_ARGS__; } at += at->to + 1; break
__device__ void run_table(const Row* at, u32* planes, u32 words, u32 word) {
    const Row* begin = at;
    u32 changed = 0;
    while (true) switch (at->op) {
        case 0: RUN(P(r->to) = P(r->a) & P(r->b));
        case 1: RUN(P(r->to) = ~P(r->a) & P(r->b));
        case 2: RUN(P(r->to) = P(r->a) | P(r->b));
        case 3: RUN(P(r->to) = P(r->a) ^ P(r->b));
        case 4: RUN(P(r->to) = P(r->a) ^ P(r->b) ^ P(r->c));
        case 5: RUN(const u32 x = P(r->a), y = P(r->b), z = P(r->c); P(r->to) = (x & y) | (z & (x | y)));
        case 6: RUN(const u32 x = ~P(r->a), y = P(r->b), z = P(r->c); P(r->to) = (x & y) | (z & (x | y)));
        case 7: RUN(const u32 x = P(r->a), y = P(r->b), z = P(r->c); P(r->to) = (x & y) | (~x & z));
        case 8: RUN(const u32 x = P(r->a), y = P(r->b), z = P(r->c); P(r->to) = (x & ~y) | (~x & z));
        case 9: RUN(P(r->to) = ~P(r->a));
        case 10: RUN(P(r->to) = 0);
        case 11: RUN(P(r->to) = P(r->a));
        case 12: RUN(P(r->to) = ~P(r->a));
        case 14: begin = at; changed = 0; at++; break;
        case 15: RUN(const u32 old = P(r->to); const u32 more = old | P(r->a); changed |= more ^ old; P(r->to) = more);
        case 16: RUN(const u32 old = P(r->to); const u32 more = old | ~P(r->a); changed |= more ^ old; P(r->to) = more);
        case 17: if (__any_sync(ALL, changed)) { at = begin; changed = 0; } at++; break;
        case 18: RUN(const u32 x = P(r->a), y = P(r->b), z = P(r->c); P(r->to) = x ^ y ^ z; P(r->d) = (x & y) | (z & (x | y)));
        case 19: RUN(const u32 x = P(r->a), y = P(r->b), z = P(r->c); P(r->to) = x ^ y ^ z; P(r->d) = (y & z) | (~x & (y | z)));
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
"""
)


class CudaLanes:
    """A lane program on the GPU.

    Attributes:
        form: "straight" or "table".
    """

    def __init__(
        self, program: Any, *, form: str | None = None, blocks: int = 8, cubins: dict[str, str] | None = None, tables: Any = None
    ) -> None:
        """Compile, or take what nvcc has compiled.

        Args:
            program: A `LaneProgram`, or what `read_saved` returns.
            form: "straight" or "table"; by default whichever suits the size of the program.
            blocks: See `cuda_source`.
            cubins: By kernel ("refill", "leaf", "play"): path of its compiled straight code; others are compiled when needed.
            tables: For the table form: `table_of(program)`.
        """
        import cupy

        self.cupy = cupy
        self.program = program
        n = len(program.step.rows)
        loops = bool((program.step.rows[:, 0] == Op.LOOP).any())
        self.form = form or ("table" if loops or n > MOST_STRAIGHT else "straight")
        self.common = common(cupy)
        self.tables: dict[str, Any] = {}
        self.blocks = blocks
        self._kernels: dict[str, Any] = {
            name: cupy.RawModule(path=path).get_function(name) for name, path in (cubins or {}).items()
        }
        if self.form == "table":
            self.tables = {
                name: cupy.asarray(value) if isinstance(value, np.ndarray) else value for name, value in tables.items()
            }

    def kernel(self, name: str) -> Any:
        """A kernel of the straight form."""
        if name not in self._kernels:
            code = cuda_source(self.program, blocks=self.blocks, kernels=(name,))
            self._kernels[name] = self.cupy.RawModule(code=code, options=("-DACTION=int",), backend="nvrtc").get_function(name)
        return self._kernels[name]

    def refill(
        self, words: int, *, seed: int, steps: int, quota_bits: int = -1, planes: bool = False, first: int = 0
    ) -> dict[str, Any]:
        """Play games one after the other in 32 * words lanes; `words` is a multiple of 32.

        Args:
            words: 32-lane words.
            seed: Of the random planes.
            steps: Steps at most.
            quota_bits: Every lane plays 2 ** quota_bits games, then it is done: so short games are not favoured. -1: all steps
                are played and all games that end are counted.
            planes: Whether the fluents after the last step are wanted.
            first: The first word, for its random planes.
        """
        cp = self.cupy
        rngs = cp.asarray(random_state(seed, words, first))
        return self.read(self.refill_raw(rngs, words, steps, quota_bits, planes))

    def refill_raw(self, rngs: Any, words: int, steps: int, quota_bits: int, planes: bool) -> dict[str, Any]:
        """The launch itself; nothing is waited for."""
        cp, program = self.cupy, self.program
        n_goals = len(program.goal_role)
        counts, several = cp.zeros(2 + max(1, n_goals), cp.uint64), cp.zeros(len(program.roles), cp.float64)
        if self.form == "straight":
            out = cp.zeros((len(program.initial), words), cp.uint32) if planes else None
            self.kernel("refill")(
                (words // 32,),
                (32,),
                (rngs, np.uint32(words), np.int32(steps), np.int32(quota_bits), counts, several, out if planes else np.uint64(0)),
            )
        else:
            t = self.tables
            out = cp.empty((t["n_planes"], words), cp.uint32)
            self.common.get_function("table_refill")(
                (words // 128 or 1,),
                (min(128, words),),
                (
                    rngs,
                    np.uint32(words),
                    np.int32(steps),
                    np.int32(quota_bits),
                    counts,
                    several,
                    out,
                    t["look"],
                    t["move"],
                    t["goals"] if "goals" in t else np.uint64(0),
                    np.uint32(len(program.initial)),
                    np.uint32(program.n_random),
                    np.uint32(t["over"]),
                    np.uint32(t["goals_at"]),
                    np.uint32(n_goals),
                    t["role"],
                    t["value"],
                    t["initial"],
                ),
            )
            out = out[: len(program.initial)]
        return {"counts": counts, "several": several, "planes": out}

    def leaf(self, words: int, states: Any, *, seed: int, steps: int = 100_000, rngs: Any = None) -> dict[str, Any]:
        """Play every lane once to the end, from states that are given as planes (fluents, words of states): word i gets state
        i % their number; goals are counted over all lanes. `rngs`: generators on the GPU, to go on with."""
        given = self.cupy.asarray(states)
        return self.read(
            self.leaf_raw(self.cupy.asarray(random_state(seed, words)) if rngs is None else rngs, words, given, steps)
        )

    def leaf_raw(self, rngs: Any, words: int, states: Any, steps: int = 100_000) -> dict[str, Any]:
        """The launch itself; nothing is waited for."""
        cp = self.cupy
        counts = cp.zeros(2 + max(1, len(self.program.goal_role)), cp.uint64)
        arguments = (rngs, np.uint32(words), states, np.uint32(states.shape[1]), np.int32(steps), counts, np.uint64(0))
        self.kernel("leaf")((words // 32,), (32,), arguments)
        return {"counts": counts, "several": cp.zeros(1), "planes": None}

    def read(self, raw: dict[str, Any]) -> dict[str, Any]:
        """Results on the host."""
        counts = [int(x) for x in raw["counts"].get()]
        n_goals = len(self.program.goal_role)
        return {
            "games": counts[0],
            "steps": counts[1],
            "goal_count": counts[2 : 2 + n_goals],
            "several": [float(x) for x in raw["several"].get()],
            "planes": None if raw["planes"] is None else raw["planes"].get(),
        }


def common(cupy: Any, _kept: dict[str, Any] = {}) -> Any:  # noqa: B006 (compiled once)
    """The kernels that serve all games."""
    if "module" not in _kept:
        _kept["module"] = cupy.RawModule(code=COMMON, backend="nvrtc", options=("-std=c++14",))
    return _kept["module"]


class CudaVector(Vector):
    """The vector environment on the GPU.

    Attributes:
        planes: (planes, words) of 32 lanes each: fluents, legal moves, then illegal, over and goals of the last step.
    """

    device = "cuda"

    def __init__(self, lanes: CudaLanes, n: int) -> None:
        cp, program = lanes.cupy, lanes.program
        if n % 1024 or n < 1024:
            raise BadInput(f"lanes on a GPU are a multiple of 1024, not {n}")
        self.arrays, self.code, self.program, self.lanes = cp, lanes, program, n
        self.roles, self.actions = tuple(program.roles), tuple(program.actions)
        self.observation_shape = (len(program.initial),)
        self.words = n // 32
        self.n_legal = sum(program.actions)
        self.legal_at = len(program.initial)
        self.illegal_at = self.legal_at + self.n_legal
        self.over_at = self.illegal_at + 1
        self.goals_at = self.over_at + 1
        self.planes = cp.zeros((self.goals_at + len(program.goal_role), self.words), cp.uint32)
        self.role = cp.asarray(np.array([*program.goal_role, -1], np.int32))
        self.value = cp.asarray(np.array([*program.goal_value, 0], np.float32))
        self.rewards = cp.zeros((n, len(program.roles)), cp.float32)
        self.terminated = cp.zeros(n, cp.bool_)
        self.reset()

    def _begin(self) -> None:
        start = np.array([*self.program.initial, *self.program.initial_legal], bool)
        self.planes[:] = 0
        self.planes[: len(start)] = self.arrays.asarray(np.where(start, np.uint32(0xFFFFFFFF), np.uint32(0)))[:, None]
        self.rewards[:] = 0
        self.terminated[:] = False

    def play(self, actions: Any) -> None:
        """Play the actions (lanes, actions), int32; nothing is checked and no rewards are written."""
        self.code.kernel("play")((self.words // 32,), (32,), (self.planes, np.uint32(self.words), actions))

    def step(self, actions: Any) -> tuple[Any, Any]:
        self.play(self._checked(actions))
        self.code.common.get_function("rewards")(
            (self.words // 32,),
            (32,),
            (
                self.planes,
                np.uint32(self.words),
                np.uint32(self.over_at),
                np.uint32(self.goals_at),
                np.uint32(len(self.program.goal_role)),
                self.role,
                self.value,
                np.uint32(len(self.program.roles)),
                self.rewards,
                self.terminated,
            ),
        )
        return self.rewards, self.terminated

    def spread(self, first: int, n: int, form: str = "bool") -> Any:
        """Some planes as an array (lanes, planes) of truth values or floats, or (lanes, planes / 8) of bytes."""
        cp = self.arrays
        kind = {"bool": cp.bool_, "float": cp.float32, "packed": cp.uint8}[form]
        out = cp.empty((self.lanes, -(-n // 8) if form == "packed" else n), kind)
        if n:
            arguments = (self.planes, np.uint32(self.words), np.uint32(first), np.uint32(n), out)
            self.code.common.get_function(f"spread_{form}")((self.words // 32, min(out.shape[1], 64)), (32,), arguments)
        return out

    @property
    def illegal(self) -> Any:
        return self.spread(self.illegal_at, 1)[:, 0]

    @property
    def legal_mask(self) -> Any:
        return self.spread(self.legal_at, self.n_legal)

    def observation(self, form: str = "bool") -> Any:
        return self.spread(0, len(self.program.initial), self._form(form))

    @property
    def current_role(self) -> Any:
        cp = self.arrays
        found = cp.full(self.lanes, -1 if len(self.roles) > 1 else 0, cp.int32)
        for role, fluent in enumerate(self.program.controls):
            found[self.spread(fluent, 1)[:, 0]] = role
        return found

    def action_name(self, role: int, action: int) -> str:
        return str(self.program.moves[role][action])
