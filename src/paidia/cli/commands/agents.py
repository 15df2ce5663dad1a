"""`paidia agents`: who can play."""

from __future__ import annotations

from paidia.cli.output import matches, print_json, table
from paidia.core.errors import BadInput
from paidia.players.registry import agent_ids, load_agent


def run(filter: str = "", /, *, json: bool = False) -> None:
    """List the agents that come with paidia, with the paper and table where each appears.

    Args:
        filter: Show only agents whose id, summary or paper has this text in it.
        json: Print one JSON document.
    """
    agents = [(id, load_agent(id)) for id in agent_ids()]
    agents = [(id, a) for id, a in agents if matches(filter, id, a.world, a.summary, a.paper)]
    if filter and not agents:
        raise BadInput(f"no agent has {filter!r} in its id, summary or paper; `paidia agents` lists them all")
    if json:
        print_json([{"id": id, "world": a.world, "paper": a.paper, "summary": a.summary} for id, a in agents])
        return
    table("", ["id", "summary", "paper"], [[id, a.summary, a.paper] for id, a in agents])
