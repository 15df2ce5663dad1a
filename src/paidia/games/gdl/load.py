"""From rules to a game: by its propositional net, or, where that would be too large, by the interpreter; GDL-II by either.

All of it has a limit on CPU time, in this thread and in the grounder's process, and can be called off (`core/machine/alarm`).
"""

from __future__ import annotations

from pathlib import Path

from paidia.core.errors import BadInput, OutOfTime, RuleError
from paidia.core.game import Game
from paidia.core.machine.alarm import Alarm, check
from paidia.games.gdl.language.check import accept
from paidia.games.gdl.language.rules import RANDOM, SEES, Atom, Rule, RuleSheet, parse_sheet, read_sheet
from paidia.games.gdl.net.ground import NetLimits, TooLarge, ground
from paidia.games.gdl.net.kernel import NetGame
from paidia.games.gdl.net.machine import Machine
from paidia.games.gdl.net.net import build_net

__all__ = ["accepted", "load_file", "load_game", "load_net"]

#: CPU seconds for reading and checking rules, for building a net of them (the grounder not counted), and for the interpreter.
TO_CHECK, TO_BUILD, TO_INTERPRET = 20.0, 60.0, 120.0


def accepted(sheet: RuleSheet) -> RuleSheet:
    """The same rules, if they can be played; remarks on them are logged."""
    try:
        with Alarm(cpu=TO_CHECK):
            accept(sheet)
    except OutOfTime as error:
        raise _too_long(error, sheet, f"it takes more than {TO_CHECK:g} s to check these rules") from None
    return sheet


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
        OutOfTime: an alarm of the caller rang.
    """
    if not sheet.roles:
        raise RuleError("the rules name no role; add facts such as (role white)", file=sheet.file)
    if sheet.hidden:
        return _load_hidden(sheet, id, net_limits)
    try:
        return load_net(sheet, id, net_limits=net_limits)
    except TooLarge as error:
        reason = str(error)
    from paidia.games.gdl.interpreter.interpreter import load as interpret  # few sheets need it

    try:
        with Alarm(cpu=TO_INTERPRET):
            return interpret(sheet, id, reason=reason)
    except OutOfTime as error:
        raise _too_long(error, sheet, f"it takes more than {TO_INTERPRET:g} s to prepare these rules for play") from None


def load_net(sheet: RuleSheet, id: str, *, net_limits: NetLimits | None = None) -> Game:
    """The game by its net.

    Raises:
        RuleError: the rules describe no game.
        TooLarge: the net takes more than the limits allow.
        OutOfTime: an alarm of the caller rang.
    """
    limits = net_limits or NetLimits()
    try:
        with Alarm(cpu=TO_BUILD):
            return NetGame(id, Machine(build_net(sheet, ground(sheet, limits), limits)))
    except OutOfTime as error:
        raise TooLarge(str(_too_long(error, sheet, f"building a net takes more than {TO_BUILD:g} s"))) from None


def _load_hidden(sheet: RuleSheet, id: str, net_limits: NetLimits | None) -> Game:
    """A game of GDL-II: the same rules in plain GDL, in which percepts are facts of the next state, behind a curtain."""
    from paidia.games.gdl.hidden import HiddenGame  # few sheets need it

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


def _too_long(error: OutOfTime, sheet: RuleSheet, message: str) -> BadInput:
    """What to say where our own limit ended it; an alarm of whoever waits for the rules goes through."""
    if error.called_off:
        raise error
    check()  # of the caller
    return BadInput(f"{sheet.file or 'the rules'}: {message}")
