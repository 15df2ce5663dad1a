"""The champion: what it sees of a game, what it chooses and why, that it keeps its budget, and that it plays all worlds."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paidia
from paidia.control.trajectory import read_trajectory
from paidia.core.budget import Budget
from paidia.core.errors import PaidiaError
from paidia.core.player import Decision
from paidia.experiment.studies.describe import play_states
from paidia.games import load
from paidia.match.clocks import Clocks
from paidia.match.record import MatchRecord, Proven
from paidia.match.referee import play_match
from paidia.players.build import build_search
from paidia.players.champion.features import look
from paidia.players.champion.meter import Meter
from paidia.players.champion.rehearsal import Rehearsed, rehearse
from paidia.players.champion.trial import choose, trial_matches
from paidia.players.champion_player import ChampionPlayer, preferred
from paidia.players.definition import change
from paidia.players.registry import load_agent, make_player
from paidia.search.final_move.base import RootTable
from paidia.search.final_move.proven_mean import ProvenMean
from paidia.search.frame.result import SearchResult
from paidia.search.planners.proofs.prover import Prover
from paidia.testing import check_player

Run = Callable[..., tuple[int, str, str]]


def champion(**settings: Any) -> ChampionPlayer:
    made = make_player("champion", settings={f"player.{key}": value for key, value in settings.items()})
    assert isinstance(made, ChampionPlayer)
    return made


def clocks(sims: int, start_moves: int) -> Clocks:
    return Clocks(moves=(Budget(simulations=sims),), start_moves=start_moves)


def test_rules_that_play_many_simulations_at_once_go_in_waves() -> None:
    player = champion(proofs=0.0, waves_trials=0.0)
    play_match(load("gdl:tic-tac-toe"), [player, make_player("random")], clocks=clocks(20, 40), seed=1)
    assert player.why.startswith("waves: no trial matches, and these rules play many simulations at once (game of 2 roles")
    play_match(load("tic-tac-toe"), [player, make_player("random")], clocks=clocks(20, 40), seed=1)
    assert "waves" not in player.why  # a board is not played in lanes
    sheet = load("gdl:tic-tac-toe")
    player.cannot_play(sheet, Budget(simulations=10))
    player.begin(sheet, 0, state=sheet.initial_state(), seed=1, budget=None)
    assert player.why == "waves: no time before the first move to try anything"


@pytest.mark.parametrize(
    ("sheet", "chosen", "simulations"), [("gdl:quad", "waves-uniform", 1_200_000), ("gdl:chinook", "waves", 100_000)]
)
def test_trial_matches_tell_whether_playouts_should_learn(sheet: str, chosen: str, simulations: int, tmp_path: Path) -> None:
    """Rows on a board, for lanes that see no decisive moves: what a move did well for in other places says little. Captures: it
    says much.
    """
    names = {}
    for name in ("waves", "waves-uniform"):
        path = tmp_path / f"{name}.toml"
        path.write_text(f'summary = "sees nothing"\nbase = "{name}"\n[search.options]\nplayout = {{ decisive = false }}\n')
        names[name] = str(path)
    game = load(sheet)
    player = champion(proofs=0.0, look=0.01, waves_trials=0.95, waves=names["waves"], uniform=names["waves-uniform"])
    assert player.cannot_play(game, Budget(simulations=20)) is None
    player.begin(game, 0, state=game.initial_state(), seed=3, budget=Budget(simulations=simulations))
    assert player.why.startswith(f"{names[chosen]} ") and f"against {names['waves']}: {names['waves-uniform']}" in player.why


@pytest.mark.parametrize(
    ("id", "first"), [("connect4@4x4", "mast-solver"), ("breakthrough@5x4", "ppa-solver"), ("nogo@4x4", "ppa-solver")]
)
def test_features_of_moves_decide_who_begins(id: str, first: str) -> None:
    player = champion(trials=0.0, proofs=0.0)
    play_match(load(id), [player, make_player("random")], clocks=clocks(10, 40), seed=1)
    assert player.why.startswith(f"{first}: no trial matches")


def test_long_games_are_cut_short() -> None:
    """Where random games are long, the component that cuts them plays, and trial matches say nothing of it."""
    game = load("gdl:tic-tac-toe")
    chosen = {}
    for long_from in (5, 50):
        player = champion(long_from=long_from, proofs=0.0, waves="uct-solver")
        play_match(game, [player, make_player("random")], clocks=clocks(20, 40), seed=1)
        chosen[long_from] = player.why
    assert chosen[5].startswith("cut-solver: random games take 5 moves or more (game of 2 roles")
    assert "cut-solver" not in chosen[50]


def test_long_games_on_boards_get_quick_playouts() -> None:
    """A board tells no facts by which a game could be cut short: the next component for long games plays."""
    player = champion(long_from=15.0, proofs=0.0)
    play_match(load("hex@5x5"), [player, make_player("random")], clocks=clocks(20, 40), seed=1)
    assert player.why.startswith("uct-solver: random games take 15 moves or more")


# ---------------------------------------------------------------------------- features


@pytest.mark.parametrize("id", ["connect4", "gdl:tron", "gdl:ttcc4-3p"])
def test_features_are_those_that_describe_prints(id: str) -> None:
    """Within four standard errors of the mean over many more games."""
    game = load(id)
    found = look(game.initial_state(), Meter(Budget(simulations=10**6)), seed=5)
    known = play_states(game, 2000, seed=1)
    assert found.games == 40 and found.roles == game.n_roles and found.deterministic and not found.video
    assert abs(found.length - known.length) < 4 * known.length_deviation / math.sqrt(40)
    assert abs(found.branching - known.branching) < 0.15 * known.branching
    for goal, role in zip(found.goals, known.goals, strict=True):
        assert abs(goal - role.mean) < 4 * role.error * math.sqrt(2000 / 40) + 1e-9


def test_features_tell_kinds_apart() -> None:
    def of(id: str, level: str | None = None) -> Any:
        return look(load(id, level=level).initial_state(), Meter(Budget(simulations=4)), seed=1, longest=30)

    assert of("gdl:tron").together and not of("connect4").together and not of("gdl:chinese-checkers-3").together
    assert of("vgdl:boilers", "0").deterministic and of("vgdl:boilers", "0").video
    assert not of("vgdl:ashfall", "0").deterministic
    assert "puzzle" in of("gdl:eight-puzzle").words() and "in turn" in of("connect4").words()


# ---------------------------------------------------------------------------- the parts


def test_a_meter_never_gives_more_than_is_left() -> None:
    meter = Meter(Budget(simulations=100), share=0.5)
    assert meter.total == 50 and meter.budget(80).simulations == 50
    meter.count(30)
    assert meter.budget(80).simulations == 20 and not meter.empty
    meter.took(SearchResult(move=0, moves=[], simulations=20, seconds=0.0, steps=0))
    assert meter.empty and meter.rest() is None
    clock = Meter(Budget(seconds=1000.0))
    assert not clock.counted and 0 < clock.budget(10**6).seconds < 1000.0


def test_a_rehearsal_can_be_played_again() -> None:
    game = load("gdl:eight-puzzle")
    search = build_search(load_agent("iw-1"), game)
    meter = Meter(Budget(simulations=4000))
    told = rehearse(search, game.initial_state(), meter, effort=20, longest=100, seed=3)
    assert told.over and meter.used <= 4000 and told.simulations <= meter.used
    state = game.initial_state()
    for move, key in zip(told.moves, told.keys, strict=True):
        assert state.key == key
        state.play(move)
    assert state.terminal and state.values[0] == told.value


def test_trial_matches_find_the_stronger_one() -> None:
    """A search that thinks of nothing but the first legal move against UCT."""
    game = load("connect4@5x4")
    blind = build_search(change(load_agent("uct"), "C", 1e6), game)
    told = trial_matches(
        [blind, build_search(load_agent("uct"), game)],
        game.initial_state(),
        Meter(Budget(simulations=20_000)),
        effort=60,
        longest=40,
        seed=1,
        sure=0.8,
    )
    assert told.points[0] == [] and len(told.points[1]) % 2 == 0 and told.simulations <= 20_000
    assert told.chosen == 1


@pytest.mark.parametrize(
    ("points", "chosen"),
    [
        ([[], []], 0),
        ([[], [1.0, 1.0]], 0),  # two wins say too little
        ([[], [1.0] * 8], 1),
        ([[], [0.0, 1.0] * 10], 0),
        ([[], [1.0] * 7 + [0.0], [1.0] * 8], 2),
        ([[], [0.0] * 8], 0),
    ],
)
def test_a_challenger_has_to_be_surely_better(points: list[list[float]], chosen: int) -> None:
    assert choose(points, 0.8) == chosen


def _told(*results: tuple[float, float]) -> list[Rehearsed]:
    return [Rehearsed([], [], result, value, True, 0) for result, value in results]


@pytest.mark.parametrize(
    ("told", "best"),
    [
        ([_told((1, 5)), _told((1, 9))], 0),  # both win: the first one stays
        ([_told((-1, 5), (1, 5)), _told((1, 9), (1, 1))], 1),
        ([_told((-1, 5)), _told((1, 9))], 0),  # one rehearsal of each says too little
        ([_told((0, 4), (0, -2)), _told((0, 6), (0, 7))], 1),  # nobody won: the score
        ([_told((0, 4), (0, 8)), _told((0, 6), (0, 6))], 0),
        ([_told((0, 4), (0, 4)), _told((-1, 60), (-1, 60))], 0),
        ([_told((0, 4), (0, 4)), []], 0),
    ],
)
def test_the_best_rehearsed_is_preferred(told: list[list[Rehearsed]], best: int) -> None:
    assert preferred(told) == best


# ---------------------------------------------------------------------------- the player


def test_trial_matches_decide_and_are_told() -> None:
    player = champion(proofs=0.0, trials=0.7)
    game = load("tic-tac-toe")
    result = play_match(game, [player, make_player("uct")], seed=2, clocks=clocks(40, 150))
    assert "after trial matches against mast-solver" in player.why and "game of 2 roles" in player.why
    told = read_trajectory(result.record.trajectories[0])
    assert told.controller == "champion" and told.parameters[0].name == "component"
    assert result.record.ending == "terminal"


def test_without_time_the_first_component_plays() -> None:
    player = champion()
    game = load("tic-tac-toe")
    player.cannot_play(game, Budget(simulations=10))
    player.begin(game, 0, state=game.initial_state(), seed=1, budget=None)
    assert "no time before the first move" in player.why
    decision = player.act(game.initial_state(), step=0, budget=Budget(simulations=50))
    assert decision.notes is not None and decision.notes["component"] == "mast-solver"


@pytest.mark.parametrize(
    ("id", "level", "other"),
    [("connect4@4x4", None, "uct"), ("gdl:tron", None, "uct"), ("vgdl:vault", "1", ""), ("vgdl2:furrows", "0", "uct")],
)
def test_every_world_is_played_and_repeated(id: str, level: str | None, other: str) -> None:
    """Same seed and simulations, same match, choices included."""
    game = load(id, level=level)

    def once() -> tuple[Any, str]:
        player = champion()
        seats = [player, *(make_player(other) for _ in range(game.n_roles - 1))]
        record = play_match(game, seats, seed=4, clocks=clocks(12, 60), max_steps=12).record
        assert record.fault is None
        return record.moves, player.why

    assert once() == once()


def test_a_line_that_wins_is_played_to_the_end() -> None:
    player = champion()
    game = load("vgdl:vault", level="0")
    thoughts: list[Decision] = []
    result = play_match(
        game, [player], seed=1, clocks=clocks(20, 800), max_steps=400, thoughts=lambda role, decision: thoughts.append(decision)
    )
    assert result.record.goals == [1.0]
    assert "can be played again" in player.why
    assert [t.notes["line"] for t in thoughts if t.notes] == list(range(len(thoughts), 0, -1))


def test_a_line_that_the_game_leaves_is_dropped() -> None:
    player = champion()
    game = load("vgdl:vault", level="0")
    player.cannot_play(game, Budget(simulations=20))
    player.begin(game, 0, state=game.initial_state(), seed=1, budget=Budget(simulations=16000))
    assert "can be played again" in player.why
    assert player._line is not None
    last = len(player._line.told.moves) - 1
    decision = player.act(game.initial_state(), step=last, budget=Budget(simulations=20))
    assert decision.notes is not None and "line" not in decision.notes and "left the line" in decision.notes["why"]


def test_a_puzzle_is_solved_in_the_start_clock(run: Run) -> None:
    game = load("gdl:eight-puzzle")
    state = game.initial_state()
    player = champion()
    player.cannot_play(game, Budget(simulations=10))
    player.begin(game, 0, state=state, seed=1, budget=Budget(simulations=600))
    decision = player.act(state, step=0, budget=Budget(simulations=30))
    assert decision.simulations <= 30
    assert decision.move in state.legal(0)


def test_solved_positions_are_announced() -> None:
    """Tic-tac-toe is a draw, and the champion knows it and plays it; every move of its own is proven."""
    game = load("tic-tac-toe")
    seen: list[Decision] = []
    players = [champion(), champion()]
    result = play_match(game, players, seed=3, clocks=clocks(4000, 1), thoughts=lambda role, decision: seen.append(decision))
    assert result.record.goals == [0.5, 0.5]
    proven = [decision.notes.get("proven") for decision in seen if decision.notes and decision.move is not None]
    assert proven[-1] == 0.5 and proven.count(None) < len(proven) / 2
    assert set(proven) <= {None, 0.5}


@pytest.mark.parametrize(("id", "level"), [("connect4@5x4", None), ("vgdl:ashfall", "0"), ("gdl:eight-puzzle", None)])
@pytest.mark.parametrize("start", [30, 800])
def test_the_start_clock_is_kept(id: str, level: str | None, start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in simulations: all that is tried before the first move, and what the component thinks ahead, fits."""
    spent: list[int] = []
    took = Meter.took

    def counted(self: Meter, result: SearchResult) -> None:
        if type(self) is Meter:  # parts of a meter hand on to it
            spent.append(max(1, result.simulations))
        took(self, result)

    monkeypatch.setattr(Meter, "took", counted)
    game = load(id, level=level)
    player = champion()
    player.cannot_play(game, Budget(simulations=10))
    given: list[int] = []
    for component in player._seated:
        begin = component.begin

        def noted(*arguments: Any, begin: Any = begin, budget: Budget | None, **options: Any) -> None:
            given.append(budget.simulations if budget else 0)
            begin(*arguments, budget=budget, **options)

        monkeypatch.setattr(component, "begin", noted)
    player.begin(game, 0, state=game.initial_state(), seed=1, budget=Budget(simulations=start))
    assert len(given) == 1
    assert sum(spent) + given[0] <= start


@pytest.mark.parametrize(("game", "value"), [("tic-tac-toe", 0.5), ("breakthrough@4x5", 0.0), ("connect4@4x4", 0.5)])
def test_small_games_are_proven_before_the_first_move(game: str, value: float) -> None:
    rules = load(game)
    player = make_player("champion")
    state = rules.initial_state()
    player.begin(rules, 0, state=state, seed=1, budget=Budget(simulations=20_000))
    decision = player.act(state, step=0, budget=Budget(simulations=20_000))
    assert decision.notes is not None and decision.notes["proven"] == value
    assert not value or (decision.value == value and decision.notes["component"] == "prover")


def test_what_is_proven_is_not_thrown_away() -> None:
    for seed in range(3):
        for agents in (["champion", "uct"], ["uct", "champion"]):
            goals = paidia.play("tic-tac-toe", agents, sims=300, seed=seed).record.goals
            assert goals[agents.index("champion")] >= 0.5


def test_it_can_be_stopped_while_it_tries() -> None:
    """Another thread asks it to end: what is tried ends with the search under way."""
    game = load("connect4")
    player = champion()
    player.cannot_play(game, Budget(simulations=10))
    timer = threading.Timer(0.05, player.stop)
    timer.start()
    player.begin(game, 0, state=game.initial_state(), seed=1, budget=Budget(simulations=10**8))
    assert player._meter is not None and player._meter.used < 10**7
    timer.join()


def test_the_kit_accepts_it() -> None:
    check_player(champion)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--set", "player.trails=0"], "did you mean 'trials'"),
        (["--set", "player.trials=2"], "share of the clock"),
        (["--set", "player.sure=1"], "probability"),
        (["--set", "player.lines=perhaps"], "lines"),
        (["--set", "trials=perhaps"], "trials is one of true, false"),
    ],
)
def test_bad_settings_are_told(run: Run, words: list[str], complaint: str) -> None:
    code, out, err = run(
        "play", "tic-tac-toe", "--agents", "champion,uct", "--sims", "5", *(w if w == "--set" else f"1:{w}" for w in words)
    )
    assert code == 2 and complaint in err and not out


def test_an_unknown_component_is_told() -> None:
    definition = load_agent("champion")
    definition.player["video"] = ["nobody"]
    with pytest.raises(PaidiaError, match="nobody"):
        ChampionPlayer("champion", definition)


def test_what_is_proven_is_what_the_bounds_say() -> None:
    """A position is worth the best of its moves; it is proven where the best bound from below meets the best from above."""

    def table(low: list[float], high: list[float]) -> RootTable:
        n = len(low)
        some = np.zeros(n)
        return RootTable(
            visits=np.ones(n, dtype=np.int32), means=np.array(low), node_visits=n, K=0.0, amaf=np.full(n, np.nan),
            low=np.array(low), high=np.array(high), open=np.ones(n, dtype=bool), moves=np.arange(n, dtype=np.int32),
            known=np.ones(n, dtype=bool), unsafe=np.zeros(n, dtype=bool), stale=np.zeros(n, dtype=bool), pruning=False,
            qualities=some, estimates=some,
        )  # fmt: skip

    class Draws:
        def random(self) -> float:
            return 0.0

        def below(self, n: int) -> int:
            return 0

    final = ProvenMean()
    for low, high, proven in [
        ([0.0, 1.0], [1.0, 1.0], 1.0),  # one move wins, whatever the other does
        ([0.0, 0.0], [0.0, 0.0], 0.0),
        ([0.0, 0.5], [0.5, 0.5], 0.5),
        ([0.0, 0.5], [1.0, 0.5], None),  # the first may still be better
        ([0.0, 0.0], [1.0, 1.0], None),
    ]:
        final.choose_at(table(low, high), Draws())
        assert final.proven == proven


@pytest.mark.parametrize("id", ["gdl:tic-tac-toe", "tic-tac-toe"])
def test_who_ponders_on_a_proven_position_plays_nothing(id: str) -> None:
    """Whatever was proven: in the other's turn there is nothing to play."""
    game = load(id)
    state = game.initial_state()
    player = champion()
    player.begin(game, 1, state=state.clone(), seed=1, budget=Budget(simulations=5000))
    decision = player.act(state.clone(), step=0, budget=Budget(simulations=5000))
    assert decision.move is None and decision.notes is not None and decision.notes["proven"] == 0.5


# ---------------------------------------------------------------------------- small boards are proven


@pytest.mark.parametrize("other", ["prover", "random", "uct"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("id", ["tic-tac-toe", "connect4@4x4", "hex@3x3"])
def test_a_small_board_is_proven_before_the_first_move_and_its_value_is_never_lost(id: str, seat: int, other: str) -> None:
    game = load(id)
    judge = Prover(game)
    judge.begin_game(1)
    told: list[tuple[float, Decision]] = []

    worth: list[float] = []

    def listen(role: int, decision: Decision) -> None:
        if role == seat and decision.move is not None:
            told.append((worth[-1], decision))

    def weigh(state: Any) -> None:
        if not state.terminal and state.mover == seat:
            judge.search(state, Budget(simulations=10**6), role=seat)
            assert judge.proven is not None
            worth.append(judge.proven)

    def watch(state: Any, step: int, joint: list[int | None]) -> None:
        weigh(state)

    weigh(game.initial_state())
    players = [champion(), make_player(other)] if seat == 0 else [make_player(other), champion()]
    result = play_match(game, players, seed=3, clocks=clocks(2000, 20), watch=watch, thoughts=listen)
    assert worth == sorted(worth) and result.record.goals[seat] >= worth[-1]
    for value, decision in told:
        assert decision.notes is not None and decision.notes["proven"] == value


def test_what_is_proven_is_announced_and_recorded(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    code, out, err = run(
        "play", "hex@3x3", "--agents", "champion,random", "--sims", "300", "--start-time", "9", "--record", str(record)
    )
    assert code == 0 and err.count("red: proven win") == 1 and "red: proven win from move 1 on" in out
    told = MatchRecord.from_json(record.read_bytes()).details
    assert told is not None and told.proven == [Proven(0, 1.0), None]
