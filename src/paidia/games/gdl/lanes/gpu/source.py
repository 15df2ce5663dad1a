"""CUDA code of one lane program, its operations as statements: the straight form."""

from __future__ import annotations

from typing import Any

from paidia.games.gdl.lanes.gpu.kernels import HEADER
from paidia.games.gdl.lanes.portable import Op

__all__ = ["cuda_source"]

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
