"""Fuzzing for a while: every target in turn, in processes of its own, until the time is over; finds go to build/fuzz.

python tools/fuzz.py --minutes 10 [TARGET ...]

A find is saved as build/fuzz/TARGET/NUMBER with what happened beside it; once repaired it goes to tests/fuzz/corpus/TARGET. The
number of cases so far, over all runs, is kept in build/fuzz/cases.json.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import resource
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from fuzz_targets import EXPECTED, TARGETS, seeds  # noqa: E402
from fuzzing import fuzz  # noqa: E402

OUT = ROOT / "build" / "fuzz"
MEMORY = 4 << 30


#: A case ends itself after some seconds of processor time; a process that uses so many more than its time hangs.
PATIENCE = 60.0
#: So many seconds after its time it is given up, whatever it does.
LONGEST = 3600.0


def work(name: str, until: float, seed: int, place: str) -> None:
    """One process: fuzz a target until `time.monotonic()` has come so far, and write down what came of it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    last = os.open(Path(place) / "last", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)

    def remember(data: bytes) -> None:
        """What is tried is known if the process dies of it; opened once: a file for each case would cost more than many cases."""
        os.pwrite(last, data, 0)
        os.ftruncate(last, len(data))

    number, outcomes, finds = fuzz(
        TARGETS[name], seeds(name), cases=10**9, seed=seed, expected=EXPECTED.get(name, ()), traced=0.02,
        before=remember, until=lambda: time.monotonic() > until,
    )  # fmt: skip
    for find in finds:
        save(name, find.data, find.what)
    (Path(place) / "done").write_text(json.dumps([number, outcomes, len(finds)]))


def save(name: str, data: bytes, what: str) -> None:
    """Keep a find."""
    folder = OUT / name
    folder.mkdir(parents=True, exist_ok=True)
    id = hashlib.sha256(what[-400:].encode()).hexdigest()[:10]
    (folder / id).write_bytes(data)
    (folder / f"{id}.why").write_text(what)


def used(pid: int | None) -> float:
    """Processor seconds of a process; all seconds where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return time.monotonic()


def wait_for(process: multiprocessing.process.BaseProcess, seconds: float) -> None:
    """Until it has ended, or hangs; a machine that leaves it no time makes nothing hang."""
    process.join(seconds)
    before, began = used(process.pid), time.monotonic()
    while process.is_alive() and used(process.pid) - before < PATIENCE and time.monotonic() - began < LONGEST:
        process.join(5)


def main() -> None:
    """Fuzz, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS], default=[])
    given = parser.parse_args()
    names = given.targets or list(TARGETS)
    share = 60.0 * given.minutes / len(names)
    counts = OUT / "cases.json"
    OUT.mkdir(parents=True, exist_ok=True)
    total = json.loads(counts.read_text()) if counts.exists() else {}
    bad = 0
    for name in names:
        seeds(name)
    for number, name in enumerate(names):
        place = OUT / "work" / name
        place.mkdir(parents=True, exist_ok=True)
        (place / "done").unlink(missing_ok=True)
        until = time.monotonic() + share
        # A fork has everything imported: where a machine is busy, that would take most of a target's time.
        process = multiprocessing.get_context("fork").Process(target=work, args=(name, until, given.seed + number, str(place)))
        process.start()
        wait_for(process, share)
        if process.is_alive():
            process.kill()
            process.join()
            save(name, (place / "last").read_bytes(), "it hung, and could not be interrupted")
            bad += 1
            print(f"{name:<8} hung: see {OUT / name}", flush=True)
        elif process.exitcode != 0:
            save(
                name,
                (place / "last").read_bytes() if (place / "last").exists() else b"",
                f"the process died with {process.exitcode}",
            )
            bad += 1
            print(f"{name:<8} died with {process.exitcode}: see {OUT / name}", flush=True)
        else:
            cases, outcomes, finds = json.loads((place / "done").read_text())
            total[name] = total.get(name, 0) + cases
            counts.write_text(json.dumps(total, indent=1))
            bad += finds
            print(f"{name:<8} {cases:>9,} cases, {outcomes:>4} outcomes, {finds} finds", flush=True)
    counts.write_text(json.dumps(total, indent=1))
    print(f"{sum(total.values()):,} cases so far in all runs, {bad} finds now")
    raise SystemExit(1 if bad else 0)


if __name__ == "__main__":
    main()
