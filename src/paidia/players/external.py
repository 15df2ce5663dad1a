"""Players that are not ours, as agents: any program that speaks one of three protocols sits wherever an agent is named.

    ggp:HOST:PORT       a player of the General Game Playing protocol, in games that come from rule sheets
    engine:COMMAND      a program that answers JSON lines (docs/engine.md), started for the match
    bot:mcts            a bot of OpenSpiel by its name

The kinds of players lie in `connect`, which is imported when such an agent first plays.
"""

from __future__ import annotations

from paidia.core.errors import BadInput
from paidia.players.definition import AgentDefinition

__all__ = ["external_agent"]

#: scheme -> kind of player, and what the rest of the id is to it
SCHEMES = {
    "ggp": ("paidia.connect.ggp.remote:RemotePlayer", "address"),
    "engine": ("paidia.connect.engine_player:EnginePlayer", "command"),
    "bot": ("paidia.connect.openspiel_bot:SpielBotPlayer", "bot"),
}


def external_agent(id: str) -> AgentDefinition | None:
    """The agent that `SCHEME:REST` means, None if it is no such id."""
    scheme, colon, rest = id.partition(":")
    if not colon or scheme not in SCHEMES:
        return None
    if not rest.strip():
        raise BadInput(f"after {scheme}: comes the {SCHEMES[scheme][1]} of the player")
    kind, key = SCHEMES[scheme]
    return AgentDefinition(summary=f"{scheme} player {rest}", world="any", kind=kind, planner={key: rest.strip()})
