"""A VGDL description read and checked: sprite types, interactions, level mapping, terminations.

`parse` collects every mistake with its place. Where the rules of the language let a mistake pass (a mapped
name that does not exist but that no level uses), it is in `tolerated`; everything else is in `errors` and
stops a game from being loaded. With `as_reference=True` the reference engine's way is followed instead: the
first bad interaction or termination drops the rest of the description and the game is played without it, for
recorded games and `play --lenient`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from paidia.core.errors import RuleError, did_you_mean
from paidia.games.vgdl.language import ontology
from paidia.games.vgdl.language.ontology import Dir
from paidia.games.vgdl.language.text import Line, Word, parse_tree

__all__ = ["Description", "Interaction", "Parameters", "SpriteType", "Termination", "parse", "typed"]

MAX_TYPES = 250
MAX_INTERACTIONS = 2_000
MAX_REPEAT = 50
MAX_LIST = 64
MAX_ERRORS = 100  # nobody reads more, and each costs a search for similar names
SECTIONS = ("SpriteSet", "InteractionSet", "LevelMapping", "TerminationSet", "ParameterSet")
SPECIAL = ("EOS", "TIME")  # in upper or lower case
STAYS_TEXT = {"scoreChange", "scoreChangeIfKilled"}
NEVER_BOOLEAN = {"win", "hidden", "invisible"}

Parameters = dict[str, tuple[str, int, int]]  # key -> (text of the value, line, column of the value)


@dataclass(slots=True)
class SpriteType:
    """One line of the SpriteSet: a type, its class and its parameters with those of its ancestors."""

    name: str
    id: int
    line: int = 0
    column: int = 0
    parent: SpriteType | None = None
    children: list[SpriteType] = field(default_factory=list)
    stated: str = ""  # the class written on the line itself
    cls: str = ""  # the class it has: an ancestor's stated class comes first
    own: Parameters = field(default_factory=dict)
    parameters: Parameters = field(default_factory=dict)

    @property
    def singleton(self) -> bool:
        return self.own.get("singleton", ("",))[0].lower() == "true"

    @property
    def path(self) -> list[int]:
        """Ids from the root ancestor down to this type."""
        return [*(self.parent.path if self.parent else ()), self.id]

    def family(self) -> list[int]:
        """Ids of ancestors, itself and all descendants, in the order in which groups are visited."""
        found = dict.fromkeys(self.path)
        for child in self.children:
            found |= dict.fromkeys(child.family())
        return list(found)


@dataclass(slots=True)
class Interaction:
    """One line of the InteractionSet."""

    first: str
    others: list[str]
    effect: str
    parameters: Parameters
    repeat: int
    line: int
    column: int


@dataclass(slots=True)
class Termination:
    """One line of the TerminationSet."""

    name: str
    parameters: Parameters
    line: int
    column: int


@dataclass(slots=True)
class Description:
    """Everything a description says."""

    file: str
    settings: dict[str, str] = field(default_factory=dict)
    types: list[SpriteType] = field(default_factory=list)
    by_name: dict[str, SpriteType] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)  # drawing order; updates run through it backwards
    mapping: dict[str, list[tuple[str, int, int]]] = field(default_factory=dict)
    interactions: list[Interaction] = field(default_factory=list)
    terminations: list[Termination] = field(default_factory=list)
    errors: list[RuleError] = field(default_factory=list)
    tolerated: list[RuleError] = field(default_factory=list)

    @property
    def players(self) -> int:
        """How many play, each with an avatar."""
        return 2 if self.settings.get("no_players") == "2" else 1

    def id_of(self, name: str) -> int:
        """The id of a sprite type, or -1."""
        found = self.by_name.get(name)
        return found.id if found else -1


def convert(key: str, text: str) -> object:
    """The value that a parameter's text stands for."""
    if text in ontology.DIRECTIONS:
        return ontology.DIRECTIONS[text]
    if text in ("GRID", "CONT"):
        return int(text == "CONT")
    if text in ontology.COLOURS:
        return None
    if key not in STAYS_TEXT and re.fullmatch(r"[+-]?[0-9]{1,10}", text) and -(2**31) <= int(text) < 2**31:
        return int(text)
    if key not in STAYS_TEXT and re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?[fFdD]?", text):
        value = float(text.rstrip("fFdD"))
        return value if abs(value) < 1e12 else None
    if key not in NEVER_BOOLEAN and text.lower() in ("true", "false"):
        return text.lower() == "true"
    return text


_FITS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "real": (int, float),
    "float": (int,),
    "chance": (int, float),
    "bool": (bool,),
    "text": (str,),
    "score": (str,),
    "truth": (str,),
    "type": (str,),
    "types": (str,),
    "resource": (str,),
    "effect": (str,),
    "dir": (Dir,),
}
_REAL = ("real", "chance")
_NAMES = ("type", "types", "resource")  # of sprites


_WANTED = {
    "int": "a whole number",
    "real": "a number",
    "float": "a whole number",
    "chance": "a number",
    "bool": "True or False",
    "text": "a text",
    "score": "a text",
    "truth": "a text",
    "type": "the name of a sprite",
    "types": "names of sprites",
    "resource": "the name of a sprite",
    "effect": "a text",
    "dir": "a direction such as UP",
}


def fits(kind: str, value: object) -> bool:
    """Whether a value can be stored in a parameter of a kind."""
    return isinstance(value, _FITS[kind]) and (kind == "bool" or not isinstance(value, bool))


def known_parameters(type_: SpriteType) -> dict[str, tuple[str, object]]:
    """What a sprite line may say: the parameters of its class and of the classes below it."""
    known = ontology.attributes_of(type_.cls) if type_.cls in ontology.SPRITE_CLASSES else {}
    for child in type_.children:
        known = {**known_parameters(child), **known}
    return known


def typed(parameters: Parameters, known: dict[str, tuple[str, object]]) -> dict[str, object]:
    """The value of every known parameter; one whose value does not fit keeps its default."""
    values = {key: default for key, (_, default) in known.items()}
    for key, (text, _, _) in parameters.items():
        if key in known:
            kind = known[key][0]
            value = convert(key, text)
            if fits(kind, value):
                values[key] = float(value) if kind in _REAL and isinstance(value, int) else value
    return values


class _Abandon(Exception):
    """The rest of the description is dropped: after too many mistakes, or as the reference does after one."""


class _Reader:
    def __init__(self, file: str, as_reference: bool) -> None:
        self.out = Description(file)
        self.as_reference = as_reference
        self.place = (0, 0)
        self.misnamed: set[int] = set()  # types whose class is not known, which has been told already

    def error(self, message: str, line: int, column: int, *, tolerated: bool = False) -> None:
        found = RuleError(message, file=self.out.file, line=line, column=column)
        if len(self.out.tolerated) + len(self.out.errors) >= MAX_ERRORS:
            raise _Abandon
        (self.out.tolerated if tolerated else self.out.errors).append(found)

    def unknown(self, kind: str, word: Word, line: int, known: Iterable[str], *, tolerated: bool = False) -> None:
        hint = did_you_mean(word.text, known)
        self.error(f"unknown {kind} {word.text!r}{'; ' + hint if hint else ''}", line, word.column, tolerated=tolerated)

    # ------------------------------------------------------------------ the whole file

    def read(self, text: str) -> Description:
        roots = parse_tree(text, file=self.out.file)
        if not roots:
            raise RuleError("the description is empty; it starts with a line 'BasicGame'", file=self.out.file, line=1)
        for word in roots[0].words[1:]:
            key, equals, value = word.text.partition("=")
            if equals:
                self.out.settings[key] = value.partition("=")[0]
                if key == "no_players" and value not in ("1", "2"):
                    self.error(f"no_players= is 1 or 2, not {value!r}", roots[0].number, word.column + len(key) + 1)
        if "=" in roots[0].words[0].text or ">" in roots[0].text:
            self.error("the first line has to name the game class: BasicGame", roots[0].number, roots[0].words[0].column)
        self.register("wall", roots[0].number, 1)
        self.register("avatar", roots[0].number, 1)
        self.out.order = [0, 1]
        self.out.mapping = {"w": [("wall", 0, 0)], "A": [("avatar", 0, 0)]}
        readers: dict[str, Callable[[list[Line]], None]] = {
            "spriteset": self.sprites,
            "interactionset": self.interactions,
            "levelmapping": self.mapping,
            "terminationset": self.terminations,
        }
        try:
            for line in [*roots[0].children, *roots[1:]]:
                name = line.text.lower()
                if name in readers:
                    readers[name](line.children)
                elif name != "parameterset":
                    self.unknown("section", line.words[0], line.number, SECTIONS)
        except _Abandon:
            pass
        with contextlib.suppress(_Abandon):
            self.finish(roots[0].number)
        return self.out

    def finish(self, line: int) -> None:
        out = self.out
        for name, cls in (("wall", "Immovable"), ("avatar", "MovingAvatar")):
            type_ = out.by_name[name]
            if not type_.line:
                type_.stated = type_.cls = cls
        out.order = [id for id in out.order if id != 1] + [1]
        for type_ in out.types:
            classless = not type_.cls and not type_.children and type_.line
            if classless and not self.misnamed & set(type_.path):
                self.error(
                    f"sprite {type_.name!r} has no class, and none of its ancestors gives it one",
                    type_.line,
                    type_.column,
                )
            known = known_parameters(type_)
            if known:
                self.check_names(type_.own, known, must=())
                self.check_keys(type_.own, known)
        for name, places in out.mapping.items():
            for sprite, number, column in places:
                if number and sprite not in out.by_name:
                    self.unknown(
                        f"sprite (mapped from {name!r})",
                        Word(sprite, column),
                        number,
                        out.by_name,
                        tolerated=True,
                    )
        if not out.terminations and not self.as_reference:
            self.error("the description has no TerminationSet, so the game could not end", line, 1)

    # ------------------------------------------------------------------ sprites

    def register(self, name: str, line: int, column: int) -> SpriteType:
        found = self.out.by_name.get(name)
        if found is None:
            if len(self.out.types) >= MAX_TYPES:
                raise RuleError(
                    f"a game may have at most {MAX_TYPES} sprite types",
                    file=self.out.file,
                    line=line,
                    column=column,
                )
            found = SpriteType(name, len(self.out.types))
            self.out.types.append(found)
            self.out.by_name[name] = found
        return found

    def sprites(self, lines: list[Line], parent: SpriteType | None = None) -> None:
        for line in lines:
            words = line.words
            if len(words) < 2 or words[1].text != ">":
                if any(word.text == ">" for word in words[1:]):
                    self.error("a sprite is written 'name > Class key=value ...'", line.number, words[0].column)
                else:
                    self.error(f"expected '>' after the sprite name {words[0].text!r}", line.number, words[0].column)
                return
            name = words[0]
            if name.text.upper() in SPECIAL:
                self.error(f"{name.text} is a reserved word and cannot name a sprite", line.number, name.column)
            type_ = self.register(name.text, line.number, name.column)
            if type_.line:  # a second definition takes the name and id over; the first keeps its children
                self.error(
                    f"sprite {name.text!r} is defined twice (first in line {type_.line})",
                    line.number,
                    name.column,
                    tolerated=True,
                )
                type_ = SpriteType(type_.name, type_.id)
                self.out.types[type_.id] = self.out.by_name[type_.name] = type_
            type_.line, type_.column, type_.parent = line.number, name.column, parent
            type_.own = parameters(words[2:], line.number)
            type_.parameters = {**(parent.parameters if parent else {}), **type_.own}
            for word in words[2:]:
                if "=" not in word.text:
                    if word.text in ontology.SPRITE_CLASSES:
                        type_.stated = word.text
                    else:
                        self.unknown("sprite class", word, line.number, ontology.SPRITE_CLASSES)
                        self.misnamed.add(type_.id)
            ancestor = parent
            while ancestor is not None and not ancestor.stated:
                ancestor = ancestor.parent
            type_.cls = ancestor.stated if ancestor is not None else type_.stated
            if parent is not None and type_ not in parent.children:
                parent.children.append(type_)
            if line.children:
                self.sprites(line.children, type_)
            if not type_.children:
                if type_.id in self.out.order:
                    self.out.order.remove(type_.id)
                self.out.order.append(type_.id)

    # ------------------------------------------------------------------ interactions

    def interactions(self, lines: list[Line]) -> None:
        for line in lines:
            before = len(self.out.errors)
            self.interaction(line)
            if len(self.out.errors) > before and self.as_reference:
                raise _Abandon
            for child in line.children:
                self.error("an interaction has no lines below it", child.number, child.words[0].column)

    def interaction(self, line: Line) -> None:
        texts = [word.text for word in line.words]
        if ">" not in texts:
            self.error(
                "an interaction is written 'sprite sprite > effect key=value ...'",
                line.number,
                line.words[0].column,
            )
            return
        arrow = texts.index(">")
        objects = [word for word in line.words[:arrow] if "=" not in word.text]
        effects = [word for word in line.words[arrow + 1 :] if "=" not in word.text]
        if len(objects) < 2:
            self.error("an interaction needs two sprites before '>'", line.number, line.words[0].column)
            return
        if not effects:
            self.error("an interaction needs an effect after '>'", line.number, line.words[arrow].column)
            return
        objects = [Word(word.text.upper(), word.column) if word.text.upper() in SPECIAL else word for word in objects]
        for word in objects:
            if word.text not in self.out.by_name and word.text not in SPECIAL:
                self.unknown("sprite", word, line.number, [*self.out.by_name, *SPECIAL])
        if objects[0].text in SPECIAL and any(word.text in SPECIAL for word in objects[1:]):
            self.error("EOS and TIME need a sprite beside them", line.number, objects[0].column)
        effect = effects[-1]
        given = parameters(line.words, line.number)
        if effect.text not in ontology.EFFECTS:
            self.unknown("effect", effect, line.number, ontology.EFFECTS)
            return
        values = typed(given, ontology.EFFECT_COMMON)
        repeat = int(str(values["repeat"]))
        if not 0 <= repeat <= MAX_REPEAT:
            self.error(f"repeat must be between 0 and {MAX_REPEAT}", line.number, given["repeat"][2])
            return
        before = len(self.out.errors)
        self.check_effect(effect, line.number, given)
        if len(self.out.errors) > before:
            return
        if len(self.out.interactions) >= MAX_INTERACTIONS:
            raise RuleError(f"more than {MAX_INTERACTIONS} interactions", file=self.out.file, line=line.number)
        names = [word.text for word in objects]
        self.out.interactions.append(Interaction(names[0], names[1:], effect.text, given, repeat, line.number, effect.column))

    def check_effect(self, effect: Word, line: int, given: Parameters) -> None:
        cls = ontology.EFFECTS[effect.text]
        self.place = (line, effect.column)
        self.check_names(given, cls.parameters, cls.needs)
        known = {**ontology.EFFECT_COMMON, **cls.parameters}
        if "ftype" in cls.parameters:
            name, number, column = given.get("ftype", ("", line, effect.column))
            if name not in ontology.EFFECTS:
                self.unknown("effect", Word(name, column), number, ontology.EFFECTS)
            elif cls.delays and ontology.EFFECTS[name].delays:
                self.error("a timer cannot set another timer", number, column)
            elif cls.delays:
                self.check_names(given, ontology.EFFECTS[name].parameters, ontology.EFFECTS[name].needs)
                known |= ontology.EFFECTS[name].parameters
        self.check_keys(given, known)

    def check_keys(self, given: Parameters, known: dict[str, tuple[str, object]]) -> None:
        """The language drops unknown parameters and values of the wrong kind without a word; we do not."""
        for key, (text, line, column) in given.items():
            if key not in known:
                if key not in ontology.DRAWING:
                    word = Word(key, column - len(key) - 1)
                    self.unknown("parameter", word, line, [*known, *ontology.DRAWING], tolerated=True)
            elif not fits(known[key][0], convert(key, text)):
                wanted = _WANTED[known[key][0]]
                self.error(f"{key}= takes {wanted}, not {text!r}, and is ignored", line, column, tolerated=True)

    def check_names(self, given: Parameters, known: dict[str, tuple[str, object]], must: tuple[str, ...]) -> None:
        """Every sprite that a parameter names has to exist, and those in `must` have to be given."""
        values = typed(given, known)
        for key, (kind, _) in known.items():
            if kind not in _NAMES:
                continue
            text = str(values[key])
            if not text:
                if key in must:
                    self.error(f"the parameter {key}= is missing", *self.place)
                continue
            names = text.split(",") if kind == "types" else [text]
            _, line, column = given.get(key, ("", *self.place))
            if len(names) > MAX_LIST:
                self.error(f"{key}= lists more than {MAX_LIST} sprites", line, column)
            for name in names:
                if name not in self.out.by_name:
                    self.unknown("sprite", Word(name, column), line, self.out.by_name)
                column += len(name) + 1

    # ------------------------------------------------------------------ mapping and terminations

    def mapping(self, lines: list[Line]) -> None:
        for line in lines:
            words = line.words
            if len(words) < 3 or words[1].text != ">":
                self.error("a mapping is written 'character > sprite ...'", line.number, words[0].column)
                continue
            if len(words[0].text) > 1:
                self.error(
                    f"only the first character of {words[0].text!r} counts; write a single one",
                    line.number,
                    words[0].column,
                    tolerated=True,
                )
            names = words[2 : 2 + MAX_LIST]
            self.out.mapping[words[0].text[0]] = [(word.text, line.number, word.column) for word in names]

    def terminations(self, lines: list[Line]) -> None:
        for line in lines:
            before = len(self.out.errors)
            name = line.words[0]
            self.place = (line.number, name.column)
            if name.text not in ontology.TERMINATIONS:
                self.unknown("termination", name, line.number, ontology.TERMINATIONS)
            elif len(self.out.terminations) >= MAX_LIST:
                self.error(f"more than {MAX_LIST} terminations", line.number, name.column)
            else:
                given = parameters(line.words[1:], line.number)
                word = ontology.TERMINATIONS[name.text]
                self.check_names(given, word.parameters, word.needs)
                self.check_keys(given, word.parameters)
                self.out.terminations.append(Termination(name.text, given, line.number, name.column))
            if len(self.out.errors) > before and self.as_reference:
                raise _Abandon


def parameters(words: list[Word], line: int) -> Parameters:
    """The `key=value` words of a line."""
    found: Parameters = {}
    for word in words:
        key, equals, rest = word.text.partition("=")
        if equals:
            found[key] = (rest.partition("=")[0], line, word.column + len(key) + 1)
    return found


def parse(text: str, *, file: str = "", as_reference: bool = False) -> Description:
    """Read a description; mistakes are collected in its `errors` and `tolerated`."""
    return _Reader(file, as_reference).read(text)
