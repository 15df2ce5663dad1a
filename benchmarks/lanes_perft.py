"""Perft in lanes against the scalar one, in one run on one core: seconds of processor time, building the lanes included.

python benchmarks/lanes_perft.py GAME:DEPTH...
"""

from __future__ import annotations

import sys
import time

from paidia.core.game import Game
from paidia.games import load_as
from paidia.games.gdl.lanes.perft import lane_perft
from paidia.games.perft import perft


def main() -> None:
    print("| sheet | depth | paths | positions | scalar s | lanes s | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for argument in sys.argv[1:]:
        name, _, depth = argument.rpartition(":")
        game = load_as(Game, name)
        began = time.process_time()
        scalar = perft(game, int(depth), memory=6e9)
        between = time.process_time()
        lanes = lane_perft(game, int(depth), memory=6e9, threads=1)
        ended = time.process_time()
        assert scalar == lanes, f"{name}: the counts differ"
        times = between - began, ended - between
        positions = sum(row["states"] for row in scalar)
        print(f"| {name.rpartition('/')[2]} | {depth} | {scalar[-1]['paths']:,} | {positions:,} "
              f"| {times[0]:.2f} | {times[1]:.2f} | {times[0] / times[1]:.1f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
