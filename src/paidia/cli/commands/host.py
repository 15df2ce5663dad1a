"""`paidia host`: a match between GGP players."""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paidia.cli.output import note, print_json, table
from paidia.connect.engine_seat import engine_seat
from paidia.connect.ggp.host import Host, read_address
from paidia.connect.ggp.messages import LONGEST_CLOCK
from paidia.connect.ggp.position import Position
from paidia.connect.ggp.registration import Registration
from paidia.core.errors import BadInput
from paidia.core.hidden import hides
from paidia.core.text import printable
from paidia.games.gdl.language.kif import parse
from paidia.games.gdl.library import LIBRARY


def run(
    game: str,
    *,
    players: str = "",
    engine: Annotated[list[str] | None, Parameter(negative=())] = None,
    register: int | None = None,
    bind: str = "127.0.0.1",
    patience: float = 600.0,
    start_clock: float = 30,
    play_clock: float = 10,
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
        engine: Start this command as an engine (see `paidia engine`) and seat it after the players. Repeatable.
        register: Listen at this port for players that register themselves (`paidia serve --register`), until all seats are taken.
        bind: Address to listen at for them. The default can be reached from this machine only; 0.0.0.0 from everywhere.
        patience: Seconds to wait for them.
        start_clock: Seconds before the first move, a whole number: the protocol has no others.
        play_clock: Seconds for each move, a whole number.
        scramble: Give the players rules with other names.
        match_id: Name of the match; made up if left out.
        seed: Root of the moves that are drawn for players who fail; made up if left out.
        record: Write the match to this file, in the JSON that GGP hosts write.
        json: Print that JSON.
    """
    for name, clock in (("start-clock", start_clock), ("play-clock", play_clock)):
        if not 0 < clock <= LONGEST_CLOCK or clock != int(clock):
            raise BadInput(f"--{name} is a whole number of seconds from 1 to {LONGEST_CLOCK:g}, not {clock:g}")
    id = game.removeprefix("gdl:")
    text, rules = LIBRARY.text(id), LIBRARY.load(id)
    if hides(rules):
        raise BadInput(f"{game} hides something from its roles (GDL-II), and GGP messages carry no percepts: try `paidia play`")
    if match_id is not None and not (match_id.isascii() and match_id.replace("-", "").replace(".", "").isalnum()):
        raise BadInput("--match-id is one word of letters, digits, dots and dashes")
    addresses = [read_address(address) for address in players.split(",") if address.strip()]
    names = [str(address) for address in addresses]
    if engine and scramble:
        raise BadInput("an engine gets the rules by their id, so they cannot be scrambled")
    spec = id if LIBRARY.is_file(id) else f"gdl:{id}"
    with contextlib.ExitStack() as stack:
        for number, command in enumerate(engine or [], 1):
            addresses.append(stack.enter_context(engine_seat(command, spec, rules, margin=0.3)))
            names.append(f"engine{number}")
        if register is not None:
            with Registration((bind, register)) as waiting:
                note(f"waiting for players at {bind}:{waiting.port}")
                for name, address in waiting.wait(rules.n_roles - len(addresses), patience):
                    addresses.append(address)
                    names.append(name)
                    note(f"{name} plays from {address}")
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
            result = host.play(addresses, name, names=names, watch=None if json else _watch)
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
    note(f"move {position.step}: {printable(' '.join(joint))}")
    for role, error in enumerate(errors):
        if error:
            note(f"  {printable(position.game.roles[role])}: {printable(error)}")
