"""The list of all words of VGDL with their parameters, as a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterable

from paidia.games.vgdl.language.ontology import (
    COMMON,
    DRAWING,
    EFFECT_COMMON,
    EFFECTS,
    SPRITE_CLASSES,
    TERMINATIONS,
    Dir,
    actions_of,
    is_a,
)
from paidia.games.vgdl.language.words import Parameter

__all__ = ["page"]

NOTE = """# The words of VGDL

Written by `python tools/write_vgdl_words.py` from the units of the engine (`src/paidia/games/vgdl/engine`); a test compares
the two. A parameter is written `name=value`; here it stands with its default, or with what it takes where there is none.
"""
TAKES = {
    "type": "SPRITE",
    "types": "SPRITE,...",
    "resource": "SPRITE",
    "effect": "EFFECT",
    "text": "TEXT",
    "score": "NUMBER",
    "truth": "TRUE",
    "dir": "DIRECTION",
}


def page() -> str:
    """The whole page."""
    avatars = [name for name in sorted(SPRITE_CLASSES) if is_a(name, "MovingAvatar")]
    others = [name for name in sorted(SPRITE_CLASSES) if name not in avatars]
    sections = [
        NOTE,
        "## Sprite classes\n\nA class has the parameters and the behaviour of the one it is derived from, and these of its own. "
        f"All of them take {_list(COMMON)}; {', '.join(f'`{name}`' for name in sorted(DRAWING))} change how a sprite looks "
        "or are read elsewhere.\n",
        "### Avatars\n",
        _table(
            ("class", "what it does", "derived from", "actions", "parameters"),
            ((name, *_class(name), " ".join(actions_of(name)).lower(), _own(name)) for name in avatars),
        ),
        "### All others\n",
        _table(
            ("class", "what it does", "derived from", "parameters"),
            ((name, *_class(name), _own(name)) for name in others),
        ),
        "## Effects\n\n`first second > effect`. The edge of the world (`EOS`) and the clock (`TIME`) are no second sprite; an "
        f"effect that needs one does nothing there. All of them take {_list(EFFECT_COMMON)}.\n",
        _table(
            ("effect", "what it does", "needs the", "parameters", "must be given"),
            (
                (
                    name,
                    word.summary,
                    {"": "", "1": "first", "2": "second", "12": "first, second"}[word.sprites],
                    _list(word.parameters),
                    " ".join(f"`{key}`" for key in word.needs),
                )
                for name, word in sorted(EFFECTS.items())
            ),
        ),
        "## Terminations\n\nThe game ends when\n",
        _table(
            ("termination", "holds when", "parameters"),
            ((name, word.summary, _list(word.parameters)) for name, word in sorted(TERMINATIONS.items())),
        ),
    ]
    return "\n".join(sections)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *((f"`{name}`", *rest) for name, *rest in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _class(name: str) -> tuple[str, str]:
    return SPRITE_CLASSES[name].summary, SPRITE_CLASSES[name].parent


def _own(name: str) -> str:
    """The parameters that a class adds, and the common ones that have another default in it."""
    word = SPRITE_CLASSES[name]
    changed = ", ".join(f"`{key}={_text(value)}`" for key, value in sorted(word.defaults.items()))
    return ", ".join(text for text in (_list(word.parameters), changed) if text)


def _list(parameters: dict[str, Parameter]) -> str:
    return ", ".join(
        f"`{key}={TAKES[kind] if default in ('', None) else _text(default)}`"
        for key, (kind, default) in sorted(parameters.items())
    )


def _text(value: object) -> str:
    if isinstance(value, Dir):
        named = {(0, 0): "NONE", (1, 0): "RIGHT", (-1, -1): "NIL"}
        return named.get((int(value.x), int(value.y)), f"({value.x}, {value.y})")
    return str(value)
