"""How fast games and searches are: rates per second of processor time, so that a busy machine changes little."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import msgspec

from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.games import load, load_as
from paidia.match.clocks import TICK
from paidia.players.build import search_for
from paidia.players.registry import load_agent, make_player

__all__ = ["SEARCH", "ArcadeRates", "GameRates", "check_benchmark", "measure_arcade", "measure_game"]

#: Simulations of one measured search, a move's worth. Rates fall as a tree outgrows the caches, so peers get the same.
SEARCH = 20_000


class GameRates(msgspec.Struct, frozen=True):
    """Rates of one game and of one agent's search in it, from the initial state.

    Attributes:
        game: Id of the game.
        world: "board", "gdl" or "vgdl".
        agent: Whose search was measured.
        playouts_per_s: Uniformly random games to the end.
        steps_per_s: Joint moves in those games.
        copies_per_s: Copies of a state.
        sims_per_s: Simulations of the agent.
        load_s: Seconds from the id to the first playout.
    """

    game: str
    world: str
    agent: str
    playouts_per_s: float
    steps_per_s: float
    copies_per_s: float
    sims_per_s: float
    load_s: float


class ArcadeRates(GameRates, frozen=True):
    """The same for a video game: a step is one tick.

    Attributes:
        sims_per_tick: Simulations of the agent in one tick of 40 ms.
    """

    sims_per_tick: float = 0.0


def check_benchmark(specs: Iterable[str], agent: str) -> list[float]:
    """Refuse an agent without a search, or one that cannot play a game, before anything is measured.

    Returns:
        How long each game took from its id to the first playout: it is loaded now, and never anew.
    """
    definition, took = load_agent(agent), []
    for spec in specs:
        began = time.perf_counter()
        game = load(spec)
        if isinstance(game, ArcadeGame):
            game.initial_state().random_run(0, game.max_ticks)
        elif isinstance(game, Game):
            game.initial_state().random_playouts(0, 1)
        took.append(time.perf_counter() - began)
        search_for(definition, game, agent)
    return took


def measure_game(spec: str, *, agent: str, seconds: float, world: str, load_s: float) -> GameRates:
    """Measure one game, which took `load_s` to load; each of the three rates takes about `seconds`."""
    game = load_as(Game, spec)
    state = game.initial_state()
    steps = 0
    seed = 0

    def playouts(n: int) -> None:
        nonlocal steps, seed
        seed += 1
        steps = state.random_playouts(seed, n)

    count, playout_rate = best_rate(playouts, seconds)
    _, copy_rate = best_rate(state.copies, seconds / 3)
    return GameRates(
        game=game.id,
        world=world,
        agent=agent,
        playouts_per_s=playout_rate,
        steps_per_s=playout_rate * steps / count,
        copies_per_s=copy_rate,
        sims_per_s=search_rate(game, agent, seconds),
        load_s=load_s,
    )


def measure_arcade(spec: str, *, agent: str, seconds: float, load_s: float) -> ArcadeRates:
    """Measure one video game on its first level; it took `load_s` to load."""
    game = load_as(ArcadeGame, spec)
    start, state = game.initial_state(), game.initial_state()
    steps = 0

    def playouts(n: int) -> None:
        nonlocal steps
        steps = 0
        for seed in range(n):  # the same games in every call, so that the best of several is that of the same work
            state.copy_from(start)
            state.seed(seed)
            steps += state.random_run(seed, game.max_ticks)

    count, playout_rate = best_rate(playouts, seconds)
    steps_per_playout = steps / count
    _, copy_rate = best_rate(start.copies, seconds / 3)
    sims_per_tick = tick_simulations(game, agent)
    return ArcadeRates(
        game=game.id,
        world="vgdl",
        agent=agent,
        playouts_per_s=playout_rate,
        steps_per_s=playout_rate * steps_per_playout,
        copies_per_s=copy_rate,
        sims_per_s=sims_per_tick / TICK,
        load_s=load_s,
        sims_per_tick=sims_per_tick,
    )


def tick_simulations(game: ArcadeGame, agent: str, ticks: int = 5) -> float:
    """The most simulations that an agent makes in one of the first ticks of a game."""
    player, budget = make_player(agent), Budget(seconds=TICK)
    if (reason := player.cannot_play(game, budget)) is not None:
        raise BadInput(f"agent {agent} {reason}")
    state = game.initial_state()
    player.begin(game, 0, state=state.copy(), seed=0, budget=None)
    most = 0
    for step in range(ticks):
        if state.terminal:
            break
        decision = player.act(state.copy(), step=step, budget=budget)
        most = max(most, decision.simulations)
        state.play([decision.move, *[None] * (game.n_roles - 1)])  # of two players the other one waits
    return float(most)


def search_rate(game: Game, agent: str, seconds: float) -> float:
    """Simulations per second of an agent in searches of `SEARCH` simulations from the initial state, each with a fresh tree."""
    search = search_for(load_agent(agent), game, agent)
    state = game.initial_state()
    made = 0  # in the first search; a planner may be done with fewer

    def simulate(searches: int) -> None:
        nonlocal made
        for seed in range(searches):
            search.begin_game(seed)
            result = search.search(state, Budget(simulations=SEARCH), role=state.mover or 0)
            made = made or result.simulations

    rate = best_rate(simulate, seconds)[1]
    return made * rate


def best_rate(work: Callable[[int], object], seconds: float) -> tuple[int, float]:
    """How many units of `work(n)` are done per second: n grows until a call lasts a third of `seconds`; the best of three."""
    n = 1
    while True:
        took = _timed(work, n)
        if took >= seconds / 3 or n >= 1 << 28:
            break
        n = max(2 * n, int(n * min(50.0, seconds / 3 / max(took, 1e-9))))
    best = min(took, *(_timed(work, n) for _ in range(2)))
    return n, n / best


def _timed(work: Callable[[int], object], n: int) -> float:
    began = time.process_time()
    work(n)
    return max(time.process_time() - began, 1e-9)
