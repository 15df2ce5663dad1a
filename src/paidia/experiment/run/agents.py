"""Who plays in a plan: an agent that cannot be made, or not sat down in a game it is to play, is a wrong plan, not a match."""

from __future__ import annotations

from pathlib import Path

from paidia.core.errors import BadInput, PaidiaError, RuleError
from paidia.core.text import interrupted, printable, told
from paidia.experiment.cells import Cell, Contender, definition_json
from paidia.experiment.expand import expand
from paidia.experiment.plan import Plan
from paidia.experiment.play import cell_clocks, cell_game
from paidia.match.referee import check_seats
from paidia.players.agent_player import AgentPlayer
from paidia.players.registry import player_of

__all__ = ["check_agents", "playable_cells"]

#: Who was asked in this process, and can play: agent, definition, game, its rules, budget. A run may come in many parts.
_ABLE: set[tuple[object, ...]] = set()

REMEDY = "leave the agent or the game out, or name the games that it plays in its entry (games = [...])"


def playable_cells(plan: Plan, *, folder: Path = Path(), file: str = "") -> list[Cell]:
    """All cells of a plan, whose agents can play their games; `folder` is where its relative paths start."""
    cells = expand(plan, folder=folder, file=file)
    check_agents(cells, file or f"plan {plan.name}")
    return cells


def check_agents(cells: list[Cell], file: str) -> None:
    """Refuse agents that cannot be made, or cannot play one of their games with their budget there.

    Each is asked once in a process; what a player does in `begin` is tried in its first game.
    """
    players: dict[tuple[str, str], AgentPlayer] = {}
    for cell in cells:
        for contender in cell.contenders:
            known = (contender.name, definition_json(contender.definition))
            place = (*known, cell.game, cell.rules, contender.budget)
            if place in _ABLE:
                continue
            try:
                fresh = known not in players
                if fresh:
                    players[known] = player_of(contender.definition, contender.name)
                _sit_down(cell, contender, players[known], begins=fresh)
            except PaidiaError as error:
                raise RuleError(f"agents: agent {contender.name}: {error}", file=file) from None
            _ABLE.add(place)


def _sit_down(cell: Cell, contender: Contender, player: AgentPlayer, *, begins: bool) -> None:
    game = cell_game(cell)
    try:
        check_seats(game, [player] * game.n_roles, cell_clocks(cell, game, [contender] * game.n_roles))
    except BadInput as error:
        raise BadInput(f"{str(error).removeprefix(f'agent {contender.name} ')}; {REMEDY}") from None
    if begins:
        try:
            player.begin(game, 0, state=game.initial_state(), seed=0, budget=None)
        except PaidiaError:
            raise
        except BaseException as error:
            if interrupted(error):
                raise
            raise BadInput(f"cannot begin a match of {printable(game.id)}: {told(error)}") from None
