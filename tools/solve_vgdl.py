"""Find a winning sequence of actions for every level of a VGDL game, to be replayed by the tests.

    python tools/solve_vgdl.py vine skater            # games of the library; all of them if none is named

The search may foresee chance, because a copied state keeps its generator: what is looked for is one way to win with one
seed, not a good player. First a breadth-first search over situations, which solves puzzles; then beams of growing width
that keep the states with the best score and, among equals, those whose avatar stands where few have stood, in turn with
greedy bursts of random actions. Solutions are written to tests/games/vgdl/solutions/NAME.json as {level: {seed, actions}},
an action being one letter of `LETTERS`.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from paidia.core.arcade import ACTIONS
from paidia.games import load
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.library import LIBRARY, VgdlWorld, levels_of

if TYPE_CHECKING:
    from paidia.games.vgdl.engine.game import AvatarFacts

LETTERS = {"NIL": ".", "UP": "U", "LEFT": "L", "DOWN": "D", "RIGHT": "R", "USE": "*"}
SOLUTIONS = Path(__file__).parent.parent / "tests" / "games" / "vgdl" / "solutions"

Node = tuple[VgdlState, "Step | None"]
Step = tuple["Step | None", str]


def path_of(step: Step | None) -> str:
    """The letters of the actions that led to a node."""
    letters = []
    while step is not None:
        step, letter = step
        letters.append(letter)
    return "".join(reversed(letters))


def children(node: Node) -> list[Node]:
    """Every action played on a copy."""
    state, step = node
    found: list[Node] = []
    for action in dict.fromkeys([*state.actions, "NIL"]):
        after = state.copy()
        after.advance(action)
        found.append((after, (step, LETTERS[action])))
    return found


def breadth_first(start: VgdlState, until: float) -> str | None:
    """The shortest solution, taking situations that look the same as the same."""
    layer: list[Node] = [(start, None)]
    seen = {start.key}
    while layer and time.monotonic() < until:
        below = []
        for node in layer:
            for child in children(node):
                state = child[0]
                if state.winner == 1:
                    return path_of(child[1])
                if not state.terminal and state.key not in seen:
                    seen.add(state.key)
                    below.append(child)
            if time.monotonic() > until:
                return None
        layer = below
    return None


def beam(start: VgdlState, width: int, seed: int, until: float) -> str | None:
    """The best `width` states of every tick."""
    chance = random.Random(seed)
    layer: list[Node] = [(start, None)]
    stood: Counter[tuple[float, object]] = Counter()
    while layer and time.monotonic() < until:
        found: dict[int, tuple[float, float, float, Node]] = {}
        for node in layer:
            for child in children(node):
                state = child[0]
                if state.winner == 1:
                    return path_of(child[1])
                if state.terminal or not state.alive or state.key in found:
                    continue
                avatar = state.avatar()
                place = (state.score, whereabouts(avatar, start.game.block) if avatar else None)
                stood[place] += 1
                found[state.key] = (-state.score, stood[place], chance.random(), child)
        layer = [entry[3] for entry in sorted(found.values(), key=lambda entry: entry[:3])[:width]]
    return None


def greedy(start: VgdlState, seed: int, until: float) -> str | None:
    """The best of many random bursts of action, again and again; from the start once nothing goes on."""
    chance = random.Random(seed)
    node: Node = (start, None)
    while time.monotonic() < until:
        best: Node | None = None
        for _ in range(40):
            state, step = node[0].copy(), node[1]
            action = "NIL"
            for _ in range(chance.randint(3, 40)):
                if chance.random() < 0.5:
                    action = chance.choice([*state.actions, "NIL"])
                state.advance(action)
                step = (step, LETTERS[action])
                if state.winner == 1:
                    return path_of(step)
                if state.terminal:
                    break
            if not state.terminal and state.alive and (best is None or state.score >= best[0].score):
                best = (state, step)
        node = (start, None) if best is None or best[0].tick > 400 else best
    return None


def whereabouts(avatar: AvatarFacts, block: int) -> tuple[int, ...]:
    """Place and orientation of the avatar, coarse enough that few states of free flight share none."""
    (x, y), (facing_x, facing_y), *_ = avatar
    return 2 * x // block, 2 * y // block, round(2 * facing_x), round(2 * facing_y)


def solve(game: VgdlGame, seconds: float) -> tuple[int, str] | None:
    """A seed and the actions that win with it."""
    began = time.monotonic()
    if not game.stochastic:
        actions = breadth_first(game.initial_state(0), began + seconds / 2)
        if actions is not None:
            return 0, actions
    for attempt in range(100):
        until = min(began + seconds, time.monotonic() + seconds / 3)
        actions = beam(game.initial_state(attempt), 20 << min(attempt, 5), attempt, until)
        actions = actions or greedy(game.initial_state(attempt), attempt, min(began + seconds, time.monotonic() + seconds / 3))
        if actions is not None:
            return attempt, actions
        if time.monotonic() > began + seconds:
            break
    return None


def check(game: VgdlGame, seed: int, actions: str) -> bool:
    """Whether the actions win when the game itself plays them."""
    names = {letter: name for name, letter in LETTERS.items()}
    state = game.initial_state(seed)
    for letter in actions:
        state.play(names[letter])
    return state.winner == 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="games of the library")
    parser.add_argument("--seconds", type=float, default=20.0, help="for one level")
    parser.add_argument("--again", action="store_true", help="also solve levels whose solution still works")
    options = parser.parse_args()
    assert set(LETTERS) == set(ACTIONS)
    SOLUTIONS.mkdir(exist_ok=True)
    for name in options.games or VgdlWorld().ids():
        file = SOLUTIONS / f"{name}.json"
        known = json.loads(file.read_text()) if file.exists() else {}
        solutions = {}
        for level in range(len(levels_of(LIBRARY / name / f"{name}.txt"))):
            game = load(f"vgdl:{name}", level=str(level))
            assert isinstance(game, VgdlGame)
            old = known.get(str(level))
            if old and not options.again and check(game, old["seed"], old["actions"]):
                solutions[str(level)] = old
                continue
            began = time.monotonic()
            found = solve(game, options.seconds)
            ok = found is not None and check(game, *found)
            print(
                f"{name} {level}: {f'{len(found[1])} ticks, seed {found[0]}' if found and ok else 'NOT SOLVED'}"
                f" ({time.monotonic() - began:.1f} s)",
                flush=True,
            )
            if found and ok:
                solutions[str(level)] = {"seed": found[0], "actions": found[1]}
        file.write_text(json.dumps(solutions, indent=1) + "\n")


if __name__ == "__main__":
    main()
