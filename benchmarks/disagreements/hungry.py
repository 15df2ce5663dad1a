"""How soon does the bird of Hungry Birds starve in the thesis' version? Its agents in copies that differ in nothing else.

    PAIDIA_REFERENCE=DIR python benchmarks/disagreements/hungry.py FOLDER

FOLDER gets the copies, a plan and its store; the same command goes on after an interruption.
"""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path

import paidia

THESIS = Path(__file__).resolve().parents[2] / "papers" / "s001"
GAME = "vgdl:hungrybirds"
#: Ticks between two points of health; the first is the reference game's.
HUNGERS = (15, 18, 20, 22, 25, 30)
#: One line of an agent's plan, and the table that prints its wins.
AGENTS = {
    "SOLMCTS": ('id = "solmcts"', "s001-t5.2"),
    "MCTS": ('id = "mcts-thesis"', "s001-t5.2"),
    "BFTI": ('id = "mcts-thesis", settings = { bfti = true }', "s001-t5.3"),
    "NST+PH": ('id = "mcts-thesis", settings = { bfti = true, nst = true, ph = true }', "s001-t5.6"),
    "KBE": ('id = "mcts-thesis", settings = { bfti = true, kbe = true }', "s001-t5.7"),
    "Enh(NoTDTS)": ('id = "maastcts2"', "s001-t5.12"),
    "NoBFTI": ('id = "maastcts2", settings = { bfti = false }', "s001-t5.12"),
    "NoDGD": ('id = "maastcts2", settings = { dgd = false }', "s001-t5.12"),
    "EnhTD(0.5)": ('id = "maastcts2", settings = { td = "td", td_lambda = 0.5 }', "s001-t5.11"),
    "NoTR-BFTI(0.5)": ('id = "maastcts2", settings = { td = "td", td_lambda = 0.5, tr_bfti = false }', "s001-t5.11"),
    "EnhTD(0.8)": ('id = "maastcts2", settings = { td = "td", td_lambda = 0.8 }', "s001-t5.11"),
    "AlwaysKBE(0.8)": ('id = "maastcts2", settings = { td = "td", td_lambda = 0.8, kbe_always = true }', "s001-t5.11"),
}


def copies(folder: Path) -> list[str]:
    """Write the game with each hunger."""
    source = Path(os.environ["PAIDIA_REFERENCE"]) / "gvgai" / "games"
    rules = (source / "hungrybirds.txt").read_text()
    assert rules.count("timer=15") == 1
    for hunger in HUNGERS:
        (folder / f"hunger{hunger}.txt").write_text(rules.replace("timer=15", f"timer={hunger}"))
        for level in range(5):
            (folder / f"hunger{hunger}_lvl{level}.txt").write_text((source / f"hungrybirds_lvl{level}.txt").read_text())
    return [str(folder / f"hunger{hunger}.txt") for hunger in HUNGERS]


def main(place: str) -> None:
    """Play, and print the wins of each agent with each hunger beside the thesis'."""
    folder = Path(place)
    folder.mkdir(parents=True, exist_ok=True)
    games = copies(folder)
    with (THESIS / "budgets.csv").open(newline="") as file:
        budgets = {row["agent"]: row["value"] for row in csv.DictReader(file) if row["game"] == GAME}
    with (THESIS / "printed.csv").open(newline="") as file:
        printed = {(row["table"], row["agent"]): row["value"] for row in csv.DictReader(file)
                   if row["game"] == GAME and row["metric"] == "win_pct"}  # fmt: skip
    (folder / "budgets.csv").write_text(
        "game,agent,value\n" + "".join(f"{game},{name},{budgets[name]}\n" for game in games for name in AGENTS)
    )
    agents = ",\n".join(f'    {{ name = "{name}", {words} }}' for name, (words, _) in AGENTS.items())
    (folder / "plan.toml").write_text(
        f'name = "hungry"\ngames = {games}\nagents = [\n{agents},\n]\n'
        'budget_table = { file = "budgets.csv", agent = "agent" }\n'
        'start_time = 1.0\nmatches = 3\nseed = 0\nmax_steps = 2000\nlevels = ["0", "1", "2", "3", "4"]\n'
    )
    found: dict[tuple[str, str], float] = {}
    for row in paidia.report(paidia.run(folder / "plan.toml", workers=1)):
        found[str(row["game"]), str(row["agent"])] = 100.0 * float(str(row["wins"])) / float(str(row["n"]))
    print("agent", "thesis", *(f"every {hunger} ticks" for hunger in HUNGERS), sep=" | ")
    for name, (_, table) in AGENTS.items():
        print(name, printed[table, name], *(f"{found[game, name]:.0f}" for game in games), sep=" | ")


if __name__ == "__main__":
    main(*sys.argv[1:])
