"""Write lane programs and what they have to come to into a folder, for `lanes_gpu.py` on a machine with a GPU.

    python benchmarks/lanes_bundle.py SHEETS FOLDER [--only GAME ...]

SHEETS holds rule sheets as KEY/*.kif. Every file has a program, its tables, and results of the processor's lanes that the GPU's
must equal: totals of games with a fixed number in each lane, and all fluents of all lanes after some steps, with and without
actions from outside.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
from lanes_face import face

from paidia.games.gdl.lanes.compile.build import build_program
from paidia.games.gdl.lanes.gpu.table import table_of
from paidia.games.gdl.lanes.playouts import play_games
from paidia.games.gdl.lanes.portable import random_state
from paidia.games.gdl.lanes.processor.engine import Engine
from paidia.games.gdl.lanes.processor.vector import LaneVector
from paidia.games.gdl.lanes.program import LaneProgram
from paidia.games.gdl.lanes.trace import dealt
from paidia.games.gdl.load import load_file

LANES = 4096
SEED = 20261116
QUOTA_BITS = 1
STEPS = 40
PLAYS = 30


def digest(planes: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(planes).view(np.uint8).tobytes()).hexdigest()


def after_steps(engine: Engine) -> np.ndarray:
    """The fluents of all lanes after some random steps, as 32-lane words (fluents, words)."""
    program, found = engine.program, []
    words = engine.lanes // 32
    for block in range(LANES // engine.lanes):
        state = dealt(random_state(SEED, words, block * words), engine)
        planes = engine.block("step")
        planes[: program.n_fluents] = np.where(np.array(program.initial), np.uint64(2**64 - 1), np.uint64(0))[:, None]
        for _ in range(STEPS):
            engine.draw(state, planes, program.n_fluents, program.n_random)
            engine.run("step_0", planes)
            engine.run("step_1", planes)
        found.append(planes[: program.n_fluents].copy().view(np.uint32))
    return np.concatenate(found, axis=1)


def to_the_end(engine: Engine) -> tuple[int, list[int]]:
    """Every lane plays one game: joint moves in all, and how often every goal held."""
    program = engine.program
    words, steps, held = engine.lanes // 32, 0, np.zeros(len(program.goal_role), int)
    for block in range(LANES // engine.lanes):
        state = dealt(random_state(SEED, words, block * words), engine)
        planes, goals = engine.block("leaf"), engine.block("goals")
        planes[: program.n_fluents] = np.where(np.array(program.initial), np.uint64(2**64 - 1), np.uint64(0))[:, None]
        while True:
            engine.draw(state, planes, program.n_fluents, program.n_random)
            engine.run("leaf_0", planes)
            going = int(np.bitwise_count(~planes[program.over_plane]).sum())
            if not going:
                break
            steps += going
            engine.run("leaf_1", planes)
        goals[: program.n_fluents] = planes[: program.n_fluents]
        engine.run("goals", goals)
        held += np.bitwise_count(goals[program.n_fluents : program.goals.n_planes]).sum(axis=1).astype(int)
    return steps, held.tolist()


def actions_of(program: LaneProgram) -> np.ndarray:
    """Actions from outside, legal or not: by play, lane and action."""
    chance = np.random.default_rng(SEED)
    return np.stack([chance.integers(0, n, (PLAYS, LANES), np.int32) for n in program.actions], axis=-1)


def after_plays(engine: Engine) -> np.ndarray:
    """The planes of fluents, legal moves, illegal, over and goals of all lanes after the last of some plays."""
    program, found = engine.program, []
    n_fluents, n_legal = program.n_fluents, sum(program.actions)
    actions = actions_of(program)
    for block in range(LANES // engine.lanes):
        planes = engine.block("play")
        planes[: n_fluents + n_legal] = np.where(
            np.array(program.initial + program.initial_legal), np.uint64(2**64 - 1), np.uint64(0)
        )[:, None]
        for play in range(PLAYS):
            at = n_fluents + n_legal
            for action, bits in enumerate(program.action_bits):
                mine = actions[play, block * engine.lanes : (block + 1) * engine.lanes, action]
                for bit in range(bits):
                    planes[at] = np.packbits(mine >> bit & 1, bitorder="little").view(np.uint64)
                    at += 1
            engine.run("play", planes)
        out = [*range(n_fluents + n_legal), *range(program.play.n_inputs, program.play.n_planes)]
        found.append(planes[out].copy().view(np.uint32))
    return np.concatenate(found, axis=1)


def drop_rows(path: Path) -> None:
    """Large programs run in the table form only, and their operations stand in the table."""
    with np.load(path) as found:
        kept = {name: found[name] if name == "facts" else found[name][:0] for name in found.files}
    np.savez_compressed(path, **kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sheets", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for folder in sorted(arguments.sheets.iterdir()):
        files = sorted(folder.glob("*.kif"))
        if not files or (arguments.only and folder.name not in arguments.only):
            continue
        program = build_program(load_file(files[0], id=f"gdl:{folder.name}"))
        engine = Engine(program, lanes=256 if program.step.size > 50_000 else 1024)
        big = program.step.size > 60_000
        tally = play_games(engine, LANES * 2**QUOTA_BITS, seed=SEED, lanes=LANES)
        expected = {
            "lanes": LANES, "seed": SEED, "quota_bits": QUOTA_BITS, "steps_played": STEPS, "plays": PLAYS,
            "games": tally.games, "steps": tally.steps,
            "goal_count": [int(x) for x in tally.goal_count[: len(program.goal_role)]],
            "several": [float(x) for x in tally.goal_sum], "fluents": "" if big else digest(after_steps(engine)),
            "played": "" if big else digest(after_plays(engine)), "size": program.step.size,
            "leaf": [] if big else to_the_end(engine),
            "face": "" if big else face(LaneVector(program, LANES), SEED, np.asarray),
        }  # fmt: skip
        program.save(arguments.folder / f"{folder.name}.npz")
        if big:
            drop_rows(arguments.folder / f"{folder.name}.npz")
        tables = table_of(program)
        np.savez_compressed(arguments.folder / f"{folder.name}.table", **tables)
        (arguments.folder / f"{folder.name}.json").write_text(json.dumps(expected))
        print(folder.name, program.step.size, tally.games, flush=True)


if __name__ == "__main__":
    main()
