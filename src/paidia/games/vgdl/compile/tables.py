"""From words to numbers: a description and a level become the tables that the engine runs on.

Everything that can be decided once is decided here: families of types, which types can ever exist, which
sprites are fixtures (can neither move nor change, so a state keeps one bit for each), the order of rules,
columns of resources.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from paidia.games.vgdl.language import ontology
from paidia.games.vgdl.language.description import Description, Interaction, Parameters, typed
from paidia.games.vgdl.language.level import Level
from paidia.games.vgdl.language.ontology import (
    EFFECT_COMMON,
    EFFECTS,
    SPRITE_CLASSES,
    TERMINATIONS,
    attributes_of,
    is_a,
)
from paidia.games.vgdl.language.values import category, combined, is_resource, size, truth, whole

__all__ = ["Tables", "build"]

Row = dict[str, Any]
CLASS_CODE = {name: code for code, name in enumerate(SPRITE_CLASSES)}
EFFECT_CODE = {name: code for code, name in enumerate(EFFECTS)}
END_CODE = {name: code for code, name in enumerate(TERMINATIONS)}
ACTION_CODE = {name: code for code, name in enumerate(ontology.ACTIONS)}
BASE_UPDATE = {
    "Immovable",
    "Door",
    "Passive",
    "Resource",
    "ResourcePack",
    "Conveyor",
    "Portal",
    "Missile",
    "ErraticMissile",
}
PATH_CLASSES = {"PathChaser", "PathAltChaser", "RandomPathAltChaser"}
STEERED = {"PlatformerAvatar", "BirdAvatar", "CarAvatar", "SpaceshipAvatar", "LanderAvatar", "WizardAvatar"}
GROUNDED = {"PlatformerAvatar", "WizardAvatar", "Walker", "WalkerJumper"}
FOREVER = 1_000_000  # ticks; longer than any game, and far from where numbers wrap around
BATCH = 64  # bits in a filter word


@dataclass(slots=True)
class Tables:
    """Rows for the engine; the keys of a row are the fields of the struct of that name in `layout.pxd`."""

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
    resources: list[int] = field(default_factory=list)  # type of each resource column
    sprites: list[tuple[int, int, int]] = field(default_factory=list)
    dropped: set[int] = field(default_factory=set)  # creation numbers of avatars that are one too many
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
        self.out = Tables(level.width, level.height, level.block, [type_.name for type_ in description.types])
        self.values: list[dict[str, Any]] = [
            typed(type_.parameters, attributes_of(type_.cls)) if type_.cls in SPRITE_CLASSES else {}
            for type_ in description.types
        ]
        self.families = self.out.families = [type_.family() for type_ in description.types]
        self.columns: dict[int, int] = {}

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

    def type_row(self, id: int) -> Row:
        type_, v = self.d.types[id], self.values[id]
        if not v:
            return {}
        cls = type_.cls
        links = [SPRITE_CLASSES[link] for link in ontology.lineage(cls)]
        turned = v["orientation"]
        oriented = bool(v["is_oriented"]) or (turned.x, turned.y) != (0, 0) or any(link.oriented for link in links)
        npc = any(link.npc for link in links)
        avatar = is_a(cls, "MovingAvatar")
        still = v["is_static"] or v["only_active"]
        portal = bool(v["portal"])
        prey = str(v.get("stype1") or v.get("stypeMissile") or v.get("stypes") or v.get("stype") or "")
        actions = next(link.actions for link in reversed(links) if link.actions) if avatar else ()
        resource = self.resource_of(id) if is_resource(cls) else -1
        health = int(v["healthPoints"])
        most = int(v["maxHealthPoints"]) or health
        cont = int(v["physicstype"]) == 1
        row: Row = {
            "cls": CLASS_CODE[cls],
            "avatar": avatar,
            "npc": npc,
            "resource_class": is_resource(cls),
            "static": bool(v["is_static"]),
            "still": bool(still),
            "stationary": bool(v["stationary"]),
            "rotate": bool(v["rotateInPlace"]),
            "portal": portal,
            "hidden": truth(str(v["hidden"])),
            "cont": cont,
            "solid": bool(v["solid"]) or (type_.name == "wall" and not type_.line),
            "fleeing": bool(v.get("fleeing", False)),
            "random_target": bool(v.get("randomTarget", False)),
            "airsteering": bool(v.get("airsteering", False)),
            "oriented": oriented,
            "ox": float(turned.x),
            "oy": float(turned.y),
            "speed": float(v["speed"]),
            "cooldown": max(1, int(v["cooldown"])),
            "health": min(health, most) if most else health,
            "max_health": most,
            "limit_health": int(v["limitHealthPoints"]),
            "ttl": int(v["timeToLive"]),
            "limit": int(v.get("limit", 0)),
            "value": int(v.get("value", 0)),
            "cons": int(v.get("cons", 0)),
            "total": int(v.get("total", 0)),
            "w": size(self.level.block, v["wMult"]),
            "h": size(self.level.block, v["hMult"]),
            "resource": self.column(resource),
            "resource_limit": self.limit(resource),
            "max_distance": int(v.get("maxDistance", -1)),
            "ammo_cost": int(v.get("ammoCost", 1)),
            "min_ammo": int(v.get("minAmmo", -1)),
            "spawn_behind": self.d.id_of(str(v.get("spawnBehind", ""))),
            "family": self.families[id],
            "singles": [one for one in type_.path if self.d.types[one].singleton],
            "stypes": self.ids(prey),
            "ammo": [self.column(one) for one in self.ids(str(v.get("ammo", "")))],
            "actions": [ACTION_CODE[action] for action in actions],
            "prob": float(v.get("spreadprob", v.get("probability", v.get("prob", 1.0)))),
            "epsilon": float(v.get("epsilon", 0.0)),
            "spawn": v.get("spawnorientation", ontology.Dir(0, 0)),
            "mass": float(v["mass"]),
            "gravity": float(v["gravity"]),
            "friction": float(v["friction"]),
            "max_speed": float(v["max_speed"]),
            "jump": float(v["jump_strength"]),
            "angle": float(v.get("angle_diff", 0.0)),
            "ground_factor": float(v.get("ground_speedup_factor", 1.0)),
            "air_factor": float(v.get("air_slowdown_factor", 1.0)) or 1.0,
            "category": category(cls, avatar=avatar, portal=portal, npc=npc, static=bool(v["is_static"])),
            "first_fixture": 0,
            "n_fixtures": 0,
            "bit": 0,
        }
        turned_later = any(
            effect["code"] == EFFECT_CODE["transformToSingleton"] and effect["flag"] for effect in self.out.effects
        )
        row["inert"] = bool(cls in BASE_UPDATE and row["ttl"] < 0 and not cont and (still or (not oriented and not turned_later)))
        if row["w"] != self.level.block or row["h"] != self.level.block:
            self.out.uniform = False
        if (
            cont
            or cls in PATH_CLASSES
            or cls in STEERED
            or any(e["code"] == EFFECT_CODE["updateSpawnType"] for e in self.out.effects)
        ):
            self.out.has_extra = True
        self.out.has_paths = self.out.has_paths or cls in PATH_CLASSES
        self.out.has_ground = self.out.has_ground or (cont and cls in GROUNDED)
        return row

    # ------------------------------------------------------------------ effects and rules

    def effect(self, line: Interaction, number: int) -> int:
        """Enter the effect of a line (and of the timer it sets); returns its index."""
        index = self.effect_row(line.effect, line.parameters, number)
        if line.effect == "addTimer":
            later = line.parameters.get("ftype", ("", 0, 0))[0]
            if later in EFFECTS and later != "addTimer":
                self.out.effects[index]["delegate"] = self.effect_row(later, line.parameters, number)
        return index

    def effect_row(self, name: str, given: Parameters, number: int) -> int:
        v: dict[str, Any] = typed(given, {**EFFECT_COMMON, **EFFECTS[name].parameters})

        def id_of(key: str) -> int:
            return self.d.id_of(str(v.get(key, "")))

        resource = max(id_of("resource"), id_of("heldResource"))
        flags = ("pixelPerfect", "align", "orient", "subtract", "takeOrientation", "stepBack")
        real = next((v[key] for key in ("offset", "limspeed", "maxBounceAngleDeg") if key in v), 0.0)
        value = v.get("value", 0)
        self.out.effects.append(
            {
                "code": EFFECT_CODE[name],
                "line": number,
                "score": whole(str(v["scoreChange"])),
                "score_killed": whole(str(v.get("scoreChangeIfKilled", "0"))),
                "stype": id_of("stype"),
                "stype2": max(id_of("stypeTo"), id_of("stype_other"), id_of("estype"), id_of("spawnPoint")),
                "stype_count": id_of("stypeCount"),
                "resource": self.column(resource),
                "resource_limit": self.limit(resource),
                "limit": int(v.get("limit", 0)),
                "value": value if isinstance(value, int) else 0,
                "spend": int(v.get("spend", 0)),
                "geq": int(v.get("geq", v.get("subTypesNum", 0))),
                "leq": int(v.get("leq", 0)),
                "list": self.ids(str(v.get("notStype", ""))),
                "timer": min(int(v["timer"]), FOREVER),
                "first_time": -1 if v["nextExecution"] == -1 else min(int(v["timer"]), FOREVER),
                "delegate": -1,
                "ftype": EFFECT_CODE.get(str(v.get("ftype", "")), -1),
                "kill_second": bool(v.get("killSecond", False)),
                "kill_resource": bool(v.get("killResource", False)),
                "force": bool(v.get("forceOrientation", False)),
                "flag": any(bool(v.get(key, False)) for key in flags),
                "repeating": bool(v["repeating"]),
                "prob": float(v.get("prob", 1.0)),
                "real": float(value if isinstance(value, float) else real),
            }
        )
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
                            self.out.effects.append(dict(self.out.effects[index]))
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
                named.update([*row["stypes"], row["spawn_behind"]])
        for effect in self.out.effects:
            named.update([effect["stype"], effect["stype2"]])
            if effect["code"] == EFFECT_CODE["transformToRandomChild"] and effect["stype"] >= 0:
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
            and self.d.types[id].cls not in ("Missile", "ErraticMissile")
            and not (self.out.has_ground and row["solid"])
        }

    def written_by_first(self, line: Interaction, sprites: list[int]) -> set[int]:
        """The types that stand first in a line; beside EOS and TIME it is the other one."""
        firsts = sprites[:1] if line.first not in ("EOS", "TIME") else sprites[1:]
        return {one for sprite in firsts if sprite >= 0 for one in self.families[sprite]}

    def place_sprites(self) -> None:
        out = self.out
        fixed = self.fixed_types()
        seen_avatar = False
        for number, (type_, column, row) in enumerate(self.level.sprites):
            if out.types[type_]["avatar"]:
                if seen_avatar:
                    out.dropped.add(number)
                seen_avatar = True
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
        v: dict[str, Any] = typed(given, TERMINATIONS[name])
        counted = [self.d.id_of(str(v[key])) for key in ("stype", "stype1", "stype2", "stype3") if v.get(key)]
        return {
            "code": END_CODE[name],
            "limit": int(v["limit"]),
            "subtypes": int(v.get("subTypesNum", -1)),
            "win": truth(str(v["win"])),
            "min": bool(v.get("min", False)),
            "count_score": bool(v["count_score"]),
            "type": counted[0] if counted else -1,
            "types": [one for sprite in counted if sprite >= 0 for one in self.families[sprite]],
        }

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
        chancy = {
            "RandomMissile",
            "RandomNPC",
            "Chaser",
            "Fleeing",
            "LOSChaser",
            "RandomBomber",
            "BomberRandomMissile",
            "AlternateChaser",
            "RandomAltChaser",
            "PathAltChaser",
            "RandomPathAltChaser",
            "PathChaser",
            "WalkerJumper",
        }
        for id, row in enumerate(self.out.types):
            uncertain = row and 0 < row["prob"] < 1 and ("prob" in self.values[id] or "spreadprob" in self.values[id])
            if self.possible[id] and (self.d.types[id].cls in chancy or uncertain):
                return True
        chance_effects = {EFFECT_CODE[name] for name in ("flipDirection", "teleportToExit", "transformToRandomChild")}
        return any(effect["code"] in chance_effects or 0 < effect["prob"] < 1 for effect in self.out.effects)
