"""Open-loop tree search for video games, written to be read: objects, dictionaries and the formulas of the papers.

It draws its random numbers in the same order as the kernels, so that under the same seed every node must be equal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from oracles.slow_experience import SlowEarlierKnowledge, SlowExperience, held
from oracles.splitmix import SplitMix
from oracles.thesis_settings import MctsSettings
from paidia.core.arcade import ACTIONS
from paidia.core.machine.maths import portable_log
from paidia.core.seeds import spawn
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.search.evaluation.knowledge import Knowledge
from paidia.search.planners.widths.atoms import Atoms

NPC = 3
MOVES = {"UP", "LEFT", "DOWN", "RIGHT"}
UNSAFE, NOT_NOVEL, TESTED, BETTER = 1, 2, 4, 8


def worth(state: VgdlState) -> float:
    """The plain evaluation X."""
    return state.score + (1e7 if state.winner == 1 else -1e7 if state.winner == 0 else 0.0)


class Node:
    def __init__(self, parent: Node | None, action: str = "") -> None:
        self.parent, self.action = parent, action
        self.children: dict[str, Node] = {}
        self.visits = self.total = self.value = 0.0
        self.low, self.high = math.inf, -math.inf
        self.waiting: list[VgdlState] = []
        self.memory: set[object] | None = None      # of the tests of its children
        self.marks = 0
        if parent is not None:
            parent.children[action] = self

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits > 0 else 0.0

    def count(self, result: float, weight: float) -> None:
        self.visits += weight
        self.total += weight * result
        self.low, self.high = min(self.low, result), max(self.high, result)

    def below(self) -> Iterator[Node]:
        yield self
        for child in self.children.values():
            yield from child.below()

    def flat(self, path: tuple[int, ...] = ()) -> dict[tuple[int, ...], tuple[float, float, float, float, int]]:
        nodes = {path: (self.visits, self.total, self.high, self.value, self.marks)}
        for action, child in self.children.items():
            nodes |= child.flat((*path, ACTIONS.index(action)))
        return nodes


class SlowOpenLoop:
    """What the two searches share."""

    def __init__(self, game: VgdlGame, state: VgdlState, seed: int) -> None:
        self.game, self.root_state = game, state
        self.rng = SplitMix(spawn(seed, 0))
        self.low, self.high = math.inf, -math.inf
        self.root = Node(None)

    def branch(self, origin: VgdlState) -> VgdlState:
        state = origin.copy()
        state.seed(self.rng.next())
        return state

    def widen(self, value: float) -> None:
        self.low, self.high = min(self.low, value), max(self.high, value)

    def norm(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5

    def best(self, options: list[str], values: list[float]) -> str:
        """The option with the highest value; ties are broken one after the other."""
        chosen, best, equal = options[0], -math.inf, 0
        for option, value in zip(options, values, strict=True):
            if value > best:
                chosen, best, equal = option, value, 1
            elif value == best:
                equal += 1
                if self.rng.below(equal) == 0:
                    chosen = option
        return chosen


class SlowSample(SlowOpenLoop):
    """The framework's sample agent."""

    def choose(self, state: VgdlState, simulations: int, *, K: float = 1.4, D: int = 10) -> str:
        self.root = Node(None)
        for _ in range(simulations):
            self.simulate(state, K, D)
        return self.final_action()

    def final_action(self) -> str:
        """Most visits, the mean where all visits are equal."""
        options = sorted(self.root.children, key=ACTIONS.index)
        nodes = [self.root.children[a] for a in options]
        if len({node.visits for node in nodes}) == 1:
            return self.best(options, [node.mean for node in nodes])
        return self.best(options, [node.visits for node in nodes])

    def simulate(self, root: VgdlState, K: float, D: int) -> float:
        """One simulation; returns the value that it ends with, equation 2 of 003."""
        state, node, depth = self.branch(root), self.root, 0
        while depth < D and state.actions and all(a in node.children for a in state.actions):
            scale = 1 / (node.high - node.low) if node.high > node.low else 0.0
            best, chosen = -math.inf, ""
            for a in state.actions:
                child = node.children[a]
                value = (child.mean - node.low) * scale
                value += K * math.sqrt(portable_log(node.visits + 1) / (child.visits + 1e-6))
                value += 1e-6 * self.rng.double()
                if value > best:
                    best, chosen = value, a
            state.advance(chosen)
            node, depth = node.children[chosen], depth + 1
        if depth < D:
            untried = [a for a in state.actions if a not in node.children]
            if untried:
                action = untried[self.rng.below(len(untried))]
                state.advance(action)
                node, depth = Node(node, action), depth + 1
            while depth < D and state.actions:
                state.advance(state.actions[self.rng.below(len(state.actions))])
                depth += 1
        at: Node | None = node
        while at is not None:
            at.count(worth(state), 1)
            at = at.parent
        return worth(state)


class SlowMcts(SlowOpenLoop):
    """The search of the thesis with its enhancements."""

    def __init__(self, game: VgdlGame, state: VgdlState, seed: int, settings: MctsSettings) -> None:
        super().__init__(game, state, seed)
        self.s = settings
        self.atoms = Atoms(game)
        self.singles: dict[tuple[int, str], list[float]] = {}
        self.sequences: dict[tuple[tuple[int, str], ...], list[float]] = {}
        self.knowledge = Knowledge()
        self.earlier = SlowEarlierKnowledge(game.types, rare=settings.kbe_rare)
        self.experience = SlowExperience()
        if settings.kbe is True:
            self.knowledge.begin_game(game, state)
            wall = game.types.index("wall")
            self.walls = {(x // game.block, y // game.block) for _, type_, _, x, y in state.seen() if type_ == wall}
            self.obstacles: set[tuple[int, int]] = set()
        self.deterministic = self.classified = self.prepared = False
        self.last: tuple[int, str] | None = None
        self.room = 128 + 6 * settings.bfti_states if settings.bfti or settings.nbp else 0

    # ------------------------------------------------------------------------ a tick

    def prepare(self, state: VgdlState, simulations: int) -> None:
        self.begin_tick(state, first=True)
        for _ in range(simulations):
            self.simulate()
        self.prepared = True

    def choose(self, state: VgdlState, simulations: int) -> str:
        self.begin_tick(state)
        for _ in range(simulations):
            self.simulate()
        action = self.final_action()
        self.last = (state.tick, action)
        for table, least in ((self.singles, 1e-9), (self.sequences, 0.5)):
            for key in list(table):
                table[key] = [x * self.s.decay for x in table[key]]     # type: ignore[index]
                if table[key][0] < least:       # type: ignore[index]
                    del table[key]      # type: ignore[arg-type]
        return action

    def begin_tick(self, state: VgdlState, *, first: bool = False) -> None:
        self.start = state
        if not self.classified:
            self.classified = True
            self.deterministic = self.s.dgd and self.looks_deterministic()
        reused = self.s.tr and self.last is not None and state.tick == self.last[0] + 1
        if reused and self.last is not None and self.last[1] in self.root.children:
            self.root = self.root.children[self.last[1]]
            self.root.parent = None
            factor = 1.0 if self.deterministic else self.s.gamma
            for node in self.root.below():
                node.visits *= factor
                node.total *= factor
            if self.s.nbp and not self.deterministic:
                self.root.marks, self.root.memory = 0, None
                for child in self.root.children.values():
                    child.marks &= ~(NOT_NOVEL | BETTER)
        elif not self.prepared:
            self.root = Node(None)
        for node in self.root.below():
            node.waiting = []
        self.prepared = False
        self.x0 = worth(state)
        self.widen(self.x0)
        if self.s.kbe is True and self.s.kbe_traversable:
            obstacles = self.experience.obstacles(state) - self.walls
            if obstacles != self.obstacles:
                self.obstacles = obstacles
                self.knowledge.distances.set_obstacles(self.walls, obstacles)
        if self.s.kbe is True and not first:
            self.experience.fade()
            self.knowledge.begin_tick(state)
        if self.s.kbe == "earlier":
            self.earlier.begin_tick(state)
        self.value0 = self.evaluate(state) if self.s.td == "tdkbe" else self.x0
        complete = all(a in self.root.children for a in state.actions)
        if self.s.bfti and (self.s.tr_bfti or not self.s.tr or not complete):
            self.initialise()

    def looks_deterministic(self) -> bool:
        if self.start.seen(1 << NPC):
            return False
        for _ in range(5):
            keys, sequence = set(), []
            for run in range(3):
                state = self.branch(self.start)
                for step in range(5):
                    if run == 0:
                        actions = state.actions
                        sequence.append(actions[self.rng.below(len(actions))] if actions else "NIL")
                    state.advance(sequence[step])
                    if state.seen(1 << NPC):
                        return False
                keys.add(state.key)
                if len(keys) > 1:
                    return False
        return True

    def initialise(self) -> None:
        """Breadth-first tree initialisation."""
        actions = self.start.actions
        children = [self.root.children.get(a) or Node(self.root, a) for a in actions]
        losses, totals = [0] * len(actions), [0.0] * len(actions)
        tries = 1 if self.deterministic else self.s.bfti_states
        for _ in range(tries):
            for i, action in enumerate(actions):
                state = self.branch(self.start)
                self.advance(state, action)
                losses[i] += state.winner == 0
                totals[i] += self.evaluate(state)
                self.put_aside(children[i], state)
        for i, child in enumerate(children):
            child.marks &= ~UNSAFE
            self.credit(child, totals[i] / tries, 1.0, self.x0)
            self.root.count(totals[i] / tries, 1.0)
            if losses[i] > min(losses):
                child.marks |= UNSAFE

    def put_aside(self, node: Node, state: VgdlState) -> None:
        if sum(len(other.waiting) for other in self.root.below()) < self.room:
            node.waiting.append(state)

    # ------------------------------------------------------------------------ situations

    def advance(self, state: VgdlState, action: str) -> None:
        before, met, origin = self.judged(state), len(state.events()), state.copy()
        state.advance(action)
        if self.s.kbe == "earlier":
            self.earlier.observe(origin, state)
        elif self.s.kbe:
            self.experience.learn(origin, state)
            self.knowledge.observe(state, met, self.judged(state) - before)

    def judged(self, state: VgdlState) -> float:
        """What collisions are judged by the change of."""
        end = 1 if state.winner == 1 else -1 if state.winner == 0 else 0
        return {"score": state.score, "value": worth(state), "ends": state.score + end}[self.s.kbe_reward]

    def evaluate(self, state: VgdlState) -> float:
        value = worth(state)
        if self.s.kbe == "earlier":
            value += self.earlier.bonus(state) if value == self.x0 else 0.0
        elif self.s.kbe and (self.s.kbe_always or value == self.x0):
            value += self.knowledge.normalised(self.knowledge.evaluate(state))
            value += self.s.kbe_resources * max(0, min(1, held(state) - held(self.start)))
            value -= self.s.kbe_danger * self.experience.danger(state)
        self.widen(value)
        return value

    def arrived(self, state: VgdlState) -> float:
        return self.evaluate(state) if self.s.td == "tdkbe" else worth(state)

    def cell(self, state: VgdlState) -> int:
        facts = state.avatar()
        if facts is None:
            return 0
        (x, y) = facts[0]
        block = self.game.block
        column = max(0, min(int(x / block), self.game.width - 1))
        row = max(0, min(int(y / block), self.game.height - 1))
        return row * self.game.width + column

    # ------------------------------------------------------------------------ a simulation

    def simulate(self) -> None:
        state, node = self.branch(self.start), self.root
        self.path, self.values, self.grams = [node], [self.value0], list[tuple[int, str]]()
        played: list[str] = []
        while state.actions and all(a in node.children for a in state.actions):
            action = self.select(node, state)
            node = node.children[action]
            self.grams.append((self.cell(state), action))
            if node.waiting:
                state = node.waiting.pop()
            else:
                self.advance(state, action)
            self.path.append(node)
            played.append(action)
            if self.s.td != "off":
                self.values.append(self.arrived(state))
        selected = len(played)
        while len(played) < selected + self.s.depth and state.actions:
            options = state.actions
            if len(played) == selected:
                options = [a for a in options if a not in node.children]
            action = self.play_out(state, options)
            self.grams.append((self.cell(state), action))
            self.advance(state, action)
            played.append(action)
            if self.s.td != "off":
                self.values.append(self.arrived(state))
        result = self.evaluate(state)
        if self.s.la and state.winner == 0 and len(played) > selected:
            result = self.avoid_loss(played, result)
        else:
            self.expand(played)
        self.backup(result)

    def expand(self, played: list[str]) -> None:
        for action in played[len(self.path) - 1 :]:
            self.path.append(Node(self.path[-1], action))

    def select(self, node: Node, state: VgdlState) -> str:
        actions = state.actions
        if self.s.nbp and not node.marks & TESTED:
            self.test_novelty(node, state)
        safe = [a for a in actions if not node.children[a].marks & UNSAFE]
        novel = [a for a in safe if not node.children[a].marks & NOT_NOVEL]
        prune = self.s.nbp and self.norm(node.mean) >= 0.5
        options = (novel if prune else []) or safe or actions
        log_n = portable_log(node.visits) if node.visits > 1 else 0.0
        values = []
        for a in options:
            child = node.children[a]
            if child.visits <= 0:
                values.append(math.inf)
                continue
            value = child.mean if self.s.td == "off" else child.value + self.values[-1]
            if self.s.td_local:
                q = (value - node.low) / (node.high - node.low) if node.high > node.low else 0.5
            else:
                q = self.norm(value)
            value = q = min(1.0, max(0.0, q))       # only with td it can be outside
            if self.deterministic:
                value = (1 - self.s.mixmax) * q + self.s.mixmax * self.norm(child.high)
            value += self.s.C * math.sqrt(log_n / child.visits)
            if self.s.ph:
                visits, total = self.singles.get((self.cell(state), a), (0, 0))
                history = self.norm(total / visits if visits else self.high)
                value += history * self.s.W / (child.visits - child.visits * q + 1)
            values.append(value)
        return self.best(options, values)

    def test_novelty(self, node: Node, state: VgdlState) -> None:
        """Algorithm 4.1."""
        actions = state.actions
        facts = state.avatar()
        assert facts is not None
        slow = facts[2] <= 0.5
        one_axis = bool({"LEFT", "RIGHT"} & set(actions)) != bool({"UP", "DOWN"} & set(actions))
        memory: set[object] = set(self.atoms.of(state, changing=True))
        followers = []
        for a in actions:
            follower = self.branch(state)
            self.advance(follower, a)
            followers.append(follower)
            self.put_aside(node.children[a], follower.copy())
        for a, follower in zip(actions, followers, strict=True):
            atoms = self.atoms.of(follower, changing=True)
            novel = not atoms <= memory
            above = node.parent
            while novel and above is not None:
                if above.memory is not None and atoms <= above.memory:
                    novel = False
                above = above.parent
            important = follower.score > state.score or (self.s.nbp_ended == "novel" and follower.terminal)
            excused = important or (a in MOVES and (slow or one_axis))
            stale = self.s.nbp_ended == "never-novel" and follower.winner == 0
            if stale or not (novel or excused):
                node.children[a].marks |= NOT_NOVEL
            if important and self.s.nbp_parents == "unchanged":
                node.children[a].marks |= BETTER
            memory |= atoms
        node.memory = memory
        node.marks |= TESTED
        while node.parent is not None and not node.marks & BETTER and all(c.marks & NOT_NOVEL for c in node.children.values()):
            node.marks |= NOT_NOVEL
            node = node.parent

    def play_out(self, state: VgdlState, options: list[str]) -> str:
        if not self.s.nst:
            return options[self.rng.below(len(options))]
        if self.rng.double() < self.s.epsilon:
            return options[self.rng.below(len(options))]
        values = []
        for a in options:
            gram = (self.cell(state), a)
            means = []
            if gram in self.singles:
                means.append(self.singles[gram][1] / self.singles[gram][0])
                for length in range(2, self.s.n + 1):
                    if len(self.grams) < length - 1:
                        break
                    visits, total = self.sequences.get((*self.grams[len(self.grams) - length + 1 :], gram), (0, 0))
                    if visits < self.s.k:
                        break
                    means.append(total / visits)
            values.append(sum(means) / len(means) if means else self.high)
        return self.best(options, values)

    def avoid_loss(self, played: list[str], lost: float) -> float:
        state = self.branch(self.start)
        self.values = self.values[:1]
        self.grams, last = [], played[-1]
        for t, action in enumerate(played[:-1]):
            self.grams.append((self.cell(state), action))
            self.advance(state, action)
            if self.s.td != "off":
                self.values.append(self.arrived(state))
            if state.terminal:
                self.path = self.path[: t + 2]
                self.expand(played[: t + 1])
                return self.evaluate(state)
        self.expand(played)
        actions = state.actions
        parent, lost_node, before = self.path[-2], self.path[-1], worth(state)
        self.grams.append((self.cell(state), last))
        values = {}
        for a in actions:
            if a != last:
                sibling = self.branch(state)
                self.advance(sibling, a)
                values[a] = self.evaluate(sibling)
                if a not in parent.children:
                    Node(parent, a)
        if not values:
            return lost
        best = max(values, key=lambda a: values[a])      # the first of equal ones
        for a, value in values.items():
            if a != best:
                self.credit(parent.children[a], value, 1 / len(actions), before)
        self.credit(lost_node, lost, 1 / len(actions), before)
        self.path[-1] = parent.children[best]
        self.grams[-1] = (self.cell(state), best)
        return values[best]

    def credit(self, node: Node, value: float, weight: float, before: float) -> None:
        node.count(value, weight)
        if self.s.td != "off":
            reward = value - (before if self.s.td in ("tdir", "tdkbe") else self.value0)
            node.value += (reward - node.value) * weight / node.visits

    def backup(self, result: float) -> None:
        for node in self.path:
            node.count(result, 1.0)
        if self.s.td != "off":
            end = len(self.path) - 1
            errors = following = 0.0
            for t in range(end, 0, -1):
                if self.s.td in ("tdir", "tdkbe"):
                    reward = (result if t == end else self.values[t]) - self.values[t - 1]
                else:
                    reward = result - self.values[0] if t == end else 0.0
                present = self.path[t].value
                errors = self.s.td_lambda * errors + (reward + following - present)
                self.path[t].value += errors / self.path[t].visits
                following = present
        if self.s.ph or self.s.nst:
            for i, gram in enumerate(self.grams):
                entry = self.singles.setdefault(gram, [0.0, 0.0])
                entry[0] += 1
                entry[1] += result
                for length in range(2, (self.s.n if self.s.nst else 1) + 1):
                    if i + 1 >= length:
                        entry = self.sequences.setdefault(tuple(self.grams[i + 1 - length : i + 1]), [0.0, 0.0])
                        entry[0] += 1
                        entry[1] += result

    # ------------------------------------------------------------------------ final action

    def final_action(self) -> str:
        def value(action: str) -> float:
            child = self.root.children[action]
            return child.value if self.s.td == "tdms" else child.mean

        def best(options: list[str]) -> str | None:
            return self.best(options, [value(a) for a in options]) if options else None

        safe = [a for a in sorted(self.root.children, key=ACTIONS.index) if not self.root.children[a].marks & UNSAFE]
        marked = [a for a in safe if self.root.children[a].marks & NOT_NOVEL and self.root.children[a].visits > 1]
        novel = best([a for a in safe if not self.root.children[a].marks & NOT_NOVEL and self.root.children[a].visits > 0])
        if novel is not None and (not self.s.nbp or self.norm(self.root.children[novel].mean) >= 0.5):
            return novel
        other = best(marked)
        if novel is None and other is None:
            return safe[0] if safe else "NIL"
        if novel is None or (other is not None and value(other) > value(novel)):
            assert other is not None
            return other
        return novel
