"""Lists by filter, folders that are forgotten again, completion, and the version."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import paidia
from paidia.cli.main import main


def test_lists_can_be_filtered(capsys: pytest.CaptureFixture[str]) -> None:
    main(["games", "THROUGH", "--json"])
    ids = [game["id"] for game in json.loads(capsys.readouterr().out)]
    assert "breakthrough" in ids and "gdl:knightthrough" in ids and "connect4" not in ids
    main(["agents", "grave", "--json"])
    agents = json.loads(capsys.readouterr().out)
    assert any(a["id"] == "grave" for a in agents) and all("grave" in str(a).lower() for a in agents)
    for command in ("games", "agents"):
        with pytest.raises(SystemExit, match="2"):
            main([command, "no-such-thing"])


def test_a_registered_folder_is_forgotten_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAIDIA_CONFIG", str(tmp_path / "config"))
    own = tmp_path / "own"
    own.mkdir()
    source = Path(paidia.__file__).parent / "library" / "vgdl" / "vine"
    for file in source.glob("vine*.txt"):
        shutil.copy(file, own / file.name.replace("vine", "zvine"))
    main(["games", "zvine", "--add", str(own), "--json"])
    assert [game["id"] for game in json.loads(capsys.readouterr().out)] == ["vgdl:zvine"]
    main(["games", "--remove", str(own), "--json"])
    assert "vgdl:zvine" not in capsys.readouterr().out
    with pytest.raises(SystemExit, match="2"):
        main(["games", "--remove", str(own)])


@pytest.mark.parametrize("flag", ["-V", "--version"])
def test_the_version_is_told(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([flag])
    assert capsys.readouterr().out.strip() == paidia.__version__


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_name_all_commands(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", shell])
    script = capsys.readouterr().out
    assert all(word in script for word in ("play", "reproduce", "engine", "--agents"))
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=script, text=True, capture_output=True).returncode == 0
