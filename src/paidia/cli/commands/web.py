"""`paidia web`: play, watch and look inside, in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paidia.core.errors import BadInput


def run(
    *folders: Path,
    port: int = 8765,
    open: Annotated[bool, Parameter(negative=())] = False,
    memory: int = 2000,
    patience: float = 20.0,
) -> None:
    """Open the page on which games are played, watched, searched and studied.

    The first line printed is the address with its token. Only this machine can reach it, and the page can read nothing but the
    library and FOLDERS.

    Args:
        folders: Folders whose records, rule files, plans and stores the page may read; plans are run in them.
        port: Where the server listens; 0 takes any free port.
        open: Open the address in your browser.
        memory: Megabytes that each match may use.
        patience: Seconds after which rules that explode are given up (remarks and proofs; loading may take 4.5 times as long).
    """
    from paidia.web.children import Limits
    from paidia.web.serve import serve

    if not 0 <= port < 65536:
        raise BadInput(f"--port is a number from 0 to 65535, not {port}")
    if not 300 <= memory <= 1_000_000:
        raise BadInput(f"--memory is from 300 to 1,000,000 megabytes, not {memory}")
    if not 0.1 <= patience <= 3600:
        raise BadInput(f"--patience is from 0.1 to 3600 seconds, not {patience:g}")
    for folder in folders:
        if not folder.is_dir():
            raise BadInput(f"{folder} is no folder")

    def announce(address: str) -> None:
        print(address, flush=True)

    names = tuple(str(folder.resolve()) for folder in folders)
    limits = Limits(memory=memory * 1_000_000, patience=patience, folders=names)
    serve(port, open_page=open, limits=limits, announce=announce)
