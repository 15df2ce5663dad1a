"""Flat Monte-Carlo and leaf-parallel search with lanes against the scalar search, at equal time.

    python flat.py GAME KIND SECONDS MATCHES FIRST      KIND: flat | leaf
"""
import math, random, sys, time
import numpy as np
import paidia
from paidia.core.budget import Budget
from paidia.games.gdl.lanes.build import build_program
from paidia.games.gdl.lanes.engine import Engine
from paidia.games.gdl.lanes.trace import dealt, goal_values, unpacked
from paidia.core.player import Decision, Player
try:
    from paidia.games.gdl.lanes.engine import random_state
except ImportError:
    from paidia.games.gdl.lanes.trace import random_state

class Leaf:
    """Random games from one state, a block of lanes at a time."""
    def __init__(self, game, lanes=None):
        self.program = build_program(game)
        from paidia.games.gdl.lanes.native import compile_program
        native = compile_program(self.program, routines=("leaf", "goals"))
        if native is None: print("not compiled", file=sys.stderr)
        self.engine = Engine(self.program, native=native)
        names = list(game.fluent_names)
        self.order = np.array([names.index(f) for f in self.program.fluents])
        self.seen = np.zeros(len(names), np.uint8)
        self.lanes = self.engine.lanes
        words = self.lanes // 32
        self.state = dealt(random_state(random.getrandbits(60), words, 0), self.engine)
        self.planes = self.engine.block("leaf")
        self.goals = self.engine.block("goals")
    def play(self, state):
        """Mean goals of all roles over a block of random games from a state."""
        p, n = self.program, self.program.n_fluents
        state.observe(self.seen)
        bits = self.seen[self.order] != 0
        self.planes[:n] = np.where(bits, np.uint64(2**64-1), np.uint64(0))[:, None]
        over = p.over_plane
        step = 0
        while True:
            self.engine.draw(self.state, self.planes, n, p.n_random)
            self.engine.run("leaf_0", self.planes)
            step += 1
            if step % 2 == 0 and self.planes[over].min() == np.uint64(2**64-1):
                break
            self.engine.run("leaf_1", self.planes)
            if step > 500: break
        self.goals[:n] = self.planes[:n]
        self.engine.run("goals", self.goals)
        return goal_values(p, unpacked(self.goals[n:p.goals.n_planes])).mean(axis=0)

class LanesPlayer(Player):
    name = "lanes"
    def __init__(self, game, kind, seconds):
        self.leaf, self.kind, self.seconds = Leaf(game), kind, seconds
        self.batches = 0
    def begin(self, game, role, *, state, seed, budget): self.role = role
    def act(self, state, *, step, budget):
        if state.mover != self.role or len(state.legal(self.role)) <= 1:
            legal = state.legal(self.role); return Decision(move=legal[0] if legal else None)
        end = time.perf_counter() + self.seconds
        return Decision(move=self.flat(state, end) if self.kind == "flat" else self.tree(state, end))
    def flat(self, state, end):
        moves = state.legal(self.role); after = []
        for m in moves:
            s = state.clone(); s.play([m if r == self.role else None for r in range(state.game.n_roles)]); after.append(s)
        n = [0]*len(moves); total = [0.0]*len(moves); done = 0
        while time.perf_counter() < end:
            if done < len(moves): i = done
            else: i = max(range(len(moves)), key=lambda k: total[k]/n[k] + 0.1*math.sqrt(math.log(done)/n[k]))
            g = after[i].goals if after[i].terminal else self.leaf.play(after[i])
            n[i] += 1; total[i] += g[self.role]; done += 1
        self.batches += done
        return moves[max(range(len(moves)), key=lambda k: (total[k]/n[k] if n[k] else -1))]
    def tree(self, state, end):
        nodes = {}
        R = state.game.n_roles
        def get(s):
            key = s.key
            if key not in nodes: nodes[key] = [0, s.legal(s.mover) if not s.terminal else [], {}]
            return nodes[key]
        root = get(state)
        while time.perf_counter() < end:
            s = state.clone(); path = []
            while not s.terminal:
                fresh = s.key not in nodes
                node = get(s)
                if fresh: break
                mover = s.mover; best = None; bv = -1e9; ln = math.log(node[0]+1)
                for m in node[1]:
                    st = node[2].get(m)
                    v = 1e6 + random.random() if st is None else st[1]/st[0] + 0.25*math.sqrt(ln/st[0])
                    if v > bv: best, bv = m, v
                path.append((node, best, mover))
                s.play([best if r == mover else None for r in range(R)])
            g = s.goals if s.terminal else self.leaf.play(s)
            for node, m, mover in path:
                node[0] += 1; st = node[2].setdefault(m, [0, 0.0]); st[0] += 1; st[1] += g[mover]
            self.batches += 1
        return max(root[2], key=lambda m: root[2][m][0]) if root[2] else state.legal(self.role)[0]

name, kind, seconds, matches, first = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
game = paidia.load(name)
mine = LanesPlayer(game, kind, seconds)
state = game.initial_state()
t=time.perf_counter(); k=0
while time.perf_counter()-t < 0.3: mine.leaf.play(state); k+=1
rate=k/(time.perf_counter()-t)
random.seed(first)
points=0.0; moves=0
for match in range(first, first+matches):
    seat = match % 2
    other = paidia.agent("uct")
    seats = [mine, other] if seat == 0 else [other, mine]
    r = paidia.play(game, seats, time=seconds, seed=match)
    points += r.record.goals[seat]; moves += len(r.record.moves)
print(f"{name} {kind} {seconds:g} s: {matches} matches against uct: {100*points/matches:.1f} %; {rate*mine.leaf.lanes:,.0f} playouts/s in blocks of {mine.leaf.lanes}, {mine.batches/max(1,moves/2):.0f} batches a move", flush=True)
