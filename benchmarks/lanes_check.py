"""Lanes against the scalar kernel on many rule sheets: every transition is played again, goals and lengths are compared.

    python benchmarks/lanes_check.py SHEETS RESULTS.jsonl [--lanes 10000] [--only GAME ...]

SHEETS holds rule sheets as KEY/*.kif. Every sheet is checked in a process of its own, with a limit of memory; what RESULTS.jsonl
has already is not done again.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from paidia.games.gdl.lanes.compile.build import build_program
from paidia.games.gdl.lanes.processor.engine import Engine
from paidia.games.gdl.lanes.replay import replay
from paidia.games.gdl.lanes.trace import trace_block
from paidia.games.gdl.load import load_file

MEMORY = 4 << 30
#: Bytes of fluents that are kept for one block; steps are fewer where a game has many.
KEPT = 400 << 20


def check(path: Path, lanes: int) -> dict[str, object]:
    began = time.process_time()
    game = load_file(path)
    start = game.initial_state()
    length = start.random_playouts(1, 20) / 20
    engine = Engine(build_program(game, trace=True), lanes=256)
    fluents = engine.program.n_fluents
    steps = min(int(1.5 * length) + 4, 400, max(30, KEPT // (engine.lanes * fluents)))
    games = moves = 0
    for block in range(-(-lanes // engine.lanes)):
        trace = trace_block(engine, seed=20261116, block=block, steps=steps)
        n, m, difference = replay(start, trace.moves, trace.over, trace.goals, trace.fluents)
        games, moves = games + n, moves + m
        if difference:
            break
    done = (block + 1) * engine.lanes
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return {"lanes": done, "steps": steps, "games": games, "moves": moves, "difference": difference,
            "seconds": round(time.process_time() - began, 1), "megabytes": memory}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sheets", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--lanes", type=int, default=10_000)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--one", action="store_true", help="check the sheet named by SHEETS in this process")
    arguments = parser.parse_args()
    if arguments.one:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        print(json.dumps(check(arguments.sheets, arguments.lanes)))
        return
    lines = arguments.results.read_text().splitlines() if arguments.results.exists() else []
    known = {(row["game"], row["wanted"]) for row in map(json.loads, lines)}
    bad = sum(bool(json.loads(line).get("difference", "failed")) for line in lines)
    for folder in sorted(arguments.sheets.iterdir()):
        files = sorted(folder.glob("*.kif"))
        if not files or (arguments.only and folder.name not in arguments.only) or (folder.name, arguments.lanes) in known:
            continue
        command = [sys.executable, __file__, str(files[0]), "-", "--one", "--lanes", str(arguments.lanes)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = json.loads(done.stdout) if done.returncode == 0 else {"difference": done.stderr.strip().splitlines()[-1:]}
        row = {"game": folder.name, "wanted": arguments.lanes} | found
        bad += bool(row["difference"])
        with arguments.results.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(row, flush=True)
    print("different:", bad)


if __name__ == "__main__":
    main()
