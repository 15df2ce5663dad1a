"""Every agent plays every world its parts can play, or says why not; the same seed gives the same moves."""

from __future__ import annotations

import msgspec
import pytest

import paidia
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.players.registry import agent_ids, make_player

GAMES = ["tic-tac-toe", "gdl:eight-puzzle", "vgdl:museum"]
PLANNERS = {"2bfs", "bfs-safe", "hybrid", "iw-1", "iw-2", "iw-3-2", "olets", "one-step", "rhea", "rhea-shift"}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("id", agent_ids())
def test_every_agent_plays_or_says_why_not(id: str, game: str) -> None:
    rules = paidia.load(game)
    reason = make_player(id).cannot_play(rules, Budget(simulations=12))
    if reason is not None:
        assert game in reason and len(reason) < 200
        return
    seats = [id, *["random"] * (rules.n_roles - 1)]
    first, again = (paidia.play(rules, seats, sims=12, seed=5, max_steps=6).record for _ in range(2))
    assert first == again
    assert first.moves and first.ending in ("terminal", "step limit", "tick limit"), first.message


def test_who_plays_where() -> None:
    able = {game: {id for id in agent_ids() if make_player(id).cannot_play(paidia.load(game), Budget(simulations=1)) is None}
            for game in GAMES}  # fmt: skip
    everyone = set(agent_ids())
    # They play simulations again, search for one line of moves, prove something, or learn from goals.
    without_chance = {"past", "fast", "nmcs", "nrpa", "constrained", "prover", "cut-solver"}
    assert able["vgdl:museum"] == everyone - without_chance, "all others play video games"
    assert able["gdl:eight-puzzle"] >= PLANNERS | {"uct", "grave", "ntbea-4", "mcts-thesis", "sample-mcts", "random"}
    assert not able["tic-tac-toe"] & PLANNERS and able["tic-tac-toe"] >= {"uct", "ppaf", "cadia-style", "p-lsi"}


def test_a_switch_takes_only_its_values() -> None:
    with pytest.raises(BadInput, match="td is one of off, td, tdir, tdms, tdkbe, not tdd"):
        make_player("maastcts2", settings={"td": "tdd"})
    with pytest.raises(BadInput, match="nbp is one of true, false, not 3"):
        make_player("maastcts2", settings={"nbp": 3})


def test_options_of_strategies_that_are_not_used_change_nothing() -> None:
    rules = paidia.load("vgdl:museum")
    plain, more = (paidia.agent("mcts-thesis", **extra) for extra in ({}, {"nst.decay": 0.1, "bfti.looks": 9}))
    records = [paidia.play(rules, agent, sims=20, seed=1, max_steps=5).record for agent in (plain, more)]
    roots = [record.details.roots if record.details else None for record in records]
    assert roots[0] and roots[0] == roots[1]
    assert len({msgspec.json.encode(msgspec.structs.replace(record, details=None)) for record in records}) == 1


@pytest.mark.parametrize("game", ["tic-tac-toe", "gdl:tron"])
def test_a_tree_of_sequences_serves_games_without_chance(game: str) -> None:
    rules = paidia.load(game)
    state = rules.initial_state()
    found = paidia.search(state, paidia.agent("uct", tree="sequences"), sims=400, role=0)
    assert found.move in state.legal(0)
    assert sum(row.visits for row in found.moves) == 400
    assert all(0 <= row.mean <= 1 for row in found.moves)
