"""Text of strangers (players, hosts, rule files) on its way into a log, a terminal or a record."""

from __future__ import annotations

__all__ = ["MOST", "interrupted", "printable", "told"]

#: Longest text of a stranger that is kept.
MOST = 500


def printable(text: str, *, most: int = MOST) -> str:
    r"""The same on one line that no terminal obeys: control characters (escape sequences among them), marks that turn the
    direction of writing and halves of characters are written as `\x1b`; what is longer than `most` is cut.
    """
    cut = str.__str__(text[:most]) + ("..." if len(text) > most else "")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in cut)


def told(value: object, *, most: int = MOST) -> str:
    """What an object of a stranger says of itself: an error its type and text, anything else its `repr`.

    Its methods are the stranger's code. Whatever they raise (but a user's Ctrl-C), there is an answer.
    """
    try:
        if isinstance(value, BaseException):
            return printable(f"{type(value).__name__}: {value}", most=most)
        return printable(f"{value!r}", most=most)
    except BaseException as error:
        if interrupted(error):
            raise
        return f"a {_kind(value)} that cannot be shown"


def interrupted(error: BaseException) -> bool:
    """Whether it is a user's Ctrl-C, and no class of a stranger that poses as one."""
    return type(error) is KeyboardInterrupt


def _kind(value: object) -> str:
    """The name of a type, read past whatever its metaclass makes of it."""
    name = type.__dict__["__name__"].__get__(type(value))
    return printable(name)
