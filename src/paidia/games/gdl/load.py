"""From rules to a game: by its propositional net, or, where that would be too large, by the interpreter; GDL-II by either."""

from __future__ import annotations

from pathlib import Path

from paidia.core.errors import RuleError
from paidia.core.game import Game
from paidia.games.gdl.hidden import HiddenGame
from paidia.games.gdl.interpreter.interpreter import load as interpret
from paidia.games.gdl.language.rules import RANDOM, SEES, Atom, Rule, RuleSheet, parse_sheet, read_sheet
from paidia.games.gdl.net.ground import NetLimits, TooLarge, ground
from paidia.games.gdl.net.kernel import NetGame
from paidia.games.gdl.net.machine import Machine
from paidia.games.gdl.net.net import build_net

__all__ = ["load_file", "load_game"]

#: Names that no sheet has: what a role sees of a step, and the fact that it saw it.
SEEN = "paidia-sees"
PERCEPT = "paidia-percept"


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
    if sheet.hidden:
        return _load_hidden(sheet, id, net_limits)
    limits = net_limits or NetLimits()
    try:
        return NetGame(id, Machine(build_net(sheet, ground(sheet, limits), limits)))
    except TooLarge as reason:
        return interpret(sheet, id, reason=str(reason))


def _load_hidden(sheet: RuleSheet, id: str, net_limits: NetLimits | None) -> Game:
    """A game of GDL-II: the same rules in plain GDL, in which percepts are facts of the next state, behind a curtain."""
    players = [role for role in sheet.roles if role != RANDOM]
    if not players:
        raise RuleError("`random` is chance, and nobody plays; add facts such as (role white)", file=sheet.file)
    seen = parse_sheet(f"(<= (next ({PERCEPT} ?role ?what)) ({SEEN} ?role ?what))")
    rules = [_renamed(rule) for rule in sheet.rules]
    plain = PlainSheet((*rules, *(seen.rules if SEES in sheet.by_relation else ())), sheet.file, sheet.spelling)
    chance = sheet.roles.index(RANDOM) if RANDOM in sheet.roles else -1
    return HiddenGame(load_game(plain, id, net_limits=net_limits), chance, PERCEPT)


def _renamed(rule: Rule) -> Rule:
    """In plain GDL `sees` is a relation like others; it gets a name that no sheet has."""
    head = rule.head
    return Rule(Atom(SEEN, head.args, head.place), rule.body, rule.place) if head.signature == SEES else rule


class PlainSheet(RuleSheet):
    """A sheet in which `random` is a name like others."""

    hidden = False


def load_file(path: str | Path, *, id: str = "", net_limits: NetLimits | None = None) -> Game:
    """The game in a `.kif` file."""
    return load_game(read_sheet(path), id or str(path), net_limits=net_limits)
