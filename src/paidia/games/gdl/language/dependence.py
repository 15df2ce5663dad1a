"""Which relation depends on which: groups that depend on themselves, and an order in which to evaluate them.

A relation whose argument is a constant wherever it stands is as many relations as there are constants: `(goal x 0)`
may depend on `(not (goal x 100))`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from paidia.core.machine.alarm import check
from paidia.games.gdl.language.rules import Atom, Constant, FlatRule

__all__ = ["Node", "components", "dependence", "leading_to", "reachable", "split"]

Node = tuple[str, int, tuple[str, ...]]  # name, number of arguments, constants that tell it apart


def split(rules: Iterable[FlatRule]) -> Callable[[Atom], Node]:
    """The function that says which relation an atom of these rules belongs to."""
    fixed: dict[tuple[str, int], set[int]] = {}
    for rule in rules:
        check()
        for atom in (rule.head, *(literal.atom for literal in rule.body)):
            if isinstance(atom, Atom):
                constant = {i for i, arg in enumerate(atom.args) if isinstance(arg, Constant)}
                fixed[atom.signature] = fixed.get(atom.signature, constant) & constant
    places = {signature: sorted(at) for signature, at in fixed.items()}

    def node(atom: Atom) -> Node:
        return *atom.signature, tuple(str(atom.args[i]) for i in places.get(atom.signature, ()))

    return node


def dependence(rules: Iterable[FlatRule], node: Callable[[Atom], Node]) -> dict[Node, dict[Node, bool]]:
    """For every relation those its rules mention; the value says whether one of the mentions is under a `not`."""
    graph: dict[Node, dict[Node, bool]] = {}
    for rule in rules:
        check()
        edges = graph.setdefault(node(rule.head), {})
        for literal in rule.body:
            if isinstance(literal.atom, Atom):
                to = node(literal.atom)
                graph.setdefault(to, {})
                edges[to] = edges.get(to, False) or not literal.positive
    return graph


def reachable(graph: Mapping[Node, Iterable[Node]], start: Iterable[Node]) -> set[Node]:
    """Everything that some relation of `start` depends on, `start` included."""
    found = {node for node in start if node in graph}
    pending = list(found)
    while pending:
        for to in graph[pending.pop()]:
            if to not in found:
                found.add(to)
                pending.append(to)
    return found


def leading_to(graph: Mapping[Node, Iterable[Node]], names: Iterable[str]) -> dict[str, set[Node]]:
    """For each name the relations that depend on a relation of that name, itself included."""
    users: dict[Node, list[Node]] = {node: [] for node in graph}
    for node, edges in graph.items():
        for to in edges:
            users[to].append(node)
    return {name: reachable(users, [node for node in graph if node[0] == name]) for name in names}


def components(graph: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """Groups of relations that depend on each other, each after all it depends on (Tarjan 1972, without recursion)."""
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    waiting: set[Node] = set()
    done: list[list[Node]] = []
    for root in graph:
        if root in number:
            continue
        path = [(root, iter(graph[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        waiting.add(root)
        while path:
            check()
            node, edges = path[-1]
            for to in edges:
                if to not in number:
                    number[to] = low[to] = len(number)
                    stack.append(to)
                    waiting.add(to)
                    path.append((to, iter(graph[to])))
                    break
                if to in waiting:
                    low[node] = min(low[node], number[to])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == number[node]:
                    group = [stack.pop()]
                    while group[-1] != node:
                        group.append(stack.pop())
                    waiting.difference_update(group)
                    done.append(group)
    return done
