"""Small levels in which one effect of a search shows by itself."""

from __future__ import annotations

from oracles.sequences import thesis_search
from oracles.thesis_settings import MctsSettings
from paidia.core.arcade import ACTIONS
from paidia.core.budget import Budget
from paidia.games.vgdl.compile.loading import game_from_text
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState

RULES = """
BasicGame square_size=10
  SpriteSet
    floor > Immovable hidden=True
    pit > Immovable
    goal > Door
    coin > Resource limit=1000
    key > Resource limit=10
    drifter > RandomNPC speed=0.5
    roller > Missile orientation=RIGHT speed=1
    avatar > {avatar}
    wall > Immovable
  InteractionSet
    avatar wall > stepBack {pay}
    drifter wall > stepBack
    roller wall > reverseDirection
    avatar pit > killSprite
    goal avatar > killSprite scoreChange=10
    coin avatar > killSprite scoreChange=1
    key avatar > killSprite
  LevelMapping
    . > floor
    x > pit
    G > goal
    c > coin
    k > key
    r > drifter
    m > roller
  TerminationSet
    SpriteCounter stype=avatar limit=0 win=False
    {ends}
    Timeout limit=1000 win=False
"""


def level(text: str, *, avatar: str = "MovingAvatar", goal: str = "goal", pay: bool = False) -> VgdlGame:
    """A game with walls `w`, pits `x`, goals `G`, coins `c`, keys `k`, a drifter `r`, a roller `m` and the avatar `A`.

    It is won when all sprites of type `goal` are gone; nobody wins where there never was one. With `pay`, bumping into a
    wall is worth a point.
    """
    ends = f"SpriteCounter stype={goal} limit=0 win=True" if {"goal": "G", "key": "k"}[goal] in text else ""
    lines = "\n".join(line.strip() for line in text.strip().split("\n"))
    rules = RULES.format(avatar=avatar, ends=ends, pay="scoreChange=1" if pay else "")
    return game_from_text(rules.strip(), lines, rules_file="game.txt")


def play(
    game: VgdlGame, *, seed: int, simulations: int, ticks: int, start: bool = False, **settings: object
) -> tuple[VgdlState, list[str]]:
    """Some ticks of a game with the search of the thesis; the last state and the actions."""
    search = thesis_search(game, MctsSettings(**settings))  # type: ignore[arg-type]
    state = game.initial_state(seed)
    budget = Budget(simulations=simulations)
    search.begin_game(seed)
    if start:
        search.think_ahead(state, Budget(simulations=25 * simulations))
    actions = []
    while not state.terminal and len(actions) < ticks:
        view = state.copy()
        view.seed(1000 + len(actions))
        actions.append(ACTIONS[search.search(view, budget, step=len(actions)).move or 0])
        state.play(actions[-1])
    return state, actions
