"""`paidia signature`: what identifies how this version behaves."""

from __future__ import annotations

from pathlib import Path

import msgspec

import paidia
from paidia.cli.output import print_json, say
from paidia.core.errors import BadInput
from paidia.experiment.signature.suite import signature, signature_parts

#: Where a source checkout keeps the expected values.
EXPECTED = Path(paidia.__file__).resolve().parents[2] / "tests" / "signature.json"


def run(*, check: bool = False, expected: Path = EXPECTED, json: bool = False) -> None:
    """Print the signature: a number that changes only when behaviour changes, and the parts it is made of.

    Fixed seeds over a fixed suite of games and agents: two results with the same signature were made by the same algorithms.

    Args:
        check: Compare with the expected values; exit code 1 where they differ.
        expected: The file with the expected values.
        json: Print one JSON document.
    """
    wanted = _read(expected) if check else {}
    parts = signature_parts()
    value = signature()
    if json:
        print_json({"signature": value, "version": paidia.__version__, "parts": parts})
    else:
        say(str(value))
        for name, number in parts.items():
            changed = f"  expected {wanted.get(name, 'nothing')}" if check and wanted.get(name) != number else ""
            say(f"  {name:<10} {number}{changed}")
    if check and wanted != parts:
        raise SystemExit(1)


def _read(file: Path) -> dict[str, int]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, int])
    except OSError as error:
        raise BadInput(f"cannot read the expected values: {error}; a source checkout has them, or give --expected FILE") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} does not hold parts of a signature: {error}") from None
