"""The suite whose results are the signature: games, agents, seeds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.game import Game
from paidia.experiment.expand import expand
from paidia.experiment.plan import parse_plan
from paidia.experiment.play import play
from paidia.games import load, load_as
from paidia.games.gdl.interpreter.interpreter import load as interpret
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.library import LIBRARY
from paidia.games.vgdl.library import levels_of, own_games
from paidia.match.referee import play_match
from paidia.players.definition import Value
from paidia.players.registry import make_player

__all__ = ["PARTS", "part", "signature", "signature_parts"]

#: (game, agents) of matches; each agent searches 200 simulations per move.
BOARDS: list[tuple[str, list[str]]] = [
    ("tic-tac-toe", ["uct", "random"]),
    ("connect4", ["grave", "uct"]),
    ("connect5", ["hrave", "rave"]),
    ("breakthrough", ["ppafm", "ppaf"]),
    ("misere-knightthrough", ["ppa", "ucb1-tuned"]),
    ("domineering", ["ppaf", "mast"]),
    ("atarigo@6x6", ["ppafm", "nst"]),
    ("nogo@6x6", ["progressive-history", "ppa"]),
    ("hex@6x6", ["nst", "grave"]),
    ("reversi@6x6", ["rave", "mast"]),
    ("go@5x5", ["uct", "hrave"]),
]

#: Sheets with two roles, three roles and one; turn-taking and simultaneous.
SHEETS: list[tuple[str, list[str]]] = [
    ("gdl:breakthrough", ["p-base", "cadia-style"]),
    ("gdl:connect4", ["grave", "nst"]),
    ("gdl:chinese-checkers-3", ["uct", "mast", "p-base"]),
    ("gdl:tron", ["p-base", "uct"]),
    ("gdl:battle", ["cadia-style", "progressive-history"]),
    ("gdl:eight-puzzle", ["grave"]),
]

#: (game, agent, ticks); every kind of search, with and without chance.
GAMES: list[tuple[str, str, int]] = [
    ("vgdl:museum", "maastcts2", 20),
    ("vgdl:boilers", "maastcts2", 15),
    ("vgdl:depthcharge", "maastcts2", 20),
    ("vgdl:lampoil", "maastcts2", 20),
    ("vgdl:salvo", "mcts-thesis", 25),
    ("vgdl:fireflies", "sample-mcts", 25),
    ("vgdl:archipelago", "solmcts", 25),
    ("vgdl:vault", "iw-1", 25),
    ("vgdl:comet", "iw-3-2", 25),
    ("vgdl:parade", "iw-2", 15),
    ("vgdl:orchard", "2bfs", 25),
    ("vgdl:petri", "bfs-safe", 25),
    ("vgdl:rockets", "one-step", 40),
    ("vgdl:henhouse", "rhea", 25),
    ("vgdl:joust", "rhea-shift", 25),
    ("vgdl:vine", "olets", 25),
    ("vgdl:ashfall", "hybrid", 25),
    ("vgdl:ferry", "hybrid", 25),
]

#: Switches of the enhancements of `maastcts2`.
SWITCHES: list[dict[str, Value]] = [
    {"td": "td"},
    {"td": "tdir", "nbp": False},
    {"td": "tdms", "la": False, "tr": False},
    {"td": "tdkbe", "bfti": False},
    {"kbe": False, "dgd": False},
    {"ph": False, "nst": False},
]

#: Agents whose parameters change while they play.
TUNED = ["p-mab", "p-he", "p-nmc", "local-p-nmc", "p-lsi", "p-ea", "ntbea-4", "cma-es-4", "sim-rnd-4", "turn-rnd-4", "game-rnd-4"]
TUNED_ARCADE = ["sa-mcts-nmc", "sa-mcts-ea", "sa-mcts-ntbea", "maastcts2-ntbea-5", "maastcts2-sim-rnd-3"]

PLAN = """
games = ["tic-tac-toe", "gdl:tic-tac-toe"]
agents = ["grave", "ntbea-2"]
opponents = ["uct"]
sims = 20
matches = 2
"""


class _Fold:
    """Takes things in, one after the other."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def add(self, *things: object) -> None:
        self._digest.update(repr(things).encode())

    @property
    def number(self) -> int:
        return int(self._digest.hexdigest()[:15], 16)


def _matches(suite: list[tuple[str, list[str]]], simulations: int, fold: _Fold, *, max_steps: int = 100_000) -> None:
    for number, (game, agents) in enumerate(suite):
        players = [make_player(agent) for agent in agents]
        budget = Budget(simulations=simulations)
        record = play_match(load(game), players, seed=number, budget=budget, max_steps=max_steps).record
        fold.add(game, agents, record.moves, record.goals)


def _board(fold: _Fold) -> None:
    _matches(BOARDS, 200, fold)


def _facts(state: Any) -> list[str]:
    """What holds in a state of a GDL game; how it is drawn for people is no behaviour."""
    facts: list[str] = state.fluents()
    return facts


def _gdl(fold: _Fold) -> None:
    for game in (*(game for game, _ in SHEETS), "gdl:connect5"):
        state = load_as(Game, game).initial_state()
        fold.add(game, state.random_playout(1), state.goals, _facts(state))
    for name in ("tic-tac-toe", "connect4", "tron", "eight-puzzle"):
        state = interpret(parse_sheet(LIBRARY.text(name), file=name), name).initial_state()
        fold.add("interpreted", name, state.random_playout(2, 12), state.goals, _facts(state))
    _matches(SHEETS, 40, fold, max_steps=12)


def _vgdl(fold: _Fold) -> None:
    for name, rules in own_games().items():
        for level in range(len(levels_of(rules))):
            state = load_as(ArcadeGame, f"vgdl:{name}", level=str(level)).initial_state(level)
            ticks = state.random_run(level + 1, 300)
            fold.add(f"vgdl:{name}", level, ticks, state.score, state.winner, sorted(state.seen()))


def _play_arcade(
    game: str, agent: str, ticks: int, simulations: int, number: int, fold: _Fold, *, settings: dict[str, Value] | None = None
) -> None:
    player, budget = make_player(agent, settings=settings), Budget(simulations=simulations)
    record = play_match(load(game), [player], seed=number, budget=budget, max_steps=ticks).record
    fold.add(game, agent, [action for (action,) in record.moves], record.score, int(record.goals[0]))


def _arcade(fold: _Fold) -> None:
    for number, (game, agent, ticks) in enumerate(GAMES):
        _play_arcade(game, agent, ticks, 150, number, fold)
    for number, settings in enumerate(SWITCHES):
        _play_arcade("vgdl:archipelago", "maastcts2", 15, 100, number, fold, settings=settings)


def _control(fold: _Fold) -> None:
    _matches([("connect4@6x5", [agent, "p-base"]) for agent in TUNED], 60, fold, max_steps=8)
    _matches([("gdl:tic-tac-toe", [agent, "state-rnd-2"]) for agent in TUNED[:4]], 30, fold)
    for number, agent in enumerate(TUNED_ARCADE):
        _play_arcade("vgdl:fireflies", agent, 12, 60, number, fold)


def _experiment(fold: _Fold) -> None:
    plan = parse_plan(PLAN, file="signature", name="signature")
    for cell in expand(plan, folder=Path()):
        for pair in range(2):
            for seat in range(len(cell.seats)):
                row = play(cell, pair, seat)
                goals = msgspec.json.decode(str(row.match["goals"]))
                seen = row.points, row.match["moves"], row.values("simulations"), row.match["ending"]
                fold.add(cell.title, row.seed, goals, *seen)


PARTS: dict[str, Callable[[_Fold], None]] = {
    "board": _board,
    "gdl": _gdl,
    "vgdl": _vgdl,
    "arcade": _arcade,
    "control": _control,
    "experiment": _experiment,
}


@cache
def part(name: str) -> int:
    """One part of the signature, a number of 60 bits."""
    fold = _Fold()
    PARTS[name](fold)
    return fold.number


def signature_parts() -> dict[str, int]:
    """All parts by name."""
    return {name: part(name) for name in PARTS}


def signature() -> int:
    """The signature of this version: all parts together."""
    fold = _Fold()
    fold.add(signature_parts())
    return fold.number
