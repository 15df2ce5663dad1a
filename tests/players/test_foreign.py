"""Records and the page name no code that runs by itself."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from paidia.cli.main import main
from paidia.core.errors import BadInput
from paidia.players.foreign import foreign_code
from paidia.players.registry import agent_ids, load_agent
from paidia.web.desk.records import open_record
from paidia.web.desk.seats import read_agent


def test_presets_are_our_own() -> None:
    for id in agent_ids():
        named = [text for text in foreign_code(load_agent(id)) if not text.endswith(".toml")]
        assert named == [], id
    assert foreign_code(load_agent("bot:mcts")) == []


@pytest.mark.parametrize("id", ["engine:touch x", "ggp:localhost:1"])
def test_programs_and_players_elsewhere(id: str) -> None:
    assert foreign_code(load_agent(id)) == [id.partition(":")[2]]
    with pytest.raises(BadInput, match="no code of others"):
        read_agent({"agent": id})


EVIL: dict[str, Any] = {
    "command": {"kind": "paidia.connect.engine_player:EnginePlayer", "planner": {"command": "touch {mark}"}},
    "kind": {"kind": "{file}:X"},
    "strategy": {"search": {"playout": "{file}:X"}},
    "module": {"search": {"selection": "os.path:join"}},
    "class": {"kind": "python", "source": "{file}:X"},
    "component": {"kind": "champion", "player": {"components": ["engine:touch {mark}"]}},
}


@pytest.mark.parametrize("how", [*EVIL, "game"])
def test_a_record_runs_nothing_that_it_names(how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, evil, mark = tmp_path / "r.json", tmp_path / "evil.py", tmp_path / "mark"
    main(["play", "tic-tac-toe", "--agents", "uct,random", "--sims", "3", "--record", str(file), "--json"])
    evil.write_text(f"open({str(mark)!r}, 'w')\n")
    record = json.loads(file.read_text())
    if how == "game":
        record["game"] = f"{evil}:X"
    else:
        put = json.loads(json.dumps(EVIL[how]).replace("{file}", str(evil)).replace("{mark}", str(mark)))
        record["details"]["definitions"][0] |= put
    file.write_text(json.dumps(record))
    capsys.readouterr()
    for words in (["play", "--repeat", str(file)], *([["play", "--record", str(file)]] if how == "game" else [])):
        with pytest.raises(SystemExit) as stop:
            main(words)
        assert stop.value.code == 2 and "would run code that it names" in capsys.readouterr().err
    opened = None
    if how != "game":
        opened = open_record({"record": file.read_text()}, [], tmp_path)
        with pytest.raises(BadInput, match="no code of others"):
            read_agent(opened.about["repeat"][0])
    assert not mark.exists()


@pytest.mark.skipif("PAIDIA_SANITIZED" in os.environ, reason="a sanitizer needs more address space than such a player may have")
def test_who_trusts_a_record_may_repeat_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, own = tmp_path / "r.json", tmp_path / "own.py"
    own.write_text(
        "from paidia import Decision, Player\n\n\nclass First(Player):\n    name = 'first'\n\n"
        "    def begin(self, game, role, **rest):\n        self.role = role\n\n"
        "    def act(self, state, *, step, budget):\n        return Decision(min(state.legal(self.role), default=None))\n"
    )
    main(["play", "tic-tac-toe", "--agents", f"{own}:First,random", "--sims", "3", "--record", str(file), "--json"])
    with pytest.raises(SystemExit):
        main(["play", "--repeat", str(file)])
    capsys.readouterr()
    main(["play", "--repeat", str(file), "--trust"])
    assert "the same match" in capsys.readouterr().out
