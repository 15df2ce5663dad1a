"""Games for two avatars: who moves, who scores, who wins, and what a dead avatar's player may still do."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.core.errors import BadInput, RuleError
from paidia.games.vgdl.compile.loading import game_from_text
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.views.observation import StateObservation

RULES = """BasicGame square_size=10 no_players=2
  SpriteSet
    floor > Immovable hidden=True
    coin > Immovable
    gem > Immovable
    pit > Immovable
    cloak > Immovable
    avatar >
      red > MovingAvatar
      blue > {blue}
      ghost > MovingAvatar
    wall > Immovable
  InteractionSet
    avatar wall > stepBack
    red blue > stepBack
    coin red > killSprite scoreChange=2,-1
    coin blue > killSprite scoreChange=-1,2
    gem avatar > killSprite scoreChange=5
    avatar pit > killSprite scoreChange=0,0
    red cloak > transformTo stype=ghost
    {more}
  LevelMapping
    . > floor
    c > coin
    g > gem
    x > pit
    k > cloak
    A > red
    B > blue
  TerminationSet
    {ends}
"""


def make(level: str, *, ends: str = "Timeout limit=50 count_score=True", blue: str = "MovingAvatar", more: str = "") -> VgdlGame:
    rules = RULES.format(ends=ends.replace("\n", "\n    "), blue=blue, more=more)
    return game_from_text(rules, "\n".join(level.split()), rules_file="game.txt")


def start(level: str, **options: str) -> VgdlState:
    return make(level, **options).initial_state(1)


ROOM = "wwwwwww wA.c.Bw wwwwwww"


def places(state: VgdlState) -> list[tuple[int, int]]:
    return [(x // 10, y // 10) for (x, y), *_ in (state.avatar(role) or ((0, 0),) for role in (0, 1))]


def test_both_act_at_once_in_their_own_name() -> None:
    state = start(ROOM)
    assert state.game.roles == ("first", "second") and state.game.n_roles == 2 and state.mover is None
    assert state.legal(0) == state.legal(1) != []
    state.play(["RIGHT", "NIL"])
    assert places(state) == [(2, 1), (5, 1)]
    state.play([None, "LEFT"])
    assert places(state) == [(2, 1), (4, 1)]
    assert [state.last_action_of(role) for role in (0, 1)] == ["NIL", "LEFT"]
    for joint in ("RIGHT", ["RIGHT"], ["UP", "UP", "UP"]):
        with pytest.raises(BadInput, match="2 players"):
            state.play(joint)


def test_the_order_of_players_is_that_of_the_description() -> None:
    state = start("wwwww wB.Aw wwwww")
    assert places(state) == [(3, 1), (1, 1)]  # red stands first in it, wherever it is in the level


def test_the_first_player_moves_first() -> None:
    # Both want the cell between them; red gets there, blue walks into red, and "red blue > stepBack" sends red home.
    state = start("wwwww wA.Bw wwwww")
    state.play(["RIGHT", "LEFT"])
    assert places(state) == [(1, 1), (2, 1)]


def test_a_list_of_scores_has_an_entry_for_each_and_a_single_one_counts_for_both() -> None:
    state = start("wwwwwww wAc.gBw wwwwwww")
    state.play(["RIGHT", "NIL"])
    assert state.scores == [2.0, -1.0] and state.score == 2.0
    state.play(["NIL", "LEFT"])
    assert state.scores == [7.0, 4.0]


@pytest.mark.parametrize(
    ("ends", "winners"),
    [
        ("SpriteCounter stype=coin limit=0 win=True,False", [1, 0]),
        ("SpriteCounter stype=coin limit=0 win=False,True", [0, 1]),
        ("SpriteCounter stype=coin limit=0 win=True", [1, 1]),
        ("SpriteCounter stype=coin limit=0 win=False,False", [0, 0]),
        ("SpriteCounter stype=coin limit=0 count_score=True", [1, 0]),
        ("SpriteCounter stype=gem limit=0 count_score=True", [1, 1]),  # at once, with 0 each: nobody has more
    ],
)
def test_who_wins(ends: str, winners: list[int]) -> None:
    state = start(ROOM, ends=ends)
    assert state.winners == [-1, -1] and not state.terminal
    state.play(["RIGHT", "NIL"])
    if not state.terminal:
        state.play(["RIGHT", "NIL"])
    assert state.terminal and state.winners == winners and state.winner == winners[0]
    assert state.legal(0) == state.legal(1) == []


def test_the_longest_game_is_lost_by_both() -> None:
    state = start("wwwww wA.Bw wwwww", ends="SpriteCounter stype=avatar limit=0 win=True")
    state.random_run(3, 3000)
    assert state.terminal and state.tick == 2001 and state.winners == [0, 0]


def test_a_dead_avatar_is_out_and_the_other_plays_on() -> None:
    state = start("wwwwwww wxA.cBw wwwwwww", ends="SpriteCounter stype=avatar limit=0 win=False,True")
    state.play(["LEFT", "NIL"])
    assert not state.terminal and [state.alive_as(role) for role in (0, 1)] == [False, True]
    assert state.legal(0) == [] and state.legal(1) != []
    state.play(["RIGHT", "LEFT"])
    assert places(state)[1] == (4, 1) and state.scores == [-1.0, 2.0]  # and the dead one's score still counts


def test_a_transformed_avatar_keeps_its_player_and_score() -> None:
    state = start("wwwwwwww wAck..Bw wwwwwwww")
    state.play(["RIGHT", "NIL"])
    state.play(["RIGHT", "NIL"])
    facts = state.avatar(0)
    assert facts is not None and state.game.types[facts[3]] == "ghost" and state.scores == [2.0, -1.0]
    before = places(state)[0]
    state.play(["LEFT", "LEFT"])
    assert places(state) == [(before[0] - 1, 1), (5, 1)]


def test_remove_score_takes_that_of_the_one_who_is_meant() -> None:
    state = start("wwwwwwww wgA.B.xw wwwwwwww", more="blue pit > removeScore", ends="Timeout limit=50 win=True")
    state.play(["LEFT", "NIL"])
    assert state.scores == [5.0, 5.0]
    state.play(["NIL", "RIGHT"])
    state.play(["NIL", "RIGHT"])
    assert state.scores == [5.0, 0.0]


def test_copies_and_keys_know_both_players() -> None:
    state = start(ROOM)
    other = state.copy()
    assert other.key == state.key
    other.play(["NIL", "LEFT"])
    assert other.key != state.key
    state.play(["NIL", "LEFT"])
    assert other.key == state.key and other.scores == state.scores


def test_players_and_avatars_have_to_fit() -> None:
    with pytest.raises(RuleError, match="one avatar for two players"):
        make("wwww wA.w wwww")
    with pytest.raises(RuleError, match=r"no_players= is 1 or 2, not '3'"):
        game_from_text(
            "BasicGame no_players=3\n  SpriteSet\n  TerminationSet\n    Timeout limit=3\n", "A\n", rules_file="game.txt"
        )
    assert sum(category == 0 for category, *_ in start("wwwwww wABABw wwwwww").seen()) == 2  # those beyond two are not there
    single = game_from_text(
        RULES.format(ends="Timeout limit=5", blue="MovingAvatar", more="").replace(" no_players=2", ""), "A.B\n"
    )
    assert single.roles == ("avatar",) and single.initial_state().avatar(0) is not None


def test_the_observation_answers_for_each_player() -> None:
    view = StateObservation(start("wwwwwww wAc.gBw wwwwwww"))
    assert view.get_no_players() == 2
    view.advance(["RIGHT", "LEFT"])
    assert (view.get_game_score(0), view.get_game_score(1)) == (7.0, 4.0)
    assert view.get_avatar_position(1)[0] == 40 and view.get_avatar_last_action(1) == "LEFT"
    assert view.get_available_actions(player=1) and view.is_avatar_alive(1)
    assert view.get_multi_game_winner() == ["NO_WINNER", "NO_WINNER"]


@given(seed=st.integers(0, 2**32), ticks=st.integers(1, 60))
@settings(max_examples=30, deadline=None)
def test_a_game_goes_the_same_way_twice_and_its_index_stays_right(seed: int, ticks: int) -> None:
    game = make("wwwwwwwww wA.c.gx.w w.k...c.w wg....c.w w..x..B.w wwwwwwwww", blue="ShootAvatar stype=coin")
    runs = []
    for _ in range(2):
        state = game.initial_state(seed)
        state.random_run(seed, ticks)
        assert state.check_index()
        runs.append((state.key, state.scores, state.winners, state.checksum()))
    assert runs[0] == runs[1]
