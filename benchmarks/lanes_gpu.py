"""Lanes on a GPU: checks against the processor's results, then rates. Needs numpy and CuPy; uses torch, jax, pgx if there.

    python benchmarks/lanes_gpu.py FOLDER [--out FILE] [--seconds S] [--budget S]

FOLDER is what `lanes_bundle.py` wrote. Prints a line for each rate and each failed check; everything also goes to FILE as JSON.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import json
import statistics
import subprocess
import sys
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

import cupy as cp
import numpy as np
from lanes_face import face

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src"
sys.path.append(str(SOURCE))


def without_kernels(*packages: str) -> None:
    """Let modules of these packages be imported without the packages' own beginnings: those need kernels, here are none."""
    for name in packages:
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = [str(SOURCE.joinpath(*name.split(".")))]


without_kernels("paidia.games", "paidia.games.gdl")
from paidia.games.gdl.lanes.gpu.runner import CudaLanes  # noqa: E402
from paidia.games.gdl.lanes.gpu.source import cuda_source  # noqa: E402
from paidia.games.gdl.lanes.gpu.vector import CudaVector  # noqa: E402
from paidia.games.gdl.lanes.portable import random_state, read_saved  # noqa: E402

FOUND: dict[str, Any] = {}
BEGAN = time.time()


def say(*words: Any) -> None:
    print(f"[{time.time() - BEGAN:6.1f}]", *words, flush=True)


def digest(planes: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(planes).view(np.uint8).tobytes()).hexdigest()


def tables_of(folder: Path, game: str) -> dict[str, Any]:
    with np.load(folder / f"{game}.table.npz") as found:
        return {name: found[name] if found[name].ndim else int(found[name]) for name in found.files}


#: Kernels with the warps a multiprocessor shall hold: 8 leave each thread 255 registers, 16 leave 128.
VARIANTS = (("refill", 8), ("leaf", 8), ("play", 8), ("refill", 16), ("leaf", 16))


class Compiling:
    """Compiles all variants of all games on all cores while others are measured."""

    def __init__(self, folder: Path, games: list[str]) -> None:
        self.folder = folder
        self.pool = concurrent.futures.ThreadPoolExecutor(16)
        jobs = []
        for order, game in enumerate(games):
            for place, (kernel, blocks) in enumerate(VARIANTS):
                jobs.append((place >= 3, order, game, kernel, blocks))
        self.futures = {
            (game, kernel, n): self.pool.submit(self.build, game, kernel, n) for _, _, game, kernel, n in sorted(jobs)
        }

    def build(self, game: str, kernel: str, blocks: int) -> str | None:
        cubin = self.folder / f"{game}.{kernel}.{blocks}.cubin"
        if cubin.exists():
            return str(cubin)
        source = cubin.with_suffix(".cu")
        source.write_text(cuda_source(read_saved(self.folder / f"{game}.npz"), blocks=blocks, kernels=(kernel,)))
        began = time.time()
        command = ["nvcc", "-arch=sm_90", "-DACTION=int", "-cubin", "-o", str(cubin), str(source)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
        except subprocess.TimeoutExpired:
            say("nvcc takes too long:", game, kernel, blocks)
            return None
        FOUND.setdefault("nvcc", {})[f"{game}.{kernel}.{blocks}"] = time.time() - began
        if done.returncode:
            say("nvcc", game, kernel, done.stderr[:500])
            return None
        return str(cubin)

    def lanes(self, game: str, kernel: str, blocks: int) -> Any:
        """The game with this kernel; None where it could not be compiled."""
        found = self.futures[game, kernel, blocks].result()
        return (
            None if found is None else CudaLanes(read_saved(self.folder / f"{game}.npz"), form="straight", cubins={kernel: found})
        )


def check(lanes: Any, expected: dict[str, Any], name: str) -> bool:
    """Totals and all fluents of all lanes, bit for bit."""
    words = expected["lanes"] // 32
    found = lanes.refill(words, seed=expected["seed"], steps=1_000_000, quota_bits=expected["quota_bits"])
    same = all(found[key] == expected[key] for key in ("games", "steps", "goal_count"))
    same = same and np.allclose(found["several"], expected["several"])
    if expected["fluents"]:
        planes = lanes.refill(words, seed=expected["seed"], steps=expected["steps_played"], planes=True)["planes"]
        same = same and digest(planes) == expected["fluents"]
    FOUND.setdefault("checks", {})[f"{name}.{lanes.form}"] = bool(same)
    if not same:
        say("WRONG", name, lanes.form, *(f"{k} {found[k]} {expected[k]}" for k in ("games", "steps", "goal_count", "several")))
    return bool(same)


def check_play(lanes: Any, expected: dict[str, Any], name: str) -> bool:
    """Actions from outside, legal or not."""
    if not expected["played"]:
        return True
    program = lanes.program
    chance = np.random.default_rng(expected["seed"])
    actions = np.stack(
        [chance.integers(0, n, (expected["plays"], expected["lanes"]), np.int32) for n in program.actions], axis=-1
    )
    vector = CudaVector(lanes, expected["lanes"])
    for play in actions:
        vector.play(cp.asarray(np.ascontiguousarray(play)))
    same = digest(vector.planes.get()) == expected["played"]
    FOUND.setdefault("checks", {})[f"{name}.play"] = same
    if not same:
        say("WRONG", name, "play")
    return same


def check_face(lanes: Any, expected: dict[str, Any], name: str) -> bool:
    """Everything that can be asked of the vector environment while random legal moves are played."""
    if not expected.get("face"):
        return True
    same = face(CudaVector(lanes, expected["lanes"]), expected["seed"], lambda array: array.get()) == expected["face"]
    FOUND.setdefault("checks", {})[f"{name}.face"] = same
    if not same:
        say("WRONG", name, "face")
    return same


def check_leaf(lanes: Any, expected: dict[str, Any], name: str) -> bool:
    """Every lane once to the end from the start."""
    if not expected["leaf"]:
        return True
    state = np.where(np.array(lanes.program.initial), np.uint32(0xFFFFFFFF), np.uint32(0))[:, None]
    found = lanes.leaf(expected["lanes"] // 32, state, seed=expected["seed"])
    same = [found["steps"], found["goal_count"]] == expected["leaf"]
    FOUND.setdefault("checks", {})[f"{name}.leaf"] = same
    if not same:
        say("WRONG", name, "leaf", found["steps"], found["goal_count"], expected["leaf"])
    return same


def timed(work: Any, repeats: int = 5) -> float:
    """Median seconds by CUDA events, after one warm-up."""
    work()
    cp.cuda.Device().synchronize()
    times = []
    for _ in range(repeats):
        begin, end = cp.cuda.Event(), cp.cuda.Event()
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(cp.cuda.get_elapsed_time(begin, end) / 1000)
    return statistics.median(times)


def rate(lanes: Any, words: int, length: float, seconds: float) -> tuple[float, float, float]:
    """Games and steps per second in steady refill, and the share of lanes at work if every lane plays 64 games."""
    steps = max(64, int(2 * length))
    rngs = cp.asarray(random_state(1, words))
    first = timed(lambda: lanes.refill_raw(rngs, words, steps, -1, False), 1)
    steps = max(steps, min(int(8 * length), int(steps * seconds / max(first, 1e-6))))  # past the first games of all lanes
    first = timed(lambda: lanes.refill_raw(rngs, words, steps, -1, False), 1)
    steps = max(steps, min(2_000_000, int(steps * seconds / 5 / max(first, 1e-6))))
    took = timed(lambda: lanes.refill_raw(rngs, words, steps, -1, False), 3)
    done = lanes.read(lanes.refill_raw(rngs, words, steps, -1, False))
    return done["games"] / took, done["steps"] / took, steps


def measure_straight(folder: Path, game: str, compiling: Compiling, seconds: float) -> None:
    expected = json.loads((folder / f"{game}.json").read_text())
    length = expected["steps"] / expected["games"]
    sms = cp.cuda.Device().attributes["MultiProcessorCount"]
    best: dict[str, Any] = {}
    for kernel, n in VARIANTS:
        lanes = compiling.lanes(game, kernel, n)
        if lanes is None:
            continue
        if kernel == "play":
            check_play(lanes, expected, game)
            check_face(lanes, expected, game)
            continue
        if not (check if kernel == "refill" else check_leaf)(lanes, expected, f"{game}.{n}"):
            continue
        code = lanes.kernel(kernel)
        for per in (2, 4, 8, 16, 32) if n == 8 else (16, 32):
            words = 32 * sms * per
            if kernel == "refill":
                games, steps, _ = rate(lanes, words, length, seconds)
            else:
                state = cp.asarray(np.where(np.array(lanes.program.initial), np.uint32(0xFFFFFFFF), np.uint32(0))[:, None])
                rngs = cp.asarray(random_state(1, words))
                took = timed(lambda: lanes.leaf_raw(rngs, words, state), 3)  # noqa: B023
                games, steps = 32 * words / took, 32 * words * length / took
            row = {"kernel": kernel, "blocks": n, "warps": per, "games": games, "steps": steps, "registers": code.num_regs,
                   "local": code.local_size_bytes}  # fmt: skip
            FOUND.setdefault("variants", {}).setdefault(game, []).append(row)
            if games > best.get("games", 0):
                best = row
    if best:
        say(
            f"{game:22s} {best['kernel']} {best['games']:.4g} games/s {best['steps']:.4g} steps/s; "
            f"for {best['blocks']} blocks, {best['warps']} warps/SM, "
            f"{best['registers']} registers, {best['local']} bytes local"
        )
    FOUND.setdefault("straight", {})[game] = best | {"length": length, "size": expected["size"]}


def measure_table(folder: Path, game: str, seconds: float) -> None:
    program = read_saved(folder / f"{game}.npz")
    expected = json.loads((folder / f"{game}.json").read_text())
    lanes = CudaLanes(program, form="table", tables=tables_of(folder, game))
    good = check(lanes, expected, game)
    length = expected["steps"] / expected["games"]
    words = 132 * 256 if lanes.tables["n_planes"] < 4000 else 132 * 128
    games, steps, _ = rate(lanes, words, length, seconds) if good else (0.0, 0.0, 0)
    FOUND.setdefault("table", {})[game] = {"games": games, "steps": steps, "right": good, "size": expected["size"]}
    say(f"{game:22s} table: {games:.4g} games/s {'' if good else 'WRONG'}")


def measure_leaf(folder: Path, game: str, compiling: Compiling) -> None:
    """Seconds of one batch: so many playouts from one state, state up, result down."""
    lanes = compiling.lanes(game, "leaf", 8)
    if lanes is None:
        return
    program = lanes.program
    state = np.where(np.array(program.initial), np.uint32(0xFFFFFFFF), np.uint32(0))[:, None]
    rows = {}
    for words in (32, 512, 2048, 8448, 16896):
        times = []
        rngs = cp.asarray(random_state(5, words))
        for repeat in range(9):
            began = time.perf_counter()
            done = lanes.leaf(words, state, seed=repeat, rngs=rngs)
            times.append(time.perf_counter() - began)
        rows[32 * words] = statistics.median(times)
        if words == 16896:
            goals = done["goal_count"]
            FOUND.setdefault("leaf_goals", {})[game] = [goals, done["games"], done["steps"]]
    FOUND.setdefault("leaf", {})[game] = rows
    say(f"{game:22s} leaf batch, microseconds: " + ", ".join(f"{n}: {1e6 * t:.0f}" for n, t in rows.items()))


def measure_vector(folder: Path, game: str, compiling: Compiling) -> None:
    """The vector environment with actions from outside, by DLPack from torch."""
    lanes = compiling.lanes(game, "play", 8)
    if lanes is None:
        return
    program = lanes.program
    for n in (1 << 20, 1 << 22, 1 << 24):
        vector = CudaVector(lanes, n)
        actions = cp.random.randint(0, program.actions[0], (n, len(program.actions)), dtype=cp.int32)
        bare = timed(lambda: vector.play(actions), 5)  # noqa: B023
        whole = timed(lambda: vector.step(actions), 5)  # noqa: B023
        entry = {"bare": n / bare, "step": n / whole}
        try:
            import torch

            def act() -> None:
                mask = torch.from_dlpack(vector.legal_mask)  # noqa: B023
                noise = torch.rand(mask.shape, device="cuda", dtype=torch.float16)
                choice = (noise + mask).argmax(1).to(torch.int32)
                vector.step(choice)  # noqa: B023

            torch_time = timed(act, 5)
            entry["torch"] = n / torch_time
            ids = torch.randint(0, program.actions[0], (n, len(program.actions)), device="cuda", dtype=torch.int32)

            def given() -> None:
                rewards, over = vector.step(ids)  # noqa: B023
                torch.from_dlpack(rewards)
                torch.from_dlpack(over)

            entry["given"] = n / timed(given, 5)
        except ImportError:
            pass
        FOUND.setdefault("vector", {})[f"{game} {n}"] = entry
        say(f"{game:22s} vector {n} lanes:", {k: f"{v:.4g} steps/s" for k, v in entry.items()})


def measure_pgx(seconds: float) -> None:
    """The peer, where it is installed or lies in the bundle."""
    sys.path.append(str(HERE.parent / "lanes_bundle" / "pgx"))
    from paidia.connect.pgx_peer import measure

    for name in ("connect_four", "othello", "tic_tac_toe"):
        found = measure(name)
        if found is None:
            say("pgx is not installed")
            return
        FOUND.setdefault("pgx", {})[name] = {"games": found[0], "steps": found[1]}
        say("pgx", name, FOUND["pgx"][name])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--seconds", type=float, default=0.4)
    parser.add_argument("--budget", type=float, default=480.0)
    parser.add_argument("--games", nargs="*", default=[])
    arguments = parser.parse_args()
    device = cp.cuda.runtime.getDeviceProperties(0)
    say(device["name"].decode(), "cupy", cp.__version__, "python", sys.version.split()[0])
    FOUND["device"] = device["name"].decode()
    everything = sorted(path.stem for path in arguments.folder.glob("*.json"))
    straight = arguments.games or [g for g in STRAIGHT if (arguments.folder / f"{g}.npz").exists()]
    compiling = Compiling(arguments.folder, straight)

    def attempt(work: Any, *args: Any) -> None:
        if time.time() - BEGAN > arguments.budget:
            say("no time left for", work.__name__, *args[1:2])
            return
        try:
            work(*args)
        except Exception:
            say(work.__name__, *args[1:2], "FAILED\n", traceback.format_exc()[-1500:])
            FOUND.setdefault("failed", []).append([work.__name__, str(args[1:2])])
        if arguments.out:
            arguments.out.write_text(json.dumps(FOUND, indent=1))

    for game in ("connect4", "breakthrough"):
        attempt(measure_vector, arguments.folder, game, compiling)
    for game in straight[:6]:
        attempt(measure_straight, arguments.folder, game, compiling, arguments.seconds)
    attempt(measure_pgx, arguments.seconds)
    for game in ("connect4", "breakthrough", "reversi", "pentago", "knightThrough"):
        attempt(measure_leaf, arguments.folder, game, compiling)
    for game in straight[6:]:
        attempt(measure_straight, arguments.folder, game, compiling, arguments.seconds)
    for game in sorted(everything, key=lambda g: json.loads((arguments.folder / f"{g}.json").read_text())["size"]):
        if game not in straight or not FOUND.get("straight", {}).get(game, {}).get("games"):
            attempt(measure_table, arguments.folder, game, arguments.seconds / 2)
    say("right:", sum(FOUND.get("checks", {}).values()), "of", len(FOUND.get("checks", {})))
    say("wrong:", [name for name, good in FOUND.get("checks", {}).items() if not good], "failed:", FOUND.get("failed", []))
    for game, row in FOUND.get("straight", {}).items():
        table = FOUND.get("table", {}).get(game, {}).get("games", 0)
        say(f"{game:24s} {row.get('games', 0):12.4g} games/s straight {table:12.4g} table  {row}")
    if arguments.out:
        arguments.out.write_text(json.dumps(FOUND, indent=1))
    compiling.pool.shutdown(wait=False, cancel_futures=True)


#: Games that are compiled as straight code, the papers' fourteen among them.
STRAIGHT = (
    "connect4", "breakthrough", "ticTacToe", "connectFour", "knightThrough", "reversi", "pentago", "tictactoe_3d_2player",
    "chineseCheckers3", "chinook", "quad_7x7", "sheepAndWolf", "connect5", "ttcc4_2player", "ttcc4", "checkers",
)  # fmt: skip


if __name__ == "__main__":
    main()
