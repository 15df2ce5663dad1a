# Things without a will of their own: they drift if they have a speed and a direction, and age.

sprite_class(NULL, SpriteClass("Immovable", "stands where it is", defaults={"is_static": True}))
sprite_class(NULL, SpriteClass("Door", "an Immovable that agents see as a portal", "Immovable", defaults={"portal": True}))
sprite_class(NULL, SpriteClass("Passive", "does nothing, but can be pushed"))
sprite_class(NULL, SpriteClass(
    "Resource", "can be collected: `value` of `resource_name` (or of itself), of which a sprite holds up to `limit`",
    "Passive",
    parameters={"value": ("int", 1), "limit": ("int", 2), "resource_name": ("text", "")},
))
sprite_class(NULL, SpriteClass("ResourcePack", "a Resource that stands still", "Resource", defaults={"is_static": True}))
sprite_class(NULL, SpriteClass(
    "Conveyor", "stands still and has a direction",
    defaults={"is_static": True}, parameters={"strength": ("real", 1.0)}, oriented=True,
))
sprite_class(NULL, SpriteClass(
    "Portal", "leads to the sprites of type `stype` (teleportToExit)",
    defaults={"is_static": True, "portal": True}, parameters={"stype": ("type", "")}, leads=True,
))
