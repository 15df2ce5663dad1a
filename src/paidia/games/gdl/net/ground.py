"""Rules with variables -> ground rules over numbered atoms, by clingo's gringo.

Gringo gets the decomposed rules and three more, which say what a state and a joint move may hold:

    {true(F)} :- init(F).    {true(F)} :- next(F).    {does(R, M)} :- legal(R, M).

It then computes every fluent and move that any play can reach (and some more), drops what can never hold and folds
what always does. `base` and `input` are not needed and not believed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from paidia.core.errors import PaidiaError
from paidia.core.machine.alarm import check
from paidia.games.gdl.language.decompose import decompose, unsafe_variables
from paidia.games.gdl.language.rules import Atom, Constant, Distinct, FlatRule, Function, Literal, RuleSheet, Term, Variable

__all__ = ["GroundProgram", "NetLimits", "TooLarge", "ground", "ground_text"]

_WANTED = ("role", "init", "next", "legal", "does", "true", "terminal", "goal")
_ROOTS = ("role", "init", "next", "legal", "terminal", "goal")


class NetLimits(msgspec.Struct, frozen=True):
    """How much a propositional net may cost before the slower reasoner takes over.

    Attributes:
        seconds: CPU time of the grounder.
        memory: Bytes that the grounder may use.
        output: Bytes of ground rules.
        gates: Gates of the finished net.
    """

    seconds: int = 30
    memory: int = 2 << 30
    output: int = 100 << 20
    gates: int = 1_500_000


class TooLarge(PaidiaError):
    """The rules are right as far as we know, but their ground form is larger than the limits allow."""


class GroundProgram(msgspec.Struct, frozen=True):
    """What gringo made of the rules.

    Attributes:
        aspif: Its output; rules are read from it by the net builder, atoms are numbers there.
        names: Symbols by number: `c12` or `f12(...)` in the output stand for `names[12]`.
        relations: The relations whose atoms the output lists by name: `r3(...)` stands for `relations["r3"]`.
    """

    aspif: bytes
    names: list[str]
    relations: dict[str, str]


def ground(sheet: RuleSheet, limits: NetLimits) -> GroundProgram:
    """Ground the rules of a game.

    Raises:
        RuleError: a rule has a variable that nothing binds.
        TooLarge: a limit was reached.
    """
    for rule in sheet.flat:
        for variable in unsafe_variables(rule):
            place = variable.place if variable.place.line else rule.place
            raise place.error(f"the variable `{variable.name}` stands in no positive condition of this rule's body")
    writer = _Writer()
    program = writer.program(decompose(_reachable(sheet.flat)))
    program += writer.choices()
    return GroundProgram(_run(program, limits, sheet.file), writer.names, writer.shown())


def ground_text(program: str, limits: NetLimits, file: str = "") -> bytes:
    """Gringo's output for a program in its own language."""
    return _run(program, limits, file)


def _run(program: str, limits: NetLimits, file: str) -> bytes:
    command = [sys.executable, "-I", str(Path(__file__).with_name("gringo.py"))]
    command += [str(limits.seconds), str(limits.memory), str(limits.output)]
    name = file or "the rules"
    with tempfile.TemporaryFile() as output:
        with tempfile.TemporaryFile() as source:
            source.write(program.encode())
            source.seek(0)
            # Libraries that somebody puts into all processes (a sanitizer, say) may reserve more than the limit of memory.
            plain = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
            child = subprocess.Popen(command, stdin=source, stdout=output, stderr=subprocess.DEVNULL, env=plain)
        deadline = time.monotonic() + 2 * limits.seconds + 5
        try:
            while True:
                check()  # whoever waits for the rules may have gone
                try:
                    child.wait(0.02)
                    break
                except subprocess.TimeoutExpired:
                    if time.monotonic() > deadline:
                        raise TooLarge(f"{name}: grounding took more than {limits.seconds} s") from None
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
        output.seek(0)
        text = output.read()
    if child.returncode or not text.rstrip().endswith(b"\n0"):
        raise TooLarge(
            f"{name}: grounding needs more than {limits.seconds} s, {limits.memory >> 20} MiB of memory or "
            f"{limits.output >> 20} MiB of ground rules"
        )
    return text


def _reachable(rules: Sequence[FlatRule]) -> list[FlatRule]:
    """The rules that a relation with a meaning for play depends on."""
    by_head: dict[tuple[str, int], list[FlatRule]] = {}
    for rule in rules:
        by_head.setdefault(rule.head.signature, []).append(rule)
    wanted = {signature for signature in by_head if signature[0] in _ROOTS}
    pending = list(wanted)
    while pending:
        for rule in by_head.get(pending.pop(), ()):
            for literal in rule.body:
                if isinstance(literal.atom, Atom) and literal.atom.signature not in wanted:
                    wanted.add(literal.atom.signature)
                    pending.append(literal.atom.signature)
    return [rule for rule in rules if rule.head.signature in wanted]


class _Writer:
    """Writes rules in gringo's language; names become numbers, so no name can mean anything to gringo."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._relations: dict[str, str] = {}

    def program(self, rules: Iterable[FlatRule]) -> str:
        return "\n".join(self.rule(rule) for rule in rules) + "\n"

    def rule(self, rule: FlatRule) -> str:
        check()
        variables: dict[str, str] = {}
        body = ", ".join(self._literal(literal, variables) for literal in rule.body)
        return f"{self._atom(rule.head, variables)}{' :- ' if body else ''}{body}."

    def choices(self) -> str:
        r = {name: self._relation(name) for name in _WANTED}
        shows = "".join(
            f"#show {r[name]}/{arity}. "
            for name, arity in (
                ("role", 1),
                ("init", 1),
                ("true", 1),
                ("next", 1),
                ("legal", 2),
                ("does", 2),
                ("goal", 2),
                ("terminal", 0),
            )
        )
        return (
            f"{{{r['true']}(F)}} :- {r['init']}(F). {{{r['true']}(F)}} :- {r['next']}(F).\n"
            f"{{{r['does']}(R,M)}} :- {r['legal']}(R,M).\n{shows}\n"
        )

    def shown(self) -> dict[str, str]:
        return {self._relation(name): name for name in _WANTED}

    def _relation(self, name: str) -> str:
        return self._relations.setdefault(name, f"r{len(self._relations)}")

    def _number(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number

    def _term(self, term: Term, variables: dict[str, str]) -> str:
        if isinstance(term, Constant):
            return f"c{self._number(term.name)}"
        if isinstance(term, Variable):
            return variables.setdefault(term.name, f"V{len(variables)}")
        assert isinstance(term, Function)
        return f"f{self._number(term.name)}({','.join(self._term(arg, variables) for arg in term.args)})"

    def _atom(self, atom: Atom, variables: dict[str, str]) -> str:
        relation = self._relation(atom.relation)
        return f"{relation}({','.join(self._term(arg, variables) for arg in atom.args)})" if atom.args else relation

    def _literal(self, literal: Literal, variables: dict[str, str]) -> str:
        if isinstance(literal.atom, Distinct):
            sign = "!=" if literal.positive else "="
            return f"{self._term(literal.atom.left, variables)}{sign}{self._term(literal.atom.right, variables)}"
        return ("" if literal.positive else "not ") + self._atom(literal.atom, variables)
