"""`paidia agents`: who can play."""

from __future__ import annotations

from paidia.cli.output import print_json, table
from paidia.players.registry import agent_ids, load_agent

#: Where agents are at home; they play every game that their parts can play (docs/agents.md).
HOMES = {"abstract": "boards, GDL", "vgdl": "video games", "any": "all games"}


def run(*, json: bool = False) -> None:
    """List the agents that come with paidia: what they were made for, and the paper and table where each appears.

    Args:
        json: Print one JSON document.
    """
    agents = [(id, load_agent(id)) for id in agent_ids()]
    if json:
        print_json([{"id": id, "world": a.world, "paper": a.paper, "summary": a.summary} for id, a in agents])
        return
    rows = [[id, HOMES.get(a.world, a.world), a.summary, a.paper] for id, a in agents]
    table("", ["id", "made for", "summary", "paper"], rows)
