"""Record a random play of each given game as text, for `tests/test_playthroughs.py` to replay.

    python tools/record_playthrough.py connect4 hex@5 [--seed 1] [--folder tests/playthroughs]

The format is told at the top of that test. A recorded file changes only when the rules, the names of moves
or the drawing change; then look at the difference before you record it again.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from paidia.core.game import Game, State
from paidia.games import load

DRAW_EVERY = 10


def numbers(values: list[float] | list[int]) -> str:
    return " ".join(f"{value:g}" for value in values)


def describe(state: State, ply: int) -> list[str]:
    """What can be said about a state, drawn now and then and at the end."""
    legal = [len(state.legal(role)) for role in range(state.game.n_roles)]
    lines = [f"legal {numbers(legal)}"]
    if state.terminal or ply % DRAW_EVERY == 0:
        lines.append(f"goals {numbers(state.goals)}")
        lines += [f"| {line}".rstrip() for line in state.draw().splitlines()]
    return lines


def playthrough(game: Game, seed: int, *, most: int = 2000) -> str:
    """One game with random moves; `most` bounds games without end."""
    rng, state = random.Random(seed), game.initial_state()
    lines = [f"game {game.id}", f"roles {' '.join(game.roles)}"]
    for ply in range(most):
        lines += describe(state, ply)
        if state.terminal:
            break
        joint: list[int | None] = []
        for role in range(game.n_roles):
            moves = state.legal(role)
            joint.append(rng.choice(moves) if moves else None)
            if moves:
                lines.append(f"play {game.roles[role]} {game.move_name(role, joint[-1])}")
        state.play(joint)
    lines.append("end" if state.terminal else "cut")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path(__file__).parents[1] / "tests" / "playthroughs")
    options = parser.parse_args()
    for spec in options.games:
        game = load(spec)
        path = options.folder / f"{game.id.replace(':', '-').replace('/', '-')}.txt"
        path.write_text(playthrough(game, options.seed), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
