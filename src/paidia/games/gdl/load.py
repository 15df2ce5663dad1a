"""From rules to a game: by its propositional net, or, where that would be too large, by the interpreter."""

from __future__ import annotations

from pathlib import Path

from paidia.core.errors import RuleError
from paidia.core.game import Game
from paidia.games.gdl.interpreter.interpreter import load as interpret
from paidia.games.gdl.language.rules import RuleSheet, read_sheet
from paidia.games.gdl.net.ground import NetLimits, TooLarge, ground
from paidia.games.gdl.net.kernel import NetGame
from paidia.games.gdl.net.machine import Machine
from paidia.games.gdl.net.net import build_net

__all__ = ["load_file", "load_game"]


def load_game(sheet: RuleSheet, id: str, *, net_limits: NetLimits | None = None) -> Game:
    """The game that the rules describe.

    Args:
        sheet: The rules.
        id: What the game shall be called.
        net_limits: When to give up building the net.

    Raises:
        RuleError: the rules describe no game.
    """
    if not sheet.roles:
        raise RuleError("the rules name no role; add facts such as (role white)", file=sheet.file)
    limits = net_limits or NetLimits()
    try:
        return NetGame(id, Machine(build_net(sheet, ground(sheet, limits), limits)))
    except TooLarge as reason:
        return interpret(sheet, id, reason=str(reason))


def load_file(path: str | Path, *, id: str = "", net_limits: NetLimits | None = None) -> Game:
    """The game in a `.kif` file."""
    return load_game(read_sheet(path), id or str(path), net_limits=net_limits)
