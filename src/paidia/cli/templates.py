"""What `paidia new` writes: a small thing of each kind that works as it stands, and the test that goes with it."""

from __future__ import annotations

__all__ = ["TEMPLATES"]

GAME = '''"""{title}: a game in plain Python. The example is nim: take one to three matches, who takes the last wins.

Play it with: paidia play {name}.py --agents grave,uct --sims 200
"""

from __future__ import annotations

import paidia

MATCHES = 21


class {Name}(paidia.PythonGame):
    """The rules: roles, and how many moves there are. Move m takes m + 1 matches."""

    def __init__(self) -> None:
        super().__init__("{name}", ["first", "second"], 3)

    def initial_state(self) -> {Name}State:
        return {Name}State(self)

    def move_name(self, role: int, move: int) -> str:
        return f"take{{move + 1}}"


class {Name}State(paidia.PythonState):
    """One position. Its attributes are what is copied, pickled and written as text."""

    def __init__(self, game: paidia.Game) -> None:
        self.left = MATCHES
        self.turn = 0

    def to_move(self) -> int | None:
        return self.turn  # None where several roles act at once

    def legal_moves(self, role: int) -> list[int]:
        return list(range(min(3, self.left))) if role == self.turn else []

    def apply(self, joint: tuple[int | None, ...]) -> None:
        move = joint[self.turn]
        assert move is not None
        self.left -= move + 1
        self.turn = 1 - self.turn

    def is_terminal(self) -> bool:
        return self.left == 0

    def goal_values(self) -> list[float]:
        if self.left:
            return [0.5, 0.5]
        return [0.0, 1.0] if self.turn == 0 else [1.0, 0.0]

    def assign(self, other: {Name}State) -> None:
        self.left, self.turn = other.left, other.turn

    def hash_key(self) -> tuple[int, int]:
        return self.left, self.turn

    def draw(self) -> str:
        return f"{{self.left}} matches, {{self.game.roles[self.turn]}} to move"
'''

GAME_TEST = """from paidia import load, play
from paidia.testing import check_game

FILE = {file!r}


def test_the_game_keeps_the_contract() -> None:
    check_game(load(FILE))


def test_agents_play_it() -> None:
    assert sum(play(FILE, ["uct", "random"], sims=50).goals) == 1
"""

STRATEGY = '''"""{title}: a playout strategy in plain Python. The example takes the best of three random moves.

    paidia play breakthrough@6x5 --agents uct,uct --sims 100 --set 1:playout={name}.py:{Name}

In an agent's file: playout = "{name}.py:{Name}". A selection strategy subclasses paidia.PythonSelection instead.
"""

from __future__ import annotations

from collections.abc import Sequence

import paidia


class {Name}(paidia.PythonPlayout):
    """Of three legal moves drawn at random, the one with the largest number."""

    def pick(self, state: paidia.State, role: int, moves: Sequence[int], random: float) -> int:
        best = 0
        for trial in range(3):
            random *= len(moves)  # the next digits of the search's random number: same seed, same playout
            index, random = int(random), random % 1.0
            if trial == 0 or moves[index] > moves[best]:
                best = index
        return best
'''

STRATEGY_TEST = """from paidia import agent, load, play
from paidia.core.loading.plugins import load_place
from paidia.testing import check_strategy

PLACE = {file!r} + ":{Name}"


def test_the_strategy_keeps_the_contract() -> None:
    check_strategy(load_place(PLACE), games=[load("breakthrough@5x4")])


def test_an_agent_plays_with_it() -> None:
    assert sum(play("breakthrough@5x4", [agent("uct", playout=PLACE), "random"], sims=20).goals) == 1
"""

TUNER = '''"""{title}: a tuner in plain Python, which sets search parameters while a match is played.

The example explores at random one time in four, and otherwise uses the best mean so far.

In an agent's file:

    [control]
    kind = "{name}.py:{Name}"
    parameters = ["C", "epsilon"]
"""

from __future__ import annotations

import random

from paidia.control.python_tuner import PythonTuner


class {Name}(PythonTuner):
    """One bandit over all combinations for each role."""

    def make_role(self, sizes: list[int], seed: int) -> Role:
        return Role(self, sizes, seed)


class Role:
    """What one role has learned."""

    def __init__(self, tuner: {Name}, sizes: list[int], seed: int) -> None:
        self.tuner, self.sizes, self.chance = tuner, sizes, random.Random(seed)
        self.seen: dict[tuple[int, ...], tuple[int, float]] = {{}}

    def choose(self) -> list[int]:
        if self.seen and self.chance.random() < 0.75:
            return list(max(self.seen, key=self.mean))
        while True:
            genes = [self.chance.randrange(size) for size in self.sizes]
            if self.tuner.legal(genes):
                return genes

    def learn(self, genes: list[int], reward: float) -> None:
        n, total = self.seen.get(tuple(genes), (0, 0.0))
        self.seen[tuple(genes)] = n + 1, total + reward

    def best(self) -> list[int] | None:
        return list(max(self.seen, key=self.mean)) if self.seen else None

    def mean(self, genes: tuple[int, ...]) -> float:
        n, total = self.seen[genes]
        return total / n
'''

TUNER_TEST = """from paidia.control import make_controller
from paidia.testing import check_tuner

PLACE = {file!r} + ":{Name}"


def test_the_tuner_keeps_the_contract() -> None:
    check_tuner(lambda: make_controller({{"kind": PLACE, "parameters": ["C", "epsilon"]}}), simulations=120)
"""

AGENT = """# {title}: an agent of your own. Start from another one (`paidia agents`) and change what you like.
#
#     paidia play connect4 --agents {name}.toml,uct --sims 1000

summary = "{title}"
base = "grave"

[search.options]
playout = {{ decay = 0.5 }}

[parameters]
C = 0.3
"""

AGENT_TEST = """from paidia import load, play
from paidia.players.registry import make_player
from paidia.testing import check_player

FILE = {file!r}


def test_the_agent_keeps_the_contract() -> None:
    check_player(lambda: make_player(FILE), games=[load("connect4@4x5")])


def test_it_plays() -> None:
    assert sum(play("connect4", [FILE, "random"], sims=50).goals) == 1
"""

#: kind -> (ending of its file, its text, the text of its test)
TEMPLATES = {
    "game": (".py", GAME, GAME_TEST),
    "strategy": (".py", STRATEGY, STRATEGY_TEST),
    "tuner": (".py", TUNER, TUNER_TEST),
    "agent": (".toml", AGENT, AGENT_TEST),
}
