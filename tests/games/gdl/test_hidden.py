"""GDL-II: chance and percepts against the rules read by hand, what the referee shows, and the player that samples worlds."""

from __future__ import annotations

import random
import time
from collections import Counter
from itertools import product
from typing import Any

import pytest

import paidia
from paidia.cli.main import main
from paidia.connect.ggp.messages import MessageError, Start
from paidia.connect.ggp.player import GgpPlayer
from paidia.core.budget import Budget
from paidia.core.errors import BadInput, RuleError
from paidia.core.hidden import Glimpse
from paidia.core.model import Situation
from paidia.core.player import Decision, Player
from paidia.games import load
from paidia.games.gdl.hidden import HiddenGame, HiddenState
from paidia.games.gdl.language.check import check_text
from paidia.games.gdl.language.kif import parse
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.library import LIBRARY
from paidia.games.gdl.load import load_game
from paidia.match.referee import play_match
from paidia.players.pimc_player import PimcPlayer
from paidia.players.registry import make_player

SHEETS = ["monty-hall", "coin-guess", "blind-tic-tac-toe", "high-card"]


def game_of(id: str) -> HiddenGame:
    game = load(f"gdl:{id}")
    assert isinstance(game, HiddenGame)
    return game


def play(state: HiddenState, *names: str | None) -> HiddenState:
    """Play a joint move by the names of its parts."""
    after = state.clone()
    # a role that has nothing to choose does not act in its kernel
    after.play([state.game.move_id(role, name) if name and state.legal(role) else None for role, name in enumerate(names)])
    return after


@pytest.mark.parametrize("id", SHEETS)
def test_states_keep_the_contract(id: str) -> None:
    """Copies are equal and independent, the same seed has the same future, `random` is no role, percepts are not facts."""
    game = game_of(id)
    assert "random" not in game.roles and game.n_roles in (1, 2)
    for seed in range(12):
        state, twin = game.initial_state(), game.initial_state()
        state.seed(seed)
        twin.seed(seed)
        source = random.Random(seed)
        for _ in range(40):
            if state.terminal:
                break
            joint = [source.choice(moves) if (moves := state.legal(r)) else None for r in range(game.n_roles)]
            kept, key = state.clone(), state.key
            state.play(joint)
            twin.play(joint)
            assert kept.key == key and state.key == twin.key and state.fluents() == twin.fluents()
            assert not any("paidia" in fact for fact in state.fluents()) and "paidia" not in state.draw()
            assert [state.percepts(r) for r in range(game.n_roles)] == [twin.percepts(r) for r in range(game.n_roles)]
        assert state.terminal and all(0 <= goal <= 1 for goal in state.goals)


def test_chance_is_uniform_over_the_legal_moves_of_random() -> None:
    game = game_of("high-card")
    counts: Counter[str] = Counter()
    for seed in range(2400):
        state = game.initial_state()
        state.seed(seed * 7919 + 1)
        after = play(state, "noop", "noop")
        counts[" ".join(sorted(fact for fact in after.fluents() if "holds" in fact))] += 1
    assert len(counts) == 12  # two different cards of four, in order
    assert all(abs(count - 200) < 5 * 200**0.5 for count in counts.values())


def test_percepts_of_a_small_card_game() -> None:
    """Everybody sees an own card and what the other does, and nothing else."""
    game = game_of("high-card")
    state = game.initial_state()
    state.seed(5)
    dealt = play(state, "noop", "noop")
    held = {fact.split()[1]: fact.split()[2].rstrip(")") for fact in dealt.fluents() if fact.startswith("(holds")}
    assert [dealt.percepts(role) for role in range(2)] == [[f"(card {held['first']})"], [f"(card {held['second']})"]]
    raised = play(dealt, "raise", "noop")
    assert [raised.percepts(role) for role in range(2)] == [[], ["(first raise)"]]
    folded = play(raised, "noop", "fold")
    assert [folded.percepts(role) for role in range(2)] == [["(second fold)"], []]
    assert folded.terminal and folded.goals == [0.7, 0.3]


def test_a_try_on_a_taken_cell_is_told_and_lost() -> None:
    game = game_of("blind-tic-tac-toe")
    state = play(game.initial_state(), "(try 2 2)", "noop")
    assert [state.percepts(role) for role in range(2)] == [["yes"], ["moved"]]
    state = play(state, "noop", "(try 2 2)")
    assert [state.percepts(role) for role in range(2)] == [["missed"], ["taken"]]
    assert "(cell 2 2 x)" in state.fluents() and state.legal(0) and len(state.legal(0)) == 8


class Spy(Player):
    """Keeps what it is shown, and moves at random."""

    partial_information = True

    def __init__(self) -> None:
        self.name, self.shown, self.random = "spy", [], random.Random(1)

    def begin(self, game: Any, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        self.role = role
        self.shown.append(state)

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        self.shown.append(state)
        moves = state.legal(self.role)
        return Decision(move=self.random.choice(moves) if moves else None)


def test_the_referee_shows_each_role_its_percepts_only() -> None:
    game = game_of("high-card")
    for seed in range(10):
        spies = [Spy(), Spy()]
        result = play_match(game, spies, seed=seed)
        assert result.record.ending == "terminal"
        for role, spy in enumerate(spies):
            assert all(isinstance(view, Glimpse) for view in spy.shown)
            last = spy.shown[-1]
            assert not hasattr(last, "fluents") and not hasattr(last, "inner") and not hasattr(last, "key")
            with pytest.raises(BadInput, match="cannot see what"):
                last.legal(1 - role)
            seen = [what for step in last.percepts for what in step]
            assert sum(what.startswith("(card ") for what in seen) == 1  # one card: the own one
            assert all(what.startswith(("(card ", "(first ", "(second ")) for what in seen)
            told = [None if move is None else game.move_name(role, move) for move in last.moves]
            assert told == [step[role] for step in result.record.moves[: len(last.moves)]]
            assert "sees" in last.draw()


@pytest.mark.parametrize("agent", ["uct", "p-base", "grave", "ntbea-4", "one-step"])
def test_who_needs_the_whole_state_is_refused_with_a_clear_line(agent: str) -> None:
    with pytest.raises(BadInput, match=f"agent {agent} needs to see everything, and gdl:high-card hides something"):
        paidia.play(game_of("high-card"), [agent, "random"], sims=10)


def test_servers_refuse_it_too() -> None:
    with pytest.raises(SystemExit) as exit:
        main(["host", "gdl:monty-hall", "--players", "localhost:1"])
    assert exit.value.code == 2
    start = Start("m", "candidate", tuple(parse(LIBRARY.text("monty-hall"))), 10.0, 10.0)
    with pytest.raises(MessageError, match="GDL-II"):
        GgpPlayer("random").answer(start, time.monotonic())


def test_particles_fit_what_was_seen_and_have_its_probabilities() -> None:
    """Monty Hall after door 1 was chosen and 3 opened: the car is behind 2 twice as often as behind 1."""
    game = game_of("monty-hall")
    player = make_player("pimc")
    assert isinstance(player, PimcPlayer)
    player.cannot_play(game, Budget(simulations=10))
    state = game.initial_state()
    player.begin(game, 0, state=state, seed=3, budget=None)
    names = ("noop", "(choose 1)", "noop")
    for seed in range(100):
        state = game.initial_state()
        state.seed(seed)
        percepts = []
        for name in names:
            state = play(state, name)
            percepts.append(tuple(state.percepts(0)))
        if percepts[-1] == ("(open 3)",):
            break
    moves = tuple(game.move_id(0, name) for name in names)
    decision = player.act(Glimpse(state, 0, moves, tuple(percepts)), step=3, budget=Budget(simulations=60))
    behind = Counter(fact for p in player.particles for fact in p.fluents() if fact.startswith("(car"))
    assert set(behind) == {"(car 1)", "(car 2)"} and len(player.particles) == 200
    assert 0.52 < behind["(car 2)"] / 200 < 0.8  # 2/3
    assert game.move_name(0, decision.move) == "switch"


def exact_coin_value() -> float:
    """What the best guesser gets: one coin is known, the others are right with probability 1/2 each."""
    goals = {3: 1.0, 2: 0.6, 1: 0.3}
    return sum(goals[1 + a + b] for a, b in product((0, 1), repeat=2)) / 4


def test_it_plays_coins_as_well_as_can_be() -> None:
    game = game_of("coin-guess")
    mean = sum(paidia.play(game, ["pimc"], sims=80, seed=seed).goals[0] for seed in range(40)) / 40
    assert exact_coin_value() == pytest.approx(0.625)
    assert abs(mean - 0.625) < 4 * 0.26 / 40**0.5  # the deviation of a match is 0.26
    assert mean > 0.47  # by chance 0.446


def test_it_is_better_than_chance_against_an_opponent() -> None:
    game = game_of("blind-tic-tac-toe")
    points = sum(paidia.play(game, ["pimc", "random"], sims=120, seed=seed).goals[0] for seed in range(16))
    assert points >= 9.5


def test_where_nothing_is_hidden_it_is_its_search() -> None:
    matches = [paidia.play("tic-tac-toe", [agent, "random"], sims=100, seed=2) for agent in ("pimc", "uct")]
    assert matches[0].record.moves == matches[1].record.moves


BASE = """
(role a) (role random)
(init start)
(<= (legal ?r go) (role ?r) (true start))
(<= (sees a something) (does random go))
(<= (next over) (true start))
(<= terminal (true over))
(goal a 100)
"""


def test_the_checker_knows_the_two_words() -> None:
    assert check_text(BASE) == []
    for old, new, complaint in (
        ("(<= terminal (true over))", "(<= terminal (true over) (sees a something))", "`sees` is for heads only"),
        ("(sees a something)", "(sees a)", "`sees` takes 2 arguments"),
        ("(sees a something)", "(sees b something)", "`b` is no role"),
        ("(role a) (role random)", "(role random)", "`random` is chance, and nobody plays"),
        ("(<= (sees a something) (does random go))", "(<= (sees random something) (does a go))", "role `a` never sees anything"),
    ):
        findings = [str(finding) for finding in check_text(BASE.replace(old, new))]
        assert any(complaint in finding for finding in findings), (new, findings)


def test_a_relation_of_that_name_is_no_percept_in_plain_gdl() -> None:
    """Sheets of plain GDL may call a relation `sees`: they ask for it."""
    plain = BASE.replace("(role random)", "(role b)").replace("(<= terminal", "(<= (see ?x) (sees a ?x))\n(<= terminal")
    assert not parse_sheet(plain).hidden and parse_sheet(BASE.replace("(role random)", "(role b)")).hidden
    assert not parse_sheet("(role a) (<= (sees ?x ?y ?z) (true (at ?x ?y ?z)))").hidden


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(RuleError, match="nobody plays"):
        load_game(parse_sheet(BASE.replace("(role a) ", "")), "x")
    game = load_game(parse_sheet(BASE), "x")
    assert isinstance(game, HiddenGame) and game.roles == ("a",)
    state = game.initial_state()
    state.play([game.move_id(0, "go")])
    assert state.percepts(0) == ["something"] and state.terminal and state.goals == [1.0]
