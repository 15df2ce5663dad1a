"""The reference pages that follow from the code: writes docs/reference/*.md, in which nothing is written by hand.

python tools/write_reference.py [FOLDER]
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from paidia.cli import commands
from paidia.control import CONTROLLERS
from paidia.experiment.metrics import metrics
from paidia.experiment.store.schema import TABLES
from paidia.games.gdl.interpreter.plans import Limits
from paidia.games.gdl.net.ground import NetLimits
from paidia.players.definition import PHASES
from paidia.players.registry import agent_ids, load_agent
from paidia.search.frame.parameters import Parameters
from paidia.search.registry import SEARCHES

SOURCE = Path(__file__).parent.parent / "src" / "paidia"


def one_line(text: str) -> str:
    """A text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def first_sentence(thing: object) -> str:
    """What the docstring of a thing says first."""
    return one_line((inspect.getdoc(thing) or "").partition("\n\n")[0])


# ---------------------------------------------------------------------------- the command line


def command_line() -> Iterator[str]:
    """Every command with its arguments, from its function."""
    yield "# The command line\n"
    yield "`paidia COMMAND --help` shows the same. Bad input is one line on standard error and exit code 2.\n"
    for module in pkgutil.iter_modules(commands.__path__):
        run = importlib.import_module(f"{commands.__name__}.{module.name}").run
        text = inspect.getdoc(run) or ""
        head, _, arguments = text.partition("Args:")
        yield f"## paidia {module.name.rstrip('_')}\n\n{head.strip().replace('<', '&lt;')}\n"
        said = dict(re.findall(r"^    (\w+): (.*?)(?=^    \w+: |\Z)", arguments, re.M | re.S))
        rows = []
        for name, parameter in inspect.signature(run).parameters.items():
            positional = parameter.kind is not inspect.Parameter.KEYWORD_ONLY
            shown = name.upper() if positional else "--" + name.rstrip("_").replace("_", "-")
            default = "" if parameter.default in (inspect.Parameter.empty, None, "") else f"`{parameter.default}`"
            rows.append(f"| `{shown}` | {one_line(said.get(name, ''))} | {default} |")
        if rows:
            yield "| argument | meaning | default |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n"


# ---------------------------------------------------------------------------- agents, strategies, tuners


def agents() -> Iterator[str]:
    """Every agent with what it is made of, and every part with its options."""
    yield "# Agents and their parts\n"
    yield "An agent is a TOML file: a strategy for each phase of the tree search, or a whole search, and parameters.\n"
    yield "## Agents\n\n| agent | what it is | made of | parameters | paper |\n| --- | --- | --- | --- | --- |"
    for id in agent_ids():
        agent = load_agent(id)
        made = ", ".join(f"{phase} {name}" for phase, name, _ in agent.search.strategies())
        if agent.planner:
            made = f"search {agent.planner.get('kind')}"
        control = f"; tuner {agent.control['kind']}" if agent.control else ""
        values = ", ".join(f"{name} {value}" for name, value in agent.parameters.items())
        cells = [f"`{id}`", *map(one_line, (agent.summary, made + control, values, agent.paper))]
        yield f"| {' | '.join(cells)} |"
    yield "\n## Search parameters\n\nWhat a controller may change while a match is played.\n"
    yield "| parameter | default |\n| --- | --- |"
    for name, value in msgspec.to_builtins(Parameters()).items():
        yield f"| `{name}` | {value} |"
    for phase, registry in PHASES.items():
        yield f"\n## {phase.replace('_', ' ').capitalize()}\n\n| name | what it does | options |\n| --- | --- | --- |"
        for name in registry:
            kind = registry[name]
            options = ", ".join(f"`{option}`" for option in getattr(kind, "options", ()))
            yield f"| `{name}` | {first_sentence(kind)} | {options} |"
    yield "\n## Whole searches\n\n| name | what it does | settings |\n| --- | --- | --- |"
    for name in SEARCHES:
        settings = msgspec.structs.fields(SEARCHES[name].Settings)
        shown = ", ".join(f"`{field.name}` {'' if field.default is msgspec.NODEFAULT else field.default}" for field in settings)
        yield f"| `{name}` | {first_sentence(SEARCHES[name])} | {one_line(shown)} |"
    yield "\n## Controllers\n\n| kind | what it does | settings |\n| --- | --- | --- |"
    for name in CONTROLLERS:
        settings = msgspec.structs.fields(CONTROLLERS[name].Settings)
        shown = ", ".join(f"`{field.name}`" for field in settings)
        yield f"| `{name}` | {first_sentence(CONTROLLERS[name])} | {one_line(shown)} |"


# ---------------------------------------------------------------------------- GDL: limits and errors


def gdl() -> Iterator[str]:
    """The limits of rule sheets, and everything that can be said against one."""
    yield "# GDL: limits and errors\n"
    yield "`paidia check FILE` tells all findings, each with file, line and column.\n\n## Limits\n"
    yield "A sheet becomes a net of gates while it stays below these; else the interpreter plays it.\n"
    yield "| limit | value |\n| --- | --- |"
    for name, value in msgspec.to_builtins(NetLimits()).items():
        yield f"| net: {name} | {value:,} |"
    for name, value in Limits()._asdict().items():
        yield f"| interpreter: {name} of one position | {value:,} |"
    yield "\n## Errors\n\nWhat stands in braces is filled in.\n\n| said by | message |\n| --- | --- |"
    for file in ("kif", "rules", "check"):
        for message in messages(SOURCE / "games" / "gdl" / "language" / f"{file}.py"):
            yield f"| {file} | {message} |"


def messages(file: Path) -> Iterator[str]:
    """The messages of the errors that a file raises, in order."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if called in ("error", "RuleError") and isinstance(node.args[0], ast.Constant | ast.JoinedStr):
            text = ast.unparse(node.args[0])
            yield one_line(re.sub(r"^f?(['\"])(.*)\1$", r"\2", text, flags=re.S).replace("\\'", "'"))


# ---------------------------------------------------------------------------- the store


def store() -> Iterator[str]:
    """The tables of a results file."""
    yield "# The store\n"
    yield "Results are one SQLite file. A match has its place (cell, pair, seat) and a row for each of its sides.\n"
    for statement in TABLES:
        yield f"```sql\n{statement}\n```\n"
    for per in ("match", "side"):
        yield f"## Measures of a {per}\n\n| column | type | called | summed up by |\n| --- | --- | --- | --- |"
        for metric in metrics(per):
            yield f"| `{metric.name}` | {metric.type} | {one_line(metric.label)} | {metric.summary} |"
        yield ""


PAGES = {"command_line": command_line, "agents": agents, "gdl": gdl, "store": store}


def main() -> None:
    """Write all pages."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs" / "reference"
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (folder / f"{name}.md").write_text("\n".join(page()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
