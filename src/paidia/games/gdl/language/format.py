"""Writes a rule sheet in one style: rules with a condition a line, comments and rows of facts where they stood.

    (role white)

    (<= (legal ?player (mark ?x ?y))
        (true (control ?player))
        (true (cell ?x ?y blank)))      ; a comment stays behind its line

Only white space changes: the words, their spelling, their order and the comments are those of the text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from paidia.games.gdl.language.kif import TOKEN, parse, read_text

__all__ = ["format_file", "format_text"]

WIDTH = 100


@dataclass
class _Node:
    """A word, a list or a comment; `alone` says that a comment has its line to itself."""

    text: str = ""
    items: list[_Node] = field(default_factory=list)
    comment: bool = False
    alone: bool = False
    blank_before: bool = False
    line: int = 0

    @property
    def flat(self) -> str:
        if self.text:
            return self.text
        return "(" + " ".join(item.flat for item in self.items) + ")"

    @property
    def commented(self) -> bool:
        return self.comment or any(item.commented for item in self.items)


def format_file(path: str | Path) -> str:
    """The rules of a file in the common style."""
    return format_text(read_text(path), file=str(path))


def format_text(text: str, *, file: str = "") -> str:
    """A rule sheet in the common style.

    Raises:
        RuleError: the parentheses of the text do not match.
    """
    parse(text, file=file)  # says where parentheses are wrong, and bounds their depth
    lines: list[str] = []
    before, last = _Node(), 0  # the expression before, and the line of the text where it ended
    for node in _read(text):
        if node.comment and not node.alone and lines and node.line == last:
            lines[-1] += "  " + node.text
            continue
        if lines and node.line == last and _joins(before, node, lines[-1]):
            lines[-1] += " " + node.flat
        else:
            apart = node.blank_before or _tall(node) or _tall(before)
            if lines and apart and (node.blank_before or not before.comment):
                lines.append("")
            lines.extend(_layout(node, 0))
        before, last = node, _end(node)
    return "\n".join(lines) + "\n" if lines else ""


def _joins(before: _Node, node: _Node, line: str) -> bool:
    """Whether two facts that share a line of the text may do so here."""
    short = not any(x.commented or _tall(x) for x in (before, node))
    return short and len(line) + 1 + len(node.flat) <= WIDTH


def _tall(node: _Node) -> bool:
    return bool(node.items) and node.items[0].text == "<=" and len(_layout(node, 0)) > 1


def _end(node: _Node) -> int:
    return max([node.line, *(_end(item) for item in node.items)])


def _read(text: str) -> list[_Node]:
    root = _Node()
    stack = [root]
    line, words_here, empty_lines = 1, False, 0
    for match in TOKEN.finditer(text):
        token = match[0]
        if token == "\n":
            empty_lines += not words_here
            line += 1
            words_here = False
            continue
        if token == ")":
            closed = stack.pop()
            stack[-1].items.append(closed)
            words_here = True
            continue
        node = _Node(line=line, blank_before=bool(empty_lines) and len(stack) == 1)
        if token == "(":
            stack.append(node)
        else:
            node.text = token.rstrip()
            node.comment = token[0] == ";"
            node.alone = node.comment and not words_here
            stack[-1].items.append(node)
        if len(stack) == 1 or token == "(":
            empty_lines = 0
        words_here = True
    return root.items


def _layout(node: _Node, indent: int) -> list[str]:
    """The lines of an expression; the first is not indented, the others are."""
    flat = node.flat
    if node.text:
        return [flat]
    rule = bool(node.items) and node.items[0].text == "<="
    if not node.commented and len(flat) + indent <= WIDTH and not (rule and len(node.items) > 2):
        return [flat]
    deeper = indent + (4 if rule else 1 + len(_first(node)) + 1)
    lines = ["("]
    fresh = False  # a comment ended the line
    for number, item in enumerate(node.items):
        if item.comment:
            if item.alone or fresh:
                lines.append(" " * deeper + item.text)
            else:
                lines[-1] += "  " + item.text
            fresh = True
            continue
        inner = _layout(item, deeper)
        joined = number == 0 or (number == 1 and not fresh)
        if joined:
            lines[-1] += ("" if number == 0 else " ") + inner[0]
            lines.extend(inner[1:])
        else:
            lines.append(" " * deeper + inner[0])
            lines.extend(inner[1:])
        fresh = False
    if fresh:
        lines.append(" " * deeper + ")")
    else:
        lines[-1] += ")"
    return lines


def _first(node: _Node) -> str:
    return node.items[0].text if node.items else ""
