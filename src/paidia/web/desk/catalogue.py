"""What there is: games, agents, and the files of the folders that the user named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from paidia.core.errors import BadInput
from paidia.games import catalogue, worlds
from paidia.players.registry import agent_ids, load_agent
from paidia.web.desk.post import Post

__all__ = ["CatalogueDesk", "files_of", "inside"]

MOST_FILES = 2000
KINDS = {".json": "record", ".kif": "gdl", ".gdl": "gdl", ".toml": "plan", ".sqlite": "store", ".txt": "vgdl"}


def inside(name: str, folders: list[Path]) -> Path:
    """A file by `NUMBER/PATH`, the number of one of the user's folders and a path in it; nothing outside is ever opened."""
    number, _, rest = name.partition("/")
    if not number.isdecimal() or int(number) >= len(folders) or not rest:
        raise BadInput(f"{name!r} is no file of the folders that were given to `paidia web`")
    folder = folders[int(number)].resolve()
    path = (folder / rest).resolve()
    if not path.is_relative_to(folder) or not path.is_file():
        raise BadInput(f"{rest!r} is no file of {folder.name}")
    return path


def files_of(folders: list[Path]) -> list[dict[str, Any]]:
    """The files of the folders that we can do something with, newest first."""
    found = []
    for number, folder in enumerate(folders):
        for path in folder.rglob("*"):
            kind = KINDS.get(path.suffix)
            if kind is None or not path.is_file() or any(part.startswith(".") for part in path.relative_to(folder).parts):
                continue
            stat = path.stat()
            name = path.relative_to(folder)
            found.append({"file": f"{number}/{name}", "name": str(name), "kind": kind, "size": stat.st_size, "at": stat.st_mtime})
            if len(found) >= MOST_FILES:
                break
    return sorted(found, key=lambda file: -float(file["at"]))


class CatalogueDesk:
    """Tells what there is, or only which files."""

    def __init__(self, post: Post, home: Path, folders: list[Path]) -> None:
        self._post, self._folders = post, folders

    def work(self, letter: dict[str, Any]) -> None:
        """See `Desk`."""
        if letter.get("only") == "files":
            self._post.say(files=files_of(self._folders))
            return
        games = []
        for info in catalogue():
            plain = msgspec.to_builtins(info)
            plain["level_names"] = worlds()[info.world].levels(info.id.partition(":")[2]) if info.world == "vgdl" else []
            games.append(plain)
        agents = []
        for id in agent_ids():
            definition = load_agent(id)
            agents.append(
                {
                    "id": id,
                    "world": definition.world,
                    "summary": definition.summary,
                    "tuned": bool(definition.control),
                    "searches": definition.kind == "search",
                }
            )
        self._post.say(catalogue={"games": games, "agents": agents, "files": files_of(self._folders)})
