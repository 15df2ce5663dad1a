"""From an agent's definition to its search."""

from __future__ import annotations

from typing import Any

from paidia.control import make_controller
from paidia.core.control import Controller
from paidia.core.errors import BadInput
from paidia.core.hidden import hides
from paidia.core.loading.settings import read_settings
from paidia.core.model import Rules
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import PHASES, AgentDefinition, SearchDefinition
from paidia.players.registry import KINDS
from paidia.search.frame.search import Search
from paidia.search.mcts import Mcts
from paidia.search.registry import SEARCHES, make_strategy

__all__ = ["build_search", "check_definition", "search_for"]


def search_for(definition: AgentDefinition, game: Rules, name: str) -> Search:
    """The search of an agent outside of a match, to look into; `BadInput` says why there is none."""
    kind = KINDS[definition.kind]
    if not (isinstance(kind, type) and issubclass(kind, AgentPlayer) and kind.own_search):
        raise BadInput(f"agent {name} has no search to look into ({definition.kind}): take one that has, such as uct or grave")
    if hides(game):
        raise BadInput(f"{game.id} hides something from its roles: a search from one position would know too much")
    try:
        return build_search(definition, game)
    except BadInput as error:
        raise BadInput(f"agent {name} cannot play {game.id}: {error}") from None


def build_search(definition: AgentDefinition, game: Rules) -> Search:
    """The search that an agent's definition describes, for one game; `BadInput` says why it cannot play it."""
    if definition.planner:
        kind, settings = _planner(definition)
        planner: Search = kind(game, settings, controller=_controller(definition))
        return planner
    search = _tree_search(definition, game)
    if definition.search.threads > 1:
        search.recruit([_tree_search(definition, game) for _ in range(1, definition.search.threads)], definition.search.parallel)
    return search


def _tree_search(definition: AgentDefinition, game: Rules) -> Mcts:
    """One tree search, for one thread."""
    search = definition.search
    return Mcts(
        game,
        **_strategies(search),
        parameters=definition.search_parameters(),
        controller=_controller(definition),
        tree=search.tree,
        expansion=search.expansion,
        growth=search.growth,
        horizon=search.horizon,
        decisive=search.decisive,
        use_start=search.use_start,
        reuse=search.reuse,
        keep_steps=search.keep_steps,
        max_depth=search.max_depth,
        memory=search.memory,
    )


def check_definition(definition: AgentDefinition) -> None:
    """Raise `BadInput` where a definition names what does not exist or gives it what it does not take."""
    _controller(definition)
    if definition.planner:
        _planner(definition)
    else:
        _strategies(definition.search)


def _planner(definition: AgentDefinition) -> tuple[Any, Any]:
    table = dict(definition.planner)
    name = table.pop("kind", None)
    if not isinstance(name, str):
        raise BadInput(f"[planner] needs a kind, one of {', '.join(SEARCHES)}")
    kind = SEARCHES[name]
    return kind, read_settings(kind.Settings, table, where=f"[planner] kind = {name!r}")


def _strategies(search: SearchDefinition) -> dict[str, Any]:
    """The strategies of all phases, as the tree search takes them."""
    for key in search.options:
        if key not in PHASES and not any(key in registry for registry in PHASES.values()):
            raise BadInput(f"options are for the phases {', '.join(PHASES)} or for strategies by name, not for {key!r}")
    made: dict[str, Any] = {"root": []}
    for phase, name, options in search.strategies():
        strategy = make_strategy(PHASES[phase], name, options)
        if phase == "root":
            made["root"].append(strategy)
        else:
            made[phase] = strategy
    if "pruning" in made:
        made["pruning"] = [made["pruning"]]
    return made


def _controller(definition: AgentDefinition) -> Controller | None:
    return make_controller(definition.control) if definition.control else None
