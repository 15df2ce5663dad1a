"""The rules desk: remarks on rules as they are typed, and why something holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from paidia.core.errors import BadInput, PaidiaError, RuleError
from paidia.games import worlds
from paidia.games.gdl.explain import explain
from paidia.games.gdl.language.check import Advice, check_text
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.library import LIBRARY
from paidia.web.desk.catalogue import inside
from paidia.web.desk.post import Post

__all__ = ["RulesDesk"]


class RulesDesk:
    """Answers what the editor asks; each answer carries the number of its question."""

    def __init__(self, post: Post, home: Path, folders: list[Path]) -> None:
        self._post, self._home, self._folders = post, home, folders

    def work(self, letter: dict[str, Any]) -> None:
        """See `Desk`."""
        asked: dict[str, Any] | None = letter
        while asked is not None:
            try:
                self._answer(asked)
            except PaidiaError as error:
                self._post.say(error=str(error), ask=asked.get("ask"))
            asked = self._post.next()

    def _answer(self, asked: dict[str, Any]) -> None:
        what, ask = asked.get("do"), asked.get("ask")
        if what == "check":
            self._post.say(remarks=self._check(asked), ask=ask)
        elif what == "why":
            self._post.say(proof=self._why(asked), ask=ask)
        elif what in ("source", "open"):
            self._post.say(source=self._source(asked), ask=ask)

    def _source(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The rules of a game of the library or of a file, to begin with."""
        if "file" in asked:
            path = inside(str(asked["file"]), self._folders)
            language = "vgdl" if path.suffix == ".txt" else "gdl"
            text = path.read_text(encoding="utf-8", errors="replace")[:1_000_000]
            level = path.with_name(f"{path.stem}_lvl0.txt")
            return {"language": language, "rules": text, "level_text": level.read_text() if level.is_file() else ""}
        spec = str(asked.get("game", ""))
        world, _, name = spec.partition(":")
        if world == "gdl":
            return {"language": "gdl", "rules": LIBRARY.text(name), "level_text": ""}
        if world == "vgdl":
            from paidia.games.vgdl.library import levels_of

            found: Any = worlds()["vgdl"]
            rules: Path = found._rules(name)
            levels = levels_of(rules)
            return {"language": "vgdl", "rules": rules.read_text(), "level_text": levels[0].read_text() if levels else ""}
        return {"language": "gdl", "rules": "", "level_text": ""}

    def _check(self, asked: dict[str, Any]) -> list[dict[str, Any]]:
        text = str(asked.get("rules", ""))
        if asked.get("language") == "vgdl":
            return self._check_vgdl(text, str(asked.get("level_text", "")))
        return [_remark(finding, "rules") for finding in check_text(text)]

    def _check_vgdl(self, text: str, level: str) -> list[dict[str, Any]]:
        file = self._home / "checked.txt"
        file.write_text(text, encoding="utf-8")
        (self._home / "checked_lvl0.txt").write_text(level, encoding="utf-8")
        findings = worlds()["vgdl"].check(file)
        return [_remark(one, "level" if "_lvl" in str(getattr(one, "file", "")) else "rules") for one in findings]

    def _why(self, asked: dict[str, Any]) -> Any:
        """A proof in the position after some moves."""
        from paidia.games.gdl.load import load_game

        sheet = parse_sheet(str(asked.get("rules", "")), file="rules")
        state: Any = load_game(sheet, "edited").initial_state()
        game = state.game
        for names in asked.get("moves") or []:
            if len(names) != game.n_roles:
                raise BadInput(f"a step has {game.n_roles} moves")
            state.play([None if name is None else game.move_id(role, name) for role, name in enumerate(names)])
        joint = asked.get("joint") or []
        moves = [(game.roles[role], name) for role, name in enumerate(joint) if name]
        proof = explain(sheet, str(asked.get("query", "")), facts=state.fluents(), moves=moves)
        return msgspec.to_builtins(proof)


def _remark(finding: PaidiaError, where: str) -> dict[str, Any]:
    if not isinstance(finding, RuleError):
        return {"line": 1, "column": 1, "text": str(finding), "kind": "error", "where": where}
    kind = "advice" if isinstance(finding, Advice) else "error"
    return {"line": finding.line or 1, "column": finding.column or 1, "text": finding.message, "kind": kind, "where": where}
