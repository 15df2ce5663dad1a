"""The engine against a slow, obvious one: every sprite a Python object, every pair compared with every other.

The oracle knows a part of the language (flat movement, the effects that move, kill and transform, the edge of
the world) and nothing of fixtures, cells or filters, which is what the comparison is about.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.games.vgdl.compile.loading import game_from_text

BLOCK = 10
DIRECTIONS = {"UP": (0, -1), "LEFT": (-1, 0), "DOWN": (0, 1), "RIGHT": (1, 0)}
NAMES = ["wall", "avatar", "kin", "a", "b", "c", "d"]
FAMILY = {name: [name] for name in NAMES} | {"kin": ["kin", "a", "b"], "a": ["kin", "a"], "b": ["kin", "b"]}
UPDATES = ["d", "c", "b", "a", "wall"]  # the avatar goes first, then the drawing order backwards
EFFECTS = [
    "killSprite",
    "killBoth",
    "stepBack",
    "undoAll",
    "bounceForward",
    "reverseDirection",
    "transformTo",
]
AT_EDGE = ["killSprite", "stepBack", "reverseDirection", "wrapAround"]


@dataclass(eq=False)
class Thing:
    type: str
    id: int
    x: int
    y: int
    cls: str
    facing: tuple[int, int]
    oriented: bool
    speed: float
    limit: int = 0
    lastmove: int = 0
    first: bool = True
    killed: bool = False
    disabled: bool = False
    age: int = 0
    last: tuple[int, int] = (0, 0)

    def moved(self) -> tuple[int, int]:
        dx, dy = self.x - self.last[0], self.y - self.last[1]
        return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)

    def overlaps(self, other: Thing) -> bool:
        return abs(self.x - other.x) < BLOCK and abs(self.y - other.y) < BLOCK


@dataclass
class Oracle:
    """The rules: class of each type, pair rules (first, second, effect, score, target), edge rules (type,
    effect).
    """

    classes: dict[str, tuple[str, str, float, int]]
    pairs: list[tuple[str, str, str, int, str]]
    edges: list[tuple[str, str]]
    cells: list[str]
    things: dict[str, list[Thing]] = field(default_factory=lambda: {name: [] for name in NAMES})
    next_id: int = 0
    score: int = 0

    def make(self, name: str, x: int, y: int) -> Thing:
        cls, facing, speed, limit = self.classes[name]
        oriented = cls == "Missile"
        thing = Thing(name, self.next_id, x, y, cls, DIRECTIONS[facing] if oriented else (0, 0), oriented, speed, limit)
        thing.last = (x, y)
        self.next_id += 1
        self.things[name].append(thing)
        return thing

    def shift(self, thing: Thing, direction: tuple[int, int], pixels: int) -> bool:
        if pixels == 0 or thing.lastmove < 1 or direction == (0, 0):
            return False
        thing.x += direction[0] * pixels
        thing.y += direction[1] * pixels
        thing.lastmove = 0
        return True

    def family(self, name: str) -> list[Thing]:
        return [thing for member in FAMILY[name] for thing in self.things[member]]

    def tick(self, action: str) -> None:
        avatar = self.things["avatar"][0]
        if not avatar.disabled:
            self.begin(avatar)
            if action in DIRECTIONS:
                self.shift(avatar, DIRECTIONS[action], BLOCK)
        for name in UPDATES:
            for thing in list(self.things[name]):
                self.begin(thing)
                self.update(thing)
        self.at_edges()
        order = list(dict.fromkeys((first, second) for first, second, *_ in self.pairs))
        for pair in order:
            for first, second, effect, score, target in self.pairs:
                if (first, second) == pair:
                    self.collide(first, second, effect, score, target)
        for name in NAMES:
            self.things[name] = [thing for thing in self.things[name] if not thing.killed]

    def begin(self, thing: Thing) -> None:
        thing.last = (thing.x, thing.y)
        thing.lastmove += 1

    def update(self, thing: Thing) -> None:
        if thing.cls == "Immovable":
            return
        if thing.first:
            thing.first = False
        elif thing.oriented:
            self.shift(thing, thing.facing, int(thing.speed * BLOCK))
        if thing.cls == "Flicker":
            if thing.age > thing.limit:
                thing.killed = True
            thing.age += 1

    def outside(self, thing: Thing) -> bool:
        width, height = len(self.cells[0]) * BLOCK, len(self.cells) * BLOCK
        return thing.x < 0 or thing.y < 0 or thing.x + BLOCK > width or thing.y + BLOCK > height

    def at_edges(self) -> None:
        for name, _ in self.edges:
            for other, effect in self.edges:
                if other == name:
                    for thing in self.family(name):
                        if self.outside(thing) and not thing.killed and not thing.disabled:
                            self.run(effect, thing, None, "")

    def collide(self, first: str, second: str, effect: str, score: int, target: str) -> None:
        firsts, seconds = self.family(first), self.family(second)
        for one in firsts:
            hits = [other for other in seconds if other is not one and one.overlaps(other)]
            for other in hits:
                if not one.killed and one.overlaps(other):
                    self.run(effect, one, other, target)
                    self.score += score

    def kill(self, thing: Thing) -> None:
        if thing.type == "avatar":
            thing.disabled = True
        else:
            thing.killed = True

    def run(self, effect: str, one: Thing, other: Thing | None, target: str) -> None:
        if effect == "killSprite":
            self.kill(one)
        elif effect == "killBoth":
            self.kill(one)
            assert other is not None
            self.kill(other)
        elif effect == "stepBack":
            one.x, one.y = one.last
        elif effect == "undoAll":
            for name in NAMES:
                if name != "kin":
                    for thing in self.things[name]:
                        thing.x, thing.y = thing.last
        elif effect == "reverseDirection":
            one.facing = (-one.facing[0], -one.facing[1])
        elif effect == "wrapAround":
            width, height = len(self.cells[0]) * BLOCK, len(self.cells) * BLOCK
            if one.facing[0]:
                one.x = 0 if one.facing[0] > 0 else width - BLOCK
            elif one.facing[1]:
                one.y = 0 if one.facing[1] > 0 else height - BLOCK
            one.lastmove = 0
        elif effect == "bounceForward":
            self.push(one, other)
        elif effect == "transformTo" and not one.disabled:
            new = self.make(target, one.x, one.y)
            if new.oriented and one.oriented and new.facing == (0, 0):
                new.facing = one.facing
            new.last = one.last
            if one.type == "avatar":
                one.disabled = True
            else:
                one.killed = True

    def push(self, one: Thing, other: Thing | None) -> None:
        assert other is not None
        dx, dy = other.moved()
        length = (dx * dx + dy * dy) ** 0.5
        assert length <= 1  # nothing in this part of the language moves diagonally
        dx = -dx if dx * other.facing[0] < 0 else dx
        dy = -dy if dy * other.facing[1] < 0 else dy
        speed = other.speed or (1.0 if one.speed <= 0 else one.speed)
        self.shift(one, (dx, dy), int(speed * BLOCK))
        one.facing = (dx, dy)


@st.composite
def games(draw: st.DrawFn) -> tuple[Oracle, str, str]:
    """A small random game as an oracle and as text."""
    classes = {"wall": ("Immovable", "UP", 0.0, 0), "avatar": ("MovingAvatar", "UP", 1.0, 0)}
    lines = ["BasicGame square_size=10", "  SpriteSet", "    kin >"]
    for name in "abcd":
        cls = draw(st.sampled_from(["Immovable", "Passive", "Missile", "Missile", "Flicker"]))
        facing = draw(st.sampled_from(list(DIRECTIONS)))
        speed = draw(st.sampled_from([0.3, 0.5, 1.0])) if cls == "Missile" else 0.0
        limit = draw(st.integers(1, 5))
        classes[name] = (cls, facing, speed, limit)
        given_ = {"Missile": f" orientation={facing} speed={speed}", "Flicker": f" limit={limit}"}.get(cls, "")
        lines.append(f"    {'  ' if name in 'ab' else ''}{name} > {cls}{given_}")
    names = st.sampled_from(["avatar", "kin", "a", "b", "c", "d", "wall"])
    pairs, edges = [], []
    lines += ["    wall > Immovable", "    avatar > MovingAvatar", "  InteractionSet"]
    for _ in range(draw(st.integers(1, 8))):
        first, second, effect = draw(names), draw(names), draw(st.sampled_from(EFFECTS))
        score, target = draw(st.integers(-3, 3)), draw(st.sampled_from("abcd"))
        pairs.append((first, second, effect, score, target))
        stype = f" stype={target}" if effect == "transformTo" else ""
        lines.append(f"    {first} {second} > {effect} scoreChange={score}{stype}")
    for _ in range(draw(st.integers(0, 3))):
        name, effect = draw(names), draw(st.sampled_from(AT_EDGE))
        edges.append((name, effect))
        lines.append(f"    {name} EOS > {effect}")
    lines += ["  LevelMapping"]
    stacks = {"1": "a", "2": "b", "3": "c", "4": "d", "5": "ac", "6": "bd", "7": "cab"}
    lines += [f"    {key} > {' '.join(stack)}" for key, stack in stacks.items()]
    lines += ["    x > wall c", "  TerminationSet", "    Timeout limit=1000 win=True"]
    width = draw(st.integers(2, 7))
    rows = draw(st.lists(st.text("  1234567wx", min_size=width, max_size=width), min_size=1, max_size=6))
    column, row = draw(st.integers(0, width - 1)), draw(st.integers(0, len(rows) - 1))
    rows[row] = rows[row][:column] + "A" + rows[row][column + 1 :]
    oracle = Oracle(classes, pairs, edges, rows)
    contents = {**stacks, "w": ["wall"], "x": ["wall", "c"], "A": ["avatar"], " ": []}
    for y, line in enumerate(rows):
        for x, character in enumerate(line):
            for name in contents[character]:
                oracle.make(name, x * BLOCK, y * BLOCK)
    return oracle, "\n".join(lines), "\n".join(rows)


def shown(oracle: Oracle) -> list[tuple[int, int, int, int, bool]]:
    return [(NAMES.index(name), thing.id, thing.x, thing.y, thing.disabled) for name in NAMES for thing in oracle.things[name]]


@settings(max_examples=400, deadline=None)
@given(games(), st.lists(st.sampled_from(["NIL", *DIRECTIONS]), min_size=1, max_size=8))
def test_engine_moves_and_collides_as_the_oracle(game: tuple[Oracle, str, str], actions: list[str]) -> None:
    oracle, rules, level = game
    state = game_from_text(rules, level).initial_state()
    assert list(state.game.types) == NAMES
    for action in actions:
        oracle.tick(action)
        state.play(action)
        ours = [(type_, id, x, y, bool(flags & 2)) for type_, id, x, y, flags, _ in state.sprites()]
        assert ours == shown(oracle)
        assert state.score == oracle.score
        assert state.check_index()
