"""`paidia host`: a match between GGP players."""

from __future__ import annotations

import secrets
from pathlib import Path

from paidia.cli.output import print_json, progress_console, table
from paidia.connect.ggp.host import Host, read_address
from paidia.connect.ggp.position import Position
from paidia.core.errors import BadInput
from paidia.games.gdl.language.kif import parse
from paidia.games.gdl.library import LIBRARY


def run(
    game: str,
    *,
    players: str,
    start_clock: float = 30.0,
    play_clock: float = 10.0,
    scramble: bool = False,
    match_id: str | None = None,
    seed: int | None = None,
    record: Path | None = None,
    json: bool = False,
) -> None:
    """Run one match between GGP players, ours (`paidia serve`) or others.

    Args:
        game: Id of a GDL game (see `paidia games`), or the path of a .kif file.
        players: Address of one player per role, HOST:PORT, separated by commas.
        start_clock: Seconds before the first move.
        play_clock: Seconds for each move.
        scramble: Give the players rules with other names.
        match_id: Name of the match; made up if left out.
        seed: Root of the moves that are drawn for players who fail; made up if left out.
        record: Write the match to this file, in the JSON that GGP hosts write.
        json: Print that JSON.
    """
    for name, clock in (("start-clock", start_clock), ("play-clock", play_clock)):
        if not 0 < clock <= 86400:
            raise BadInput(f"--{name} is above 0 and at most a day, not {clock}")
    id = game.removeprefix("gdl:")
    text, rules = LIBRARY.text(id), LIBRARY.load(id)
    if match_id is not None and not (match_id.isascii() and match_id.replace("-", "").replace(".", "").isalnum()):
        raise BadInput("--match-id is one word of letters, digits, dots and dashes")
    addresses = [read_address(address) for address in players.split(",")]
    host = Host(
        rules,
        parse(text, file=id),
        start_clock=start_clock,
        play_clock=play_clock,
        scrambled=scramble,
        seed=secrets.randbits(32) if seed is None else seed,
    )
    name = match_id or f"paidia.{secrets.token_hex(6)}"
    try:
        result = host.play(addresses, name, watch=None if json else _watch)
    except KeyboardInterrupt:
        host.abort(addresses, name)
        raise
    if record is not None:
        try:
            record.write_bytes(result.to_json())
        except OSError as error:
            raise BadInput(f"cannot write {record}: {error}") from None
    if json:
        print_json(result.document())
        return
    failures = [sum(bool(errors[role]) for errors in result.errors) for role in range(rules.n_roles)]
    table(
        f"{rules.id}, {len(result.moves)} moves, match {name}",
        ["role", "player", ">goal", ">errors"],
        [
            [role, player, str(goal), str(failed)]
            for role, player, goal, failed in zip(rules.roles, result.player_names, result.goal_values, failures, strict=True)
        ],
    )


def _watch(position: Position, joint: list[str], errors: list[str]) -> None:
    progress_console.print(f"move {position.step}: {' '.join(joint)}")
    for role, error in enumerate(errors):
        if error:
            progress_console.print(f"  {position.game.roles[role]}: {error}")
