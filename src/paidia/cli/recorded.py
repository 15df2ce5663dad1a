"""Recorded matches: shown again, and played once more to see whether they are the same."""

from __future__ import annotations

from pathlib import Path

import msgspec

from paidia.cli.arcade import VideoScreen
from paidia.cli.match_view import show_ending, status_watcher, watcher
from paidia.cli.output import note, print_json, say
from paidia.connect.ggp.replayed import is_ggp_record, read_ggp_record
from paidia.core.arcade import ArcadeGame
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.core.loading.plugins import is_place
from paidia.core.model import Rules
from paidia.core.text import printable
from paidia.experiment.signature.behaviour import parts_of
from paidia.experiment.signature.known import known_parts
from paidia.games import find, load, world_of, worlds
from paidia.games.vgdl.library import VgdlWorld
from paidia.match.clocks import clocks_for
from paidia.match.details import Notebook, clocks_of, first_difference
from paidia.match.record import MatchRecord, replay
from paidia.match.referee import play_match
from paidia.players.definition import AgentDefinition
from paidia.players.foreign import foreign_code
from paidia.players.registry import player_of
from paidia.report.drawing.parameters import write_parameters

__all__ = ["load_rules", "repeat", "show_again", "signature_for", "write_match_parameters"]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error}") from None


def load_rules(game: str, *, level: str | None, lenient: bool) -> Rules:
    """A game; with `lenient` a video game without what follows a line that is not understood, which is told."""
    if not lenient:
        return load(game, level=level)
    found = find(game)
    world = worlds()[found.world]
    if not isinstance(world, VgdlWorld):
        raise BadInput(f"--lenient is for video games, and {game} is none")
    rules, mistake = world.load_leniently(found.name, level=level)
    if mistake is not None:
        note(f"remark: {mistake}; this line and all below it are left out, as the GVGAI framework does")
    return rules


def _check_trust(file: Path, named: list[str], trust: bool) -> None:
    """A record is data, whoever wrote it: what it names is not run unless the user says so."""
    if named and not trust:
        code = ", ".join(printable(text) for text in named)
        raise BadInput(f"{file} would run code that it names ({code}); if you trust it, add --trust")


def show_again(
    game: str | None,
    file: Path,
    *,
    level: str | None,
    frames: Path | None,
    parameters: Path | None,
    lenient: bool = False,
    trust: bool = False,
) -> None:
    """Show the match in a file: one of ours, or of a GGP host."""
    data = _read(file)
    rules: Rules
    if is_ggp_record(data):
        if game is None:
            raise BadInput(f"{file} was written by a GGP host and does not name its game: paidia play GAME --record {file}")
        rules = load(game)
        if not isinstance(rules, Game):
            raise BadInput(f"{file} is a match of a GDL game, and {game} is a video game")
        record = read_ggp_record(data, rules, file=str(file))
    else:
        record = MatchRecord.from_json(data, file=str(file))
        _check_trust(file, [record.game] if game is None and is_place(record.game) else [], trust)
        rules = load_rules(game or record.game, level=record.level if level is None else level, lenient=lenient)
    replay(record, rules)  # all of it fits the rules, or we do not start
    if isinstance(rules, ArcadeGame):
        with VideoScreen(rules, live=True, frames=frames) as screen:
            replay(record, rules, watch=screen.watch)
    elif frames is not None:
        raise BadInput(f"--frames draws video games, and {rules.id} is none")
    else:
        replay(record, rules, watch=watcher(rules, True))
    if parameters is not None:
        write_match_parameters(record, parameters)
    show_ending(record)


def write_match_parameters(record: MatchRecord, file: Path) -> None:
    """What the agents of a match did with their search parameters."""
    trajectories = record.trajectories or [None] * len(record.agents)
    if len(trajectories) != len(record.agents):
        raise BadInput(f"the record has {len(trajectories)} trajectories for {len(record.agents)} agents")
    write_parameters(list(zip(record.agents, trajectories, strict=True)), file, roles=record.roles)


def signature_for(game: str, definitions: list[AgentDefinition | None]) -> dict[str, int]:
    """The parts of the signature that a match depends on."""
    controlled = any(definition is not None and definition.control for definition in definitions)
    return known_parts(name for name in parts_of(world_of(game), controlled=controlled) if name != "experiment")


def repeat(game: str | None, file: Path, *, lenient: bool = False, trust: bool = False, json: bool) -> bool:
    """Play a recorded match once more with the same players, and say whether it came out the same."""
    record = MatchRecord.from_json(_read(file), file=str(file))
    details = record.details
    if details is None or len(details.definitions) != len(record.roles):
        raise BadInput(f"{file} does not say who its players were; `paidia play ... --record FILE` writes it down")
    if any(limits is not None and not limits.get("simulations") for limits in details.moves):
        raise BadInput(f"{file} was played against a clock, and no clock runs the same way twice; use --sims instead of --time")
    if any(definition is None for definition in details.definitions):
        raise BadInput(f"{file} has a player that is no agent (a person): `paidia play --record {file}` shows it again")
    spec = game or record.game
    definitions = [_definition(plain, file) for plain in details.definitions]
    named = [record.game] if game is None and is_place(record.game) else []
    _check_trust(file, [*named, *(text for definition in definitions for text in foreign_code(definition))], trust)
    rules = load_rules(spec, level=record.level, lenient=lenient)
    players = [player_of(definition, name) for definition, name in zip(definitions, record.agents, strict=True)]
    clocks = clocks_of(details, clocks_for(rules, None))
    notebook = Notebook(rules.n_roles)
    watch = None if json else status_watcher(rules)
    result = play_match(
        rules, players, seed=record.seed, clocks=clocks, max_steps=details.max_steps, watch=watch, thoughts=notebook.think
    )
    again = notebook.complete(result, players, clocks, max_steps=details.max_steps).record
    difference = first_difference(record, again)
    now = known_parts(details.signature) if set(details.signature) <= {"board", "gdl", "vgdl", "arcade", "control"} else {}
    changed = [name for name, number in details.signature.items() if now.get(name) != number]
    if json:
        print_json({"equal": not difference, "difference": difference, "changed": changed, "steps": len(again.moves)})
        return not difference
    if changed:
        note(f"this version of paidia plays differently from the one that played the match: {', '.join(changed)}")
    kept = f"{len(again.moves):,} steps, moves, simulations" + (", visits and means" if details.roots else "") + " and result"
    say(f"the same match: {kept} are equal" if not difference else f"another match: {difference}")
    return not difference


def _definition(plain: object, file: Path) -> AgentDefinition:
    try:
        return msgspec.convert(plain, AgentDefinition)
    except msgspec.ValidationError as error:
        raise BadInput(f"{file} has an agent that this version cannot read: {error}") from None
