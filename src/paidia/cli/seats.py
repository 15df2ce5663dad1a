"""Who sits where: `--agents` and `--set` as players, a person among them maybe."""

from __future__ import annotations

from paidia.cli.human import HumanPlayer, rank_words
from paidia.cli.keys import TICK, KeyPlayer
from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.core.model import Rules, Situation
from paidia.core.player import Player
from paidia.players.definition import Value
from paidia.players.registry import KINDS, load_agent, make_player, parse_settings

__all__ = ["HUMAN", "make_players", "seat_settings", "with_threads"]

HUMAN = "human"

#: Who is asked for a hint, and for how long.
ADVISER, ADVICE = "grave", Budget(seconds=1.0)


def make_players(names: list[str], rules: Rules, settings: list[dict[str, Value]], *, tick: float | None) -> list[Player]:
    """One player per role; `tick` is how long a tick lasts for a person."""
    n = rules.n_roles
    if len(names) != n:
        roles = f"{'one role' if n == 1 else f'{n} roles'} ({', '.join(rules.roles)})"
        raise BadInput(f"{rules.id} has {roles}: give {'one agent' if n == 1 else 'that many agents'}, not {len(names)}")
    return [_player(name, rules, own, tick) for name, own in zip(names, settings, strict=True)]


def _player(name: str, rules: Rules, settings: dict[str, Value], tick: float | None) -> Player:
    if name != HUMAN:
        return make_player(name, settings=settings)
    return KeyPlayer(tick=tick or TICK) if isinstance(rules, ArcadeGame) else HumanPlayer(advise=_advice)


def _advice(game: Game, role: int, state: Situation) -> str:
    """What an agent would do."""
    player = make_player(ADVISER)
    reason = player.cannot_play(game, ADVICE)
    if reason is not None:
        return f"{ADVISER} {reason}"
    player.begin(game, role, state=state.clone(), seed=0, budget=None)
    decision = player.act(state.clone(), step=0, budget=ADVICE)
    rows = (decision.notes or {}).get("moves") or []
    return f"{ADVISER} would play: {rank_words(rows)}" if rows else f"{ADVISER} has no idea"


def seat_settings(texts: list[str], n_roles: int) -> list[dict[str, Value]]:
    """`KEY=VALUE` for all seats and `SEAT:KEY=VALUE` for one, seat by seat."""
    everyone: list[str] = []
    seats: list[list[str]] = [[] for _ in range(n_roles)]
    for text in texts:
        seat, colon, rest = text.partition(":")
        if not colon:
            everyone.append(text)
        elif seat.isdecimal() and 1 <= int(seat) <= n_roles:
            seats[int(seat) - 1].append(rest)
        else:
            raise BadInput(f"--set {text!r}: the seat before the colon is a number from 1 to {n_roles}")
    common = parse_settings(everyone)
    return [{**common, **parse_settings(own)} for own in seats]


def with_threads(names: list[str], settings: list[dict[str, Value]], threads: int) -> list[dict[str, Value]]:
    """The settings of all seats with `--threads` for those whose agents search a tree."""
    able = [name != HUMAN and _searches_a_tree(name) for name in names]
    if not any(able):
        raise BadInput(f"--threads is for agents that search a tree, and {' and '.join(names)} do not")
    return [{"threads": threads, **own} if can else own for can, own in zip(able, settings, strict=False)]


def _searches_a_tree(name: str) -> bool:
    definition = load_agent(name)
    return not definition.planner and getattr(KINDS[definition.kind], "searches", False)
