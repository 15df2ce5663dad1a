"""From words to numbers: a description and a level become the tables that the engine runs on.

Everything that can be decided once is decided here: families of types, which types can ever exist, which
sprites are fixtures (can neither move nor change, so a state keeps one bit for each), the order of rules,
columns of resources.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from paidia.core.arcade import ACTIONS
from paidia.games.vgdl.engine.kernel import EFFECT_CODE, behaves, effect_row, end_row, given_row, own_parameters
from paidia.games.vgdl.language.description import Description, Interaction, Parameters, typed
from paidia.games.vgdl.language.level import Level
from paidia.games.vgdl.language.ontology import (
    EFFECT_COMMON,
    EFFECTS,
    SPRITE_CLASSES,
    TERMINATIONS,
    actions_of,
    attributes_of,
    has,
    is_a,
)
from paidia.games.vgdl.language.values import category, combined, is_resource, size, truth, whole
from paidia.games.vgdl.language.words import Parameter

__all__ = ["Tables", "build"]

Row = dict[str, Any]
FOREVER = 1_000_000  # ticks; longer than any game, and far from where numbers wrap around
BATCH = 64  # bits in a filter word


@dataclass(slots=True)
class Tables:
    """Rows for the engine; the keys of a row are the fields of the struct of that name in `engine/layout.pxd`."""

    description: Description  # what the tables were made of
    width: int
    height: int
    block: int
    names: list[str]
    types: list[Row] = field(default_factory=list)
    families: list[list[int]] = field(default_factory=list)
    effects: list[Row] = field(default_factory=list)
    rules: list[Row] = field(default_factory=list)
    edges: list[Row] = field(default_factory=list)
    times: list[tuple[int, Row]] = field(default_factory=list)
    ends: list[Row] = field(default_factory=list)
    updates: list[int] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    lists: list[int] = field(default_factory=lambda: [0])  # lists of types, each how many and then which; 0 is the empty one
    resources: list[int] = field(default_factory=list)  # type of each resource column
    sprites: list[tuple[int, int, int]] = field(default_factory=list)
    players: int = 1
    avatars: list[int] = field(default_factory=list)  # creation number of each player's avatar
    dropped: set[int] = field(default_factory=set)  # creation numbers of avatars that are too many
    fixtures: list[tuple[int, int, int, int]] = field(default_factory=list)  # type, creation number, column, row
    blocked: list[bool] | None = None  # cells that path-finding goes around
    reused_bits: int = 0
    n_lines: int = 0
    uniform: bool = True
    has_extra: bool = False
    has_paths: bool = False
    has_ground: bool = False  # some class looks for solid ground under its feet
    stochastic: bool = False


def build(description: Description, level: Level) -> Tables:
    """All tables of one game on one level."""
    return _Builder(description, level).build()


class _Builder:
    def __init__(self, description: Description, level: Level) -> None:
        self.d = description
        self.level = level
        self.out = Tables(description, level.width, level.height, level.block, [type_.name for type_ in description.types])
        self.values: list[dict[str, Any]] = [
            typed(type_.parameters, attributes_of(type_.cls)) if type_.cls in SPRITE_CLASSES else {}
            for type_ in description.types
        ]
        self.families = self.out.families = [type_.family() for type_ in description.types]
        self.columns: dict[int, int] = {}
        self.effects: list[tuple[str, Row]] = []  # by the name of the effect

    def build(self) -> Tables:
        out = self.out
        for id, type_ in enumerate(self.d.types):
            if is_resource(type_.cls):
                self.column(self.resource_of(id))
        effects = [(line, self.effect(line, number)) for number, line in enumerate(self.d.interactions)]
        out.n_lines = len(effects)
        self.sort_rules(effects)
        for id in range(len(self.d.types)):
            out.types.append(self.type_row(id))
        for end in self.d.terminations:
            out.ends.append(self.end_row(end.name, end.parameters))
        self.existing()
        self.place_sprites()
        self.finish_rules()
        out.order = list(self.d.order)
        avatars = [bool(row) and row["avatar"] for row in out.types]
        out.updates = [id for id in reversed(self.d.order) if out.types[id] and not avatars[id]]
        out.resources = sorted(self.columns, key=self.columns.__getitem__)
        self.find_paths()
        out.stochastic = self.draws()
        return out

    # ------------------------------------------------------------------ resources

    def resource_of(self, id: int) -> int:
        """The type that a Resource sprite counts as."""
        found = self.d.id_of(str(self.values[id]["resource_name"]))
        return found if found >= 0 else id

    def column(self, type_: int) -> int:
        """The column in which amounts of a resource are kept."""
        return self.columns.setdefault(type_, len(self.columns)) if type_ >= 0 else -1

    def limit(self, type_: int) -> int:
        """How much of a resource a sprite may hold; only types of class Resource have a limit above 0."""
        return int(self.values[type_]["limit"]) if type_ >= 0 and self.d.types[type_].cls == "Resource" else 0

    # ------------------------------------------------------------------ types

    def ids(self, text: str) -> list[int]:
        return [self.d.id_of(name) for name in text.split(",")] if text else []

    def listed(self, types: list[int]) -> int:
        """The place of a list of types among all lists."""
        self.out.lists += [len(types), *types]
        return len(self.out.lists) - 1 - len(types)

    def number(self, kind: str, value: Any) -> Any:
        """What the engine gets for the value of a parameter."""
        if kind == "type":
            return self.d.id_of(value)
        if kind == "types":
            return self.listed(self.ids(value))
        if kind == "resource":
            return self.column(self.d.id_of(value))
        if kind == "effect":
            return EFFECT_CODE.get(value, -1)
        if kind == "score":
            return whole(value)
        if kind == "truth":
            return truth(value)
        return {"x": value.x, "y": value.y} if kind == "dir" else value

    def type_row(self, id: int) -> Row:
        type_, v = self.d.types[id], self.values[id]
        if not v:
            return {}
        cls = type_.cls
        known = attributes_of(cls)
        turned = v["orientation"]
        oriented = bool(v["is_oriented"]) or (turned.x, turned.y) != (0, 0) or has(cls, "oriented")
        npc = has(cls, "npc")
        avatar = is_a(cls, "MovingAvatar")
        still = v["is_static"] or v["only_active"]
        portal = bool(v["portal"])
        prey = str(v.get("stype1") or v.get("stypeMissile") or v.get("stypes") or v.get("stype") or "")
        resource = self.resource_of(id) if is_resource(cls) else -1
        health = int(v["healthPoints"])
        most = int(v["maxHealthPoints"]) or health
        cont = int(v["physicstype"]) == 1
        row: Row = {
            "cls": cls,
            "given": {key: self.number(known[key][0], v[key]) if key in v else blank for key, blank in given_row().items()},
            "avatar": avatar,
            "resource_class": is_resource(cls),
            "static": bool(v["is_static"]),
            "still": bool(still),
            "stationary": bool(v["stationary"]),
            "rotate": bool(v["rotateInPlace"]),
            "hidden": truth(str(v["hidden"])),
            "cont": cont,
            "solid": bool(v["solid"]) or (type_.name == "wall" and not type_.line),
            "stands": has(cls, "stands"),
            "leads": has(cls, "leads"),
            "spawns": has(cls, "spawns"),
            "oriented": oriented,
            "ox": float(turned.x),
            "oy": float(turned.y),
            "speed": float(v["speed"]),
            "cooldown": max(1, int(v["cooldown"])),
            "health": min(health, most) if most else health,
            "max_health": most,
            "limit_health": int(v["limitHealthPoints"]),
            "ttl": int(v["timeToLive"]),
            "w": size(self.level.block, v["wMult"]),
            "h": size(self.level.block, v["hMult"]),
            "resource": self.column(resource),
            "resource_limit": self.limit(resource),
            "singles": [one for one in type_.path if self.d.types[one].singleton],
            "stypes": self.ids(prey),
            "ammo": [self.column(one) for one in self.ids(str(v.get("ammo", "")))],
            "actions": [ACTIONS.index(action) for action in actions_of(cls)],
            "category": category(cls, avatar=avatar, portal=portal, npc=npc, static=bool(v["is_static"])),
            "first_fixture": 0,
            "n_fixtures": 0,
            "bit": 0,
        }
        turned_later = any(effect.get(EFFECTS[name].orients) for name, effect in self.effects)
        drifts = not still and (oriented or turned_later)
        row["inert"] = not (avatar or behaves(cls) or row["ttl"] >= 0 or cont or drifts)
        if row["w"] != self.level.block or row["h"] != self.level.block:
            self.out.uniform = False
        self.out.has_extra = self.out.has_extra or cont or has(cls, "paths") or has(cls, "extra")
        self.out.has_paths = self.out.has_paths or has(cls, "paths")
        self.out.has_ground = self.out.has_ground or (cont and has(cls, "stands"))
        return row

    # ------------------------------------------------------------------ effects and rules

    def effect(self, line: Interaction, number: int) -> int:
        """Enter the effect of a line (and of the timer it sets); returns its index."""
        index = self.effect_row(line.effect, line.parameters, number)
        if EFFECTS[line.effect].delays:
            later = line.parameters.get("ftype", ("", 0, 0))[0]
            if later in EFFECTS and not EFFECTS[later].delays:
                self.out.effects[index]["delegate"] = self.effect_row(later, line.parameters, number)
        return index

    def effect_row(self, name: str, given: Parameters, number: int) -> int:
        row = effect_row(name)
        known = {**EFFECT_COMMON, **EFFECTS[name].parameters}
        v: dict[str, Any] = typed(given, known)
        for place, key in enumerate(own_parameters(EFFECTS[name])):
            row["own"][place] = self.number(known[key][0], v[key])
        for key, value in v.items():
            if key in row:
                row[key] = self.number(known[key][0], value)
            if known[key][0] == "resource":
                row["resource_limit"] = self.limit(self.d.id_of(value))
        for key in ("scoreChange", "scoreChangeIfKilled"):
            row[f"{key}2"] = whole(str(v[key]), 1) if key in v else 0
        row["line"] = number
        row["timer"] = min(int(v["timer"]), FOREVER)
        row["first_time"] = -1 if v["nextExecution"] == -1 else row["timer"]
        self.effects.append((name, row))
        self.out.effects.append(row)
        self.out.has_extra = self.out.has_extra or EFFECTS[name].extra
        return len(self.out.effects) - 1

    def sort_rules(self, effects: list[tuple[Interaction, int]]) -> None:
        """Group effects by pair in the order in which pairs first appear; edges and times by declaration."""
        pairs: dict[tuple[int, int], list[int]] = {}
        edge_effects: dict[int, list[int]] = {}
        edges: list[int] = []
        for line, index in effects:
            for other in line.others:
                names = (line.first, other)
                if "TIME" in names:
                    sprite = self.d.id_of(names[names[0] == "TIME"])
                    if sprite >= 0:
                        for _ in range(line.repeat):
                            self.out.effects.append(dict(self.out.effects[index]))  # each has a clock of its own
                            self.out.times.append((len(self.out.effects) - 1, {"first": sprite}))
                elif "EOS" in names:
                    sprite = self.d.id_of(names[names[0] == "EOS"])
                    if sprite >= 0:
                        edges.append(sprite)
                        edge_effects.setdefault(sprite, []).extend([index] * line.repeat)
                else:
                    pair = (self.d.id_of(line.first), self.d.id_of(other))
                    if min(pair) >= 0:
                        pairs.setdefault(pair, []).extend([index] * line.repeat)
        for (first, second), indexes in pairs.items():
            self.out.rules += [{"first": first, "second": second, "effect": index} for index in indexes]
        for sprite in edges:
            self.out.edges += [{"first": sprite, "second": -1, "effect": index} for index in edge_effects[sprite]]

    def finish_rules(self) -> None:
        out = self.out
        cells: dict[tuple[int, int], list[int]] = {}
        for type_, _, column, row in out.fixtures:
            cells.setdefault((column, row), []).append(type_)
        shared = {tuple(sorted(types)) for types in cells.values() if len(types) > 1}
        for rule in [*out.rules, *out.edges, *(rule for _, rule in out.times)]:
            rule.setdefault("second", -1)
            rule.setdefault("effect", -1)
            for side in ("first", "second"):
                types = [t for t in self.families[rule[side]] if self.possible[t]] if rule[side] >= 0 else []
                rule[side + "_types"] = types
                rule[side + "_bits"] = combined(out.types[t]["bit"] for t in types)
            first, second = set(rule["first_types"]), set(rule["second_types"])
            rule["pairs_of_fixtures"] = any(
                any(a in first and b in second for i, a in enumerate(types) for k, b in enumerate(types) if i != k)
                for types in shared
            )

    # ------------------------------------------------------------------ what exists

    def existing(self) -> None:
        """Which types can have sprites at all, and the filter bit of each."""
        named = {type_ for type_, _, _ in self.level.sprites}
        for row in self.out.types:
            if row:
                known = attributes_of(row["cls"])
                named.update(row["stypes"])
                named.update(value for key, value in row["given"].items() if known.get(key, ("",))[0] == "type")
        for name, effect in self.effects:
            named.update(effect[key] for key, (kind, _) in EFFECTS[name].parameters.items() if kind == "type")
            if EFFECTS[name].makes_family and effect["stype"] >= 0:
                named.update(self.families[effect["stype"]])
        self.possible = [bool(row) and id in named for id, row in enumerate(self.out.types)]
        used = 0
        for id, row in enumerate(self.out.types):
            if self.possible[id]:
                row["bit"] = 1 << (used % BATCH)
                if used >= BATCH:
                    self.out.reused_bits |= row["bit"]
                used += 1

    def fixed_types(self) -> set[int]:
        """Types whose first sprites can never move or change, only leave."""
        if not self.out.uniform:
            return set()
        written: set[int] = set()
        for line in self.d.interactions:
            for name in (line.effect, line.parameters.get("ftype", ("",))[0]):
                if name not in EFFECTS:
                    continue
                effect = EFFECTS[name]
                sprites = [self.d.id_of(line.first), *(self.d.id_of(other) for other in line.others)]
                if "1" in effect.writes:
                    written.update(self.written_by_first(line, sprites))
                if "2" in effect.writes:
                    written.update(one for sprite in sprites[1:] if sprite >= 0 for one in self.families[sprite])
                for key in effect.writes_types:
                    named = self.d.id_of(line.parameters.get(key, ("",))[0])
                    if named >= 0:
                        written.update(self.families[named])
        return {
            id
            for id, row in enumerate(self.out.types)
            if row
            and row["inert"]
            and id not in written
            and not has(self.d.types[id].cls, "record")
            and not (self.out.has_ground and row["solid"])
        }

    def written_by_first(self, line: Interaction, sprites: list[int]) -> set[int]:
        """The types that stand first in a line; beside EOS and TIME it is the other one."""
        firsts = sprites[:1] if line.first not in ("EOS", "TIME") else sprites[1:]
        return {one for sprite in firsts if sprite >= 0 for one in self.families[sprite]}

    def place_sprites(self) -> None:
        out = self.out
        fixed = self.fixed_types()
        out.players = self.d.players
        avatars = [number for number, (type_, _, _) in enumerate(self.level.sprites) if out.types[type_]["avatar"]]
        out.dropped = set(avatars[out.players :])
        # In the order of the description; of two of the same type the one created later comes first.
        places = {type_: place for place, type_ in enumerate(self.d.order)}
        out.avatars = sorted(avatars[: out.players], key=lambda number: (places.get(self.level.sprites[number][0], -1), -number))
        for number, (type_, column, row) in enumerate(self.level.sprites):
            if type_ in fixed:
                out.fixtures.append((type_, number, column, row))
        out.sprites = list(self.level.sprites)
        out.fixtures.sort()
        for index, (type_, _, _, _) in enumerate(out.fixtures):
            if not out.types[type_]["n_fixtures"]:
                out.types[type_]["first_fixture"] = index
            out.types[type_]["n_fixtures"] += 1

    # ------------------------------------------------------------------ the rest

    def end_row(self, name: str, given: Parameters) -> Row:
        row, known = end_row(name), TERMINATIONS[name].parameters
        v: dict[str, Any] = typed(given, known)
        counted = [self.d.id_of(v[key]) for key, (kind, _) in known.items() if kind == "type" and v[key]]
        row |= {key: self.number(known[key][0], value) for key, value in v.items() if key in row}
        row["win2"] = truth(str(v["win"]), 1)
        row["counted"] = self.listed([one for sprite in counted if sprite >= 0 for one in self.families[sprite]])
        return row

    def find_paths(self) -> None:
        """Cells that show a sprite listed in the game's `obs` setting stop path-finders."""
        walls = set(self.ids(self.d.settings.get("obs", ""))) - {-1}
        if not self.out.has_paths or "obs" not in self.d.settings:
            return
        self.out.blocked = [False] * (self.level.width * self.level.height)
        for type_, column, row in self.level.sprites:
            if type_ in walls and not self.out.types[type_]["hidden"]:
                self.out.blocked[row * self.level.width + column] = True

    def draws(self) -> bool:
        """Whether chance can matter: some class or effect draws in a way that can change the outcome."""
        for id, row in enumerate(self.out.types):
            if row and self.possible[id]:
                cls = self.d.types[id].cls
                if has(cls, "chance") or uncertain(self.values[id], attributes_of(cls)):
                    return True
        return any(EFFECTS[name].chance or uncertain(row, EFFECTS[name].parameters) for name, row in self.effects)


def uncertain(values: Row, known: dict[str, Parameter]) -> bool:
    """Whether some draw among these values may come out either way."""
    return any(0 < values[key] < 1 for key, (kind, _) in known.items() if kind == "chance")
