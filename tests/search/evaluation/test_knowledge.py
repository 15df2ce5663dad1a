"""Knowledge-based evaluation, against a slow one that only asks what an agent may ask."""

from __future__ import annotations

import random
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.core.arcade import ArcadeGame
from paidia.core.errors import BadInput
from paidia.games import catalogue, load_as
from paidia.games.vgdl.compile.loading import game_from_text
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.views.observation import StateObservation
from paidia.search.evaluation.knowledge import Knowledge

LIBRARY = [info.id for info in catalogue() if info.id.startswith("vgdl:")]
STEPS = ["NIL", "UP", "LEFT", "DOWN", "RIGHT", "USE"]


def worth(state: VgdlState) -> float:
    """The plain evaluation X."""
    return state.score + (1e7 if state.winner == 1 else -1e7 if state.winner == 0 else 0.0)


def make(sprites: str, rules: str, level: str, *, seed: int = 0, ends: str = "Timeout limit=900 win=True") -> VgdlState:
    """A state of a small game in cells of 10 pixels; a sprite is mapped from its first letter, the avatar from A."""
    names = [line.split()[0] for line in sprites.strip().split("\n")]
    mapping = [f"{name[0]} > {name}" for name in names if name != "avatar"]

    def section(name: str, lines: list[str]) -> list[str]:
        return [f"  {name}", *("    " + line.strip() for line in lines if line.strip())]

    text = "\n".join(
        [
            "BasicGame square_size=10",
            *section("SpriteSet", sprites.split("\n")),
            *section("InteractionSet", rules.split("\n")),
            *section("LevelMapping", mapping),
            *section("TerminationSet", [ends]),
        ]
    )
    return game_from_text(text, "\n".join(level.split()), rules_file="game.txt").initial_state(seed)


def started(state: VgdlState, *, table: bool = True) -> Knowledge:
    knowledge = Knowledge(table=table)
    knowledge.begin_game(state.game, state)
    knowledge.begin_tick(state)
    return knowledge


def step(knowledge: Knowledge, state: VgdlState, action: str) -> None:
    """One simulated step that is learnt from."""
    met, before = len(state.events()), state.score
    state.advance(action)
    assert knowledge.observe(state, met, state.score - before) == len(state.events())


# ------------------------------------------------------------------------ the slow one


class SlowKnowledge:
    """The same by the book, with dictionaries and breadth-first search, from the agent's view of states."""

    FIRST = ("immovable", 0.0), ("npc", 0.1), ("movable", 0.25), ("resources", 1.0), ("portals", 1.0)

    def __init__(self, state: VgdlState) -> None:
        self.game = state.game
        self.wall = self.game.types.index("wall") if "wall" in self.game.types else -1
        self.walls = {self.cell(x, y) for _, type, _, x, y in state.seen() if type == self.wall}
        self.bound = self.game.width * self.game.height
        self.w: dict[int, float] = {}
        self.rate: dict[int, float] = {}
        self.change: dict[int, float] = {}
        self.n: dict[int, int] = {}
        self.left_out = {self.wall}
        self.look(state)

    def cell(self, x: float, y: float) -> tuple[int, int]:
        return int(x / self.game.block), int(y / self.game.block)

    def look(self, state: VgdlState) -> dict[int, list[tuple[int, int]]]:
        """Cells of all visible sprites that may count, by type."""
        view = StateObservation(state)
        cells: dict[int, list[tuple[int, int]]] = {}
        for group in view.get_from_avatar_sprites_positions() or []:
            self.left_out |= {seen.itype for seen in group}
        for category, first in self.FIRST:
            for group in getattr(view, f"get_{category}_positions")() or []:
                for seen in group:
                    if seen.itype not in self.left_out:
                        self.first_sight(seen.itype, first)
                        cells.setdefault(seen.itype, []).append(self.cell(*seen.position))
        return cells

    def first_sight(self, type: int, weight: float) -> None:
        if type not in self.w:
            self.w[type], self.rate[type], self.change[type], self.n[type] = weight, 0.8, 0.0, 0

    def distances(self, state: VgdlState) -> dict[int, int] | None:
        (x, y), *_ = state.avatar() or ((-(10**6), 0),)
        start, width, height = self.cell(x, y), self.game.width, self.game.height
        if not (0 <= start[0] < width and 0 <= start[1] < height and x > -self.game.block and y > -self.game.block):
            return None
        reached = {start: 0}
        queue = deque([start] if start not in self.walls else [])
        while queue:
            column, row = queue.popleft()
            for near in ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)):
                if 0 <= near[0] < width and 0 <= near[1] < height and near not in self.walls | reached.keys():
                    reached[near] = reached[column, row] + 1
                    queue.append(near)
        found = self.look(state)
        return {type: min((reached.get(at, self.bound) for at in found.get(type, ())), default=self.bound) for type in self.w}

    def begin_tick(self, root: VgdlState) -> None:
        self.at_root = self.distances(root) or {}
        for type in self.w:
            self.w[type] += 1e-4

    def observe(self, before: VgdlState, after: VgdlState) -> None:
        old, new = StateObservation(before), StateObservation(after)
        delta = after.score - before.score
        for event in new.get_historic_events_history()[len(old.get_historic_events_history()) :]:
            self.left_out.add(event.active_type)
            type = event.passive_type
            if type not in self.w and type not in self.left_out:
                known = self.look_at(after, type)
                if known is not None:
                    self.first_sight(type, known)
            if type in self.left_out:
                continue
            self.change[type] += delta
            self.n[type] += 1
            self.w[type] += (self.change[type] / self.n[type] - self.w[type]) * self.rate[type]
            self.rate[type] = max(0.1, 0.75 * self.rate[type])

    def look_at(self, state: VgdlState, type: int) -> float | None:
        """The first weight of a type that was met before it was seen; None if it is an avatar or a shot."""
        kinds = {category for category, seen, *_ in state.seen() if seen == type}
        if kinds & {0, 5}:
            self.left_out.add(type)
            return None
        return {1: 1.0, 2: 1.0, 3: 0.1, 6: 0.25}.get(min(kinds, default=4), 0.0)

    def evaluate(self, state: VgdlState) -> float:
        now = self.distances(state)
        if now is None:
            return 0.0
        return sum(
            self.w[type] * (self.at_root.get(type, self.bound) - now[type])
            for type in self.w
            if type not in self.left_out and abs(self.w[type]) >= 1e-4
        )

    def weights(self) -> dict[str, float]:
        return {self.game.types[type]: w for type, w in self.w.items() if type not in self.left_out}


@pytest.mark.parametrize("name", LIBRARY)
def test_weights_and_evaluations_are_those_of_the_slow_one(name: str) -> None:
    """Both ways to measure distances, over a few ticks of random play with random simulations."""
    rng = random.Random(name)
    for level in ("0", "3"):
        game = load_as(ArcadeGame, name, level=level)
        assert isinstance(game, VgdlGame)
        root = game.initial_state(rng.randrange(2**32))
        quick = [Knowledge(table=True), Knowledge(table=False)]
        for knowledge in quick:
            knowledge.begin_game(game, root)
        slow = SlowKnowledge(root)
        for _ in range(4):
            slow.begin_tick(root)
            for knowledge in quick:
                knowledge.begin_tick(root)
            for _ in range(4):
                state = root.copy()
                state.seed(rng.randrange(2**32))
                for _ in range(12):
                    before = state.copy()
                    state.advance(rng.choice(STEPS))
                    slow.observe(before, state)
                    for knowledge in quick:
                        knowledge.observe(state, len(before.events()), state.score - before.score)
                expected = slow.evaluate(state)
                for knowledge in quick:
                    assert knowledge.evaluate(state) == pytest.approx(expected, rel=1e-9, abs=1e-9)
                    assert knowledge.weights() == pytest.approx(slow.weights(), rel=1e-12, abs=1e-12)
            for _ in range(3):
                root.play(rng.choice(STEPS))
            if root.terminal:
                break


# ------------------------------------------------------------------------ by hand

GOAL_BEHIND_WALL = """
wwwwwwwww
w...w...w
w..Aw.k.w
w...w...w
w.......w
wwwwwwwww
"""
KEY_GAME = "wall > Immovable\nkey > Resource\navatar > MovingAvatar\n"
KEY_RULES = "avatar wall > stepBack\nkey avatar > collectResource scoreChange=1"


@pytest.mark.parametrize("table", [True, False])
def test_the_way_round_a_wall_leads_to_the_key(table: bool) -> None:
    state = make(KEY_GAME, KEY_RULES, GOAL_BEHIND_WALL)
    knowledge = started(state, table=table)
    weight = knowledge.weights()["key"]
    assert knowledge.root_distances() == {"key": 7}  # 3 as the crow flies

    def after(action: str) -> float:
        following = state.copy()
        following.advance(action)
        return knowledge.evaluate(following)

    # Down leads away from the key as the crow flies, and is the way.
    assert after("DOWN") == pytest.approx(weight)
    assert after("RIGHT") == after("NIL") == 0.0
    assert after("UP") == after("LEFT") == pytest.approx(-weight)
    moves = 0
    while state.score == 0.0:
        best, value = "NIL", float("-inf")
        for action in state.actions:
            following = state.copy()
            following.advance(action)
            found = worth(following) * 1000 + knowledge.evaluate(following)
            if found > value:
                best, value = action, found
        state.advance(best)
        moves += 1
    assert moves == 7


def test_table_4_1_and_who_is_left_out() -> None:
    state = make(
        "wall > Immovable\nstone > Immovable\nnpc > RandomNPC\nball > Missile\nkey > Resource\ndoor > Door\n"
        "missile > Missile orientation=RIGHT\navatar > ShootAvatar stype=missile",
        "avatar wall > stepBack\nstone missile > killSprite scoreChange=2",
        "wwwwwwwww\nwA....snw\nwb.k.d..w\nwwwwwwwww",
    )
    knowledge = Knowledge()
    knowledge.begin_game(state.game, state)
    assert knowledge.weights() == {"stone": 0.0, "npc": 0.1, "ball": 0.25, "key": 1.0, "door": 1.0}
    knowledge.begin_tick(state)
    ticked = {"stone": 1e-4, "npc": 0.1001, "ball": 0.2501, "key": 1.0001, "door": 1.0001}
    assert knowledge.weights() == pytest.approx(ticked)
    shot = state.copy()
    for _ in range(9):
        step(knowledge, shot, "USE")
        knowledge.evaluate(shot)
    assert shot.score == 2.0
    assert "missile" not in knowledge.weights() and "avatar" not in knowledge.weights()
    # A shot that meets the stone tells about stones: one collision with a change of 2.
    assert knowledge.weights()["stone"] == pytest.approx(1e-4 + (2 - 1e-4) * 0.8)


def test_a_shot_that_looks_static_is_left_out_once_it_acts() -> None:
    state = make(
        "wall > Immovable\nstone > Immovable\ncastle > Immovable\navatar > ShootAvatar stype=castle",
        "castle stone > reverseDirection scoreChange=1\navatar wall > stepBack",
        "wwwwww\nwA.s.w\nwwwwww",
    )
    state.advance("RIGHT")
    before = len(state.events())
    state.advance("USE")
    assert state.count(state.game.types.index("castle")) == 1
    knowledge = started(state)
    assert set(knowledge.weights()) == {"stone", "castle"}
    assert knowledge.observe(state, before, 1.0) == before + 1
    assert set(knowledge.weights()) == {"stone"}


def test_what_hurts_is_kept_away_from_and_rates_fall() -> None:
    state = make(
        "wall > Immovable\nlava > Immovable\navatar > MovingAvatar",
        "avatar wall > stepBack\nlava avatar > reverseDirection scoreChange=-1",
        "wwwwww\nwA.l.w\nwwwwww",
    )
    knowledge = started(state)
    near = state.copy()
    near.advance("RIGHT")
    assert knowledge.evaluate(near) == pytest.approx(1e-4)
    burnt = near.copy()
    step(knowledge, burnt, "RIGHT")
    weight = 1e-4 + (-1 - 1e-4) * 0.8
    assert knowledge.weights()["lava"] == pytest.approx(weight)
    assert knowledge.evaluate(near) == pytest.approx(weight)  # one cell closer to what hurts
    rate = 0.6
    for _ in range(12):
        step(knowledge, burnt, "NIL")
        weight += (-1 - weight) * rate
        rate = max(0.1, 0.75 * rate)
        assert knowledge.weights()["lava"] == pytest.approx(weight)
    assert rate == 0.1


def test_small_weights_do_not_count_whatever_their_sign() -> None:
    state = make(
        "wall > Immovable\nfloor > Immovable\navatar > MovingAvatar",
        "floor avatar > reverseDirection",
        "wwwww\nwA.fw\nwwwww",
    )
    knowledge = Knowledge()
    knowledge.begin_game(state.game, state)
    near = state.copy()
    near.advance("RIGHT")
    assert knowledge.evaluate(near) == 0.0
    for tick in range(1, 4):
        knowledge.begin_tick(state)
        assert knowledge.evaluate(near) == pytest.approx(tick * 1e-4)
    met = near.copy()
    step(knowledge, met, "RIGHT")  # nothing happens: 3e-4 becomes 0.6e-4
    assert knowledge.weights()["floor"] == pytest.approx(0.6e-4)
    assert knowledge.evaluate(near) == 0.0


def test_a_type_first_met_in_a_collision() -> None:
    state = make(
        "wall > Immovable\nbox > Immovable\ncoin > Resource\nunseen > Immovable hidden=True\navatar > MovingAvatar",
        "box avatar > transformTo stype=coin\ncoin avatar > reverseDirection scoreChange=3\n"
        "unseen avatar > reverseDirection scoreChange=5",
        "wwwwww\nwAb.uw\nwwwwww",
    )
    knowledge = started(state)
    assert "coin" not in knowledge.weights()
    walk = state.copy()
    step(knowledge, walk, "RIGHT")
    step(knowledge, walk, "NIL")
    change, met = walk.score, sum(event[2] == state.game.types.index("coin") for event in walk.events())
    assert (change, met) in {(3.0, 1), (6.0, 2)}
    weight, rate = 1.0, 0.8
    for _ in range(met):
        weight += (3 - weight) * rate
        rate *= 0.75
    assert knowledge.weights()["coin"] == pytest.approx(weight)
    step(knowledge, walk, "RIGHT")
    before = walk.copy()
    step(knowledge, walk, "RIGHT")
    assert walk.score == change + 5.0
    assert knowledge.weights()["unseen"] == pytest.approx(5 * 0.8)
    # There was no coin in the root, there is no box now; what cannot be seen does not count.
    box = knowledge.weights()["box"]
    assert knowledge.evaluate(before) == pytest.approx(weight * (18 - 1) + box * (1 - 18))


def test_what_is_nowhere_is_as_far_as_can_be() -> None:
    state = make(KEY_GAME, "avatar wall > stepBack\nkey avatar > collectResource", "wwwww\nwAk.w\nwwwww")
    knowledge = started(state)
    taken = state.copy()
    taken.advance("RIGHT")
    assert knowledge.evaluate(taken) == pytest.approx(1.0001 * (1 - 15))
    knowledge.begin_tick(taken)
    assert knowledge.root_distances() == {"key": 15}
    assert knowledge.evaluate(taken) == 0.0


def test_outside_the_level_nothing_is_known() -> None:
    state = make(KEY_GAME, "", "A..k")
    knowledge = started(state)
    state.advance("UP")
    assert state.seen(1)[0][4] == -10
    assert knowledge.evaluate(state) == 0.0


def test_more_sprites_than_expected_wait_for_the_next_tick() -> None:
    state = make(
        "wall > Immovable\nmould > Spreader spreadprob=1.0\navatar > MovingAvatar",
        "",
        "\n".join(["." * 60] * 20 + ["m" + "." * 30 + "A" + "." * 28] + ["." * 60] * 20),
        seed=3,
    )
    knowledge = started(state)
    assert knowledge.weights() == {"mould": pytest.approx(0.2501)}
    few = state.copy()
    few.advance("LEFT")
    assert knowledge.evaluate(few) != 0.0
    many = state.copy()
    while len(many.seen()) <= 2 * len(state.seen()) + 256:
        many.advance("LEFT")
        assert many.tick < 100
    assert knowledge.evaluate(many) == 0.0
    knowledge.begin_tick(many)
    following = many.copy()
    following.advance("LEFT")
    assert knowledge.evaluate(following) != 0.0


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=20))
def test_evaluations_are_normalised_by_all_so_far(values: list[float]) -> None:
    knowledge = Knowledge()
    for i, value in enumerate(values):
        low, high = min(values[: i + 1]), max(values[: i + 1])
        expected = 0.5 * ((value - low) / (high - low)) if high > low else 0.0
        found = knowledge.normalised(value)
        assert found == pytest.approx(expected)
        assert 0.0 <= found <= 0.5


def test_a_new_game_forgets() -> None:
    state = make(KEY_GAME, KEY_RULES, GOAL_BEHIND_WALL)
    knowledge = started(state)
    knowledge.normalised(3.0)
    knowledge.normalised(5.0)
    knowledge.begin_tick(state)
    knowledge.begin_game(state.game, state)
    assert knowledge.weights() == {"key": 1.0}
    assert knowledge.normalised(7.0) == 0.0
    assert knowledge.normalised(8.0) == 0.5


def test_states_of_other_games_teach_nothing() -> None:
    """Not even before the first game: what is not asked about must not be read."""
    state = make(KEY_GAME, KEY_RULES, GOAL_BEHIND_WALL)
    other = make("mouse > RandomNPC\n" + KEY_GAME, "key avatar > collectResource", "A.km")
    fresh, knowledge = Knowledge(), started(state)
    other.advance("RIGHT")
    other.advance("RIGHT")
    for one in (fresh, knowledge):
        before = one.weights()
        one.begin_tick(other)
        assert one.observe(other, 0, 1.0) == len(other.events()) > 0
        assert one.evaluate(other) == 0.0
        assert one.weights() == before
    with pytest.raises(BadInput, match="belongs to"):
        knowledge.begin_game(state.game, other)
